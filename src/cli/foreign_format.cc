#include "cli/foreign_format.h"

#include <algorithm>

namespace dimwise {
namespace {

struct Signature {
  size_t offset;
  std::string_view bytes;
  ForeignFormat format;
};

using std::string_view_literals::operator""sv;

constexpr ForeignFormat kWebPage{"a web page", "the download is not the model; open the file in a browser"};
constexpr ForeignFormat kMlir{"an MLIR program, which Dimwise cannot read", "use the model as an ONNX file"};
constexpr ForeignFormat kPickle{"a Python pickle, such as a PyTorch checkpoint",
                                "torch.onnx.export converts the model to ONNX"};
constexpr ForeignFormat kJson{"a JSON file", "use the model as an ONNX file"};
constexpr std::string_view kExportFromKeras = "tf2onnx converts the model to ONNX";

constexpr Signature kSignatures[] = {
    {0,
     "version https://git-lfs.github.com/spec/"sv,
     {"a Git LFS pointer, not the model itself", "`git lfs pull` downloads the model"}},
    {0, "PK\3\4"sv, {"a zip archive", "unpack it; torch.onnx.export converts a PyTorch checkpoint to ONNX"}},
    {0, "\x1f\x8b"sv, {"compressed by gzip", "`gunzip` it first"}},
    {0, "\x28\xb5\x2f\xfd"sv, {"compressed by zstd", "`unzstd` it first"}},
    {4, "ORTM"sv, {"a model in ONNX Runtime's own format", "use the .onnx file from which it was made"}},
    {4, "TFL3"sv, {"a TensorFlow Lite model", kExportFromKeras}},
    {0, "\x89HDF"sv, {"an HDF5 file, such as a Keras model", kExportFromKeras}},
    {0, "GGUF"sv, {"a GGUF file, which contains weights but no graph", "use the model as an ONNX file"}},
    {8,
     "{\""sv,
     {"a safetensors file, which contains weights but no graph", "use the model as an ONNX file"}},
    {0, "\x80\2"sv, kPickle},
    {0, "\x80\3"sv, kPickle},
    {0, "\x80\4"sv, kPickle},
    {0, "\x80\5"sv, kPickle},
    {0, "module {"sv, kMlir},
    {0, "module @"sv, kMlir},
    {0, "module attributes"sv, kMlir},
    {0, "func.func"sv, kMlir},
    {0, "builtin.module"sv, kMlir},
    {0, "\"builtin.module\""sv, kMlir},
    {0, "#map"sv, kMlir},
    {0, "#loc"sv, kMlir},
    {0, "ML\xefR"sv, kMlir},
    {0, "{"sv, kJson},
    {0, "["sv, kJson},
    {0, "<!DOCTYPE"sv, kWebPage},
    {0, "<!doctype"sv, kWebPage},
    {0, "<html"sv, kWebPage},
};

}  // namespace

const ForeignFormat* FindForeignFormat(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto* found = std::ranges::find_if(kSignatures, [&](const Signature& s) {
    return text.size() >= s.offset && text.substr(s.offset).starts_with(s.bytes);
  });
  return found == std::end(kSignatures) ? nullptr : &found->format;
}

}  // namespace dimwise
