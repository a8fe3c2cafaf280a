// Matches patterns with operands: assignment of operands to arguments, ranks, kinds and element types.
// match_sizes.cc matches sizes.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/scratch_array.h"
#include "dimwise/result_macros.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

bool IsVariadic(Arity arity) { return arity == Arity::kOneOrMore || arity == Arity::kAnyNumber; }

TypeKind KindOf(const Pattern& p) {
  switch (p.kind) {
    case PatternKind::kTensor:
      return TypeKind::kTensor;
    case PatternKind::kSequence:
      return TypeKind::kSequence;
    case PatternKind::kOptional:
      return TypeKind::kOptional;
    case PatternKind::kMap:
      return TypeKind::kMap;
    case PatternKind::kHandle:
      return TypeKind::kHandle;
    case PatternKind::kAnything:
      break;
  }
  return TypeKind::kUnknown;
}

// Returns whether a type may have the kind of a pattern, including nested types.
bool MayMatch(const Pattern& p, const Type& type) {
  if (p.kind == PatternKind::kAnything || type.kind == TypeKind::kUnknown) return true;
  if (type.kind != KindOf(p)) return false;
  if (type.container == nullptr || type.kind == TypeKind::kHandle || p.inside.empty()) return true;
  return std::ranges::all_of(type.container->elements,
                             [&](const Type& element) { return MayMatch(p.inside[0], element); });
}

}  // namespace

// Assigns flat operands to arguments: a variadic argument takes the operands that the others leave.
bool Evaluator::AssignOperands(const CompiledSignature& signature) {
  operand_ranges_.clear();
  absent_counts_.clear();
  const auto given = static_cast<uint32_t>(application_->operands.size());
  uint32_t fixed = 0, open = 0;
  for (const CompiledArgument& a : signature.operands) {
    const std::optional<uint32_t> counted = QueriedCount(a);
    fixed += counted.value_or(IsVariadic(a.arity) ? 0u : 1u);
    open += !counted && IsVariadic(a.arity);
  }
  uint32_t at = 0;
  for (const CompiledArgument& a : signature.operands) {
    uint32_t count = 1;
    const std::optional<uint32_t> counted = QueriedCount(a);
    // Arguments whose number is in one absent attribute have equally many operands.
    if (IsVariadic(a.arity) && !counted) {
      count = given > fixed ? given - fixed : 0;
      if (a.count != kNone) {
        count /= open;
        absent_counts_.push_back(&a);
      }
    }
    if (counted) {
      count = *counted;
      if (at + count > given) {
        (void)Fail(Code::kArity, [&] {
          return fmt::format("{} needs {} of {}; {} are left", application_->op, count, a.name,
                             given > at ? given - at : 0);
        });
        return false;
      }
    }
    if (at + count > given) count = given > at ? given - at : 0;
    operand_ranges_.push_back({at, count});
    const bool absent = count == 0 || (!IsVariadic(a.arity) && !application_->operands[at].given);
    if (absent && (a.arity == Arity::kOne || (count == 0 && a.arity == Arity::kOneOrMore))) {
      (void)Fail(Code::kArity,
                 [&] { return fmt::format("{} needs the operand {}", application_->op, a.name); });
      return false;
    }
    if (absent) operand_ranges_.back().second = 0;
    for (uint32_t k = 0; k < count && IsVariadic(a.arity); ++k) {
      if (application_->operands[at + k].given) continue;
      (void)Fail(Code::kArity, [&] {
        return fmt::format("{} needs {}[{}], which is not given", application_->op, a.name, k);
      });
      return false;
    }
    at += count;
  }
  for (const CompiledArgument* argument : absent_counts_) {
    const auto i = static_cast<size_t>(argument - signature.operands.data());
    BindCount(*argument, operand_ranges_[i].second);
  }
  if (at < given) {
    (void)Fail(Code::kArity, [&] {
      return fmt::format("{} takes at most {} operands; {} are given", application_->op, at, given);
    });
    return false;
  }
  return true;
}

