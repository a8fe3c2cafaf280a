#include "infer/engine/analyses/value_numbering.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "core/types/known_parts.h"
#include "infer/engine/analyses/property_values.h"

namespace dimwise {
namespace {

// Limits of the search for equal structures. Beyond them a value is equal only to itself.
constexpr int kMaxStructureDepth = 24;
constexpr size_t kMaxStructureOperands = 8;
constexpr int64_t kMaxConstantElements = 16;

// The first word of each structure. Structures of different kinds are never equal.
enum StructureTag : uint64_t { kOneConstant, kOneResult, kOneComparison };

// Returns whether a result has the sizes of an operand, after leading axes of size 1.
bool HasSizesOf(const Type& result, const Type& operand) {
  if (!IsRanked(result) || !IsRanked(operand) || result.shape.rank() < operand.shape.rank()) return false;
  const std::span<const Dim> sizes = result.shape.dims();
  const size_t more = sizes.size() - operand.shape.dims().size();
  return std::ranges::all_of(sizes.first(more), [](Dim size) { return size == Dim(1); }) &&
         std::ranges::equal(sizes.subspan(more), operand.shape.dims());
}

// Returns whether equal operands always give equal results.
bool IsDeterministic(const OpDef& def) {
  return !def.stateful && !def.properties.random && std::ranges::none_of(def.inputs, &ArgDef::is_ref);
}

}  // namespace

bool ValueNumbering::is_on() const {
  return state_.options.analyses.value_numbering && state_.options.program_is_fixed &&
         state_.hooks == nullptr && state_.site.owner == 0 && !state_.has_cuts;
}

void ValueNumbering::CopyFrom(const ValueNumbering& other) {
  structures_ = other.structures_;
  numbers_ = other.numbers_;
  first_values_ = other.first_values_;
}

// ---- Numbers of values ----

ValueNumber ValueNumbering::NumberOf(ValueId value, int depth) {
  if (value == kNoValue) return kNoNumber;
  if (Index(value) >= numbers_.size()) numbers_.resize(graph_.value_count());
  ValueNumber number = numbers_[Index(value)];
  if (number != kNoNumber) return number;
  const NodeId maker = MakerOf(value);
  const bool is_constant = graph_.role(value) == ValueRole::kConstant ||
                           (maker != kNoNode && ComputationOf(maker) == Computation::kConstant);
  if (is_constant) {
    number = NumberOfConstant(value);
  } else if (maker != kNoNode && depth < kMaxStructureDepth) {
    number = NumberOfResult(maker, value, depth);
  }
  if (number == kNoNumber) number = OwnNumberOf(value);
  numbers_[Index(value)] = number;
  return number;
}

// Returns kNoNumber if only the value itself identifies the result.
ValueNumber ValueNumbering::NumberOfResult(NodeId maker, ValueId value, int depth) {
  if (!IsNumberedByStructure(maker)) return kNoNumber;
  const std::span<const ValueId> operands = graph_.operands(maker);
  const Computation computes = ComputationOf(maker);
  if (computes == Computation::kIdentity || IsCastOfBooleans(maker)) return NumberOf(operands[0], depth + 1);
  if (computes == Computation::kNot && operands[0] != kNoValue) {
    const NodeId before = MakerOf(operands[0]);
    if (before != kNoNode && ComputationOf(before) == Computation::kNot && !graph_.operands(before).empty())
      return NumberOf(graph_.operands(before)[0], depth + 2);
  }
  std::array<uint64_t, kMaxStructureOperands + 3> words{};
  const std::span<uint64_t> numbers = std::span(words).subspan(3, operands.size());
  for (size_t i = 0; i < operands.size(); ++i)
    numbers[i] = static_cast<uint64_t>(NumberOf(operands[i], depth + 1));
  const CanonicalOperator canonical = CanonicalOf(graph_.op_of(maker));
  const bool is_commutative = state_.operators.Resolve(maker).properties->commutative;
  if (operands.size() >= 2 && (canonical.is_mirrored || (is_commutative && numbers[1] < numbers[0])))
    std::swap(numbers[0], numbers[1]);
  words[0] = kOneResult;
  words[1] = uint64_t{Index(canonical.op)} << 32 | Index(graph_.attrs_of(maker));
  words[2] = graph_.result_index(value);
  return NumberOfStructure(std::span(words).first(3 + operands.size()));
}

bool ValueNumbering::IsNumberedByStructure(NodeId maker) const {
  const ResolvedOperator& resolved = state_.operators.Resolve(maker);
  const std::span<const ValueId> operands = graph_.operands(maker);
  if (!resolved.is_plain || !IsDeterministic(resolved.op->def)) return false;
  if (graph_.carries_regions(maker) || !graph_.attr_references(maker).empty()) return false;
  if (operands.empty() || operands.size() > kMaxStructureOperands) return false;
  // The state behind a handle may change between two reads.
  return std::ranges::none_of(operands, [&](ValueId v) { return state_.type(v).kind == TypeKind::kHandle; });
}

ValueNumber ValueNumbering::NumberOfConstant(ValueId value) {
  const Value contents = state_.contents(value);
  if (contents.is_none() || contents.size() > kMaxConstantElements) return kNoNumber;
  std::vector<uint64_t> words{kOneConstant, static_cast<uint64_t>(contents.element()),
                              contents.dims().size()};
  for (const int64_t size : contents.dims()) words.push_back(static_cast<uint64_t>(size));
  for (int64_t i = 0; i < contents.size(); ++i) {
    // The element type determines which of the two forms all elements have.
    const std::optional<int64_t> integer = contents.ConstantInteger(i);
    const std::optional<double> number = integer ? std::nullopt : contents.FloatingPoint(i).constant();
    if (!integer && !number) return kNoNumber;
    words.push_back(integer ? static_cast<uint64_t>(*integer) : std::bit_cast<uint64_t>(*number));
  }
  return NumberOfStructure(words);
}

// An operator and its mirror of the same version are represented by the one that comes first in the graph.
ValueNumbering::CanonicalOperator ValueNumbering::CanonicalOf(OpId id) {
  if (Index(id) >= canonical_.size()) canonical_.resize(graph_.op_count());
  std::optional<CanonicalOperator>& canonical = canonical_[Index(id)];
  if (canonical) return *canonical;
  canonical = {id, false};
  const std::string_view mirrored = state_.operators.Resolve(id).properties->mirrored;
  const int version = graph_.op(id).version;
  for (uint32_t i = 0; !mirrored.empty() && i < Index(id); ++i) {
    const Graph::Op& other = graph_.op(OpId{i});
    if (other.name == mirrored && other.version == version) canonical = {OpId{i}, true};
  }
  return *canonical;
}

ValueId ValueNumbering::FirstEqual(ValueId value) {
  if (!is_on()) return value;
  return first_values_.try_emplace(static_cast<uint32_t>(NumberOf(value)), value).first->second;
}

// ---- Operators that keep elements ----

bool ValueNumbering::IsCastOfBooleans(NodeId node) const {
  return ComputationOf(node) == Computation::kCast && graph_.operands(node).size() == 1 &&
         state_.type(graph_.operands(node)[0]).element == ElementType::kBool &&
         state_.type(graph_.results(node)[0]).element == ElementType::kBool;
}

ValueId ValueNumbering::SourceInOrder(ValueId result) const {
  const NodeId maker = MakerOf(result);
  if (maker == kNoNode || graph_.operands(maker).empty()) return kNoValue;
  const Computation computes = ComputationOf(maker);
  if (computes == Computation::kIdentity || IsCastOfBooleans(maker)) return graph_.operands(maker)[0];
  if (computes == Computation::kCast) return kNoValue;
  const ElementSource* source =
      state_.operators.Resolve(maker).properties->SourceOf(ArgumentOfResult(state_, result));
  if (source == nullptr || source->kind != ElementSource::Kind::kSame || source->operands.size() != 1)
    return kNoValue;
  return OnlyOperandOf(state_, maker, source->operands[0]);
}

ValueId ValueNumbering::SourceInAnyOrder(ValueId result) const {
  if (const ValueId operand = SourceInOrder(result); operand != kNoValue) return operand;
  const NodeId maker = MakerOf(result);
  if (maker == kNoNode || ComputationOf(maker) == Computation::kCast) return kNoValue;
  const ElementSource* source =
      state_.operators.Resolve(maker).properties->SourceOf(ArgumentOfResult(state_, result));
  if (source == nullptr || source->operands.size() != 1) return kNoValue;
  const ValueId operand = OnlyOperandOf(state_, maker, source->operands[0]);
  if (operand == kNoValue || source->kind == ElementSource::Kind::kPermuted) return operand;
  // A result that has each element at least once, and as many elements, has each of them once.
  const bool has_all = source->kind == ElementSource::Kind::kAll;
  return has_all && HasSizesOf(state_.type(result), state_.type(operand)) ? operand : kNoValue;
}

ValueNumber ValueNumbering::NumberOfCountedMask(ValueId mask) {
  for (int depth = 0; depth < kMaxStructureDepth; ++depth) {
    const NodeId maker = MakerOf(mask);
    if (maker == kNoNode) break;
    ValueId operand = SourceInAnyOrder(mask);
    // A cast to bool keeps the count: exactly the nonzero numbers become true.
    const bool is_cast = ComputationOf(maker) == Computation::kCast && graph_.operands(maker).size() == 1;
    if (is_cast && state_.type(graph_.operands(maker)[0]).element == ElementType::kBool)
      operand = graph_.operands(maker)[0];
    if (operand == kNoValue || !IsRanked(state_.type(operand)) || state_.type(operand).shape.rank() == 0)
      break;
    mask = operand;
  }
  return NumberOf(mask);
}

// ---- Conditions of branches ----

BranchCondition ValueNumbering::ConditionOf(NodeId branch) {
  BranchCondition condition;
  const ControlFlow& flow = state_.operators.Resolve(branch).control_flow();
  if (!is_on() || !flow.cases.empty()) return condition;
  ValueId value = OnlyOperandOf(state_, branch, flow.condition);
  if (value == kNoValue) return condition;
  for (int depth = 0; depth < kMaxStructureDepth; ++depth) {
    const NodeId maker = MakerOf(value);
    if (maker == kNoNode || graph_.operands(maker).empty()) break;
    const bool is_not = ComputationOf(maker) == Computation::kNot;
    const ValueId operand = is_not ? graph_.operands(maker)[0] : SourceInOrder(value);
    if (operand == kNoValue) break;
    if (is_not) condition.is_negated = !condition.is_negated;
    value = operand;
  }
  condition.number = NumberOf(value);
  const NodeId maker = MakerOf(value);
  const Computation computes = maker == kNoNode ? Computation::kNothingSpecial : ComputationOf(maker);
  const bool is_strict = computes == Computation::kLess || computes == Computation::kGreater;
  const bool is_weak = computes == Computation::kLessOrEqual || computes == Computation::kGreaterOrEqual;
  if ((!is_strict && !is_weak) || graph_.operands(maker).size() != 2) return condition;
  // All comparisons are written as a > b. For integers, a <= b is not (a > b), and a >= b is not (b > a). A
  // comparison with NaN is false, so this does not hold for floats.
  ValueId a = graph_.operands(maker)[0], b = graph_.operands(maker)[1];
  if (computes == Computation::kLess || computes == Computation::kGreaterOrEqual) std::swap(a, b);
  if (is_weak && (a == kNoValue || !IsInteger(state_.type(a).element))) return condition;
  if (is_weak) condition.is_negated = !condition.is_negated;
  const std::array<uint64_t, 3> words{kOneComparison, static_cast<uint64_t>(NumberOf(a)),
                                      static_cast<uint64_t>(NumberOf(b))};
  condition.number = NumberOfStructure(words);
  return condition;
}

}  // namespace dimwise
