// Runs a command over its models: several at a time, told in order, in the form that --format asks for.
#ifndef DIMWISE_CLI_MODEL_RUN_H_
#define DIMWISE_CLI_MODEL_RUN_H_

#include <functional>
#include <optional>
#include <string>

#include "cli/inferred_model.h"
#include "cli/model_options.h"
#include "report/models/models_table.h"

namespace dimwise {

// What a command tells of one model. In json and jsonl `out` is one object on one line; in sarif, the
// results.
struct Told {
  std::string out;  // data
  std::string err;  // all else
  int exit_code = 0;
  // For a person, of one among several models: a line of a table, in the place of `out`.
  std::optional<ModelRow> row = {};
  std::string title = {};  // likewise: what stands above `out` and says of which model it is
  // What kept the command from telling anything, in the place of all the others.
  std::optional<Diagnostic> failure = {};
};

Told Failed(Diagnostic failure);

// Where a model has errors and the command tells something else: the first of them in short, and the command
// that tells more. Otherwise nothing.
std::string ErrorInShort(const InferredModel& model, const ModelPath& path, const ModelOptions& options);

using TellModel = std::function<Told(const InferredModel& model, const ModelPath& path)>;

// Reads, infers and tells each model, and prints what is told; on a terminal a bar shows how far it is. The
// exit code is the worst: 2 where a model could not be read, although the others are told. What failed is
// told on standard error, and in the formats for machines as a finding of its model besides; but of one model
// alone, json and jsonl write nothing where nothing is known. `tell` is called from several threads.
//
// Of several models, for a person, `tell_all` has the last word: of how many, and how many of them failed.
using TellAll = std::function<Told(size_t models, size_t failed)>;
int RunOverModels(const ModelOptions& options, const TellModel& tell, const TellAll& tell_all = {});

}  // namespace dimwise

#endif  // DIMWISE_CLI_MODEL_RUN_H_