// Returns whether the kinds and ranks of the operands and of known results can match the patterns.
bool Evaluator::Feasible(const CompiledSignature& signature) {
  const auto suits = [](const Pattern& p, const Type& type) {
    if (!MayMatch(p, type)) return false;
    if (p.kind != PatternKind::kTensor || !type.is_tensor()) return true;
    if (p.storage.is_known() && type.storage.is_known() && p.storage != type.storage) return false;
    if (!p.has_shape || p.unknown_shape || type.shape.is_none()) return true;
    const int fixed = p.size_items, lists = p.list_items;
    return type.shape.max_rank() >= fixed && (lists > 0 || type.shape.min_rank() <= fixed);
  };
  for (size_t i = 0; i < signature.operands.size(); ++i) {
    const auto [first, count] = operand_ranges_[i];
    for (uint32_t k = first; k < first + count; ++k) {
      if (!suits(signature.operands[i].pattern, application_->operands[k].type)) return false;
    }
  }
  bool suited = true;
  ForEachKnownResult(signature,
                     [&](const CompiledArgument& a, const Type& type) { suited &= suits(a.pattern, type); });
  return suited;
}

void Evaluator::ForEachKnownResult(const CompiledSignature& signature,
                                   FunctionRef<void(const CompiledArgument&, const Type&)> visit) {
  size_t flat = 0;
  for (size_t i = 0; i < signature.results.size() && flat < outcome_->results.size(); ++i) {
    const size_t end = flat + ResultCount(signature, i, flat);
    for (; flat < end && flat < application_->known_results.size(); ++flat)
      visit(signature.results[i], application_->known_results[flat]);
    flat = end;
  }
}

// Returns whether everything is known that distinguishes the alternatives.
bool Evaluator::Decided(const CompiledSignature& signature) const {
  for (size_t i = 0; i < signature.operands.size(); ++i) {
    const Pattern& p = signature.operands[i].pattern;
    if (p.kind != PatternKind::kTensor) continue;
    const auto [first, count] = operand_ranges_[i];
    for (uint32_t k = first; k < first + count; ++k) {
      const Type& type = application_->operands[k].type;
      if (!type.is_tensor() || (p.storage.is_known() && !type.storage.is_known())) return false;
      if (p.has_shape && !p.unknown_shape && (type.shape.is_none() || !type.shape.has_rank())) return false;
    }
  }
  return true;
}

Truth Evaluator::CaseCondition(const CompiledSignature& signature) {
  if (signature.when == kNone) return Truth::kYes;
  probing_ = true;
  SolveRanks(signature);
  const Status status = Match(signature);
  const Truth t = status ? AsGiven([&] { return Boolean(signature.when); }).truth : Truth::kNo;
  probing_ = AlwaysProbes();
  Begin(signature);
  return t;
}

// Returns the length of a list item, or -1 if it is not yet known.
int Evaluator::LengthOf(const Item& item) {
  if (item.length != kNone) {
    const Dim d = Int(item.length);
    return d.is_constant() && d.constant() >= 0 && d.constant() <= kMaxRank ? static_cast<int>(d.constant())
                                                                            : -1;
  }
  if (item.binds != kNone && !item.each) return lengths_[item.binds];
  if (item.expr != kNone) {
    const Node& n = code_->nodes[item.expr];
    if (n.op == Op::kSlot && n.type == ExprType::kInts && code_->slots[n.a].code == kNone &&
        code_->slots[n.a].attribute == kNone)
      return lengths_[n.a];
  }
  return -1;
}

// If the rank is known, computes the only unknown list length. If all lengths are known, computes the rank.
bool Evaluator::SolveRank(const Pattern& pattern, int rank, int* solved) {
  int total = 0;
  const Item* open = nullptr;
  for (const Item& item : pattern.items) {
    if (item.kind != ItemKind::kList) {
      ++total;
      continue;
    }
    const int n = LengthOf(item);
    if (n >= 0) {
      total += n;
    } else if (open != nullptr) {
      return false;
    } else {
      open = &item;
    }
  }
  if (open == nullptr) {
    if (rank >= 0 || *solved >= 0) return false;
    *solved = total;
    return true;
  }
  if (rank < total) return false;
  SlotId slot = open->each ? kNone : open->binds;
  if (slot == kNone && open->expr != kNone && code_->nodes[open->expr].op == Op::kSlot &&
      code_->nodes[open->expr].type == ExprType::kInts)
    slot = code_->nodes[open->expr].a;
  if (slot == kNone || lengths_[slot] >= 0 || code_->slots[slot].code != kNone) return false;
  lengths_[slot] = rank - total;
  return true;
}

