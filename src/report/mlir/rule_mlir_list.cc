// Emits lists, loops and built-in functions.
#include <fmt/format.h>

#include <algorithm>

#include "report/mlir/rule_mlir_emitter.h"
#include "report/mlir/rule_mlir_functions.h"

namespace dimwise {

using rules::ExprType;
using rules::Node;
using rules::Op;

namespace {

constexpr int64_t kMaxWrittenOut = 16;  // longer constant lists are not expanded

MlirValue As(const MlirValue& v, ExprType type) {
  MlirValue out = v;
  out.type = type;
  return out;
}

}  // namespace

const MlirValue* MlirEmitter::FirstMissing(std::span<const MlirValue> values) {
  for (const MlirValue& v : values) {
    if (!v.missing.empty()) return &v;
    if (const MlirValue* inner = v.type == ExprType::kLists ? nullptr : FirstMissing(v.elements))
      return inner;
  }
  return nullptr;
}

MlirValue MlirEmitter::CallOver(std::string_view function, const std::vector<MlirValue>& arguments,
                                ExprType type) {
  if (const MlirValue* missing = FirstMissing(arguments)) return As(*missing, type);
  std::vector<std::string> names;
  for (const MlirValue& a : arguments) names.push_back(a.type == ExprType::kInts ? Tensor(a) : Index(a));
  return Named(Call(function, names), type);
}

MlirValue MlirEmitter::Length(const MlirValue& list) {
  if (!list.missing.empty()) return As(list, ExprType::kInt);
  if (list.counted) return Number(static_cast<int64_t>(list.elements.size()));
  const std::string_view type = list.type == ExprType::kBools ? "tensor<?xi1>" : kMlirList;
  return Named(Define(fmt::format("tensor.dim {}, {} : {}", list.name, Constant(0), type)), ExprType::kInt);
}

MlirValue MlirEmitter::ListOf(const Node& n) {
  std::vector<std::pair<MlirValue, bool>> pieces;
  for (uint32_t i = 0; i < n.arg_count; ++i) {
    const NodeId arg = code_.args[n.first_arg + i];
    pieces.push_back({Value(arg), code_.nodes[arg].spread});
  }
  MlirValue list = Joined(pieces);
  list.type = n.type;
  return list;
}

MlirValue MlirEmitter::Joined(const std::vector<std::pair<MlirValue, bool>>& pieces) {
  // Groups the pieces into runs of single elements and the lists between them.
  std::vector<MlirValue> lists = {Counted({}, ExprType::kInts)};
  for (const auto& [piece, spliced] : pieces) {
    if (spliced && !piece.missing.empty()) return As(piece, ExprType::kInts);
    if (!spliced) {
      if (!lists.back().counted) lists.push_back(Counted({}, ExprType::kInts));
      lists.back().elements.push_back(piece);
    } else if (piece.counted && lists.back().counted) {
      lists.back().elements.insert(lists.back().elements.end(), piece.elements.begin(), piece.elements.end());
    } else {
      lists.push_back(piece);
    }
  }
  std::erase_if(lists, [](const MlirValue& l) { return l.counted && l.elements.empty(); });
  if (lists.empty()) return Counted({}, ExprType::kInts);
  MlirValue all = lists[0];
  for (size_t i = 1; i < lists.size(); ++i) all = CallOver("concat", {all, lists[i]}, ExprType::kInts);
  return all;
}

// Returns the lists over which a loop iterates.
std::vector<MlirValue> MlirEmitter::ListsOf(const Node& n) {
  std::vector<MlirValue> lists;
  for (uint32_t i = 0; i < n.arg_count; ++i) lists.push_back(Value(code_.args[n.first_arg + i]));
  return lists;
}

// Returns the lists as tensors, and the number of iterations, which is the length of the shortest list.
std::pair<std::vector<std::string>, std::string> MlirEmitter::TensorsOf(const std::vector<MlirValue>& lists) {
  std::vector<std::string> tensors;
  std::string count;
  for (const MlirValue& l : lists) {
    tensors.push_back(Tensor(l));
    const std::string length = Index(Length(l));
    count = count.empty() || count == length
                ? length
                : Define(fmt::format("arith.minsi {}, {} : index", count, length));
  }
  return {std::move(tensors), std::move(count)};
}

// Emits the body of a loop over tensors. `at` is the MLIR value of the loop index.
MlirEmitter::Block MlirEmitter::LoopBody(const Node& n, const std::vector<std::string>& lists,
                                         const std::string& at, FunctionRef<MlirValue()> body) {
  const rules::Loop& loop = code_.loops[static_cast<size_t>(n.immediate)];
  return Capture([&] {
    for (size_t k = 0; k < lists.size(); ++k) {
      const std::string e = Define(fmt::format("tensor.extract {}[{}] : {}", lists[k], at, kMlirList));
      scopes_.back()[loop.variables[k]] = Named(e, ExprType::kInt);
    }
    if (loop.enumerate) scopes_.back()[loop.variables[1]] = Named(at, ExprType::kInt);
    return body();
  });
}

// Unrolls the loop. Sets *possible to false if the length of a list or the result of the filter is unknown.
MlirValue MlirEmitter::Unrolled(const Node& n, const std::vector<MlirValue>& lists, bool* possible) {
  const rules::Loop& loop = code_.loops[static_cast<size_t>(n.immediate)];
  size_t rounds = SIZE_MAX;
  *possible = true;
  for (const MlirValue& l : lists) {
    *possible = *possible && l.counted;
    rounds = std::min(rounds, l.elements.size());
  }
  std::vector<MlirValue> all;
  const bool decided = n.b == kNone;
  for (size_t i = 0; *possible && i < rounds; ++i) {
    scopes_.push_back({});
    for (size_t k = 0; k < lists.size(); ++k) scopes_.back()[loop.variables[k]] = lists[k].elements[i];
    if (loop.enumerate) scopes_.back()[loop.variables[1]] = Number(static_cast<int64_t>(i));
    const MlirValue takes_part = decided ? Truth(true) : Capture([&] { return Value(n.b); }).value;
    if (!takes_part.constant) *possible = false;
    if (*possible && *takes_part.constant != 0) all.push_back(Value(n.a));
    scopes_.pop_back();
  }
  return Counted(std::move(all), n.type);
}

MlirValue MlirEmitter::Loop(NodeId at, const Node& n) {
  const std::vector<MlirValue> lists = ListsOf(n);
  for (const MlirValue& l : lists) {
    if (!l.missing.empty()) return As(l, n.type);
  }
  bool possible = false;
  if (MlirValue all = Unrolled(n, lists, &possible); possible || refusal_) return all;
  if (n.type != ExprType::kInts && n.type != ExprType::kBools)
    return Refuse(at, "it is a list of lists, of a length that only the run time knows");
  if (const MlirValue* missing = FirstMissing(lists)) return As(*missing, n.type);
  if (std::ranges::any_of(lists, [](const MlirValue& l) { return l.type != ExprType::kInts; }))
    return Refuse(at, "it goes over a list of no integers, of a length that only the run time knows");
  const auto [tensors, count] = TensorsOf(lists);
  const std::string_view element = n.type == ExprType::kBools ? "i1" : "index";
  const std::string type = fmt::format("tensor<?x{}>", element);
  const std::string i = fmt::format("%{}", next_++);
  if (n.b == kNone) {
    const Block body = LoopBody(n, tensors, i, [&] { return Value(n.a); });
    if (!body.value.missing.empty()) return As(body.value, n.type);
    const std::string name = Define(fmt::format("tensor.generate {} {{", count));
    Put(fmt::format("^bb0({}: index):", i));
    ++depth_;
    PutBlock(body, 0);
    const std::string e = Index(body.value);
    Put(fmt::format("tensor.yield {} : {}", e, element));
    --depth_;
    Put(fmt::format("}} : {}", type));
    hazard_ = true;
    return Named(name, n.type);
  }
  if (n.type != ExprType::kInts) return Refuse(at, "it filters conditions");
  // A loop with a filter writes its elements into a list of maximum length and returns the prefix that was
  // written.
  const std::string room = Call("repeat", {Constant(0), count});
  const std::string list = fmt::format("%{}", next_++), k = fmt::format("%{}", next_++);
  const Block filter = LoopBody(n, tensors, i, [&] { return Value(n.b); });
  if (!filter.value.missing.empty()) return As(filter.value, n.type);
  const Block body = LoopBody(n, tensors, i, [&] { return Value(n.a); });
  if (!body.value.missing.empty()) return As(body.value, n.type);
  const std::string all = fmt::format("%{}", next_++);
  Put(fmt::format("{}:2 = scf.for {} = {} to {} step {} iter_args({} = {}, {} = {}) -> ({}, index) {{", all,
                  i, Constant(0), count, Constant(1), list, room, k, Constant(0), type));
  ++depth_;
  PutBlock(filter, 0);
  const std::string next = Define(fmt::format("scf.if {} -> ({}, index) {{", Index(filter.value), type));
  lines_.back().text.insert(lines_.back().text.find(" ="), ":2");
  ++depth_;
  PutBlock(body, 0);
  const std::string put =
      Define(fmt::format("tensor.insert {} into {}[{}] : {}", Index(body.value), list, k, type));
  const std::string more = Define(fmt::format("arith.addi {}, {} : index", k, Constant(1)));
  Put(fmt::format("scf.yield {}, {} : {}, index", put, more, type));
  --depth_;
  Put("} else {");
  ++depth_;
  Put(fmt::format("scf.yield {}, {} : {}, index", list, k, type));
  --depth_;
  Put("}");
  Put(fmt::format("scf.yield {}#0, {}#1 : {}, index", next, next, type));
  --depth_;
  Put("}");
  hazard_ = true;
  return Named(
      Define(fmt::format("tensor.extract_slice {}#0[0] [{}#1] [1] : {} to {}", all, all, type, type)),
      n.type);
}

MlirValue MlirEmitter::Fold(NodeId at, const Node& n) {
  const rules::Loop& loop = code_.loops[static_cast<size_t>(n.immediate)];
  const MlirValue list = Value(n.a);
  MlirValue state = Value(n.b);
  if (!list.missing.empty()) return As(list, n.type);
  if (list.counted) {
    for (const MlirValue& e : list.elements) {
      scopes_.push_back({{loop.variables[0], e}, {loop.accumulator, state}});
      state = Value(n.c);
      scopes_.pop_back();
    }
    return state;
  }
  if (const MlirValue* missing = FirstMissing({&state, 1})) return As(*missing, n.type);
  const bool is_list = n.type == ExprType::kInts;
  if (list.type != ExprType::kInts || (!is_list && n.type != ExprType::kInt && n.type != ExprType::kBool)) {
    return Refuse(at, "it goes over, or has as its state, neither integers nor a list of them");
  }
  const std::string type = is_list ? std::string(kMlirList) : n.type == ExprType::kBool ? "i1" : "index";
  const std::string count = Index(Length(list)), init = is_list ? Tensor(state) : Index(state);
  const std::string i = fmt::format("%{}", next_++), acc = fmt::format("%{}", next_++);
  const Block body = LoopBody(n, {list.name}, i, [&] {
    scopes_.back()[loop.accumulator] = Named(acc, n.type);
    const MlirValue v = Value(n.c);
    if (const MlirValue* missing = FirstMissing({&v, 1})) return *missing;
    return is_list ? Named(Tensor(v), n.type) : v;
  });
  if (!body.value.missing.empty()) return body.value;
  const std::string name = Define(fmt::format("scf.for {} = {} to {} step {} iter_args({} = {}) -> ({}) {{",
                                              i, Constant(0), count, Constant(1), acc, init, type));
  ++depth_;
  PutBlock(body, 0);
  Put(fmt::format("scf.yield {} : {}", is_list ? body.value.name : Index(body.value), type));
  --depth_;
  Put("}");
  hazard_ = true;
  return Named(name, n.type);
}

// Emits all(...) and any(...) without building the list.
MlirValue MlirEmitter::Quantified(NodeId at, NodeId id, bool all) {
  const Node& n = code_.nodes[id];
  const auto join = [&](const MlirValue& a, const MlirValue& b) { return all ? And(a, b) : Or(a, b); };
  if (n.op != Op::kFor) {
    const MlirValue list = Value(id);
    if (!list.missing.empty()) return As(list, ExprType::kBool);
    if (!list.counted) return Refuse(at, "it goes over a list of conditions that has a name");
    MlirValue v = Truth(all);
    for (const MlirValue& e : list.elements) v = join(v, e);
    return v;
  }
  const std::vector<MlirValue> lists = ListsOf(n);
  for (const MlirValue& l : lists) {
    if (!l.missing.empty()) return As(l, ExprType::kBool);
  }
  bool possible = false;
  if (const MlirValue unrolled = Unrolled(n, lists, &possible); possible) {
    MlirValue v = Truth(all);
    for (const MlirValue& e : unrolled.elements) v = join(v, e);
    return v;
  }
  if (const MlirValue* missing = FirstMissing(lists)) return As(*missing, ExprType::kBool);
  if (std::ranges::any_of(lists, [](const MlirValue& l) { return l.type != ExprType::kInts; }))
    return Refuse(at, "it goes over a list of no integers, of a length that only the run time knows");
  const auto [tensors, count] = TensorsOf(lists);
  const std::string i = fmt::format("%{}", next_++), acc = fmt::format("%{}", next_++);
  const Block body = LoopBody(n, tensors, i, [&] {
    const MlirValue v = n.b == kNone ? Value(n.a)
                                     : Choose(
                                           Value(n.b), ExprType::kBool, [&] { return Value(n.a); },
                                           [&] { return Truth(all); });
    return v.missing.empty() ? join(Named(acc, ExprType::kBool), v) : v;
  });
  if (!body.value.missing.empty()) return As(body.value, ExprType::kBool);
  const std::string name = Define(fmt::format("scf.for {} = {} to {} step {} iter_args({} = {}) -> (i1) {{",
                                              i, Constant(0), count, Constant(1), acc, Index(Truth(all))));
  ++depth_;
  PutBlock(body, 0);
  Put(fmt::format("scf.yield {} : i1", Index(body.value)));
  --depth_;
  Put("}");
  hazard_ = true;
  return Named(name, ExprType::kBool);
}

MlirValue MlirEmitter::BroadcastLists(const std::vector<MlirValue>& lists) {
  std::vector<std::string> names;
  if (const MlirValue* missing = FirstMissing(lists)) return As(*missing, ExprType::kInts);
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

MlirValue MlirEmitter::Builtin(NodeId at, const Node& n) {
  using enum rules::Builtin;
  const auto builtin = static_cast<rules::Builtin>(n.immediate);
  const auto arg_id = [&](size_t i) { return code_.args[n.first_arg + i]; };
  switch (builtin) {  // built-ins that do not evaluate all of their arguments
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
      break;
  }
  if (n.type != ExprType::kInt && n.type != ExprType::kInts && n.type != ExprType::kBool) {
    return n.type == ExprType::kType ? Missing(at, n.type) : Refuse(at, "it computes contents");
  }
  std::vector<MlirValue> args;
  for (size_t i = 0; i < n.arg_count; ++i) {
    const ExprType type = code_.nodes[arg_id(i)].type;
    if (type == ExprType::kFloat || type == ExprType::kFloats) return Refuse(at, "it takes floats");
    if (type == ExprType::kType || type == ExprType::kTypes) return Missing(at, n.type);
    if (type == ExprType::kTensor || type == ExprType::kTensors) return Refuse(at, "it takes contents");
    args.push_back(Value(arg_id(i)));
  }
  if (refusal_) return Number(0);
  for (const MlirValue& a : args) {
    if (!a.missing.empty()) return As(a, n.type);
  }
  const auto pairwise = [&](const std::vector<MlirValue>& values, auto step) {
    MlirValue v = values[0];
    for (size_t i = 1; i < values.size(); ++i) v = step(v, values[i]);
    return v;
  };
  const auto extreme = [&](const MlirValue& a, const MlirValue& b) {
    const bool least = builtin == kMin || builtin == kMinOf;
    if (!a.missing.empty() || !b.missing.empty()) return a.missing.empty() ? b : a;
    if (a.constant && b.constant)
      return Number(least ? std::min(*a.constant, *b.constant) : std::max(*a.constant, *b.constant));
    const std::string x = Index(a), y = Index(b);
    return Named(Define(fmt::format("arith.{} {}, {} : index", least ? "minsi" : "maxsi", x, y)),
                 ExprType::kInt);
  };
  const auto repeated = [&](const MlirValue& element, const MlirValue& count) {
    if (count.constant && *count.constant >= 0 && *count.constant <= kMaxWrittenOut) {
      return Counted(std::vector<MlirValue>(static_cast<size_t>(*count.constant), element), ExprType::kInts);
    }
    return CallOver("repeat", {element, count}, ExprType::kInts);
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
    case kTruncDivide: {
      if (!(args[1].constant && *args[1].constant != 0)) {
        Assert(Compare(Op::kNotEqual, args[1], Number(0)),
               fmt::format("the rule of {} divides by 0", rule_.name));
      }
      const std::string x = Index(args[0]), y = Index(args[1]);
      return Named(Define(fmt::format("arith.{} {}, {} : index",
                                      builtin == kCeilDivide ? "ceildivsi" : "divsi", x, y)),
                   ExprType::kInt);
    }
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
      return repeated(Number(1), args[0]);
    case kZeros:
      return repeated(Number(0), args[0]);
    case kRepeat:
      return repeated(args[0], args[1]);
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
    case kBit: {
      if (args[0].constant && args[1].constant) {
        const int64_t bit = *args[1].constant;
        return Truth(bit >= 0 && bit < 63 && ((*args[0].constant >> bit) & 1) != 0);
      }
      const MlirValue in_range =
          And(Compare(Op::kAtMost, Number(0), args[1]), Compare(Op::kLess, args[1], Number(63)));
      const std::string place = Index(Choose(
          in_range, ExprType::kInt, [&] { return args[1]; }, [&] { return Number(0); }));
      const std::string mask = Index(args[0]);
      const std::string shifted = Define(fmt::format("arith.shrsi {}, {} : index", mask, place));
      const std::string bit = Define(fmt::format("arith.andi {}, {} : index", shifted, Constant(1)));
      return And(in_range, Compare(Op::kEqual, Named(bit, ExprType::kInt), Number(1)));
    }
    default:
      return Refuse(at, "");
  }
}

}  // namespace dimwise
