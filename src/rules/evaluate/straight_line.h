// A StraightLine denotes integers computed from integers by a fixed list of instructions, and the guards
// under which that list is the right one: what a rule does for operands of a kind.
//
// It is compiled from interned expressions (core/dims/integer_code.h). Registers hold numbers, or sizes that
// may be symbolic: a constant Dim is its number, so both are 64 bits. What overflows, or divides by 0, ends
// the run like a guard that does not hold, and whoever runs it asks the rule itself. Which inputs are
// symbolic is known when it is compiled: what only numbers go into comes first, and runs as at run time.
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

  // The first registers are the inputs: the bits of a Dim each.
  std::span<int64_t> inputs() { return {registers_.data(), input_count_}; }
  // False where the inputs are not those that it was made for. Numbers only:
  bool Run() { return RunIntegerCode(code_, registers_.data()) == kRanThrough; }
  // Also symbolic: a comparison has to be certain by what the site knows, also without what other nodes
  // check; that two sizes are equal, by their form alone, since a rule goes on with either. REQUIRES: just
  // those inputs are symbolic that were when it was compiled.
  bool Run(Site& site);
  // REQUIRES: Run succeeded.
  int64_t at(Register r) const { return registers_[r]; }
  Dim size_at(Register r) const { return std::bit_cast<Dim>(registers_[r]); }
  bool empty() const { return code_.empty(); }

 private:
  friend class StraightLineBuilder;
  void PutNumbersFirst(uint64_t symbolic);

  size_t input_count_ = 0;
  std::vector<int64_t> registers_;  // inputs, constants and what was computed
  std::vector<Instruction> code_;   // a guard ends it with 1, or 2 where nothing that is only assumed counts
  size_t number_code_ = 0;          // so much of it computes numbers from numbers
  std::vector<Register> numbers_;   // that it computes
};

// Compiles expressions, and computes them at the same time with what the inputs are here.
class StraightLineBuilder {
 public:
  // The expressions are of this table; the site, if there is one, is asked where an input is no number.
  StraightLineBuilder(DimTable& dims, Site* site) : dims_(dims), builder_(dims), site_(site) {}
  // A symbol of the table, and what it is here. REQUIRES: inputs come before all else.
  void Input(Dim symbol, Dim actual);
  // The register that holds d; nothing where it has a symbol that is no input, or cannot be computed in
  // integers.
  std::optional<StraightLine::Register> Compute(Dim d);
  // Whether the literal certainly holds here (or certainly does not); if so, that becomes a guard. With
  // `as_given`, what is only assumed does not count.
  bool Need(const Literal& literal, bool holds, bool as_given);
  // Whether what is trusted leaves the literal open; if so, that becomes a guard.
  bool NeedOpen(const Literal& literal, Trust trust);
  // What a register holds here.
  Dim size_at(StraightLine::Register r) const { return line_.size_at(r); }
  // `symbolic` says which inputs are, a bit each.
  StraightLine Finish(uint64_t symbolic) &&;

 private:
  std::optional<IntegerCodeBuilder::Sides> SidesOf(Dim d);
  bool RunNew();  // what was compiled since the last time
  bool Holds(const Instruction& guard);
  bool Keep(const Instruction& guard);  // if it holds

  DimTable& dims_;
  IntegerCodeBuilder builder_;
  Site* site_;
  StraightLine line_;  // but for its code
  size_t run_ = 0;     // how much of the code was run
  std::set<std::tuple<IntegerOp, uint32_t, TablePlace, TablePlace>> guards_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_STRAIGHT_LINE_H_
