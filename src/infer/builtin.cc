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
    // An operator is a rule unless it is a function. A rule is read when the operator is first asked for.
    for (const rules::RuleIndex::Entry& entry : BuiltinRules().entries()) {
      OpDef header;
      header.set = entry.set;
      header.name = entry.name;
      header.since = entry.since;
      if (entry.until != 0) header.until = entry.until;
      if (!in_cpp.Versions(header.FullName()).empty()) continue;
      all.RegisterLazily(std::move(header), [&entry] {
        const rules::Rule& rule = BuiltinRules().Load(entry);
        return OpRegistrationData{DefinitionOf(rule), ShapeFunctionOf(rule)};
      });
    }
    return all.Build().value();
  }();
  return registry;
}

}  // namespace dimwise
