// Reads a model and infers it, after applying the sizes and assumptions of the command line to its inputs.
#ifndef DIMWISE_CLI_INFERRED_MODEL_H_
#define DIMWISE_CLI_INFERRED_MODEL_H_

#include <memory>

#include "cli/model_file.h"
#include "cli/model_options.h"
#include "dimwise/inference.h"
#include "report/models/model_report.h"

namespace dimwise {

struct InferredModel {
  std::unique_ptr<ModelFile> file;
  std::unique_ptr<Inference> inference;
  std::unique_ptr<ModelReport> report;
};

// Returns an error if the model cannot be read, or if --shape, --set or --assume name something that it does
// not have. Errors in the model itself are in the report.
Result<InferredModel> InferModel(const ModelPath& path, const OpRegistry& registry,
                                 const ModelOptions& options);
Result<InferredModel> InferModel(std::unique_ptr<ModelFile> file, const OpRegistry& registry,
                                 const ModelOptions& options);

}  // namespace dimwise

#endif  // DIMWISE_CLI_INFERRED_MODEL_H_
