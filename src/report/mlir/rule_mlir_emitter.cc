// Emits the functions: matching of operands, requirements, and results.
#include "report/mlir/rule_mlir_emitter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dimwise {

using rules::CompiledArgument;
using rules::CompiledSignature;
using rules::ExprType;
using rules::Item;
using rules::ItemKind;
using rules::Node;
using rules::Op;
using rules::Pattern;
using rules::PatternKind;

namespace {

bool IsVariadic(rules::Arity arity) {
  return arity == rules::Arity::kOneOrMore || arity == rules::Arity::kAnyNumber;
}

std::string_view NameOf(PatternKind kind) {
  switch (kind) {
    case PatternKind::kTensor:
      return "type tensor";
    case PatternKind::kSequence:
      return "type seq(...)";
    case PatternKind::kOptional:
      return "type opt(...)";
    case PatternKind::kMap:
      return "type map(...)";
    case PatternKind::kHandle:
      return "type handle(...)";
    case PatternKind::kAnything:
      return "any type";
  }
  return "";
}

bool HasShape(const Pattern& p) { return p.kind == PatternKind::kTensor && p.has_shape && !p.unknown_shape; }

}  // namespace

// ---- Operands ----

// An operand of any type must be a tensor in MLIR. So a result of any type must have the type of an operand.
bool MlirEmitter::OverTensors(const CompiledSignature& clause) {
  const auto operand = [](const CompiledArgument& a) {
    return a.pattern.kind == PatternKind::kTensor || a.pattern.kind == PatternKind::kAnything;
  };
  const auto result = [](const CompiledArgument& a) {
    return a.pattern.kind == PatternKind::kTensor || a.pattern.whole != kNone;
  };
  return std::ranges::all_of(clause.operands, operand) && std::ranges::all_of(clause.results, result);
}

std::string MlirEmitter::Operand(uint32_t argument, size_t place) {
  const CompiledArgument& a = code_.signatures[0].operands[argument];
  const std::string name = IsVariadic(a.arity) ? fmt::format("{}{}", a.name, place) : a.name;
  return Argument(0, static_cast<int>(1000 * argument + 2 * place), name, kMlirList);
}

MlirValue MlirEmitter::Given(uint32_t argument) {
  const CompiledArgument& a = code_.signatures[0].operands[argument];
  if (a.arity != rules::Arity::kOptional) return Truth(!IsVariadic(a.arity) || options_.repeated > 0);
  return Named(Argument(0, static_cast<int>(1000 * argument + 1), a.name + "_given", "i1"), ExprType::kBool);
}

void MlirEmitter::Match(const CompiledSignature& clause) {
  for (uint32_t i = 0; i < clause.operands.size(); ++i) {
    const CompiledArgument& a = clause.operands[i];
    const size_t count = IsVariadic(a.arity) ? static_cast<size_t>(options_.repeated) : 1;
    for (size_t place = 0; place < count; ++place) {
      const std::string extents = Operand(i, place);
      if (a.pattern.whole != kNone) MatchWhole(a, extents, i);
      if (HasShape(a.pattern))
        MatchShape(a, extents, a.arity == rules::Arity::kOptional ? Given(i) : Truth(true), place);
    }
  }
}

// Matches an operand whose type is a single name. All operands of that name have the same sizes.
void MlirEmitter::MatchWhole(const CompiledArgument& a, const std::string& extents, uint32_t argument) {
  const MlirValue sizes = Named(extents, ExprType::kInts);
  const auto [it, first] = wholes_.emplace(a.pattern.whole, sizes);
  if (first) return;
  const MlirValue& others = it->second;
  EmitUnder(Given(argument), [&] {
    Assert(Equal(kNone, others, sizes),
           fmt::format("{} of {} has another shape than the other operands", a.name, rule_.name));
  });
}

