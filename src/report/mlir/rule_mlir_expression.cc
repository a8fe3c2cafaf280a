// Emits expressions: integers, conditions, choices.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/wide.h"
#include "dimwise/element_type.h"
#include "report/mlir/rule_mlir_emitter.h"

namespace dimwise {

using rules::ExprType;
using rules::Node;
using rules::Op;
using rules::SlotId;

MlirValue MlirEmitter::Value(NodeId id) {
  if (refusal_) return Number(0);
  const Node& n = code_.nodes[id];
  switch (n.op) {
    case Op::kConstant:
      return ConstantOf(id, n);
    case Op::kSlot:
      return Slot(id, n.a);
    case Op::kContents:
      return Contents(id, n.a, n.type);
    case Op::kOperandRank:
    case Op::kOperandShape: {
      const MlirValue extents = Named(Operand(n.a, 0), ExprType::kInts);
      return n.op == Op::kOperandShape ? extents : Length(extents);
    }
    case Op::kOperandCount: {
      const rules::Arity arity = code_.signatures[0].operands[n.a].arity;
      if (arity == rules::Arity::kOneOrMore || arity == rules::Arity::kAnyNumber)
        return Number(options_.repeated);
      return Choose(
          Given(n.a), ExprType::kInt, [&] { return Number(1); }, [&] { return Number(0); });
    }
    case Op::kResultCount:
      return Number(options_.repeated);
    case Op::kGiven:
      return Given(n.a);
    case Op::kGivenResult:
      return Truth(true);
    case Op::kGivenAttr: {
      const rules::CompiledAttribute& a = code_.attributes[n.a];
      if (!a.optional && a.otherwise == kNone) return Truth(true);
      return Named(Argument(1, static_cast<int>(2 * n.a) + 1, a.name + "_given", "i1"), ExprType::kBool);
    }
    case Op::kVersion:
      return Number(options_.version);
    case Op::kOperandType:
    case Op::kOperandsEqual:
    case Op::kTypeIn:
    case Op::kResultRank:  // only in properties
    case Op::kResultShape:
      return Missing(id, n.type);
    case Op::kBuiltin:
      return Builtin(id, n);
    case Op::kList:
      return ListOf(n);
    case Op::kIndex: {
      const MlirValue list = Value(n.a), place = Value(n.b);
      if (list.type == ExprType::kInts || list.type == ExprType::kBools || list.counted)
        return Element(list, place);
      return Refuse(id, "it is an index into a list of other elements than integers");
    }
    case Op::kSliceList:
      return Slice(n);
    case Op::kNegate:
      return Arithmetic(id, Op::kSubtract, Number(0), Value(n.a));
    case Op::kNot:
      return Not(Value(n.a));
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kFloorDivide:
    case Op::kMod: {
      const MlirValue a = Value(n.a);
      return Arithmetic(id, n.op, a, Value(n.b));
    }
    case Op::kEqual: {
      const MlirValue a = Value(n.a);
      return Equal(id, a, Value(n.b));
    }
    case Op::kNotEqual: {
      const MlirValue a = Value(n.a), b = Value(n.b);
      return a.type == ExprType::kInt ? Compare(n.op, a, b) : Not(Equal(id, a, b));
    }
    case Op::kLess:
    case Op::kAtMost: {
      const MlirValue a = Value(n.a);
      return Compare(n.op, a, Value(n.b));
    }
    case Op::kAnd:
    case Op::kOr:
      return Connective(n);
    case Op::kIn:
      return Membership(id, n);
    case Op::kIf:
      return Choose(
          Value(n.a), n.type, [&] { return Value(n.b); }, [&] { return Value(n.c); });
    case Op::kFor:
      return Loop(id, n);
    case Op::kFold:
      return Fold(id, n);
  }
  return Refuse(id, "");
}

MlirValue MlirEmitter::ConstantOf(NodeId id, const Node& n) {
  if (n.type == ExprType::kBool) return Truth(n.immediate != 0);
  if (n.type == ExprType::kInt) return Number(n.immediate);
  if (n.type == ExprType::kType) return Missing(id, n.type);
  if (n.type != ExprType::kString) return Refuse(id, "it is a float");
  const std::string& text = code_.strings[static_cast<size_t>(n.immediate)];
  auto it = std::ranges::find(module_.strings, text);
  if (it == module_.strings.end()) it = module_.strings.insert(it, text);
  MlirValue v = Number(it - module_.strings.begin());
  v.type = ExprType::kString;
  return v;
}

// Emits the right side in a branch if it may fail.
MlirValue MlirEmitter::Connective(const Node& n) {
  const bool is_and = n.op == Op::kAnd;
  const MlirValue a = Value(n.a);
  if (a.constant) return (*a.constant != 0) == is_and ? Value(n.b) : a;
  if (!a.missing.empty()) {
    const Block b = Capture([&] { return Value(n.b); });
    return b.value.constant && (*b.value.constant != 0) != is_and ? b.value : a;
  }
  Block b = Capture([&] { return Value(n.b); });
  if (!b.value.missing.empty()) return b.value;
  if (!b.hazard) {
    PutBlock(b, 0);
    return is_and ? And(a, b.value) : Or(a, b.value);
  }
  Block decided;
  decided.value = Truth(!is_and);
  return is_and ? Join(a, ExprType::kBool, b, decided) : Join(a, ExprType::kBool, decided, b);
}

MlirValue MlirEmitter::Slot(NodeId at, SlotId id) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto it = scope->find(id); it != scope->end()) return it->second;
  }
  const rules::Slot& slot = code_.slots[id];
  if (!busy_.insert(id).second) return Missing(at, slot.type);
  MlirValue v = slot.attribute != kNone ? Attribute(at, slot.attribute)
                : slot.code != kNone    ? Value(slot.code)
                                        : Missing(at, slot.type);
  busy_.erase(id);
  if (slot.attribute != kNone || slot.code != kNone) scopes_.back()[id] = v;
  return v;
}

