#include "rules/library.h"

#include <fmt/format.h>

#include "rules/mistake.h"
#include "rules/parser.h"

namespace dimwise::rules {

std::vector<Diagnostic> RuleLibrary::Load(std::string_view text, std::string_view file_name) {
  auto owned = std::make_unique<File>();
  std::vector<Diagnostic> mistakes = ParseAll(text, file_name, owned.get());
  const File& file = *owned;
  const Complain complain = [&](Position at, Code code, std::string message, std::string help) {
    return Mistake(file, at, code, std::move(message), std::move(help));
  };

  FunctionMap functions = functions_;
  for (const Function& f : file.functions) {
    if (functions.Find(f.name) != nullptr) {
      mistakes.push_back(Mistake(file, f.at, Code::kRuleDuplicate, fmt::format("there is a function '{}' already", f.name)));
      continue;
    }
    // Before it is known itself: a function calls only those declared before it.
    if (Status status = Compiler(functions, complain).Check(f); !status) mistakes.push_back(status.error());
    functions.Add(f);
  }
  auto templates = templates_;
  for (const Operator& op : file.operators) {
    if (!op.is_template) continue;
    for (const std::string& name : op.names) {
      if (!templates.emplace(name, &op).second) mistakes.push_back(Mistake(file, op.at, Code::kRuleDuplicate, fmt::format("there is a template '{}' already", name)));
    }
  }
  std::vector<Rule> rules;
  for (const Operator& op : file.operators) {
    const Operator* base = nullptr;
    if (!op.like.empty()) {
      const auto it = templates.find(op.like);
      if (it == templates.end()) {
        mistakes.push_back(Mistake(file, op.at, Code::kRuleName, fmt::format("there is no template '{}'", op.like)));
        continue;
      }
      base = it->second;
    }
    Result<RuleCode> code = Compiler(functions, complain).Compile(op, base);
    if (!code) {
      mistakes.push_back(code.error());
      continue;
    }
    if (op.is_template) continue;
    const auto shared = std::make_shared<const RuleCode>(std::move(*code));
    for (const std::string& name : op.names) rules.push_back({file.set, name, op.since, op.until, &op, base, owned.get(), shared});
  }
  if (!mistakes.empty()) return mistakes;
  functions_ = std::move(functions);
  templates_ = std::move(templates);
  for (Rule& r : rules) rules_.push_back(std::move(r));
  files_.push_back(std::move(owned));
  return {};
}

const Rule* RuleLibrary::Find(std::string_view full_name, int version) const {
  const Rule* best = nullptr;
  for (const Rule& r : rules_) {
    if (full_name.size() != r.set.size() + 1 + r.name.size() || !full_name.starts_with(r.set) || !full_name.ends_with(r.name)) continue;
    if (r.since > version || (r.until != 0 && version >= r.until)) continue;
    if (best == nullptr || r.since >= best->since) best = &r;
  }
  return best;
}

}  // namespace dimwise::rules
