// A cache of traces for frequent kinds of operands. Rules are applied to few kinds many times, and much of
// the result does not depend on the sizes.
//
// A kind consists of a rule, its version, its attributes, and the kind of a trace (trace.h). A trace
// gives the same results as the rule. There is no trace for results with an error, a guard or a fact, or with
// contents other than integers and copied floats.
//
// Thread safety: one thread at a time.
#ifndef DIMWISE_RULES_EVALUATE_TRACE_CACHE_H_
#define DIMWISE_RULES_EVALUATE_TRACE_CACHE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

class Trace;

class TraceCache {
 public:
  TraceCache();
  ~TraceCache();
  TraceCache& operator=(TraceCache&& other) noexcept;

  // Computes the results and their contents, in equal number, by a trace. Returns false if no trace matches.
  // Queries the host, but adds no requirements.
  bool Apply(const RuleCode& code, std::span<const Operand> operands, const AttrMap& attrs, int version,
             RuleHost& host, std::span<Type> results, std::span<Value> contents);
  // Notes that the rule has computed exactly these results. If such operands are frequent, records a trace.
  void Learn(const RuleCode& code, const Application& application, const AttrMap& attrs,
             const Outcome& outcome, RuleHost& host, Evaluator* evaluator);

 private:
  struct OfRule;
  static bool Agrees(Trace& trace, const RuleCode& code, const Application& a, const Outcome& outcome,
                     RuleHost& host);

  std::vector<std::unique_ptr<OfRule>> rules_;  // by the ID of the code
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_TRACE_CACHE_H_
