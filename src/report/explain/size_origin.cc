#include "report/explain/size_origin.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>

#include "core/dims/noted_symbols.h"
#include "core/dims/symbol_walk.h"
#include "infer/context/op_call.h"

namespace dimwise {
namespace {

constexpr size_t kMaxNumbers = 64;  // among contents that are left open, one after another

bool IsSmall(Value contents) { return !contents.is_none() && contents.size() <= ValueTable::kMaxElements; }

// What is left open when an operator is asked again.
struct Opening {
  enum class Of : uint8_t {
    kSame,   // each place that has the size in question
    kAxes,   // each axis; no contents are told
    kKnown,  // each axis, and each element that is an expression: the numbers of contents stay
  };
  Of of = Of::kAxes;
  std::optional<SizePlace> number{};  // an element besides
  std::string_view without_attr{};    // an attribute that is not told
  ValueId longer = kNoValue;          // a value that has an axis more
};

// One such call.
class Question {
 public:
  Question(const ModelReport& report, const SizePlace& place, Opening opening)
      : report_(report), place_(place), size_(SizeAt(report, place)), opening_(opening) {}

  // Whether there is an answer.
  bool Ask() {
    const Graph& graph = report_.graph();
    const NodeId node = graph.maker(place_.value);
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
    if (!opening_.without_attr.empty()) {
      for (const AttrEntry& entry : all) {
        if (entry.name != opening_.without_attr) rest.Set(entry.name, entry.value);
      }
    }
    OpCall call;
    call.op = found;
    call.operands = operands;
    call.attrs = opening_.without_attr.empty() ? &all : &rest;
    call.version = version;
    call.num_outputs = static_cast<int>(graph.results(node).size());
    const Result<OpAnswer> answer = CallOp(analysis_, call);
    if (answer) Read(*answer, graph.result_index(place_.value));
    return !answer_.is_none();
  }

  // The answer, which is the same text where it is the same: symbols are numbered in the order of places.
  std::string Text() { return analysis_.dims().ToString(answer_); }

  bool is_number() const { return answer_.is_constant(); }

  // The place whose size comes out as it is: the only one, or the first of those that meet in broadcasting.
  std::optional<SizePlace> Taken() {
    if (!answer_.is_expression()) return std::nullopt;
    if (const auto it = places_.find(answer_); it != places_.end()) return it->second;
    if (analysis_.dims().Kind(answer_) != DimKind::kBroadcast) return std::nullopt;
    std::vector<SizePlace> same;
    for (const Dim operand : analysis_.dims().Operands(answer_)) {
      const auto it = places_.find(operand);
      if (it != places_.end() && SizeAt(report_, it->second) == size_) same.push_back(it->second);
    }
    if (same.empty()) return std::nullopt;
    return *std::ranges::min_element(same, {}, [&](const SizePlace& p) { return Rank(p); });
  }

  // The places that the answer depends on, in the order of the operands; whether that is all.
  bool Sources(std::vector<SizePlace>* sources) {
    bool is_all = true;
    NotedSymbols seen;
    SymbolWalk(analysis_.dims()).Visit(answer_, [&](Dim symbol) {
      if (!seen.Add(symbol)) return true;
      if (const auto it = places_.find(symbol); it != places_.end()) {
        sources->push_back(it->second);
      } else if (analysis_.dims().GetDefinition(symbol) == nullptr) {
        is_all = false;
      }
      return true;
    });
    std::ranges::sort(*sources, {}, [&](const SizePlace& p) { return Rank(p); });
    return is_all;
  }

 private:
  size_t Rank(const SizePlace& place) const {
    return static_cast<size_t>(std::ranges::find(order_, place) - order_.begin());
  }

  bool IsOpen(Dim d, const SizePlace& place) const {
    if (opening_.number == place) return true;
    if (opening_.of == Opening::Of::kSame) return d == size_;
    return !place.in_contents || d.is_expression();
  }

  // The size of another analysis in ours: a symbol of its own where it is left open, else the same one for
  // the same expression.
  Dim Ours(Dim d, const SizePlace& place) {
    DimTable& dims = analysis_.dims();
    if (!IsOpen(d, place)) return d.is_expression() ? dims.Symbol(fmt::format("e{}", d.id())) : d;
    const std::string name = fmt::format("p{}", order_.size());
    const bool may_be_negative = place.in_contents && d.is_constant() && d.constant() < 0;
    const Dim symbol = may_be_negative ? dims.IntegerSymbol(name) : dims.Symbol(name);
    if (!place.in_contents && d != Dim(0)) {
      analysis_.facts().Assert(Clause{AtLeast(dims, symbol, 1)}, FactKind::kGiven, /*owner=*/0);
    }
    places_.insert({symbol, place});
    order_.push_back(place);
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
    if (value == opening_.longer) sizes.push_back(analysis_.dims().Symbol("longer"));
    operand->type.shape = analysis_.shapes().Make(sizes);
    if (extents) operand->value = Contents(value, *extents);
    return true;
  }

