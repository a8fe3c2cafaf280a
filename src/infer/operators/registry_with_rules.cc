#include "infer/operators/registry_with_rules.h"

#include <algorithm>
#include <memory>

#include "dimwise/inference_context.h"
#include "dimwise/rule.h"
#include "dimwise/shape_functions.h"
#include "infer/operators/rule_function.h"
#include "ops/rule_preludes.h"
#include "rules/compile/library.h"
#include "rules/language/print.h"

namespace dimwise {
namespace {

bool Serves(const rules::Rule& rule, int version) {
  return version >= rule.since && (rule.until == 0 || version < rule.until);
}

// Returns the parts that a rule defines, "storage" or "shape and storage"; empty for a complete rule.
std::string PartsOf(const rules::Rule& rule) {
  if (rule.Fills(rules::Part::kShape) && rule.Fills(rules::Part::kType)) return "";
  std::string parts;
  for (const rules::Part part : {rules::Part::kShape, rules::Part::kType, rules::Part::kStorage}) {
    if (rule.Fills(part)) parts += (parts.empty() ? "" : " and ") + std::string(rules::WordOf(part));
  }
  return parts;
}

// Replaces parts of the definitions with versions for which the rule is valid.
void ReplaceParts(const OpRegistry& base, const rules::Rule& rule, const ShapeFn& function,
                  OpRegistryBuilder* builder) {
  for (const OpRegistrationData& before : base.Versions(rule.FullName())) {
    if (!Serves(rule, before.def.since)) continue;
    ShapeFn both = [before = before.shape_fn, function](InferenceContext* c) {
      if (before) {
        if (Status status = before(c); !status) return status;
      }
      return function(c);
    };
    builder->Override(before.def, std::move(both), before.rule);
  }
}

// Replaces the definitions with versions for which the rule is valid.
void Replace(const OpRegistry& base, const rules::Rule& rule, const ShapeFn& function,
             OpRegistryBuilder* builder) {
  const OpDef def = DefinitionOf(rule);
  const std::string name = rule.FullName();
  std::vector<int> starts = {def.since};
  for (const OpRegistrationData& before : base.Versions(name)) {
    if (before.def.since != def.since && Serves(rule, before.def.since)) starts.push_back(before.def.since);
  }
  std::ranges::sort(starts);
  for (size_t i = 0; i < starts.size(); ++i) {
    OpDef at = def;
    at.since = starts[i];
    if (i + 1 < starts.size()) at.until.reset();  // the next definition replaces it
    builder->Override(std::move(at), function, &rule);
  }
  if (rule.until == 0) return;
  // After the end of the rule, the base definition is valid again.
  const OpRegistrationData* after = base.Find(name, rule.until);
  if (after == nullptr || after->def.since >= rule.until) return;
  OpDef rest = after->def;
  rest.since = rule.until;
  builder->Override(std::move(rest), after->shape_fn, after->rule);
}

}  // namespace

void RegisterRules(OpRegistryBuilder& registry, const RuleSet& rules) {
  for (const rules::Rule& rule : rules.library().rules())
    registry.Override(DefinitionOf(rule), ShapeFunctionOf(rule), &rule);
}

RegistryWithRules LoadRules(const OpRegistry& base, std::span<const RuleSource> sources) {
  RegistryWithRules loaded;
  const auto library = std::make_shared<rules::RuleLibrary>();
  LoadPreludes(library.get());
  const size_t own = library->rules().size();
  for (const RuleSource& source : sources) {
    std::vector<Diagnostic> mistakes = library->Load(source.text, source.file);
    std::ranges::move(mistakes, std::back_inserter(loaded.mistakes));
  }
  if (!loaded.mistakes.empty()) return loaded;

  OpRegistryBuilder builder;
  builder.Include(base);
  for (size_t i = own; i < library->rules().size(); ++i) {
    const rules::Rule& rule = library->rules()[i];
    const bool is_known = !base.Versions(rule.FullName()).empty();
    const std::string parts = PartsOf(rule);
    if (is_known) loaded.replaced.push_back({rule.file->name, rule.FullName(), parts});
    // The function keeps the library alive.
    if (is_known && !parts.empty()) {
      ReplaceParts(
          base, rule, [library, &rule](InferenceContext* c) { return ApplyRuleOver(rule, c); }, &builder);
    } else {
      Replace(
          base, rule, [library, &rule](InferenceContext* c) { return ApplyRule(rule, c); }, &builder);
    }
  }
  Result<OpRegistry> registry = builder.Build();
  if (registry) {
    loaded.registry = *std::move(registry);
  } else {
    loaded.mistakes.push_back(registry.error());
  }
  return loaded;
}

}  // namespace dimwise
