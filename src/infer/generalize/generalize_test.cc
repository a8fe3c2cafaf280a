#include "infer/generalize/generalize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "infer/generalize/generalize_testing.h"
#include "native_ops/neutral_operators_testing.h"

namespace dimwise {
namespace {

// Returns a line for each change.
std::string FoundWith(const OpRegistry& registry, const std::string& text, std::string_view words) {
  const LoadProgram load = Loader(text);
  const Result<LoadedProgram> program = load();
  if (!program) return ToString(program.error());
  const Graph& graph = *program->graph;
  const Result<Generalization> found = Generalize(load, registry, Symbols(graph, words));
  if (!found) return ToString(found.error());
  if (found->refusal) return ToString(*found->refusal) + "\n";
  std::string out;
  for (const SizeChange& c : found->changes) {
    out += fmt::format("{} {}{}: [{}] -> [{}]\n", graph.name(c.node),
                       c.kind == SizeChange::Kind::kAttribute
                           ? c.attribute
                           : std::string(graph.name(graph.operands(c.node)[c.operand])),
                       c.kind == SizeChange::Kind::kExpand ? " expanded" : "", fmt::join(c.before, ", "),
                       fmt::join(c.elements, ", "));
  }
  return out.empty() ? "nothing\n" : out;
}

// Returns what is found with the operators of ONNX. With other names of operators it must be the same.
std::string Found(const std::string& text, std::string_view words) {
  const std::string found = FoundWith(BuiltinRegistry(), text, words);
  EXPECT_EQ(WithOnnxNames(FoundWith(NeutralRegistry(), NeutralProgram(text), words)), found);
  return found;
}

TEST(GeneralizeTest, Program_WithSymbols_GetsExpectedChanges) {
  for (const GeneralizeCase& c : GeneralizeCases()) {
    EXPECT_EQ(Found(ProgramText(c.inputs, c.body), c.symbols), c.found) << c.symbols << "\n" << c.body;
  }
}

}  // namespace
}  // namespace dimwise
