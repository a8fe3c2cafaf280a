#include "formats/onnx/onnx_patch.h"

#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "infer/generalize/generalize_testing.h"

namespace dimwise {
namespace {

// The patched graph must have the old shapes at the old sizes, and symbolic shapes otherwise.
TEST(OnnxPatchTest, PatchedGraph_AtOldSizes_HasOldShapes) {
  int patched = 0;
  for (const GeneralizeCase& c : GeneralizeCases()) {
    const LoadProgram load = Loader(ProgramText(c.inputs, c.body));
    const Result<LoadedProgram> old = load(), changed = load(), symbolic = load();
    const std::vector<InputSymbol> symbols = Symbols(*old->graph, c.symbols);
    const Result<Generalization> found = Generalize(load, BuiltinRegistry(), symbols);
    if (!found || found->refusal) continue;
    ++patched;
    for (Graph* graph : {changed->graph, symbolic->graph}) {
      const Result<Patch> patch = MakePatch(*graph, found->changes, symbols);
      ASSERT_TRUE(patch) << ToString(patch.error());
      ApplyPatch(*graph, *patch);
    }
    for (const InputSymbol& s : symbols) {
      Type type = symbolic->graph->declared(s.input);
      std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
      sizes[static_cast<size_t>(s.axis)] = symbolic->graph->analysis().dims().Symbol(s.symbol);
      type.shape = symbolic->graph->analysis().shapes().Make(sizes);
      symbolic->graph->Declare(s.input, type);
    }
    Inference before(*old->graph, BuiltinRegistry()), after(*changed->graph, BuiltinRegistry()),
        open(*symbolic->graph, BuiltinRegistry());
    for (Inference* inference : {&before, &after, &open}) {
      inference->Run();
      EXPECT_TRUE(inference->findings().empty()) << ToString(inference->graph());
    }
    DimTable& dims = symbolic->graph->analysis().dims();
    for (uint32_t v = 0; v < old->graph->value_count(); ++v) {
      const ValueId value{v};
      EXPECT_EQ(ToString(changed->graph->analysis().dims(), after.type(value)),
                ToString(old->graph->analysis().dims(), before.type(value)))
          << ToString(*changed->graph);
      const Type type = open.type(value), was = before.type(value);
      if (!was.is_tensor() || old->graph->name(value).empty()) continue;
      for (int axis = 0; axis < was.shape.rank(); ++axis) {
        EXPECT_EQ(dims.Evaluate(type.shape[axis],
                                [&](Dim symbol) -> std::optional<int64_t> {
                                  for (const InputSymbol& s : symbols) {
                                    if (s.symbol == dims.NameOf(symbol)) return s.was;
                                  }
                                  return std::nullopt;
                                }),
                  was.shape[axis].constant())
            << old->graph->name(value);
      }
    }
  }
  EXPECT_GT(patched, 12);
}

}  // namespace
}  // namespace dimwise
