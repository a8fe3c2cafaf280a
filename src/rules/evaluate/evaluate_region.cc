// Evaluates the regions of an operator. The host infers a region for given operand types; the results of the
// region are matched like operands. If no host can inspect regions, as for a single operator or at run time,
// the bound names are unknown.
#include <fmt/format.h>

#include <algorithm>

#include "dimwise/result_macros.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

constexpr size_t kFirstRole = 0x3000;  // role of sizes passed to a region that are unknown

bool IsVariadic(const CompiledArgument& a) { return a.arity != Arity::kOne; }

}  // namespace

Status Evaluator::RunRegions(const CompiledSignature& signature) {
  if (host_ == nullptr || probing_ || application_->quiet) return {};
  size_t count = 1;  // number of operands of a variadic operand
  for (size_t i = 0; i < signature.operands.size(); ++i) {
    const Arity arity = signature.operands[i].arity;
    if (arity == Arity::kOneOrMore || arity == Arity::kAnyNumber) count = operand_ranges_[i].second;
  }
  for (size_t r = 0; r < code_->regions.size(); ++r) {
    const CompiledRegion& region = code_->regions[r];
    std::vector<Type> takes;
    for (const CompiledArgument& a : region.takes) {
      for (size_t index = 0; index < (IsVariadic(a) ? count : 1); ++index) {
        DIMWISE_ASSIGN_OR_RETURN(const Type type,
                                 BuildType(a.pattern, a, kFirstRole + takes.size() + 64 * r, index));
        takes.push_back(type);
      }
    }
    DIMWISE_ASSIGN_OR_RETURN(const std::optional<std::vector<Type>> gives,
                             host_->InferRegion(region.name, takes));
    if (!gives) continue;
    const bool open = std::ranges::any_of(region.gives, IsVariadic);
    const size_t fixed = region.gives.size() - (open ? 1 : 0);
    if (open ? gives->size() < fixed : gives->size() != fixed) {
      return Fail(Code::kArity, [&] {
        return fmt::format("the {} of {} gives {} values; {}{} are expected", region.name, application_->op,
                           gives->size(), open ? "at least " : "", fixed);
      });
    }
    size_t flat = 0;
    for (const CompiledArgument& a : region.gives) {
      const size_t values = IsVariadic(a) ? gives->size() - fixed : 1;
      for (size_t index = 0; index < values; ++index, ++flat) {
        DIMWISE_RETURN_IF_ERROR(MatchType(a, a.pattern, (*gives)[flat],
                                          static_cast<uint32_t>(kFirstRole + flat), IsVariadic(a), index));
      }
    }
    if (failed()) return TakeFailure();
  }
  return {};
}

}  // namespace dimwise::rules
