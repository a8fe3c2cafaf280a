#include "report/explain/size_origin.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>

#include "core/dims/symbol_set.h"
#include "core/dims/symbol_walk.h"
#include "infer/context/op_call.h"

namespace dimwise {
namespace {

constexpr size_t kMaxNumbers = 64;  // the maximum number of constant elements that are tried one by one

bool IsSmall(Value contents) { return !contents.is_none() && contents.size() <= ValueTable::kMaxElements; }

// Selects the sizes that become symbols when an operator is evaluated again.
struct Variation {
  enum class Of : uint8_t {
    kSame,   // all positions with the size in question
    kAxes,   // all axes; contents are unknown
    kKnown,  // all axes and all elements that are expressions; constant elements stay
  };
  Of of = Of::kAxes;
  std::optional<SizeLocation> number{};  // an element that becomes a symbol too
  std::string_view without_attr{};       // an attribute to omit
  ValueId longer = kNoValue;             // a value that gets an additional axis
};

// An evaluation of the operator with symbols in place of some sizes.
class Evaluation {
 public:
  Evaluation(const ModelReport& report, const SizeLocation& location, Variation opening)
      : report_(report), location_(location), size_(SizeAt(report, location)), variation_(opening) {}

  // Evaluates the operator. Returns whether it has a result.
  bool Evaluate() {
    const Graph& graph = report_.graph();
    const NodeId node = graph.maker(location_.value);
    const Graph::Op& op = graph.op(graph.op_of(node));
    const int version = op.version == 0 ? OpRegistry::kLatest : op.version;
    const OpRegistrationData* found = report_.inference.registry().Find(op.name, version);
    if (found == nullptr || !found->shape_fn || graph.carries_regions(node)) return false;
    std::vector<OpOperand> operands;
    for (const ValueId value : graph.operands(node)) {
      operands.emplace_back();
      operands.back().given = value != kNoValue;
      if (value != kNoValue && !Describe(value, &operands.back())) return false;
    }
    const AttrMap& all = graph.attrs(graph.attrs_of(node));
    AttrMap rest;
    if (!variation_.without_attr.empty()) {
      for (const AttrEntry& entry : all) {
        if (entry.name != variation_.without_attr) rest.Set(entry.name, entry.value);
      }
    }
    OpCall call;
    call.op = found;
    call.operands = operands;
    call.attrs = variation_.without_attr.empty() ? &all : &rest;
    call.version = version;
    call.num_outputs = static_cast<int>(graph.results(node).size());
    const Result<OpAnswer> answer = CallOp(analysis_, call);
    if (answer) Read(*answer, graph.result_index(location_.value));
    return !result_.is_none();
  }

  // Returns the resulting size as text. Equal results have equal texts, because symbols are numbered in the
  // order of their positions.
  std::string Text() { return analysis_.dims().ToString(result_); }

  bool is_number() const { return result_.is_constant(); }

  // Returns the position whose size is the result: the only one, or the first operand of a broadcast.
  std::optional<SizeLocation> Taken() {
    if (!result_.is_expression()) return std::nullopt;
    if (const auto it = locations_.find(result_); it != locations_.end()) return it->second;
    if (analysis_.dims().Kind(result_) != DimKind::kBroadcast) return std::nullopt;
    std::vector<SizeLocation> same;
    for (const Dim operand : analysis_.dims().Operands(result_)) {
      const auto it = locations_.find(operand);
      if (it != locations_.end() && SizeAt(report_, it->second) == size_) same.push_back(it->second);
    }
    if (same.empty()) return std::nullopt;
    return *std::ranges::min_element(same, {}, [&](const SizeLocation& p) { return Rank(p); });
  }

  // Collects the positions on which the result depends, in the order of the operands. Returns false if the
  // result depends on anything else too.
  bool Sources(std::vector<SizeLocation>* sources) {
    bool is_all = true;
    SymbolSet seen;
    SymbolWalk(analysis_.dims()).Visit(result_, [&](Dim symbol) {
      if (!seen.Add(symbol)) return true;
      if (const auto it = locations_.find(symbol); it != locations_.end()) {
        sources->push_back(it->second);
      } else if (analysis_.dims().GetDefinition(symbol) == nullptr) {
        is_all = false;
      }
      return true;
    });
    std::ranges::sort(*sources, {}, [&](const SizeLocation& p) { return Rank(p); });
    return is_all;
  }

 private:
  size_t Rank(const SizeLocation& location) const {
    return static_cast<size_t>(std::ranges::find(order_, location) - order_.begin());
  }

