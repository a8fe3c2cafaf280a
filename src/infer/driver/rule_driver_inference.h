// An inference of a rule from a sample, and the comparisons that use such inferences.
#ifndef DIMWISE_INFER_DRIVER_RULE_DRIVER_INFERENCE_H_
#define DIMWISE_INFER_DRIVER_RULE_DRIVER_INFERENCE_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dimwise/inference_context.h"
#include "infer/driver/rule_driver_compare.h"

namespace dimwise {

struct SampleInference {
  Analysis analysis;
  SampleCall call;
  Truth would_succeed = Truth::kMaybe;  // the answer of the query before the run, if it was made
  Status status;
  std::vector<Type> operands;  // refined by the results
  std::vector<Type> results;
  std::vector<Value> contents;
  std::vector<Guard> guards;

  // Returns the value of `d` if the numbers of the sample determine it.
  std::optional<int64_t> NumberOf(Dim d);
  // Return whether the numbers of the sample satisfy the condition.
  Truth Holds(const Literal& literal);
  Truth Holds(const Condition& condition);
  // Returns whether the sample satisfies the assumptions of the rule (`assume`).
  bool MeetsAssumptions();
};

// Infers a sample. Returns null if the sample has no valid form for inference. If `from` is given, inference
// runs in both directions with the results of `from`.
enum class QueryKind : uint8_t { kNone, kSuccess };
std::unique_ptr<SampleInference> Infer(const rules::Rule& rule, const OpDef& def, const Sample& sample,
                                       QueryKind query, const SampleInference* from = nullptr);

std::string NameOfOperand(const OpDef& def, size_t i);  // "X", "inputs[1]"
std::string NameOfResult(const OpDef& def, size_t i);
std::string ListOf(std::span<const int64_t> sizes);  // "[2, ?]": negative sizes are unknown

using Finding = std::optional<Disagreement>;
inline Disagreement Disagree(DisagreementKind kind, std::string finding) {
  return {kind, std::move(finding)};
}

// Compares the sizes at run time with the inferred sizes; both start from numbers.
Finding CompareRunTime(const rules::Rule& rule, const OpDef& def, const Sample& numbers);
// Compares the query whether inference would succeed with its result.
Finding CompareQuery(const SampleInference& partial);
// Compares inferred facts about the sample's symbols with the numbers.
Finding CompareFacts(SampleInference& partial, DisagreementKind kind);
// Infers the operands from the sample and from results that are numbers, and compares them with the numbers.
Finding CompareBackward(const rules::Rule& rule, const OpDef& def, const Sample& sample,
                        SampleInference& full);
// Checks that at most one case accepts operands that are numbers.
Finding CompareForms(const rules::Rule& rule, const Sample& numbers, const SampleInference& full);
// Compares the type or the contents of a result with the reference. A symbol that inference introduced gets
// the number that it must have, which is added to the numbers of `partial`.
Finding CompareResult(const std::string& name, SampleInference& partial, const Type& partial_type,
                      SampleInference& full, const Type& full_type);
Finding CompareContents(const std::string& name, SampleInference& partial, Value partial_value,
                        Value full_value);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_INFERENCE_H_
