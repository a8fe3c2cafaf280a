// Branches with two regions: the results of the region that is taken if the condition is known, otherwise
// what the results of both regions have in common.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "core/types/known_parts.h"
#include "infer/engine/control/branch_join.h"
#include "infer/engine/control/region_inputs.h"
#include "infer/error.h"

namespace dimwise {
namespace {

// Returns the facts that hold if a condition with these tests is true, or false.
std::vector<Clause> FactsOfTests(DimTable& dims, const std::vector<Dim>& tests, bool is_true) {
  if (tests.empty()) return {};
  if (tests.size() == 2 && tests[0] == dims.Negate(tests[1]))
    return {{{tests[0], is_true ? Relation::kEqual : Relation::kNotEqual}}};
  std::vector<Clause> clauses;
  if (!is_true) clauses.emplace_back();
  for (const Dim test : tests) {
    if (is_true) clauses.push_back({AtLeast(dims, test, 0)});
    if (!is_true) clauses[0].push_back(AtMost(dims, test, -1));
  }
  return clauses;
}

// Decides a branch if an enclosing branch has the same condition.
void DecideAsEnclosingBranch(ControlFlowContext& c, BranchCondition condition) {
  if (condition.number == kNoNumber) return;
  const Graph& graph = c.graph();
  for (RegionId r = graph.region(c.node); r != graph.body(); r = graph.region(graph.carrier(r))) {
    const NodeId enclosing = graph.carrier(r);
    const ResolvedOperator& resolved = c.state.operators.Resolve(enclosing);
    if (!resolved.is_branch() || resolved.control_flow().condition == kNoArg) continue;
    const bool is_true = r == c.state.BranchOf(enclosing, true);
    if (!is_true && r != c.state.BranchOf(enclosing, false)) continue;
    const BranchCondition other = c.numbering.ConditionOf(enclosing);
    if (other.number != condition.number) continue;
    c.state.branches.Set(c.node, {is_true == (other.is_negated == condition.is_negated), Dim()});
    return;
  }
}

class BranchInference {
 public:
  explicit BranchInference(ControlFlowContext& c)
      : c_(c),
        flow_(c.control_flow()),
        context_(c.context),
        regions_{c.state.BranchOf(c.node, false), c.state.BranchOf(c.node, true)} {}

  Status Run() {
    for (const bool is_true : {false, true}) {
      if (region(is_true) == kNoRegion) return MissingRegion(c_, layout(is_true).region);
    }
    DIMWISE_RETURN_IF_ERROR(CompareResultCounts());
    DIMWISE_RETURN_IF_ERROR(RunConditionRegion());
    if (flow_.condition != kNoArg) {
      value_ = context_->input_tensor(FirstOperand(c_.state, c_.node, flow_.condition));
      condition_ = c_.numbering.ConditionOf(c_.node);
    }
    DecideAsEnclosingBranch(c_, condition_);
    const std::optional<bool> taken = c_.state.TakenBranch(c_.node);
    AssumeConditions(taken);
    return taken ? RunTaken(*taken) : RunBoth();
  }

 private:
  RegionId region(bool is_true) const { return regions_[is_true ? 1 : 0]; }
  const RegionLayout& layout(bool is_true) const { return is_true ? flow_.if_true : flow_.if_false; }
  size_t results() const { return static_cast<size_t>(context_->num_outputs()); }
  ValueId output(bool is_true, size_t i) const { return c_.graph().outputs(region(is_true))[i]; }

  Status CompareResultCounts() const {
    for (const RegionId region : regions_) {
      if (c_.graph().outputs(region).size() < results()) {
        return Error(Code::kArity, "{} has {} results; its {} gives {}", OperatorName(c_), results(),
                     c_.graph().attribute(region), c_.graph().outputs(region).size());
      }
    }
    return {};
  }

  // A condition that a region computes selects no region here: it counts as unknown.
  Status RunConditionRegion() {
    const RegionLayout& condition = flow_.condition_region;
    if (condition.region.empty()) return {};
    const RegionId region = c_.state.RegionAt(c_.node, condition.region);
    if (region == kNoRegion) return MissingRegion(c_, condition.region);
    return RunRegion(c_, region, InputsOf(c_, region, condition, {}), RegionRuns::kAlways);
  }

