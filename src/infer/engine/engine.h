// The engine finds what is known of every value of a graph: the least fixed point of what its operators say.
//
// A visit of a node reads what is known of its operands, runs the operator's rule (or walks into the regions
// that it carries, or into the function that it calls), and stores what follows for its results. A value that
// changed has its users visited again. A node that asked the facts something is visited again when the facts
// have changed since, so the answer does not depend on the order of visits. What a node asserts is its own:
// it goes when the node is visited with other operands, unless the new visit says it too.
//
// Inference, the refiner and the solver (include/dimwise/) are the doors to it, with options of their own.
// A call of a function is an engine of its own over the function's graph, in the caller's analysis, for the
// time of the visit.
//
// What makes it fast: visits in the order of the graph, so that most nodes are visited once; operators
// resolved once for each distinct one; and a memory of visits (VisitMemory), since programs repeat
// themselves.
#ifndef DIMWISE_INFER_ENGINE_ENGINE_H_
#define DIMWISE_INFER_ENGINE_ENGINE_H_

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/facts/knowledge_memory.h"
#include "core/facts/query_tracking.h"
#include "dimwise/graph.h"
#include "dimwise/inference_context.h"
#include "dimwise/large_vector.h"
#include "dimwise/op_registry.h"
#include "infer/engine/branch_choices.h"
#include "infer/engine/condition_tests.h"
#include "infer/engine/region_ops.h"
#include "infer/engine/visit_guide.h"
#include "infer/engine/visit_memory.h"
#include "rules/compile/library.h"
#include "rules/evaluate/plans.h"

