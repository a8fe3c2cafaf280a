// Sizes that a number gives which only data decides: a scalar input, the largest of some lengths. A rule that
// finds no number there makes up an unknown of its node. Here it is asked again with symbols in the place of
// such numbers, and the unknown becomes that of the number, so that all sizes that one number gives are the
// same: Range and ConstantOfShape of `max(lengths)`, through whatever casts and reshapes it.
//
// Not in the body of a loop, where a value is another number in each trip.
#include <algorithm>
#include <optional>
#include <string_view>

#include "core/base/hash_mix.h"
#include "core/types/known_parts.h"
#include "infer/engine/element_range.h"
#include "infer/engine/engine.h"
#include "infer/engine/size_namer.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

constexpr int64_t kMaxNumbers = 16;  // of a tensor
constexpr uint64_t kSizesOfFirst = 0x73697A65730000u;
constexpr uint64_t kSizesRead = 0x726561640000u;
constexpr uint64_t kElementsCounted = 0x636F756E740000u;

// An unknown size of a node's results, and what its rule says that it is.
struct NamedSize {
  size_t result;
  int axis;
  Dim own, told;
};

// Of the first operand of these only the sizes count for those of the results, whatever its elements are.
constexpr std::string_view kSizedByOthers[] = {"CenterCropPad", "Compress", "Expand",   "OneHot",   "Pad",
                                               "Reshape",       "Resize",   "Slice",    "Split",    "Squeeze",
                                               "Tile",          "TopK",     "Upsample", "Unsqueeze"};

// How many they give only the elements of their operands say.
constexpr std::string_view kSizedByElements[] = {"Compress", "NonMaxSuppression", "NonZero", "Unique"};

// How many there are in a tensor of integers with few of them; -1 for any other.
int64_t CountNumbers(const Type& type) {
  if (!IsRanked(type) || !IsInteger(type.element) || !type.shape.is_constant()) return -1;
  int64_t count = 1;
  for (const Dim size : type.shape.dims()) {
    if (size.constant() > kMaxNumbers) return -1;
    count *= size.constant();
    if (count > kMaxNumbers) return -1;
  }
  return count;
}

// Of its integers; of those that no Dim can hold, the greatest that one can.
int64_t GreatestOf(ElementType type) {
  const int bits = BitWidth(type) - (IsSigned(type) ? 1 : 0);
  return bits < 63 ? (int64_t{1} << bits) - 1 : INT64_MAX;
}

bool IsComplete(Value contents) {
  for (int64_t i = 0; i < contents.size(); ++i) {
    if (contents.Integer(i).is_none()) return false;
  }
  return true;
}

// The sizes that count for an operator of kSizedByOthers, as a number; none where they are not known.
std::optional<uint64_t> SizesThatCount(std::string_view op, const Type& first, const AttrMap& attrs) {
  if (!first.is_tensor() || first.shape.is_none()) return std::nullopt;
  const AttrValue* attr = op == "Compress" ? attrs.Find("axis") : nullptr;
  if (attr == nullptr || !first.shape.has_rank()) return HashMix(kSizesOfFirst, first.shape.id());
  const int64_t axis = AsInt(*attr).value_or(0), rank = first.shape.rank();
  if (axis < -rank || axis >= rank) return std::nullopt;
  const Dim along = first.shape[static_cast<int>(axis < 0 ? axis + rank : axis)];
  return HashMix(kSizesOfFirst + 1, static_cast<uint64_t>(along.bits()));
}

}  // namespace