void Evaluator::SolveRanks(const CompiledSignature& signature) {
  if (host_ == nullptr) return;
  bool unknown = false;
  for (const Operand& o : application_->operands)
    unknown |= o.given && o.type.is_tensor() && (o.type.shape.is_none() || !o.type.shape.has_rank());
  if (!unknown) return;
  lengths_.assign(code_->slots.size(), -1);
  std::vector<int> solved(application_->operands.size(), -1);
  const bool was_probing = probing_;
  probing_ = true;
  for (bool changed = true; changed && !failed();) {
    changed = false;
    for (size_t i = 0; i < signature.operands.size(); ++i) {
      const Pattern& p = signature.operands[i].pattern;
      if (p.kind != PatternKind::kTensor || !p.has_shape || p.unknown_shape) continue;
      for (uint32_t k = operand_ranges_[i].first; k < operand_ranges_[i].first + operand_ranges_[i].second;
           ++k) {
        const Type& t = application_->operands[k].type;
        if (!t.is_tensor()) continue;
        const int rank = !t.shape.is_none() && t.shape.has_rank() ? t.shape.rank() : solved[k];
        changed |= SolveRank(p, rank, &solved[k]);
      }
    }
    ForEachKnownResult(signature, [&](const CompiledArgument& a, const Type& t) {
      const Pattern& p = a.pattern;
      if (p.kind != PatternKind::kTensor || !p.has_shape || p.unknown_shape || !t.is_tensor() ||
          t.shape.is_none() || !t.shape.has_rank())
        return;
      int ignored = t.shape.rank();
      changed |= SolveRank(p, t.shape.rank(), &ignored);
    });
    // Values computed so far may depend on lengths that are found next, so they are discarded. A list of
    // known length keeps its length.
    for (size_t s = 0; s < code_->slots.size(); ++s) {
      slots_[s].state = SlotValue::State::kEmpty;
      if (lengths_[s] < 0) continue;
      Dim* sizes = NewDims(static_cast<size_t>(lengths_[s]));
      std::fill(sizes, sizes + lengths_[s], Dim());
      slots_[s].list = {sizes, lengths_[s], 0, {}};
      slots_[s].state = SlotValue::State::kFull;
    }
  }
  for (size_t s = 0; s < code_->slots.size(); ++s) slots_[s].state = SlotValue::State::kEmpty;
  probing_ = was_probing;
  failure_.reset();
  for (uint32_t k = 0; k < solved.size(); ++k) {
    const Operand& o = application_->operands[k];
    if (solved[k] < 0 || (!o.type.shape.is_none() && o.type.shape.has_rank())) continue;
    ScratchArray<Dim, kMaxRank> dims;
    const int n = std::min(solved[k], kMaxRank);
    for (int axis = 0; axis < n; ++axis) {
      dims[static_cast<size_t>(axis)] = host_->Fresh(OperandRole(k, axis), 0, INT64_MAX);
    }
    Type& refined = outcome_->refined[k];
    refined = o.type;
    refined.shape =
        host_->analysis().shapes().Make(std::span<const Dim>(dims.data(), static_cast<size_t>(n)));
  }
}

Status Evaluator::Match(const CompiledSignature& signature) {
  if (code_->types_are_attributes) DIMWISE_RETURN_IF_ERROR(BindTypeAttributes());
  for (size_t i = 0; i < signature.operands.size(); ++i) {
    const CompiledArgument& a = signature.operands[i];
    const bool variadic = IsVariadic(a.arity);
    const auto [first, count] = operand_ranges_[i];
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t flat = first + k;
      const Type& refined = outcome_->refined[flat];
      const Type& type = refined.kind == TypeKind::kUnknown ? application_->operands[flat].type : refined;
      DIMWISE_RETURN_IF_ERROR(MatchType(a, a.pattern, type, flat, variadic, k));
    }
  }
  // An element type or a storage may be known only from a result.
  Status status;
  ForEachKnownResult(signature, [&](const CompiledArgument& a, const Type& t) {
    const Pattern& p = a.pattern;
    if (!status || p.kind != PatternKind::kTensor || !t.is_tensor()) return;
    if (p.storage_variable != kNone && !storage_variables_[p.storage_variable].is_known())
      status = MatchStorage(a, p, t.storage);
    if (!status || p.type_variable == kNone || p.each_element) return;
    if (type_variables_[p.type_variable] == ElementType::kUnknown) status = MatchElement(a, p, t.element, 0);
  });
  if (!status) return status;
  for (size_t i = 0; i < signature.operands.size(); ++i) {
    const auto [first, count] = operand_ranges_[i];
    for (uint32_t k = first; k < first + count; ++k) RefineOperand(signature.operands[i].pattern, k);
  }
  return {};
}

