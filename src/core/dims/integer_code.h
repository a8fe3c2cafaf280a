// IntegerCode denotes integers that a list of instructions computes from integers in a table. It is the
// run-time form of expressions. Rules (rules/evaluate/linear_code.h) and whole programs
// (infer/program/program_code.h) run it. The writers of C and Python print it.
//
// It is compiled from interned expressions. An operation on the same operands is computed once, if the
// earlier result is still visible. The sides of a select run in blocks, only where they are needed. So do
// literals after `or` that may be undefined where an earlier literal holds, as in N == 0 or M % N == 0.
//
// Arithmetic is checked: 64-bit overflow and division by 0 end the run.
//
// Thread safety: code is a value; a run writes only to the table of its caller.
#ifndef DIMWISE_CORE_DIMS_INTEGER_CODE_H_
#define DIMWISE_CORE_DIMS_INTEGER_CODE_H_

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/hash_mix.h"
#include "core/dims/float_step.h"
#include "dimwise/condition.h"
#include "dimwise/dim.h"

namespace dimwise {

enum class IntegerOp : uint8_t {
  kCopy,         // out = a
  kAdd,          // out = a + b
  kSubtract,     // out = a - b
  kMultiply,     // out = a * b
  kFloorDivide,  // out = floor(a / b)
  kMaxZero,      // out = max(0, a)
  kMax,          // out = max(a, b)
  kBroadcast,    // out = the size that is not 1
  kFirstNotOne,  // out = a if it is not 1, else b
  kIsConflict,   // out = 1 where a != b and neither is 1, else 0
  kIsEqual,      // out = 1 where a == b, else 0
  kIsNotEqual,   // a != b
  kIsAtLeast,    // a >= b
  kFloat,        // out = the result of a float step; an operand that it does not have is a again
  kIf,           // if a is 0, skips `out` instructions: to the kElse or kEnd of the block
  kIfNot,        // if a is not 0, likewise
  kElse,         // ends the first part of a block; skips `out` instructions: to the kEnd
  kEnd,
  kNeedEqual,     // requires a == b, or the run ends with the code `out`
  kNeedNotEqual,  // a != b
  kNeedAtLeast,   // a >= b
  kNeedLess,      // a < b
};

using TableIndex = uint32_t;

struct Instruction {
  IntegerOp op;
  TableIndex out, a, b;
  FloatStep step{};  // of kFloat
  bool operator==(const Instruction&) const = default;
};

// Results of a run, besides the code of the instruction that ended it, which is positive.
inline constexpr int kRanThrough = 0;
inline constexpr int kOverflow = -1;  // a number does not fit 64 bits, or a float is infinite or no number
inline constexpr int kDividesByZero = -2;
inline constexpr int kCannotBroadcast = -3;  // two sizes differ and neither is 1

// Runs the code and returns its result. REQUIRES: the table has room for every index that the code names.
inline int RunIntegerCode(std::span<const Instruction> code, int64_t* t) {
  for (size_t pc = 0; pc < code.size(); ++pc) {
    const Instruction& i = code[pc];
    const int64_t a = t[i.a], b = t[i.b];
    switch (i.op) {
      case IntegerOp::kCopy:
        t[i.out] = a;
        break;
      case IntegerOp::kAdd:
        if (__builtin_add_overflow(a, b, &t[i.out])) return kOverflow;
        break;
      case IntegerOp::kSubtract:
        if (__builtin_sub_overflow(a, b, &t[i.out])) return kOverflow;
        break;
      case IntegerOp::kMultiply:
        if (__builtin_mul_overflow(a, b, &t[i.out])) return kOverflow;
        break;
      case IntegerOp::kFloorDivide: {
        if (b == 0) return kDividesByZero;
        if (b == -1 && a == INT64_MIN) return kOverflow;
        const int64_t q = a / b;
        t[i.out] = q - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
        break;
      }
      case IntegerOp::kMaxZero:
        t[i.out] = a < 0 ? 0 : a;
        break;
      case IntegerOp::kMax:
        t[i.out] = a < b ? b : a;
        break;
      case IntegerOp::kBroadcast:
        if (a != b && a != 1 && b != 1) return kCannotBroadcast;
        t[i.out] = a == 1 ? b : a;
        break;
      case IntegerOp::kFirstNotOne:
        t[i.out] = a == 1 ? b : a;
        break;
      case IntegerOp::kIsConflict:
        t[i.out] = a != b && a != 1 && b != 1;
        break;
      case IntegerOp::kIsEqual:
        t[i.out] = a == b;
        break;
      case IntegerOp::kIsNotEqual:
        t[i.out] = a != b;
        break;
      case IntegerOp::kIsAtLeast:
        t[i.out] = a >= b;
        break;
      case IntegerOp::kFloat: {
        const std::optional<int64_t> result = RunFloatStep(i.step, a, b);
        if (!result) return kOverflow;
        t[i.out] = *result;
        break;
      }
      case IntegerOp::kIf:
        if (a == 0) pc += i.out;
        break;
      case IntegerOp::kIfNot:
        if (a != 0) pc += i.out;
        break;
      case IntegerOp::kElse:
        pc += i.out;
        break;
      case IntegerOp::kEnd:
        break;
      case IntegerOp::kNeedEqual:
        if (a != b) return static_cast<int>(i.out);
        break;
      case IntegerOp::kNeedNotEqual:
        if (a == b) return static_cast<int>(i.out);
        break;
      case IntegerOp::kNeedAtLeast:
        if (a < b) return static_cast<int>(i.out);
        break;
      case IntegerOp::kNeedLess:
        if (a >= b) return static_cast<int>(i.out);
        break;
    }
  }
  return kRanThrough;
}

class IntegerCodeBuilder {
 public:
  explicit IntegerCodeBuilder(const DimTable& dims) : dims_(dims) {}

