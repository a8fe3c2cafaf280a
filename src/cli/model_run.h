// Runs a command over its models: several at a time, printed in order, in the form that --format selects.
#ifndef DIMWISE_CLI_MODEL_RUN_H_
#define DIMWISE_CLI_MODEL_RUN_H_

#include <functional>
#include <optional>
#include <string>

#include "cli/inferred_model.h"
#include "cli/model_options.h"
#include "report/models/models_table.h"

namespace dimwise {

// The output of a command for one model. In json and jsonl `out` is one object on one line; in sarif it is
// the list of results.
struct CommandOutput {
  std::string out;  // data
  std::string err;  // messages
  int exit_code = 0;
  // In the human format and with several models: a row of a table, printed instead of `out`.
  std::optional<ModelRow> row = {};
  // In the human format and with several models: the heading of `out`, which names the model.
  std::string title = {};
  // The error that left the command without output. If it is set, all other fields are ignored.
  std::optional<Diagnostic> failure = {};
};

CommandOutput Failed(Diagnostic failure);

// Returns the first error of the model in short, with the command that lists all errors. Returns "" if the
// model has no errors. For commands whose output does not list findings.
std::string ErrorInShort(const InferredModel& model, const ModelPath& path, const ModelOptions& options);

using RenderModel = std::function<CommandOutput(const InferredModel& model, const ModelPath& path)>;
// Renders the totals of all models. `failed` models could not be read.
using RenderSummary = std::function<CommandOutput(size_t models, size_t failed)>;

// Reads, infers and renders each model, and prints the output. On a terminal a progress bar is shown. Returns
// the worst exit code: 2 if a model could not be read, although the other models are printed.
//
// A failure is printed on standard error. The machine-readable formats also contain it as a finding of its
// model, except for a single model in json or jsonl. `render` is called from several threads.
// `render_summary` is called once, in the human format.
int RunOverModels(const ModelOptions& options, const RenderModel& render,
                  const RenderSummary& render_summary = {});

}  // namespace dimwise

#endif  // DIMWISE_CLI_MODEL_RUN_H_