// Refines the element type and the storage of an operand if the patterns determine them.
void Evaluator::RefineOperand(const Pattern& p, uint32_t flat) {
  const Type& type = application_->operands[flat].type;
  if (p.kind != PatternKind::kTensor || !type.is_tensor()) return;
  ElementType element = p.fixed != ElementType::kUnknown || p.allowed == 0
                            ? p.fixed
                            : ElementTypeSet::FromBits(p.allowed).Single();
  if (p.type_variable != kNone && !p.each_element) {
    const uint64_t allowed = code_->type_variables[p.type_variable].allowed;
    element = type_variables_[p.type_variable];
    if (element == ElementType::kUnknown && allowed != 0)
      element = ElementTypeSet::FromBits(allowed).Single();
  }
  Storage storage = p.storage;
  if (p.storage_variable != kNone) {
    const std::vector<Storage>& allowed = code_->storage_variables[p.storage_variable].allowed;
    storage = storage_variables_[p.storage_variable];
    if (!storage.is_known() && allowed.size() == 1) storage = allowed[0];
  }
  const bool tells_element = element != ElementType::kUnknown && type.element == ElementType::kUnknown;
  const bool tells_storage = storage.is_known() && !type.storage.is_known();
  if (!tells_element && !tells_storage) return;
  Type& refined = outcome_->refined[flat];
  if (refined.kind == TypeKind::kUnknown) refined = type;
  if (tells_element) refined.element = element;
  if (tells_storage) refined.storage = storage;
}

Status Evaluator::MatchStorage(const CompiledArgument& a, const Pattern& p, Storage storage) {
  if (!storage.is_known()) return {};
  const auto refuse = [&](FunctionRef<std::string()> wanted) {
    return Fail(Code::kElementType, [&] {
      return fmt::format("{} of {} is stored {}; it must be {}", a.name, application_->op, ToString(storage),
                         wanted());
    });
  };
  if (p.storage.is_known() && p.storage != storage)
    return refuse([&] { return std::string(ToString(p.storage)); });
  if (p.storage_variable == kNone) return {};
  const StorageVariable& v = code_->storage_variables[p.storage_variable];
  if (!v.allowed.empty() && std::ranges::find(v.allowed, storage) == v.allowed.end()) {
    return refuse([&] {
      std::string all;
      for (const Storage s : v.allowed) all += (all.empty() ? "" : ", ") + std::string(ToString(s));
      return all;
    });
  }
  Storage& bound = storage_variables_[p.storage_variable];
  if (bound.is_known() && bound != storage)
    return refuse(
        [&] { return fmt::format("{}, like the other operands of storage {}", ToString(bound), v.name); });
  bound = storage;
  return {};
}

const AttrValue* Evaluator::AttributeOf(const TypeVariable& v) const {
  return application_->attributes == nullptr ? nullptr : application_->attributes->values[v.attribute];
}

// Binds the variables of element types whose attributes are given.
Status Evaluator::BindTypeAttributes() {
  for (size_t i = 0; i < code_->type_variables.size(); ++i) {
    const TypeVariable& v = code_->type_variables[i];
    if (v.attribute == kNone || AttributeOf(v) == nullptr) continue;
    if (v.each_slot != kNone) {
      ReadSlot(v.each_slot);
      continue;
    }
    const ElementType type = application_->attributes->types[v.attribute];
    if (v.allowed != 0 && !ElementTypeSet::FromBits(v.allowed).Contains(type)) {
      return Fail(Code::kBadAttribute, [&] {
        return fmt::format("{} has {} = {}; it must be {}", application_->op, v.name, ToString(type),
                           ToString(ElementTypeSet::FromBits(v.allowed)));
      });
    }
    type_variables_[i] = type;
  }
  return {};
}

