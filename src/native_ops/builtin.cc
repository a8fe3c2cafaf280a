#include "dimwise/builtin.h"

#include <utility>

#include "infer/operators/builtin_rules_library.h"
#include "infer/operators/rule_function.h"
#include "native_ops/onnx/larger_contents.h"
#include "native_ops/onnx/short_sequences.h"

namespace dimwise {

const OpRegistry& BuiltinRegistry() {
  // Never destroyed: the process ends anyway.
  static const OpRegistry* const registry = [] {
    OpRegistryBuilder all;
    // Operators are rules, unless only a C++ function can express them. A rule is parsed on the first use of
    // its operator.
    RegisterOnnxFunctions(all);
    for (const rules::RuleIndex::Entry& entry : BuiltinRules().entries()) {
      OpDef header;
      header.set = entry.set;
      header.name = entry.name;
      header.since = entry.since;
      if (entry.until != 0) header.until = entry.until;
      all.RegisterLazily(std::move(header), [&entry] {
        const rules::Rule& rule = BuiltinRules().Load(entry);
        ShapeFn function = WithShortSequences(entry.name, ShapeFunctionOf(rule));
        return OpRegistrationData{DefinitionOf(rule), WithLargerContents(entry.name, std::move(function)),
                                  &rule};
      });
    }
    return new OpRegistry(std::move(all).Build().value());
  }();
  return *registry;
}

}  // namespace dimwise
