#include "infer/context/check_facts.h"

#include "infer/error.h"

namespace dimwise {

Status CheckFacts(Analysis& analysis, std::string_view one, std::string_view two) {
  if (analysis.facts().constraint_count() == 0) return {};
  const std::optional<Contradiction> conflict = analysis.facts().FindContradiction(ScopeId::kRoot);
  if (!conflict) return {};
  if (conflict->first_text == conflict->second_text) {
    return Error(Code::kContradiction, "{} {}", conflict->first_text, one);
  }
  return Error(Code::kContradiction, "{} and {} {}", conflict->first_text, conflict->second_text, two);
}

}  // namespace dimwise
