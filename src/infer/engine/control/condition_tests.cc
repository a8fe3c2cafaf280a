#include "infer/engine/control/condition_tests.h"

#include "infer/engine/control/trip_count.h"

namespace dimwise {
namespace {

// Appends a test, or both operands if the test is a minimum: min(N - 1, 1 - N) >= 0 requires both. In normal
// form this minimum is N - 1 - 2*max(0, N - 1).
void AddTest(DimTable& dims, Dim test, std::vector<Dim>* tests) {
  for (size_t i = 0; i < dims.TermCount(test); ++i) {
    const Term term = dims.GetTerm(test, i);
    if (term.coefficient >= 0 || term.factors.size() != 1) continue;
    if (dims.Kind(term.factors[0]) != DimKind::kMaxZero) continue;
    const Dim excess = dims.Operands(term.factors[0])[0], factor = term.coefficient;
    const Dim first = dims.Subtract(test, dims.Multiply(factor, term.factors[0]));
    const Dim second = dims.Add(first, dims.Multiply(factor, excess));
    if (first.is_none() || second.is_none()) break;
    AddTest(dims, first, tests);
    return AddTest(dims, second, tests);
  }
  tests->push_back(test);
}

}  // namespace

std::vector<Dim> ConditionTests::Of(DimTable& dims, Dim condition) {
  std::vector<Dim> tests;
  if (!condition.is_expression()) return tests;
  if (const auto known = tests_.find(condition); known != tests_.end()) return known->second;
  for (const Dim test : TestsOf(dims, condition).value_or(std::vector<Dim>())) AddTest(dims, test, &tests);
  tests_[condition] = tests;
  return tests;
}

}  // namespace dimwise
