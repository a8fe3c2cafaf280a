// A registry extended by further rules, as loaded by `--rules` and by programs that embed the library.
//
// A rule replaces the operators of its name in all versions for which it is valid; without `since` and
// `until`, in every version. A rule for some parts only (`storage op`) replaces these parts. Rules can call
// the functions of the preludes (src/ops/<set>/prelude.shape).
#ifndef DIMWISE_INFER_OPERATORS_REGISTRY_WITH_RULES_H_
#define DIMWISE_INFER_OPERATORS_REGISTRY_WITH_RULES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/op_registry.h"

namespace dimwise {

struct RuleSource {
  std::string file;  // the name in messages
  std::string text;
};

struct RegistryWithRules {
  OpRegistry registry;  // keeps the rules alive as long as a copy of it exists
  struct Replaced {
    std::string file, op;  // "my.shape", "my.Op"
    std::string parts;     // the replaced parts, "shape and type"; empty if all
  };
  std::vector<Replaced> replaced;
  std::vector<Diagnostic> mistakes;  // if there are errors, the registry is empty
};

RegistryWithRules LoadRules(const OpRegistry& base, std::span<const RuleSource> sources);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_REGISTRY_WITH_RULES_H_