namespace dimwise {

struct AxisIndices;  // element_extremes.h

struct EngineOptions {
  bool require_shape_functions = false;      // an operator that nobody knows is an error, not a warning
  bool contents = true;                      // contents of tensors are followed
  bool functions = true;                     // calls of functions are walked into
  bool assume_not_empty = false;             // sizes of the inputs are at least 1, unless shown otherwise
  bool backward = false;                     // operands learn from results
  uint32_t visits_per_node = 64;             // on average, before what does not settle is given up
  uint32_t visits_in_calls_per_node = 1024;  // of the program, before calls that call on and on are given up
  bool names_by_numbers = false;  // sizes that one number gives are one symbol; no node will change
  bool dead_ends_teach = true;    // also nodes whose results reach no output say what holds elsewhere
};

// How the engine's program is called by another: nothing of it for a program by itself.
struct CallSite {
  uint64_t path = 0;
  OwnerId owner = 0;        // of the caller's node; 0: each node owns what it says
  std::string_view origin;  // of unknowns
  ScopeId scope = ScopeId::kRoot;
  const AttrMap* attrs = nullptr;    // of the call
  const Graph* functions = nullptr;  // the program, whose functions may be called
  bool certain = true;               // whether the call is made in every run
  uint64_t* visits_left = nullptr;   // of nodes in calls, for all calls of the program together
  int depth = 0;
};

// What a shape merely rests on: an `assume` of a rule, or a choice that the checks of other nodes decided.
inline bool RestsOnOthers(const Check& check) { return check.code == Code::kAssumption; }

class Engine {
 public:
  Engine(const Graph& graph, const OpRegistry& registry, EngineOptions options, CallSite site = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // ---- Driving it ----
  // Everything from the beginning. Inputs that were set keep what was set.
  void InferAll();
  void SetInput(ValueId value, Type type, Value contents = {});
  // Before the first visit. The guide outlives the engine.
  void set_guide(VisitGuide* guide) {
    guide_ = guide;
    facts_only_grow_ = guide != nullptr;
  }
  // A fact of the user's. A lower bound of a symbol replaces the assumption that it is at least 1.
  void Assume(const Condition& condition);
  // Takes some of them, by their places in assumptions(), out of the facts, or puts them back, and visits who
  // asked.
  void Withdraw(std::span<const uint32_t> places);
  void Restore(std::span<const uint32_t> places);
  // The same of one, while nobody is visited: only for questions in between (SayAgain).
  void SetAside(uint32_t place);
  void PutBack(uint32_t place);
  // Readies the inputs and constants that were added to the graph since.
  void SetUp();
  // Visits what waits, and who asked about facts that have changed since, until nothing changes.
  void SettleFacts();
  void Enqueue(NodeId node);
  void EnqueueUsers(ValueId value);
  // Merges a type into what is known of a value, for good. An error changes nothing.
  Status Pin(ValueId value, const Type& type);
  // Before the first visit: what is known of a result besides.
  void SetKnown(ValueId result, const Type& type) { pins_[Index(result)] = type; }
  // A value is also this, as one who reads it can tell: what was not known of it is known for good.
  void Learn(ValueId value, const Type& type);
  // Gives a node that is new, or has other operands than before, a place behind those that it reads.
  void Place(NodeId node);
  // A node that was removed from the graph, and what its results were.
  void Remove(NodeId node, std::span<const ValueId> results);
  // After an edit: nodes that chose by the checks of others choose again, since these may be gone.
  void ChooseAnew();
  // The inputs and constants that a node reads are by now as the graph says.
  void ReadAgain(NodeId node);
  // Visits one node now; whether a result changed.
  bool Visit(NodeId node);
  // Forgets what a node asserted and left behind.
  void Forget(NodeId node);
  // ---- What was found ----
  const Graph& graph() const { return graph_; }
  Analysis& analysis() const { return analysis_; }
  Type type(ValueId v) const { return Index(v) < known_.size() ? known_[Index(v)].type : Type(); }
  Value contents(ValueId v) const { return Index(v) < known_.size() ? known_[Index(v)].contents : Value(); }
  ScopeId scope(RegionId region) const { return regions_[Index(region)].scope; }
  // Whether a region's nodes, or a node, run in every run of the program.
  bool certain(RegionId region) const { return site_.certain && in_every_call(region); }
  bool certain(NodeId node) const { return site_.certain && in_every_call(node); }
  // Whether they run whenever the engine's own program does, which may be a function.
  bool in_every_call(RegionId region) const { return regions_[Index(region)].in_every_call; }
  bool in_every_call(NodeId node) const { return live(node) && in_every_call(graph_.region(node)); }
  // Whether a node stands in a branch that is never taken: then there is nothing to tell of it.
  bool never_runs(NodeId node) const { return regions_[Index(graph_.region(node))].never_runs; }
  // In which what a node says holds: that of its region, or its own where nothing uses its results.
  ScopeId ScopeOf(NodeId node) const {
    return live(node) ? regions_[Index(graph_.region(node))].scope : ScopeOfDeadEnd(node);
  }
  // Whether its results reach an output of its region, as far as that matters.
  bool live(NodeId node) const { return !dead_ends_[Index(node)]; }
  bool visited(NodeId node) const { return Index(node) < nodes_.size() && nodes_[Index(node)].visited; }
  struct Record {
    std::vector<ConstraintId> constraints;
    std::vector<Check> checks;
    std::vector<Diagnostic> findings;
    bool failed = false;                                                      // wherever it runs
    uint64_t operand_hash = 0;                                                // of what the visit saw
    uint64_t retractions = 0;                                                 // until then
    QueryLog questions{.literals = {}, .queries = {}, .is_complete = false};  // that it asked

    void Add(std::span<const ConstraintId> more_constraints, std::span<const Check> more_checks);
  };
  // What a visit left behind; null for the most of nodes, which leave nothing.
  const Record* record(NodeId node) const;
  bool has_records() const { return !records_.empty(); }
  // What the user said and what we assume of the inputs, each once, in the order of coming.
  struct Assumption {
    Clause clause;
    FactKind kind = FactKind::kGiven;
    ConstraintId constraint{};
  };
  const std::vector<Assumption>& assumptions() const { return assumptions_; }
  uint64_t visit_count() const { return visits_; }
  // Whether its last visit asked the facts something.
  bool has_asked(NodeId node) const { return visited(node) && nodes_[Index(node)].asked_version != 0; }
  // What a visit of a node would find and leave behind now; none where that takes a visit.
  struct Said {
    std::vector<Known> results;
    std::vector<Check> checks;
    bool fails = false;
  };
  std::optional<Said> SayAgain(NodeId node);
  // Grows with each change of a result of that node.
  uint32_t version(NodeId node) const {
    return Index(node) < nodes_.size() ? nodes_[Index(node)].version : 0;
  }

  // ---- For operators that carry regions (region_ops.h) ----
  // Of regions and calls inside each other: each takes a part of the stack.
  static constexpr int kMaxDepth = 100;
  // Runs the nodes of a region with these inputs (the rest is as the graph says). An error for one too deep.
  Status RunRegion(RegionId region, std::span<const Type> inputs, std::span<const Value> contents,
                   RegionRuns runs);
  RegionId FindRegion(NodeId node, std::string_view attribute) const;  // or kNoRegion
  // The branches of an If give other ranks, and its condition is not known. Which one every run takes that
  // does not fail is found by trying (engine_ranks.cc).
  void LeaveBranchOpen(NodeId node);
  // The branch of an If that is taken, where that is known: the first one where its condition is true.
  std::optional<bool> TakenBranch(NodeId node) const;
  // What has to choose that branch, where other nodes decided it: the condition as it was then, else none.
  Dim DecidedCondition(NodeId node) const;
  // What the condition of an If is, so that another one on the same is known (engine_alike.cc).
  BranchCondition ConditionOf(NodeId branching);
  BranchChoices& choices() { return choices_; }
  ConditionTests& tests() { return tests_; }
  // Around a node there is an If on the same condition, which has decided which branch is taken.
  void DecideAsAround(NodeId branching, BranchCondition condition);
  // Says what holds wherever a region runs, in place of what was said before; whether that is new.
  bool AssumeIn(RegionId region, std::vector<Clause> clauses);
  bool IsAssumedIn(RegionId region, const Clause& clause) const;
  // Whether a region that was run fails in every run.
  bool FailsIn(RegionId region) const;
  // Whether all symbols of an expression come from outside a region.
  bool IsInvariant(Dim d, RegionId region) const;
  // Whether there is still time to go around a loop again.
  bool MayGoOn() const { return visits_ < visit_budget_; }

 private:
  struct NodeState {
    uint64_t asked_version = 0;  // when and how the node asked the facts (QueryTracking); 0: it did not
    uint32_t record = UINT32_MAX;
    uint32_t version : 29 = 0;
    uint32_t visited : 1 = false;
    uint32_t queued : 1 = false;
    uint32_t listed : 1 = false;  // among the askers
  };
  static_assert(sizeof(NodeState) == 16, "a graph of a million nodes has a million of them");
  struct RegionState {
    ScopeId scope = ScopeId::kRoot;
    bool entered = false;
    bool in_every_call = true;
    bool never_runs = false;
    uint32_t constants_set_up = 0;
    std::vector<NodeId> order;
  };
  struct Attributes {
    const AttrMap* attrs = nullptr;
    AttrMap converted;  // where they are not in the kinds that the operator declares
    std::optional<Diagnostic> error;
    rules::PlanHint hint;
  };
  struct Resolved {
    bool looked_up = false;
    bool is_plain = false;     // a rule or a C++ function says it all
    bool is_constant = false;  // onnx.Constant: what its tensor says, it is
    bool picks = false;        // by indices, the second operand, of or into the first
    const OpRegistrationData* op = nullptr;
    const rules::Rule* rule = nullptr;  // one that may have plans
    const Graph* function = nullptr;
    RegionOp region_op = nullptr;
    Attributes no_attributes{&kNoAttributes, {}, {}, {}};
    std::optional<Diagnostic> unknown;
  };
  inline static const AttrMap kNoAttributes;

  void Grow();
  void SetUpInput(ValueId value, Type type, Value contents);
  void AssertAssumption(const Clause& clause, FactKind kind);
  void DecideBranches();
  void TryBranch(NodeId node);
  bool DecideBranch(NodeId node);
  std::optional<bool> BranchOfRank(NodeId node) const;
  bool Fails(NodeId node) const;
  bool WouldFail(NodeId node, bool branch);
  void StartFrom(const Engine& other);
  void TakeOrders(Engine* trial);
  bool FailsFrom(NodeId node);
  bool MayRunOnce(RegionId region);
  ScopeId ScopeOfDeadEnd(NodeId node) const;
  bool HasDeadEnds(RegionId region) const;
  void FindDeadEnds(RegionId region);
  void PutInOrder(RegionId region);
  bool IsCut(NodeId user, ValueId operand) const;
  void RunNodes(RegionId region, size_t first = 0);
  void SettleRegion(RegionId region);
  void Settle();
  void SettleAnew();
  NodeId TakeFromQueue();
  void GiveUp();
  void RunAskersAgain(std::span<const NodeId> nodes);
  bool IsStale(NodeId node) const;
  bool HaveFactsChanged(NodeId node, ScopeId scope, uint64_t asked) const;
  void NoteOperands(NodeId node, uint64_t asked) const;
  uint64_t ReadInside(NodeId node) const;
  bool WouldRunTheSame(NodeId node) const;
  bool WouldSayTheSame(NodeId node);
  void LookUp(OpId op);
  Resolved& Resolve(OpId op) {
    if (!resolved_[Index(op)].looked_up) LookUp(op);
    return resolved_[Index(op)];
  }
  const AttrMap* RawAttrs(NodeId node);
  Attributes& AttributesOf(NodeId node, Resolved& resolved);
  Attributes& AttributesFor(uint64_t id, NodeId node, const Resolved& resolved);
  bool MakeKey(NodeId node, const Resolved& resolved, VisitKey* key) const;
  bool StillHolds(NodeId node, VisitMemory::Entry* known) const;
  bool VisitConstant(NodeId node, const Graph::TensorAttr& tensor);
  bool VisitByPlan(NodeId node, Resolved& resolved, const VisitKey& key, const VisitMemory::Entry* known,
                   bool* changed);
  bool VisitCarefully(NodeId node, Resolved& resolved, const VisitKey* key);
  void ReadOperands(NodeId node, std::span<Type> types, std::span<Value> contents);
  Status RunOperator(NodeId node, const Resolved& resolved, InferenceContext* context, bool* says);
  void RecordFindings(NodeId node, const Resolved& resolved, const Status& status);
  bool Publish(NodeId node, size_t result, const Known& found, bool is_merged = false);
  Type WithPin(NodeId node, Type type, const Type& pin);
  void List(NodeId node);
  bool HasPinnedResults(NodeId node) const;
  bool Lacks(const Type& type) const;
  bool LooksBack(NodeId node, const Resolved& resolved, std::span<const Type> operands) const;
  std::vector<Type> PinsOfResults(NodeId node) const;
  void LearnFromUse(NodeId user, const InferenceContext& context);
  Status CallFunction(NodeId node, const Graph& function, InferenceContext* context);
  Record& RecordOf(NodeId node);
  std::unique_ptr<Record> TakeRecord(NodeId node);
  void Retract(NodeId node, Record* record);
  NodeDescription Describe(NodeId node, const OpDef* def, const AttrMap* attrs);
  void ShareUnknowns(NodeId node, NodeDescription* d);
  bool TellsAlike() const;
  bool IsCastOfBooleans(NodeId node) const;
  uint64_t AlikeOf(ValueId value, int back = 0);
  uint64_t AlikeOfResult(NodeId maker, ValueId value, int back);
  ValueId CountedMask(NodeId node) const;
  ValueId FirstAlike(ValueId value);
  ScopeId Enter(RegionId region);
  struct NumberSearch;
  Value NumbersOf(ValueId value, NumberSearch* search);
  void MakeUpNumbers(ValueId value, std::span<Dim> numbers, NumberSearch* search);
  bool AskWithNumbers(NodeId node, NumberSearch* search, std::span<Type> results, std::span<Value> contents);
  void NameByNumbers(NodeId node, const Resolved& resolved, InferenceContext* context);
  std::vector<AxisIndices> CountedIndices(NodeId node);
  Status RequireIndices(NodeId node, const Resolved& resolved, InferenceContext* context);
  std::vector<ElementType> ElementsOf(const NodeDescription& description, const ShapeFn& operator_fn,
                                      std::span<const Type> operands);
  Type Unknown(NodeId node, size_t result, Type type);

  const Graph& graph_;
  Analysis& analysis_;
  const OpRegistry registry_;
  const EngineOptions options_;
  const CallSite site_;
  VisitGuide* guide_ = nullptr;

  static constexpr uint32_t kInputRole = 0x20000000u;  // of unknown shapes and sizes of inputs

  LargeVector<Known> known_;  // by value
  LargeVector<NodeState> nodes_;
  std::vector<bool> dead_ends_;                   // nodes whose results reach no output of their region
  std::vector<bool> needed_;                      // values: whether they do
  tsl::robin_map<uint32_t, ScopeId> own_scopes_;  // of dead ends, by node
  std::vector<RegionState> regions_;
  std::vector<std::unique_ptr<Record>> records_;
  std::vector<Resolved> resolved_;
  tsl::robin_map<uint64_t, std::unique_ptr<Attributes>> attributes_;  // by operator and attributes
  struct OfSet {
    OpId op{};
    Attributes* attributes = nullptr;
  };
  std::vector<OfSet> of_sets_;                    // by set: for the operator that had it last
  tsl::robin_map<uint32_t, AttrMap> call_attrs_;  // by node: with references to the call's put in
  VisitMemory memory_;
  tsl::robin_map<uint64_t, NodeId> first_alike_;  // by what is computed of what: the first node that did
  std::vector<uint64_t> alike_;  // by value: what it is computed of, as a hash; 0: not known yet
  tsl::robin_map<uint64_t, ValueId> first_values_;  // by that
  BranchChoices choices_;
  ConditionTests tests_;
  // By region: what holds wherever it runs.
  struct Assumed {
    std::vector<Clause> clauses;
    std::vector<ConstraintId> constraints;
  };
  tsl::robin_map<uint32_t, Assumed> assumed_in_;
  InferenceContext context_;

  std::vector<Known> found_;      // by the visit that ends
  RegionId running_ = kNoRegion;  // whose nodes are visited one after another, all of them
  LargeVector<uint32_t> place_;   // of nodes in the order of visits
  uint32_t next_place_ = 0;
  uint32_t inputs_set_up_ = 0;  // of the body
  bool has_cuts_ = false;       // there is a cycle
  std::vector<NodeId> askers_;  // nodes of the body that asked the facts
  // Of a node that leads into regions or calls: the symbols that were asked about there, and what it read (a
  // hash of that). Known until the graph grows.
  struct Inside {
    std::vector<Dim> asked;
    uint64_t read = 0;
  };
  tsl::robin_map<uint32_t, Inside> inside_;
  bool facts_only_grow_ = false;  // what a node said stays while its operands are the same
  std::vector<NodeId> choosers_;  // nodes that may have chosen by the checks of others
  // Nodes with an error, in which what was said stays, and the version of the facts that they were told.
  std::vector<std::pair<NodeId, uint64_t>> refused_;
  std::vector<NodeId> open_branches_;
  NodeId untried_branch_ = kNoNode;  // of them
  Dim ConditionNow(NodeId node) const;
  struct DecidedBranch {
    bool taken{};   // whether the condition is true
    Dim condition;  // as it was when that was decided, which makes it so; none where it holds anyway
  };
  tsl::robin_map<uint32_t, DecidedBranch> decided_branches_;  // by node
  uint64_t tried_visits_ = 0;                                 // to decide them
  bool is_trial_ = false;                                     // of one of them
  uint64_t facts_seen_ = 0;                         // their version when all who asked were up to date
  tsl::robin_map<uint32_t, Type> pins_;             // by value
  tsl::robin_set<uint32_t> learnt_;                 // of them, those that only users told
  std::vector<std::pair<uint32_t, NodeId>> queue_;  // a heap by place
  uint64_t visits_ = 0;
  uint64_t visit_budget_ = 0;
  uint64_t visits_left_in_calls_ = 0;
  QueryLog asked_;                  // by the visit that goes on
  uint64_t retractions_ = 0;        // times that something was taken back for good
  std::vector<Dim> bounded_below_;  // by the user
  std::vector<Assumption> assumptions_;
  tsl::robin_set<Clause, ClauseHash> assumed_[2];  // their clauses: of the user, and of ours
  int depth_;                                      // of regions and calls
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ENGINE_H_
