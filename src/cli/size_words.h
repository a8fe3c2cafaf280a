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

// How things of a model are listed.
struct Listed {
  std::string_view only;  // "the only input is"
  std::string_view all;   // "the inputs are"
  std::string_view none;  // "the model has no inputs"
};
inline constexpr Listed kInputs{"the only input is", "the inputs are", "the model has no inputs"};
inline constexpr Listed kSymbols{"the only symbol of the inputs is", "the symbols of the inputs are",
                                 "no size of an input is a symbol"};

// "did you mean mask?"; or what there is, where nothing is near or a name is too short to be misspelt.
std::string Suggestion(std::string_view name, const std::vector<std::string_view>& known,
                       const Listed& listed);

// "x=N,3" apart. The name of an input may hold any letter but '='. `option` is what messages call the place
// of the word.
struct Assignment {
  std::string_view name, value;
};
Result<Assignment> TakeApart(std::string_view text, std::string_view option, std::string_view example);

// A size: a number >= 0.
std::optional<int64_t> SizeOf(std::string_view text);
// The same, or an error that says why it is none. `word` is the whole of what the user wrote.
Result<int64_t> ReadSize(std::string_view text, std::string_view word, std::string_view example);
// Whether it is written as one, however large.
bool IsDigits(std::string_view text);

// The input of that name. `word` is the whole of what the user wrote.
Result<ValueId> FindInput(const Graph& graph, std::string_view name, std::string_view word);

// `x[0]=8` and `x[-1]=8`: an axis of an input, and what it shall be.
struct InputAxis {
  ValueId input = kNoValue;
  int axis = 0;
  std::string_view value;
};
// Whether `x[0]` is an axis of an input, and not the name of one.
bool NamesAxis(const Graph& graph, std::string_view name);
// Of `x[0]=8`, or each axis of `x=8,3,224,224`; _ leaves one as it is. An error where the model has no such
// input, the input no such axis, or more of them.
Result<std::vector<InputAxis>> ReadInputAxes(const Graph& graph, std::string_view text,
                                             const std::string& option, std::string_view example);

// The symbols of the inputs' sizes, each once, in order.
std::vector<Dim> SymbolsOfInputs(const Graph& graph);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SIZE_WORDS_H_
