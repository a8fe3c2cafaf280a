// A StraightLine denotes integers computed from integers by a fixed list of instructions, and the guards under which
// that list is the right one: a rule at run time, for operands of given ranks.
//
// It is compiled from interned expressions (core/integer_code.h). What overflows 64 bits, or divides by 0, ends the run
// like a guard that does not hold, and whoever runs it asks the rule itself.
//
// Thread safety: a StraightLine computes in its own memory; one thread at a time.
#ifndef DIMWISE_RULES_STRAIGHT_LINE_H_
#define DIMWISE_RULES_STRAIGHT_LINE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/integer_code.h"

namespace dimwise::rules {

class StraightLine {
 public:
  using Register = TablePlace;

  // The first registers are the inputs, in the order in which they are given to Run's caller to fill.
  std::span<int64_t> inputs() { return {registers_.data(), input_count_}; }
  // False where the numbers are not those that it was made for.
  bool Run() { return RunIntegerCode(code_, registers_.data()) == kRanThrough; }
  // REQUIRES: Run succeeded.
  int64_t at(Register r) const { return registers_[r]; }

 private:
  friend class StraightLineBuilder;
  size_t input_count_ = 0;
  std::vector<int64_t> registers_;  // inputs, constants and what was computed
  std::vector<Instruction> code_;
};

class StraightLineBuilder {
 public:
  // `inputs` are symbols of the table.
  StraightLineBuilder(const DimTable& dims, std::span<const Dim> inputs) : builder_(dims), input_count_(inputs.size()) {
    for (const Dim symbol : inputs) builder_.AddInput(symbol);
  }
  // The register that will hold d; nothing where it has a symbol that is no input, or cannot be computed in integers.
  std::optional<StraightLine::Register> Compute(Dim d) { return builder_.Compute(d); }
  // The line is right only where the literal holds (or does not). False where it cannot be computed.
  bool Need(const Literal& literal, bool holds) {
    return literal.value.is_constant() || builder_.Need(literal, holds, /*code=*/1);  // a constant is decided by itself
  }
  StraightLine Finish() && {
    StraightLine line;
    line.input_count_ = input_count_;
    line.registers_ = builder_.table();
    line.code_.assign(builder_.code().begin(), builder_.code().end());
    return line;
  }

 private:
  IntegerCodeBuilder builder_;
  size_t input_count_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_STRAIGHT_LINE_H_
