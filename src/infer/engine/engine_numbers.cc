// Sizes that a number gives which only data decides: a scalar input, the largest of some lengths. A rule that
// finds no number there makes up an unknown of its node. Here it is asked again with symbols in the place of
// such numbers, and the unknown becomes that of the number, so that all sizes that one number gives are the
// same: Range and ConstantOfShape of `max(lengths)`, through whatever casts and reshapes it.
//
// Not in the body of a loop, where a value is another number in each trip.
#include <algorithm>

#include "core/hash_mix.h"
#include "core/known_parts.h"
#include "infer/engine/engine.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

constexpr int64_t kMaxNumbers = 16;  // of a tensor
constexpr uint64_t kNumberPath = 0x6E756D6265720000u;
constexpr uint64_t kSizePath = 0x73697A6500000000u;

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

}  // namespace

// The rules that may be asked on the way back from one size, and what they said.
struct Engine::NumberSearch {
  int rules_left = 64;
  int depth_left = 32;
  std::vector<std::pair<ValueId, Value>> found;
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
  for (int64_t i = 0; i < count; ++i) {
    Dim& number = numbers[static_cast<size_t>(i)];
    if (!said.is_none() && said.size() == count) number = said.Integer(i);
    if (!number.is_none()) continue;
    const int64_t max = GreatestOf(known.type.element);
    number = analysis_.dims().Fresh(SymbolKey{kNumberPath, Index(value), static_cast<uint32_t>(i)},
                                    IsUnsigned(known.type.element) ? 0 : -max - 1, max);
  }
  std::vector<int64_t> sizes;
  for (const Dim size : known.type.shape.dims()) sizes.push_back(size.constant());
  const Value numbered = analysis_.values().Integers(known.type.element, sizes, numbers);
  search->found.emplace_back(value, numbered);
  return numbered;
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

namespace {

// Names the sizes of one node's results, given what its rule says of numbers.
class SizeNamer {
 public:
  SizeNamer(DimTable& dims, OwnerId owner, std::string origin)
      : dims_(dims), owner_(owner), origin_(std::move(origin)) {}

  // Whether it is an unknown that the node made up, of which nothing is known.
  bool IsOwn(Dim size) const {
    if (!size.is_expression() || dims_.Kind(size) != DimKind::kSymbol) return false;
    const SymbolKey* key = dims_.KeyOf(size);
    if (key == nullptr || key->value != owner_) return false;
    const SymbolInfo info = dims_.GetSymbol(size);
    return info.min == 0 && info.max == INT64_MAX;
  }

  // The size that the rule says it is; none where that says nothing more.
  Dim Name(Dim told) {
    const Dim number = NumberIn(told);
    if (number.is_none()) return Dim();
    if (dims_.Kind(told) == DimKind::kMaxZero) told = dims_.Operands(told)[0];
    if (!IsTimesSizes(told, number)) return SizeOf(told);
    return dims_.Substitute(told, [&](Dim atom) { return atom == number ? SizeOf(number) : Dim(); });
  }

 private:
  // A number in an expression of which all else is known elsewhere; none where there is no such.
  Dim NumberIn(Dim size) const {
    Dim number;
    if (!size.is_expression()) return number;
    for (const Dim symbol : dims_.SymbolsOf(size)) {
      const SymbolKey* key = dims_.KeyOf(symbol);
      const bool is_known = key != nullptr || dims_.GetSymbol(symbol).of_user;
      if (!is_known || dims_.GetDefinition(symbol) != nullptr) return Dim();
      if (key != nullptr && key->path == kNumberPath) number = symbol;
    }
    return number;
  }

  // Whether it is the number, once, times sizes: `3*N*k`. Then it is a size only if the number is one too, or
  // if it is 0 anyway.
  bool IsTimesSizes(Dim d, Dim number) const {
    if (dims_.TermCount(d) != 1 || dims_.GetTerm(d, 0).coefficient < 0) return false;
    const std::span<const Dim> factors = dims_.GetTerm(d, 0).factors;
    return std::ranges::count(factors, number) == 1 && std::ranges::all_of(factors, [&](Dim factor) {
             return factor == number ||
                    (dims_.Kind(factor) == DimKind::kSymbol && dims_.GetSymbol(factor).min >= 0);
           });
  }

  // max(number, 0), by a name. No run that goes on has a negative size.
  Dim SizeOf(Dim number) {
    const uint64_t path = HashMix(kSizePath, static_cast<uint64_t>(number.bits()));
    return dims_.Fresh(SymbolKey{path, 0, 0}, 0, INT64_MAX, origin_);
  }

  DimTable& dims_;
  const OwnerId owner_;
  const std::string origin_;
};

}  // namespace

// Puts the unknowns of numbers into the place of those that a visit made up. What it said of these, if it
// did, would be lost.
void Engine::NameByNumbers(NodeId node, const Resolved& resolved, InferenceContext* context) {
  if (!options_.names_by_numbers || !options_.contents || guide_ != nullptr || site_.owner != 0 || has_cuts_)
    return;
  if (resolved.rule == nullptr || !MayRunOnce(graph_.region(node))) return;
  if (!context->checks().empty() || !context->constraints().empty()) return;
  SizeNamer namer(analysis_.dims(), context->node().owner_of_unknowns(), context->Origin());
  const size_t count = graph_.results(node).size();
  std::vector<Type> told;
  for (size_t i = 0; i < count; ++i) {
    Type type = context->full_output_type(static_cast<int64_t>(i));
    if (!IsRanked(type)) continue;
    std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
    if (std::ranges::none_of(sizes, [&](Dim size) { return namer.IsOwn(size); })) continue;
    if (told.empty()) {
      told.resize(count);
      std::vector<Value> contents(count);
      NumberSearch search;
      if (!AskWithNumbers(node, &search, told, contents)) return;
    }
    if (!IsRanked(told[i]) || told[i].shape.dims().size() != sizes.size()) continue;
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      if (!namer.IsOwn(sizes[axis])) continue;
      if (const Dim named = namer.Name(told[i].shape.dims()[axis]); !named.is_none()) sizes[axis] = named;
    }
    type.shape = analysis_.shapes().Make(sizes);
    context->set_full_output_type(static_cast<int64_t>(i), type);
  }
}

}  // namespace dimwise
