// Which operand a node takes a size from.
//
// Sizes that are equal need not be the same: a MatMul of [N, S, 64] and [N, 64, S] has both of its S from
// different operands. So the operator is asked once more, in an analysis of its own, with a symbol at every
// place that has the size in question; the symbol that comes out says where it comes from.
#ifndef DIMWISE_REPORT_SIZE_ORIGIN_H_
#define DIMWISE_REPORT_SIZE_ORIGIN_H_

#include <optional>

#include "report/model_report.h"

namespace dimwise {

// A size in a program: of an axis of a value, or an element of its contents.
struct SizePlace {
  ValueId value = kNoValue;
  bool in_contents = false;
  int64_t index = 0;  // the axis, or the element
  bool operator==(const SizePlace&) const = default;
};

// Where the node that makes the value takes that size from; nothing where it computes it, chooses among
// several, or is no plain operator. REQUIRES: a node makes the value.
std::optional<SizePlace> OriginOfSize(const ModelReport& report, const SizePlace& place, Dim size);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_SIZE_ORIGIN_H_
