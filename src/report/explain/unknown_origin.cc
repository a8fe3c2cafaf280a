#include "report/explain/unknown_origin.h"

#include <algorithm>

#include "core/types/known_parts.h"

namespace dimwise {
namespace {

// Walks back while an operand satisfies `predicate`. The step limit handles cycles in an invalid file.
template <typename Predicate>
UnknownOrigin WalkBack(const Graph& graph, ValueId value, const Predicate& predicate) {
  UnknownOrigin origin{{}, value};
  while (graph.role(origin.value) == ValueRole::kResult && origin.through.size() < graph.node_count()) {
    const NodeId node = graph.maker(origin.value);
    const std::span<const ValueId> operands = graph.operands(node);
    const auto next =
        std::ranges::find_if(operands, [&](ValueId v) { return v != kNoValue && predicate(v); });
    if (next == operands.end()) break;
    origin.through.push_back(node);
    origin.value = *next;
  }
  return origin;
}

bool IsFewNumbers(const Type& type) {
  if (!IsRanked(type) || type.shape.rank() > 1) return false;
  if (type.shape.rank() == 0) return true;
  const Dim length = type.shape[0];
  return length.is_constant() && length.constant() <= ValueTable::kMaxElements;
}

}  // namespace

bool IsUnknownNumbers(const ModelReport& report, ValueId value) {
  if (!IsFewNumbers(report.type(value))) return false;
  const Value contents = report.inference.contents(value);
  if (contents.is_none()) return true;
  for (int64_t i = 0; i < contents.size(); ++i) {
    if (contents.Integer(i).is_none() && contents.FloatingPoint(i).is_unknown()) return true;
  }
  return false;
}

UnknownOrigin OriginOfUnknown(const ModelReport& report, ValueId value) {
  return WalkBack(report.graph(), value, [&](ValueId v) { return IsUnknownNumbers(report, v); });
}

UnknownOrigin OriginOfNoRank(const ModelReport& report, ValueId value) {
  return WalkBack(report.graph(), value, [&](ValueId v) { return !HasRank(report.type(v)); });
}

}  // namespace dimwise