  // The sizes of a value whose contents are told: they are what they are, also where one is left open.
  std::optional<std::vector<int64_t>> ExtentsOfContents(ValueId value, const Type& type) const {
    if (opening_.of == Opening::Of::kAxes || !IsSmall(report_.inference.contents(value))) return std::nullopt;
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
      const SizePlace place{value, true, i};
      if (IsBool(contents.element())) {
        const Dim d = contents.Integer(i);
        booleans.push_back({d.is_constant() ? d : analysis_.dims().Fresh(0, 1), nullptr});
      } else if (IsFloat(contents.element())) {
        Float number = contents.FloatingPoint(i);
        if (!number.numerator.is_none()) number.numerator = Ours(number.numerator, place);
        floats.push_back(number);
      } else {
        const Dim d = SizeAt(report_, place);
        integers.push_back(d.is_none() ? analysis_.dims().Fresh(INT64_MIN) : Ours(d, place));
      }
    }
    if (!booleans.empty()) return analysis_.values().Booleans(extents, booleans);
    if (!floats.empty()) return analysis_.values().Floats(contents.element(), extents, floats);
    return analysis_.values().Integers(contents.element(), extents, integers);
  }

  void Read(const OpAnswer& answer, size_t result) {
    if (result >= answer.outputs.size()) return;
    if (place_.in_contents) {
      const Value& value = answer.output_values[result];
      if (value.is_none() || place_.index >= value.size()) return;
      answer_ = value.Integer(place_.index);
      if (answer_.is_none()) answer_ = value.FloatingPoint(place_.index).numerator;
      return;
    }
    const Type& type = answer.outputs[result];
    if (type.is_tensor() && HasRank(type) && place_.index < type.shape.rank()) {
      answer_ = type.shape[static_cast<int>(place_.index)];
    }
  }

  const ModelReport& report_;
  const SizePlace place_;
  const Dim size_;
  const Opening opening_;
  Analysis analysis_;
  tsl::robin_map<Dim, SizePlace> places_;
  std::vector<SizePlace> order_;
  Dim answer_;
};

class Search {
 public:
  Search(const ModelReport& report, const SizePlace& place) : report_(report), place_(place) {}

  std::optional<SizeOrigin> Run() {
    if (std::optional<SizePlace> taken = Same()) return SizeOrigin{.taken = taken};
    SizeOrigin origin;
    if (!place_.in_contents && Computed(Opening::Of::kAxes, &origin) && !origin.is_made) return origin;
    origin = {};
    if (!Computed(Opening::Of::kKnown, &origin)) return std::nullopt;
    return origin;
  }

 private:
  std::optional<SizePlace> Same() {
    Question question(report_, place_, {.of = Opening::Of::kSame});
    return question.Ask() ? question.Taken() : std::nullopt;
  }

  bool Computed(Opening::Of of, SizeOrigin* origin) {
    Question question(report_, place_, {.of = of});
    if (!question.Ask()) return false;
    origin->taken = question.Taken();
    if (origin->taken) return true;
    origin->is_made = !question.Sources(&origin->from);
    const std::string answer = question.Text();
    const auto decides = [&](const Opening& opening) {
      Question other(report_, place_, opening);
      return !other.Ask() || other.Text() != answer;
    };
    for (const AttrEntry& entry : Attrs()) {
      if (entry.value.ListSize().value_or(0) > kMaxNumbers) continue;
      if (decides({.of = of, .without_attr = entry.name})) origin->attrs.push_back(entry.name);
    }
    if (origin->from.empty() && !origin->is_made) FindRanks(of, answer, &origin->ranks);
    if (of == Opening::Of::kAxes || origin->is_made) return true;
    for (const SizePlace& number : Numbers()) {
      if (decides({.of = of, .number = number})) origin->from.push_back(number);
    }
    PutInOrder(&origin->from);
    return true;
  }

  // With an axis more an operator may fail, or mean another axis, which tells nothing: a count of axes is
  // another number then.
  void FindRanks(Opening::Of of, const std::string& answer, std::vector<ValueId>* ranks) const {
    for (const ValueId operand : report_.graph().operands(report_.graph().maker(place_.value))) {
      if (operand == kNoValue || std::ranges::find(*ranks, operand) != ranks->end()) continue;
      if (!report_.inference.contents(operand).is_none() && of != Opening::Of::kAxes) continue;
      Question other(report_, place_, {.of = of, .longer = operand});
      if (other.Ask() && other.is_number() && other.Text() != answer) ranks->push_back(operand);
    }
  }

  const AttrMap& Attrs() const {
    const Graph& graph = report_.graph();
    return graph.attrs(graph.attrs_of(graph.maker(place_.value)));
  }

  // The numbers among what is known of the operands' contents.
  std::vector<SizePlace> Numbers() const {
    std::vector<SizePlace> numbers;
    std::vector<ValueId> seen;
    for (const ValueId operand : report_.graph().operands(report_.graph().maker(place_.value))) {
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

  void PutInOrder(std::vector<SizePlace>* places) const {
    const std::span<const ValueId> operands = report_.graph().operands(report_.graph().maker(place_.value));
    std::ranges::stable_sort(*places, {}, [&](const SizePlace& p) {
      return std::ranges::find(operands, p.value) - operands.begin();
    });
  }

  const ModelReport& report_;
  const SizePlace place_;
};

}  // namespace

Dim SizeAt(const ModelReport& report, const SizePlace& place) {
  if (!place.in_contents) return report.type(place.value).shape[static_cast<int>(place.index)];
  const Value contents = report.inference.contents(place.value);
  Dim size = contents.Integer(place.index);
  if (size.is_none()) {
    const Float number = contents.FloatingPoint(place.index);
    if (number.denominator == 1) size = number.numerator;
  }
  if (!size.is_expression()) return size;
  const Graph& graph = report.graph();
  return graph.analysis().facts().Simplify(size, report.inference.scope(graph.region(place.value)));
}

std::optional<SizeOrigin> OriginOfSize(const ModelReport& report, const SizePlace& place) {
  return Search(report, place).Run();
}

}  // namespace dimwise
