// Compiles calls: queries about operands, results and attributes, built-ins, and functions of rules.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dimwise/result_macros.h"
#include "rules/compile/compiler.h"

namespace dimwise::rules {
namespace {

constexpr int kMaxFunctionDepth = 32;

}  // namespace

// Compiles given(B), rank(X), shape(X), type(X), count(X), alike(X): queries about an argument, not about its
// contents.
Result<Compiler::Typed> Compiler::SpecialCall(const Expr& e, bool* handled) {
  *handled = false;
  if (e.children.size() != 1 || e.children[0]->kind != ExprKind::kName) return Typed{};
  const auto it = names_.find(e.children[0]->text);
  if (it == names_.end()) {
    if (e.text != "given") return Typed{};
    std::vector<std::string> candidates;
    for (const auto& [name, meaning] : names_) {
      if (meaning.kind != NameKind::kSlot || meaning.attribute != kNone) candidates.push_back(name);
    }
    return UnknownName(*e.children[0], "operand, result or attribute", candidates);
  }
  const Name& name = it->second;
  Node n;
  n.a = name.index;
  *handled = true;
  if (e.text == "given") {
    n.type = ExprType::kBool;
    if (name.kind == NameKind::kOperand) {
      n.op = Op::kGiven;
    } else if (name.kind == NameKind::kResult) {
      n.op = Op::kGivenResult;
    } else if (name.kind == NameKind::kSlot && code_.slots[name.index].attribute != kNone) {
      n.op = Op::kGivenAttr;
      n.a = code_.slots[name.index].attribute;
    } else {
      return Fail(
          e.children[0]->at, Code::kRuleName,
          fmt::format("'{}' is no operand, result or attribute, and is always given", e.children[0]->text));
    }
    return Typed{Add(n), n.type};
  }
  if (name.kind == NameKind::kOperand) {
    if (e.text == "rank") {
      n.op = Op::kOperandRank;
    } else if (e.text == "count") {
      n.op = Op::kOperandCount;
    } else if (e.text == "alike") {
      n.op = Op::kOperandsEqual;
      n.type = ExprType::kBool;
    } else if (e.text == "shape") {
      n.op = Op::kOperandShape;
      n.type = ExprType::kInts;
    } else if (e.text == "type") {
      n.op = Op::kOperandType;
      n.type = ExprType::kType;
    } else {
      *handled = false;
      return Typed{};
    }
    // To the left of ??, a query about an optional operand needs the operand.
    if (in_otherwise_ && name.absent_with != kNone && !IsGiven(e.children[0]->text))
      untested_->push_back(e.children[0]->text);
    return Typed{Add(n), n.type};
  }
  if (name.kind == NameKind::kResult && e.text == "count") {
    n.op = Op::kResultCount;
    return Typed{Add(n), n.type};
  }
  if (name.kind == NameKind::kResult && in_property_ && (e.text == "rank" || e.text == "shape")) {
    n.op = e.text == "rank" ? Op::kResultRank : Op::kResultShape;
    n.type = e.text == "rank" ? ExprType::kInt : ExprType::kInts;
    return Typed{Add(n), n.type};
  }
  *handled = false;
  return Typed{};
}

Result<Compiler::Typed> Compiler::Call(const Expr& e) {
  bool handled = false;
  DIMWISE_ASSIGN_OR_RETURN(Typed special, SpecialCall(e, &handled));
  if (handled) return special;
  if (const Function* function = functions_.Find(e.text)) return FunctionCall(e, *function);

  std::vector<Typed> args;
  for (const ExprPtr& child : e.children) {
    DIMWISE_ASSIGN_OR_RETURN(Typed arg, Expression(*child));
    args.push_back(arg);
  }
  bool known = false;
  std::vector<std::string> candidates;
  // Match exactly first, then with conversion of integers and lists to contents.
  for (const bool convert : {false, true}) {
    for (const BuiltinInfo& b : Builtins()) {
      candidates.emplace_back(b.name);
      if (b.name != e.text) continue;
      known = true;
      if (args.size() < b.parameters.size() || (args.size() > b.parameters.size() && !b.repeats)) continue;
      const auto parameter = [&](size_t i) { return b.parameters[std::min(i, b.parameters.size() - 1)]; };
      bool fits = true;
      for (size_t i = 0; i < args.size() && fits; ++i) {
        const bool empty_list = args[i].type == ExprType::kLists &&
                                code_.nodes[args[i].node].op == Op::kList &&
                                code_.nodes[args[i].node].arg_count == 0;
        const bool to_contents = parameter(i) == ExprType::kTensor &&
                                 (args[i].type == ExprType::kInt || args[i].type == ExprType::kInts);
        fits = args[i].type == parameter(i) || (convert && (to_contents || empty_list));
      }
      if (!fits) continue;
      std::vector<NodeId> nodes;
      for (size_t i = 0; i < args.size(); ++i) {
        Convert(&args[i], parameter(i));
        nodes.push_back(args[i].node);
      }
      return Typed{AddBuiltin(b.builtin, b.result, nodes), b.result};
    }
  }
  if (!known) {
    for (std::string& name : functions_.Names()) candidates.push_back(std::move(name));
    return UnknownName(e, "function", candidates);
  }
  std::string given;
  for (const Typed& a : args) given += (given.empty() ? "" : ", ") + std::string(NameOf(a.type));
  std::string takes;
  for (const BuiltinInfo& b : Builtins()) {
    if (b.name != e.text) continue;
    takes += takes.empty() ? "it takes (" : ", or (";
    for (size_t i = 0; i < b.parameters.size(); ++i)
      takes += (i > 0 ? ", " : "") + std::string(NameOf(b.parameters[i]));
    takes += b.repeats ? ", ...)" : ")";
  }
  return Fail(e.at, Code::kRuleType, fmt::format("'{}' does not take ({})", e.text, given), takes);
}

// Inlines a function: each parameter is a slot that is evaluated on first use.
Result<Compiler::Typed> Compiler::FunctionCall(const Expr& e, const Function& f) {
  if (e.children.size() != f.parameters.size()) {
    return Fail(
        e.at, Code::kRuleType,
        fmt::format("'{}' takes {} arguments; {} are given", f.name, f.parameters.size(), e.children.size()));
  }
  if (function_depth_ >= kMaxFunctionDepth)
    return Fail(e.at, Code::kRuleLimit, "functions call each other more than 32 deep");
  std::map<std::string, Name, std::less<>> inner;
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    const std::optional<ExprType> type = ParseExprType(f.parameters[i].type);
    if (!type) return Fail(f.at, Code::kRuleType, fmt::format("there is no type '{}'", f.parameters[i].type));
    DIMWISE_ASSIGN_OR_RETURN(NodeId arg, ExpressionOf(*e.children[i], *type));
    // A name that is passed without conversion needs no slot.
    const Node& node = code_.nodes[arg];
    const SlotId slot =
        node.op == Op::kSlot && node.type == *type ? node.a : NewSlot(f.parameters[i].name, *type, arg);
    inner[f.parameters[i].name] = Name{NameKind::kSlot, slot, *type, kNone, kNone};
  }
  std::swap(names_, inner);
  std::vector<std::string> given;
  std::swap(given_, given);
  ++function_depth_;
  const std::optional<ExprType> result = ParseExprType(f.result);
  Result<NodeId> body =
      result ? ExpressionOf(*f.body, *result)
             : Result<NodeId>(Fail(f.at, Code::kRuleType, fmt::format("there is no type '{}'", f.result)));
  if (body && predicate_ == &e && !f.message.empty()) {
    Result<CompiledMessage> message = MessageOfFunction(f, e);
    if (message) predicate_message_ = std::move(*message);
    if (!message) body = Result<NodeId>(std::move(message).TakeError());
  }
  --function_depth_;
  std::swap(given_, given);
  std::swap(names_, inner);
  if (!body) return std::move(body).TakeError();
  return Typed{*body, *result};
}

}  // namespace dimwise::rules
