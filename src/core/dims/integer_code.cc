#include "core/dims/integer_code.h"

#include <algorithm>

#include "core/dims/limits.h"

namespace dimwise {
namespace {

bool IsAdded(int64_t coefficient) { return coefficient > 0 || coefficient == INT64_MIN; }

IntegerOp Test(Relation relation) {
  switch (relation) {
    case Relation::kEqual:
      return IntegerOp::kIsEqual;
    case Relation::kNotEqual:
      return IntegerOp::kIsNotEqual;
    case Relation::kAtLeast:
      break;
  }
  return IntegerOp::kIsAtLeast;
}

}  // namespace

TableIndex IntegerCodeBuilder::NewIndex() {
  table_.push_back(0);
  constant_.push_back(false);
  input_.push_back(false);
  computed_in_.emplace_back();
  return static_cast<TableIndex>(table_.size() - 1);
}

TableIndex IntegerCodeBuilder::AddInput(Dim symbol) {
  const TableIndex index = NewIndex();
  input_[index] = true;
  if (!symbol.is_none()) known_[symbol] = index;
  return index;
}

TableIndex IntegerCodeBuilder::Constant(int64_t value) {
  const auto [at, is_new] = constants_.insert({value, static_cast<TableIndex>(table_.size())});
  if (is_new) {
    const TableIndex index = NewIndex();
    table_[index] = value;
    constant_[index] = true;
  }
  return constants_[value];
}

void IntegerCodeBuilder::SetScopes(std::vector<uint32_t> in_sight) {
  scopes_ = std::move(in_sight);
  in_sight_.assign(*std::ranges::max_element(scopes_) + 1, false);
  for (const uint32_t scope : scopes_) in_sight_[scope] = true;
}

bool IntegerCodeBuilder::IsVisible(TableIndex index) const {
  if (constant_[index] || input_[index]) return true;
  return std::ranges::any_of(computed_in_[index],
                             [&](uint32_t scope) { return scope < in_sight_.size() && in_sight_[scope]; });
}

void IntegerCodeBuilder::MarkComputed(TableIndex index) {
  computed_in_[index].push_back(scopes_.back());
  if (!open_blocks_.empty()) log_.push_back(index);
}

TableIndex IntegerCodeBuilder::Emit(IntegerOp op, TableIndex a, TableIndex b, FloatStep step) {
  const Operation operation{op, a, b, step};
  const auto at = operations_.find(operation);
  if (at != operations_.end() && IsVisible(at->second)) return at->second;
  const TableIndex out = at != operations_.end() ? at->second : NewIndex();
  operations_[operation] = out;
  code_.push_back({op, out, a, b, step});
  MarkComputed(out);
  return out;
}

// ---- Blocks: results that are computed inside a block are not visible after it ----

size_t IntegerCodeBuilder::OpenBlock(IntegerOp op, TableIndex condition) {
  Write(op, 0, condition, 0);
  open_blocks_.push_back(log_.size());
  return code_.size() - 1;
}

size_t IntegerCodeBuilder::NextPart(size_t opened) {
  CloseBlock(opened);
  code_.back().op = IntegerOp::kElse;
  open_blocks_.push_back(log_.size());
  return code_.size() - 1;
}

void IntegerCodeBuilder::CloseBlock(size_t opened) {
  Write(IntegerOp::kEnd, 0, 0, 0);
  code_[opened].out = static_cast<uint32_t>(code_.size() - opened - 1);
  for (; log_.size() > open_blocks_.back(); log_.pop_back()) computed_in_[log_.back()].pop_back();
  open_blocks_.pop_back();
}

// ---- Expressions ----

bool IntegerCodeBuilder::IsComputable(Dim d) {
  if (d.is_none()) return false;
  if (d.is_constant()) return true;
  std::vector<Dim> pending(dims_.SymbolsOf(d).begin(), dims_.SymbolsOf(d).end()), seen;
  while (!pending.empty()) {
    const Dim s = pending.back();
    pending.pop_back();
    if (const auto at = known_.find(s); at != known_.end() && input_[at->second]) continue;
    if (!computable_.insert(s).second) continue;  // tentative: removed again if a definition fails
    seen.push_back(s);
    const Definition* definition = dims_.GetDefinition(s);
    if (definition == nullptr) {
      for (const Dim other : seen) computable_.erase(other);
      return false;
    }
    for (const Dim operand : definition->operands) {
      if (!operand.is_expression()) continue;
      pending.insert(pending.end(), dims_.SymbolsOf(operand).begin(), dims_.SymbolsOf(operand).end());
    }
  }
  return true;
}

std::optional<TableIndex> IntegerCodeBuilder::Compute(Dim d) {
  if (!IsComputable(d)) return std::nullopt;
  return ComputeInOrder(d);
}

// Computes definitions from the oldest to the newest, without recursion: chains of definitions have any
// length. An operand is always older than its symbol. The operands of a choice are computed in the blocks of
// the choice.
void IntegerCodeBuilder::ComputeDefinitions(Dim d) {
  if (!d.is_expression()) return;
  std::vector<Dim> pending(dims_.SymbolsOf(d).begin(), dims_.SymbolsOf(d).end()), defined;
  tsl::robin_set<Dim, std::hash<Dim>> seen;
  while (!pending.empty()) {
    const Dim s = pending.back();
    pending.pop_back();
    const auto at = known_.find(s);
    if ((at != known_.end() && IsVisible(at->second)) || !seen.insert(s).second) continue;
    defined.push_back(s);
    const Definition& definition = *dims_.GetDefinition(s);
    std::span<const Dim> operands = definition.operands;
    if (definition.operation == dimwise::Operation::kSelect && open_blocks_.size() < kMaxOpenBlocks) {
      operands = operands.first(1);
    }
    for (const Dim operand : operands) {
      if (!operand.is_expression()) continue;
      pending.insert(pending.end(), dims_.SymbolsOf(operand).begin(), dims_.SymbolsOf(operand).end());
    }
  }
  std::ranges::sort(defined, {}, &Dim::id);
  for (const Dim s : defined) ComputeAlone(s);
}

TableIndex IntegerCodeBuilder::ComputeInOrder(Dim d) {
  ComputeDefinitions(d);
  return ComputeAlone(d);
}

TableIndex IntegerCodeBuilder::ComputeAlone(Dim d) {
  if (d.is_constant()) return Constant(d.constant());
  if (const auto at = known_.find(d); at != known_.end() && IsVisible(at->second)) return at->second;
  TableIndex result = 0;
  switch (dims_.Kind(d)) {
    case DimKind::kSymbol:
      result = Defined(d);
      break;
    case DimKind::kFloorDiv: {
      const TableIndex a = ComputeAlone(dims_.Operands(d)[0]);
      result = Emit(IntegerOp::kFloorDivide, a, ComputeAlone(dims_.Operands(d)[1]));
      break;
    }
    case DimKind::kMaxZero: {
      const TableIndex a = ComputeAlone(dims_.Operands(d)[0]);
      result = Emit(IntegerOp::kMaxZero, a, a);
      break;
    }
    case DimKind::kBroadcast:
      result = BroadcastAll(dims_.Operands(d));
      break;
    case DimKind::kConflict:
      result = Conflict(dims_.Operands(d));
      break;
    default:
      result = Sum(d);
  }
  known_[d] = result;
  return result;
}

TableIndex IntegerCodeBuilder::Defined(Dim symbol) {
  const Definition& definition = *dims_.GetDefinition(symbol);
  const std::span<const Dim> x = definition.operands;
  const auto fold = [&](IntegerOp op) {
    TableIndex result = ComputeAlone(x[0]);
    for (const Dim operand : x.subspan(1)) result = Emit(op, result, ComputeAlone(operand));
    return result;
  };
  switch (definition.operation) {
    case dimwise::Operation::kAdd:
      return fold(IntegerOp::kAdd);
    case dimwise::Operation::kMultiply:
      return fold(IntegerOp::kMultiply);
    case dimwise::Operation::kFloorDiv:
      return fold(IntegerOp::kFloorDivide);
    case dimwise::Operation::kMaxZero: {
      const TableIndex a = ComputeAlone(x[0]);
      return Emit(IntegerOp::kMaxZero, a, a);
    }
    case dimwise::Operation::kBroadcast:
      return BroadcastAll(x);
    case dimwise::Operation::kSelect:
      return Select(symbol, definition);
    case dimwise::Operation::kFloat: {
      const TableIndex a = ComputeAlone(x[0]);
      return Emit(IntegerOp::kFloat, a, ComputeAlone(x.back()), StepOf(definition));
    }
  }
  return Constant(0);
}

TableIndex IntegerCodeBuilder::Select(Dim symbol, const Definition& select) {
  const TableIndex condition = ComputeAlone(select.operands[0]);
  const auto at = known_.find(symbol);
  const TableIndex out = at != known_.end() ? at->second : NewIndex();
  known_[symbol] = out;
  const bool deep = open_blocks_.size() >= kMaxOpenBlocks;
  const auto side = [&](Dim d) {
    const TableIndex from = deep ? ComputeAlone(d) : ComputeInOrder(d);
    Write(IntegerOp::kCopy, out, from, from);
  };
  if (deep) {
    side(select.operands[2]);
    const TableIndex then = ComputeAlone(select.operands[1]);
    const size_t block = OpenBlock(IntegerOp::kIf, condition);
    Write(IntegerOp::kCopy, out, then, then);
    CloseBlock(block);
  } else {
    size_t block = OpenBlock(IntegerOp::kIf, condition);
    side(select.operands[1]);
    block = NextPart(block);
    side(select.operands[2]);
    CloseBlock(block);
  }
  MarkComputed(out);
  return out;
}

TableIndex IntegerCodeBuilder::BroadcastAll(std::span<const Dim> sizes) {
  TableIndex result = ComputeAlone(sizes[0]);
  for (const Dim size : sizes.subspan(1)) result = Emit(IntegerOp::kBroadcast, result, ComputeAlone(size));
  return result;
}

// Compares each size with the first earlier one that is not 1.
TableIndex IntegerCodeBuilder::Conflict(std::span<const Dim> sizes) {
  TableIndex common = ComputeAlone(sizes[0]), any = Constant(0);
  for (size_t i = 1; i < sizes.size(); ++i) {
    const TableIndex size = ComputeAlone(sizes[i]);
    const TableIndex conflict = Emit(IntegerOp::kIsConflict, common, size);
    any = i == 1 ? conflict : Emit(IntegerOp::kMax, any, conflict);
    if (i + 1 < sizes.size()) common = Emit(IntegerOp::kFirstNotOne, common, size);
  }
  return any;
}

TableIndex IntegerCodeBuilder::HalfSum(Dim d, bool added) {
  if (d.is_constant())
    return Constant(IsAdded(d.constant()) == added ? (added ? d.constant() : -d.constant()) : 0);
  std::optional<TableIndex> sum;
  const auto add = [&](TableIndex term) { sum = sum ? Emit(IntegerOp::kAdd, *sum, term) : term; };
  int64_t constant = 0;
  for (size_t i = 0; i < dims_.TermCount(d); ++i) {
    const Term term = dims_.GetTerm(d, i);
    if (IsAdded(term.coefficient) != added) continue;
    const int64_t times = added ? term.coefficient : -term.coefficient;
    if (term.factors.empty()) {
      constant = times;  // the constant is multiplied last
      continue;
    }
    TableIndex product = ComputeAlone(term.factors[0]);
    for (const Dim factor : term.factors.subspan(1)) {
      product = Emit(IntegerOp::kMultiply, product, ComputeAlone(factor));
    }
    add(times == 1 ? product : Emit(IntegerOp::kMultiply, product, Constant(times)));
  }
  if (constant != 0 || !sum) add(Constant(constant));
  return *sum;
}

TableIndex IntegerCodeBuilder::Sum(Dim d) {
  const auto [added, taken] = SidesOf(d);
  return taken == Constant(0) ? added : Emit(IntegerOp::kSubtract, added, taken);
}

// ---- Conditions ----

// Returns whether d is defined for all sizes, except for overflow.
bool IntegerCodeBuilder::IsTotal(Dim d) const {
  switch (d.is_expression() ? dims_.Kind(d) : DimKind::kConstant) {
    case DimKind::kConstant:
      return true;
    case DimKind::kSymbol:
      return dims_.GetDefinition(d) == nullptr;
    case DimKind::kFloorDiv:
      return dims_.Operands(d)[1].is_constant() && IsTotal(dims_.Operands(d)[0]);
    case DimKind::kMaxZero:
      return IsTotal(dims_.Operands(d)[0]);
    case DimKind::kBroadcast:
      return false;
    case DimKind::kConflict:
      return std::ranges::all_of(dims_.Operands(d), [&](Dim size) { return IsTotal(size); });
    case DimKind::kSum:
      break;
  }
  for (size_t i = 0; i < dims_.TermCount(d); ++i) {
    const Term term = dims_.GetTerm(d, i);
    if (!std::ranges::all_of(term.factors, [&](Dim f) { return IsTotal(f); })) return false;
  }
  return true;
}

std::optional<IntegerCodeBuilder::Sides> IntegerCodeBuilder::ComputeSides(Dim d) {
  if (!IsComputable(d)) return std::nullopt;
  ComputeDefinitions(d);
  return SidesOf(d);
}

bool IntegerCodeBuilder::Need(const Literal& literal, bool holds, uint32_t code) {
  const std::optional<Sides> sides = ComputeSides(literal.value);
  if (!sides) return false;
  const auto [left, right] = *sides;
  if (literal.relation == Relation::kAtLeast) {
    Write(holds ? IntegerOp::kNeedAtLeast : IntegerOp::kNeedLess, code, left, right);
  } else {
    const bool equal = (literal.relation == Relation::kEqual) == holds;
    Write(equal ? IntegerOp::kNeedEqual : IntegerOp::kNeedNotEqual, code, left, right);
  }
  return true;
}

bool IntegerCodeBuilder::Need(const Clause& clause, uint32_t code) {
  if (clause.size() == 1) return Need(clause[0], true, code);
  for (const Literal& literal : clause) {
    if (!IsComputable(literal.value)) return false;
  }
  // Literals that are always defined come first; they are computed for all literals after them.
  std::vector<Literal> literals(clause.begin(), clause.end());
  const auto rest = std::stable_partition(literals.begin(), literals.end(),
                                          [&](const Literal& l) { return IsTotal(l.value); });
  std::vector<Sides> sides;
  for (auto at = literals.begin(); at != rest; ++at) sides.push_back(SidesOf(at->value));
  const TableIndex holds = NewIndex();
  std::vector<size_t> blocks;
  for (size_t i = 0; i < literals.size(); ++i) {
    if (i > 0) blocks.push_back(OpenBlock(IntegerOp::kIfNot, holds));
    if (i >= sides.size()) {
      ComputeDefinitions(literals[i].value);
      sides.push_back(SidesOf(literals[i].value));
    }
    Write(Test(literals[i].relation), holds, sides[i].left, sides[i].right);
  }
  for (; !blocks.empty(); blocks.pop_back()) CloseBlock(blocks.back());
  Write(IntegerOp::kNeedNotEqual, code, literals.empty() ? Constant(0) : holds, Constant(0));
  return true;
}

}  // namespace dimwise
