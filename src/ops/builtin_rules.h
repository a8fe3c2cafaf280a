// The texts of the built-in rule files, src/ops/<set>/*.shape. Preludes come first.
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
