#include "rules/straight_line.h"

namespace dimwise::rules {

bool StraightLine::Run() {
  int64_t* const r = registers_.data();
  for (const Instruction& i : code_) {
    const int64_t a = r[i.a], b = r[i.b];
    int64_t* const out = &r[i.out];
    switch (i.op) {
      case Op::kAdd:
        if (__builtin_add_overflow(a, b, out)) return false;
        break;
      case Op::kSubtract:
        if (__builtin_sub_overflow(a, b, out)) return false;
        break;
      case Op::kMultiply:
        if (__builtin_mul_overflow(a, b, out)) return false;
        break;
      case Op::kFloorDivide: {
        if (b == 0 || (b == -1 && a == INT64_MIN)) return false;
        const int64_t q = a / b;
        *out = q - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
        break;
      }
      case Op::kMaxZero:
        *out = a < 0 ? 0 : a;
        break;
      case Op::kBroadcast:
        if (a != b && a != 1 && b != 1) return false;
        *out = a == 1 ? b : a;
        break;
      case Op::kNeedZero:
        if (a != 0) return false;
        break;
      case Op::kNeedNotZero:
        if (a == 0) return false;
        break;
      case Op::kNeedAtLeast0:
        if (a < 0) return false;
        break;
      case Op::kNeedNegative:
        if (a >= 0) return false;
        break;
      case Op::kNeedEqual:
        if (a != b) return false;
        break;
      case Op::kNeedNotEqual:
        if (a == b) return false;
        break;
    }
  }
  return true;
}

StraightLineBuilder::StraightLineBuilder(const DimTable& dims, std::span<const Dim> inputs) : dims_(dims) {
  line_.input_count_ = inputs.size();
  line_.registers_.resize(inputs.size());
  for (Register i = 0; i < inputs.size(); ++i) known_.emplace(inputs[i].bits(), i);
}

StraightLine::Register StraightLineBuilder::Constant(int64_t value) {
  const auto [at, is_new] = constants_.emplace(value, static_cast<Register>(line_.registers_.size()));
  if (is_new) line_.registers_.push_back(value);
  return at->second;
}

StraightLine::Register StraightLineBuilder::Emit(StraightLine::Op op, Register a, Register b) {
  const auto out = static_cast<Register>(line_.registers_.size());
  line_.registers_.push_back(0);
  line_.code_.push_back({op, out, a, b});
  return out;
}

std::optional<StraightLine::Register> StraightLineBuilder::Compute(Dim d) {
  if (d.is_none()) return std::nullopt;
  if (d.is_constant()) return Constant(d.constant());
  if (const auto at = known_.find(d.bits()); at != known_.end()) return at->second;
  std::optional<Register> result;
  switch (dims_.Kind(d)) {
    case DimKind::kSymbol:
      if (const Definition* definition = dims_.GetDefinition(d)) result = Defined(*definition);
      break;
    case DimKind::kFloorDiv: {
      const std::span<const Dim> x = dims_.Operands(d);
      const std::optional<Register> a = Compute(x[0]), b = Compute(x[1]);
      if (a && b) result = Emit(StraightLine::Op::kFloorDivide, *a, *b);
      break;
    }
    case DimKind::kMaxZero:
      if (const std::optional<Register> a = Compute(dims_.Operands(d)[0])) result = Emit(StraightLine::Op::kMaxZero, *a, *a);
      break;
    case DimKind::kBroadcast:
      result = BroadcastAll(dims_.Operands(d));
      break;
    default:
      result = Sum(d);
  }
  if (result) known_.emplace(d.bits(), *result);
  return result;
}

// Terms are added one after another; those of coefficient -1 are taken away.
std::optional<StraightLine::Register> StraightLineBuilder::Sum(Dim d) {
  std::optional<Register> sum;
  for (size_t i = 0; i < dims_.TermCount(d); ++i) {
    const Term term = dims_.GetTerm(d, i);
    std::optional<Register> product;
    for (Dim factor : term.factors) {
      const std::optional<Register> f = Compute(factor);
      if (!f) return std::nullopt;
      product = product ? Emit(StraightLine::Op::kMultiply, *product, *f) : *f;
    }
    const bool take_away = sum && product && term.coefficient == -1;
    if (!product) {
      product = Constant(term.coefficient);
    } else if (term.coefficient != 1 && !take_away) {
      product = Emit(StraightLine::Op::kMultiply, *product, Constant(term.coefficient));
    }
    sum = !sum ? *product : Emit(take_away ? StraightLine::Op::kSubtract : StraightLine::Op::kAdd, *sum, *product);
  }
  return sum ? *sum : Constant(0);
}

std::optional<StraightLine::Register> StraightLineBuilder::Defined(const Definition& definition) {
  const std::span<const Dim> x = definition.operands;
  if (definition.operation == Operation::kBroadcast) return BroadcastAll(x);
  std::vector<Register> operands;
  for (Dim operand : x) {
    const std::optional<Register> r = Compute(operand);
    if (!r) return std::nullopt;
    operands.push_back(*r);
  }
  switch (definition.operation) {
    case Operation::kAdd:
    case Operation::kMultiply: {
      if (operands.empty()) return std::nullopt;
      Register result = operands[0];
      const auto op = definition.operation == Operation::kAdd ? StraightLine::Op::kAdd : StraightLine::Op::kMultiply;
      for (size_t i = 1; i < operands.size(); ++i) result = Emit(op, result, operands[i]);
      return result;
    }
    case Operation::kFloorDiv:
      return Emit(StraightLine::Op::kFloorDivide, operands.at(0), operands.at(1));
    case Operation::kMaxZero:
      return Emit(StraightLine::Op::kMaxZero, operands.at(0), operands.at(0));
    default:
      return std::nullopt;
  }
}

std::optional<StraightLine::Register> StraightLineBuilder::BroadcastAll(std::span<const Dim> sizes) {
  Register result = Constant(1);
  for (Dim size : sizes) {
    const std::optional<Register> r = Compute(size);
    if (!r) return std::nullopt;
    result = Emit(StraightLine::Op::kBroadcast, result, *r);
  }
  return result;
}

bool StraightLineBuilder::Need(const Literal& literal, bool holds) {
  using Op = StraightLine::Op;
  const Dim d = literal.value;
  if (d.is_constant()) return true;  // decided by itself
  const auto add = [&](Op op, std::optional<Register> a, std::optional<Register> b) {
    if (!a || !b) return false;
    line_.code_.push_back({op, 0, *a, *b});  // a guard writes nothing
    return true;
  };
  if (literal.relation == Relation::kAtLeast) {
    const std::optional<Register> a = Compute(d);
    return add(holds ? Op::kNeedAtLeast0 : Op::kNeedNegative, a, a);
  }
  const bool equal = (literal.relation == Relation::kEqual) == holds;
  // x - y == 0 and x - 3 == 0 are comparisons.
  if (dims_.Kind(d) == DimKind::kSum && dims_.TermCount(d) == 2) {
    const Term s = dims_.GetTerm(d, 0), t = dims_.GetTerm(d, 1);
    const auto is_atom = [](const Term& u) { return u.factors.size() == 1 && (u.coefficient == 1 || u.coefficient == -1); };
    if (is_atom(s) && is_atom(t) && s.coefficient != t.coefficient) {
      return add(equal ? Op::kNeedEqual : Op::kNeedNotEqual, Compute(s.factors[0]), Compute(t.factors[0]));
    }
    const Term& atom = s.factors.empty() ? t : s;
    const Term& constant = s.factors.empty() ? s : t;
    if (is_atom(atom) && constant.factors.empty() && constant.coefficient != INT64_MIN) {
      const int64_t value = atom.coefficient == 1 ? -constant.coefficient : constant.coefficient;
      return add(equal ? Op::kNeedEqual : Op::kNeedNotEqual, Compute(atom.factors[0]), Constant(value));
    }
  }
  const std::optional<Register> a = Compute(d);
  return add(equal ? Op::kNeedZero : Op::kNeedNotZero, a, a);
}

}  // namespace dimwise::rules