// Computes the lengths of the items of a pattern, except of one list of unknown length, *open. Returns false
// if the pattern is rejected.
bool MlirEmitter::FindLengths(const CompiledArgument& a, const MlirValue& given,
                              std::vector<MlirValue>* lengths, const Item** open) {
  const std::vector<Item>& items = a.pattern.items;
  const auto lists = std::ranges::count(items, ItemKind::kList, &Item::kind);
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].kind != ItemKind::kList) continue;
    MlirValue& length = (*lengths)[i];
    if (items[i].length != kNone) {
      top_ = items[i].length;
      length = Value(items[i].length);
      if (!length.missing.empty()) {
        Refuse(length.missing, "a length that is not known");
        return false;
      }
      EmitUnder(given, [&] {
        Assert(Compare(Op::kAtMost, Number(0), length),
               fmt::format("an index outside of {} of {}", a.name, rule_.name));
      });
    } else if (items[i].binds != kNone && !items[i].each && lists > 1 &&
               scopes_.front().contains(items[i].binds)) {
      length = Length(scopes_.front()[items[i].binds]);
    } else if (*open == nullptr) {
      *open = &items[i];
    } else {
      Refuse(fmt::format("the operand {} with two lists of unknown length", a.name), "");
      return false;
    }
  }
  return true;
}

void MlirEmitter::MatchShape(const CompiledArgument& a, const std::string& extents, const MlirValue& given,
                             size_t place) {
  const std::vector<Item>& items = a.pattern.items;
  const MlirValue whole = Named(extents, ExprType::kInts);
  if (items.size() == 1 && items[0].kind == ItemKind::kList && items[0].length == kNone) {
    return Bind(
        a, items[0], given, [&] { return whole; }, place);
  }
  const MlirValue rank = Length(whole);
  std::vector<MlirValue> lengths(items.size(), Number(1));
  const Item* open = nullptr;
  if (!FindLengths(a, given, &lengths, &open)) return;
  MlirValue known = Number(0);
  for (size_t i = 0; i < items.size(); ++i) {
    if (&items[i] != open) known = Arithmetic(kNone, Op::kAdd, known, lengths[i]);
  }
  EmitUnder(given, [&] {
    Assert(Compare(open != nullptr ? Op::kAtMost : Op::kEqual, known, rank),
           fmt::format("{} of {} needs {}rank {}", a.name, rule_.name, open != nullptr ? "at least " : "",
                       known.constant ? std::to_string(*known.constant) : "that of its parts"));
  });
  MlirValue offset = Number(0);
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (&item == open) lengths[i] = Arithmetic(kNone, Op::kSubtract, rank, known);
    const MlirValue from = offset, length = lengths[i];
    offset = Arithmetic(kNone, Op::kAdd, offset, length);
    Bind(
        a, item, given,
        [&] {
          hazard_ = true;
          if (item.kind != ItemKind::kList)
            return Named(Define(fmt::format("tensor.extract {}[{}] : {}", extents, Index(from), kMlirList)),
                         ExprType::kInt);
          const std::string name =
              Define(fmt::format("tensor.extract_slice {}[{}] [{}] [1] : {} to {}", extents, Index(from),
                                 Index(length), kMlirList, kMlirList));
          return Named(name, ExprType::kInts);
        },
        place);
  }
}

void MlirEmitter::Bind(const CompiledArgument& a, const Item& item, const MlirValue& given,
                       FunctionRef<MlirValue()> find, size_t place) {
  if (item.binds == kNone && item.expr == kNone) return;
  Scope& names = scopes_.front();
  const ExprType type = item.kind == ItemKind::kList ? ExprType::kInts : ExprType::kInt;
  if (item.each) {  // once per operand of a variadic group
    MlirValue& all = names[item.binds];
    if (place == 0) all = Counted({}, item.kind == ItemKind::kList ? ExprType::kLists : ExprType::kInts);
    all.elements.push_back(find());
    return;
  }
  if (item.binds == kNone) {
    top_ = item.expr;
    return EmitUnder(given, [&] {
      const MlirValue wanted = Value(item.expr);
      if (!wanted.missing.empty())
        return Put(fmt::format("// left to the operator: {} is {}", a.name, wanted.missing));
      Assert(Equal(item.expr, find(), wanted),
             fmt::format("{} of {} has another size than {}", a.name, rule_.name, Written(item.expr)));
    });
  }
  const auto size = [&] {
    MlirValue v = find();
    if (item.factor == 1 && item.offset == 0) return v;
    v = Arithmetic(kNone, Op::kSubtract, v, Number(item.offset));
    Assert(Compare(Op::kEqual, Arithmetic(kNone, Op::kMod, v, Number(item.factor)), Number(0)),
           fmt::format("{} of {} has a size that is not {} times a number", a.name, rule_.name, item.factor));
    return Arithmetic(kNone, Op::kFloorDivide, v, Number(item.factor));
  };
  if (!names.contains(item.binds)) {
    const bool whole = type == ExprType::kInts &&
                       a.pattern.items.size() == 1;  // the argument itself, whether present or not
    MlirValue v = whole ? find() : Choose(given, type, size, [&] {
      return type == ExprType::kInt ? Number(0) : Counted({}, type);
    });
    names[item.binds] = std::move(v);
    if (!given.constant) given_with_[item.binds] = given;
    return;
  }
  BindAgain(a, item, given, size);
}

