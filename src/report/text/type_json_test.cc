#include "report/text/type_json.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace dimwise {
namespace {

std::string Json(const std::function<void(JsonWriter&)>& write) {
  std::string text;
  JsonWriter json(&text);
  write(json);
  return text;
}

std::string TypeJson(Analysis& analysis, const Type& type) {
  return Json([&](JsonWriter& json) { WriteType(json, analysis.dims(), type); });
}

TEST(TypeJson, Type_OfEachKind_IsWritten) {
  struct Case {
    const char *type, *json;
  };
  const Case cases[] = {
      {"f32[N, 3, (H + 1)//2]", R"({"dtype": "f32", "shape": ["N", 3, "(H + 1)//2"]})"},
      {"f32[*]", R"({"dtype": "f32", "shape": null})"},
      {"?[]", R"({"dtype": null, "shape": []})"},
      {"?", R"({"dtype": null, "shape": null})"},
      {"i64[2, `batch size`] csr", R"({"dtype": "i64", "shape": [2, "`batch size`"], "storage": "csr"})"},
      {"seq(f32[N])", R"({"kind": "sequence", "element": {"dtype": "f32", "shape": ["N"]}})"},
      {"seq(f32[N], length=T)",
       R"({"kind": "sequence", "length": "T", "element": {"dtype": "f32", "shape": ["N"]}})"},
      {"seq(f32[2], f32[3])",
       R"({"kind": "sequence", "length": 2, "element": {"dtype": "f32", "shape": null}, "elements": )"
       R"([{"dtype": "f32", "shape": [2]}, {"dtype": "f32", "shape": [3]}]})"},
      {"optional(seq(i8[]))",
       R"({"kind": "optional", "element": {"kind": "sequence", "element": {"dtype": "i8", "shape": []}}})"},
      {"map(i64, f32[2])", R"({"kind": "map", "key": "i64", "element": {"dtype": "f32", "shape": [2]}})"},
  };
  for (const Case& c : cases) {
    Analysis analysis;
    EXPECT_EQ(TypeJson(analysis, ParseType(analysis, c.type).value()), c.json) << c.type;
  }
}

TEST(TypeJson, Handle_WithOwnShape_IsWritten) {
  Analysis analysis;
  const Type behind[] = {ParseType(analysis, "f32[N]").value()};
  Type handle = Type::Tensor(ElementType::kResource, analysis.shapes().Scalar());
  handle.container = analysis.types().Handle(behind).container;
  handle.kind = TypeKind::kHandle;
  EXPECT_EQ(
      TypeJson(analysis, handle),
      R"({"kind": "handle", "dtype": "resource", "shape": [], "behind": [{"dtype": "f32", "shape": ["N"]}]})");
}

TEST(TypeJson, Contents_OfEachKind_AreWritten) {
  Analysis analysis;
  DimTable& dims = analysis.dims();
  const auto json = [&](Value value) { return Json([&](JsonWriter& j) { WriteContents(j, dims, value); }); };
  const int64_t three[] = {3};
  const Dim integers[] = {dims.Symbol("N"), Dim(-1), dims.Parse("2*N + 1").value()};
  EXPECT_EQ(json(analysis.values().Integers(ElementType::kI64, three, integers)), R"(["N", -1, "2*N + 1"])");
  const Boolean booleans[] = {{1}, {0}, {dims.IntegerSymbol("b")}};
  EXPECT_EQ(json(analysis.values().Booleans(three, booleans)), R"([true, false, "b"])");
  const Float floats[] = {Float::Of(0.5), Float{},
                          Float{.numerator = dims.Symbol("N"), .denominator = 2, .special = {}}};
  EXPECT_EQ(json(analysis.values().Floats(ElementType::kF64, three, floats)), R"([0.5, null, "(N)/2"])");
}

TEST(TypeJson, Symbols_WithFacts_AreWritten) {
  Analysis analysis;
  DimTable& dims = analysis.dims();
  const auto assume = [&](const char* text) {
    analysis.facts().Assert(ParseCondition(dims, text).value(), FactKind::kGiven, 1);
  };
  const Type type = ParseType(analysis, "f32[N, M, K, S, T, `batch size`, L, P]").value();
  dims.Symbol("N", "input x, axis 0");
  const Dim made = dims.Fresh();
  assume("M == N, K == 7, 1 <= S <= 4096, S % 8 == 0, T % 4 == 3, L == M");
  analysis.facts().Assert(Clause{AtMost(dims, made, dims.Parse("N*S").value())}, FactKind::kGiven, 1);
  assume("P >= N, P >= 3");

  SymbolCollector symbols(analysis, "node #0 (NonZero)");
  symbols.Mention(type);
  symbols.Mention(made);
  symbols.Mention(dims.IntegerSymbol("c"));
  const std::string json = Json([&](JsonWriter& j) { WriteSymbols(j, dims, symbols.Collect()); });
  const char* const expected =
      R"({"N": {"min": 0, "max": "P", "multiple_of": 1, "origin": "input x, axis 0"}, )"
      R"("M": {"equals": "N"}, )"
      R"("K": {"equals": 7}, )"
      R"("S": {"min": 8, "max": 4096, "multiple_of": 8}, )"
      R"("T": {"min": 3, "max": null, "multiple_of": 4, "remainder": 3}, )"
      R"("batch size": {"min": 0, "max": null, "multiple_of": 1}, )"
      R"("L": {"equals": "N"}, )"
      R"("P": {"min": 3, "max": null, "multiple_of": 1}, )"
      R"_("u1": {"min": 0, "max": "N*S", "multiple_of": 1, "origin": "node #0 (NonZero)"}, )_"
      R"("c": {"min": null, "max": null, "multiple_of": 1}})";
  EXPECT_EQ(json, expected);
}

TEST(TypeJson, Symbols_MentionedByFacts_AreListed) {
  Analysis analysis;
  DimTable& dims = analysis.dims();
  analysis.facts().Assert(ParseCondition(dims, "A == B").value(), FactKind::kGiven, 1);
  SymbolCollector symbols(analysis, "");
  symbols.Mention(dims.FindSymbol("B").value());
  const std::string json = Json([&](JsonWriter& j) { WriteSymbols(j, dims, symbols.Collect()); });
  EXPECT_EQ(json, R"({"B": {"equals": "A"}, "A": {"min": 0, "max": null, "multiple_of": 1}})");
}

TEST(TypeJson, Check_WithMessage_IsWritten) {
  Analysis analysis;
  Guard guard;
  guard.condition = ParseCondition(analysis.dims(), "N == M or N == 1").value();
  guard.message = "say \"N\"";
  EXPECT_EQ(Json([&](JsonWriter& json) { WriteGuard(json, analysis.dims(), guard, "add_1"); }),
            R"({"require": "N == M or N == 1", "message": "say \"N\"", "node": "add_1"})");
}

TEST(TypeJson, Diagnostic_WithAllFields_IsWritten) {
  Diagnostic plain;
  plain.code = Code::kSizeMismatch;
  plain.message = "2 is not 3";
  EXPECT_EQ(Json([&](JsonWriter& json) { WriteDiagnostic(json, plain); }),
            R"({"severity": "error", "code": "DW0102", "message": "2 is not 3", "notes": []})");
  Diagnostic full = plain;
  full.severity = Severity::kWarning;
  full.node = "encoder/qk";
  full.op = "onnx.MatMul";
  full.index = 118;
  full.sides = {{"A", "f32[2]", "from x"}, {"B", "f32[3]", ""}};
  full.notes = {"first", "second"};
  full.help = "make them equal";
  EXPECT_EQ(
      Json([&](JsonWriter& json) { WriteDiagnostic(json, full); }),
      R"({"severity": "warning", "code": "DW0102", "message": "2 is not 3", "node": "encoder/qk", )"
      R"("op": "onnx.MatMul", "index": 118, "sides": [{"role": "A", "value": "f32[2]", "reason": "from x"}, )"
      R"({"role": "B", "value": "f32[3]"}], "notes": ["first", "second"], "help": "make them equal"})");
}

}  // namespace
}  // namespace dimwise
