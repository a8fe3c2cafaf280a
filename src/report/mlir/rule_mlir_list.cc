// Emits lists and loops.
#include <fmt/format.h>

#include <algorithm>

#include "report/mlir/rule_mlir_emitter.h"

namespace dimwise {

using rules::ExprType;
using rules::Node;
using rules::Op;

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
  if (const MlirValue* missing = FirstMissing(arguments)) return AsType(*missing, type);
  std::vector<std::string> names;
  for (const MlirValue& a : arguments) names.push_back(a.type == ExprType::kInts ? Tensor(a) : Index(a));
  return Named(Call(function, names), type);
}

MlirValue MlirEmitter::Length(const MlirValue& list) {
  if (!list.missing.empty()) return AsType(list, ExprType::kInt);
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
    if (spliced && !piece.missing.empty()) return AsType(piece, ExprType::kInts);
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
    if (!l.missing.empty()) return AsType(l, n.type);
  }
  bool possible = false;
  if (MlirValue all = Unrolled(n, lists, &possible); possible || refusal_) return all;
  if (n.type != ExprType::kInts && n.type != ExprType::kBools)
    return Refuse(at, "it is a list of lists, of a length that is known only at run time");
  if (const MlirValue* missing = FirstMissing(lists)) return AsType(*missing, n.type);
  if (std::ranges::any_of(lists, [](const MlirValue& l) { return l.type != ExprType::kInts; }))
    return Refuse(at, "it iterates over a list of no integers, of a length that is known only at run time");
  if (n.b == kNone) return MapLoop(n, lists);
  if (n.type != ExprType::kInts) return Refuse(at, "it filters conditions");
  return FilterLoop(n, lists);
}

// Emits a loop without a filter.
MlirValue MlirEmitter::MapLoop(const Node& n, const std::vector<MlirValue>& lists) {
  const auto [tensors, count] = TensorsOf(lists);
  const std::string_view element = n.type == ExprType::kBools ? "i1" : "index";
  const std::string i = fmt::format("%{}", next_++);
  const Block body = LoopBody(n, tensors, i, [&] { return Value(n.a); });
  if (!body.value.missing.empty()) return AsType(body.value, n.type);
  const std::string name = Define(fmt::format("tensor.generate {} {{", count));
  Put(fmt::format("^bb0({}: index):", i));
  ++depth_;
  PutBlock(body, 0);
  const std::string e = Index(body.value);
  Put(fmt::format("tensor.yield {} : {}", e, element));
  --depth_;
  Put(fmt::format("}} : tensor<?x{}>", element));
  hazard_ = true;
  return Named(name, n.type);
}

// Emits a loop with a filter. It writes its elements into a list of maximum length and returns the prefix
// that was written.
MlirValue MlirEmitter::FilterLoop(const Node& n, const std::vector<MlirValue>& lists) {
  const auto [tensors, count] = TensorsOf(lists);
  const std::string i = fmt::format("%{}", next_++);
  const std::string room = Call("repeat", {Constant(0), count});
  const std::string list = fmt::format("%{}", next_++), k = fmt::format("%{}", next_++);
  const Block filter = LoopBody(n, tensors, i, [&] { return Value(n.b); });
  if (!filter.value.missing.empty()) return AsType(filter.value, n.type);
  const Block body = LoopBody(n, tensors, i, [&] { return Value(n.a); });
  if (!body.value.missing.empty()) return AsType(body.value, n.type);
  const std::string all = fmt::format("%{}", next_++);
  Put(fmt::format("{}:2 = scf.for {} = {} to {} step {} iter_args({} = {}, {} = {}) -> ({}, index) {{", all,
                  i, Constant(0), count, Constant(1), list, room, k, Constant(0), kMlirList));
  ++depth_;
  PutBlock(filter, 0);
  const std::string next = Define(fmt::format("scf.if {} -> ({}, index) {{", Index(filter.value), kMlirList));
  lines_.back().text.insert(lines_.back().text.find(" ="), ":2");
  ++depth_;
  PutBlock(body, 0);
  const std::string put =
      Define(fmt::format("tensor.insert {} into {}[{}] : {}", Index(body.value), list, k, kMlirList));
  const std::string more = Define(fmt::format("arith.addi {}, {} : index", k, Constant(1)));
  Put(fmt::format("scf.yield {}, {} : {}, index", put, more, kMlirList));
  --depth_;
  Put("} else {");
  ++depth_;
  Put(fmt::format("scf.yield {}, {} : {}, index", list, k, kMlirList));
  --depth_;
  Put("}");
  Put(fmt::format("scf.yield {}#0, {}#1 : {}, index", next, next, kMlirList));
  --depth_;
  Put("}");
  hazard_ = true;
  return Named(Define(fmt::format("tensor.extract_slice {}#0[0] [{}#1] [1] : {} to {}", all, all, kMlirList,
                                  kMlirList)),
               n.type);
}

MlirValue MlirEmitter::Fold(NodeId at, const Node& n) {
  const rules::Loop& loop = code_.loops[static_cast<size_t>(n.immediate)];
  const MlirValue list = Value(n.a);
  MlirValue state = Value(n.b);
  if (!list.missing.empty()) return AsType(list, n.type);
  if (list.counted) {
    for (const MlirValue& e : list.elements) {
      scopes_.push_back({{loop.variables[0], e}, {loop.accumulator, state}});
      state = Value(n.c);
      scopes_.pop_back();
    }
    return state;
  }
  if (const MlirValue* missing = FirstMissing({&state, 1})) return AsType(*missing, n.type);
  const bool is_list = n.type == ExprType::kInts;
  if (list.type != ExprType::kInts || (!is_list && n.type != ExprType::kInt && n.type != ExprType::kBool)) {
    return Refuse(at, "it iterates over, or has as its state, neither integers nor a list of them");
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
    if (!list.missing.empty()) return AsType(list, ExprType::kBool);
    if (!list.counted) return Refuse(at, "it iterates over a list of conditions that has a name");
    MlirValue v = Truth(all);
    for (const MlirValue& e : list.elements) v = join(v, e);
    return v;
  }
  const std::vector<MlirValue> lists = ListsOf(n);
  for (const MlirValue& l : lists) {
    if (!l.missing.empty()) return AsType(l, ExprType::kBool);
  }
  bool possible = false;
  if (const MlirValue unrolled = Unrolled(n, lists, &possible); possible) {
    MlirValue v = Truth(all);
    for (const MlirValue& e : unrolled.elements) v = join(v, e);
    return v;
  }
  if (const MlirValue* missing = FirstMissing(lists)) return AsType(*missing, ExprType::kBool);
  if (std::ranges::any_of(lists, [](const MlirValue& l) { return l.type != ExprType::kInts; }))
    return Refuse(at, "it iterates over a list of no integers, of a length that is known only at run time");
  const auto [tensors, count] = TensorsOf(lists);
  const std::string i = fmt::format("%{}", next_++), acc = fmt::format("%{}", next_++);
  const Block body = LoopBody(n, tensors, i, [&] {
    const MlirValue v = n.b == kNone ? Value(n.a)
                                     : Choose(
                                           Value(n.b), ExprType::kBool, [&] { return Value(n.a); },
                                           [&] { return Truth(all); });
    return v.missing.empty() ? join(Named(acc, ExprType::kBool), v) : v;
  });
  if (!body.value.missing.empty()) return AsType(body.value, ExprType::kBool);
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

}  // namespace dimwise
