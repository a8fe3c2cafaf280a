#include "dimwise/builtin.h"

#include "dimwise/rule.h"
#include "infer/builtin_rules_library.h"
#include "infer/rule_function.h"

namespace dimwise {

void RegisterRules(OpRegistryBuilder& registry, const RuleSet& rules) {
  for (const rules::Rule& rule : rules.library().rules()) registry.Override(DefinitionOf(rule), ShapeFunctionOf(rule));
}

const OpRegistry& BuiltinRegistry() {
  static const OpRegistry registry = [] {
    OpRegistryBuilder functions;
    RegisterOnnxFunctions(functions);
    const OpRegistry in_cpp = functions.Build().value();
    OpRegistryBuilder all;
    all.Include(in_cpp);
    // An operator is a rule unless it is a function.
    for (const rules::Rule& rule : BuiltinRules().rules()) {
      if (in_cpp.Versions(rule.FullName()).empty()) all.Register(DefinitionOf(rule), ShapeFunctionOf(rule));
    }
    return all.Build().value();
  }();
  return registry;
}

}  // namespace dimwise
