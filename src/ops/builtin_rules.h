// The rule files that ship inside the library, as text: src/ops/<set>/*.shape, preludes first.
#ifndef DIMWISE_OPS_BUILTIN_RULES_H_
#define DIMWISE_OPS_BUILTIN_RULES_H_

#include <span>
#include <string_view>

namespace dimwise {

struct RuleText {
  std::string_view file;  // "onnx/conv.shape"
  std::string_view text;
};

std::span<const RuleText> BuiltinRuleTexts();

}  // namespace dimwise

#endif  // DIMWISE_OPS_BUILTIN_RULES_H_