// Requires that a bound name has the same value here. If it is bound only by an optional operand so far, it
// is bound by this operand too.
void MlirEmitter::BindAgain(const CompiledArgument& a, const Item& item, const MlirValue& given,
                            FunctionRef<MlirValue()> size) {
  const ExprType type = item.kind == ItemKind::kList ? ExprType::kInts : ExprType::kInt;
  Scope& names = scopes_.front();
  const MlirValue before = names[item.binds];
  const auto only_with = given_with_.find(item.binds);
  const MlirValue both = only_with == given_with_.end() ? given : And(only_with->second, given);
  EmitUnder(both, [&] {
    Assert(Equal(kNone, before, size()), fmt::format("{} of {} has another {} than the other operands",
                                                     a.name, rule_.name, code_.slots[item.binds].name));
  });
  if (only_with == given_with_.end()) return;
  const MlirValue found_before = only_with->second;
  MlirValue v = Choose(
      found_before, type, [&] { return before; },
      [&] {
        return Choose(given, type, size,
                      [&] { return type == ExprType::kInt ? Number(0) : Counted({}, type); });
      });
  names[item.binds] = std::move(v);
  if (given.constant) {
    given_with_.erase(item.binds);
  } else {
    given_with_[item.binds] = Or(found_before, given);
  }
}

// ---- Statements and results ----

void MlirEmitter::CheckRequirements() {
  for (const rules::CompiledRequire& r : code_.requirements) {
    if (r.kind != rules::StatementKind::kRequire || refusal_) continue;
    top_ = r.condition;
    const Block block = Capture([&] { return Value(r.condition); });
    if (!block.value.missing.empty()) {
      Put(fmt::format("// left to the operator: {}", Written(r.condition)));
      continue;
    }
    PutBlock(block, 0);
    std::string words;
    for (const rules::CompiledMessage::Piece& p : r.message.pieces) {
      words += p.text;
      if (p.expr != kNone) words += "{" + Written(p.expr) + "}";
    }
    Assert(block.value, words.empty() ? fmt::format("a requirement of {} does not hold", rule_.name) : words);
  }
}

void MlirEmitter::CheckAttributes() {
  const std::set<uint32_t> used = used_attributes_;
  for (uint32_t i : used) {
    const rules::CompiledAttribute& a = code_.attributes[i];
    if (a.kind != rules::AttributeKind::kInt) continue;
    const MlirValue v = Slot(kNone, a.slot);
    MlirValue fits = Truth(true);
    if (a.minimum) fits = And(fits, Compare(Op::kAtMost, Number(*a.minimum), v));
    if (a.maximum) fits = And(fits, Compare(Op::kAtMost, v, Number(*a.maximum)));
    if (!a.allowed.empty()) {
      MlirValue any = Truth(false);
      for (const AttrValue& allowed : a.allowed)
        any = Or(any, Compare(Op::kEqual, v, Number(AsInt(allowed).value_or(0))));
      fits = And(fits, any);
    }
    const auto check = [&] { Assert(fits, fmt::format("{} of {} is out of range", a.name, rule_.name)); };
    const auto given = module_.arguments.find({1, static_cast<int>(2 * i) + 1});
    if (a.optional && given == module_.arguments.end()) continue;  // whether it is present is unknown
    EmitUnder(a.optional ? Named("%" + a.name + "_given", ExprType::kBool) : Truth(true), check);
  }
}

