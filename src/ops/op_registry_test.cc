#include "dimwise/op_registry.h"

#include "gtest/gtest.h"

namespace dimwise {
namespace {

Status DoNothing(InferenceContext*) { return {}; }

OpDefBuilder Relu(std::string_view name) { return OpDefBuilder(name).Input("X: any").Output("Y: any"); }

OpRegistry Sample() {
  auto registry = OpRegistryBuilder()
                      .Register(Relu("onnx.Relu"), DoNothing)
                      .Register(Relu("onnx.Conv").Since(1), DoNothing)
                      .Register(Relu("onnx.Conv").Since(11).Doc("newer"), DoNothing)
                      .Register(Relu("onnx.MatMul"), DoNothing)
                      .Register(Relu("onnx.GroupNormalization").Since(18), DoNothing)
                      .Register(Relu("onnx.Upsample").Since(7).Until(10).Deprecated("use Resize"), DoNothing)
                      .Register(Relu("onnx.Lazarus").Until(3), DoNothing)
                      .Register(Relu("onnx.Lazarus").Since(5), DoNothing)
                      .Register(Relu("ai.onnx.ml.Scaler"), DoNothing)
                      .Register(Relu("tensorflow.MatMul"), DoNothing)
                      .Register(Relu("tensorflow.Conv2D"), DoNothing)
                      .Register(Relu("mxnet.relu"), DoNothing)
                      .Build();
  EXPECT_TRUE(registry) << registry.error().message;
  return registry.value_or(OpRegistry());
}

// Returns the result of a lookup: "onnx.Conv since 11", or the text of the error.
std::string LookUp(const OpRegistry& registry, std::string_view name, int version = OpRegistry::kLatest) {
  const auto found = registry.LookUp(name, version);
  EXPECT_EQ(registry.Find(name, version), found ? *found : nullptr);
  if (!found) return ToString(found.error());
  return (*found)->def.FullName() + " since " + std::to_string((*found)->def.since);
}

TEST(OpRegistryTest, LookUp_Version_FindsItsDefinition) {
  const OpRegistry registry = Sample();
  EXPECT_EQ(LookUp(registry, "onnx.Conv"), "onnx.Conv since 11");
  EXPECT_EQ(LookUp(registry, "onnx.Conv", 1), "onnx.Conv since 1");
  EXPECT_EQ(LookUp(registry, "onnx.Conv", 10), "onnx.Conv since 1");
  EXPECT_EQ(LookUp(registry, "onnx.Conv", 11), "onnx.Conv since 11");
  EXPECT_EQ(LookUp(registry, "onnx.Conv", 28), "onnx.Conv since 11");
  EXPECT_EQ(LookUp(registry, "ai.onnx.ml.Scaler", 3), "ai.onnx.ml.Scaler since 1");
  EXPECT_EQ(LookUp(registry, "onnx.Upsample", 9), "onnx.Upsample since 7");
  EXPECT_EQ(LookUp(registry, "onnx.Upsample"), "onnx.Upsample since 7");
  EXPECT_EQ(LookUp(registry, "onnx.Lazarus", 2), "onnx.Lazarus since 1");
  EXPECT_EQ(LookUp(registry, "onnx.Lazarus", 6), "onnx.Lazarus since 5");
}

TEST(OpRegistryTest, LookUp_MissingVersion_IsAnError) {
  const OpRegistry registry = Sample();
  EXPECT_EQ(
      LookUp(registry, "onnx.GroupNormalization", 13),
      "error[DW0306]: onnx.GroupNormalization exists since version 18 of onnx; version 13 is requested\n"
      "  --> onnx.GroupNormalization");
  EXPECT_EQ(LookUp(registry, "onnx.Conv", 0),
            "error[DW0306]: onnx.Conv exists since version 1 of onnx; version 0 is requested\n"
            "  --> onnx.Conv");
  EXPECT_EQ(LookUp(registry, "onnx.Upsample", 10),
            "error[DW0306]: onnx.Upsample was removed in version 10 of onnx; version 10 is requested\n"
            "  --> onnx.Upsample\n"
            "  help: use Resize");
  EXPECT_EQ(LookUp(registry, "onnx.Lazarus", 4),
            "error[DW0306]: onnx.Lazarus was removed in version 3 of onnx; version 4 is requested\n"
            "  --> onnx.Lazarus\n"
            "  note: it exists again since version 5");
}

TEST(OpRegistryTest, LookUp_UnknownName_SuggestsNearest) {
  const OpRegistry registry = Sample();
  const std::string none = "error[DW0003]: there is no operator ";
  const std::string declare =
      "\n  help: declare it in a rule file and load the file with `--rules FILE.shape`";
  EXPECT_EQ(LookUp(registry, "onnx.Cnv"), none + "onnx.Cnv\n  help: did you mean onnx.Conv?");
  EXPECT_EQ(LookUp(registry, "onnx.relu"),
            none + "onnx.relu\n  note: mxnet.relu is another one\n  help: did you mean onnx.Relu?");
  EXPECT_EQ(LookUp(registry, "onnx.Conv2D"),
            none + "onnx.Conv2D\n  note: tensorflow.Conv2D is another one\n  help: did you mean onnx.Conv?");
  EXPECT_EQ(LookUp(registry, "mxnet.MatMul"),
            none + "mxnet.MatMul\n  help: did you mean onnx.MatMul or tensorflow.MatMul?");
  EXPECT_EQ(LookUp(registry, "onx.Relu"), none + "onx.Relu, nor a set onx\n  help: did you mean onnx.Relu?");
  EXPECT_EQ(LookUp(registry, "onx.Rleu"), none + "onx.Rleu, nor a set onx\n  help: did you mean onnx.Relu?");
  EXPECT_EQ(LookUp(registry, "Relu"),
            none + "Relu; an operator is named with its set, as onnx.Relu\n  help: did you mean onnx.Relu?");
  EXPECT_EQ(LookUp(registry, "onnx.Something"), none + "onnx.Something" + declare);
  EXPECT_EQ(LookUp(registry, "jax.sin"), none + "jax.sin, nor a set jax" + declare);
  EXPECT_EQ(LookUp(registry, ""), none + "without a name; an operator is named with its set, as onnx.Relu");
  EXPECT_EQ(LookUp(registry, "onnx."), none + "onnx.");
  const std::string huge = "onnx." + std::string(1000000, 'x');
  EXPECT_EQ(LookUp(registry, huge), none + huge.substr(0, 80) + "..." + declare);
  EXPECT_EQ(LookUp(OpRegistry(), "onnx.Relu"), none + "onnx.Relu, nor a set onnx" + declare);
  const std::string no_set = "; an operator is named with its set, as onnx.Relu\n  help: did you mean ";
  EXPECT_EQ(LookUp(registry, "matml"), none + "matml" + no_set + "onnx.MatMul or tensorflow.MatMul?");
  EXPECT_EQ(LookUp(registry, "cnv"), none + "cnv" + no_set + "onnx.Conv?");
}

TEST(OpRegistryTest, List_SetsAndVersions_AreSorted) {
  const OpRegistry registry = Sample();
  const auto names = [](const std::vector<const OpRegistrationData*>& list) {
    std::string text;
    for (const auto* entry : list)
      text += entry->def.FullName() + "-" + std::to_string(entry->def.since) + " ";
    return text;
  };
  EXPECT_EQ(
      names(registry.List("onnx")),
      "onnx.Conv-11 onnx.GroupNormalization-18 onnx.Lazarus-5 onnx.MatMul-1 onnx.Relu-1 onnx.Upsample-7 ");
  EXPECT_EQ(names(registry.List("ai.onnx.ml")), "ai.onnx.ml.Scaler-1 ");
  EXPECT_EQ(names(registry.List("jax")), "");
  EXPECT_EQ(registry.List().size(), 10u);
  EXPECT_EQ(registry.size(), 12u);
  EXPECT_EQ(registry.sets(), (std::vector<std::string_view>{"ai.onnx.ml", "mxnet", "onnx", "tensorflow"}));
  EXPECT_EQ(registry.Versions("onnx.Conv").size(), 2u);
  EXPECT_EQ(registry.Versions("onnx.Conv")[1].def.doc, "newer");
  EXPECT_TRUE(registry.Versions("onnx.Nothing").empty());
  EXPECT_EQ(OpRegistry().size(), 0u);
  EXPECT_TRUE(OpRegistry().sets().empty());
}

TEST(OpRegistryTest, Copy_OfRegistry_SharesDefinitions) {
  OpRegistry copy;
  const OpRegistrationData* conv = nullptr;
  {
    const OpRegistry registry = Sample();
    copy = registry;
    conv = registry.Find("onnx.Conv");
  }
  EXPECT_EQ(copy.Find("onnx.Conv"), conv);
  EXPECT_EQ(conv->def.doc, "newer");
}

TEST(OpRegistryBuilderTest, Register_Duplicate_IsAnError) {
  OpRegistryBuilder builder;
  builder.Register(Relu("onnx.Conv").Since(11), DoNothing)
      .Register(Relu("onnx.Conv").Since(11).Attr("a: int"), DoNothing);
  const auto registry = builder.Build();
  ASSERT_FALSE(registry);
  EXPECT_EQ(ToString(registry.error()),
            "error[DW0305]: onnx.Conv since version 11 is defined twice\n"
            "  --> onnx.Conv\n"
            "   |  first   onnx.Conv(X: any) -> (Y: any)\n"
            "   |  second  onnx.Conv(X: any; a: int) -> (Y: any)");
  const auto same =
      OpRegistryBuilder().Register(Relu("onnx.X"), DoNothing).Register(Relu("onnx.X"), DoNothing).Build();
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().message, "onnx.X since version 1 is defined twice, identically");
}

TEST(OpRegistryBuilderTest, Build_SeveralErrors_ReportsAll) {
  OpRegistryBuilder builder;
  builder.Register(Relu("onnx.bad"), DoNothing)
      .Register(Relu("onnx.A").Attr("a: int = x").Attr("b: what"), DoNothing)
      .Register(Relu("onnx.B").Attr("oops"), DoNothing)
      .Register(Relu("onnx.C"))
      .Register(Relu("onnx.D"), DoNothing)
      .Register(Relu("onnx.D"), DoNothing)
      .Register(Relu("onnx.E").Until(9), DoNothing)
      .Register(Relu("onnx.E").Since(7), DoNothing);
  std::string all;
  for (const Diagnostic& finding : builder.Lint())
    all += CodeName(finding.code) + " " + finding.message + "\n";
  EXPECT_EQ(all,
            "DW0304 onnx.bad: 'bad' is no name for an operator of onnx: it begins with a capital letter\n"
            "DW0304 onnx.A: the default of attribute 'a' is \"x\", which is not of kind int\n"
            "DW0304 onnx.A: attribute 'b' is of kind 'what', which does not exist\n"
            "DW0304 onnx.B: attribute \"oops\": expected ':' and a kind after the name, found nothing\n"
            "DW0304 onnx.C: its results are undefined; it needs a shape function or a trait\n"
            "DW0305 onnx.D since version 1 is defined twice, identically\n"
            "DW0304 onnx.E since version 1 is valid until version 9, but version 7 redefines it\n");
  EXPECT_EQ(builder.findings().size(), 6u);
  const auto registry = builder.Build();
  ASSERT_FALSE(registry);
  EXPECT_EQ(registry.error().op, "onnx.bad");
  EXPECT_EQ(registry.error().notes.size(), 6u);
  EXPECT_EQ(registry.error().notes[3],
            "also wrong: onnx.C: its results are undefined; it needs a shape function or a trait");
}

TEST(OpRegistryBuilderTest, Register_TraitWithoutFunction_CreatesFunction) {
  const auto without = OpRegistryBuilder().Register(Relu("onnx.Relu").Trait(Trait::kElementwise)).Build();
  ASSERT_TRUE(without);
  EXPECT_FALSE(without->Find("onnx.Relu")->shape_fn);

  std::string requested;
  const TraitShapeFn from_traits = [&requested](const OpDef& def) {
    requested += def.FullName() + " " + std::string(ToString(*def.traits.ShapeTrait())) + ";";
    return DoNothing;
  };
  const auto with = OpRegistryBuilder(from_traits)
                        .Register(Relu("onnx.Relu").Trait(Trait::kElementwise))
                        .Register(Relu("onnx.Own").Trait(Trait::kElementwise), DoNothing)
                        .Register(OpDefBuilder("onnx.NoResults"))
                        .Build();
  ASSERT_TRUE(with);
  EXPECT_EQ(requested, "onnx.Relu elementwise;");
  EXPECT_TRUE(with->Find("onnx.Relu")->shape_fn);
  EXPECT_FALSE(with->Find("onnx.NoResults")->shape_fn);
}

TEST(OpRegistryBuilderTest, Override_IncludedDefinition_IsReplaced) {
  OpRegistryBuilder builder;
  builder.Include(Sample());
  builder.Override(Relu("onnx.Conv").Since(11).Doc("mine").Build().value(), DoNothing);
  builder.Override(Relu("onnx.New").Build().value(), DoNothing);
  EXPECT_EQ(builder.overridden(), std::vector<std::string>{"onnx.Conv since version 11"});
  OpRegistryBuilder moved = std::move(builder);
  const auto registry = moved.Build();
  ASSERT_TRUE(registry) << registry.error().message;
  EXPECT_EQ(registry->size(), 13u);
  EXPECT_EQ(registry->Find("onnx.Conv")->def.doc, "mine");
  EXPECT_NE(registry->Find("onnx.New"), nullptr);

  // An invalid definition replaces nothing.
  OpDef wrong = Relu("onnx.Relu").Build().value();
  wrong.inputs[0].any_type = false;
  moved.Override(wrong, DoNothing);
  EXPECT_EQ(moved.findings().size(), 1u);
  EXPECT_EQ(moved.overridden().size(), 1u);
}

TEST(OpRegistryBuilderTest, RegisterLazily_Definitions_AreCreatedOnFirstUse) {
  std::string made;
  const auto lazy = [&made](const char* full_name, int since) {
    return [&made, full_name, since] {
      made += std::string(full_name) + "-" + std::to_string(since) + " ";
      return OpRegistrationData{Relu(full_name).Since(since).Doc("made").Build().value(), DoNothing};
    };
  };
  const auto header = [](const char* name, int since, std::optional<int> until = std::nullopt) {
    OpDef def;
    def.set = "onnx";
    def.name = name;
    def.since = since;
    def.until = until;
    return def;
  };
  OpRegistryBuilder builder;
  builder.Register(Relu("onnx.Relu"), DoNothing);
  builder.RegisterLazily(header("Elu", 1, 6), lazy("onnx.Elu", 1));
  builder.RegisterLazily(header("Elu", 7), lazy("onnx.Elu", 7));
  builder.RegisterLazily(header("Selu", 1), lazy("onnx.Selu", 1));
  const OpRegistry registry = builder.Build().value();
  EXPECT_EQ(registry.size(), 4u);
  EXPECT_EQ(registry.sets(), std::vector<std::string_view>{"onnx"});
  EXPECT_EQ(registry.Find("onnx.Elu", 6), nullptr);
  EXPECT_EQ(LookUp(registry, "onnx.Elo"), LookUp(builder.Build().value(), "onnx.Elo"));
  EXPECT_EQ(made, "");

  const OpRegistrationData* elu = registry.Find("onnx.Elu");
  EXPECT_EQ(made, "onnx.Elu-7 ");
  EXPECT_EQ(elu->def.doc, "made");
  EXPECT_EQ(elu->def.inputs.size(), 1u);
  EXPECT_TRUE(elu->shape_fn);
  EXPECT_EQ(registry.Find("onnx.Elu", 9), elu);
  EXPECT_EQ(OpRegistry(registry).Find("onnx.Elu"), elu);
  EXPECT_EQ(made, "onnx.Elu-7 ");
  EXPECT_EQ(registry.Versions("onnx.Elu")[0].def.doc, "made");
  EXPECT_EQ(made, "onnx.Elu-7 onnx.Elu-1 ");

  // Another registry completes its own definitions, even if this one has completed them already.
  OpRegistryBuilder other;
  other.Include(registry);
  const OpRegistry copy = other.Build().value();
  EXPECT_EQ(made, "onnx.Elu-7 onnx.Elu-1 ");
  EXPECT_EQ(copy.List().size(), 3u);
  EXPECT_EQ(made, "onnx.Elu-7 onnx.Elu-1 onnx.Elu-7 onnx.Selu-1 ");

  builder.RegisterLazily(header("Relu", 1), lazy("onnx.Relu", 1));
  EXPECT_EQ(builder.findings().at(0).message, "onnx.Relu since version 1 is defined twice");
}

}  // namespace
}  // namespace dimwise
