#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/model_file.h"

namespace dimwise {
namespace {

// Returns the error for a file that begins with these bytes.
std::string ErrorFor(std::string_view bytes) {
  const std::string path = testing::TempDir() + "/foreign.onnx";
  std::ofstream(path, std::ios::binary) << bytes << std::string(100, ' ');
  const auto model = ReadModel(path, "");
  std::filesystem::remove(path);
  if (model) return "";
  const std::string& message = model.error().message;
  return message.substr(message.find("' is ") + 5) + ": " + model.error().help;
}

TEST(ForeignFormatTest, KnownFormat_GivenAsModel_SuggestsConversion) {
  EXPECT_EQ(ErrorFor("version https://git-lfs.github.com/spec/v1\noid sha256:bf0d\nsize 75209\n"),
            "a pointer of Git LFS, which stands for the model: `git lfs pull` puts the model in its place");
  EXPECT_EQ(ErrorFor("PK\3\4"),
            "a zip archive: unpack it; a checkpoint of PyTorch becomes an ONNX file by torch.onnx.export");
  EXPECT_EQ(ErrorFor("\x1f\x8b"), "compressed by gzip: `gunzip` it first");
  EXPECT_EQ(ErrorFor(std::string_view("\x18\0\0\0ORTM", 8)),
            "a model in ONNX Runtime's own format: give the .onnx file that it was made of");
  EXPECT_EQ(ErrorFor(std::string_view("\x1c\0\0\0TFL3", 8)),
            "a model of TensorFlow Lite: tf2onnx makes an ONNX file of it");
  const std::string give_onnx = ": give the model as an ONNX file";
  EXPECT_EQ(ErrorFor(std::string_view("{\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\"", 24)),
            "a safetensors file, which has weights and no graph" + give_onnx);
  EXPECT_EQ(
      ErrorFor("\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19."),
      "a pickle of Python, as PyTorch writes checkpoints: torch.onnx.export makes an ONNX file of the model");
  for (const std::string_view text : {"module {\n", "module @m {\n", "func.func @f(", "#map = affine_map<"}) {
    EXPECT_EQ(ErrorFor(text), "a program of MLIR, which is not read yet" + give_onnx) << text;
  }
  EXPECT_EQ(ErrorFor("{\"nodes\": []}"), "a JSON file" + give_onnx);
  EXPECT_EQ(ErrorFor("[1, 2]"), "a JSON file" + give_onnx);
  EXPECT_EQ(ErrorFor("<html><body>Not found</body></html>"),
            "a web page: what was downloaded is not the model: look at it in a browser");
}

TEST(ForeignFormatTest, UnknownFormat_GivenAsModel_ListsSupportedFormats) {
  EXPECT_EQ(ErrorFor("Lorem ipsum"),
            "a file of no format that is known: known are onnx, text; --from names one where the contents do "
            "not tell it");
}

}  // namespace
}  // namespace dimwise
