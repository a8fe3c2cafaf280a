// A registry with further rules, as `--rules` and whoever embeds the library load them.
//
// A rule takes the place of the operators of its name, in all the versions that it serves: one without
// `since` and `until` in every version. A rule of some parts only (`storage op`) takes the place of those
// parts. The functions of the preludes (src/ops/<set>/prelude.shape) can be called.
#ifndef DIMWISE_INFER_OPERATORS_REGISTRY_WITH_RULES_H_
#define DIMWISE_INFER_OPERATORS_REGISTRY_WITH_RULES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/op_registry.h"

namespace dimwise {

struct RuleSource {
  std::string file;  // as messages call it
  std::string text;
};

struct RegistryWithRules {
  OpRegistry registry;  // holds the rules for as long as a copy of it lives
  struct Replaced {
    std::string file, op;  // "my.shape", "onnx.Relu"
    std::string parts;     // "storage" where it is not all of it, "shape and type"
  };
  std::vector<Replaced> replaced;
  std::vector<Diagnostic> mistakes;  // where there is one, the registry is empty
};

RegistryWithRules LoadRules(const OpRegistry& base, std::span<const RuleSource> sources);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_REGISTRY_WITH_RULES_H_