// Returns whether the value consists of sizes of operands and is thus not negative.
bool MlirEmitter::PlainlySizes(NodeId id) const {
  const Node& n = code_.nodes[id];
  const auto args = [&](size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (!PlainlySizes(code_.args[n.first_arg + i])) return false;
    }
    return true;
  };
  switch (n.op) {
    case Op::kConstant:
      return n.type == ExprType::kInt && n.immediate >= 0;
    case Op::kOperandRank:
    case Op::kOperandShape:
      return true;
    case Op::kSlot:
      return code_.slots[n.a].attribute == kNone &&
             (code_.slots[n.a].code == kNone || PlainlySizes(code_.slots[n.a].code));
    case Op::kIndex:
    case Op::kSliceList:
      return PlainlySizes(n.a);
    case Op::kIf:
      return PlainlySizes(n.b) && PlainlySizes(n.c);
    case Op::kList:
      return args(n.arg_count);
    case Op::kBuiltin:
      switch (static_cast<rules::Builtin>(n.immediate)) {
        case rules::Builtin::kLen:
          return true;
        case rules::Builtin::kBroadcastLists:
        case rules::Builtin::kBroadcastAll:
        case rules::Builtin::kBroadcastSize:
          return args(n.arg_count);
        case rules::Builtin::kPermute:
        case rules::Builtin::kReverse:
        case rules::Builtin::kRemove:
          return args(1);
        default:
          return false;
      }
    default:
      return false;
  }
}

std::string MlirEmitter::ResultList(const CompiledArgument& a, size_t place) {
  if (const auto whole = wholes_.find(a.pattern.whole); whole != wholes_.end()) return Tensor(whole->second);
  if (!HasShape(a.pattern)) {
    Refuse(fmt::format("the result {} of unknown shape", a.name), "it is known only at run time");
    return "";
  }
  std::vector<std::pair<MlirValue, bool>> pieces;
  bool plain = true;
  for (const Item& item : a.pattern.items) {
    top_ = item.expr;
    if (item.expr == kNone) {
      Refuse(fmt::format("a size of the result {} that the rule does not determine", a.name),
             "it is known only at run time");
      return "";
    }
    plain = plain && PlainlySizes(item.expr);
    MlirValue v = Value(item.expr);
    if (item.each) {
      if (!v.counted || v.elements.size() <= place) {
        if (v.missing.empty() && v.type == ExprType::kInts) {
          v = Element(v, Number(static_cast<int64_t>(place)));
        } else if (v.missing.empty()) {
          Refuse(item.expr, "it is a list of lists, of a length that is known only at run time");
          return "";
        }
      } else {
        v = v.elements[place];
      }
    }
    pieces.push_back({v, item.kind == ItemKind::kList});
  }
  if (refusal_) return "";
  MlirValue all = Joined(pieces);
  for (const MlirValue& e : all.elements) {
    if (!e.missing.empty()) all.missing = e.missing, all.missing_at = e.missing_at;
  }
  if (!all.missing.empty()) {
    const ExprType type = all.missing_at == kNone ? ExprType::kInt : code_.nodes[all.missing_at].type;
    Refuse(all.missing, type == ExprType::kType ? "a size depends on it"
                        : all.missing.starts_with("unknown(")
                            ? "its value depends on data"
                            : "it depends on element types, or on contents that may be no integers");
    return "";
  }
  const std::string list = Tensor(all);
  if (!plain) {
    Assert(Named(Call("sizes", {list}), ExprType::kBool),
           fmt::format("{} of {} would have a size that is negative", a.name, rule_.name));
  }
  return list;
}

std::vector<std::string> MlirEmitter::Results(const CompiledSignature& clause) {
  std::vector<std::string> lists;
  for (const CompiledArgument& a : clause.results) {
    const size_t count = IsVariadic(a.arity) ? static_cast<size_t>(options_.repeated) : 1;
    for (size_t place = 0; place < count && !refusal_; ++place) lists.push_back(ResultList(a, place));
  }
  return lists;
}

size_t MlirEmitter::ResultCount() const {
  size_t count = 0;
  for (const CompiledArgument& a : code_.signatures[0].results)
    count += IsVariadic(a.arity) ? static_cast<size_t>(options_.repeated) : 1;
  return count;
}

