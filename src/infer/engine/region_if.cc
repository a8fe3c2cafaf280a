// If: the branch that is taken where the condition is known, else what both branches share.
#include <algorithm>

#include "core/dim_select.h"
#include "core/known_parts.h"
#include "infer/engine/engine.h"
#include "infer/engine/join.h"
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

// What comes out of one of two branches.
class Outcome {
 public:
  Outcome(Engine& engine, InferenceContext* context, Value condition, RegionId then, RegionId otherwise)
      : engine_(engine), context_(context), then_(then), otherwise_(otherwise) {
    DimTable& dims = context->dims();
    const Dim d = OnlyInteger(condition);
    const auto is_of_user = [&](Dim symbol) { return dims.GetSymbol(symbol).of_user; };
    if (d.is_expression() && std::ranges::all_of(dims.SymbolsOf(d), is_of_user)) which_ = d;
  }

  // The contents of one of two: numbers that come from outside are chosen by the condition, as sizes are.
  Value ContentsOf(Value a, Value b) {
    const bool suit = !which_.is_none() && !a.is_none() && !b.is_none() && a != b &&
                      a.element() == b.element() && std::ranges::equal(a.dims(), b.dims()) &&
                      a.size() <= ValueTable::kMaxElements;
    std::vector<Dim> numbers;
    for (int64_t i = 0; suit && i < a.size(); ++i) {
      const Dim x = a.Integer(i), y = b.Integer(i);
      const bool from_outside =
          !x.is_none() && !y.is_none() && engine_.IsInvariant(x, then_) && engine_.IsInvariant(y, otherwise_);
      if (!from_outside) break;
      numbers.push_back(Select(context_->dims(), which_, x, y));
    }
    if (!suit || static_cast<int64_t>(numbers.size()) != a.size()) return JoinContents(context_, a, b);
    return context_->analysis().values().Integers(a.element(), a.dims(), numbers);
  }

  Type TypeOf(const Type& a, const Type& b) {
    if (a == b || !Suits(a, b)) return JoinTypes(context_, a, b);
    Type type = a;
    std::vector<Dim> sizes;
    for (int axis = 0; axis < a.shape.rank(); ++axis) sizes.push_back(Size(a.shape[axis], b.shape[axis]));
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
    return which_.is_none() ? context_->Relax(a, b) : Select(context_->dims(), which_, a, b);
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
    if (context_->AtLeast(a, b) == Truth::kYes) return b;
    return context_->AtLeast(b, a) == Truth::kYes ? a : context_->dims().Min(a, b);
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
  const RegionId then_, otherwise_;
  std::vector<Choice> choices_;
  Dim which_;  // 1 in the first branch, 0 in the other; none where that is not known
};

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
  if (const std::optional<bool> known = engine.TakenBranch(node)) {
    const RegionId taken = branches[*known ? 1 : 0];
    DIMWISE_RETURN_IF_ERROR(engine.RunRegion(branches[*known ? 0 : 1], {}, {}, /*certain=*/false));
    DIMWISE_RETURN_IF_ERROR(engine.RunRegion(taken, {}, {}, /*certain=*/true));
    for (size_t i = 0; i < results; ++i) {
      const ValueId v = engine.graph().outputs(taken)[i];
      context->set_full_output_type(static_cast<int64_t>(i), engine.type(v));
      context->set_output_value(static_cast<int64_t>(i), engine.contents(v));
    }
    return {};
  }
  for (const RegionId branch : branches) {
    DIMWISE_RETURN_IF_ERROR(engine.RunRegion(branch, {}, {}, /*certain=*/false));
  }
  if (engine.FailsIn(branches[0]) && engine.FailsIn(branches[1])) {
    return Error(Code::kRequirement, "both branches of If fail, whatever the sizes are");
  }
  Outcome outcome(engine, context, condition, branches[1], branches[0]);
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
