#include "cli/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "cli/foreign_format.h"
#include "core/base/failure.h"
#include "core/types/known_parts.h"
#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/result_macros.h"

namespace dimwise {
namespace {

namespace fs = std::filesystem;

struct Format {
  std::string_view name;
  std::string_view extension;
  bool (*looks_like)(std::span<const std::byte> bytes);
  Status (*read)(ModelFile& file);
};

Status ReadAsOnnx(ModelFile& file) {
  DIMWISE_ASSIGN_OR_RETURN(file.onnx, ReadOnnx(file.contents.bytes(), file.analysis));
  file.findings = std::move(file.onnx->findings);
  return {};
}

// Operators of rule files given by --rules are unknown here: each counts as having one result.
Status ReadAsTensorFlow(ModelFile& file) {
  DIMWISE_ASSIGN_OR_RETURN(file.tensorflow,
                           ReadGraphDef(file.contents.bytes(), file.analysis, BuiltinRegistry()));
  file.findings = std::move(file.tensorflow->findings);
  return {};
}

std::string_view TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Returns whether the first word outside comments begins a text graph.
bool LooksLikeText(std::span<const std::byte> bytes) {
  std::string_view text = TextOf(bytes);
  while (!text.empty()) {
    const size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    text.remove_prefix(start);
    if (!text.starts_with('#')) break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n("));
  return word == "graph" || word == "opset" || word == "function";
}

// Gives the sizes of inputs their origin, as the ONNX reader does. An unnamed size is called <input>_d<axis>.
void NameInputSizes(Graph& graph) {
  DimTable& dims = graph.analysis().dims();
  for (const ValueId input : graph.inputs(graph.body())) {
    Type type = graph.declared(input);
    if (!IsRanked(type)) continue;
    std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      if (!sizes[axis].is_expression() || dims.Kind(sizes[axis]) != DimKind::kSymbol) continue;
      const SymbolInfo info = dims.GetSymbol(sizes[axis]);
      const std::string origin = fmt::format("input {}, axis {}", graph.name(input), axis);
      sizes[axis] = info.of_user
                        ? dims.Symbol(info.name, origin)
                        : dims.NamelessSymbol(fmt::format("{}_d{}", graph.name(input), axis), origin);
    }
    type.shape = graph.analysis().shapes().Make(sizes);
    graph.Declare(input, type);
  }
}

Status ReadAsText(ModelFile& file) {
  DIMWISE_ASSIGN_OR_RETURN(file.text, ParseGraph(file.analysis, TextOf(file.contents.bytes()), file.path));
  NameInputSizes(*file.text);
  return {};
}

constexpr Format kFormats[] = {
    {"onnx", ".onnx", &LooksLikeOnnx, &ReadAsOnnx},
    {"text", ".graph", &LooksLikeText, &ReadAsText},
    {"tensorflow", ".pb", &LooksLikeGraphDef, &ReadAsTensorFlow},
};

Unexpected Unreadable(const std::string& path, std::string_view why) {
  return Failure(Code::kUnreadableFile, fmt::format("cannot read '{}': {}", path, why));
}

Result<const Format*> FormatOf(const std::string& path, std::span<const std::byte> bytes,
                               std::string_view from) {
  Diagnostic diagnostic;
  diagnostic.code = Code::kUnknownFormat;
  if (bytes.empty()) {
    diagnostic.message = fmt::format("'{}' is empty", path);
    diagnostic.help = "the program that wrote the model may have failed";
    return Unexpected(std::move(diagnostic));
  }
  for (const Format& format : kFormats) {
    if (from.empty() ? format.looks_like(bytes) : format.name == from) return &format;
  }
  if (const ForeignFormat* foreign = FindForeignFormat(bytes)) {
    diagnostic.message = fmt::format("'{}' is {}", path, foreign->what);
    diagnostic.help = foreign->help;
    return Unexpected(std::move(diagnostic));
  }
  diagnostic.message = fmt::format("the format of '{}' is unknown", path);
  diagnostic.help =
      fmt::format("known formats are {}; --from selects one if the contents do not determine it",
                  fmt::join(ModelFormatNames(), ", "));
  return Unexpected(std::move(diagnostic));
}

// Extensions of models in other formats.
constexpr std::string_view kOtherModels[] = {
    ".pbtxt", ".ort", ".tflite", ".h5",          ".hdf5", ".keras", ".pt",
    ".pth",   ".pt2", ".ckpt",   ".safetensors", ".gguf", ".mlir",  ".mlmodel",
};

std::string LowerExtensionOf(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

// Returns whether a file that is named like a model is one. The extension .pb is also used for single tensors
// and by other programs, so the contents decide.
bool HoldsModel(const std::string& path, std::string_view extension) {
  if (extension != ".pb") return true;
  const Result<MappedFile> contents = MappedFile::Open(path);
  return contents &&
         std::ranges::any_of(kFormats, [&](const Format& f) { return f.looks_like(contents->bytes()); });
}

Status FindBelow(const std::string& folder, ModelPaths* paths) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_directory(error) && it->path().filename().string().starts_with('.')) {
      it.disable_recursion_pending();
    }
    if (!it->is_regular_file(error)) continue;
    const std::string extension = LowerExtensionOf(it->path());
    const bool is_named = std::ranges::find(kFormats, extension, &Format::extension) != std::end(kFormats);
    if (is_named && HoldsModel(it->path().string(), extension)) {
      files.push_back(it->path());
    } else if (is_named || std::ranges::find(kOtherModels, extension) != std::end(kOtherModels)) {
      ++paths->skipped[extension];
    }
  }
  if (error) return Unreadable(folder, error.message());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    paths->found.push_back({file.string(), file.lexically_relative(folder).string()});
  }
  return {};
}

}  // namespace

