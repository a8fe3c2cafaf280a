// Options that name symbols and inputs of a model: `--rename batch=N` and `--allow-empty 'past_*'`.
#ifndef DIMWISE_CLI_INPUT_NAMES_H_
#define DIMWISE_CLI_INPUT_NAMES_H_

#include <span>
#include <string>
#include <vector>

#include "cli/model_file.h"

namespace dimwise {

// Applies words `batch=N`: renames a symbol in all types that the model declares.
Status RenameSymbols(const std::vector<std::string>& words, ModelFile& file);

// Returns the symbols that may be 0 because the inputs that match the patterns may be empty. A symbol that is
// also a whole size of another input is not one of them: batches stay nonempty if only the past may be empty.
// `types` are those of the inputs, in order.
Result<std::vector<Dim>> SymbolsAllowedEmpty(const std::vector<std::string>& patterns, const Graph& graph,
                                             std::span<const Type> types);

}  // namespace dimwise

#endif  // DIMWISE_CLI_INPUT_NAMES_H_