  bool IsOpen(Dim d, const SizeLocation& location) const {
    if (variation_.number == location) return true;
    if (variation_.of == Variation::Of::kSame) return d == size_;
    return !location.in_contents || d.is_expression();
  }

  // Converts a size to the analysis of the evaluation. A varied size becomes a new symbol. Any other
  // expression becomes the symbol of that expression.
  Dim Ours(Dim d, const SizeLocation& location) {
    DimTable& dims = analysis_.dims();
    if (!IsOpen(d, location)) return d.is_expression() ? dims.Symbol(fmt::format("e{}", d.id())) : d;
    const std::string name = fmt::format("p{}", order_.size());
    const bool may_be_negative = location.in_contents && d.is_constant() && d.constant() < 0;
    const Dim symbol = may_be_negative ? dims.IntegerSymbol(name) : dims.Symbol(name);
    if (!location.in_contents && d != Dim(0)) {
      analysis_.facts().Assert(Clause{AtLeast(dims, symbol, 1)}, FactKind::kGiven, /*owner=*/0);
    }
    locations_.insert({symbol, location});
    order_.push_back(location);
    return symbol;
  }

  bool Describe(ValueId value, OpOperand* operand) {
    const Type type = report_.type(value);
    if (!type.is_tensor()) return false;
    operand->type = Type::Tensor(type.element, Shape());
    if (!HasRank(type)) return true;
    const std::optional<std::vector<int64_t>> extents = ExtentsOfContents(value, type);
    std::vector<Dim> sizes;
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      sizes.push_back(extents ? type.shape[axis] : Ours(type.shape[axis], {value, false, axis}));
    }
    if (value == variation_.longer) sizes.push_back(analysis_.dims().Symbol("longer"));
    operand->type.shape = analysis_.shapes().Make(sizes);
    if (extents) operand->value = Contents(value, *extents);
    return true;
  }

  // Returns the sizes of a value whose contents are used. They stay constant even if a size is varied.
  std::optional<std::vector<int64_t>> ExtentsOfContents(ValueId value, const Type& type) const {
    if (variation_.of == Variation::Of::kAxes || !IsSmall(report_.inference.contents(value)))
      return std::nullopt;
    if (!IsInteger(type.element) && !IsFloat(type.element) && !IsBool(type.element)) return std::nullopt;
    std::vector<int64_t> extents;
    for (const Dim d : type.shape.dims()) {
      if (!d.is_constant()) return std::nullopt;
      extents.push_back(d.constant());
    }
    return extents;
  }

  Value Contents(ValueId value, std::span<const int64_t> extents) {
    const Value contents = report_.inference.contents(value);
    std::vector<Dim> integers;
    std::vector<Float> floats;
    std::vector<Boolean> booleans;
    for (int64_t i = 0; i < contents.size(); ++i) {
      const SizeLocation location{value, true, i};
      if (IsBool(contents.element())) {
        const Dim d = contents.Integer(i);
        booleans.push_back({d.is_constant() ? d : analysis_.dims().Fresh(0, 1), nullptr});
      } else if (IsFloat(contents.element())) {
        Float number = contents.FloatingPoint(i);
        if (!number.numerator.is_none()) number.numerator = Ours(number.numerator, location);
        floats.push_back(number);
      } else {
        const Dim d = SizeAt(report_, location);
        integers.push_back(d.is_none() ? analysis_.dims().Fresh(INT64_MIN) : Ours(d, location));
      }
    }
    if (!booleans.empty()) return analysis_.values().Booleans(extents, booleans);
    if (!floats.empty()) return analysis_.values().Floats(contents.element(), extents, floats);
    return analysis_.values().Integers(contents.element(), extents, integers);
  }

  void Read(const OpAnswer& answer, size_t result) {
    if (result >= answer.outputs.size()) return;
    if (location_.in_contents) {
      const Value& value = answer.output_values[result];
      if (value.is_none() || location_.index >= value.size()) return;
      result_ = value.Integer(location_.index);
      if (result_.is_none()) result_ = value.FloatingPoint(location_.index).numerator;
      return;
    }
    const Type& type = answer.outputs[result];
    if (type.is_tensor() && HasRank(type) && location_.index < type.shape.rank()) {
      result_ = type.shape[static_cast<int>(location_.index)];
    }
  }

  const ModelReport& report_;
  const SizeLocation location_;
  const Dim size_;
  const Variation variation_;
  Analysis analysis_;
  tsl::robin_map<Dim, SizeLocation> locations_;
  std::vector<SizeLocation> order_;
  Dim result_;
};

class Search {
 public:
  Search(const ModelReport& report, const SizeLocation& location) : report_(report), location_(location) {}