  // Adds a table entry that the caller of the code sets. It holds `symbol`, or no symbol if that is none.
  TableIndex AddInput(Dim symbol);

  // Selects the visible scopes. Code is added to the last of them and may use results of all of them.
  // Initially only scope 0 exists. A scope runs after the scopes that were visible when its code was added.
  void SetScopes(std::vector<uint32_t> in_sight);
  // Returns the position in code() of the next instruction.
  size_t position() const { return code_.size(); }

  // Returns the table index that holds d after the code so far. Returns nullopt if d has a symbol that is
  // neither an input nor defined by inputs.
  std::optional<TableIndex> Compute(Dim d);
  // Adds a condition that ends the run with `code` unless the clause holds, or unless the literal has the
  // truth value `holds`. Returns false if the condition cannot be computed.
  bool Need(const Clause& clause, uint32_t code);
  bool Need(const Literal& literal, bool holds, uint32_t code);
  // Parts of the above: two numbers whose difference is d, and an instruction that ends the run unless they
  // satisfy its relation.
  struct Sides {
    TableIndex left, right;
  };
  std::optional<Sides> ComputeSides(Dim d);
  void Need(const Instruction& condition) { code_.push_back(condition); }
  TableIndex Constant(int64_t value);
  TableIndex Emit(IntegerOp op, TableIndex a, TableIndex b, FloatStep step = {});
  void NeedEqual(TableIndex a, TableIndex b, uint32_t code) { Write(IntegerOp::kNeedEqual, code, a, b); }
  // Sets an input.
  void Copy(TableIndex input, TableIndex from) { Write(IntegerOp::kCopy, input, from, from); }
  // Returns whether d can be computed from the inputs so far.
  bool IsComputable(Dim d);

  std::span<const Instruction> code() const { return code_; }
  // The initial table: each constant at its index, 0 elsewhere.
  const std::vector<int64_t>& table() const { return table_; }
  bool is_constant(TableIndex index) const { return constant_[index]; }

 private:
  struct Operation {
    IntegerOp op;
    TableIndex a, b;
    FloatStep step;
    bool operator==(const Operation&) const = default;
  };
  struct OperationHash {
    size_t operator()(const Operation& o) const {
      const auto kind = static_cast<uint64_t>(o.op) << 8 | static_cast<uint64_t>(o.step);
      return static_cast<size_t>(HashMix(uint64_t{o.a} << 32 | o.b, kind));
    }
  };
  TableIndex NewIndex();
  bool IsVisible(TableIndex index) const;
  void MarkComputed(TableIndex index);
  void Write(IntegerOp op, TableIndex out, TableIndex a, TableIndex b) { code_.push_back({op, out, a, b}); }
  // REQUIRES for the functions below: the expression is computable.
  void ComputeDefinitions(Dim d);
  TableIndex ComputeInOrder(Dim d);
  TableIndex ComputeAlone(Dim d);
  TableIndex Defined(Dim symbol);
  TableIndex Select(Dim symbol, const Definition& select);
  TableIndex BroadcastAll(std::span<const Dim> sizes);
  TableIndex Conflict(std::span<const Dim> sizes);
  // Computes the sum of the terms of d that are added, or of those that are subtracted. Returns the index of
  // the constant 0 if there are none.
  TableIndex HalfSum(Dim d, bool added);
  TableIndex Sum(Dim d);
  Sides SidesOf(Dim d) { return {HalfSum(d, true), HalfSum(d, false)}; }
  bool IsTotal(Dim d) const;
  size_t OpenBlock(IntegerOp op, TableIndex condition);
  size_t NextPart(size_t opened);
  void CloseBlock(size_t opened);

  const DimTable& dims_;
  std::vector<Instruction> code_;
  std::vector<int64_t> table_;
  std::vector<bool> constant_, input_;              // by table index
  std::vector<std::vector<uint32_t>> computed_in_;  // by table index: the scopes
  std::vector<uint32_t> scopes_{0};
  std::vector<bool> in_sight_{true};  // by scope
  std::vector<TableIndex> log_;       // results since the outermost open block began
  std::vector<size_t> open_blocks_;   // the length of the log when each block began
  struct ConstantHash {
    size_t operator()(int64_t value) const { return static_cast<size_t>(HashNumber(value)); }
  };
  tsl::robin_map<int64_t, TableIndex, ConstantHash> constants_;
  tsl::robin_map<Dim, TableIndex, std::hash<Dim>> known_;
  tsl::robin_set<Dim, std::hash<Dim>> computable_;  // symbols
  tsl::robin_map<Operation, TableIndex, OperationHash> operations_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_INTEGER_CODE_H_
