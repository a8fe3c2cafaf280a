#include "formats/onnx/model_dump_testing.h"

#include <fmt/format.h>

#include "formats/onnx/onnx_builder_testing.h"

namespace dimwise {
namespace {

class Dumper {
 public:
  std::string text;

  void Model(const OnnxModel& model) {
    for (const OnnxModel::Opset& opset : model.opsets) {
      text += fmt::format("opset '{}' {}\n", opset.domain, opset.version);
    }
    Body(model.graph);
    for (const auto& function : model.graph.functions()) {
      text += fmt::format("function {}\n", function->name());
      indent_ = 2;
      for (const Graph::FunctionAttr& attr : function->function_attrs) {
        Line("attribute {}{}", attr.name, attr.otherwise ? " = " + ToString(*attr.otherwise) : "");
      }
      Body(*function);
      indent_ = 0;
    }
    for (const Diagnostic& finding : model.findings) text += ToString(finding) + "\n";
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    text += std::string(indent_, ' ') + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void Body(const Graph& graph) { Region(graph, graph.body()); }

  std::string Declared(const Graph& graph, ValueId value) {
    const Type type = graph.declared(value);
    std::string out;
    if (type.kind != TypeKind::kUnknown) out = ": " + ToString(graph.analysis().dims(), type);
    const Value contents = graph.contents(value);
    if (contents.is_none()) return out;
    out += " = {";
    for (int64_t i = 0; i < contents.size() && i < 8; ++i) {
      if (i > 0) out += ", ";
      if (IsFloat(contents.element())) {
        const std::optional<double> number = contents.FloatingPoint(i).constant();
        out += number ? fmt::format("{}", *number) : "?";
      } else {
        const std::optional<int64_t> number = contents.ConstantInteger(i);
        out += number ? fmt::format("{}", *number) : "?";
      }
    }
    return out + (contents.size() > 8 ? ", ...}" : "}");
  }

  std::string NameOf(const Graph& graph, ValueId value) {
    if (value == kNoValue) return "none";
    std::string name = "'" + std::string(graph.name(value)) + "'";
    if (graph.role(value) == ValueRole::kMissing) name += " (missing)";
    return name;
  }

  void Region(const Graph& graph, RegionId region) {
    for (const ValueId v : graph.inputs(region)) {
      Line("input {}{}", NameOf(graph, v), Declared(graph, v));
    }
    for (const ValueId v : graph.constants(region)) {
      Line("constant {}{}", NameOf(graph, v), Declared(graph, v));
    }
    for (const NodeId node : graph.nodes(region)) Node(graph, node);
    for (const ValueId v : graph.outputs(region)) Line("output {}", NameOf(graph, v));
  }

  void Node(const Graph& graph, NodeId node) {
    std::string operands, attrs, results;
    for (const ValueId v : graph.operands(node))
      operands += (operands.empty() ? "" : ", ") + NameOf(graph, v);
    for (const ValueId v : graph.results(node)) {
      results += (results.empty() ? "" : ", ") + NameOf(graph, v) + Declared(graph, v);
    }
    for (const AttrEntry& attr : graph.attrs(graph.attrs_of(node))) {
      attrs += fmt::format("; {}={}", attr.name, ToString(attr.value));
    }
    for (const auto& reference : graph.attr_references(node)) {
      attrs += fmt::format("; {}=@{}", reference.attribute, reference.of_call);
    }
    Line("#{} '{}' {}@{}({}{}) -> {}", graph.position(node), graph.name(node), graph.op_name(node),
         graph.op(graph.op_of(node)).version, operands, attrs, results);
    for (const Graph::Carried& carried : graph.regions_of(node)) {
      Line("  {}:", carried.attribute);
      indent_ += 4;
      Region(graph, carried.region);
      indent_ -= 4;
    }
  }

  size_t indent_ = 0;
};

}  // namespace

std::string DumpModel(const OnnxModel& model) {
  Dumper dumper;
  dumper.Model(model);
  return std::move(dumper.text);
}

std::string ReadAndDump(std::string_view bytes) {
  Analysis analysis;
  const auto model = ReadOnnx(onnx_build::BytesOf(bytes), analysis);
  return model ? DumpModel(**model) : ToString(model.error()) + "\n";
}

}  // namespace dimwise
