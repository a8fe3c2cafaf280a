#include "report/mlir/rule_mlir.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "report/mlir/rule_mlir_emitter.h"
#include "report/mlir/rule_mlir_functions.h"
#include "rules/language/mistake.h"
#include "rules/language/print.h"

namespace dimwise {
namespace {

using rules::CompiledAttribute;
using rules::Operator;
using rules::Rule;

// Returns whether positions in the declaration refer to the file of the rule. A template may be in another
// file.
bool InOwnFile(const Rule& rule) {
  if (rule.base == nullptr) return true;
  return std::ranges::any_of(rule.file->operators, [&](const Operator& op) { return &op == rule.base; });
}

Unexpected Refused(const Rule& rule, const MlirRefusal& refusal) {
  const std::string message = fmt::format("{}: {} has no counterpart in MLIR", rule.FullName(), refusal.what);
  const std::string help =
      refusal.why.empty() ? "" : fmt::format("{}; `dimwise op {}` infers it", refusal.why, rule.FullName());
  Diagnostic d;
  if (refusal.inside != nullptr && InOwnFile(rule)) {
    d = rules::Mistake(*rule.file, refusal.inside->at, Code::kNotSupported, message, help);
  } else {
    d.code = Code::kNotSupported;
    d.message = message;
    d.help = help;
  }
  return Unexpected(std::move(d));
}

// Returns the comment above the function, which documents its arguments.
std::string Head(const Rule& rule, const MlirModule& module) {
  std::string out = fmt::format("// {}", rule.FullName());
  const std::string_view doc = rule.declared->doc;
  if (!doc.empty()) out += fmt::format(": {}", doc.substr(0, doc.find('\n')));
  out += "\n";
  const Operator& op = rule.base != nullptr ? *rule.base : *rule.declared;
  for (size_t i = 0; i < op.attributes.size(); ++i) {
    const rules::Attribute& a = op.attributes[i];
    if (a.otherwise == nullptr || !module.arguments.contains({1, static_cast<int>(2 * i)})) continue;
    out += fmt::format("// {} is {} where it is not written\n", a.name, rules::Print(*a.otherwise));
  }
  if (!module.strings.empty()) {
    out += "// strings:";
    for (size_t i = 0; i < module.strings.size(); ++i)
      out += fmt::format("{} {} \"{}\"", i > 0 ? "," : "", i, module.strings[i]);
    out += ", -1 any other\n";
  }
  return out;
}

}  // namespace

Result<std::string> RuleMlir(const Rule& rule, const MlirOptions& options) {
  const std::vector<rules::CompiledSignature>& clauses = rule.code->signatures;
  if (!rule.code->regions.empty()) {
    return Refused(rule, {fmt::format("the region {}", rule.code->regions[0].name), "", nullptr});
  }
  for (const rules::CompiledArgument& a : clauses[0].operands) {
    if (a.count != rules::kNone)
      return Refused(
          rule, {fmt::format("the number of operands {} that an attribute defines", a.name), "", nullptr});
  }
  MlirModule module;
  std::vector<std::string> names, bodies;
  for (size_t i = 0; i < clauses.size(); ++i) {
    names.emplace_back();
    bodies.emplace_back();
    if (clauses.size() > 1 && !MlirEmitter::OverTensors(clauses[i])) continue;  // it does not apply to MLIR
    MlirEmitter emitter(rule, options, &module);
    if (!emitter.EmitClause(clauses[i])) return Refused(rule, emitter.refusal());
    names.back() = clauses.size() == 1 ? rule.FullName() : fmt::format("{}.{}", rule.FullName(), i + 1);
    bodies.back() = emitter.TakeText();
  }
  if (std::ranges::all_of(names, &std::string::empty))
    return Refused(rule, {"an operator over other values than tensors", "", nullptr});
  std::optional<MlirEmitter> choice;
  const auto arguments = [&] {
    std::vector<std::string> all;
    for (const auto& [place, argument] : module.arguments) all.push_back(argument);
    return all;
  };
  if (clauses.size() > 1) {
    const auto choose = [&] {
      choice.emplace(rule, options, &module);
      return choice->EmitChoice(names, arguments());
    };
    // Two passes: a case condition may use an argument that no clause uses.
    if (!choose() || !choose()) return Refused(rule, choice->refusal());
  }
  const std::vector<std::string> all = arguments();
  const std::vector<std::string_view> lists(MlirEmitter(rule, options, &module).ResultCount(), kMlirList);
  const std::string type = fmt::format("({}) -> ({})", fmt::join(all, ", "), fmt::join(lists, ", "));
  std::string out = Head(rule, module);
  if (clauses.size() > 1)
    out += fmt::format("func.func @{}{} {{\n{}}}\n\n", rule.FullName(), type, choice->TakeText());
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (names[i].empty()) continue;
    out += fmt::format("func.func {}@{}{} {{\n{}}}\n", clauses.size() > 1 ? "private " : "", names[i], type,
                       bodies[i]);
    if (i + 1 < clauses.size()) out += "\n";
  }
  return out + MlirFunctionTexts(module.functions);
}

}  // namespace dimwise
