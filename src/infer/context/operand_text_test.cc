#include "infer/context/operand_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "infer/context/sample_ops_testing.h"

namespace dimwise {
namespace {

// Prints the parsed operand: its type, and its contents in braces.
std::string PrintParsed(const std::string& word) {
  Analysis analysis;
  std::vector<std::byte> bytes;
  const Result<OpOperand> operand = ParseOperand(analysis, word, &bytes);
  if (!operand) return ToString(operand.error());
  if (!operand->given) return "not given";
  std::string text = ToString(analysis.dims(), operand->type);
  if (operand->value.is_none()) return text;
  text += " {";
  for (int64_t i = 0; i < operand->value.size(); ++i) {
    if (i > 0) text += ", ";
    const Dim integer = operand->value.Integer(i);
    text += integer.is_none() ? std::to_string(operand->value.FloatingPoint(i).constant().value_or(-1))
                              : analysis.dims().ToString(integer);
  }
  return text + "}";
}

TEST(OperandText, ParseOperand_TableOfTexts_GivesTypeAndContents) {
  struct Case {
    const char *word, *parsed;
  };
  const Case cases[] = {
      {"f32[N,3,224,224]", "f32[N, 3, 224, 224]"},
      {" float32[ (H+1)//2 ] ", "f32[(H + 1)//2]"},
      {"[N, 3]", "?[N, 3]"},
      {"f32[*]", "f32[*]"},
      {"f32[2, 3] csr", "f32[2, 3] csr"},
      {"seq(f32[N], length=T)", "seq(f32[N], length=T)"},
      {"f32[`a=b`]", "f32[`a=b`]"},
      {"none", "not given"},
      {"i64[2]={N,-1}", "i64[2] {N, -1}"},
      {"i64[2] = [N, max(N, 3)]", "i64[2] {N, max(N, 3)}"},
      {"i64[]=3", "i64[] {3}"},
      {"i64[]={3}", "i64[] {3}"},
      {"i64[0]={}", "i64[0] {}"},
      {"i64[2]={?, 1}", "i64[2] {u1, 1}"},
      {"f64[3]={1, 0.5, 1e2}", "f64[3] {1.000000, 0.500000, 100.000000}"},
      {"bool[2]={true, False}", "bool[2] {1, 0}"},
      {"string[2]={a, \"b, c\"}", "string[2]"},
      {"?[2]={1, 2}", "?[2] {1, 2}"},
      {"?[1]={0.5}", "?[1] {0.500000}"},
      {"i64[2]={1}",
       "error[DW0002]: 1 elements are given as contents of the shape [2], which has 2 in 'i64[2]={1}'"},
      {"i64[1]={0.5}", "error[DW0002]: element 0 of the contents is 0.5, which is no i64 in 'i64[1]={0.5}'"},
      {"i64[2]={1,,2}",
       "error[DW0004]: an element of the contents is empty in 'i64[2]={1,,2}'\n  help: contents are written "
       "{N, -1}, 3 or {true, ?}"},
      {"i64[]=",
       "error[DW0004]: contents are missing after '=' in 'i64[]='\n  help: contents are written {N, -1} or "
       "3"},
      {"f33[2]",
       "error[DW0004]: 'f33' is no element type at column 1 of 'f33[2]'\n  help: an element type is f32, "
       "i64, bool, string and "
       "so on, in any framework's spelling"},
  };
  for (const Case& c : cases) EXPECT_EQ(PrintParsed(c.word), c.parsed) << c.word;
}

std::string Attribute(const std::string& word) {
  AttrMap attrs;
  const OpDef& def = SampleRegistry().Find("test.Echo")->def;
  const Status status = ParseAttribute(def, word, &attrs);
  if (!status) return ToString(status.error());
  std::string text;
  for (const AttrEntry& entry : attrs)
    text += entry.name + ": " + std::string(KindName(entry.value.kind())) + " " + ToString(entry.value);
  return text;
}

TEST(OperandText, ParseAttribute_TableOfTexts_ConvertsToDeclaredKind) {
  struct Case {
    const char *word, *parsed;
  };
  const Case cases[] = {
      {"count=3", "count: int 3"},
      {"count = 3", "count: int 3"},
      {"flag=true", "flag: bool true"},
      {"flag=0", "flag: bool false"},
      {"ratio=0.5", "ratio: float 0.5"},
      {"ratio=1", "ratio: float 1.0"},
      {"mode=near", "mode: string \"near\""},
      {"mode=\"far\"", "mode: string \"far\""},
      {"sizes=2", "sizes: list(int) [2]"},
      {"sizes=2,-2", "sizes: list(int) [2, -2]"},
      {"sizes=[2, 3]", "sizes: list(int) [2, 3]"},
      {"sizes=[]", "sizes: list(int) []"},
      {"names=a,b", "names: list(string) [\"a\", \"b\"]"},
      {"names=\"a, b\",c", "names: list(string) [\"a, b\", \"c\"]"},
      {"type=f16", "type: type f16"},
      {"type=DT_HALF", "type: type f16"},
      {"box=[2, ?]", "box: shape [2, ?]"},
      {"data=i32[2]{1, 2}", "data: tensor i32[2]{1, 2}"},
      {"count=1.5", "error[DW0303]: attribute 'count' is of kind int; 1.5 is given\n  --> test.Echo"},
      {"count=-1", "error[DW0303]: attribute 'count' is at least 0; -1 is given\n  --> test.Echo"},
      {"mode=between",
       "error[DW0303]: attribute 'mode' is one of 'near', 'far'; \"between\" is given\n  --> test.Echo"},
      {"cuont=1", "error[DW0001]: test.Echo has no attribute 'cuont'\n  help: did you mean count?"},
      {"zzz=1",
       "error[DW0001]: test.Echo has no attribute 'zzz'\n  help: its attributes are flag, count, ratio, "
       "mode, sizes, names, box, data"},
  };
  for (const Case& c : cases) EXPECT_EQ(Attribute(c.word), c.parsed) << c.word;
}

TEST(OperandText, IsAttributeText_NameAndEquals_IsAttribute) {
  for (const char* word : {"axis=1", "axis =1", "_x=f32[2]", "strides=", " a9 = 1"})
    EXPECT_TRUE(IsAttributeText(word)) << word;
  for (const char* word :
       {"f32[N]", "i64[2]={1,2}", "none", "", "=", "9a=1", "seq(f32[2], length=2)", "?[2]=1"}) {
    EXPECT_FALSE(IsAttributeText(word)) << word;
  }
}

}  // namespace
}  // namespace dimwise
