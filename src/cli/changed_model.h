// A model that was changed: in its own format, in memory, read and inferred again, and written.
#ifndef DIMWISE_CLI_CHANGED_MODEL_H_
#define DIMWISE_CLI_CHANGED_MODEL_H_

#include <string>
#include <vector>

#include "cli/inferred_model.h"
#include "formats/onnx/onnx_editor.h"

namespace CLI {
class App;
}

namespace dimwise {

// What `set` and `generalize` take besides.
struct ChangeOptions {
  ModelOptions model;
  std::string output;  // a file, or "-"
};
void AddChangeOptions(CLI::App& command, ChangeOptions* options);

// The bytes of the model with other sizes; of a graph as text, the declarations of all its values.
MappedFile WithSizes(ModelFile& file, const OnnxEdits& sizes);

// Those errors of one model that another, of the same nodes, does not have.
std::vector<Diagnostic> NewErrors(const ModelReport& before, const ModelReport& after);

// Writes the model with every shape in it.
Status WriteChanged(InferredModel& model, const std::string& path);

// Writes the model and prints what it is now, in the form that --format asks for; the exit code.
int TellChanged(InferredModel& model, const ChangeOptions& options);

}  // namespace dimwise

#endif  // DIMWISE_CLI_CHANGED_MODEL_H_