MlirValue MlirEmitter::Attribute(NodeId at, uint32_t index) {
  const rules::CompiledAttribute& a = code_.attributes[index];
  const ExprType type = code_.slots[a.slot].type;
  std::string_view mlir;
  switch (type) {
    case ExprType::kInt:
    case ExprType::kString:
      mlir = "index";
      break;
    case ExprType::kBool:
      mlir = "i1";
      break;
    case ExprType::kInts:
      mlir = kMlirList;
      break;
    case ExprType::kType:
      return Missing(at, type);
    default:
      return Refuse(at, "it is an attribute of neither integers nor a string");
  }
  if (type == ExprType::kString) {
    for (const AttrValue& allowed : a.allowed) {
      const auto* text = allowed.get_if<std::string>();
      if (text != nullptr && std::ranges::find(module_.strings, *text) == module_.strings.end())
        module_.strings.push_back(*text);
    }
  }
  used_attributes_.insert(index);
  const MlirValue argument = Named(Argument(1, static_cast<int>(2 * index), a.name, mlir), type);
  if (a.otherwise == kNone || code_.nodes[a.otherwise].op == Op::kConstant) return argument;
  if (const Node& n = code_.nodes[a.otherwise]; n.op == Op::kNegate && code_.nodes[n.a].op == Op::kConstant)
    return argument;
  const MlirValue given =
      Named(Argument(1, static_cast<int>(2 * index) + 1, a.name + "_given", "i1"), ExprType::kBool);
  return Choose(
      given, type, [&] { return argument; }, [&] { return Value(a.otherwise); });
}

