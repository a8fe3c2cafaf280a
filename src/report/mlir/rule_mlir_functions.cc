#include "report/mlir/rule_mlir_functions.h"

#include <algorithm>
#include <vector>

namespace dimwise {
namespace {

constexpr std::string_view kStart = "func.func private ", kPrefix = "@dimwise.";

// Returns the text up to the first `end`, and removes both from *text.
std::string_view TakeUntil(std::string_view end, std::string_view* text) {
  const std::string_view taken = text->substr(0, text->find(end));
  text->remove_prefix(std::min(taken.size() + end.size(), text->size()));
  return taken;
}

// Reads a function from its text: @dimwise.NAME(%list: TYPE, ...) -> RESULT {...
MlirFunction ReadFunction(std::string_view text) {
  MlirFunction function;
  function.text = std::string(kStart) + std::string(text);
  text.remove_prefix(kPrefix.size());
  function.name = TakeUntil("(", &text);
  std::string_view parameters = TakeUntil(")", &text);
  while (!parameters.empty()) {
    TakeUntil(": ", &parameters);
    function.type += (function.type.empty() ? "" : ", ") + std::string(TakeUntil(", ", &parameters));
  }
  TakeUntil(" -> ", &text);
  function.type = "(" + function.type + ") -> " + std::string(TakeUntil(" {", &text));
  while (text.find(kPrefix) != std::string_view::npos) {
    TakeUntil(kPrefix, &text);
    function.called.emplace_back(TakeUntil("(", &text));
  }
  return function;
}

const std::vector<MlirFunction>& Functions() {
  static const std::vector<MlirFunction> functions = [] {
    std::vector<MlirFunction> all;
    std::string_view text = MlirFunctionsFile();
    TakeUntil(kStart, &text);
    while (!text.empty()) {
      std::string_view function = TakeUntil(kStart, &text);
      if (function.ends_with("\n\n")) function.remove_suffix(1);
      all.push_back(ReadFunction(function));
    }
    return all;
  }();
  return functions;
}

}  // namespace

const MlirFunction* FindMlirFunction(std::string_view name) {
  const auto it = std::ranges::find(Functions(), name, &MlirFunction::name);
  return it == Functions().end() ? nullptr : &*it;
}

std::string MlirFunctionTexts(const std::set<std::string, std::less<>>& names) {
  std::set<std::string, std::less<>> all;
  std::vector<std::string> open(names.begin(), names.end());
  while (!open.empty()) {
    const MlirFunction* function = FindMlirFunction(open.back());
    open.pop_back();
    if (function == nullptr || !all.insert(function->name).second) continue;
    open.insert(open.end(), function->called.begin(), function->called.end());
  }
  std::string out;
  for (const MlirFunction& function : Functions()) {
    if (all.contains(function.name)) out += "\n" + function.text;
  }
  return out;
}

}  // namespace dimwise
