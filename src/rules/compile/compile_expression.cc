// Compiles expressions to typed nodes: names, lists and loops. compile_operator.cc compiles operators,
// compile_call.cc calls.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/nearest_name.h"
#include "dimwise/result_macros.h"
#include "rules/compile/compiler.h"
#include "rules/language/type_names.h"

namespace dimwise::rules {
namespace {

constexpr size_t kMaxNodes = 20000;

}  // namespace

NodeId Compiler::Add(Node node) {
  code_.nodes.push_back(node);
  code_.written.push_back(current_);
  return static_cast<NodeId>(code_.nodes.size() - 1);
}

NodeId Compiler::AddBuiltin(Builtin builtin, ExprType type, const std::vector<NodeId>& args) {
  Node n;
  n.op = Op::kBuiltin;
  n.type = type;
  n.immediate = static_cast<int64_t>(builtin);
  n.first_arg = static_cast<uint32_t>(code_.args.size());
  n.arg_count = static_cast<uint16_t>(args.size());
  code_.args.insert(code_.args.end(), args.begin(), args.end());
  return Add(n);
}

SlotId Compiler::NewSlot(std::string name, ExprType type, NodeId code) {
  Slot s;
  s.name = std::move(name);
  s.type = type;
  s.code = code;
  code_.slots.push_back(std::move(s));
  return static_cast<SlotId>(code_.slots.size() - 1);
}

Unexpected Compiler::Fail(Position at, Code code, std::string message, std::string help) const {
  return Unexpected(mistake_(at, code, std::move(message), std::move(help)));
}

Unexpected Compiler::UnknownName(const Expr& e, std::string_view what,
                                 const std::vector<std::string>& candidates) const {
  std::vector<std::string_view> views(candidates.begin(), candidates.end());
  const std::string_view near = NearestName(e.text, views);
  return Fail(e.at, Code::kRuleName, fmt::format("there is no {} '{}' here", what, e.text),
              near.empty() ? "" : fmt::format("did you mean '{}'?", near));
}

Status Compiler::CheckSize(Position at) {
  if (code_.nodes.size() <= kMaxNodes && code_.slots.size() <= kMaxNodes) return {};
  return Fail(at, Code::kRuleLimit,
              fmt::format("the rule has more than {} nodes after its functions are inlined", kMaxNodes));
}

Result<NodeId> Compiler::ExpressionOf(const Expr& e, ExprType type) {
  DIMWISE_ASSIGN_OR_RETURN(Typed typed, Expression(e));
  if (typed.type != type && !Convert(&typed, type)) {
    return Fail(e.at, Code::kRuleType,
                fmt::format("this is {}, but {} is required", NameOf(typed.type), NameOf(type)));
  }
  return typed.node;
}

bool Compiler::Convert(Typed* a, ExprType to) {
  if (a->type == to) return true;
  if (to == ExprType::kTensor && code_.nodes[a->node].op == Op::kContents && a->type != ExprType::kTensors) {
    Node n = code_.nodes[a->node];  // unconverted: the contents may be floats
    n.type = to;
    *a = {Add(n), to};
  } else if (to == ExprType::kTensor && a->type == ExprType::kInts) {
    *a = {AddBuiltin(Builtin::kVector, to, {a->node}), to};
  } else if (to == ExprType::kTensor && a->type == ExprType::kInt) {
    *a = {AddBuiltin(Builtin::kScalar, to, {a->node}), to};
  } else if (a->type == ExprType::kLists && code_.nodes[a->node].op == Op::kList &&
             code_.nodes[a->node].arg_count == 0) {
    code_.nodes[a->node].type = to;  // [] is a list of any element type
    a->type = to;
    return ElementOf(to).has_value();
  } else {
    return false;
  }
  return true;
}

Result<Compiler::Typed> Compiler::Expression(const Expr& e) {
  // Errors in an inlined function are reported at the call, because the function may be in another file.
  const Expr* const here = function_depth_ > 0 ? current_ : &e;
  DIMWISE_RETURN_IF_ERROR(CheckSize(here->at));
  const Expr* const outer = std::exchange(current_, here);
  Result<Typed> typed = ExpressionByKind(e);
  current_ = outer;
  return typed;
}

Result<Compiler::Typed> Compiler::ExpressionByKind(const Expr& e) {
  Node n;
  switch (e.kind) {
    case ExprKind::kInteger:
      n.immediate = e.integer;
      return Typed{Add(n), n.type};
    case ExprKind::kBoolean:
      n.type = ExprType::kBool;
      n.immediate = e.integer;
      return Typed{Add(n), n.type};
    case ExprKind::kReal:
      n.type = ExprType::kFloat;
      n.immediate = static_cast<int64_t>(code_.reals.size());
      code_.reals.push_back(e.real);
      return Typed{Add(n), n.type};
    case ExprKind::kString:
      n.type = ExprType::kString;
      n.immediate = static_cast<int64_t>(code_.strings.size());
      code_.strings.push_back(e.text);
      return Typed{Add(n), n.type};
    case ExprKind::kName:
      return NameUse(e);
    case ExprKind::kCall:
      return Call(e);
    case ExprKind::kList:
      return ListExpression(e);
    case ExprKind::kSpread:
      return Fail(e.at, Code::kRuleSyntax, "'...' is allowed only inside a list");
    case ExprKind::kIndex:
      return Index(e);
    case ExprKind::kSlice:
      return Slice(e);
    case ExprKind::kUnary:
      return Unary(e);
    case ExprKind::kBinary:
      return Binary(e);
    case ExprKind::kIf:
      return If(e);
    case ExprKind::kFor:
      return For(e);
    case ExprKind::kFold:
      return Fold(e);
  }
  return Fail(e.at, Code::kRuleSyntax, "this is no expression");
}

Result<Compiler::Typed> Compiler::NameUse(const Expr& e) {
  Node n;
  if (e.text == "version") {
    n.op = Op::kVersion;
    return Typed{Add(n), ExprType::kInt};
  }
  const auto it = names_.find(e.text);
  if (it == names_.end()) {
    if (const std::optional<ElementType> type = TypeNamed(e.text)) {
      n.type = ExprType::kType;
      n.immediate = static_cast<int64_t>(*type);
      return Typed{Add(n), n.type};
    }
    std::vector<std::string> candidates;
    for (const NameKind kind : {NameKind::kSlot, NameKind::kOperand}) {
      for (const auto& [name, meaning] : names_) {
        if (meaning.kind == kind) candidates.push_back(name);
      }
    }
    return UnknownName(e, "name", candidates);
  }
  const Name& name = it->second;
  const auto collect = [&](const std::string& owner) {
    if (untested_ == nullptr) return false;
    untested_->push_back(owner);
    given_.push_back(owner);
    return true;
  };
  if (name.absent_with != kNone) {
    const std::string& owner =
        code_.signatures.empty() ? e.text : code_.signatures[0].operands[name.absent_with].name;
    if (!IsGiven(owner) && !collect(owner)) {
      return Fail(e.at, Code::kRuleName,
                  fmt::format("'{}' has no value where the operand {} is absent", e.text, owner),
                  fmt::format("test it first: if given({}) then ... else ...", owner));
    }
  }
  if (name.attribute != kNone && !IsGiven(e.text) && !collect(e.text)) {
    return Fail(e.at, Code::kRuleName, fmt::format("the attribute '{}' may be absent", e.text),
                fmt::format("give it a default, or test it first: if given({}) then ... else ...", e.text));
  }
  switch (name.kind) {
    case NameKind::kSlot:
      n.op = Op::kSlot;
      n.a = name.index;
      n.type = name.type;
      return Typed{Add(n), n.type};
    case NameKind::kOperand:
      n.op = Op::kContents;
      n.a = name.index;
      n.type = name.type;
      return Typed{Add(n), n.type};
    case NameKind::kTypeVariable: {
      const SlotId each = code_.type_variables[name.index].each_slot;
      n.op = Op::kSlot;
      if (each != kNone) {
        n.a = each;
        n.type = ExprType::kTypes;
        return Typed{Add(n), n.type};
      }
      n.op = Op::kOperandType;
      n.a = kNone;
      n.b = name.index;
      n.type = ExprType::kType;
      return Typed{Add(n), n.type};
    }
    case NameKind::kStorageVariable:
      return Fail(e.at, Code::kRuleName,
                  fmt::format("'{}' is a storage, which expressions cannot use", e.text));
    case NameKind::kRegion:
      return Fail(e.at, Code::kRuleName,
                  fmt::format("'{}' is a region; use the names in its patterns", e.text));
    case NameKind::kResult:
      return Fail(e.at, Code::kRuleName,
                  fmt::format("'{}' is a result; its contents are not known here", e.text));
  }
  return Fail(e.at, Code::kRuleName, "this name has no meaning");
}

Result<Compiler::Typed> Compiler::ListExpression(const Expr& e) {
  std::vector<NodeId> args;
  std::optional<ExprType> element;
  for (const ExprPtr& child : e.children) {
    const bool spread = child->kind == ExprKind::kSpread;
    const Expr& inner = spread ? *child->children[0] : *child;
    DIMWISE_ASSIGN_OR_RETURN(Typed typed, Expression(inner));
    std::optional<ExprType> type = spread ? ElementOf(typed.type) : std::optional(typed.type);
    if (!type)
      return Fail(inner.at, Code::kRuleType,
                  fmt::format("'...' splices a list, and this is {}", NameOf(typed.type)));
    if (element && *element != *type) {
      return Fail(
          inner.at, Code::kRuleType,
          fmt::format("a list has elements of one type, not {} and {}", NameOf(*element), NameOf(*type)));
    }
    element = type;
    code_.nodes[typed.node].spread = false;
    if (spread) {  // a separate node, because the inner node may be shared
      Node copy = code_.nodes[typed.node];
      copy.spread = true;
      typed.node = Add(copy);
    }
    args.push_back(typed.node);
  }
  const std::optional<ExprType> list = element ? ListOf(*element) : ExprType::kLists;
  if (!list) return Fail(e.at, Code::kRuleType, fmt::format("there are no lists of {}", NameOf(*element)));
  Node n;
  n.op = Op::kList;
  n.type = *list;
  n.first_arg = static_cast<uint32_t>(code_.args.size());
  n.arg_count = static_cast<uint16_t>(args.size());
  code_.args.insert(code_.args.end(), args.begin(), args.end());
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::Index(const Expr& e) {
  DIMWISE_ASSIGN_OR_RETURN(Typed list, Expression(*e.children[0]));
  const std::optional<ExprType> element = ElementOf(list.type);
  if (!element)
    return Fail(e.children[0]->at, Code::kRuleType,
                fmt::format("this is {}, which has no elements", NameOf(list.type)));
  DIMWISE_ASSIGN_OR_RETURN(NodeId index, ExpressionOf(*e.children[1], ExprType::kInt));
  Node n;
  n.op = Op::kIndex;
  n.type = *element;
  n.a = list.node;
  n.b = index;
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::Slice(const Expr& e) {
  DIMWISE_ASSIGN_OR_RETURN(NodeId list, ExpressionOf(*e.children[0], ExprType::kInts));
  Node n;
  n.op = Op::kSliceList;
  n.type = ExprType::kInts;
  n.a = list;
  if (e.children[1] != nullptr) {
    DIMWISE_ASSIGN_OR_RETURN(n.b, ExpressionOf(*e.children[1], ExprType::kInt));
  }
  if (e.children[2] != nullptr) {
    DIMWISE_ASSIGN_OR_RETURN(n.c, ExpressionOf(*e.children[2], ExprType::kInt));
  }
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::For(const Expr& e) {
  // The iterated lists: zip(a, b, ...), enumerate(a), or one list.
  const Expr& over = *e.children[1];
  std::vector<Typed> lists;
  Loop loop;
  const bool zip = over.kind == ExprKind::kCall && over.text == "zip";
  loop.enumerate = over.kind == ExprKind::kCall && over.text == "enumerate";
  if (zip || loop.enumerate) {
    for (const ExprPtr& child : over.children) {
      DIMWISE_ASSIGN_OR_RETURN(Typed list, Expression(*child));
      lists.push_back(list);
    }
  } else {
    DIMWISE_ASSIGN_OR_RETURN(Typed list, Expression(over));
    lists.push_back(list);
  }
  if (lists.size() > kMaxZipped)
    return Fail(over.at, Code::kRuleLimit,
                fmt::format("'for' iterates over at most {} lists at once", kMaxZipped));
  if (lists.empty() || (loop.enumerate && lists.size() != 1))
    return Fail(over.at, Code::kRuleType, "the list of 'for' is missing");
  std::vector<ExprType> types;
  for (const Typed& list : lists) {
    const std::optional<ExprType> element = ElementOf(list.type);
    if (!element || *element == ExprType::kTensor)
      return Fail(over.at, Code::kRuleType,
                  fmt::format("'for' iterates over lists, and this is {}", NameOf(list.type)));
    types.push_back(*element);
  }
  if (loop.enumerate) types.push_back(ExprType::kInt);
  if (types.size() != e.names.size()) {
    return Fail(e.at, Code::kRuleType,
                fmt::format("'for' has {} names for {} lists", e.names.size(), types.size()));
  }
  loop.first_inner = static_cast<SlotId>(code_.slots.size());
  std::map<std::string, Name, std::less<>> outer = names_;
  for (size_t i = 0; i < e.names.size(); ++i) {
    const SlotId slot = NewSlot(e.names[i], types[i]);
    loop.variables.push_back(slot);
    names_[e.names[i]] = Name{NameKind::kSlot, slot, types[i], kNone, kNone};
  }
  Node n;
  n.op = Op::kFor;
  DIMWISE_ASSIGN_OR_RETURN(Typed body, Expression(*e.children[0]));
  n.a = body.node;
  if (e.children[2] != nullptr) {
    DIMWISE_ASSIGN_OR_RETURN(n.b, ExpressionOf(*e.children[2], ExprType::kBool));
  }
  names_ = std::move(outer);
  loop.last_inner = static_cast<SlotId>(code_.slots.size());
  const std::optional<ExprType> list = ListOf(body.type);
  if (!list || *list == ExprType::kTensors)
    return Fail(e.children[0]->at, Code::kRuleType,
                fmt::format("there are no lists of {}", NameOf(body.type)));
  n.type = *list;
  n.immediate = static_cast<int64_t>(code_.loops.size());
  code_.loops.push_back(std::move(loop));
  n.first_arg = static_cast<uint32_t>(code_.args.size());
  n.arg_count = static_cast<uint16_t>(lists.size());
  for (const Typed& t : lists) code_.args.push_back(t.node);
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::Fold(const Expr& e) {
  DIMWISE_ASSIGN_OR_RETURN(Typed list, Expression(*e.children[0]));
  DIMWISE_ASSIGN_OR_RETURN(Typed init, Expression(*e.children[1]));
  const std::optional<ExprType> element = ElementOf(list.type);
  if (!element || *element == ExprType::kTensor)
    return Fail(e.children[0]->at, Code::kRuleType,
                fmt::format("'fold' iterates over a list, and this is {}", NameOf(list.type)));
  if (e.names.size() != 2)
    return Fail(e.at, Code::kRuleType, "'fold' has one name for the element and one for the state");
  Loop loop;
  loop.first_inner = static_cast<SlotId>(code_.slots.size());
  std::map<std::string, Name, std::less<>> outer = names_;
  loop.variables.push_back(NewSlot(e.names[1], *element));
  loop.accumulator = NewSlot(e.names[0], init.type);
  names_[e.names[1]] = Name{NameKind::kSlot, loop.variables[0], *element, kNone, kNone};
  names_[e.names[0]] = Name{NameKind::kSlot, loop.accumulator, init.type, kNone, kNone};
  Node n;
  n.op = Op::kFold;
  n.type = init.type;
  n.a = list.node;
  n.b = init.node;
  DIMWISE_ASSIGN_OR_RETURN(n.c, ExpressionOf(*e.children[2], init.type));
  names_ = std::move(outer);
  loop.last_inner = static_cast<SlotId>(code_.slots.size());
  n.immediate = static_cast<int64_t>(code_.loops.size());
  code_.loops.push_back(std::move(loop));
  return Typed{Add(n), n.type};
}

}  // namespace dimwise::rules
