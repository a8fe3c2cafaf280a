// Checks a rule and compiles it.
//
// Checking is complete: a compiled rule cannot fail at run time because of an error in the rule. Every name
// has one meaning and one type. Functions call only functions declared before them. A name bound by an
// optional operand is used only under given(...), to the left of ??, or in a requirement, which then applies
// only if the operand is given.
#ifndef DIMWISE_RULES_COMPILE_COMPILER_H_
#define DIMWISE_RULES_COMPILE_COMPILER_H_

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/result.h"
#include "rules/compile/code.h"
#include "rules/language/ast.h"

namespace dimwise::rules {

// Creates an error with the source line and a caret.
using Complain = std::function<Diagnostic(Position at, Code code, std::string message, std::string help)>;

// The functions that a rule may call.
class Functions {
 public:
  virtual ~Functions() = default;
  virtual const Function* Find(std::string_view name) const = 0;  // null if there is none
  virtual std::vector<std::string> Names() const = 0;             // to suggest similar names
};

class FunctionMap : public Functions {
 public:
  const Function* Find(std::string_view name) const override {
    const auto at = functions_.find(name);
    return at == functions_.end() ? nullptr : at->second;
  }
  std::vector<std::string> Names() const override {
    std::vector<std::string> names;
    for (const auto& [name, function] : functions_) names.push_back(name);
    return names;
  }
  void Add(const Function& function) { functions_[function.name] = &function; }

 private:
  std::map<std::string, const Function*, std::less<>> functions_;
};

class Compiler {
 public:
  Compiler(const Functions& functions, const Complain& mistake) : functions_(functions), mistake_(mistake) {}

  // Compiles an operator. With `base`, its template, the template provides the signatures, the attributes and
  // the first statements.
  Result<RuleCode> Compile(const Operator& op, const Operator* base = nullptr);
  // Checks a function.
  Status Check(const Function& function);

 private:
  struct Typed {
    NodeId node;
    ExprType type;
  };
  enum class NameKind : uint8_t { kSlot, kOperand, kResult, kTypeVariable, kStorageVariable, kRegion };
  struct Name {
    NameKind kind = NameKind::kSlot;
    uint32_t index = 0;
    ExprType type = ExprType::kInt;
    uint32_t absent_with = kNone;  // the optional operand that it requires
    uint32_t attribute = kNone;    // the optional attribute that it requires
  };

  // ---- Declarations (compiler.cc, compile_pattern.cc) ----
  Status DeclareArguments(const Operator& op);
  Status DeclareAttributes(const Operator& op);
  Status CompileAttributes(const Operator& op);
  Status DeclarePatternNames(const Operator& op);
  Status DeclareItems(const TypePattern& pattern, const std::set<std::string, std::less<>>& taken,
                      uint32_t optional_operand, bool variadic);
  void DeclareTypeVariable(const std::string& name, bool each, bool whole);
  Status DeclareName(Position at, const std::string& name, ExprType type, uint32_t optional_operand);
  Status DeclareRegions(const Operator& op, const std::set<std::string, std::less<>>& taken);
  Status CompileRegions(const Operator& op);
  Status CompileLets();
  Status CompileStatements();
  Result<CompiledSignature> CompileSignature(const Signature& signature);
  Result<NodeId> CompileCount(const Argument& a);
  bool IsWholeType(const TypePattern& p) const;
  Result<Pattern> CompilePattern(const TypePattern& pattern, bool result, bool variadic);
  Status DeclareStorage(const TypePattern& pattern);
  Status CompileStorage(const TypePattern& pattern, Pattern* out);
  Status CompileStorages(const Statement& s, uint32_t variable);
  Status CompileElement(const TypePattern& pattern, bool result, Pattern* out);
  Result<Item> CompileItem(const ShapeItem& item, bool result, bool variadic);
  Result<CompiledMessage> CompileMessage(const Message& message);
  Status CheckSameArguments(const Operator& op);
  Status CompileRequire(const Statement& s);
  Status CompileRequirement(const Expr& condition, const Message& message, StatementKind kind);
  Result<CompiledMessage> MessageOf(const Expr& condition, const Message& message);
  Result<CompiledMessage> GeneratedMessage(const Expr& condition);
  Result<CompiledMessage> MessageOfFunction(const Function& function, const Expr& call);
  std::string NameOfArgument(const Expr& argument) const;
  Status CompileValue(const Statement& s);
  Status CompileTypes(const Statement& s);

