#include "rules/evaluate/linear_code.h"

#include <algorithm>
#include <utility>

namespace dimwise::rules {
namespace {

// Codes that end a run at a trace condition. Codes from kOpen on require an open query; the trusted kinds of
// facts are added to it.
constexpr uint32_t kTraceCondition = 1, kTraceConditionAsGiven = 2, kOpen = 3;

// Returns the minimum of a symbol by its origin, without facts; INT64_MIN for other expressions.
int64_t LeastByOrigin(const DimTable& t, Dim d) {
  return d.is_expression() && t.Kind(d) == DimKind::kSymbol ? t.GetSymbol(d).min : INT64_MIN;
}

// A trace condition that compares a register with a constant: its value is in lo .. hi and differs from
// `not_this`.
struct Limits {
  TableIndex index = 0;
  bool as_given = false;
  int64_t lo = INT64_MIN, hi = INT64_MAX;
  std::optional<int64_t> not_this;

  bool Imply(const Limits& other) const {
    if (index != other.index || (other.as_given && !as_given)) return false;
    if (other.not_this) return *other.not_this < lo || *other.not_this > hi || not_this == other.not_this;
    return lo >= other.lo && hi <= other.hi;
  }
};

// Returns nullopt if the instruction is no condition or compares two registers.
std::optional<Limits> LimitsOf(const Instruction& i, const IntegerCodeBuilder& builder) {
  const bool is_last = i.op >= IntegerOp::kNeedEqual && builder.is_constant(i.b);
  if (i.op < IntegerOp::kNeedEqual || i.out >= kOpen || builder.is_constant(i.a) == is_last)
    return std::nullopt;
  const int64_t c = builder.table()[is_last ? i.b : i.a];
  Limits limits;
  limits.index = is_last ? i.a : i.b;
  limits.as_given = i.out == kTraceConditionAsGiven;
  if (i.op == IntegerOp::kNeedEqual) limits.lo = limits.hi = c;
  if (i.op == IntegerOp::kNeedNotEqual) limits.not_this = c;
  if (i.op == IntegerOp::kNeedAtLeast) (is_last ? limits.lo : limits.hi) = c;
  if (i.op == IntegerOp::kNeedLess && c == (is_last ? INT64_MIN : INT64_MAX)) return std::nullopt;
  if (i.op == IntegerOp::kNeedLess) (is_last ? limits.hi : limits.lo) = is_last ? c - 1 : c + 1;
  return limits;
}

// Executes one instruction on sizes that may be symbolic.
bool Execute(const Instruction& i, int64_t* r, DimTable& t, RuleHost& host) {
  const auto a = std::bit_cast<Dim>(r[i.a]), b = std::bit_cast<Dim>(r[i.b]);
  const bool is_trace_condition = i.op >= IntegerOp::kNeedEqual;
  if (is_trace_condition && i.out >= kOpen) {
    const Relation relation = i.op == IntegerOp::kNeedEqual      ? Relation::kEqual
                              : i.op == IntegerOp::kNeedNotEqual ? Relation::kNotEqual
                                                                 : Relation::kAtLeast;
    return host.Query({t.Subtract(a, b), relation}, static_cast<FactFilter>(i.out - kOpen)) == Truth::kMaybe;
  }
  if (a.is_constant() && b.is_constant()) {
    // A number that no Dim can represent is unusable for the rule too.
    return RunIntegerCode({&i, 1}, r) == kRanThrough &&
           (is_trace_condition || std::bit_cast<Dim>(r[i.out]).is_constant());
  }
  // Past the size cap, an expression is defined by how it was computed, which may differ from the rule.
  const auto put = [&](Dim d) {
    r[i.out] = d.bits();
    if (!d.is_expression() || d == a || d == b) return !d.is_none();
    return t.Kind(d) != DimKind::kSymbol || t.GetDefinition(d) == nullptr;
  };
  const auto ask = [&](const Literal& literal) {
    return host.QueryStrictly(literal, i.out == kTraceConditionAsGiven);
  };
  const auto is_above = [&](Dim x, Dim number, int64_t by) {
    const int64_t least = number.is_constant() ? LeastByOrigin(t, x) : INT64_MIN;
    return least != INT64_MIN && number.constant() <= least - by;
  };
  switch (i.op) {
    case IntegerOp::kAdd:
      return put(t.Add(a, b));
    case IntegerOp::kSubtract:
      return put(t.Subtract(a, b));
    case IntegerOp::kMultiply:
      return put(t.Multiply(a, b));
    case IntegerOp::kFloorDivide:
      return b != Dim(0) && put(t.FloorDivide(a, b));
    case IntegerOp::kMaxZero:
      return put(t.Max(a, 0));
    case IntegerOp::kBroadcast:
      return put(t.Broadcast(a, b));
    case IntegerOp::kNeedEqual:
      return a == b;
    case IntegerOp::kNeedNotEqual:
      return a != b && (is_above(a, b, 1) || is_above(b, a, 1) || ask(NotEqual(t, a, b)) == Truth::kYes);
    case IntegerOp::kNeedAtLeast:
      return is_above(a, b, 0) || ask(AtLeast(t, a, b)) == Truth::kYes;
    case IntegerOp::kNeedLess:
      return is_above(b, a, 1) || ask(AtLeast(t, a, b)) == Truth::kNo;
    default:
      return false;
  }
}

}  // namespace

bool LinearCode::Run(RuleHost& host) {
  const std::span<const Instruction> code(code_);
  if (RunIntegerCode(code.first(number_code_), registers_.data()) != kRanThrough) return false;
  // A number that no Dim can represent is unusable for the rule too.
  for (const Register r : numbers_) {
    if (!size_at(r).is_constant()) return false;
  }
  DimTable& dims = host.analysis().dims();
  for (const Instruction& i : code.subspan(number_code_)) {
    if (!Execute(i, registers_.data(), dims, host)) return false;
  }
  return true;
}

void LinearCode::PutNumbersFirst(uint64_t symbolic) {
  const auto is_block = [](const Instruction& i) {
    return i.op >= IntegerOp::kIf && i.op <= IntegerOp::kEnd;
  };
  if (std::ranges::any_of(code_, is_block)) return;
  std::vector<bool> is_number(registers_.size(), true);
  for (size_t i = 0; i < input_count_; ++i) is_number[i] = (symbolic >> i & 1) == 0;
  std::vector<Instruction> of_numbers, others;
  for (const Instruction& i : code_) {
    const bool of_one = i.op == IntegerOp::kCopy || i.op == IntegerOp::kMaxZero;
    const bool is_trace_condition = i.op >= IntegerOp::kNeedEqual;
    const bool wants_open = is_trace_condition && i.out >= kOpen;
    const bool are_numbers = is_number[i.a] && (of_one || is_number[i.b]) && !wants_open;
    (are_numbers ? of_numbers : others).push_back(i);
    if (is_trace_condition) continue;
    is_number[i.out] = are_numbers;
    if (are_numbers) numbers_.push_back(i.out);
  }
  number_code_ = of_numbers.size();
  code_ = std::move(of_numbers);
  code_.insert(code_.end(), others.begin(), others.end());
}

void LinearCodeBuilder::Input(Dim symbol, Dim actual) {
  (void)builder_.AddInput(symbol);
  line_.registers_.push_back(actual.bits());
  line_.input_count_ = line_.registers_.size();
}

bool LinearCodeBuilder::RunNew() {
  const std::vector<int64_t>& table = builder_.table();
  // New registers hold constants, or are computed now.
  if (line_.registers_.size() < table.size())
    line_.registers_.insert(line_.registers_.end(),
                            table.begin() + static_cast<std::ptrdiff_t>(line_.registers_.size()),
                            table.end());
  const std::span<const Instruction> rest = builder_.code().subspan(run_);
  run_ = builder_.code().size();
  if (host_ == nullptr) return RunIntegerCode(rest, line_.registers_.data()) == kRanThrough;
  for (const Instruction& i : rest) {
    if (!Execute(i, line_.registers_.data(), host_->analysis().dims(), *host_)) return false;
  }
  return true;
}

std::optional<LinearCode::Register> LinearCodeBuilder::Compute(Dim d) {
  const std::optional<TableIndex> index = builder_.Compute(d);
  return index && RunNew() ? index : std::nullopt;
}

// Returns two registers whose difference is d; a constant term alone on one side if possible.
std::optional<IntegerCodeBuilder::Sides> LinearCodeBuilder::SidesOf(Dim d) {
  if (!d.is_expression()) return builder_.ComputeSides(d);
  const int64_t constant = dims_.ConstantTerm(d);
  std::optional<IntegerCodeBuilder::Sides> sides = builder_.ComputeSides(dims_.WithoutConstant(d));
  if (!sides || constant == 0) return sides;
  const TableIndex zero = builder_.Constant(0);
  if (sides->right == zero && constant != INT64_MIN)
    return IntegerCodeBuilder::Sides{sides->left, builder_.Constant(-constant)};
  if (sides->left == zero) return IntegerCodeBuilder::Sides{builder_.Constant(constant), sides->right};
  return builder_.ComputeSides(d);
}

bool LinearCodeBuilder::Need(const Literal& literal, bool holds, bool as_given) {
  const std::optional<IntegerCodeBuilder::Sides> sides = SidesOf(literal.value);
  if (!sides || !RunNew()) return false;
  const bool equal = (literal.relation == Relation::kEqual) == holds;
  const IntegerOp op = literal.relation == Relation::kAtLeast
                           ? (holds ? IntegerOp::kNeedAtLeast : IntegerOp::kNeedLess)
                       : equal ? IntegerOp::kNeedEqual
                               : IntegerOp::kNeedNotEqual;
  Instruction trace_condition{op, as_given ? kTraceConditionAsGiven : kTraceCondition, sides->left,
                              sides->right};
  const bool either_way = op == IntegerOp::kNeedEqual || op == IntegerOp::kNeedNotEqual;
  if (either_way && trace_condition.a > trace_condition.b)
    std::swap(trace_condition.a, trace_condition.b);               // canonical order, to detect duplicates
  if (literal.value.is_constant()) return Holds(trace_condition);  // constant: decided here
  return AddCondition(trace_condition);
}

bool LinearCodeBuilder::Holds(const Instruction& trace_condition) {
  int64_t* const registers = line_.registers_.data();
  if (host_ == nullptr) return RunIntegerCode({&trace_condition, 1}, registers) == kRanThrough;
  return Execute(trace_condition, registers, host_->analysis().dims(), *host_);
}

bool LinearCodeBuilder::AddCondition(const Instruction& trace_condition) {
  if (!Holds(trace_condition)) return false;
  if (trace_conditions_.emplace(trace_condition.op, trace_condition.out, trace_condition.a, trace_condition.b)
          .second) {
    builder_.Need(trace_condition);
    run_ = builder_.code().size();
  }
  return true;
}

bool LinearCodeBuilder::NeedOpen(const Literal& literal, FactFilter filter) {
  if (host_ == nullptr || !literal.value.is_expression()) return false;
  const std::optional<IntegerCodeBuilder::Sides> sides = SidesOf(literal.value);
  if (!sides || !RunNew()) return false;
  const IntegerOp op = literal.relation == Relation::kEqual      ? IntegerOp::kNeedEqual
                       : literal.relation == Relation::kNotEqual ? IntegerOp::kNeedNotEqual
                                                                 : IntegerOp::kNeedAtLeast;
  return AddCondition({op, kOpen + static_cast<uint32_t>(filter), sides->left, sides->right});
}

// Removes conditions that other conditions imply, because rules query the same sizes repeatedly.
LinearCode LinearCodeBuilder::Finish(uint64_t symbolic) && {
  const std::span<const Instruction> code = builder_.code();
  std::vector<std::optional<Limits>> limits;
  for (const Instruction& i : code) limits.push_back(LimitsOf(i, builder_));
  for (size_t i = 0; i < code.size(); ++i) {
    bool implied = false;
    for (size_t j = 0; j < code.size() && limits[i] && !implied; ++j) {
      implied =
          j != i && limits[j] && limits[j]->Imply(*limits[i]) && (j < i || !limits[i]->Imply(*limits[j]));
    }
    if (!implied) line_.code_.push_back(code[i]);
  }
  line_.PutNumbersFirst(symbolic);
  return std::move(line_);
}

}  // namespace dimwise::rules