  std::optional<SizeOrigin> Run() {
    if (std::optional<SizeLocation> taken = Same()) return SizeOrigin{.taken = taken};
    SizeOrigin origin;
    if (!location_.in_contents && Computed(Variation::Of::kAxes, &origin) && !origin.is_made) return origin;
    origin = {};
    if (!Computed(Variation::Of::kKnown, &origin)) return std::nullopt;
    return origin;
  }

 private:
  std::optional<SizeLocation> Same() {
    Evaluation evaluation(report_, location_, {.of = Variation::Of::kSame});
    return evaluation.Evaluate() ? evaluation.Taken() : std::nullopt;
  }

  bool Computed(Variation::Of of, SizeOrigin* origin) {
    Evaluation evaluation(report_, location_, {.of = of});
    if (!evaluation.Evaluate()) return false;
    origin->taken = evaluation.Taken();
    if (origin->taken) return true;
    origin->is_made = !evaluation.Sources(&origin->from);
    const std::string text = evaluation.Text();
    const auto decides = [&](const Variation& variation) {
      Evaluation other(report_, location_, variation);
      return !other.Evaluate() || other.Text() != text;
    };
    for (const AttrEntry& entry : Attrs()) {
      if (entry.value.ListSize().value_or(0) > kMaxNumbers) continue;
      if (decides({.of = of, .without_attr = entry.name})) origin->attrs.push_back(entry.name);
    }
    if (origin->from.empty() && !origin->is_made) FindRanks(of, text, &origin->ranks);
    if (of == Variation::Of::kAxes || origin->is_made) return true;
    for (const SizeLocation& number : Numbers()) {
      if (decides({.of = of, .number = number})) origin->from.push_back(number);
    }
    PutInOrder(&origin->from);
    return true;
  }

  // Finds the operands whose rank determines the size. With an additional axis an operator may fail or mean
  // another axis, which proves nothing. Only a different number proves that the rank is counted.
  void FindRanks(Variation::Of of, const std::string& text, std::vector<ValueId>* ranks) const {
    for (const ValueId operand : report_.graph().operands(report_.graph().maker(location_.value))) {
      if (operand == kNoValue || std::ranges::find(*ranks, operand) != ranks->end()) continue;
      if (!report_.inference.contents(operand).is_none() && of != Variation::Of::kAxes) continue;
      Evaluation other(report_, location_, {.of = of, .longer = operand});
      if (other.Evaluate() && other.is_number() && other.Text() != text) ranks->push_back(operand);
    }
  }

  const AttrMap& Attrs() const {
    const Graph& graph = report_.graph();
    return graph.attrs(graph.attrs_of(graph.maker(location_.value)));
  }

  // Returns the positions of constant elements in the known contents of the operands.
  std::vector<SizeLocation> Numbers() const {
    std::vector<SizeLocation> numbers;
    std::vector<ValueId> seen;
    for (const ValueId operand : report_.graph().operands(report_.graph().maker(location_.value))) {
      if (operand == kNoValue || std::ranges::find(seen, operand) != seen.end()) continue;
      seen.push_back(operand);
      const Value contents = report_.inference.contents(operand);
      if (!IsSmall(contents)) continue;
      for (int64_t i = 0; i < contents.size() && numbers.size() < kMaxNumbers; ++i) {
        if (contents.Integer(i).is_constant() || contents.FloatingPoint(i).numerator.is_constant())
          numbers.push_back({operand, true, i});
      }
    }
    return numbers;
  }

  void PutInOrder(std::vector<SizeLocation>* locations) const {
    const std::span<const ValueId> operands =
        report_.graph().operands(report_.graph().maker(location_.value));
    std::ranges::stable_sort(*locations, {}, [&](const SizeLocation& p) {
      return std::ranges::find(operands, p.value) - operands.begin();
    });
  }

  const ModelReport& report_;
  const SizeLocation location_;
};

}  // namespace

Dim SizeAt(const ModelReport& report, const SizeLocation& location) {
  if (!location.in_contents) return report.type(location.value).shape[static_cast<int>(location.index)];
  const Value contents = report.inference.contents(location.value);
  Dim size = contents.Integer(location.index);
  if (size.is_none()) {
    const Float number = contents.FloatingPoint(location.index);
    if (number.denominator == 1) size = number.numerator;
  }
  if (!size.is_expression()) return size;
  const Graph& graph = report.graph();
  return graph.analysis().facts().Simplify(size, report.inference.scope(graph.region(location.value)));
}

std::optional<SizeOrigin> OriginOfSize(const ModelReport& report, const SizeLocation& location) {
  return Search(report, location).Run();
}

}  // namespace dimwise