  // ---- Properties (compile_property.cc) ----
  Status CompileProperty(const Statement& s);
  Status CompilePropertyByKind(const Statement& s);
  Status CompileComputes(const Statement& s);
  Status CompileElements(const Statement& s);
  Status CompileIndices(const Statement& s);
  Status CompileSizeFrom(const Statement& s);
  Status CompileControlFlow(const Statement& s);
  Status CompileSizes(const Statement& s);
  Status CompileLayout(const PropertyPart* part, RegionLayout* out) const;
  Status CompilePropertyExpr(const PropertyPart* part, PropertyExpr* out);
  Result<uint32_t> FindArgument(const PropertyPart& part, size_t i, NameKind kind) const;
  Status FindOperand(const PropertyPart* part, ArgIndex* out) const;
  Status FindOperands(const PropertyPart& part, std::vector<ArgIndex>* out) const;
  bool IsAttribute(std::string_view name) const;
  Status FindAttribute(const PropertyPart* part, std::string* out) const;
  Status FindNumbers(const PropertyPart* part, NumbersAt* out) const;
  Status FindRegionItems(const std::vector<std::string>& words, const std::vector<Position>& at,
                         std::vector<RegionItem>* out) const;
  Unexpected FailTwice(const Statement& s) const;
  Unexpected FailMissing(const Statement& s, std::string_view part) const;

  // ---- Expressions (compile_expression.cc) ----
  Result<Typed> Expression(const Expr& e);
  Result<Typed> ExpressionByKind(const Expr& e);
  Result<NodeId> ExpressionOf(const Expr& e, ExprType type);
  Result<Typed> NameUse(const Expr& e);
  Result<Typed> Call(const Expr& e);
  Result<Typed> SpecialCall(const Expr& e, bool* handled);
  Result<Typed> FunctionCall(const Expr& e, const Function& function);
  Result<Typed> ListExpression(const Expr& e);
  Result<Typed> Index(const Expr& e);
  Result<Typed> Slice(const Expr& e);
  Result<Typed> Unary(const Expr& e);
  Result<Typed> Binary(const Expr& e);
  Result<Typed> Membership(const Expr& e);
  Result<Typed> If(const Expr& e);
  Result<Typed> Otherwise(const Expr& e);
  Result<Typed> Choose(const Expr& e, NodeId condition, Typed yes, Typed no);
  Result<Typed> For(const Expr& e);
  Result<Typed> Fold(const Expr& e);
  Result<Typed> TensorBinary(const Expr& e, Typed a, Typed b);
  // Converts a to another type if the language has an implicit conversion (an integer or a list to contents).
  bool Convert(Typed* a, ExprType to);
  // Returns the condition that the operands and attributes of these names are given. REQUIRES: not empty.
  NodeId AllGiven(const std::vector<std::string>& names);
  // Collects the operands that are certainly given if the condition holds (or, if negated, does not hold).
  void Givens(const Expr& condition, bool negated, std::vector<std::string>* names) const;

  struct ScopedGiven;  // adds given names for its lifetime
  NodeId Add(Node node);
  NodeId AddBuiltin(Builtin builtin, ExprType type, const std::vector<NodeId>& args);
  SlotId NewSlot(std::string name, ExprType type, NodeId code = kNone);
  Unexpected Fail(Position at, Code code, std::string message, std::string help = "") const;
  Unexpected UnknownName(const Expr& e, std::string_view what,
                         const std::vector<std::string>& candidates) const;
  Status CheckSize(Position at);
  bool IsGiven(std::string_view name) const { return std::ranges::find(given_, name) != given_.end(); }
  void FindContentsThatCount(size_t operand_count);

  const Functions& functions_;
  const Complain& mistake_;
  RuleCode code_;
  std::map<std::string, Name, std::less<>> names_;
  // The operand of which a list of names is the shape, for messages: `Scale` for `Scale: T[...s]` and `s`.
  std::map<std::string, std::string, std::less<>> operand_of_shape_;
  std::vector<std::string> given_;  // names known to be given at this point
  // Where the optional operands and attributes that an expression uses untested are collected; or null.
  std::vector<std::string>* untested_ = nullptr;
  bool in_otherwise_ = false;        // to the left of ??
  const Expr* predicate_ = nullptr;  // the call whose function has the message of a requirement
  // In the message of a function: how each argument is named, by parameter.
  std::map<std::string, std::string, std::less<>> argument_names_;
  CompiledMessage predicate_message_;  // that message
  std::vector<const Statement*> statements_;
  Part part_ = Part::kAll;
  bool in_property_ = false;  // the sizes of results are known
  struct NodesOfLet {
    SlotId slot;
    NodeId first, last;
  };
  std::vector<std::pair<NodeId, NodeId>> value_nodes_;  // the nodes of each `value` statement
  std::vector<NodesOfLet> let_nodes_;
  int function_depth_ = 0;
  const Expr* current_ = nullptr;  // the expression that is being compiled
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_COMPILE_COMPILER_H_
