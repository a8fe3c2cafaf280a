// Emits the body of one function: a case of a rule, expression by expression (see rule_mlir.h).
//
// Regions. The rule language evaluates a name when it is first used, but MLIR requires definitions before
// uses. So the values of names are stored per region: values computed inside a branch or loop are dropped at
// its end. Code that may fail (a division, an index into a list, an assertion) stays inside its branch. Other
// code is hoisted before the branch, and the branch becomes an `arith.select`.
//
// Unsupported values. A value may be missing, like unknown contents in the evaluator. A missing value
// propagates, and is an error only if a result needs it. A construct that MLIR cannot express is rejected at
// once.
#ifndef DIMWISE_REPORT_MLIR_RULE_MLIR_EMITTER_H_
#define DIMWISE_REPORT_MLIR_RULE_MLIR_EMITTER_H_

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/function_ref.h"
#include "report/mlir/rule_mlir.h"
#include "rules/compile/code.h"
#include "rules/compile/library.h"

namespace dimwise {

inline constexpr std::string_view kMlirList = "tensor<?xindex>";

// A value of the rule language. Exactly one of the representations below is used.
struct MlirValue {
  rules::ExprType type = rules::ExprType::kInt;
  std::string name;                 // "%3", of type index, i1 or tensor<?x...>
  std::optional<int64_t> constant;  // an integer, a Boolean as 0 or 1, or the number of a string
  bool counted = false;             // a list of known length, stored in `elements`
  std::vector<MlirValue> elements;
  std::string missing;  // not empty: the value does not exist; the text is its expression in the rule
  rules::NodeId missing_at = rules::kNone;
};

// Returns the value with another type.
inline MlirValue AsType(MlirValue v, rules::ExprType type) {
  v.type = type;
  return v;
}

// The state shared by the cases of a rule: arguments, called functions, and the table of strings.
struct MlirModule {
  std::map<std::pair<int, int>, std::string>
      arguments;  // by position in the declaration; "%X: tensor<?xindex>"
  std::set<std::string, std::less<>> functions;
  std::vector<std::string> strings;
};

struct MlirRefusal {
  std::string what;  // "unknown(0, product(s))"
  std::string why;
  const rules::Expr* inside = nullptr;  // the expression of the rule that contains it, or null
};

class MlirEmitter {
 public:
  MlirEmitter(const rules::Rule& rule, const MlirOptions& options, MlirModule* module)
      : rule_(rule), code_(*rule.code), options_(options), module_(*module) {}

  // Emits a function for a case, without its braces. Returns false if it is rejected.
  bool EmitClause(const rules::CompiledSignature& clause);
  // Emits a function that selects the case that applies and calls its function. `names` has an entry per
  // case; it is empty for a case that is not over tensors.
  bool EmitChoice(const std::vector<std::string>& names, const std::vector<std::string>& arguments);

  std::string TakeText() const;
  const MlirRefusal& refusal() const { return *refusal_; }
  // Returns whether all operands and results are tensors, or may be.
  static bool OverTensors(const rules::CompiledSignature& clause);
  size_t ResultCount() const;

 private:
  using NodeId = rules::NodeId;
  static constexpr uint32_t kNone = rules::kNone;

  struct Line {
    int depth;
    std::string text;
  };
  struct Block {
    std::vector<Line> lines;
    bool hazard = false;  // whether the code may fail or contains a loop
    MlirValue value;
  };
  using Scope = std::map<rules::SlotId, MlirValue>;

  // ---- Text (rule_mlir_text.cc) ----
  void Put(std::string text) { lines_.push_back({depth_, std::move(text)}); }
  std::string Define(std::string_view operation);  // emits "%7 = operation"; returns "%7"
  std::string Call(std::string_view function, std::vector<std::string> arguments);
  void Assert(const MlirValue& condition, std::string_view message);
  // Collects what `emit` would emit here into a region of its own.
  Block Capture(FunctionRef<MlirValue()> emit);
  void PutBlock(const Block& block, int deeper);
  // Runs `emit` under the condition.
  void EmitUnder(const MlirValue& condition, FunctionRef<void()> emit);
  std::string Argument(int group, int place, std::string_view name, std::string_view type);
  std::string Index(const MlirValue& v);   // an index or i1
  std::string Tensor(const MlirValue& v);  // a list
  std::string Constant(int64_t n);
  MlirValue Number(int64_t n) const;
  MlirValue Truth(bool b) const;
  MlirValue Named(std::string name, rules::ExprType type) const;
  MlirValue Counted(std::vector<MlirValue> elements, rules::ExprType type) const;
  MlirValue Missing(NodeId at, rules::ExprType type) const;
  // Returns a value that is missing, or a missing element of a list. Returns null if all values exist.
  static const MlirValue* FirstMissing(std::span<const MlirValue> values);
  MlirValue Refuse(NodeId at, std::string_view why);
  MlirValue Refuse(std::string what, std::string_view why);
  std::string Written(NodeId at) const;

