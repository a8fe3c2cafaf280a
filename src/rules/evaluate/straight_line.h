// A StraightLine denotes linear code: a fixed list of instructions on integers, and trace conditions. If the
// conditions hold, the code computes what a rule computes for operands of a kind.
//
// It is compiled from interned expressions (core/dims/integer_code.h). Registers hold constants, or sizes
// that may be symbolic; a constant Dim has the bits of its number, so both are 64 bits. Overflow and division
// by 0 end the run like a condition that does not hold, and the caller evaluates the rule instead. It is
// known at compile time which inputs are symbolic. Instructions on constants only come first, and run as at
// run time.
//
// Thread safety: a StraightLine computes in its own memory; one thread at a time.
#ifndef DIMWISE_RULES_EVALUATE_STRAIGHT_LINE_H_
#define DIMWISE_RULES_EVALUATE_STRAIGHT_LINE_H_

#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "core/dims/integer_code.h"
#include "rules/evaluate/site.h"

namespace dimwise::rules {

class StraightLine {
 public:
  using Register = TablePlace;

  // Returns the input registers, which come first: the bits of a Dim each.
  std::span<int64_t> inputs() { return {registers_.data(), input_count_}; }
  // Runs on constants. Returns false if a trace condition does not hold.
  bool Run() { return RunIntegerCode(code_, registers_.data()) == kRanThrough; }
  // Runs on sizes that may be symbolic. A comparison must be certain by given facts, without guards of other
  // nodes. An equality must follow from the form alone, because a rule may continue with either side.
  // REQUIRES: exactly the inputs that were symbolic at compile time are symbolic.
  bool Run(Site& site);
  // REQUIRES: Run succeeded.
  int64_t at(Register r) const { return registers_[r]; }
  Dim size_at(Register r) const { return std::bit_cast<Dim>(registers_[r]); }
  bool empty() const { return code_.empty(); }

 private:
  friend class StraightLineBuilder;
  void PutNumbersFirst(uint64_t symbolic);

  size_t input_count_ = 0;
  std::vector<int64_t> registers_;  // inputs, constants and results
  std::vector<Instruction> code_;   // a failed condition ends it with 1, or 2 if assumed facts do not count
  size_t number_code_ = 0;          // length of the part that computes constants from constants
  std::vector<Register> numbers_;   // registers computed by that part
};

// Compiles expressions, and runs the code at the same time on the recorded inputs.
class StraightLineBuilder {
 public:
  // The expressions belong to `dims`. The host, if any, answers queries about symbolic inputs.
  StraightLineBuilder(DimTable& dims, Site* site) : dims_(dims), builder_(dims), site_(site) {}
  // Adds a symbol of the table as an input with its recorded value. REQUIRES: called before all other
  // methods.
  void Input(Dim symbol, Dim actual);
  // Returns the register that holds d. Returns nullopt if it contains a symbol that is no input, or integers
  // cannot compute it.
  std::optional<StraightLine::Register> Compute(Dim d);
  // If the literal certainly holds (or, with `holds` false, certainly does not), adds a trace condition and
  // returns true. With `as_given`, assumed facts do not count.
  bool Need(const Literal& literal, bool holds, bool as_given);
  // If the trusted facts leave the literal open, adds this as a trace condition and returns true.
  bool NeedOpen(const Literal& literal, Trust trust);
  // Returns the recorded value of a register.
  Dim size_at(StraightLine::Register r) const { return line_.size_at(r); }
  // `symbolic` has a bit for each symbolic input.
  StraightLine Finish(uint64_t symbolic) &&;

 private:
  std::optional<IntegerCodeBuilder::Sides> SidesOf(Dim d);
  bool RunNew();  // runs the instructions compiled since the last call
  bool Holds(const Instruction& guard);
  bool Keep(const Instruction& guard);  // if it holds

  DimTable& dims_;
  IntegerCodeBuilder builder_;
  Site* site_;
  StraightLine line_;  // except its code
  size_t run_ = 0;     // number of instructions that have run
  std::set<std::tuple<IntegerOp, uint32_t, TablePlace, TablePlace>> guards_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_STRAIGHT_LINE_H_
