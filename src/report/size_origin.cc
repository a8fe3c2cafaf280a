#include "report/size_origin.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "infer/context/op_call.h"

namespace dimwise {
namespace {

class Asking {
 public:
  Asking(const ModelReport& report, Dim size) : report_(report), size_(size) {}

  std::optional<SizePlace> Run(const SizePlace& place) {
    const Graph& graph = report_.graph();
    const NodeId node = graph.maker(place.value);
    const Graph::Op& op = graph.op(graph.op_of(node));
    const OpRegistrationData* found =
        report_.inference.registry().Find(op.name, op.version == 0 ? OpRegistry::kLatest : op.version);
    if (found == nullptr || !found->shape_fn || graph.carries_regions(node)) return std::nullopt;
    std::vector<OpOperand> operands;
    for (const ValueId value : graph.operands(node)) {
      operands.emplace_back();
      operands.back().given = value != kNoValue;
      if (value != kNoValue && !Describe(value, &operands.back())) return std::nullopt;
    }
    OpCall call;
    call.op = found;
    call.operands = operands;
    call.attrs = &graph.attrs(graph.attrs_of(node));
    call.version = op.version == 0 ? OpRegistry::kLatest : op.version;
    call.num_outputs = static_cast<int>(graph.results(node).size());
    const Result<OpAnswer> answer = CallOp(analysis_, call);
    return answer ? Read(*answer, graph.result_index(place.value), place) : std::nullopt;
  }

 private:
  // The size of another analysis in ours: a symbol of its own where it is the one in question, else the same
  // one for the same expression.
  Dim Ours(Dim d, const SizePlace& place) {
    if (d == size_) {
      const Dim symbol = analysis_.dims().Symbol(fmt::format("p{}", places_.size()));
      places_.insert({symbol, place});
      return symbol;
    }
    if (!d.is_expression()) return d;
    return analysis_.dims().Symbol(fmt::format("e{}", d.id()));
  }

  bool Describe(ValueId value, OpOperand* operand) {
    const Type type = report_.type(value);
    if (!type.is_tensor() || !HasRank(type)) return false;
    std::vector<Dim> sizes;
    for (const Dim d : type.shape.dims()) {
      sizes.push_back(Ours(d, {value, false, static_cast<int64_t>(sizes.size())}));
    }
    operand->type = Type::Tensor(type.element, analysis_.shapes().Make(sizes));
    const Value contents = report_.inference.contents(value);
    if (contents.is_none() || contents.size() > ValueTable::kMaxElements || !IsInteger(type.element))
      return true;
    std::vector<int64_t> extents;
    for (const Dim d : type.shape.dims()) {
      if (!d.is_constant()) return true;
      extents.push_back(d.constant());
    }
    std::vector<Dim> elements;
    Facts& facts = report_.graph().analysis().facts();
    const ScopeId scope = report_.inference.scope(report_.graph().region(value));
    for (int64_t i = 0; i < contents.size(); ++i) {
      const Dim d = contents.Integer(i);
      if (d.is_none()) return true;
      elements.push_back(Ours(d.is_expression() ? facts.Simplify(d, scope) : d, {value, true, i}));
    }
    // The sizes of what is described are what they are, also where one is the size in question.
    for (size_t i = 0; i < extents.size(); ++i) sizes[i] = extents[i];
    operand->type.shape = analysis_.shapes().Make(sizes);
    operand->value = analysis_.values().Integers(type.element, extents, elements);
    return true;
  }

  std::optional<SizePlace> Read(const OpAnswer& answer, size_t result, const SizePlace& place) const {
    if (result >= answer.outputs.size()) return std::nullopt;
    Dim found;
    if (place.in_contents) {
      const Value& value = answer.output_values[result];
      if (!value.is_none() && place.index < value.size()) found = value.Integer(place.index);
    } else {
      const Type& type = answer.outputs[result];
      if (type.is_tensor() && HasRank(type) && place.index < type.shape.rank()) {
        found = type.shape[static_cast<int>(place.index)];
      }
    }
    const auto it = places_.find(found);
    return it == places_.end() ? std::nullopt : std::optional(it->second);
  }

  const ModelReport& report_;
  const Dim size_;
  Analysis analysis_;
  tsl::robin_map<Dim, SizePlace> places_;
};

}  // namespace

std::optional<SizePlace> OriginOfSize(const ModelReport& report, const SizePlace& place, Dim size) {
  return Asking(report, size).Run(place);
}

}  // namespace dimwise