// The same computed of the same is the same: two NonZero of one mask have one size. What only data decides is
// named by what is computed of which values, and by the first node that does so. Of a value that only gives
// its sizes, these count: two tensors of one shape are reshaped alike by the same numbers.
void Engine::ShareUnknowns(NodeId node, NodeDescription* d) {
  const std::span<const ValueId> operands = graph_.operands(node);
  if (d->op == nullptr || d->op->stateful || operands.empty() || guide_ != nullptr || has_cuts_) return;
  if (graph_.carries_regions(node) || !graph_.attr_references(node).empty()) return;
  uint64_t what = HashMix(Index(graph_.region(node)),
                          uint64_t{Index(graph_.op_of(node))} << 32 | Index(graph_.attrs_of(node)));
  std::optional<uint64_t> first;
  if (operands.size() > 1 && operands[0] != kNoValue && std::ranges::count(kSizedByOthers, d->op->name) != 0)
    first = SizesThatCount(d->op->name, known_[Index(operands[0])].type, graph_.attrs(graph_.attrs_of(node)));
  const bool tells = TellsAlike();
  if (const ValueId mask = tells ? CountedMask(node) : kNoValue; mask != kNoValue) {
    what = HashMix(HashMix(kElementsCounted, Index(graph_.region(node))), AlikeOf(mask));
  } else {
    const bool of_elements = tells && std::ranges::count(kSizedByElements, d->op->name) != 0;
    for (size_t i = 0; i < operands.size(); ++i) {
      const uint64_t of = i == 0 && first ? *first : of_elements ? AlikeOf(operands[i]) : Index(operands[i]);
      what = HashMix(what, of);
    }
  }
  d->path = HashMix(site_.path, what);
  if (site_.owner == 0) d->unknowns = Index(first_alike_.try_emplace(what, node).first->second) + 1;
}

// The rules that may be asked on the way back from one size, and what they said.
struct Engine::NumberSearch {
  int rules_left = 64;
  int depth_left = 32;
  std::vector<std::pair<ValueId, Value>> found;
  SizeNamer::Limits limits;  // of numbers
};

// The contents of a value with a symbol in the place of each number that is not known; none where it is not a
// few integers.
Value Engine::NumbersOf(ValueId value, NumberSearch* search) {
  const Known& known = known_[Index(value)];
  const int64_t count = CountNumbers(known.type);
  if (count < 0) return known.contents;
  if (!known.contents.is_none() && IsComplete(known.contents)) return known.contents;
  const auto before = std::ranges::find(search->found, value, &std::pair<ValueId, Value>::first);
  if (before != search->found.end()) return before->second;

  Value said;
  if (graph_.role(value) == ValueRole::kResult && MayRunOnce(graph_.region(graph_.maker(value)))) {
    const NodeId maker = graph_.maker(value);
    std::vector<Type> types(graph_.results(maker).size());
    std::vector<Value> contents(types.size());
    if (AskWithNumbers(maker, search, types, contents)) {
      const auto place = std::ranges::find(graph_.results(maker), value) - graph_.results(maker).begin();
      said = contents[static_cast<size_t>(place)];
    }
  }
  std::vector<Dim> numbers(static_cast<size_t>(count));
  if (!said.is_none() && said.size() == count) {
    for (int64_t i = 0; i < count; ++i) numbers[static_cast<size_t>(i)] = said.Integer(i);
  }
  if (std::ranges::any_of(numbers, &Dim::is_none)) MakeUpNumbers(value, numbers, search);
  std::vector<int64_t> sizes;
  for (const Dim size : known.type.shape.dims()) sizes.push_back(size.constant());
  const Value numbered = analysis_.values().Integers(known.type.element, sizes, numbers);
  search->found.emplace_back(value, numbered);
  return numbered;
}

// Symbols for those that are not known, which lie where all elements of the value do.
void Engine::MakeUpNumbers(ValueId value, std::span<Dim> numbers, NumberSearch* search) {
  const ElementType element = known_[Index(value)].type.element;
  const ElementRange range = RangeOfElements(*this, value);
  int64_t max = GreatestOf(element), min = IsUnsigned(element) ? 0 : -max - 1;
  if (range.low.is_constant()) min = std::max(min, range.low.constant());
  if (range.high.is_constant()) max = std::min(max, range.high.constant());
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i].is_none()) continue;
    const SymbolKey key{kNumberPath, Index(FirstAlike(value)), static_cast<uint32_t>(i)};
    numbers[i] = analysis_.dims().Fresh(key, min, max);
    if (range.high.is_expression()) search->limits.emplace_back(numbers[i], range.high);
  }
}

