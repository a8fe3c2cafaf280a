// Requirements and guarantees, and the transaction that holds them until the run succeeds.
//
// Pending facts live in a scope inside the node's scope. It is created with the first pending fact; most runs
// have none. A savepoint is a pair of lengths: rolling back removes what was added since.
//
// A requirement becomes a guard unless given facts prove it. Guards of other nodes do not count, so that the
// guards of a node do not depend on the order of visits. The list of guards of a program (guard_list.h) drops
// implied guards in program order. An equality with a broadcast size is split into equalities of the sizes in
// it, which other nodes often require too.
#include "core/dims/condition_logic.h"
#include "core/facts/broadcast_parts.h"
#include "core/facts/query_tracking.h"
#include "dimwise/inference_context.h"
#include "infer/context/certain_size.h"
#include "infer/error.h"

namespace dimwise {
namespace {

constexpr std::string_view kAssumptionNote =
    "this follows from the assumption that sizes of the model's inputs are at least 1";

Truth HoldsAlone(const Literal& literal) {
  return IsTrueFor(literal.relation, literal.value.constant()) ? Truth::kYes : Truth::kNo;
}

// With `to_require`, only a refutation matters.
template <typename Formula>
Truth Query(Facts& facts, const Formula& formula, ScopeId scope, FactFilter filter, bool to_require = false) {
  if constexpr (std::is_same_v<Formula, Literal>) {
    if (formula.value.is_constant()) return HoldsAlone(formula);
  }
  const Truth truth = facts.Holds(formula, scope, filter);
  if (to_require) QueryTracking(facts).MarkRequirement();
  return truth;
}

// A guarantee holds only where the operator succeeds. While it has guards, its guarantees are pending.
FactKind KindOfGuarantee(std::span<const Guard> guards) {
  return guards.empty() ? FactKind::kGiven : FactKind::kPending;
}

bool HasNullDim(const Clause& clause) {
  for (const Literal& l : clause) {
    if (l.value.is_none()) return true;
  }
  return false;
}

Unexpected NullCondition(Message message) {
  return Error(Code::kBadHandle, "a requirement contains a missing size: {}", message.Text());
}

}  // namespace

Truth InferenceContext::Equal(DimensionHandle a, DimensionHandle b) const {
  if (a.is_none() || b.is_none()) return Truth::kMaybe;
  return facts().Equal(a, b, scope());
}

Truth InferenceContext::AtLeast(DimensionHandle a, DimensionHandle b) const {
  if (a.is_none() || b.is_none()) return Truth::kMaybe;
  return facts().AtLeast(a, b, scope());
}

Unexpected InferenceContext::Fail(Truth without_assumed, Message message, Code code) const {
  Diagnostic diagnostic;
  diagnostic.code = code;
  if (!in_query_) diagnostic.message = message.Text();
  if (without_assumed != Truth::kNo) diagnostic.notes.emplace_back(kAssumptionNote);
  return Unexpected(std::move(diagnostic));
}

Status InferenceContext::Require(const Literal& literal, Message message, Code code) {
  if (literal.value.is_none()) return NullCondition(message);
  if (node_.after_error) return {};
  if (Query(facts(), literal, scope(), FactFilter::kWithoutChecked) == Truth::kYes) return {};
  if (std::vector<Clause> parts = WithoutBroadcasts(dims(), {literal}); !parts.empty())
    return Require(Condition{std::move(parts)}, message, code);
  if (Query(facts(), literal, scope(), FactFilter::kEverything, /*to_require=*/true) == Truth::kNo) {
    const Truth without_assumed = Query(facts(), literal, scope(), FactFilter::kWithoutAssumed);
    if (!in_query_ || without_assumed == Truth::kNo) return Fail(without_assumed, message, code);
  }
  RecordGuard(Condition{{{literal}}}, message, code);
  return {};
}

Status InferenceContext::Require(const Clause& clause, Message message, Code code) {
  if (HasNullDim(clause)) return NullCondition(message);
  if (node_.after_error) return {};
  if (Query(facts(), clause, scope(), FactFilter::kWithoutChecked) == Truth::kYes) return {};
  if (std::vector<Clause> parts = WithoutBroadcasts(dims(), clause); !parts.empty())
    return Require(Condition{std::move(parts)}, message, code);
  if (Query(facts(), clause, scope(), FactFilter::kEverything, /*to_require=*/true) == Truth::kNo) {
    const Truth without_assumed = Query(facts(), clause, scope(), FactFilter::kWithoutAssumed);
    if (!in_query_ || without_assumed == Truth::kNo) return Fail(without_assumed, message, code);
  }
  RecordGuard(Condition{{clause}}, message, code);
  return {};
}

Status InferenceContext::Require(const Condition& condition, Message message, Code code) {
  const Savepoint before = Save();
  for (const Clause& clause : condition.clauses) {
    if (Status status = Require(clause, message, code); !status) {
      GoBack(before);
      return status;
    }
  }
  return {};
}

// A fact that follows from the expression itself is not stored. Other facts that imply it are not queried,
// because they may be retracted.
void InferenceContext::Ensure(const Literal& literal) {
  if (literal.value.is_none() || literal.value.is_constant()) return;
  if (literal.relation == Relation::kAtLeast && IsCertainlySize(dims(), literal.value)) return;
  AssertPending({literal}, KindOfGuarantee(guards_));
}

void InferenceContext::Ensure(const Clause& clause) {
  if (clause.size() == 1) return Ensure(clause[0]);
  if (HasNullDim(clause) || clause.empty()) return;
  AssertPending(clause, KindOfGuarantee(guards_));
}

void InferenceContext::Ensure(const Condition& condition) {
  for (const Clause& clause : condition.clauses) Ensure(clause);
}

void InferenceContext::RecordGuard(Condition condition, Message message, Code code) {
  for (const Clause& clause : condition.clauses) AssertPending(clause, FactKind::kPending);
  guards_.push_back({std::move(condition), in_query_ ? std::string() : message.Text(), code});
}

void InferenceContext::AssertPending(const Clause& clause, FactKind kind) {
  if (node_.after_error) return;
  if (!has_pending_scope_) {
    pending_scope_ = facts().NewScope(node_.scope);
    has_pending_scope_ = true;
  }
  pending_constraints_.push_back(facts().Assert(clause, kind, node_.owner, pending_scope_));
}

void InferenceContext::GoBack(Savepoint savepoint) {
  while (pending_constraints_.size() > savepoint.constraints) {
    facts().Retract(pending_constraints_.back());
    pending_constraints_.pop_back();
  }
  guards_.resize(savepoint.guards);
}

void InferenceContext::DropPending() {
  if (has_pending_scope_) facts().DropScope(pending_scope_);
  has_pending_scope_ = false;
  pending_constraints_.clear();
  guards_.clear();
}

// Every size of a result is at least 0. Constant shapes need no test: MakeShape has tested them.
Status InferenceContext::RequireSizes(Shape shape) {
  for (const InputSlot& input : inputs_) {
    if (input.type.shape == shape) return {};  // the shape of an input has valid sizes
  }
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const DimensionHandle size = shape[axis];
    if (IsCertainlySize(dims(), size)) continue;
    DIMWISE_RETURN_IF_ERROR(Require(
        dimwise::AtLeast(dims(), size, 0),
        [&] {
          return fmt::format("axis {} of the result would have the negative size {}", axis,
                             DebugString(size));
        },
        Code::kNegativeSize));
  }
  return {};
}

}  // namespace dimwise
