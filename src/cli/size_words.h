// Parses command-line words about sizes: `N=8`, `x=N,3,224,224`, `x[0]=batch`.
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

// The phrases with which an error message lists the inputs or symbols of a model.
struct Listed {
  std::string_view only;  // "the only input is"
  std::string_view all;   // "the inputs are"
  std::string_view none;  // "the model has no inputs"
};
inline constexpr Listed kInputs{"the only input is", "the inputs are", "the model has no inputs"};
inline constexpr Listed kSymbols{"the only symbol of the inputs is", "the symbols of the inputs are",
                                 "no size of an input is a symbol"};

// Returns "did you mean mask?", or the list of known names if none is similar or the name is too short.
std::string Suggestion(std::string_view name, const std::vector<std::string_view>& known,
                       const Listed& listed);

// The parts of "x=N,3". The name of an input may contain any character except '='. Errors quote `option`.
struct Assignment {
  std::string_view name, value;
};
Result<Assignment> TakeApart(std::string_view text, std::string_view option, std::string_view example);

// Returns a size, that is a number >= 0, or nothing.
std::optional<int64_t> SizeOf(std::string_view text);
// Returns a size, or an error that explains why the text is not a size. `word` is the whole word of the user.
Result<int64_t> ReadSize(std::string_view text, std::string_view word, std::string_view example);
// Returns whether the text consists of digits, however large the number is.
bool IsDigits(std::string_view text);

// Returns the input of that name. `word` is the whole word of the user.
Result<ValueId> FindInput(const Graph& graph, std::string_view name, std::string_view word);

// An axis of an input and its new size, from `x[0]=8` or `x[-1]=8`.
struct InputAxis {
  ValueId input = kNoValue;
  int axis = 0;
  std::string_view value;
};
// Returns whether `x[0]` denotes an axis, rather than an input of that name.
bool NamesAxis(const Graph& graph, std::string_view name);
// Parses `x[0]=8`, or one entry per axis from `x=8,3,224,224`; `_` keeps the size of an axis. Returns an
// error if the model has no such input or the input no such axis.
Result<std::vector<InputAxis>> ReadInputAxes(const Graph& graph, std::string_view text,
                                             const std::string& option, std::string_view example);

// Returns the symbols in the sizes of the inputs, without duplicates, in order of occurrence.
std::vector<Dim> SymbolsOfInputs(const Graph& graph);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SIZE_WORDS_H_
