// Writes a model with its inferred shapes in its own format. `infer`, `set` and `generalize` share it.
#ifndef DIMWISE_CLI_MODEL_OUTPUT_H_
#define DIMWISE_CLI_MODEL_OUTPUT_H_

#include <string>

#include "cli/inferred_model.h"

namespace CLI {
class App;
}

namespace dimwise {

struct OutputOptions {
  std::string external_data;   // "copy", "link" or "keep"; empty: the locations are changed
  bool keep_declared = false;  // the declared sizes of outputs stay
};
void AddOutputOptions(CLI::App& command, OutputOptions* options);

// Writes the model with the inferred shape of every value to the file `target`, whole or not at all. Returns
// an error if the copy would not find its external data. `source` is the file that the model was read from,
// or "-". `kept` are the sizes that --keep-declared keeps. The declarations of a text graph are changed.
Status WriteInferred(const InferredModel& model, const std::string& source, const std::string& target,
                     const OutputOptions& options, OutputSizes kept);

}  // namespace dimwise

#endif  // DIMWISE_CLI_MODEL_OUTPUT_H_
