// Evaluates small types: strings, reals, element types and booleans.
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

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
          [](Bool, std::string_view a, std::string_view b) {
            return Same(a, b) == Truth::kYes ? a : std::string_view();
          });
    case Op::kIndex: {
      const std::span<const std::string_view> list = Strings(n.a);
      const Dim i = Pinned(Int(n.b));
      if (!i.is_constant()) return {};
      const int64_t k = i.constant() < 0 ? i.constant() + static_cast<int64_t>(list.size()) : i.constant();
      return k >= 0 && k < static_cast<int64_t>(list.size()) ? list[static_cast<size_t>(k)]
                                                             : std::string_view();
    }
    case Op::kFold:
      Fold(n);
      return slots_[code_->loops[static_cast<size_t>(n.immediate)].accumulator].text;
    default:
      return {};
  }
}

std::span<const std::string_view> Evaluator::Strings(NodeId id) {
  const Node& n = code_->nodes[id];
  const auto unknown = UnknownList<std::string_view>();
  if (!Step()) return unknown;
  if (n.op == Op::kSlot) return ReadSlot(n.a).texts;
  if (n.op == Op::kIf) {
    const auto same = [](std::string_view a, std::string_view b) {
      return Same(a, b) == Truth::kYes ? a : std::string_view();
    };
    return OneWayOrBoth(
        n, [&](NodeId way) { return Strings(way); },
        [&](Bool, auto a, auto b) { return JoinAll(a, b, same); });
  }
  std::vector<std::string_view> all;
  if (n.op == Op::kList) {
    for (NodeId arg : Args(n)) {
      if (code_->nodes[arg].spread) {
        const std::span<const std::string_view> inner = Strings(arg);
        if (IsUnknown(inner)) return unknown;
        all.insert(all.end(), inner.begin(), inner.end());
      } else {
        all.push_back(String(arg));
      }
    }
  } else if (n.op == Op::kFor && !ForEach(n, [&] { all.push_back(String(n.a)); })) {
    return unknown;
  }
  return StoreAll(all);
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
          n, [&](NodeId way) { return Real(way); },
          [](Bool, double a, double b) { return a == b ? a : kUnknownReal; });
    case Op::kIndex: {
      const std::span<const double> list = Reals(n.a);
      const Dim i = Pinned(Int(n.b));
      return i.is_constant() && i.constant() >= 0 && i.constant() < static_cast<int64_t>(list.size())
                 ? list[static_cast<size_t>(i.constant())]
                 : kUnknownReal;
    }
    default:
      return kUnknownReal;
  }
}

std::span<const double> Evaluator::Reals(NodeId id) {
  const Node& n = code_->nodes[id];
  if (!Step()) return UnknownList<double>();
  if (n.op == Op::kSlot) return ReadSlot(n.a).reals;
  if (n.op == Op::kIf) {
    const auto same = [](double a, double b) { return a == b ? a : kUnknownReal; };
    return OneWayOrBoth(
        n, [&](NodeId way) { return Reals(way); }, [&](Bool, auto a, auto b) { return JoinAll(a, b, same); });
  }
  std::vector<double> all;
  if (n.op == Op::kList) {
    for (NodeId arg : Args(n)) all.push_back(Real(arg));
  } else if (n.op == Op::kFor && !ForEach(n, [&] { all.push_back(Real(n.a)); })) {
    return UnknownList<double>();
  }
  return StoreAll(all);
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
          [](Bool, ElementType a, ElementType b) { return a == b ? a : ElementType::kUnknown; });
    case Op::kIndex: {
      const std::span<const ElementType> list = TypesOf(n.a);
      const Dim i = Pinned(Int(n.b));
      return i.is_constant() && i.constant() >= 0 && i.constant() < static_cast<int64_t>(list.size())
                 ? list[static_cast<size_t>(i.constant())]
                 : ElementType::kUnknown;
    }
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
  const Node& n = code_->nodes[id];
  if (!Step()) return UnknownList<ElementType>();
  if (n.op == Op::kSlot) return ReadSlot(n.a).types;
  if (n.op == Op::kIf) {
    const auto same = [](ElementType a, ElementType b) { return a == b ? a : ElementType::kUnknown; };
    return OneWayOrBoth(
        n, [&](NodeId way) { return TypesOf(way); },
        [&](Bool, auto a, auto b) { return JoinAll(a, b, same); });
  }
  std::vector<ElementType> all;
  if (n.op == Op::kList) {
    for (NodeId arg : Args(n)) all.push_back(TypeOf(arg));
  } else if (n.op == Op::kFor && !ForEach(n, [&] { all.push_back(TypeOf(n.a)); })) {
    return UnknownList<ElementType>();
  }
  return StoreAll(all);
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
