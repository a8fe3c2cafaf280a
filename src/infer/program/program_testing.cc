#include "infer/program/program_testing.h"

#include <fmt/format.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"

namespace dimwise {

std::string Describe(const ShapeProgram& program) {
  std::string text;
  for (size_t k = 0; k < program.stages().size(); ++k) {
    const ShapeProgram::Stage& stage = program.stages()[k];
    text += fmt::format("stage {}", k);
    if (!stage.where.empty()) text += " in " + stage.where;
    if (stage.after >= 0) text += fmt::format(" after stage {}", stage.after);
    if (!stage.node.empty()) text += " and " + stage.node;
    text += ":";
    for (const uint32_t s : stage.needs) {
      const ShapeProgram::Symbol& symbol = program.symbols()[s];
      text += " " + symbol.name;
      if (symbol.value.empty()) continue;
      text += symbol.axis >= 0 ? fmt::format(" = {}[{}]", symbol.value, symbol.axis)
                               : fmt::format(" = element {} of {}", symbol.element, symbol.value);
    }
    text += "\n";
    for (const ShapeProgram::Guard& guard : program.guards()) {
      if (guard.stage != k ||
          (guard.kind == ShapeProgram::GuardKind::kInput && guard.require.starts_with("size")))
        continue;
      text += fmt::format("  need {}{}\n", guard.require, guard.node.empty() ? "" : "  @" + guard.node);
    }
    for (const ShapeProgram::Value& value : program.values()) {
      if (value.stage != k || value.constant) continue;
      text += fmt::format("  {}: ", value.name);
      if (value.rank < 0) {
        text += "?\n";
        continue;
      }
      text += "[";
      std::string comma;
      for (const uint32_t index : program.ShapeOf(value)) {
        std::string size = program.expressions()[index];
        text += comma + size;
        comma = ", ";
      }
      text += "]\n";
    }
  }
  return text;
}

std::string CompileText(std::string_view graph_text, std::string_view assume) {
  Analysis analysis;
  Result<std::unique_ptr<Graph>> graph = ParseGraph(analysis, graph_text);
  if (!graph) return ToString(graph.error());
  Inference inference(**graph, BuiltinRegistry());
  if (!assume.empty()) inference.Assume(ParseCondition(analysis.dims(), assume).value());
  inference.Run();
  const ShapeProgram program(inference);
  return Describe(program);
}

}  // namespace dimwise