  // ---- A case (rule_mlir_emitter.cc) ----
  void Match(const rules::CompiledSignature& clause);
  void MatchWhole(const rules::CompiledArgument& a, const std::string& extents, uint32_t argument);
  void MatchShape(const rules::CompiledArgument& a, const std::string& extents, const MlirValue& given,
                  size_t place);
  bool FindLengths(const rules::CompiledArgument& a, const MlirValue& given, std::vector<MlirValue>* lengths,
                   const rules::Item** open);
  void Bind(const rules::CompiledArgument& a, const rules::Item& item, const MlirValue& given,
            FunctionRef<MlirValue()> find, size_t place);
  void BindAgain(const rules::CompiledArgument& a, const rules::Item& item, const MlirValue& given,
                 FunctionRef<MlirValue()> size);
  MlirValue CaseApplies(const rules::CompiledSignature& clause);
  void CheckRequirements();
  void CheckAttributes();
  std::vector<std::string> Results(const rules::CompiledSignature& clause);
  std::string ResultList(const rules::CompiledArgument& a, size_t place);
  bool PlainlySizes(NodeId id) const;
  std::string Operand(uint32_t argument, size_t place);
  MlirValue Given(uint32_t argument);

  // ---- Expressions (rule_mlir_expression.cc) ----
  MlirValue Value(NodeId id);
  MlirValue ConstantOf(NodeId id, const rules::Node& n);
  MlirValue Connective(const rules::Node& n);
  MlirValue Slot(NodeId at, rules::SlotId id);
  MlirValue Attribute(NodeId at, uint32_t index);
  MlirValue Contents(NodeId at, uint32_t operand, rules::ExprType type);
  MlirValue Arithmetic(NodeId at, rules::Op op, const MlirValue& a, const MlirValue& b);
  MlirValue Compare(rules::Op op, const MlirValue& a, const MlirValue& b);
  MlirValue And(const MlirValue& a, const MlirValue& b);
  MlirValue Or(const MlirValue& a, const MlirValue& b);
  MlirValue Not(const MlirValue& a);
  MlirValue Equal(NodeId at, const MlirValue& a, const MlirValue& b);
  MlirValue Choose(const MlirValue& condition, rules::ExprType type, FunctionRef<MlirValue()> yes,
                   FunctionRef<MlirValue()> no);
  MlirValue Join(const MlirValue& condition, rules::ExprType type, const Block& yes, const Block& no);
  MlirValue Element(const MlirValue& list, const MlirValue& place);
  MlirValue Slice(const rules::Node& n);
  MlirValue Membership(NodeId at, const rules::Node& n);

  // ---- Lists and loops (rule_mlir_list.cc) ----
  MlirValue ListOf(const rules::Node& n);
  MlirValue Joined(const std::vector<std::pair<MlirValue, bool>>& pieces);  // each with whether it is spliced
  MlirValue Length(const MlirValue& list);
  MlirValue Loop(NodeId at, const rules::Node& n);
  MlirValue MapLoop(const rules::Node& n, const std::vector<MlirValue>& lists);
  MlirValue FilterLoop(const rules::Node& n, const std::vector<MlirValue>& lists);
  MlirValue Unrolled(const rules::Node& n, const std::vector<MlirValue>& lists, bool* possible);
  MlirValue Fold(NodeId at, const rules::Node& n);
  MlirValue Quantified(NodeId at, NodeId list, bool all);
  std::vector<MlirValue> ListsOf(const rules::Node& n);
  std::pair<std::vector<std::string>, std::string> TensorsOf(const std::vector<MlirValue>& lists);
  Block LoopBody(const rules::Node& n, const std::vector<std::string>& lists, const std::string& at,
                 FunctionRef<MlirValue()> body);

  // ---- Built-ins (rule_mlir_builtins.cc) ----
  MlirValue Builtin(NodeId at, const rules::Node& n);
  std::optional<MlirValue> LazyBuiltin(NodeId at, const rules::Node& n);
  MlirValue BuiltinOf(NodeId at, rules::Builtin builtin, std::vector<MlirValue> args);
  MlirValue Extreme(bool least, const MlirValue& a, const MlirValue& b);
  MlirValue Repeated(const MlirValue& element, const MlirValue& count);
  MlirValue Quotient(std::string_view operation, const MlirValue& a, const MlirValue& b);
  MlirValue BitOf(const MlirValue& mask, const MlirValue& position);
  MlirValue BroadcastLists(const std::vector<MlirValue>& lists);
  MlirValue CallOver(std::string_view function, const std::vector<MlirValue>& arguments,
                     rules::ExprType type);

  const rules::Rule& rule_;
  const rules::RuleCode& code_;
  const MlirOptions& options_;
  MlirModule& module_;
  std::vector<Line> lines_;
  int depth_ = 1;
  bool hazard_ = false;
  int next_ = 0;
  std::map<int64_t, std::string> constants_;
  bool uses_true_ = false, uses_false_ = false;
  std::deque<Scope> scopes_ = {{}};
  std::map<rules::SlotId, MlirValue> given_with_;  // names bound only by an optional operand so far
  std::map<uint32_t, MlirValue> wholes_;           // the sizes of type variables for whole types
  std::set<rules::SlotId> busy_;
  std::set<uint32_t> used_attributes_;
  NodeId top_ = kNone;  // the expression of the rule that is being emitted
  std::optional<MlirRefusal> refusal_;
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MLIR_RULE_MLIR_EMITTER_H_
