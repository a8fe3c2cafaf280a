#include "dimwise/diagnostic.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace dimwise {
namespace {

TEST(DiagnosticTest, ToString_AllFields_PrintsHeadPlaceSidesNotesHelp) {
  Diagnostic d;
  d.code = Code::kRequirement;
  d.message = "MatMul 'encoder/qk' multiplies 64 columns by 32 rows";
  d.node = "encoder/qk";
  d.op = "MatMul";
  d.index = 118;
  d.sides = {{"A", "'q'  f32[N, 12, S, 64]", "64 from Reshape 'q_heads'"},
             {"bias", "'k'  f32[N, 12, 32]", "32 from the weight 'wk' [768, 384], split into 12 heads"},
             {"C", "'mask'  bool[N]", ""}};
  d.notes = {"N is the first axis of input 'ids'", "S is the second"};
  d.help = "the two must be equal; `dimwise explain bert.onnx k[2]` shows where 32 comes from";
  EXPECT_EQ(ToString(d),
            R"(error[DW0103]: MatMul 'encoder/qk' multiplies 64 columns by 32 rows
  --> node 'encoder/qk' (#118)
   |  A     'q'  f32[N, 12, S, 64]    64 from Reshape 'q_heads'
   |  bias  'k'  f32[N, 12, 32]       32 from the weight 'wk' [768, 384], split into 12 heads
   |  C     'mask'  bool[N]
  note: N is the first axis of input 'ids'
  note: S is the second
  help: the two must be equal; `dimwise explain bert.onnx k[2]` shows where 32 comes from)");
}

TEST(DiagnosticTest, ToString_MessageOnly_PrintsHead) {
  Diagnostic d;
  d.code = Code::kBadUsage;
  d.message = "there is no option --formt";
  EXPECT_EQ(ToString(d), "error[DW0001]: there is no option --formt");
  d.severity = Severity::kWarning;
  EXPECT_EQ(ToString(d), "warning[DW0001]: there is no option --formt");
  d.severity = Severity::kNote;
  EXPECT_EQ(ToString(d), "note[DW0001]: there is no option --formt");
}

TEST(DiagnosticTest, ToString_NodeOpAndIndex_PrintsPlace) {
  const auto place = [](std::string node, std::string op, int64_t index) {
    Diagnostic d;
    d.message = "m";
    d.node = std::move(node);
    d.op = std::move(op);
    d.index = index;
    return ToString(d).substr(std::string("error[DW0002]: m").size());
  };
  EXPECT_EQ(place("", "", -1), "");
  EXPECT_EQ(place("x", "", -1), "\n  --> node 'x'");
  EXPECT_EQ(place("x", "onnx.Relu", 0), "\n  --> node 'x' (#0)");
  EXPECT_EQ(place("", "onnx.Relu", -1), "\n  --> onnx.Relu");
  EXPECT_EQ(place("", "onnx.Relu", 7), "\n  --> onnx.Relu (#7)");
  EXPECT_EQ(place("", "", 7), "\n  --> node (#7)");
}

TEST(DiagnosticTest, ToString_SidesWithNonAsciiNames_AlignsColumns) {
  Diagnostic d;
  d.message = "m";
  d.sides = {{"", "'größe' f32[2]", "one"}, {"", "'size' f32[3, 4]", "two"}};
  EXPECT_EQ(ToString(d),
            "error[DW0002]: m\n"
            "   |  'größe' f32[2]      one\n"
            "   |  'size' f32[3, 4]    two");
}

TEST(DiagnosticTest, ToString_ControlCharacters_AreEscaped) {
  Diagnostic d;
  d.message = "no tensor 'a\nb\x1b[31m\x7f'";
  d.node = "\x01";
  EXPECT_EQ(ToString(d), "error[DW0002]: no tensor 'a\\nb\\x1b[31m\\x7f'\n  --> node '\\x01'");
}

TEST(CodeTest, CodeName_RegisteredCode_IsDWAndFourDigits) {
  EXPECT_EQ(CodeName(Code::kBadUsage), "DW0001");
  EXPECT_EQ(CodeName(Code::kSizeMismatch), "DW0102");
  EXPECT_EQ(DescribeCode(Code::kSizeMismatch)->name, "size-mismatch");
  EXPECT_EQ(DescribeCode(static_cast<Code>(9999)), nullptr);
  EXPECT_EQ(DescribeCode(static_cast<Code>(0)), nullptr);
}

// Lists every code. The compiler warns about a missing code, and the test below then fails.
bool IsListed(Code code) {
  switch (code) {
    case Code::kBadUsage:
    case Code::kBadRequest:
    case Code::kUnknownOperator:
    case Code::kBadExpression:
    case Code::kNotSupported:
    case Code::kRankMismatch:
    case Code::kSizeMismatch:
    case Code::kRequirement:
    case Code::kBroadcast:
    case Code::kNegativeSize:
    case Code::kOverflow:
    case Code::kOutOfRange:
    case Code::kElementType:
    case Code::kContents:
    case Code::kElementCount:
    case Code::kHandleData:
    case Code::kDeclaredType:
    case Code::kUnknownShape:
    case Code::kAssumption:
    case Code::kSharedGuard:
    case Code::kContradiction:
    case Code::kEffort:
    case Code::kArity:
    case Code::kMissingAttribute:
    case Code::kBadAttribute:
    case Code::kBadDefinition:
    case Code::kDuplicateDefinition:
    case Code::kNoSuchVersion:
    case Code::kBadHandle:
    case Code::kRuleSyntax:
    case Code::kRuleName:
    case Code::kRuleType:
    case Code::kRuleLimit:
    case Code::kRuleDuplicate:
    case Code::kUnreadableFile:
    case Code::kDamagedFile:
    case Code::kMissingValue:
    case Code::kDuplicateName:
    case Code::kBadModel:
    case Code::kUnknownFormat:
    case Code::kNewerOpset:
    case Code::kGraphText:
      return true;
  }
  return false;
}

TEST(CodeTest, AllCodes_EachCode_HasAllTexts) {
  for (int number = 0; number < 10000; ++number) {
    const auto code = static_cast<Code>(number);
    EXPECT_EQ(DescribeCode(code) != nullptr, IsListed(code)) << CodeName(code);
  }
  std::set<std::string_view> names;
  for (const CodeInfo& info : AllCodes()) {
    const std::string name = CodeName(info.code);
    EXPECT_EQ(DescribeCode(info.code), &info) << name << " is out of order";
    EXPECT_TRUE(names.insert(info.name).second) << name;
    EXPECT_EQ(info.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << name;
    EXPECT_FALSE(info.name.empty()) << name;
    EXPECT_TRUE(info.meaning.ends_with('.')) << name;
    EXPECT_FALSE(info.example.empty()) << name;
    EXPECT_TRUE(info.way_out.ends_with('.')) << name;
  }
}

}  // namespace
}  // namespace dimwise