  // Assumes in each region what its condition implies. Nothing is assumed in a region that is never taken.
  void AssumeConditions(std::optional<bool> taken) {
    DimTable& dims = context_->dims();
    const BranchDecision* decision = c_.state.branches.Find(c_.node);
    const Dim decided = decision != nullptr ? decision->condition : Dim();
    const std::vector<Dim> tests =
        c_.memory.tests.Of(dims, decided.is_none() ? OnlyInteger(value_) : decided);
    for (const bool is_true : {false, true}) {
      std::vector<Clause> facts;
      if (taken.value_or(is_true) == is_true) {
        facts = FactsOfTests(dims, tests, is_true);
        if (!decided.is_none()) required_ = facts;
        std::ranges::move(
            c_.memory.choices.FactsWhere(dims, condition_.number, is_true != condition_.is_negated),
            std::back_inserter(facts));
      }
      c_.state.AssumeIn(region(is_true), std::move(facts));
    }
  }

  Status Run(bool is_true, RegionRuns runs) {
    const RegionId inside = region(is_true);
    return RunRegion(c_, inside, InputsOf(c_, inside, layout(is_true), {}), runs);
  }

  Status RunTaken(bool taken) {
    DIMWISE_RETURN_IF_ERROR(RequireTaken(taken));
    DIMWISE_RETURN_IF_ERROR(Run(!taken, RegionRuns::kNever));
    DIMWISE_RETURN_IF_ERROR(Run(taken, RegionRuns::kAlways));
    for (size_t i = 0; i < results(); ++i) {
      context_->set_full_output_type(static_cast<int64_t>(i), c_.state.type(output(taken, i)));
      context_->set_output_value(static_cast<int64_t>(i), c_.state.contents(output(taken, i)));
    }
    return {};
  }

  // Other nodes decided the branch, since they fail with the results of the other region. So the sizes have
  // to satisfy the condition.
  Status RequireTaken(bool taken) {
    for (const Clause& clause : required_) {
      DIMWISE_RETURN_IF_ERROR(context_->Require(clause, [&] {
        return fmt::format("later nodes fail with the results of the {}", layout(!taken).region);
      }));
    }
    return {};
  }

  Status RunBoth() {
    for (const bool is_true : {false, true}) DIMWISE_RETURN_IF_ERROR(Run(is_true, RegionRuns::kMaybe));
    if (c_.state.FailsIn(region(false)) && c_.state.FailsIn(region(true))) {
      return Error(Code::kRequirement, "both branches of {} fail for all sizes", OperatorName(c_));
    }
    BranchJoin join(c_, condition_, value_, region(true), region(false));
    for (size_t i = 0; i < results(); ++i) {
      const ValueId if_true = output(true, i), if_false = output(false, i);
      const Type a = c_.state.type(if_true), b = c_.state.type(if_false);
      const Type joined = join.TypeOf(a, b);
      if (IsRanked(a) && IsRanked(b) && a.shape.rank() != b.shape.rank()) c_.trials.LeaveOpen(c_.node);
      if (joined.kind != TypeKind::kUnknown) context_->set_full_output_type(static_cast<int64_t>(i), joined);
      context_->set_output_value(static_cast<int64_t>(i),
                                 join.ContentsOf(c_.state.contents(if_true), c_.state.contents(if_false)));
    }
    return {};
  }

  ControlFlowContext& c_;
  const ControlFlow& flow_;
  InferenceContext* const context_;
  const std::array<RegionId, 2> regions_;  // if the condition is false, and if it is true
  BranchCondition condition_;
  Value value_;                   // of the condition; none if unknown
  std::vector<Clause> required_;  // the condition of a branch that other nodes decided
};

}  // namespace

Status InferBranch(ControlFlowContext& c) { return BranchInference(c).Run(); }

}  // namespace dimwise
