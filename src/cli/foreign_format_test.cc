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
            "a Git LFS pointer, not the model itself: `git lfs pull` downloads the model");
  EXPECT_EQ(ErrorFor("PK\3\4"),
            "a zip archive: unpack it; torch.onnx.export converts a PyTorch checkpoint to ONNX");
  EXPECT_EQ(ErrorFor("\x1f\x8b"), "compressed by gzip: `gunzip` it first");
  EXPECT_EQ(ErrorFor(std::string_view("\x18\0\0\0ORTM", 8)),
            "a model in ONNX Runtime's own format: use the .onnx file from which it was made");
  EXPECT_EQ(ErrorFor(std::string_view("\x1c\0\0\0TFL3", 8)),
            "a TensorFlow Lite model: tf2onnx converts the model to ONNX");
  const std::string give_onnx = ": use the model as an ONNX file";
  EXPECT_EQ(ErrorFor(std::string_view("{\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\"", 24)),
            "a safetensors file, which contains weights but no graph" + give_onnx);
  EXPECT_EQ(ErrorFor("\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19."),
            "a Python pickle, such as a PyTorch checkpoint: torch.onnx.export converts the model to ONNX");
  for (const std::string_view text : {"module {\n", "module @m {\n", "func.func @f(", "#map = affine_map<"}) {
    EXPECT_EQ(ErrorFor(text), "an MLIR program, which Dimwise cannot read" + give_onnx) << text;
  }
  EXPECT_EQ(ErrorFor("{\"nodes\": []}"), "a JSON file" + give_onnx);
  EXPECT_EQ(ErrorFor("[1, 2]"), "a JSON file" + give_onnx);
  EXPECT_EQ(ErrorFor("<html><body>Not found</body></html>"),
            "a web page: the download is not the model; open the file in a browser");
}

TEST(ForeignFormatTest, UnknownFormat_GivenAsModel_ListsSupportedFormats) {
  EXPECT_EQ(ErrorFor("Lorem ipsum"),
            "unknown: known formats are onnx, text, tensorflow; --from selects one if the contents do not determine it");
}

}  // namespace
}  // namespace dimwise
