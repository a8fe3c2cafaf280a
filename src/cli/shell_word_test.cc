#include "cli/shell_word.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(ShellWordTest, Word_WithSpecialCharacters_IsQuoted) {
  const struct {
    std::string_view text, word;
  } kWords[] = {
      {"models/bert-v1.onnx", "models/bert-v1.onnx"},
      {"x=N,3,224,224", "x=N,3,224,224"},
      {"mod\xc3\xa8le.onnx", "mod\xc3\xa8le.onnx"},
      {"my model.onnx", "'my model.onnx'"},
      {"S <= 512, S % 8 == 0", "'S <= 512, S % 8 == 0'"},
      {"x[0]=4", "'x[0]=4'"},
      {"it's", "'it'\\''s'"},
      {"$HOME", "'$HOME'"},
      {"~", "'~'"},
      {"", "''"},
  };
  for (const auto& [text, word] : kWords) EXPECT_EQ(ShellWord(text), word);
}

}  // namespace
}  // namespace dimwise
