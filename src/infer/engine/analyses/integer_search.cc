#include "infer/engine/analyses/integer_search.h"

#include <algorithm>

#include "core/types/known_parts.h"
#include "infer/engine/analyses/element_intervals.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

constexpr int64_t kMaxUnknownIntegers = 16;  // of a tensor

// Returns the number of elements of a tensor of few integers; -1 for any other type.
int64_t CountIntegers(const Type& type) {
  if (!IsRanked(type) || !IsInteger(type.element) || !type.shape.is_constant()) return -1;
  int64_t count = 1;
  for (const Dim size : type.shape.dims()) {
    if (size.constant() > kMaxUnknownIntegers) return -1;
    count *= size.constant();
    if (count > kMaxUnknownIntegers) return -1;
  }
  return count;
}

// Returns the greatest integer of a type, or INT64_MAX if that is less.
int64_t GreatestOf(ElementType type) {
  const int bits = BitWidth(type) - (IsSigned(type) ? 1 : 0);
  return bits < 63 ? (int64_t{1} << bits) - 1 : INT64_MAX;
}

bool HasAllIntegers(Value contents) {
  for (int64_t i = 0; i < contents.size(); ++i) {
    if (contents.Integer(i).is_none()) return false;
  }
  return true;
}

}  // namespace

bool IntegerSearch::Evaluate(NodeId node, std::span<Type> results, std::span<Value> contents) {
  const ResolvedOperator& resolved = state_.operators.Resolve(node);
  if (!resolved.may_trace || resolved.op->def.stateful) return false;
  if (rules_left_ == 0 || depth_left_ == 0) return false;
  --rules_left_;
  --depth_left_;
  const std::span<const ValueId> values = graph_.operands(node);
  std::vector<rules::Operand> operands(values.size());
  bool is_known = true;
  for (size_t i = 0; i < values.size() && is_known; ++i) {
    operands[i].given = values[i] != kNoValue;
    if (!operands[i].given) continue;
    operands[i].type = state_.type(values[i]);
    is_known = operands[i].type.is_tensor() && !operands[i].type.shape.is_none();
    operands[i].value = IntegersOf(values[i]);
  }
  ++depth_left_;
  const OperatorAttributes& attributes = state_.operators.AttributesOf(node, resolved);
  if (!is_known || attributes.error) return false;
  const BareCall call{state_.analysis, state_.ScopeOf(node), operands, *attributes.attrs,
                      graph_.op(graph_.op_of(node)).version};
  return QueryRule(*resolved.rule, call, results, contents);
}

Value IntegerSearch::IntegersOf(ValueId value) {
  const Type type = state_.type(value);
  const Value known = state_.contents(value);
  const int64_t count = CountIntegers(type);
  if (count < 0 || (!known.is_none() && HasAllIntegers(known))) return known;
  const auto before = std::ranges::find(found_, value, &std::pair<ValueId, Value>::first);
  if (before != found_.end()) return before->second;

  std::vector<Dim> integers(static_cast<size_t>(count));
  if (const Value computed = ContentsByRule(value); !computed.is_none() && computed.size() == count) {
    for (int64_t i = 0; i < count; ++i) integers[static_cast<size_t>(i)] = computed.Integer(i);
  }
  if (std::ranges::any_of(integers, &Dim::is_none)) CreateSymbols(value, integers);
  std::vector<int64_t> sizes;
  for (const Dim size : type.shape.dims()) sizes.push_back(size.constant());
  const Value with_symbols = state_.analysis.values().Integers(type.element, sizes, integers);
  found_.emplace_back(value, with_symbols);
  return with_symbols;
}

// In the body of a loop, a value is another integer on each trip, so its computation is not followed.
Value IntegerSearch::ContentsByRule(ValueId result) {
  if (graph_.role(result) != ValueRole::kResult) return Value();
  const NodeId maker = graph_.maker(result);
  if (!state_.RunsAtMostOnce(graph_.region(maker))) return Value();
  std::vector<Type> types(graph_.results(maker).size());
  std::vector<Value> contents(types.size());
  return Evaluate(maker, types, contents) ? contents[graph_.result_index(result)] : Value();
}

void IntegerSearch::CreateSymbols(ValueId value, std::span<Dim> integers) {
  const ElementType element = state_.type(value).element;
  const ElementInterval interval = IntervalOfElements(state_, value);
  int64_t max = GreatestOf(element), min = IsUnsigned(element) ? 0 : -max - 1;
  if (interval.low.is_constant()) min = std::max(min, interval.low.constant());
  if (interval.high.is_constant()) max = std::min(max, interval.high.constant());
  for (size_t i = 0; i < integers.size(); ++i) {
    if (!integers[i].is_none()) continue;
    const SymbolKey key{kIntegerPath, Index(numbering_.FirstEqual(value)), static_cast<uint32_t>(i)};
    integers[i] = state_.analysis.dims().Fresh(key, min, max);
    if (interval.high.is_expression()) limits_.push_back({integers[i], interval.high});
  }
}

}  // namespace dimwise
