// LinearCode denotes a fixed list of instructions on integers, with trace conditions. If the conditions hold,
// the code computes what a rule computes for operands of a kind.
//
// It is compiled from interned expressions (core/dims/integer_code.h). Registers hold constants, or sizes
// that may be symbolic; a constant Dim has the bits of its number, so both are 64 bits. Overflow and division
// by 0 end the run like a condition that does not hold, and the caller evaluates the rule instead. It is
// known at compile time which inputs are symbolic. Instructions on constants only come first, and run as at
// run time.
//
// Thread safety: a LinearCode computes in its own memory; one thread at a time.
#ifndef DIMWISE_RULES_EVALUATE_LINEAR_CODE_H_
#define DIMWISE_RULES_EVALUATE_LINEAR_CODE_H_

#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "core/dims/integer_code.h"
#include "rules/evaluate/rule_host.h"

namespace dimwise::rules {

class LinearCode {
 public:
  using Register = TableIndex;

  // Returns the input registers, which come first: the bits of a Dim each.
  std::span<int64_t> inputs() { return {registers_.data(), input_count_}; }
  // Runs on constants. Returns false if a trace condition does not hold.
  bool Run() { return RunIntegerCode(code_, registers_.data()) == kRanThrough; }
  // Runs on sizes that may be symbolic. A comparison must be certain by given facts, without guards of other
  // nodes. An equality must follow from the form alone, because a rule may continue with either side.
  // REQUIRES: exactly the inputs that were symbolic at compile time are symbolic.
  bool Run(RuleHost& host);
  // REQUIRES: Run succeeded.
  int64_t at(Register r) const { return registers_[r]; }
  Dim size_at(Register r) const { return std::bit_cast<Dim>(registers_[r]); }
  bool empty() const { return code_.empty(); }

 private:
  friend class LinearCodeBuilder;
  void PutNumbersFirst(uint64_t symbolic);

  size_t input_count_ = 0;
  std::vector<int64_t> registers_;  // inputs, constants and results
  std::vector<Instruction> code_;   // a failed condition ends it with 1, or 2 if assumed facts do not count
  size_t number_code_ = 0;          // length of the part that computes constants from constants
  std::vector<Register> numbers_;   // registers computed by that part
};

// Compiles expressions, and runs the code at the same time on the recorded inputs.
class LinearCodeBuilder {
 public:
  // The expressions belong to `dims`. The host, if any, answers queries about symbolic inputs.
  LinearCodeBuilder(DimTable& dims, RuleHost* host) : dims_(dims), builder_(dims), host_(host) {}
  // Adds a symbol of the table as an input with its recorded value. REQUIRES: called before all other
  // methods.
  void Input(Dim symbol, Dim actual);
  // Returns the register that holds d. Returns nullopt if it contains a symbol that is no input, or integers
  // cannot compute it.
  std::optional<LinearCode::Register> Compute(Dim d);
  // If the literal certainly holds (or, with `holds` false, certainly does not), adds a trace condition and
  // returns true. With `as_given`, assumed facts do not count.
  bool Need(const Literal& literal, bool holds, bool as_given);
  // If the trusted facts leave the literal open, adds this as a trace condition and returns true.
  bool NeedOpen(const Literal& literal, FactFilter filter);
  // Returns the recorded value of a register.
  Dim size_at(LinearCode::Register r) const { return line_.size_at(r); }
  // `symbolic` has a bit for each symbolic input.
  LinearCode Finish(uint64_t symbolic) &&;

 private:
  std::optional<IntegerCodeBuilder::Sides> SidesOf(Dim d);
  bool RunNew();  // runs the instructions compiled since the last call
  bool Holds(const Instruction& trace_condition);
  bool AddCondition(const Instruction& trace_condition);  // if it holds

  DimTable& dims_;
  IntegerCodeBuilder builder_;
  RuleHost* host_;
  LinearCode line_;  // except its code
  size_t run_ = 0;   // number of instructions that have run
  std::set<std::tuple<IntegerOp, uint32_t, TableIndex, TableIndex>> trace_conditions_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_LINEAR_CODE_H_
