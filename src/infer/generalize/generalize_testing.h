// Programs whose sizes become symbolic, with the expected changes.
#ifndef DIMWISE_INFER_GENERALIZE_GENERALIZE_TESTING_H_
#define DIMWISE_INFER_GENERALIZE_GENERALIZE_TESTING_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/generalize/generalize.h"

namespace dimwise {

// A program, the sizes of inputs that become symbols, and the changes.
struct GeneralizeCase {
  const char* inputs;
  const char* symbols;
  const char* body;
  const char* found;
};

std::span<const GeneralizeCase> GeneralizeCases();

// Returns the text of a program of the set onnx.
std::string ProgramText(std::string_view inputs, std::string_view body);
LoadProgram Loader(const std::string& text);
// Parses "x[0]=batch y[1]=seq".
std::vector<InputSymbol> Symbols(const Graph& graph, std::string_view words);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_GENERALIZE_TESTING_H_
