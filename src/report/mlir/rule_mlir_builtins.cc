// Emits built-in functions.
#include <fmt/format.h>

#include <algorithm>

#include "report/mlir/rule_mlir_emitter.h"

namespace dimwise {

using rules::ExprType;
using rules::Node;
using rules::Op;

namespace {

constexpr int64_t kMaxWrittenOut = 16;  // longer constant lists are not expanded

}  // namespace

MlirValue MlirEmitter::BroadcastLists(const std::vector<MlirValue>& lists) {
  std::vector<std::string> names;
  if (const MlirValue* missing = FirstMissing(lists)) return AsType(*missing, ExprType::kInts);
  for (const MlirValue& l : lists) {
    if (l.counted && l.elements.empty()) continue;
    const std::string name = Tensor(l);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return Counted({}, ExprType::kInts);
  if (names.size() == 1) return Named(names[0], ExprType::kInts);
  std::string operands, types;
  for (const std::string& name : names) {
    operands += (operands.empty() ? "" : ", ") + name;
    types += fmt::format("{}{}", types.empty() ? "" : ", ", kMlirList);
  }
  Assert(Named(Define(fmt::format("shape.is_broadcastable {} : {}", operands, types)), ExprType::kBool),
         fmt::format("{} cannot broadcast these shapes", rule_.name));
  return Named(Define(fmt::format("shape.broadcast {} : {} -> {}", operands, types, kMlirList)),
               ExprType::kInts);
}

// Emits a built-in that does not evaluate all of its arguments. Returns nullopt for other built-ins.
std::optional<MlirValue> MlirEmitter::LazyBuiltin(NodeId at, const Node& n) {
  using enum rules::Builtin;
  const auto builtin = static_cast<rules::Builtin>(n.immediate);
  const auto arg_id = [&](size_t i) { return code_.args[n.first_arg + i]; };
  switch (builtin) {
    case kAll:
    case kAny:
      return Quantified(at, arg_id(0), builtin == kAll);
    case kSelect:
      return Choose(
          Value(arg_id(0)), n.type, [&] { return Value(arg_id(1)); }, [&] { return Value(arg_id(2)); });
    case kIsConstant:
    case kKnownInt:
    case kKnownInts: {  // only the fact is needed; code emitted for it is dropped
      const MlirValue v = Capture([&] { return Value(arg_id(0)); }).value;
      return Truth(FirstMissing({&v, 1}) == nullptr);
    }
    case kIsCertain: {
      const MlirValue v = Value(arg_id(0));
      return v.missing.empty() ? v : Truth(false);
    }
    case kUnknown:
    case kUnknownAtLeast: {
      if (n.arg_count < 2) return Missing(at, n.type);
      const Block low = Capture([&] { return Value(arg_id(0)); }),
                  high = Capture([&] { return Value(arg_id(1)); });
      return low.value.constant && low.value.constant == high.value.constant ? low.value
                                                                             : Missing(at, n.type);
    }
    case kBounded:
      return Value(arg_id(0));
    case kSomeSizes:
      return Missing(at, n.type);
    case kListOf: {
      NodeId tensor_id = arg_id(0);
      while (code_.nodes[tensor_id].op == Op::kSlot && code_.slots[code_.nodes[tensor_id].a].code != kNone) {
        tensor_id = code_.slots[code_.nodes[tensor_id].a].code;  // the argument for a parameter of a function
      }
      const Node& tensor = code_.nodes[tensor_id];
      return tensor.op == Op::kContents ? Contents(at, tensor.a, ExprType::kInts)
                                        : Refuse(at, "it reads contents");
    }
    default:
      return std::nullopt;
  }
}

MlirValue MlirEmitter::Builtin(NodeId at, const Node& n) {
  if (std::optional<MlirValue> v = LazyBuiltin(at, n)) return *std::move(v);
  if (n.type != ExprType::kInt && n.type != ExprType::kInts && n.type != ExprType::kBool) {
    return n.type == ExprType::kType ? Missing(at, n.type) : Refuse(at, "it computes contents");
  }
  std::vector<MlirValue> args;
  for (size_t i = 0; i < n.arg_count; ++i) {
    const ExprType type = code_.nodes[code_.args[n.first_arg + i]].type;
    if (type == ExprType::kFloat || type == ExprType::kFloats) return Refuse(at, "it takes floats");
    if (type == ExprType::kType || type == ExprType::kTypes) return Missing(at, n.type);
    if (type == ExprType::kTensor || type == ExprType::kTensors) return Refuse(at, "it takes contents");
    args.push_back(Value(code_.args[n.first_arg + i]));
  }
  if (refusal_) return Number(0);
  for (const MlirValue& a : args) {
    if (!a.missing.empty()) return AsType(a, n.type);
  }
  return BuiltinOf(at, static_cast<rules::Builtin>(n.immediate), std::move(args));
}

// Emits the smaller or the larger of two integers. A missing one is ignored.
MlirValue MlirEmitter::Extreme(bool least, const MlirValue& a, const MlirValue& b) {
  if (!a.missing.empty() || !b.missing.empty()) return a.missing.empty() ? b : a;
  if (a.constant && b.constant)
    return Number(least ? std::min(*a.constant, *b.constant) : std::max(*a.constant, *b.constant));
  const std::string x = Index(a), y = Index(b);
  return Named(Define(fmt::format("arith.{} {}, {} : index", least ? "minsi" : "maxsi", x, y)),
               ExprType::kInt);
}

MlirValue MlirEmitter::Repeated(const MlirValue& element, const MlirValue& count) {
  if (count.constant && *count.constant >= 0 && *count.constant <= kMaxWrittenOut) {
    return Counted(std::vector<MlirValue>(static_cast<size_t>(*count.constant), element), ExprType::kInts);
  }
  return CallOver("repeat", {element, count}, ExprType::kInts);
}

// Emits a division that rounds up or towards 0.
MlirValue MlirEmitter::Quotient(std::string_view operation, const MlirValue& a, const MlirValue& b) {
  if (!(b.constant && *b.constant != 0)) {
    Assert(Compare(Op::kNotEqual, b, Number(0)), fmt::format("the rule of {} divides by 0", rule_.name));
  }
  const std::string x = Index(a), y = Index(b);
  return Named(Define(fmt::format("arith.{} {}, {} : index", operation, x, y)), ExprType::kInt);
}

// Emits whether a bit of a mask is set. A position outside of 0 .. 62 gives false.
MlirValue MlirEmitter::BitOf(const MlirValue& mask, const MlirValue& position) {
  if (mask.constant && position.constant) {
    const int64_t bit = *position.constant;
    return Truth(bit >= 0 && bit < 63 && ((*mask.constant >> bit) & 1) != 0);
  }
  const MlirValue in_range =
      And(Compare(Op::kAtMost, Number(0), position), Compare(Op::kLess, position, Number(63)));
  const std::string place = Index(Choose(
      in_range, ExprType::kInt, [&] { return position; }, [&] { return Number(0); }));
  const std::string bits = Index(mask);
  const std::string shifted = Define(fmt::format("arith.shrsi {}, {} : index", bits, place));
  const std::string bit = Define(fmt::format("arith.andi {}, {} : index", shifted, Constant(1)));
  return And(in_range, Compare(Op::kEqual, Named(bit, ExprType::kInt), Number(1)));
}

// Emits a built-in over evaluated arguments.
MlirValue MlirEmitter::BuiltinOf(NodeId at, rules::Builtin builtin, std::vector<MlirValue> args) {
  using enum rules::Builtin;
  const auto pairwise = [&](const std::vector<MlirValue>& values, auto step) {
    MlirValue v = values[0];
    for (size_t i = 1; i < values.size(); ++i) v = step(v, values[i]);
    return v;
  };
  const auto extreme = [&](const MlirValue& a, const MlirValue& b) {
    return Extreme(builtin == kMin || builtin == kMinOf, a, b);
  };
  switch (builtin) {
    case kLen:
      return Length(args[0]);
    case kSum:
    case kProduct: {
      const bool sum = builtin == kSum;
      if (!args[0].counted) return CallOver(sum ? "sum" : "product", args, ExprType::kInt);
      MlirValue v = Number(sum ? 0 : 1);
      for (const MlirValue& e : args[0].elements) v = Arithmetic(at, sum ? Op::kAdd : Op::kMultiply, v, e);
      return v;
    }
    case kMin:
    case kMax:
      return pairwise(args, extreme);
    case kMinOf:
    case kMaxOf:
      if (args[0].counted && !args[0].elements.empty()) return pairwise(args[0].elements, extreme);
      return CallOver(builtin == kMinOf ? "min" : "max", args, ExprType::kInt);
    case kAbs:
      return extreme(args[0], Arithmetic(at, Op::kSubtract, Number(0), args[0]));
    case kCeilDivide:
      return Quotient("ceildivsi", args[0], args[1]);
    case kTruncDivide:
      return Quotient("divsi", args[0], args[1]);
    case kBroadcastSize:
      return pairwise(args, [&](const MlirValue& a, const MlirValue& b) {
        return CallOver("broadcast", {a, b}, ExprType::kInt);
      });
    case kBroadcastLists:
      return BroadcastLists(args);
    case kBroadcastAll:
      return args[0].counted ? BroadcastLists(args[0].elements) : Refuse(at, "it takes a list of lists");
    case kPermute:
      return CallOver("permute", args, ExprType::kInts);
    case kReverse:
      if (args[0].counted) std::ranges::reverse(args[0].elements);
      return args[0].counted ? args[0] : CallOver("reverse", args, ExprType::kInts);
    case kRemove:
      return CallOver("remove", args, ExprType::kInts);
    case kInsert:
      return CallOver("insert", args, ExprType::kInts);
    case kUpdate:
      return CallOver("update", args, ExprType::kInts);
    case kRange:
      if (args[0].constant && args[1].constant && *args[1].constant - *args[0].constant <= kMaxWrittenOut) {
        std::vector<MlirValue> all;
        for (int64_t i = *args[0].constant; i < *args[1].constant; ++i) all.push_back(Number(i));
        return Counted(std::move(all), ExprType::kInts);
      }
      return CallOver("range", args, ExprType::kInts);
    case kOnes:
      return Repeated(Number(1), args[0]);
    case kZeros:
      return Repeated(Number(0), args[0]);
    case kRepeat:
      return Repeated(args[0], args[1]);
    case kIndexOf:
      return CallOver("index_of", args, ExprType::kInt);
    case kCountOf:
      return CallOver("count", args, ExprType::kInt);
    case kIsPermutation:
      return CallOver("is_permutation", args, ExprType::kBool);
    case kDistinct:
      return CallOver("distinct", args, ExprType::kBool);
    case kResolveMinusOne:
      return CallOver("resolve_minus_one", args, ExprType::kInts);
    case kBit:
      return BitOf(args[0], args[1]);
    default:
      return Refuse(at, "");
  }
}

}  // namespace dimwise
