#include "rules/compile/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "core/base/nearest_name.h"
#include "rules/language/expand_groups.h"
#include "rules/language/mistake.h"
#include "rules/language/parser.h"
#include "rules/language/print.h"

namespace dimwise::rules {

namespace {

bool MentionsStorage(const RuleCode& code) {
  const auto mentions = [](const CompiledArgument& a) {
    return a.pattern.storage.is_known() || a.pattern.storage_variable != kNone;
  };
  return std::ranges::any_of(code.signatures, [&](const CompiledSignature& s) {
    return std::ranges::any_of(s.operands, mentions) || std::ranges::any_of(s.results, mentions);
  });
}

// An `op` defines all parts, except the storage if it does not mention storages.
bool PartFills(Part part, const RuleCode& code, Part what) {
  return part == what || (part == Part::kAll && (what != Part::kStorage || MentionsStorage(code)));
}

std::string ArgumentsText(const std::vector<CompiledArgument>& arguments) {
  static constexpr std::string_view kMarks[] = {"", "?", "+", "*"};
  std::string text = "(";
  for (const CompiledArgument& a : arguments) {
    text += fmt::format("{}{}{}", text.size() > 1 ? ", " : "", a.name, kMarks[static_cast<size_t>(a.arity)]);
  }
  return text + ")";
}

// Returns the position of a rule's name among the names of its declaration.
Position NameAt(const Rule& rule) {
  const std::vector<std::string>& names = rule.declared->names;
  const auto last = std::ranges::find(names.rbegin(), names.rend(), rule.name);
  return rule.declared->names_at[static_cast<size_t>(names.rend() - last - 1)];
}

std::string PartName(Part part) { return part == Part::kAll ? "rule" : fmt::format("{} rule", WordOf(part)); }

}  // namespace

bool Rule::Fills(Part what) const {
  return PartFills(part, *code, what) ||
         std::ranges::any_of(more, [&](const RulePart& p) { return PartFills(p.part, *p.code, what); });
}

Result<Rule*> RuleLibrary::RuleToJoin(const Rule& part, std::vector<Rule>& now, const Complain& complain) {
  const auto same = [&](const Rule& r) {
    return r.set == part.set && r.name == part.name && r.since == part.since && r.until == part.until &&
           (r.part != Part::kAll || part.part != Part::kAll);
  };
  Rule* found = nullptr;
  if (const auto it = std::ranges::find_if(now, same); it != now.end()) found = &*it;
  if (const auto it = std::ranges::find_if(rules_, same); found == nullptr && it != rules_.end())
    found = &*it;
  const Position at = part.declared->at;
  if (found == nullptr) {
    const auto again = std::ranges::find_if(now, [&](const Rule& r) {
      return r.set == part.set && r.name == part.name && r.since == part.since && r.part == part.part;
    });
    if (again == now.end()) return nullptr;
    return Unexpected(
        complain(NameAt(part), Code::kRuleDuplicate,
                 fmt::format("'{}' is declared already, at line {}", part.name, NameAt(*again).line),
                 "remove one, rename one, or give it a version of its own: `since N`"));
  }
  for (const Part what : {Part::kShape, Part::kType, Part::kStorage}) {
    if (!found->Fills(what) || !PartFills(part.part, *part.code, what)) continue;
    return Unexpected(complain(at, Code::kRuleDuplicate,
                               fmt::format("the {} of '{}' has a rule already", WordOf(what), part.name),
                               ""));
  }
  const CompiledSignature &a = found->code->signatures[0], &b = part.code->signatures[0];
  for (const auto& [first, second, noun] :
       {std::tuple(&a.operands, &b.operands, "operands"), std::tuple(&a.results, &b.results, "results")}) {
    const std::string one = ArgumentsText(*first), two = ArgumentsText(*second);
    if (one == two) continue;
    return Unexpected(complain(at, Code::kRuleName,
                               fmt::format("the {} of '{}' has the {} {}, and its {} {}", PartName(part.part),
                                           part.name, noun, two, PartName(found->part), one),
                               "the parts of an operator have the same arguments, in the same order"));
  }
  for (const CompiledAttribute& attribute : part.code->attributes) {
    const auto differs = [&](const CompiledAttribute& other) {
      return other.name == attribute.name && other.kind != attribute.kind;
    };
    bool other_kind = std::ranges::any_of(found->code->attributes, differs);
    for (const RulePart& p : found->more) other_kind |= std::ranges::any_of(p.code->attributes, differs);
    if (other_kind)
      return Unexpected(complain(at, Code::kRuleType,
                                 fmt::format("the attribute '{}' of '{}' has another kind in another part",
                                             attribute.name, part.name),
                                 ""));
  }
  return found;
}

// The run time only needs the shape, so the shape comes first.
void JoinPart(const Rule& part, Rule* rule) {
  if (part.part != Part::kShape && part.part != Part::kAll) {
    rule->more.push_back({part.part, part.declared, part.base, part.code});
    return;
  }
  rule->more.insert(rule->more.begin(), {rule->part, rule->declared, rule->base, rule->code});
  rule->part = part.part;
  rule->declared = part.declared;
  rule->file = part.file;
  rule->base = part.base;
  rule->code = part.code;
}

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
      mistakes.push_back(
          Mistake(file, f.at, Code::kRuleDuplicate, fmt::format("there is a function '{}' already", f.name)));
      continue;
    }
    // Checked before it is added: a function calls only functions declared before it.
    if (Status status = Compiler(functions, complain).Check(f); !status) mistakes.push_back(status.error());
    functions.Add(f);
  }
  // A template hides one of the same name in a file that was loaded before.
  auto templates = templates_;
  std::set<std::string_view> own_templates;
  for (const Operator& op : file.operators) {
    if (!op.is_template) continue;
    for (const std::string& name : op.names) {
      templates[name] = &op;
      if (!own_templates.insert(name).second)
        mistakes.push_back(Mistake(file, op.at, Code::kRuleDuplicate,
                                   fmt::format("there is a template '{}' already", name)));
    }
  }
  const auto first = std::ranges::find(file.operators, false, &Operator::is_template);
  if (file.set.empty() && mistakes.empty() && first != file.operators.end()) {
    mistakes.push_back(Mistake(file, first->at, Code::kRuleName,
                               fmt::format("the file does not name the set of '{}'", first->names[0]),
                               "begin the file with `set NAME`, as in `set my`"));
  }
  std::vector<Rule> rules;
  std::vector<std::pair<Rule*, Rule>> further;  // parts of rules that existed before
  const auto find_template = [&](std::string_view name) {
    const auto it = templates.find(name);
    return it == templates.end() ? nullptr : it->second;
  };
  for (Operator& op : owned->operators) {
    if (op.IsGroup()) continue;
    if (const auto mistake = ExpandGroups(op, find_template)) {
      mistakes.push_back(Mistake(file, mistake->at, Code::kRuleName, mistake->message));
      continue;
    }
    const Operator* base = nullptr;
    if (!op.like.empty()) {
      const auto it = templates.find(op.like);
      if (it == templates.end()) {
        std::vector<std::string_view> known;
        for (const auto& [name, declared] : templates) known.push_back(name);
        const std::string_view near = NearestName(op.like, known);
        mistakes.push_back(Mistake(file, op.like_at, Code::kRuleName,
                                   fmt::format("there is no template '{}'", op.like),
                                   near.empty() ? "" : fmt::format("did you mean '{}'?", near)));
        continue;
      }
      base = it->second;
      if (base->IsGroup()) {
        mistakes.push_back(Mistake(file, op.like_at, Code::kRuleName,
                                   fmt::format("the template '{}' has no operands", op.like),
                                   fmt::format("include it by a statement: with {}", op.like)));
        continue;
      }
    }
    Result<RuleCode> code = Compiler(functions, complain).Compile(op, base);
    if (!code) {
      mistakes.push_back(code.error());
      continue;
    }
    if (op.is_template) continue;
    const auto shared = std::make_shared<const RuleCode>(std::move(*code));
    for (const std::string& name : op.names) {
      Rule rule{file.set, name, op.since, op.until, &op, base, owned.get(), shared, op.part, {}};
      Result<Rule*> whole = RuleToJoin(rule, rules, complain);
      if (!whole) {
        mistakes.push_back(whole.error());
      } else if (*whole == nullptr) {
        rules.push_back(std::move(rule));
      } else if (!rules.empty() && *whole >= rules.data() && *whole < rules.data() + rules.size()) {
        JoinPart(rule, *whole);
      } else {
        further.push_back({*whole, std::move(rule)});
      }
    }
  }
  if (!mistakes.empty()) return mistakes;
  functions_ = std::move(functions);
  templates_ = std::move(templates);
  for (Rule& r : rules) rules_.push_back(std::move(r));
  for (const auto& [whole, part] : further) JoinPart(part, whole);
  files_.push_back(std::move(owned));
  return {};
}

const Rule* RuleLibrary::Find(std::string_view full_name, int version) const {
  const Rule* best = nullptr;
  for (const Rule& r : rules_) {
    if (full_name.size() != r.set.size() + 1 + r.name.size() || !full_name.starts_with(r.set) ||
        !full_name.ends_with(r.name))
      continue;
    if (r.since > version || (r.until != 0 && version >= r.until)) continue;
    if (best == nullptr || r.since >= best->since) best = &r;
  }
  return best;
}

}  // namespace dimwise::rules
