// Which values are equal in every run, since the same is computed of the same: a mask that a program writes
// twice, a condition that two branches ask for and a third one turns around.
//
// A value is told by a hash of what computes it, back to inputs, to what is carried into a region, and to
// constants, of which those with few elements are told by these. What an operator gives that is not one of
// ONNX, or may give another result each time, is told by nothing but itself.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/hash_mix.h"
#include "core/types/known_parts.h"
#include "infer/engine/engine.h"

namespace dimwise {
namespace {

constexpr int kMaxBack = 24;            // nodes behind each other that are looked at
constexpr size_t kMaxOperandsBack = 8;  // of each
constexpr int64_t kMaxConstants = 16;   // elements
constexpr uint64_t kOneValue = 0x76616C7565u, kOneConstant = 0x636F6E7374u;

// The same with its two operands exchanged.
constexpr std::string_view kSymmetric[] = {"onnx.Add", "onnx.And", "onnx.Equal",
                                           "onnx.Mul", "onnx.Or",  "onnx.Xor"};
// a < b is b > a.
struct Exchanged {
  std::string_view op, by;
};
constexpr Exchanged kExchanged[] = {{"onnx.Less", "onnx.Greater"},
                                    {"onnx.LessOrEqual", "onnx.GreaterOrEqual"}};
// The same elements in the same order: of one element, that element.
constexpr std::string_view kKeepsElement[] = {"onnx.Flatten", "onnx.Identity", "onnx.Reshape", "onnx.Squeeze",
                                              "onnx.Unsqueeze"};

// Whether a tensor was expanded to the sizes that it had, but for axes of 1 in front.
bool HasSizesOf(const Type& expanded, const Type& before) {
  if (!IsRanked(expanded) || !IsRanked(before) || expanded.shape.rank() < before.shape.rank()) return false;
  const std::span<const Dim> sizes = expanded.shape.dims();
  const size_t more = sizes.size() - before.shape.dims().size();
  return std::ranges::all_of(sizes.first(more), [](Dim size) { return size == Dim(1); }) &&
         std::ranges::equal(sizes.subspan(more), before.shape.dims());
}

bool IsAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Whether it may give another result each time: what draws at random takes a seed, but for a Dropout of old.
bool IsRandom(const OpDef& def) {
  return def.stateful || def.name == "Dropout" ||
         std::ranges::any_of(def.attrs, [](const AttrDef& a) { return a.name.starts_with("seed"); });
}

// Of a constant with few elements by these; else 0.
uint64_t HashOfConstant(const Known& known) {
  const Value& held = known.contents;
  if (held.is_none() || held.size() > kMaxConstants) return 0;
  uint64_t hash = HashMix(kOneConstant, static_cast<uint64_t>(held.element()));
  for (const int64_t size : held.dims()) hash = HashMix(hash, static_cast<uint64_t>(size));
  for (int64_t i = 0; i < held.size(); ++i) {
    const std::optional<int64_t> integer = held.ConstantInteger(i);
    const std::optional<double> number = integer ? std::nullopt : held.FloatingPoint(i).constant();
    if (!integer && !number) return 0;
    hash = HashMix(hash, integer ? HashNumber(*integer) : std::bit_cast<uint64_t>(*number));
  }
  return hash;
}

// Of a result of an operator, by what its operands are.
uint64_t HashOfResult(std::string_view op, AttrsId attrs, uint64_t place,
                      std::span<const uint64_t> operands) {
  uint64_t hash = HashMix(HashText(op), Index(attrs));
  hash = HashMix(hash, place << 32 | operands.size());
  for (const uint64_t operand : operands) hash = HashMix(hash, operand);
  return hash;
}

}  // namespace

bool Engine::TellsAlike() const {
  return options_.names_by_numbers && guide_ == nullptr && site_.owner == 0 && !has_cuts_;
}

bool Engine::IsCastOfBooleans(NodeId node) const {
  return graph_.op_name(node) == "onnx.Cast" && graph_.operands(node).size() == 1 &&
         type(graph_.operands(node)[0]).element == ElementType::kBool &&
         type(graph_.results(node)[0]).element == ElementType::kBool;
}

uint64_t Engine::AlikeOf(ValueId value, int back) {
  if (value == kNoValue) return 0;
  if (Index(value) >= alike_.size()) alike_.resize(graph_.value_count());
  uint64_t hash = alike_[Index(value)];
  if (hash != 0) return hash;
  const ValueRole role = graph_.role(value);
  const NodeId maker = role == ValueRole::kResult ? graph_.maker(value) : kNoNode;
  if (role == ValueRole::kConstant || (maker != kNoNode && Resolve(graph_.op_of(maker)).is_constant))
    hash = HashOfConstant(known_[Index(value)]);
  else if (maker != kNoNode && back < kMaxBack)
    hash = AlikeOfResult(maker, value, back);
  if (hash == 0) hash = HashMix(kOneValue, Index(value));
  alike_[Index(value)] = hash;
  return hash;
}

// 0: by nothing but itself.
uint64_t Engine::AlikeOfResult(NodeId maker, ValueId value, int back) {
  const Resolved& resolved = Resolve(graph_.op_of(maker));
  const std::span<const ValueId> operands = graph_.operands(maker);
  if (!resolved.is_plain || resolved.op == nullptr || IsRandom(resolved.op->def)) return 0;
  if (graph_.carries_regions(maker) || !graph_.attr_references(maker).empty()) return 0;
  if (operands.empty() || operands.size() > kMaxOperandsBack) return 0;
  const std::string_view op = graph_.op_name(maker);
  if (!op.starts_with("onnx.")) return 0;
  if (op == "onnx.Identity" || IsCastOfBooleans(maker)) return AlikeOf(operands[0], back + 1);
  if (op == "onnx.Not" && graph_.role(operands[0]) == ValueRole::kResult) {
    const NodeId before = graph_.maker(operands[0]);
    if (graph_.op_name(before) == "onnx.Not") return AlikeOf(graph_.operands(before)[0], back + 2);
  }
  std::array<uint64_t, kMaxOperandsBack> of{};
  for (size_t i = 0; i < operands.size(); ++i) of[i] = AlikeOf(operands[i], back + 1);
  const auto other = std::ranges::find(kExchanged, op, &Exchanged::op);
  const bool is_exchanged = other != std::end(kExchanged);
  if (is_exchanged || (operands.size() == 2 && IsAmong(kSymmetric, op) && of[1] < of[0]))
    std::swap(of[0], of[1]);
  const auto place = std::ranges::find(graph_.results(maker), value) - graph_.results(maker).begin();
  return HashOfResult(is_exchanged ? other->by : op, graph_.attrs_of(maker), static_cast<uint64_t>(place),
                      {of.data(), operands.size()});
}

// The mask whose elements a node counts that are true: NonZero gives as many columns, and Compress by a mask
// as long as the axis as many elements. Casts of booleans and what only moves elements leave as many.
ValueId Engine::CountedMask(NodeId node) const {
  const std::span<const ValueId> operands = graph_.operands(node);
  const bool is_compress = graph_.op_name(node) == "onnx.Compress" && operands.size() == 2;
  if (!is_compress && (graph_.op_name(node) != "onnx.NonZero" || operands.size() != 1)) return kNoValue;
  ValueId mask = operands[is_compress ? 1 : 0];
  if (mask == kNoValue || operands[0] == kNoValue) return kNoValue;
  if (is_compress) {
    const Type &data = type(operands[0]), &kept = type(mask);
    const AttrValue* attr = graph_.attrs(graph_.attrs_of(node)).Find("axis");
    if (!IsRanked(data) || !IsRanked(kept) || kept.shape.rank() != 1) return kNoValue;
    const int64_t rank = data.shape.rank(), given = attr == nullptr ? 0 : AsInt(*attr).value_or(rank);
    const int64_t axis = given < 0 ? given + rank : given;
    if ((attr == nullptr && rank != 1) || axis < 0 || axis >= rank) return kNoValue;
    if (data.shape[static_cast<int>(axis)] != kept.shape[0]) return kNoValue;
  }
  for (int back = 0; back < kMaxBack && graph_.role(mask) == ValueRole::kResult; ++back) {
    const NodeId maker = graph_.maker(mask);
    const ValueId before = graph_.operands(maker).empty() ? kNoValue : graph_.operands(maker)[0];
    if (before == kNoValue || !IsRanked(type(before)) || type(before).shape.rank() == 0) break;
    const std::string_view op = graph_.op_name(maker);
    const bool is_cast = op == "onnx.Cast" && type(before).element == ElementType::kBool;
    const bool moves = op == "onnx.Transpose" || IsAmong(kKeepsElement, op);
    if (!is_cast && !moves && !(op == "onnx.Expand" && HasSizesOf(type(mask), type(before)))) break;
    mask = before;
  }
  return mask;
}

ValueId Engine::FirstAlike(ValueId value) {
  return TellsAlike() ? first_values_.try_emplace(AlikeOf(value), value).first->second : value;
}

// Back through what leaves the one element as it is and through Not. Of integers, a <= b is not a > b.
BranchCondition Engine::ConditionOf(NodeId branching) {
  BranchCondition condition;
  const std::span<const ValueId> operands = graph_.operands(branching);
  if (!TellsAlike() || operands.empty() || operands[0] == kNoValue) return condition;
  ValueId value = operands[0];
  for (int back = 0; back < kMaxBack && graph_.role(value) == ValueRole::kResult; ++back) {
    const NodeId maker = graph_.maker(value);
    const std::string_view op = graph_.op_name(maker);
    if (graph_.operands(maker).empty() || graph_.operands(maker)[0] == kNoValue) break;
    const bool is_not = op == "onnx.Not";
    if (!is_not && !IsAmong(kKeepsElement, op) && !IsCastOfBooleans(maker)) break;
    if (is_not) condition.is_negated = !condition.is_negated;
    value = graph_.operands(maker)[0];
  }
  condition.what = AlikeOf(value);
  if (graph_.role(value) != ValueRole::kResult) return condition;
  const NodeId maker = graph_.maker(value);
  const std::string_view op = graph_.op_name(maker);
  const bool is_at_most = op == "onnx.LessOrEqual", is_at_least = op == "onnx.GreaterOrEqual";
  if ((!is_at_most && !is_at_least) || graph_.operands(maker).size() != 2) return condition;
  const ValueId a = graph_.operands(maker)[is_at_most ? 0 : 1],
                b = graph_.operands(maker)[is_at_most ? 1 : 0];
  if (!IsInteger(type(a).element)) return condition;
  condition.is_negated = !condition.is_negated;
  const std::array<uint64_t, 2> compared{AlikeOf(a), AlikeOf(b)};
  condition.what = HashOfResult("onnx.Greater", kNoAttrs, 0, compared);
  return condition;
}

}  // namespace dimwise
