// Compiles the regions of an operator: the names that they bind, and their patterns.
#include <fmt/format.h>

#include <algorithm>

#include "dimwise/result_macros.h"
#include "rules/compile/compiler.h"

namespace dimwise::rules {
namespace {

bool HasEach(const TypePattern& p) {
  return p.each_element || std::ranges::any_of(p.shape, [](const ShapeItem& item) { return item.each; }) ||
         std::ranges::any_of(p.inside, HasEach);
}

}  // namespace

// The results of a region bind names like an operand. Its operands use known names like a result.
Status Compiler::DeclareRegions(const Operator& op, const std::set<std::string, std::less<>>& taken) {
  for (const Region& r : op.regions) {
    if (op.signatures.size() > 1) {
      return Fail(r.at, Code::kRuleSyntax, "a rule with a region has one form",
                  "express the difference with `if`");
    }
    if (!names_.emplace(r.name, Name{NameKind::kRegion, 0, ExprType::kInt, kNone, kNone}).second) {
      return Fail(r.at, Code::kRuleDuplicate, fmt::format("the name '{}' is declared twice", r.name));
    }
    for (const TypePattern& p : r.gives) DIMWISE_RETURN_IF_ERROR(DeclareItems(p, taken, kNone, HasEach(p)));
  }
  return {};
}

Status Compiler::CompileRegions(const Operator& op) {
  for (const Region& r : op.regions) {
    CompiledRegion& out = code_.regions.emplace_back();
    out.name = r.name;
    const auto compile = [&](const TypePattern& p, bool gives, std::vector<CompiledArgument>* all) -> Status {
      CompiledArgument a;
      a.name = fmt::format("{} {} of {}", gives ? "result" : "operand", all->size(), r.name);
      a.arity = HasEach(p) ? Arity::kOneOrMore : Arity::kOne;
      DIMWISE_ASSIGN_OR_RETURN(a.pattern, CompilePattern(p, /*result=*/!gives, HasEach(p)));
      all->push_back(std::move(a));
      return {};
    };
    for (const TypePattern& p : r.takes) DIMWISE_RETURN_IF_ERROR(compile(p, false, &out.takes));
    for (const TypePattern& p : r.gives) DIMWISE_RETURN_IF_ERROR(compile(p, true, &out.gives));
    const auto variadic = [](const CompiledArgument& a) { return a.arity != Arity::kOne; };
    if (std::ranges::count_if(out.gives, variadic) > 1) {
      return Fail(r.at, Code::kRuleSyntax, fmt::format("only one output of '{}' may have `each`", r.name));
    }
  }
  return {};
}

}  // namespace dimwise::rules
