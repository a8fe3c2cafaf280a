#include "infer/engine/condition_tests.h"

#include "infer/engine/trip_count.h"

namespace dimwise {
namespace {

// Adds a test, or both sides of one that is the less of two: min(N - 1, 1 - N) >= 0, which is written as
// N - 1 - 2*max(0, N - 1).
void AddTest(DimTable& dims, Dim test, std::vector<Dim>* tests) {
  for (size_t i = 0; i < dims.TermCount(test); ++i) {
    const Term term = dims.GetTerm(test, i);
    if (term.coefficient >= 0 || term.factors.size() != 1) continue;
    if (dims.Kind(term.factors[0]) != DimKind::kMaxZero) continue;
    const Dim excess = dims.Operands(term.factors[0])[0], times = term.coefficient;
    const Dim side = dims.Subtract(test, dims.Multiply(times, term.factors[0]));
    const Dim other = dims.Add(side, dims.Multiply(times, excess));
    if (side.is_none() || other.is_none()) break;
    AddTest(dims, side, tests);
    return AddTest(dims, other, tests);
  }
  tests->push_back(test);
}

}  // namespace

std::vector<Dim> ConditionTests::Of(DimTable& dims, Dim condition) {
  std::vector<Dim> tests;
  if (!condition.is_expression()) return tests;
  if (const auto known = found_.find(condition); known != found_.end()) return known->second;
  for (const Dim test : TestsOf(dims, condition).value_or(std::vector<Dim>())) AddTest(dims, test, &tests);
  found_[condition] = tests;
  return tests;
}

}  // namespace dimwise
