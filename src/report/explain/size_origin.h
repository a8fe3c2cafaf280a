// Finds the positions from which a node computes or copies a size of its result.
//
// Equal sizes may have different origins: a MatMul of [N, S, 64] and [N, 64, S] takes each S from another
// operand. Therefore the operator is evaluated again in a separate analysis, with a new symbol for each size
// that may matter. The symbols in the result identify the origin. A constant element or an attribute is
// reported only if the result changes without it.
#ifndef DIMWISE_REPORT_EXPLAIN_SIZE_ORIGIN_H_
#define DIMWISE_REPORT_EXPLAIN_SIZE_ORIGIN_H_

#include <optional>
#include <string>
#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

// A position of a size: an axis of a value, or an element of its contents.
struct SizeLocation {
  ValueId value = kNoValue;
  bool in_contents = false;
  int64_t index = 0;  // of the axis or the element
  bool operator==(const SizeLocation&) const = default;
};

// Returns the simplified size at a position; none if it is unknown or a fraction. REQUIRES: the position
// exists.
Dim SizeAt(const ModelReport& report, const SizeLocation& location);

struct SizeOrigin {
  std::optional<SizeLocation> taken{};  // the position whose size the node copies
  std::vector<SizeLocation>
      from{};                    // otherwise the positions it is computed from, in the order of the operands
  std::vector<ValueId> ranks{};  // if it is not a size: the operands whose rank is used
  std::vector<std::string> attrs{};  // the names of the attributes that are used
  bool is_guess = false;             // guessed from equal symbols, because the operator cannot be evaluated
  bool is_made = false;              // it depends on data that is known only at run time
};

// Returns the origin, or nothing if the node has no rule or function, or has regions. REQUIRES: a node
// computes the value.
std::optional<SizeOrigin> OriginOfSize(const ModelReport& report, const SizeLocation& location);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_SIZE_ORIGIN_H_
