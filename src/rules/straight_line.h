// A StraightLine denotes integers computed from integers by a fixed list of instructions, and the guards under which
// that list is the right one: a rule at run time, for operands of given ranks.
//
// It is compiled from interned expressions, so each is computed once. Arithmetic is checked: what overflows 64 bits, or
// divides by 0, ends the run like a guard that does not hold, and whoever runs it asks the rule itself.
//
// Thread safety: a StraightLine computes in its own memory; one thread at a time.
#ifndef DIMWISE_RULES_STRAIGHT_LINE_H_
#define DIMWISE_RULES_STRAIGHT_LINE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "dimwise/condition.h"
#include "dimwise/dim.h"

namespace dimwise::rules {

class StraightLine {
 public:
  using Register = uint32_t;
  enum class Op : uint8_t {
    kAdd,           // a + b
    kSubtract,      // a - b
    kMultiply,      // a * b
    kFloorDivide,   // floor(a / b)
    kMaxZero,       // max(0, a)
    kBroadcast,     // a or b, whichever is not 1
    kNeedZero,      // guards, on a
    kNeedNotZero,
    kNeedAtLeast0,
    kNeedNegative,
    kNeedEqual,     // a == b
    kNeedNotEqual,
  };

  // The first registers are the inputs, in the order in which they are given to Run's caller to fill.
  std::span<int64_t> inputs() { return {registers_.data(), input_count_}; }
  // False where the numbers are not those that it was made for.
  bool Run();
  // REQUIRES: Run succeeded.
  int64_t at(Register r) const { return registers_[r]; }

 private:
  friend class StraightLineBuilder;
  struct Instruction {
    Op op;
    Register out, a, b;
  };
  size_t input_count_ = 0;
  std::vector<int64_t> registers_;  // inputs, constants and what was computed
  std::vector<Instruction> code_;
};

class StraightLineBuilder {
 public:
  // `inputs` are symbols of the table.
  StraightLineBuilder(const DimTable& dims, std::span<const Dim> inputs);
  // The register that will hold d; nothing where it has a symbol that is no input, or cannot be computed in integers.
  std::optional<StraightLine::Register> Compute(Dim d);
  // The line is right only where the literal holds (or does not). False where it cannot be computed.
  bool Need(const Literal& literal, bool holds);
  StraightLine Finish() && { return std::move(line_); }

 private:
  using Register = StraightLine::Register;
  Register Constant(int64_t value);
  Register Emit(StraightLine::Op op, Register a, Register b);
  std::optional<Register> Sum(Dim d);
  std::optional<Register> Defined(const Definition& definition);
  std::optional<Register> BroadcastAll(std::span<const Dim> sizes);

  const DimTable& dims_;
  StraightLine line_;
  std::map<int64_t, Register> known_;  // by the bits of an expression
  std::map<int64_t, Register> constants_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_STRAIGHT_LINE_H_