MlirValue MlirEmitter::Contents(NodeId at, uint32_t operand, ExprType type) {
  const rules::Pattern& p = code_.signatures[0].operands[operand].pattern;
  uint64_t allowed = p.allowed;
  if (p.fixed != ElementType::kUnknown) allowed = ElementTypeSet(p.fixed).bits();
  if (p.type_variable != kNone) allowed = code_.type_variables[p.type_variable].allowed;
  const bool integers = allowed != 0 && (allowed & ~(kIntegerTypes | kBoolTypes).bits()) == 0;
  if (!integers || type == ExprType::kTensors) return Missing(at, type);
  const std::string name = code_.signatures[0].operands[operand].name + "_value";
  const int place = static_cast<int>(1000 * operand) + 999;
  return Named(Argument(0, place, name, type == ExprType::kInt ? "index" : kMlirList), type);
}

MlirValue MlirEmitter::Arithmetic(NodeId at, Op op, const MlirValue& a, const MlirValue& b) {
  if (!a.missing.empty()) return a;
  if (!b.missing.empty()) return b;
  const bool divides = op == Op::kFloorDivide || op == Op::kMod;
  if (a.constant && b.constant && !(divides && *b.constant == 0)) {
    const Wide x = *a.constant, y = *b.constant;
    const Wide r = op == Op::kAdd           ? x + y
                   : op == Op::kSubtract    ? x - y
                   : op == Op::kMultiply    ? x * y
                   : op == Op::kFloorDivide ? FloorDiv(x, y)
                                            : x - y * FloorDiv(x, y);
    if (!FitsInt64(r)) return Refuse(at, "it does not fit 64 bits");
    return Number(static_cast<int64_t>(r));
  }
  if (b.constant && *b.constant == (op == Op::kMultiply || op == Op::kFloorDivide ? 1 : 0) &&
      op != Op::kMod && !(divides && *b.constant == 0))
    return a;
  if (a.constant && ((op == Op::kAdd && *a.constant == 0) || (op == Op::kMultiply && *a.constant == 1)))
    return b;
  const std::string x = Index(a), y = Index(b);
  if (divides && !(b.constant && *b.constant != 0)) {
    Assert(Compare(Op::kNotEqual, b, Number(0)), fmt::format("the rule of {} divides by 0", rule_.name));
  }
  const auto binary = [&](std::string_view name, const std::string& l, const std::string& r) {
    return Define(fmt::format("arith.{} {}, {} : index", name, l, r));
  };
  std::string r;
  switch (op) {
    case Op::kAdd:
      r = binary("addi", x, y);
      break;
    case Op::kSubtract:
      r = binary("subi", x, y);
      break;
    case Op::kMultiply:
      r = binary("muli", x, y);
      break;
    case Op::kFloorDivide:
      r = binary("floordivsi", x, y);
      break;
    default: {
      const std::string quotient = binary("floordivsi", x, y);
      const std::string whole = binary("muli", quotient, y);
      r = binary("subi", x, whole);
    }
  }
  return Named(r, ExprType::kInt);
}

MlirValue MlirEmitter::Compare(Op op, const MlirValue& a, const MlirValue& b) {
  MlirValue missing = !a.missing.empty() ? a : b;
  if (!missing.missing.empty()) {
    missing.type = ExprType::kBool;
    return missing;
  }
  if (a.constant && b.constant) {
    const int64_t x = *a.constant, y = *b.constant;
    return Truth(op == Op::kEqual ? x == y : op == Op::kNotEqual ? x != y : op == Op::kLess ? x < y : x <= y);
  }
  const std::string x = Index(a), y = Index(b);
  if (x == y) return Truth(op == Op::kEqual || op == Op::kAtMost);
  const std::string_view predicate = op == Op::kEqual      ? "eq"
                                     : op == Op::kNotEqual ? "ne"
                                     : op == Op::kLess     ? "slt"
                                                           : "sle";
  const std::string_view type = a.type == ExprType::kBool ? "i1" : "index";
  return Named(Define(fmt::format("arith.cmpi {}, {}, {} : {}", predicate, x, y, type)), ExprType::kBool);
}

