// A model that was read and inferred, with what the command line says of its inputs.
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

// An error where the model cannot be read, or --shape, --set or --assume speak of what it does not have. What
// is wrong with the model itself is in the report.
Result<InferredModel> InferModel(const ModelPath& path, const OpRegistry& registry,
                                 const ModelOptions& options);
Result<InferredModel> InferModel(std::unique_ptr<ModelFile> file, const OpRegistry& registry,
                                 const ModelOptions& options);

}  // namespace dimwise

#endif  // DIMWISE_CLI_INFERRED_MODEL_H_
