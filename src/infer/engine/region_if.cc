// If: the branch that is taken where the condition is known, else what both branches share.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/hash_mix.h"
#include "core/dims/dim_select.h"
#include "core/types/known_parts.h"
#include "infer/context/certain_size.h"
#include "infer/engine/engine.h"
#include "infer/engine/join.h"
#include "infer/engine/loop_state.h"
#include "infer/error.h"

namespace dimwise {

RegionOp FindRegionOp(std::string_view op_name) {
  if (op_name == "onnx.If") return InferIf;
  if (op_name == "onnx.Loop") return InferLoop;
  if (op_name == "onnx.Scan") return InferScan;
  if (op_name == "onnx.SequenceMap") return InferSequenceMap;
  return nullptr;
}

namespace {

constexpr uint64_t kChoicePath = 0x63686F6963650000u;
constexpr uint32_t kChoiceRole = 0x1C000000u;

// What a condition with these tests says where it is true, or where it is false.
std::vector<Clause> FactsOf(DimTable& dims, const std::vector<Dim>& tests, bool is_true) {
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

// What comes out of one of two branches.
class Outcome {
 public:
  Outcome(Engine& engine, InferenceContext* context, NodeId node, BranchCondition told, Value condition,
          RegionId then, RegionId otherwise)
      : engine_(engine),
        context_(context),
        region_(engine.graph().region(node)),
        told_(told),
        then_(then),
        otherwise_(otherwise) {
    DimTable& dims = context->dims();
    const Dim d = OnlyInteger(condition);
    // The number of a trip is told as well: the first trip of a loop may be another one.
    const auto is_told = [&](Dim symbol) {
      const SymbolKey* key = dims.KeyOf(symbol);
      return dims.GetSymbol(symbol).of_user || (key != nullptr && key->role == kTripRole);
    };
    if (d.is_expression() && std::ranges::all_of(dims.SymbolsOf(d), is_told)) which_ = d;
  }

  // The contents of one of two: numbers that come from outside are chosen by the condition, as sizes are.
  Value ContentsOf(Value a, Value b) {
    const bool suit = !a.is_none() && !b.is_none() && a != b && a.element() == b.element() &&
                      std::ranges::equal(a.dims(), b.dims()) && a.size() <= ValueTable::kMaxElements;
    std::vector<Dim> numbers;
    for (int64_t i = 0; suit && i < a.size(); ++i) {
      const Dim x = Inside(a.Integer(i), true), y = Inside(b.Integer(i), false);
      const bool from_outside =
          !x.is_none() && !y.is_none() && engine_.IsInvariant(x, then_) && engine_.IsInvariant(y, otherwise_);
      if (!from_outside) break;
      numbers.push_back(x == y ? x : Chosen(x, y, /*are_sizes=*/false));
    }
    if (!suit || static_cast<int64_t>(numbers.size()) != a.size()) return JoinContents(context_, a, b);
    return context_->analysis().values().Integers(a.element(), a.dims(), numbers);
  }

  Type TypeOf(const Type& a, const Type& b) {
    if (a == b || !Suits(a, b)) return JoinTypes(context_, a, b);
    Type type = a;
    std::vector<Dim> sizes;
    for (int axis = 0; axis < a.shape.rank(); ++axis)
      sizes.push_back(Size(Inside(a.shape[axis], true), Inside(b.shape[axis], false)));
    if (std::ranges::any_of(sizes, [](Dim d) { return d.is_none(); })) return JoinTypes(context_, a, b);
    type.shape = context_->analysis().shapes().Make(sizes);
    return type;
  }

 private:
  bool Suits(const Type& a, const Type& b) const {
    return IsRanked(a) && IsRanked(b) && a.shape.rank() == b.shape.rank() && a.element == b.element &&
           a.storage == b.storage;
  }
  // One of two sizes. Where the results of the branches have the same two once more, it is the same one.
  Dim Size(Dim a, Dim b) {
    if (a == b) return a;
    a = Checked(a, then_), b = Checked(b, otherwise_);
    if (a == b) return a;
    for (const Choice& made : choices_) {
      if (made.then == a && made.otherwise == b) return made.size;
    }
    const Dim size = NewSize(a, b);
    if (!a.is_none() && !b.is_none()) choices_.push_back({a, b, size});
    return size;
  }
  // An expression, where the condition is one in the sizes of the inputs and both sizes come from outside.
  Dim NewSize(Dim a, Dim b) {
    const bool from_outside = engine_.IsInvariant(a, then_) && engine_.IsInvariant(b, otherwise_);
    if (!from_outside) return Between(BoundsOf(a, then_), BoundsOf(b, otherwise_));
    return Chosen(a, b, /*are_sizes=*/true);
  }
  // One of two that come from outside: by the condition where it is known, else by what it has chosen so far.
  Dim Chosen(Dim a, Dim b, bool are_sizes) {
    DimTable& dims = context_->dims();
    if (!which_.is_none()) {
      const Dim size = Select(dims, which_, a, b);
      if (are_sizes && !size.is_none() && !IsCertainlySize(dims, size)) KeepSize(size);
      return size;
    }
    if (told_.what == 0 || context_->Equal(a, b) == Truth::kYes) return context_->Relax(a, b);
    const Dim then = told_.is_negated ? b : a, otherwise = told_.is_negated ? a : b;
    const auto suits = [&](const BranchChoices::Choice& made, Dim size) {
      return IsAround(made.region) && (!are_sizes || IsSize(size));
    };
    Dim size = engine_.choices().Find(dims, told_.what, then, otherwise, suits);
    if (size.is_none()) {
      size = NewChoice(then, otherwise, are_sizes);
      engine_.choices().Add(told_.what, {region_, then, otherwise, size});
    }
    KeepBetween(size, a, b);
    if (are_sizes && !IsCertainlySize(dims, size)) KeepSize(size);
    return size;
  }
  bool IsAround(RegionId region) const {
    for (RegionId r = region_; r != kNoRegion; r = engine_.graph().parent(r)) {
      if (r == region) return true;
    }
    return false;
  }
  bool IsSize(Dim d) const {
    return IsCertainlySize(context_->dims(), d) ||
           context_->facts().AtLeast(d, 0, context_->scope(), Trust::kWithoutAssumed) == Truth::kYes;
  }
  Dim NewChoice(Dim then, Dim otherwise, bool are_sizes) {
    DimTable& dims = context_->dims();
    int64_t min =
        are_sizes || (IsCertainlySize(dims, then) && IsCertainlySize(dims, otherwise)) ? 0 : INT64_MIN;
    int64_t max = INT64_MAX;
    if (then.is_constant() && otherwise.is_constant()) {
      min = std::min(then.constant(), otherwise.constant());
      max = std::max(then.constant(), otherwise.constant());
    }
    uint64_t path = HashMix(HashMix(kChoicePath, told_.what), static_cast<uint64_t>(min));
    for (const Dim d : {then, otherwise}) path = HashMix(path, static_cast<uint64_t>(d.bits()));
    return dims.Fresh(SymbolKey{path, context_->node().owner, kChoiceRole}, min, max, context_->Origin());
  }
  // Says that what was chosen is a size. Of a symbol that stands for the choice that is so by what it is; of
  // the sizes around the If it is so where the branches do not fail, on which no node before it may rely.
  void KeepSize(Dim size) {
    DimTable& dims = context_->dims();
    const auto is_choice = [&](Dim symbol) { return dims.GetDefinition(symbol) != nullptr; };
    const Literal is_size = AtLeast(dims, size, 0);
    if (std::ranges::any_of(dims.SymbolsOf(size), is_choice)) return context_->Ensure(is_size);
    (void)context_->Require(is_size, "a branch would give a negative size", Code::kAssumption);
  }
  // Says that a choice lies between the two, and has the remainder that they share. That holds without the
  // checks of others, which would find their own answer in it.
  void KeepBetween(Dim size, Dim a, Dim b) {
    DimTable& dims = context_->dims();
    if (dims.Kind(size) != DimKind::kSymbol) return;
    const Dim low = Smaller(a, b);
    const Dim high = dims.Negate(Smaller(dims.Negate(a), dims.Negate(b)));
    if (!low.is_none()) context_->Ensure(AtLeast(dims, size, low));
    if (!high.is_none()) context_->Ensure(AtMost(dims, size, high));
    const Congruence p = context_->facts().CongruenceOf(a, context_->scope(), Trust::kWithoutChecked);
    const Congruence q = context_->facts().CongruenceOf(b, context_->scope(), Trust::kWithoutChecked);
    int64_t gap = 0;
    if (__builtin_sub_overflow(p.remainder, q.remainder, &gap) || gap == INT64_MIN) return;
    const int64_t step = std::gcd(std::gcd(p.modulus, q.modulus), gap);
    if (step > 1) context_->Ensure(Equal(dims, dims.Mod(dims.Subtract(size, p.remainder), step), 0));
  }
  // What leaves a branch, in what the condition has chosen there.
  Dim Inside(Dim d, bool is_then) {
    if (!d.is_expression() || told_.what == 0) return d;
    const Dim written =
        engine_.choices().Written(context_->dims(), told_.what, d, is_then != told_.is_negated);
    return written.is_none() ? d : written;
  }

  // An expression as it is after what its branch requires: where the branch fails nothing comes out of it.
  // What is known outside is left to those who read it there, since that may rest on what comes out.
  Dim Checked(Dim d, RegionId branch) {
    DimTable& dims = context_->dims();
    if (!d.is_expression() || dims.Kind(d) == DimKind::kSymbol || !Requires(branch)) return d;
    const Dim simple = context_->facts().Simplify(d, engine_.scope(branch));
    if (simple.is_none() || simple == context_->facts().Simplify(d, context_->scope())) return d;
    const std::span<const Dim> symbols = dims.SymbolsOf(d);
    const auto is_in_it = [&](Dim symbol) { return std::ranges::find(symbols, symbol) != symbols.end(); };
    return std::ranges::all_of(dims.SymbolsOf(simple), is_in_it) ? simple : d;
  }
  bool Requires(RegionId branch) const {
    return std::ranges::any_of(engine_.graph().nodes(branch), [&](NodeId node) {
      return engine_.record(node) != nullptr && !engine_.record(node)->checks.empty();
    });
  }

  struct Bounds {
    Dim low, high;  // none: not known
  };
  // What is known outside of a size: itself, or what the branch knows of one that it made up.
  Bounds BoundsOf(Dim size, RegionId branch) {
    if (engine_.IsInvariant(size, branch)) return {size, size};
    Facts& facts = context_->facts();
    const ScopeId scope = engine_.scope(branch);
    const SizeBounds numbers = facts.Bounds(size, scope, Trust::kWithoutAssumed);
    const bool is_symbol = context_->dims().Kind(size) == DimKind::kSymbol;
    const auto outside = [&](Dim bound, std::optional<int64_t> number) {
      if (!bound.is_none() && engine_.IsInvariant(bound, branch)) return bound;
      return number ? Dim(*number) : Dim();
    };
    return {outside(is_symbol ? facts.SymbolicMin(size, scope) : Dim(), numbers.min),
            outside(is_symbol ? facts.SymbolicMax(size, scope) : Dim(), numbers.max)};
  }
  Dim Smaller(Dim a, Dim b) {
    if (a.is_none() || b.is_none()) return Dim();
    const auto is_at_least = [&](Dim x, Dim y) {
      return context_->facts().AtLeast(x, y, context_->scope(), Trust::kWithoutChecked) == Truth::kYes;
    };
    if (is_at_least(a, b)) return b;
    return is_at_least(b, a) ? a : context_->dims().Min(a, b);
  }
  // A size that one branch bounds so, and the other so.
  Dim Between(Bounds a, Bounds b) {
    DimTable& dims = context_->dims();
    const Dim size = context_->UnknownDim();
    const Dim low = Smaller(a.low, b.low);
    const Dim high = dims.Negate(Smaller(dims.Negate(a.high), dims.Negate(b.high)));
    if (!low.is_none()) context_->Ensure(AtLeast(dims, size, low));
    if (!high.is_none()) context_->Ensure(AtMost(dims, size, high));
    return size;
  }

  struct Choice {
    Dim then, otherwise, size;
  };

  Engine& engine_;
  InferenceContext* context_;
  const RegionId region_;  // of the If
  const BranchCondition told_;
  const RegionId then_, otherwise_;
  std::vector<Choice> choices_;
  Dim which_;  // 1 in the first branch, 0 in the other; none where that is not known
};

// A branch that the nodes behind the If decide, since they fail with what the other one gives, is the one
// that the sizes have to choose.
Status RequireTaken(InferenceContext* context, const std::vector<Clause>& chosen_where, bool taken) {
  for (const Clause& clause : chosen_where) {
    DIMWISE_RETURN_IF_ERROR(
        context->Require(clause, taken ? "what follows fails with what the else_branch gives"
                                       : "what follows fails with what the then_branch gives"));
  }
  return {};
}

}  // namespace

Status InferIf(Engine& engine, NodeId node, InferenceContext* context) {
  const RegionId branches[] = {engine.FindRegion(node, "else_branch"),
                               engine.FindRegion(node, "then_branch")};
  if (branches[0] == kNoRegion || branches[1] == kNoRegion) {
    return Error(Code::kMissingAttribute, "If needs a then_branch and an else_branch");
  }
  const Value condition = context->input_tensor(0);
  const auto results = static_cast<size_t>(context->num_outputs());
  for (const RegionId branch : branches) {
    if (engine.graph().outputs(branch).size() < results) {
      return Error(Code::kArity, "If has {} results; its {} gives {}", results,
                   engine.graph().attribute(branch), engine.graph().outputs(branch).size());
    }
  }
  const BranchCondition told = engine.ConditionOf(node);
  engine.DecideAsAround(node, told);
  const std::optional<bool> known = engine.TakenBranch(node);
  const Dim decided = engine.DecidedCondition(node);
  const std::vector<Dim> tests =
      engine.tests().Of(context->dims(), decided.is_none() ? OnlyInteger(condition) : decided);
  std::vector<Clause> chosen_where;  // the branch that other nodes decided
  for (const bool is_true : {false, true}) {
    std::vector<Clause> facts;  // of a branch that is never taken there is nothing to say
    if (!known || *known == is_true) {
      facts = FactsOf(context->dims(), tests, is_true);
      if (!decided.is_none()) chosen_where = facts;
      std::ranges::move(engine.choices().Where(context->dims(), told.what, is_true != told.is_negated),
                        std::back_inserter(facts));
    }
    engine.AssumeIn(branches[is_true ? 1 : 0], std::move(facts));
  }
  if (known) {
    DIMWISE_RETURN_IF_ERROR(RequireTaken(context, chosen_where, *known));
    const RegionId taken = branches[*known ? 1 : 0];
    DIMWISE_RETURN_IF_ERROR(engine.RunRegion(branches[*known ? 0 : 1], {}, {}, RegionRuns::kNever));
    DIMWISE_RETURN_IF_ERROR(engine.RunRegion(taken, {}, {}, RegionRuns::kAlways));
    for (size_t i = 0; i < results; ++i) {
      const ValueId v = engine.graph().outputs(taken)[i];
      context->set_full_output_type(static_cast<int64_t>(i), engine.type(v));
      context->set_output_value(static_cast<int64_t>(i), engine.contents(v));
    }
    return {};
  }
  for (const RegionId branch : branches) {
    DIMWISE_RETURN_IF_ERROR(engine.RunRegion(branch, {}, {}, RegionRuns::kMaybe));
  }
  if (engine.FailsIn(branches[0]) && engine.FailsIn(branches[1])) {
    return Error(Code::kRequirement, "both branches of If fail, whatever the sizes are");
  }
  Outcome outcome(engine, context, node, told, condition, branches[1], branches[0]);
  for (size_t i = 0; i < results; ++i) {
    const ValueId otherwise = engine.graph().outputs(branches[0])[i],
                  then = engine.graph().outputs(branches[1])[i];
    const Type joined = outcome.TypeOf(engine.type(then), engine.type(otherwise));
    if (IsRanked(engine.type(then)) && IsRanked(engine.type(otherwise)) &&
        engine.type(then).shape.rank() != engine.type(otherwise).shape.rank())
      engine.LeaveBranchOpen(node);
    if (joined.kind != TypeKind::kUnknown) context->set_full_output_type(static_cast<int64_t>(i), joined);
    context->set_output_value(static_cast<int64_t>(i),
                              outcome.ContentsOf(engine.contents(then), engine.contents(otherwise)));
  }
  return {};
}

}  // namespace dimwise
