// Evaluates small types: strings, reals, element types and booleans.
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

// Returns an element, counted from the end if the index is negative; unknown if there is none.
template <typename T>
T ElementAt(std::span<const T> list, Dim index) {
  if (!index.is_constant()) return Unknown<T>();
  const auto size = static_cast<int64_t>(list.size());
  const int64_t k = index.constant() < 0 ? index.constant() + size : index.constant();
  return k >= 0 && k < size ? list[static_cast<size_t>(k)] : Unknown<T>();
}

template <typename T>
T OneIfSame(T a, T b) {
  return Same(a, b) == Truth::kYes ? a : Unknown<T>();
}

}  // namespace

// Evaluates a list of strings, reals or element types: `slot` is the list in a slot, `element` evaluates an
// element and `list` a part that is spread.
template <typename T>
std::span<const T> Evaluator::SmallList(NodeId id, std::span<const T> SlotValue::*slot,
                                        T (Evaluator::*element)(NodeId),
                                        std::span<const T> (Evaluator::*list)(NodeId)) {
  const Node& n = code_->nodes[id];
  if (!Step()) return UnknownList<T>();
  if (n.op == Op::kSlot) return ReadSlot(n.a).*slot;
  if (n.op == Op::kIf) {
    return OneWayOrBoth(
        n, [&](NodeId way) { return (this->*list)(way); },
        [&](Bool, auto a, auto b) { return JoinAll(a, b, OneIfSame<T>); });
  }
  std::vector<T> all;
  if (n.op == Op::kList) {
    for (NodeId arg : Args(n)) {
      if (code_->nodes[arg].spread) {
        const std::span<const T> inner = (this->*list)(arg);
        if (IsUnknown(inner)) return UnknownList<T>();
        all.insert(all.end(), inner.begin(), inner.end());
      } else {
        all.push_back((this->*element)(arg));
      }
    }
  } else if (n.op == Op::kFor && !ForEach(n, [&] { all.push_back((this->*element)(n.a)); })) {
    return UnknownList<T>();
  }
  return StoreAll(all);
}

std::string_view Evaluator::String(NodeId id) {
  const Node& n = code_->nodes[id];
  if (!Step()) return {};
  switch (n.op) {
    case Op::kConstant:
      return code_->strings[static_cast<size_t>(n.immediate)];
    case Op::kSlot:
      return ReadSlot(n.a).text;
    case Op::kIf:
      return OneWayOrBoth(
          n, [&](NodeId way) { return String(way); },
          [](Bool, std::string_view a, std::string_view b) { return OneIfSame(a, b); });
    case Op::kIndex:
      return ElementAt(Strings(n.a), Pinned(Int(n.b)));
    case Op::kFold:
      Fold(n);
      return slots_[code_->loops[static_cast<size_t>(n.immediate)].accumulator].text;
    default:
      return {};
  }
}

std::span<const std::string_view> Evaluator::Strings(NodeId id) {
  return SmallList(id, &SlotValue::texts, &Evaluator::String, &Evaluator::Strings);
}

double Evaluator::Real(NodeId id) {
  const Node& n = code_->nodes[id];
  if (!Step()) return kUnknownReal;
  switch (n.op) {
    case Op::kConstant:
      return code_->reals[static_cast<size_t>(n.immediate)];
    case Op::kSlot:
      return ReadSlot(n.a).real;
    case Op::kIf:
      return OneWayOrBoth(
          n, [&](NodeId way) { return Real(way); }, [](Bool, double a, double b) { return OneIfSame(a, b); });
    case Op::kIndex:
      return ElementAt(Reals(n.a), Pinned(Int(n.b)));
    default:
      return kUnknownReal;
  }
}

std::span<const double> Evaluator::Reals(NodeId id) {
  return SmallList(id, &SlotValue::reals, &Evaluator::Real, &Evaluator::Reals);
}

ElementType Evaluator::TypeOf(NodeId id) {
  const Node& n = code_->nodes[id];
  if (!Step()) return ElementType::kUnknown;
  switch (n.op) {
    case Op::kConstant:
      return static_cast<ElementType>(n.immediate);
    case Op::kSlot:
      return ReadSlot(n.a).type;
    case Op::kOperandType: {
      if (n.a == kNone) return type_variables_[n.b];
      const auto [first, count] = operand_ranges_[n.a];
      if (count == 0) return ElementType::kUnknown;
      const Type& refined = outcome_->refined[first];
      return refined.kind == TypeKind::kUnknown ? application_->operands[first].type.element
                                                : refined.element;
    }
    case Op::kIf:
      return OneWayOrBoth(
          n, [&](NodeId way) { return TypeOf(way); },
          [](Bool, ElementType a, ElementType b) { return OneIfSame(a, b); });
    case Op::kIndex:
      return ElementAt(TypesOf(n.a), Pinned(Int(n.b)));
    case Op::kBuiltin:
      if (static_cast<Builtin>(n.immediate) == Builtin::kTensorType) return Tensor(Args(n)[0]).element;
      return Promote(TypeOf(Args(n)[0]), TypeOf(Args(n)[1])).value_or(ElementType::kUnknown);
    case Op::kFold:
      Fold(n);
      return slots_[code_->loops[static_cast<size_t>(n.immediate)].accumulator].type;
    default:
      return ElementType::kUnknown;
  }
}

std::span<const ElementType> Evaluator::TypesOf(NodeId id) {
  return SmallList(id, &SlotValue::types, &Evaluator::TypeOf, &Evaluator::TypesOf);
}

// An unknown list is represented by one element that may hold, so that `all` and `any` of it are maybe.
std::vector<Evaluator::Bool> Evaluator::Booleans(NodeId id) {
  const Node& n = code_->nodes[id];
  std::vector<Bool> all;
  if (!Step()) return all;
  if (n.op == Op::kSlot) {
    const std::span<const Bool> list = ReadSlot(n.a).booleans;
    all.assign(list.begin(), list.end());
  } else if (n.op == Op::kList) {
    for (NodeId arg : Args(n)) all.push_back(Boolean(arg));
  } else if (n.op == Op::kFor) {
    if (!ForEach(n, [&] { all.push_back(Boolean(n.a)); })) all.push_back({});
  } else if (n.op == Op::kIf) {
    return OneWayOrBoth(
        n, [&](NodeId way) { return Booleans(way); },
        [](Bool, const auto&, const auto&) { return std::vector<Bool>{{}}; });
  }
  return all;
}

}  // namespace dimwise::rules
