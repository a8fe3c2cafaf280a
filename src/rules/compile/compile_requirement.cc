// Compiles `require`, `assume` and `ensure`, and their messages.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dimwise/result_macros.h"
#include "rules/compile/compiler.h"
#include "rules/language/predicate.h"
#include "rules/language/print.h"

namespace dimwise::rules {

// Without a message, each part of a conjunction is a requirement with a message of its own.
Status Compiler::CompileRequire(const Statement& s) {
  std::vector<const Expr*> open = {s.expr.get()};
  while (!open.empty()) {
    const Expr& e = *open.back();
    open.pop_back();
    if (s.message.empty() && s.kind != StatementKind::kEnsure && e.kind == ExprKind::kBinary &&
        e.text == "and") {
      open.push_back(e.children[1].get());
      open.push_back(e.children[0].get());
      continue;
    }
    DIMWISE_RETURN_IF_ERROR(CompileRequirement(e, s.message, s.kind));
  }
  return {};
}

// A requirement about what an absent operand or attribute binds does not apply.
Status Compiler::CompileRequirement(const Expr& condition, const Message& message, StatementKind kind) {
  std::vector<std::string> owners;
  const size_t before = given_.size();
  untested_ = &owners;
  predicate_ = &PredicateOf(condition);
  predicate_message_ = {};
  Result<NodeId> compiled = ExpressionOf(condition, ExprType::kBool);
  untested_ = nullptr;
  predicate_ = nullptr;
  given_.resize(before);
  if (!compiled) return std::move(compiled).TakeError();
  CompiledRequire r;
  r.condition = *compiled;
  r.kind = kind;
  std::ranges::sort(owners);
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  if (!owners.empty()) {
    Node absent, either;
    absent.op = Op::kNot;
    either.op = Op::kOr;
    absent.type = either.type = ExprType::kBool;
    absent.a = AllGiven(owners);
    either.a = Add(absent);
    either.b = r.condition;
    r.condition = Add(either);
  }
  if (kind == StatementKind::kEnsure) {
    code_.requirements.push_back(std::move(r));
    return {};
  }
  // The message is used only if the condition is false.
  given_.insert(given_.end(), owners.begin(), owners.end());
  Givens(condition, true, &given_);
  Result<CompiledMessage> words = MessageOf(condition, message);
  given_.resize(before);
  if (!words) return std::move(words).TakeError();
  r.message = std::move(*words);
  code_.requirements.push_back(std::move(r));
  return {};
}

// Returns the message of the statement; or that of the function which the condition calls; or one that is
// made from the condition.
Result<CompiledMessage> Compiler::MessageOf(const Expr& condition, const Message& message) {
  if (!message.empty()) return CompileMessage(message);
  if (!predicate_message_.pieces.empty()) return std::exchange(predicate_message_, {});
  return GeneratedMessage(PredicateOf(condition));
}

// Compiles the message of a function where it is called. REQUIRES: the names are the parameters.
Result<CompiledMessage> Compiler::MessageOfFunction(const Function& function, const Expr& call) {
  for (size_t i = 0; i < function.parameters.size(); ++i)
    argument_names_[function.parameters[i].name] = NameOfArgument(*call.children[i]);
  Result<CompiledMessage> message = CompileMessage(function.message);
  argument_names_.clear();
  return message;
}

// Returns the operand if the argument is its shape, else the argument as it is written.
std::string Compiler::NameOfArgument(const Expr& argument) const {
  if (argument.kind == ExprKind::kName) {
    const auto operand = operand_of_shape_.find(argument.text);
    if (operand != operand_of_shape_.end()) return operand->second;
  }
  return Print(argument);
}

namespace {

// Returns how a message continues after "a is 3, and b is 4; the first must be ", or "" for other operators.
std::string_view WordsOfComparison(std::string_view op) {
  if (op == "==") return "equal to";
  if (op == "!=") return "different from";
  if (op == "<") return "less than";
  if (op == "<=") return "at most";
  if (op == ">") return "greater than";
  if (op == ">=") return "at least";
  if (op == "in") return "one of";
  return "";
}

// Returns the operator that compares the sides in the other order.
std::string_view Mirrored(std::string_view op) {
  if (op == "<") return ">";
  if (op == "<=") return ">=";
  if (op == ">") return "<";
  return op == ">=" ? "<=" : op;
}

bool IsLiteral(const Expr& e) {
  return e.kind == ExprKind::kInteger || e.kind == ExprKind::kString || e.kind == ExprKind::kReal ||
         (e.kind == ExprKind::kList &&
          std::ranges::all_of(e.children, [](const ExprPtr& child) { return IsLiteral(*child); }));
}

}  // namespace

// Both sides of a comparison are named with their values: "rows is 3, and k is 4; the first must be equal to
// the second".
Result<CompiledMessage> Compiler::GeneratedMessage(const Expr& condition) {
  CompiledMessage message;
  const auto add = [&](std::string text, const Expr* value) -> Status {
    NodeId node = kNone;
    if (value != nullptr) {
      DIMWISE_ASSIGN_OR_RETURN(const Typed typed, Expression(*value));
      if (typed.type == ExprType::kTensors || typed.type == ExprType::kLists) return {};
      node = typed.node;
    }
    message.pieces.push_back({std::move(text), node});
    return {};
  };
  std::string_view words =
      condition.kind == ExprKind::kBinary ? WordsOfComparison(condition.text) : std::string_view();
  if (words.empty()) {
    DIMWISE_RETURN_IF_ERROR(add(fmt::format("{} does not hold", Print(condition)), nullptr));
    return message;
  }
  const bool mirrored = IsLiteral(*condition.children[0]) && condition.text != "in";
  const Expr& left = *condition.children[mirrored ? 1 : 0];
  const Expr& right = *condition.children[mirrored ? 0 : 1];
  if (mirrored) words = WordsOfComparison(Mirrored(condition.text));
  const bool is_zero = right.kind == ExprKind::kInteger && right.integer == 0;
  if (condition.text == "==" && is_zero && left.kind == ExprKind::kBinary && left.text == "%") {
    const Expr& divisor = *left.children[1];
    DIMWISE_RETURN_IF_ERROR(add(fmt::format("{} is ", Print(*left.children[0])), left.children[0].get()));
    const std::string named = IsLiteral(divisor) ? "" : fmt::format("{}, ", Print(divisor));
    DIMWISE_RETURN_IF_ERROR(add(fmt::format(", which is no multiple of {}", named), &divisor));
    return message;
  }
  DIMWISE_RETURN_IF_ERROR(add(fmt::format("{} is ", Print(left)), &left));
  if (IsLiteral(right)) {
    const std::string end = condition.text == "==" ? fmt::format("; it must be {}", Print(right))
                                                   : fmt::format("; it must be {} {}", words, Print(right));
    DIMWISE_RETURN_IF_ERROR(add(end, nullptr));
    return message;
  }
  DIMWISE_RETURN_IF_ERROR(add(fmt::format(", and {} is ", Print(right)), &right));
  DIMWISE_RETURN_IF_ERROR(add(fmt::format("; the first must be {} the second", words), nullptr));
  return message;
}

Result<CompiledMessage> Compiler::CompileMessage(const Message& message) {
  CompiledMessage result;
  for (const MessagePiece& piece : message) {
    CompiledMessage::Piece p;
    p.text = piece.text;
    const Expr* e = piece.expr.get();
    if (e != nullptr && e->kind == ExprKind::kCall && e->text == "name" && e->children.size() == 1 &&
        e->children[0]->kind == ExprKind::kName) {
      const auto named = argument_names_.find(e->children[0]->text);
      if (named == argument_names_.end())
        return Fail(e->at, Code::kRuleName,
                    "name(x) stands only in the message of a function, for a parameter");
      p.text += named->second;
    } else if (e != nullptr) {
      DIMWISE_ASSIGN_OR_RETURN(Typed value, Expression(*e));
      if (value.type == ExprType::kTensors || value.type == ExprType::kLists)
        return Fail(e->at, Code::kRuleType, fmt::format("{} cannot be used in a message", NameOf(value.type)));
      p.expr = value.node;
    }
    result.pieces.push_back(std::move(p));
  }
  return result;
}

}  // namespace dimwise::rules