MlirValue MlirEmitter::And(const MlirValue& a, const MlirValue& b) {
  if (a.constant) return *a.constant != 0 ? b : a;
  if (b.constant) return *b.constant != 0 ? a : b;
  if (!a.missing.empty() || !b.missing.empty()) return a.missing.empty() ? b : a;
  return Named(Define(fmt::format("arith.andi {}, {} : i1", Index(a), Index(b))), ExprType::kBool);
}

MlirValue MlirEmitter::Or(const MlirValue& a, const MlirValue& b) {
  if (a.constant) return *a.constant != 0 ? a : b;
  if (b.constant) return *b.constant != 0 ? b : a;
  if (!a.missing.empty() || !b.missing.empty()) return a.missing.empty() ? b : a;
  return Named(Define(fmt::format("arith.ori {}, {} : i1", Index(a), Index(b))), ExprType::kBool);
}

MlirValue MlirEmitter::Not(const MlirValue& a) {
  if (!a.missing.empty()) return a;
  if (a.constant) return Truth(*a.constant == 0);
  return Named(Define(fmt::format("arith.xori {}, {} : i1", Index(a), Index(Truth(true)))), ExprType::kBool);
}

MlirValue MlirEmitter::Equal(NodeId at, const MlirValue& a, const MlirValue& b) {
  MlirValue missing = !a.missing.empty() ? a : b;
  missing.type = ExprType::kBool;
  if (!missing.missing.empty()) return missing;
  switch (a.type) {
    case ExprType::kInt:
    case ExprType::kBool:
      return Compare(Op::kEqual, a, b);
    case ExprType::kString:
      // Strings that are not in the table all have the same number, so they cannot be compared.
      if (!a.constant && !b.constant) return Refuse(at, "it compares two strings");
      return Compare(Op::kEqual, a, b);
    case ExprType::kInts: {
      if (!a.counted || !b.counted) return CallOver("equal", {a, b}, ExprType::kBool);
      if (a.elements.size() != b.elements.size()) return Truth(false);
      MlirValue all = Truth(true);
      for (size_t i = 0; i < a.elements.size(); ++i)
        all = And(all, Compare(Op::kEqual, a.elements[i], b.elements[i]));
      return all;
    }
    default:
      return Refuse(at, "it compares neither integers nor strings");
  }
}

MlirValue MlirEmitter::Choose(const MlirValue& condition, ExprType type, FunctionRef<MlirValue()> yes,
                              FunctionRef<MlirValue()> no) {
  if (refusal_) return Number(0);
  if (condition.constant) return *condition.constant != 0 ? yes() : no();
  if (!condition.missing.empty()) {
    MlirValue v = condition;
    v.type = type;
    return v;
  }
  const Block a = Capture(yes);
  return Join(condition, type, a, Capture(no));
}

