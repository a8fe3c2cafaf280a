#include "report/models/models_table.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

std::vector<ModelRow> Rows() {
  ModelRow bert{"bert.onnx", {}, 2, 0};
  bert.stats = {.nodes = 672, .values = 1200, .ranked = 1200, .constant = 800, .symbolic = 400, .unknown = 0};
  ModelRow deep{"some/folder/with/a/long/name/resnet.onnx", {}, 0, 1};
  deep.stats = {.nodes = 12345, .values = 7, .ranked = 6, .constant = 6, .symbolic = 0, .unknown = 1};
  return {bert, deep};
}

TEST(ModelsTableTest, Table_AnyNumbers_AlignsColumns) {
  EXPECT_EQ(
      ModelsTable(Rows(), 0, Colour::kNever),
      "model                                     nodes  values  static  symbolic  unknown  guards  errors\n"
      "bert.onnx                                   672    1200     800       400        0       2       0\n"
      "some/folder/with/a/long/name/resnet.onnx  12345       7       6         0        1       0       1\n"
      "2 models                                  13017    1207     806       400        1       2       1\n");
}

TEST(ModelsTableTest, Table_NarrowTerminal_ShortensNames) {
  EXPECT_EQ(ModelsTable(Rows(), 80, Colour::kNever),
            "model                   nodes  values  static  symbolic  unknown  guards  errors\n"
            "bert.onnx                 672    1200     800       400        0       2       0\n"
            "some/fol../resnet.onnx  12345       7       6         0        1       0       1\n"
            "2 models                13017    1207     806       400        1       2       1\n");
}

TEST(ModelsTableTest, Table_WithErrors_IsRed) {
  const std::string text = ModelsTable(Rows(), 0, Colour::kAlways);
  EXPECT_NE(text.find("\x1b[1;33m        1\x1b[0m"), std::string::npos);
  EXPECT_NE(text.find("\x1b[1;31m       1\x1b[0m"), std::string::npos);
}

}  // namespace
}  // namespace dimwise
