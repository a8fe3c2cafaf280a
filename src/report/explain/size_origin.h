// What a size of a node's result comes from.
//
// Sizes that are equal need not be the same: a MatMul of [N, S, 64] and [N, 64, S] has both of its S from
// different operands, and a list of four sizes is i64[4] whatever it holds. So the operator is asked once
// more, in an analysis of its own, with a symbol of its own at each place that might decide; the symbols that
// come out say where the answer comes from. What may be left open and the answer stays decides nothing: so a
// number among contents, or an attribute, is told only where the answer without it is another.
#ifndef DIMWISE_REPORT_EXPLAIN_SIZE_ORIGIN_H_
#define DIMWISE_REPORT_EXPLAIN_SIZE_ORIGIN_H_

#include <optional>
#include <string>
#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

// A size in a program: of an axis of a value, or an element of its contents.
struct SizePlace {
  ValueId value = kNoValue;
  bool in_contents = false;
  int64_t index = 0;  // the axis, or the element
  bool operator==(const SizePlace&) const = default;
};

// The size there, simplified; none where it is not known, or a fraction. REQUIRES: the place exists.
Dim SizeAt(const ModelReport& report, const SizePlace& place);

struct SizeOrigin {
  std::optional<SizePlace> taken{};  // the node hands on this one as it is
  std::vector<SizePlace> from{};     // else what it computes it from, in the order of the operands
  std::vector<ValueId> ranks{};      // where that is no size: operands whose number of axes counts
  std::vector<std::string> attrs{};  // the names of attributes that count there
  bool is_guess = false;             // by symbols that are the same: the operator cannot be asked
  bool is_made = false;              // more decides than sizes and what is known of contents: a run
};

// Nothing where the node is no plain operator that has a rule or function. REQUIRES: a node makes the value.
std::optional<SizeOrigin> OriginOfSize(const ModelReport& report, const SizePlace& place);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_SIZE_ORIGIN_H_
