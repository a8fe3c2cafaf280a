// One run of a rule over what a sample tells, and the parts of the comparison that work on such runs.
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
  Truth would_succeed = Truth::kMaybe;  // where it was asked, before the run
  Status status;
  std::vector<Type> operands;  // with what the results taught of them
  std::vector<Type> results;
  std::vector<Value> contents;
  std::vector<Check> checks;

  // What d is by the sample's numbers, where they decide it.
  std::optional<int64_t> NumberOf(Dim d);
  // Whether it holds by the sample's numbers.
  Truth Holds(const Literal& literal);
  Truth Holds(const Condition& condition);
  // Whether the sample is one of those that the rule says to speak of (`assume`).
  bool MeetsAssumptions();
};

// Nothing where the sample cannot be told. With `from`, in both directions: its results are known beforehand.
enum class Question : uint8_t { kNotAsked, kAsked };
std::unique_ptr<SampleInference> Infer(const rules::Rule& rule, const OpDef& def, const Sample& sample,
                                       Question question, const SampleInference* from = nullptr);

std::string NameOfOperand(const OpDef& def, size_t i);  // "X", "inputs[1]"
std::string NameOfResult(const OpDef& def, size_t i);
std::string ListOf(std::span<const int64_t> sizes);  // "[2, ?]": below 0 it is not known

using Finding = std::optional<Disagreement>;
inline Disagreement Disagree(DisagreementKind kind, std::string finding) {
  return {kind, std::move(finding)};
}

// The sizes at run time against those that inference finds, both from numbers.
Finding CompareRunTime(const rules::Rule& rule, const OpDef& def, const Sample& numbers);
// The question whether a run would succeed against the run.
Finding CompareQuestion(const SampleInference& told);
// What inference learned, of the sample's symbols, against their numbers.
Finding CompareFacts(SampleInference& told, DisagreementKind kind);
// What the results with all numbers teach of the operands, of which inference is told what the sample tells,
// against what these are.
Finding CompareBackward(const rules::Rule& rule, const OpDef& def, const Sample& sample,
                        SampleInference& full);
// At most one form takes operands that are numbers.
Finding CompareForms(const rules::Rule& rule, const Sample& numbers, const SampleInference& full);
// The type and the contents of a result against what they are with all numbers. A symbol that inference left
// open turns out to be the number that it must be: it is added to the numbers of `told`.
Finding CompareResult(const std::string& name, SampleInference& told, const Type& told_type,
                      SampleInference& full, const Type& full_type);
Finding CompareContents(const std::string& name, SampleInference& told, Value told_value, Value full_value);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_INFERENCE_H_
