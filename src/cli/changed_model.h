// The part that `set` and `generalize` share: edits a model in its own format in memory, and writes it.
#ifndef DIMWISE_CLI_CHANGED_MODEL_H_
#define DIMWISE_CLI_CHANGED_MODEL_H_

#include <string>
#include <vector>

#include "cli/inferred_model.h"
#include "cli/model_output.h"
#include "formats/onnx/onnx_editor.h"

namespace CLI {
class App;
}

namespace dimwise {

// The options that `set` and `generalize` add to those of a model.
struct ChangeOptions {
  ModelOptions model;
  std::string output;  // a file, or "-"
  OutputOptions writing;
};
void AddChangeOptions(CLI::App& command, ChangeOptions* options);

// Returns the bytes of the model with other sizes. In a text graph the declarations of all values change.
MappedFile WithSizes(ModelFile& file, const OnnxEdits& sizes);

// Returns the errors of `after` that `before` does not have. Both reports are about the same nodes.
std::vector<Diagnostic> NewErrors(const ModelReport& before, const ModelReport& after);

// Writes the model with the inferred shape of every value.
Status WriteChanged(const InferredModel& model, const ChangeOptions& options);

// Writes the model and prints a summary in the format that --format selects. Returns the exit code.
int WriteAndReport(const InferredModel& model, const ChangeOptions& options);

}  // namespace dimwise

#endif  // DIMWISE_CLI_CHANGED_MODEL_H_