MlirValue MlirEmitter::Join(const MlirValue& condition, ExprType type, const Block& a, const Block& b) {
  const auto same = [](const MlirValue& x, const MlirValue& y) {
    return x.missing.empty() && y.missing.empty() && !x.counted && !y.counted && x.constant == y.constant &&
           x.name == y.name;
  };
  const MlirValue *no_a = FirstMissing({&a.value, 1}), *no_b = FirstMissing({&b.value, 1});
  if (no_a != nullptr && no_b != nullptr) return Missing(no_a->missing_at, type);
  const bool list = type == ExprType::kInts || type == ExprType::kBools;
  if (!list && type != ExprType::kInt && type != ExprType::kBool && type != ExprType::kString) {
    return Refuse(top_, "it chooses between values that are neither integers nor lists of them");
  }
  const bool missing = no_a != nullptr || no_b != nullptr;
  if (missing && type != ExprType::kInt && type != ExprType::kInts)
    return Missing((no_a != nullptr ? no_a : no_b)->missing_at, type);
  if (!missing && !a.hazard && !b.hazard && (!list || same(a.value, b.value))) {
    PutBlock(a, 0);
    PutBlock(b, 0);
    if (same(a.value, b.value)) return a.value;
    if (type == ExprType::kBool && b.value.constant == 0) return And(condition, a.value);
    if (type == ExprType::kBool && a.value.constant == 1) return Or(condition, b.value);
    const std::string_view mlir = type == ExprType::kBool ? "i1" : "index";
    const std::string x = Index(a.value), y = Index(b.value);
    return Named(Define(fmt::format("arith.select {}, {}, {} : {}", Index(condition), x, y, mlir)), type);
  }
  const std::string mlir = type == ExprType::kBool    ? "i1"
                           : type == ExprType::kInts  ? std::string(kMlirList)
                           : type == ExprType::kBools ? "tensor<?xi1>"
                                                      : "index";
  const std::string c = Index(condition);
  const std::string name = Define(fmt::format("scf.if {} -> ({}) {{", c, mlir));
  const auto branch = [&](const Block& block) {
    ++depth_;
    PutBlock(block, 0);
    MlirValue v = block.value;
    if (const MlirValue* nothing = FirstMissing({&block.value, 1})) {
      Assert(Truth(false), fmt::format("not known here: {}", nothing->missing));
      v = type == ExprType::kInt ? Number(0) : Counted({}, type);
    }
    const std::string yielded = list ? Tensor(v) : Index(v);
    Put(fmt::format("scf.yield {} : {}", yielded, mlir));
    --depth_;
  };
  branch(a);
  Put("} else {");
  branch(b);
  Put("}");
  hazard_ = true;
  return Named(name, type);
}

MlirValue MlirEmitter::Element(const MlirValue& list, const MlirValue& place) {
  const ExprType type = rules::ElementOf(list.type).value_or(ExprType::kInt);
  if (!list.missing.empty() || !place.missing.empty()) {
    MlirValue v = list.missing.empty() ? place : list;
    v.type = type;
    return v;
  }
  if (list.counted && place.constant) {
    const auto n = static_cast<int64_t>(list.elements.size());
    const int64_t k = *place.constant < 0 ? *place.constant + n : *place.constant;
    if (k >= 0 && k < n) return list.elements[static_cast<size_t>(k)];
  }
  if (type != ExprType::kInt)
    return Refuse(top_, "it is an index into a list of other elements than integers");
  return CallOver("at", {list, place}, ExprType::kInt);
}

MlirValue MlirEmitter::Slice(const Node& n) {
  const MlirValue list = Value(n.a);
  const MlirValue from = n.b == kNone ? Number(0) : Value(n.b);
  const MlirValue to = n.c == kNone ? Length(list) : Value(n.c);
  for (const MlirValue* v : {&list, &from, &to}) {
    if (v->missing.empty()) continue;
    MlirValue missing = *v;
    missing.type = ExprType::kInts;
    return missing;
  }
  if (list.counted && from.constant && to.constant) {
    const auto count = static_cast<int64_t>(list.elements.size());
    const auto place = [&](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + count : i, 0, count); };
    const int64_t a = place(*from.constant), b = std::max(a, place(*to.constant));
    return Counted({list.elements.begin() + a, list.elements.begin() + b}, ExprType::kInts);
  }
  return CallOver("slice", {list, from, to}, ExprType::kInts);
}

MlirValue MlirEmitter::Membership(NodeId at, const Node& n) {
  const MlirValue x = Value(n.a), list = Value(n.b);
  MlirValue missing = !x.missing.empty() ? x : list;
  missing.type = ExprType::kBool;
  if (!missing.missing.empty()) return missing;
  if (list.counted) {
    MlirValue any = Truth(false);
    for (const MlirValue& e : list.elements) any = Or(any, Equal(at, x, e));
    return any;
  }
  if (x.type != ExprType::kInt) return Refuse(at, "it looks for no integer");
  return CallOver("contains", {list, x}, ExprType::kBool);
}

}  // namespace dimwise
