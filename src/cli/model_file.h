// A file with a model: which files there are, and one of them read, whatever its format.
#ifndef DIMWISE_CLI_MODEL_FILE_H_
#define DIMWISE_CLI_MODEL_FILE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/graph.h"
#include "dimwise/onnx.h"
#include "formats/mapped_file.h"

namespace dimwise {

// The formats that can be read, by the names that --from takes.
std::vector<std::string> ModelFormatNames();

// A model to be read: where it is, and what it is called below the folder that was asked for.
struct ModelPath {
  std::string path;   // "-" for standard input
  std::string below;  // "bert/encoder.onnx" of the folder models/
};

struct ModelPaths {
  std::vector<ModelPath> found;  // those of a folder by name
  bool several = false;          // a folder, or more than one path, was asked for
};

// A folder stands for the files in it, and in the folders below, whose names end as those of models do.
Result<ModelPaths> FindModels(const std::vector<std::string>& paths);

// A model that was read, with all that its graph looks at.
struct ModelFile {
  std::string path;    // as messages call it
  std::string format;  // "onnx"
  MappedFile contents;
  Analysis analysis;
  std::unique_ptr<OnnxModel> onnx;  // where it is one
  std::unique_ptr<Graph> text;      // where it is a graph as text
  std::vector<Diagnostic> findings;

  const Graph& graph() const { return onnx != nullptr ? onnx->graph : *text; }
  // Whether the reader knows that no two values of a region share a name.
  bool distinct_values() const { return onnx != nullptr && onnx->distinct_values; }
};

// An error where a file is named as models of another format are: a graph as text that is called x.onnx.
Status CheckNameFor(const ModelFile& file, const std::string& path);

// An error where the file cannot be read, or is of none of the formats; `from` overrides what its contents
// tell.
Result<std::unique_ptr<ModelFile>> ReadModel(const std::string& path, std::string_view from);
// The same of what is in memory; messages call it `path`.
Result<std::unique_ptr<ModelFile>> ReadModel(const std::string& path, MappedFile contents,
                                             std::string_view from);

}  // namespace dimwise

#endif  // DIMWISE_CLI_MODEL_FILE_H_
