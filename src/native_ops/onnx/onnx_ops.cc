#include "native_ops/onnx/onnx_ops.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/text_pieces.h"
#include "dimwise/builtin.h"
#include "infer/operators/operands.h"

namespace dimwise {
namespace {

// Splits a text at the commas outside of brackets.
std::vector<std::string_view> Parts(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && std::string_view("([{").find(text[i]) != std::string_view::npos) ++depth;
    if (i < text.size() && std::string_view(")]}").find(text[i]) != std::string_view::npos) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    if (const std::string_view part = Trimmed(text.substr(begin, i - begin)); !part.empty())
      parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

// Returns "T" for "X: T"; "" if the type is not a variable.
std::string_view VariableOf(std::string_view arg) {
  const std::string_view type = Trimmed(arg.substr(std::min(arg.find(':') + 1, arg.size())));
  return type == "any" || ParseElementType(type) ? std::string_view() : type;
}

}  // namespace

void OnnxOps::Add(int since, std::string_view signature, std::string_view doc, Function* function) {
  const size_t arrow = signature.find(" -> ");
  const std::string_view left = signature.substr(0, arrow);
  const size_t open = left.find('(');
  std::string_view inputs = left.substr(open + 1, left.rfind(')') - open - 1);
  std::string_view attrs;
  if (const size_t semicolon = inputs.find(';'); semicolon != std::string_view::npos) {
    attrs = inputs.substr(semicolon + 1);
    inputs = inputs.substr(0, semicolon);
  }
  std::string_view outputs = Trimmed(signature.substr(arrow + 4));
  outputs = outputs.substr(1, outputs.size() - 2);

  OpDefBuilder def("onnx." + std::string(left.substr(0, open)));
  def.Since(since).Doc(doc);
  std::vector<std::string_view> declared;
  for (const std::string_view attr : Parts(attrs))
    declared.push_back(attr.substr(0, attr.find_first_of("?:")));
  // Type variables are the first attributes, because each node looks them up.
  const auto declare = [&](std::string_view variable) {
    if (variable.empty() || std::find(declared.begin(), declared.end(), variable) != declared.end()) return;
    def.Attr(std::string(variable) + "?: type");
    declared.push_back(variable);
  };
  for (const std::string_view arg : Parts(inputs)) {
    declare(VariableOf(arg));
    def.Input(arg);
  }
  for (const std::string_view arg : Parts(outputs)) {
    declare(VariableOf(arg));
    def.Output(arg);
  }
  for (const std::string_view attr : Parts(attrs)) def.Attr(attr);
  registry_.Register(def, [function](InferenceContext* c) -> Status {
    DIMWISE_RETURN_IF_ERROR(CheckOperands(c));
    return function(c);
  });
}

void RegisterOnnxFunctions(OpRegistryBuilder& registry) {
  OnnxOps ops(registry);
  AddEinsum(ops);
}

}  // namespace dimwise