// What the rule of a node says of its results where it is told the numbers of its operands; false where it is
// not asked.
bool Engine::AskWithNumbers(NodeId node, NumberSearch* search, std::span<Type> results,
                            std::span<Value> contents) {
  Resolved& resolved = Resolve(graph_.op_of(node));
  if (resolved.rule == nullptr || resolved.op->def.stateful) return false;
  if (search->rules_left == 0 || search->depth_left == 0) return false;
  --search->rules_left;
  --search->depth_left;
  const std::span<const ValueId> values = graph_.operands(node);
  std::vector<rules::Operand> operands(values.size());
  bool is_known = true;
  for (size_t i = 0; i < values.size() && is_known; ++i) {
    operands[i].given = values[i] != kNoValue;
    if (!operands[i].given) continue;
    operands[i].type = known_[Index(values[i])].type;
    is_known = operands[i].type.is_tensor() && !operands[i].type.shape.is_none();
    operands[i].value = NumbersOf(values[i], search);
  }
  ++search->depth_left;
  Attributes& attributes = AttributesOf(node, resolved);
  if (!is_known || attributes.error) return false;
  const BareCall call{analysis_, ScopeOf(node), operands, *attributes.attrs,
                      graph_.op(graph_.op_of(node)).version};
  return AskRule(*resolved.rule, call, results, contents);
}

// Puts the unknowns of numbers into the place of those that a visit made up: first those that are a number as
// it is, since what is computed of a size may be one.
void Engine::NameByNumbers(NodeId node, const Resolved& resolved, InferenceContext* context) {
  if (!options_.names_by_numbers || !options_.contents || guide_ != nullptr || site_.owner != 0 || has_cuts_)
    return;
  if (resolved.rule == nullptr || !MayRunOnce(graph_.region(node))) return;
  if (!context->checks().empty()) return;
  const size_t count = graph_.results(node).size();
  std::vector<NamedSize> own;
  for (size_t i = 0; i < count; ++i) {
    const Type type = context->full_output_type(static_cast<int64_t>(i));
    for (int axis = 0; IsRanked(type) && axis < type.shape.rank(); ++axis) {
      if (SizeNamer::IsOwn(*context, type.shape[axis])) own.push_back({i, axis, type.shape[axis], Dim()});
    }
  }
  if (own.empty()) return;
  std::vector<Type> told(count);
  std::vector<Value> contents(count);
  NumberSearch search;
  if (!AskWithNumbers(node, &search, told, contents)) return;
  for (NamedSize& size : own) {
    const Type& type = told[size.result];
    if (IsRanked(type) && size.axis < type.shape.rank()) size.told = type.shape[size.axis];
  }
  for (const auto& [number, limit] : search.limits) context->Ensure(AtMost(analysis_.dims(), number, limit));
  const auto key_of = [](Dim number) { return HashMix(kSizesRead, static_cast<uint64_t>(number.bits())); };
  SizeNamer namer(context, search.limits, [&](Dim n) { return first_alike_.contains(key_of(n)); });
  std::stable_partition(own.begin(), own.end(),
                        [&](const NamedSize& size) { return namer.IsNumber(size.told); });
  for (const NamedSize& size : own) {
    if (namer.IsNumber(size.told)) {
      namer.AddSize(size.told);
      if (graph_.region(node) == graph_.body()) first_alike_.try_emplace(key_of(size.told), node);
    }
    const Dim named = namer.Name(size.told, size.own);
    if (named.is_none()) continue;
    Type type = context->full_output_type(static_cast<int64_t>(size.result));
    std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
    sizes[static_cast<size_t>(size.axis)] = named;
    type.shape = analysis_.shapes().Make(sizes);
    context->set_full_output_type(static_cast<int64_t>(size.result), type);
  }
}

}  // namespace dimwise
