#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "formats/onnx/onnx_patch.h"

namespace dimwise {
namespace {

class PatchApplier {
 public:
  explicit PatchApplier(Graph& graph) : graph_(graph) {
    for (uint32_t v = 0; v < graph.value_count(); ++v)
      values_[std::string(graph.name(ValueId{v}))] = ValueId{v};
  }

  void Apply(const Patch& patch) {
    for (const Patch::NewContents& contents : patch.contents) SetContents(contents);
    for (const Patch::AtNode& at : patch.nodes) {
      for (const Patch::NewNode& node : at.before) AddNode(at.node, node);
      for (const auto& [operand, name] : at.operands) {
        static_cast<void>(graph_.SetOperand(at.node, operand, values_[name]));
      }
      for (const auto& [name, numbers] : at.attributes) SetAttr(at.node, name, AttrValue::Ints(numbers));
    }
  }

 private:
  Value Contents(ElementType element, std::span<const int64_t> sizes, const std::vector<int64_t>& numbers) {
    const std::vector<Dim> elements(numbers.begin(), numbers.end());
    return graph_.analysis().values().Integers(element, sizes, elements);
  }

  void SetAttr(NodeId node, const std::string& name, AttrValue value) {
    AttrMap attrs = graph_.attrs(graph_.attrs_of(node));
    attrs.Set(name, std::move(value));
    static_cast<void>(graph_.SetAttrs(node, graph_.AddAttrs(std::move(attrs))));
  }

  void SetContents(const Patch::NewContents& contents) {
    if (graph_.role(contents.constant) == ValueRole::kConstant) {
      const Value old = graph_.contents(contents.constant);
      graph_.SetContents(contents.constant, Contents(old.element(), old.dims(), contents.numbers));
      return;
    }
    const NodeId maker = graph_.maker(contents.constant);
    for (const AttrEntry& entry : graph_.attrs(graph_.attrs_of(maker))) {
      if (entry.name == "value_ints") return SetAttr(maker, "value_ints", AttrValue::Ints(contents.numbers));
      if (entry.name == "value_int") return SetAttr(maker, "value_int", AttrValue(contents.numbers[0]));
      if (const TensorValue* tensor = AsTensor(entry.value); tensor != nullptr) {
        TensorValue changed = *tensor;
        changed.contents = contents.numbers;
        return SetAttr(maker, "value", AttrValue(std::move(changed)));
      }
    }
  }

  // Adds a new node. A Constant becomes a constant of the graph. Other nodes have the opset version of
  // `before`.
  void AddNode(NodeId before, const Patch::NewNode& node) {
    const RegionId region = graph_.region(before);
    const std::string_view name = graph_.StoreCopy(node.result);
    if (node.op == "Constant") {
      const std::vector<Dim> sizes(node.sizes.begin(), node.sizes.end());
      values_[node.result] = graph_.AddConstant(
          region, name, Type::Tensor(ElementType::kI64, graph_.analysis().shapes().Make(sizes)),
          Contents(ElementType::kI64, node.sizes, node.numbers));
      return;
    }
    std::vector<ValueId> operands;
    for (const std::string& operand : node.operands) operands.push_back(values_[operand]);
    AttrMap attrs;
    for (const auto& [key, number] : node.ints) attrs.Set(key, AttrValue(number));
    const int version = graph_.op(graph_.op_of(before)).version;
    const std::string_view results[] = {name};
    const NodeId added =
        graph_.AddNode(region,
                       {graph_.UseOp(graph_.StoreCopy(fmt::format("onnx.{}", node.op)), version), name,
                        graph_.AddAttrs(std::move(attrs)), graph_.position(before)},
                       operands, results);
    values_[node.result] = graph_.results(added)[0];
  }

  Graph& graph_;
  tsl::robin_map<std::string, ValueId> values_;
};

}  // namespace

void ApplyPatch(Graph& graph, const Patch& patch) { PatchApplier(graph).Apply(patch); }

}  // namespace dimwise
