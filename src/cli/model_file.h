// Finds model files, and reads one of any supported format.
#ifndef DIMWISE_CLI_MODEL_FILE_H_
#define DIMWISE_CLI_MODEL_FILE_H_

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/graph.h"
#include "dimwise/onnx.h"
#include "dimwise/tensorflow.h"
#include "formats/mapped_file.h"

namespace dimwise {

// Returns the names of the formats that can be read, as --from accepts them.
std::vector<std::string> ModelFormatNames();

// A model to read: its path, and its path relative to the directory given by the user.
struct ModelPath {
  std::string path;   // "-" for standard input
  std::string below;  // "bert/encoder.onnx" in the directory models/
};

struct ModelPaths {
  std::vector<ModelPath> found;  // the models of a directory are sorted by name
  bool several = false;          // a directory or more than one path was given
  // Files of directories that may be models of other formats, by lower-case extension: {".pb", 3}.
  std::map<std::string, size_t> skipped = {};
};

// Finds the models. A directory contributes all files below it that have the file extension of a model, in
// lower or upper case. Hidden directories, whose names start with a dot, are not entered.
Result<ModelPaths> FindModels(const std::vector<std::string>& paths);

// Returns "3 files were skipped: 2 .pb, 1 .tflite", or "" if none was.
std::string SkippedText(const ModelPaths& paths);

// A model in memory, with everything that its graph refers to.
struct ModelFile {
  std::string path;    // as diagnostics print it
  std::string format;  // "onnx"
  MappedFile contents;
  Analysis analysis;
  std::unique_ptr<OnnxModel> onnx;  // null unless the format is ONNX
  std::unique_ptr<TensorFlowModel> tensorflow;  // null unless the format is TensorFlow
  std::unique_ptr<Graph> text;                  // null unless the format is a text graph
  std::vector<Diagnostic> findings;
  std::deque<std::vector<std::byte>> given_contents;  // bytes of contents that the user gives inputs

  Graph& graph() const {
    if (onnx != nullptr) return onnx->graph;
    return tensorflow != nullptr ? tensorflow->graph : *text;
  }
  // Returns an error if models of this format cannot be written.
  Status CheckWritable() const;
  // Returns whether the reader has established that no two values of a region share a name.
  bool distinct_values() const { return onnx != nullptr && onnx->distinct_values; }
};

// Returns an error if `path` has the extension of another format, such as x.onnx for a text graph.
Status CheckNameFor(const ModelFile& file, const std::string& path);

// Reads a model. Returns an error if the file cannot be read or its format is unknown. `from` names the
// format; if it is empty, the format is detected from the contents.
Result<std::unique_ptr<ModelFile>> ReadModel(const std::string& path, std::string_view from);
// Reads a model from memory. Diagnostics call it `path`.
Result<std::unique_ptr<ModelFile>> ReadModel(const std::string& path, MappedFile contents,
                                             std::string_view from);

}  // namespace dimwise

#endif  // DIMWISE_CLI_MODEL_FILE_H_