std::vector<std::string> ModelFormatNames() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

Result<ModelPaths> FindModels(const std::vector<std::string>& paths) {
  if (std::ranges::count(paths, "-") > 1) {
    return Failure(Code::kBadUsage, "standard input, -, can be read only once");
  }
  ModelPaths all;
  all.several = paths.size() > 1;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path != "-" && fs::is_directory(path, error)) {
      all.several = true;
      DIMWISE_RETURN_IF_ERROR(FindBelow(path, &all));
    } else {
      all.found.push_back({path, fs::path(path).filename().string()});
    }
  }
  if (!all.found.empty()) return all;
  const std::string skipped = SkippedText(all);
  return Failure(Code::kUnreadableFile,
                 fmt::format("cannot read '{}': the folder contains no model", paths[0]),
                 skipped.empty() ? "files named .onnx and .graph are read; hidden folders are not entered"
                                 : skipped + "; a file that is given by its path is read");
}

std::string SkippedText(const ModelPaths& paths) {
  size_t total = 0;
  std::vector<std::string> kinds;
  for (const auto& [extension, count] : paths.skipped) {
    total += count;
    kinds.push_back(fmt::format("{} {}", count, extension));
  }
  if (total == 0) return {};
  return fmt::format("{} skipped: {}", total == 1 ? "1 file was" : fmt::format("{} files were", total),
                     fmt::join(kinds, ", "));
}

Status ModelFile::CheckWritable() const {
  if (tensorflow == nullptr) return {};
  return Failure(Code::kNotSupported,
                 fmt::format("'{}' is a TensorFlow graph, which cannot be written yet", path),
                 "`dimwise show --text` prints the graph with its shapes as text");
}

Status CheckNameFor(const ModelFile& file, const std::string& path) {
  DIMWISE_RETURN_IF_ERROR(file.CheckWritable());
  const std::string extension = LowerExtensionOf(path);
  const auto* named = std::ranges::find(kFormats, extension, &Format::extension);
  if (named == std::end(kFormats) || named->name == file.format) return {};
  const auto* own = std::ranges::find(kFormats, file.format, &Format::name);
  return Failure(Code::kBadUsage,
                 fmt::format("'{}' has the format {}, and cannot be written as {} to '{}'", file.path,
                             file.format, named->name, path),
                 fmt::format("use the name {}", fs::path(path).replace_extension(own->extension).string()));
}

Result<std::unique_ptr<ModelFile>> ReadModel(const std::string& path, std::string_view from) {
  DIMWISE_ASSIGN_OR_RETURN(MappedFile contents, MappedFile::Open(path));
  return ReadModel(path == "-" ? "standard input" : path, std::move(contents), from);
}

Result<std::unique_ptr<ModelFile>> ReadModel(const std::string& path, MappedFile contents,
                                             std::string_view from) {
  auto file = std::make_unique<ModelFile>();
  file->path = path;
  file->contents = std::move(contents);
  DIMWISE_ASSIGN_OR_RETURN(const Format* format, FormatOf(file->path, file->contents.bytes(), from));
  file->format = format->name;
  if (Status status = format->read(*file); !status) {
    Diagnostic error = std::move(status.error());
    if (error.source.file.empty()) error.source.file = file->path;
    return Unexpected(std::move(error));
  }
  return file;
}

}  // namespace dimwise
