// Words of the command line that speak of sizes: `N=8`, `x=N,3,224,224`, `x[0]=batch`.
#ifndef DIMWISE_CLI_SIZE_WORDS_H_
#define DIMWISE_CLI_SIZE_WORDS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/graph.h"

namespace dimwise {

Unexpected BadUsage(std::string message, std::string help);

// "did you mean x?", or what there is.
std::string Suggestion(std::string_view name, const std::vector<std::string_view>& known,
                       std::string_view kind);

// "x=N,3" apart. The name of an input may hold any letter but '='. `option` is what messages call the place
// of the word.
struct Assignment {
  std::string_view name, value;
};
Result<Assignment> TakeApart(std::string_view text, std::string_view option, std::string_view example);

// A size: a number >= 0.
std::optional<int64_t> SizeOf(std::string_view text);

// The input of that name. `word` is the whole of what the user wrote.
Result<ValueId> FindInput(const Graph& graph, std::string_view name, std::string_view word);

// `x[0]=8` and `x[-1]=8`: an axis of an input, and what it shall be.
struct InputAxis {
  ValueId input = kNoValue;
  int axis = 0;
  std::string_view value;
};
// Of `x[0]=8`, or each axis of `x=8,3,224,224`; _ leaves one as it is. An error where the model has no such
// input, the input no such axis, or more of them.
Result<std::vector<InputAxis>> ReadInputAxes(const Graph& graph, std::string_view text,
                                             std::string_view example);

// The symbols of the inputs' sizes, each once, in order.
std::vector<Dim> SymbolsOfInputs(const Graph& graph);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SIZE_WORDS_H_
