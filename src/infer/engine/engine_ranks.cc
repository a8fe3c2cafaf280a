// Ranks that a branch decides: an If gives a matrix in one branch and a vector in the other, as exporters
// write for `squeeze if the size is 1`, and the condition is not known.
//
// What the rest of the program does with it may decide. That is inferred once for each branch: where one of
// them leads to a failure in every run, the other one is taken.
#include <algorithm>
#include <utility>

#include "core/types/known_parts.h"
#include "infer/engine/engine.h"

namespace dimwise {
namespace {

constexpr size_t kMaxOpen = 16;
constexpr uint64_t kTriesPerNode = 4, kMoreTries = 4096;  // visits in trials

}  // namespace

// Whether a region may run, and at most once in a run: only branches lead to it, none of which is known not
// to be taken.
bool Engine::MayRunOnce(RegionId region) {
  while (region != graph_.body()) {
    const NodeId carrier = graph_.carrier(region);
    if (Resolve(graph_.op_of(carrier)).region_op != InferIf) return false;
    const std::optional<bool> taken = TakenBranch(carrier);
    if (taken && FindRegion(carrier, *taken ? "then_branch" : "else_branch") != region) return false;
    region = graph_.region(carrier);
  }
  return true;
}

void Engine::LeaveBranchOpen(NodeId node) {
  const bool may_try = options_.backward && guide_ == nullptr && !is_trial_ && live(node) &&
                       open_branches_.size() < kMaxOpen && MayRunOnce(graph_.region(node));
  if (!may_try || std::ranges::find(open_branches_, node) != open_branches_.end()) return;
  open_branches_.push_back(node);
  untried_branch_ = node;
}

// What is known of the condition of an If.
Dim Engine::ConditionNow(NodeId node) const {
  const std::span<const ValueId> operands = graph_.operands(node);
  return operands.empty() || operands[0] == kNoValue ? Dim() : OnlyInteger(contents(operands[0]));
}

Dim Engine::DecidedCondition(NodeId node) const {
  const auto it = decided_branches_.find(Index(node));
  return it == decided_branches_.end() ? Dim() : it->second.condition;
}

// What a branch that is decided requires is required; where the other one would be taken, other nodes fail.
std::optional<bool> Engine::TakenBranch(NodeId node) const {
  if (const Dim known = ConditionNow(node); known.is_constant()) return known != Dim(0);
  const auto it = decided_branches_.find(Index(node));
  return it == decided_branches_.end() ? std::nullopt : std::optional(it->second.taken);
}

void Engine::DecideAsAround(NodeId branching, BranchCondition condition) {
  if (condition.what == 0) return;
  for (RegionId r = graph_.region(branching); r != graph_.body(); r = graph_.region(graph_.carrier(r))) {
    const NodeId around = graph_.carrier(r);
    if (Resolve(graph_.op_of(around)).region_op != InferIf) continue;
    const BranchCondition other = ConditionOf(around);
    if (other.what != condition.what) continue;
    const bool is_true = r == FindRegion(around, "then_branch");
    decided_branches_[Index(branching)] = {is_true == (other.is_negated == condition.is_negated), Dim()};
    return;
  }
}

// Right behind the visit that left it open: what comes after it is then inferred with the right rank.
void Engine::TryBranch(NodeId node) {
  if (untried_branch_ != node) return;
  untried_branch_ = kNoNode;
  if (!DecideBranch(node)) return;
  std::erase(open_branches_, node);
  Visit(node);
}

// In the end, when more is known. What is inside others stays as it is.
void Engine::DecideBranches() {
  for (const NodeId node : std::exchange(open_branches_, {})) {
    if (graph_.region(node) != graph_.body() || !DecideBranch(node)) continue;
    Enqueue(node);
    SettleFacts();
  }
}

bool Engine::DecideBranch(NodeId node) {
  std::optional<bool> taken = BranchOfRank(node);
  // Mostly it is the first branch that makes of a tensor what others can take. If neither does, that is found
  // when it is taken.
  if (!taken && WouldFail(node, false)) taken = true;
  if (!taken && WouldFail(node, true)) taken = false;
  if (!taken) return false;
  decided_branches_[Index(node)] = {*taken, ConditionNow(node)};
  inside_.erase(Index(node));
  return true;
}

// The branch that gives the rank that a result has, as its users tell.
std::optional<bool> Engine::BranchOfRank(NodeId node) const {
  const auto rank_of = [&](ValueId v) {
    const Type& type = known_[Index(v)].type;
    return Lacks(type) || !type.is_tensor() ? -1 : type.shape.rank();
  };
  const std::span<const ValueId> results = graph_.results(node);
  for (size_t i = 0; i < results.size(); ++i) {
    const int rank = rank_of(results[i]);
    const int then = rank_of(graph_.outputs(FindRegion(node, "then_branch"))[i]);
    const int otherwise = rank_of(graph_.outputs(FindRegion(node, "else_branch"))[i]);
    if (rank >= 0 && then >= 0 && otherwise >= 0 && (rank == then) != (rank == otherwise))
      return rank == then;
  }
  return std::nullopt;
}

// Whether its region fails in every run that takes a branch of a node. What is known of other nodes, and what
// they have checked so far, holds there too.
bool Engine::WouldFail(NodeId node, bool branch) {
  if (tried_visits_ > kTriesPerNode * graph_.node_count() + kMoreTries) return false;
  Facts& facts = analysis_.facts();
  CallSite site = site_;
  site.scope = facts.NewScope(ScopeOf(node));
  site.depth = depth_;
  bool fails = false;
  {
    Engine trial(graph_, registry_, options_, site);
    trial.StartFrom(*this);
    trial.decided_branches_[Index(node)] = {branch, ConditionNow(node)};
    fails = trial.FailsFrom(node);
    TakeOrders(&trial);
    visits_ += trial.visits_;
    tried_visits_ += trial.visits_;
  }
  facts.DropScope(site.scope);
  return fails;
}

// What is known there, and the orders of nodes and what conditions say, which are the same in a trial.
void Engine::StartFrom(const Engine& other) {
  is_trial_ = true;
  known_ = other.known_;
  decided_branches_ = other.decided_branches_;
  choices_ = other.choices_;
  tests_ = other.tests_;
  alike_ = other.alike_;
  if (other.has_cuts_) return;
  place_ = other.place_;
  next_place_ = other.next_place_;
  dead_ends_ = other.dead_ends_;
  for (size_t r = 0; r < regions_.size(); ++r) regions_[r].order = other.regions_[r].order;
}

// The orders of regions that the trial was the first to run.
void Engine::TakeOrders(Engine* trial) {
  if (has_cuts_ || trial->has_cuts_) return;
  for (size_t r = 0; r < regions_.size(); ++r) {
    if (regions_[r].order.empty()) regions_[r].order = std::move(trial->regions_[r].order);
  }
  place_ = std::move(trial->place_);
  next_place_ = trial->next_place_;
  dead_ends_ = std::move(trial->dead_ends_);
}

bool Engine::FailsFrom(NodeId node) {
  const RegionId region = graph_.region(node);
  for (RegionId r = region; r != kNoRegion; r = graph_.parent(r)) {
    regions_[Index(r)].scope = site_.scope;
    regions_[Index(r)].entered = true;
  }
  if (regions_[Index(region)].order.empty()) PutInOrder(region);
  facts_seen_ = analysis_.facts().version(site_.scope);
  RunNodes(region, has_cuts_ ? 0 : place_[Index(node)]);
  if (FailsIn(region)) return true;
  region == graph_.body() ? SettleFacts() : SettleRegion(region);
  return FailsIn(region);
}

// Whether a region cannot be run without a failure.
bool Engine::FailsIn(RegionId region) const {
  return std::ranges::any_of(regions_[Index(region)].order, [&](NodeId node) { return Fails(node); });
}

// A node fails, or all the branches do that it may take.
bool Engine::Fails(NodeId node) const {
  if (!live(node)) return false;
  if (const Record* r = record(node); r != nullptr && r->failed) return true;
  if (resolved_[Index(graph_.op_of(node))].region_op != InferIf) return false;
  const RegionId then = FindRegion(node, "then_branch"), otherwise = FindRegion(node, "else_branch");
  if (then == kNoRegion || otherwise == kNoRegion) return false;
  const std::optional<bool> taken = TakenBranch(node);
  return (taken == false || FailsIn(then)) && (taken == true || FailsIn(otherwise));
}

}  // namespace dimwise
