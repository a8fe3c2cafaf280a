#include "rules/language/complete_signatures.h"

#include <gtest/gtest.h>

#include <string>

#include "rules/language/parser.h"
#include "rules/language/print.h"

namespace dimwise::rules {
namespace {

// Returns the only operator of a file with this text after `set my`, as it is printed.
std::string Completed(const std::string& text) {
  const Result<File> file = Parse("set my\n" + text, "test.shape");
  EXPECT_TRUE(file.has_value()) << ToString(file.error());
  return file && file->operators.size() == 1 ? Print(file->operators[0]) : "";
}

TEST(CompleteSignaturesTest, Alternative_OmittedArguments_AreThoseOfFirstSignature) {
  EXPECT_EQ(Completed("op A(X: T[n], Y: T[m], Z?: T[k]) -> (P: T[n], Q: T[m])\n"
                      "  | (Y: T[]) -> (Q: T[])\n"),
            "op A(X: T[n], Y: T[m], Z?: T[k]) -> (P: T[n], Q: T[m])\n"
            "  | (X: T[n], Y: T[], Z?: T[k]) -> (P: T[n], Q: T[])\n");
}

TEST(CompleteSignaturesTest, Alternative_OtherOrder_IsUnchanged) {
  const std::string text = "op A(X: T[n], Y: T[m]) -> (P: T[n])\n  | (Y: T[], X: T[]) -> (P: T[])\n";
  EXPECT_EQ(Completed(text), text);
}

TEST(CompleteSignaturesTest, Operand_ElementTypeAlone_HasAnyShape) {
  EXPECT_EQ(Completed("op A(X: T[n], Y: T, Z: f32, W: real) -> (P: T[n])\n"),
            "op A(X: T[n], Y: T[...], Z: f32[...], W: real[...]) -> (P: T[n])\n");
}

TEST(CompleteSignaturesTest, Operand_VariableOfWholeType_IsUnchanged) {
  EXPECT_EQ(Completed("op A(X: V) -> (P: V)\n"), "op A(X: V) -> (P: V)\n");
}

TEST(CompleteSignaturesTest, Operand_OfPartOfTypes_IsUnchanged) {
  EXPECT_EQ(Completed("type op A(X: T) -> (P: T)\n"), "type op A(X: T) -> (P: T)\n");
}

TEST(CompleteSignaturesTest, TypesOfFile_VariableOfOperator_AreAdded) {
  EXPECT_EQ(Completed("T, U: float | i32\nop A(X: T[n]) -> (P: T[n])\n"),
            "op A(X: T[n]) -> (P: T[n])\n  T: float | i32\n");
}

TEST(CompleteSignaturesTest, TypesOfFile_VariableRestrictedByOperator_AreNotAdded) {
  EXPECT_EQ(Completed("T: float\nop A(X: T[n]) -> (P: T[n])\n  T: int\n"),
            "op A(X: T[n]) -> (P: T[n])\n  T: int\n");
}

}  // namespace
}  // namespace dimwise::rules