bool MlirEmitter::EmitClause(const CompiledSignature& clause) {
  for (const auto* arguments : {&clause.operands, &clause.results}) {
    for (const CompiledArgument& a : *arguments) {
      const bool anything = a.pattern.kind == PatternKind::kAnything &&
                            (arguments == &clause.operands || a.pattern.whole != kNone);
      if (a.pattern.kind != PatternKind::kTensor && !anything) {
        Refuse(fmt::format("{} of {}", a.name, NameOf(a.pattern.kind)), "");
        return false;
      }
    }
  }
  Match(clause);
  if (!refusal_) CheckRequirements();
  const std::vector<std::string> results = refusal_ ? std::vector<std::string>() : Results(clause);
  if (!refusal_) CheckAttributes();
  if (refusal_) return false;
  std::vector<std::string_view> types(results.size(), kMlirList);
  Put(fmt::format("return {} : {}", fmt::join(results, ", "), fmt::join(types, ", ")));
  return true;
}

// Emits whether the ranks of the operands and the case condition select this case.
MlirValue MlirEmitter::CaseApplies(const CompiledSignature& clause) {
  MlirValue applies = Truth(true);
  for (uint32_t k = 0; k < clause.operands.size(); ++k) {
    const Pattern& p = clause.operands[k].pattern;
    if (!HasShape(p)) continue;
    const auto lists_in = std::ranges::count(p.items, ItemKind::kList, &Item::kind);
    const MlirValue fixed = Number(static_cast<int64_t>(p.items.size()) - lists_in);
    if (lists_in > 0 && fixed.constant == 0) continue;
    const MlirValue rank = Length(Named(Operand(k, 0), ExprType::kInts));
    applies = And(applies, Or(Not(Given(k)), Compare(lists_in > 0 ? Op::kAtMost : Op::kEqual, fixed, rank)));
  }
  if (clause.when == kNone) return applies;
  top_ = clause.when;
  const MlirValue condition = Value(clause.when);
  if (!condition.missing.empty())
    Refuse(condition.missing, "the choice between cases of the operator depends on it");
  return And(applies, condition);
}

bool MlirEmitter::EmitChoice(const std::vector<std::string>& names,
                             const std::vector<std::string>& arguments) {
  std::vector<std::string> operands, types;
  for (const std::string& argument : arguments) {
    operands.push_back(argument.substr(0, argument.find(':')));
    types.push_back(argument.substr(argument.find(':') + 2));
  }
  const std::vector<std::string_view> lists(ResultCount(), kMlirList);
  const std::string result = fmt::format("{}", fmt::join(lists, ", "));
  const auto yield = [&](const std::string& name, std::string_view keyword) {
    std::vector<std::string> all;
    for (size_t i = 0; i < lists.size(); ++i)
      all.push_back(lists.size() == 1 ? name : fmt::format("{}#{}", name, i));
    Put(fmt::format("{} {} : {}", keyword, fmt::join(all, ", "), result));
  };
  const auto define = [&](std::string_view operation) {
    std::string name = fmt::format("%{}", next_++);
    Put(fmt::format("{}{} = {}", name, lists.size() == 1 ? "" : fmt::format(":{}", lists.size()), operation));
    return name;
  };
  std::vector<std::string> opened;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    const MlirValue applies = CaseApplies(code_.signatures[i]);
    if (refusal_) return false;
    opened.push_back(define(fmt::format("scf.if {} -> ({}) {{", Index(applies), result)));
    ++depth_;
    yield(define(fmt::format("func.call @{}({}) : ({}) -> ({})", names[i], fmt::join(operands, ", "),
                             fmt::join(types, ", "), result)),
          "scf.yield");
    --depth_;
    Put("} else {");
    ++depth_;
  }
  Assert(Truth(false), fmt::format("{} has no form for these operands", rule_.name));
  const std::string none = Tensor(Counted({}, ExprType::kInts));
  const std::vector<std::string> nothing(lists.size(), none);
  Put(fmt::format("scf.yield {} : {}", fmt::join(nothing, ", "), result));
  while (!opened.empty()) {
    --depth_;
    Put("}");
    const std::string name = opened.back();
    opened.pop_back();
    yield(name, opened.empty() ? "return" : "scf.yield");
  }
  return true;
}

}  // namespace dimwise
