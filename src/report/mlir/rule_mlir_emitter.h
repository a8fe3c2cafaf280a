// Writes the body of one function: a clause of a rule, expression by expression (see rule_mlir.h).
//
// Regions. The language reads a name when it is first needed; MLIR wants a value to stand before its uses. So
// values of names are kept by region: what was computed inside a branch or a loop is forgotten at its end.
// Code that may fail (a division, a place in a list, an assertion) stays inside the branch that asks for it;
// code that cannot is moved before it, and the branch becomes an `arith.select`.
//
// Two kinds of "no". A value may be missing, as a content that is not known is in the evaluator: that
// spreads, and matters only where a result needs it. What MLIR has no word for is refused at once.
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

// A value of the rule language on its way into MLIR. Exactly one of the ways below says what it is.
struct MlirValue {
  rules::ExprType type = rules::ExprType::kInt;
  std::string name;                 // "%3", of type index, i1 or tensor<?x...>
  std::optional<int64_t> constant;  // an integer, a truth, or the number of a string
  bool counted = false;             // a list of known length:
  std::vector<MlirValue> elements;
  std::string missing;  // there is none; what it is, as the rule has it
  rules::NodeId missing_at = rules::kNone;
};

// What several clauses of one rule share: the arguments of their functions, the functions that they call, the
// table of strings.
struct MlirModule {
  std::map<std::pair<int, int>, std::string> arguments;  // by place in the declaration; "%X: tensor<?xindex>"
  std::set<std::string, std::less<>> functions;
  std::vector<std::string> strings;
};

struct MlirRefusal {
  std::string what;  // "unknown(0, product(s))"
  std::string why;
  const rules::Expr* inside = nullptr;  // the expression of the rule that has it, or null
};

class MlirEmitter {
 public:
  MlirEmitter(const rules::Rule& rule, const MlirOptions& options, MlirModule* module)
      : rule_(rule), code_(*rule.code), options_(options), module_(*module) {}

  // The lines of a function for a clause, between its braces; false where it is refused.
  bool EmitClause(const rules::CompiledSignature& clause);
  // Of a function that finds the clause that applies and calls its function; `names` has one for each clause,
  // empty for a clause that is not over tensors.
  bool EmitChoice(const std::vector<std::string>& names, const std::vector<std::string>& arguments);

  std::string TakeText() const;
  const MlirRefusal& refusal() const { return *refusal_; }
  // Whether all operands and results are, or may be, tensors.
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
    bool hazard = false;  // something in it may fail, or loops
    MlirValue value;
  };
  using Scope = std::map<rules::SlotId, MlirValue>;

  // ---- Text (rule_mlir_text.cc) ----
  void Put(std::string text) { lines_.push_back({depth_, std::move(text)}); }
  std::string Define(std::string_view operation);  // "%7 = operation"; answers "%7"
  std::string Call(std::string_view function, std::vector<std::string> arguments);
  void Assert(const MlirValue& condition, std::string_view message);
  // What `emit` would put here, in a region of its own.
  Block Capture(FunctionRef<MlirValue()> emit);
  void PutBlock(const Block& block, int deeper);
  // Runs `emit` where the condition holds.
  void Guarded(const MlirValue& condition, FunctionRef<void()> emit);
  std::string Argument(int group, int place, std::string_view name, std::string_view type);
  std::string Index(const MlirValue& v);   // an index or i1
  std::string Tensor(const MlirValue& v);  // a list
  std::string Constant(int64_t n);
  MlirValue Number(int64_t n) const;
  MlirValue Truth(bool b) const;
  MlirValue Named(std::string name, rules::ExprType type) const;
  MlirValue Counted(std::vector<MlirValue> elements, rules::ExprType type) const;
  MlirValue Missing(NodeId at, rules::ExprType type) const;
  // A value that is missing, or is an element of a list that is missing; null where all are there.
  static const MlirValue* FirstMissing(std::span<const MlirValue> values);
  MlirValue Refuse(NodeId at, std::string_view why);
  MlirValue Refuse(std::string what, std::string_view why);
  std::string Written(NodeId at) const;

  // ---- A clause (rule_mlir_emitter.cc) ----
  void Match(const rules::CompiledSignature& clause);
  void MatchWhole(const rules::CompiledArgument& a, const std::string& extents, uint32_t argument);
  void MatchShape(const rules::CompiledArgument& a, const std::string& extents, const MlirValue& given,
                  size_t place);
  void Bind(const rules::CompiledArgument& a, const rules::Item& item, const MlirValue& given,
            FunctionRef<MlirValue()> find, size_t place);
  void CheckRequirements();
  void CheckAttributes();
  std::vector<std::string> Results(const rules::CompiledSignature& clause);
  std::string ResultList(const rules::CompiledArgument& a, size_t place);
  bool PlainlySizes(NodeId id) const;
  std::string Operand(uint32_t argument, size_t place);
  MlirValue Given(uint32_t argument);

  // ---- Expressions (rule_mlir_expression.cc) ----
  MlirValue Value(NodeId id);
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
  MlirValue Unrolled(const rules::Node& n, const std::vector<MlirValue>& lists, bool* possible);
  MlirValue Fold(NodeId at, const rules::Node& n);
  MlirValue Quantified(NodeId at, NodeId list, bool all);
  std::vector<MlirValue> ListsOf(const rules::Node& n);
  std::pair<std::vector<std::string>, std::string> TensorsOf(const std::vector<MlirValue>& lists);
  Block LoopBody(const rules::Node& n, const std::vector<std::string>& lists, const std::string& at,
                 FunctionRef<MlirValue()> body);
  MlirValue Builtin(NodeId at, const rules::Node& n);
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
  std::map<rules::SlotId, MlirValue> given_with_;  // names that only an optional operand bound so far
  std::map<uint32_t, MlirValue> wholes_;           // of type variables for whole types: the sizes
  std::set<rules::SlotId> busy_;
  std::set<uint32_t> used_attributes_;
  NodeId top_ = kNone;  // the expression of the rule that is being written
  std::optional<MlirRefusal> refusal_;
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MLIR_RULE_MLIR_EMITTER_H_