Status Evaluator::MatchElement(const CompiledArgument& a, const Pattern& p, ElementType element,
                               size_t index) {
  if (element == ElementType::kUnknown) return {};
  const auto refuse = [&](std::string wanted) {
    return Fail(Code::kElementType, [&] {
      return fmt::format("{} of {} is {}; it must be {}", a.name, application_->op, ToString(element),
                         wanted);
    });
  };
  if (p.fixed != ElementType::kUnknown && p.fixed != element) return refuse(std::string(ToString(p.fixed)));
  if (p.allowed != 0 && !ElementTypeSet::FromBits(p.allowed).Contains(element))
    return refuse(ToString(ElementTypeSet::FromBits(p.allowed)));
  if (p.type_variable == kNone) return {};
  const TypeVariable& v = code_->type_variables[p.type_variable];
  if (v.allowed != 0 && !ElementTypeSet::FromBits(v.allowed).Contains(element))
    return refuse(ToString(ElementTypeSet::FromBits(v.allowed)));
  const auto refuse_other = [&](ElementType bound) {
    const bool is_attribute = v.attribute != kNone && AttributeOf(v) != nullptr;
    return refuse(is_attribute
                      ? fmt::format("{}, the attribute {}", ToString(bound), v.name)
                      : fmt::format("{}, like the other operands of type {}", ToString(bound), v.name));
  };
  if (p.each_element) {
    SlotValue& slot = slots_[v.each_slot];
    const auto bound = slot.state == SlotValue::State::kFull ? slot.types : std::span<const ElementType>();
    if (v.attribute != kNone && index < bound.size() && bound[index] != ElementType::kUnknown)
      return bound[index] == element ? Status() : refuse_other(bound[index]);
    slot.types = WithOneMore(bound, index, element);
    slot.state = SlotValue::State::kFull;
    return {};
  }
  ElementType& bound = type_variables_[p.type_variable];
  if (bound != ElementType::kUnknown && bound != element) return refuse_other(bound);
  bound = element;
  return {};
}

Status Evaluator::MatchType(const CompiledArgument& a, const Pattern& p, const Type& type, uint32_t flat,
                            bool variadic, size_t index) {
  if (p.kind == PatternKind::kAnything && p.whole != kNone) {
    Type& bound = whole_types_[p.whole];
    if (bound.kind == TypeKind::kUnknown) {
      bound = type;
    } else if (bound != type) {  // two types for one variable: their join
      bound = bound.is_tensor() && type.is_tensor() && bound.element == type.element
                  ? Type::Tensor(type.element, Shape())
                  : Type();
    }
    return {};
  }
  if (p.kind == PatternKind::kAnything || type.kind == TypeKind::kUnknown) return {};
  const TypeKind wanted = KindOf(p);
  if (type.kind != wanted) {
    static constexpr std::string_view kNames[] = {"anything",    "a tensor", "a sequence",
                                                  "an optional", "a map",    "a handle"};
    return Fail(Code::kElementType, [&] {
      return fmt::format("{} of {} is {}; it must be {}", a.name, application_->op,
                         kNames[static_cast<size_t>(type.kind)], kNames[static_cast<size_t>(wanted)]);
    });
  }
  if (wanted != TypeKind::kTensor) {
    const std::vector<Type>& elements = type.container->elements;
    if (p.length_binds != kNone) {
      slots_[p.length_binds].integer = type.container->length;
      slots_[p.length_binds].state = SlotValue::State::kFull;
    }
    if (wanted == TypeKind::kHandle) {
      for (size_t i = 0; i < p.inside.size() && i < elements.size(); ++i)
        DIMWISE_RETURN_IF_ERROR(MatchType(a, p.inside[i], elements[i], flat, variadic, index));
      return {};
    }
    if (p.inside.empty() || elements.empty() || host_ == nullptr) return {};
    // An arbitrary element: each-dimensions are fresh, and several types are joined.
    uint32_t taken = 0;
    const Type element = host_->analysis().types().TakeElement(
        host_->analysis().dims(), host_->analysis().shapes(), type, [&](Dim each) {
          const SymbolInfo info = each.is_none() ? SymbolInfo{} : host_->analysis().dims().GetSymbol(each);
          own_.push_back(
              host_->Fresh(0x10000000u | (flat << 10) | taken++, std::max<int64_t>(info.min, 0), info.max));
          return own_.back();
        });
    return MatchType(a, p.inside[0], element, flat, variadic, index);
  }
  DIMWISE_RETURN_IF_ERROR(MatchElement(a, p, type.element, index));
  DIMWISE_RETURN_IF_ERROR(MatchStorage(a, p, type.storage));
  if (!p.has_shape || p.unknown_shape || type.shape.is_none()) return {};
  return MatchShape(a, p, type.shape, flat, variadic, index);
}

}  // namespace dimwise::rules
