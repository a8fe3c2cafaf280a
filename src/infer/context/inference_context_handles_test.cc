// Tests shapes and types behind resource handles.
#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

using Types = std::vector<Type>;

Type Behind(ElementType element, Shape shape) { return Type::Tensor(element, shape); }

TEST_F(ShapeInferenceTest, HandleTypes_SetAndGet_AreStored) {
  InferenceContext c = Context({"[]", "[2]"});
  EXPECT_EQ(c.input_handle_shapes_and_types(0), nullptr);
  EXPECT_EQ(c.output_handle_shapes_and_types(0), nullptr);
  const Types behind = {Behind(ElementType::kF32, S("[2, N]")), Behind(ElementType::kI32, S("[]"))};
  c.set_input_handle_shapes_and_types(0, behind);
  ASSERT_NE(c.input_handle_shapes_and_types(0), nullptr);
  EXPECT_EQ(*c.input_handle_shapes_and_types(0), behind);
  EXPECT_EQ(c.input(0), S("[]"));  // the shape of the handle itself
  EXPECT_EQ(c.input_type(0), ElementType::kResource);
  c.set_output(0, S("[]"));
  c.set_output_handle_shapes_and_types(0, behind);
  EXPECT_EQ(*c.output_handle_shapes_and_types(0), behind);
  EXPECT_EQ(c.output(0), S("[]"));
  EXPECT_EQ(c.input_handle_shapes_and_types(1), nullptr);
  EXPECT_EQ(c.input_handle_shapes_and_types(-1), nullptr);
  // An empty list is different from no information.
  c.set_input_handle_shapes_and_types(1, {});
  ASSERT_NE(c.input_handle_shapes_and_types(1), nullptr);
  EXPECT_TRUE(c.input_handle_shapes_and_types(1)->empty());
}

// Checks merging, for inputs and for outputs.
template <typename Update, typename Get>
void ExpectMerges(InferenceContext& c, Update update, Get get) {
  const auto shape = [&](std::string_view text) {
    return ParseShape(c.dims(), c.analysis().shapes(), text).value();
  };
  const Shape s0 = shape("[1, ?]");
  const Types first = {Behind(ElementType::kF32, s0), Behind(ElementType::kUnknown, shape("[*]"))};
  EXPECT_TRUE(update(first));
  EXPECT_EQ(*get(), first);
  EXPECT_FALSE(update(first));                                      // no new information
  EXPECT_FALSE(update({Behind(ElementType::kF32, s0)}));            // another number of tensors
  EXPECT_FALSE(update({Behind(ElementType::kI32, s0), first[1]}));  // another element type
  EXPECT_EQ(*get(), first);
  // Shapes that cannot be merged stay unchanged; an unknown element type is still replaced.
  EXPECT_TRUE(update({Behind(ElementType::kF32, shape("[2, 3]")), Behind(ElementType::kI64, shape("[*]"))}));
  EXPECT_EQ((*get())[0].shape, s0);
  EXPECT_EQ((*get())[1].element, ElementType::kI64);
  EXPECT_TRUE(c.guards().empty());
  // Shapes that can be merged are merged.
  EXPECT_TRUE(
      update({Behind(ElementType::kUnknown, shape("[?, 3]")), Behind(ElementType::kI64, shape("[7]"))}));
  EXPECT_EQ((*get())[0].shape, shape("[1, 3]"));
  EXPECT_EQ((*get())[0].element, ElementType::kF32);
  EXPECT_EQ((*get())[1].shape, shape("[7]"));
}

template <typename Update, typename Get>
void ExpectRelaxes(InferenceContext& c, Update update, Get get) {
  const auto shape = [&](std::string_view text) {
    return ParseShape(c.dims(), c.analysis().shapes(), text).value();
  };
  const Types first = {Behind(ElementType::kF32, shape("[1, 2]")),
                       Behind(ElementType::kUnknown, shape("[5]"))};
  EXPECT_TRUE(update(first));
  EXPECT_FALSE(update(first));
  EXPECT_FALSE(update({first[0]}));
  EXPECT_FALSE(update({Behind(ElementType::kI32, shape("[1, 2]")), first[1]}));
  EXPECT_EQ(*get(), first);
  EXPECT_TRUE(update({Behind(ElementType::kF32, shape("[1, 3]")), Behind(ElementType::kF16, shape("[5]"))}));
  const Shape relaxed = (*get())[0].shape;
  EXPECT_EQ(relaxed[0], Dim(1));
  EXPECT_FALSE(c.ValueKnown(relaxed[1]));
  EXPECT_EQ((*get())[1], Behind(ElementType::kF16, shape("[5]")));
  EXPECT_TRUE(update({Behind(ElementType::kF32, shape("[1]")), Behind(ElementType::kF16, shape("[5]"))}));
  EXPECT_FALSE(c.RankKnown((*get())[0].shape));
}

TEST_F(ShapeInferenceTest, MergeHandleTypes_Input_MergesCompatibleParts) {
  InferenceContext c = Context({"[]", "[]"});
  ExpectMerges(
      c, [&](const Types& types) { return c.MergeInputHandleShapesAndTypes(1, types); },
      [&] { return c.input_handle_shapes_and_types(1); });
  EXPECT_EQ(c.input_handle_shapes_and_types(0), nullptr);
  EXPECT_FALSE(c.MergeInputHandleShapesAndTypes(2, {}));
}

TEST_F(ShapeInferenceTest, MergeHandleTypes_Output_MergesCompatibleParts) {
  InferenceContext c = Context({}, 2);
  ExpectMerges(
      c, [&](const Types& types) { return c.MergeOutputHandleShapesAndTypes(1, types); },
      [&] { return c.output_handle_shapes_and_types(1); });
  EXPECT_EQ(c.output_handle_shapes_and_types(0), nullptr);
  EXPECT_FALSE(c.MergeOutputHandleShapesAndTypes(-1, {}));
}

TEST_F(ShapeInferenceTest, RelaxHandleTypes_Input_RelaxesShapes) {
  InferenceContext c = Context({"[]", "[]"});
  ExpectRelaxes(
      c, [&](const Types& types) { return c.RelaxInputHandleShapesAndMergeTypes(0, types); },
      [&] { return c.input_handle_shapes_and_types(0); });
  EXPECT_EQ(c.input_handle_shapes_and_types(1), nullptr);
  EXPECT_FALSE(c.RelaxInputHandleShapesAndMergeTypes(5, {}));
}

TEST_F(ShapeInferenceTest, RelaxHandleTypes_Output_RelaxesShapes) {
  InferenceContext c = Context({}, 2);
  ExpectRelaxes(
      c, [&](const Types& types) { return c.RelaxOutputHandleShapesAndMergeTypes(0, types); },
      [&] { return c.output_handle_shapes_and_types(0); });
  EXPECT_EQ(c.output_handle_shapes_and_types(1), nullptr);
  EXPECT_FALSE(c.RelaxOutputHandleShapesAndMergeTypes(5, {}));
}

}  // namespace
}  // namespace dimwise
