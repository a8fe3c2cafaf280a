#include "report/text/wrap.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(WrapTest, Message_WiderThanTerminal_BreaksAtSpaces) {
  const char* message =
      "error[DW0103]: MatMul multiplies 32 columns by 64 rows\n"
      "  --> m.onnx, node 'fc2'\n"
      "   |  A  'a' f32[N, 32]      from Relu '#1'\n"
      "  help: the two must be equal; see `dimwise explain`";
  EXPECT_EQ(Wrapped(message, 0), message);
  EXPECT_EQ(Wrapped(message, 60), message);
  EXPECT_EQ(Wrapped(message, 32),
            "error[DW0103]: MatMul multiplies\n"
            "  32 columns by 64 rows\n"
            "  --> m.onnx, node 'fc2'\n"
            "   |  A  'a' f32[N, 32]      from Relu '#1'\n"
            "  help: the two must be equal;\n"
            "        see `dimwise explain`");
}

TEST(WrapTest, Colors_TakeNoColumns) {
  EXPECT_EQ(Wrapped("a \x1b[1;31mred word\x1b[0m that is longer than the line", 30),
            "a \x1b[1;31mred word\x1b[0m that is longer than\n  the line");
}

TEST(WrapTest, Word_WiderThanTerminal_StaysWhole) {
  EXPECT_EQ(Wrapped("error: the file /a/very/long/path/to/a/model.onnx is missing\n", 30),
            "error: the file\n  /a/very/long/path/to/a/model.onnx\n  is missing\n");
  EXPECT_EQ(Wrapped("a narrow terminal", 5), "a narrow terminal");
}

}  // namespace
}  // namespace dimwise
