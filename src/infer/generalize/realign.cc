#include "infer/generalize/realign.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/types/known_parts.h"

namespace dimwise {
namespace {

using Sizes = std::vector<Dim>;

class Realigner {
 public:
  Realigner(const Attempt& attempt, const Attempt& baseline, Joining joining)
      : attempt_(attempt),
        baseline_(baseline),
        joining_(joining),
        graph_(attempt.graph()),
        dims_(attempt.dims()) {}

  // Records the two axes that a visited Reshape merges.
  void NoteMerges(NodeId node) {
    const SizesUse* use = FindUse(node);
    if (use == nullptr || use->kind != SizesUse::Kind::kReshape || graph_.results(node).empty()) return;
    const ValueId data = attempt_.Operand(node, use->data);
    if (data == kNoValue) return;
    const Type from = attempt_.type(data), to = attempt_.type(graph_.results(node)[0]);
    if (!IsRanked(from) || !IsRanked(to)) return;
    const std::span<const Dim> in = from.shape.dims(), out = to.shape.dims();
    for (size_t i = 0; i + 1 < in.size(); ++i) {
      const Merge merge{in[i], in[i + 1]};
      if (in[i] == Dim(1) || in[i + 1] == Dim(1)) continue;
      if (!attempt_.Mentions(merge.left) && !attempt_.Mentions(merge.right)) continue;
      const Dim product = dims_.Multiply(merge.left, merge.right);
      if (std::ranges::find(out, product) != out.end()) merges_.push_back({product, merge});
    }
  }

  // Returns the change of a node. `fails`: whether the node fails without a change.
  std::optional<SizeChange> Change(NodeId node, bool fails) {
    const SizesUse* use = FindUse(node);
    if (use == nullptr || graph_.results(node).empty()) return std::nullopt;
    const ValueId data = attempt_.Operand(node, use->data);
    if (data == kNoValue) return std::nullopt;
    const Type type = attempt_.type(data);
    if (!IsRanked(type)) return std::nullopt;
    in_.assign(type.shape.dims().begin(), type.shape.dims().end());
    if (std::ranges::none_of(in_, [&](Dim d) { return attempt_.Mentions(d); })) return std::nullopt;
    old_in_.clear();
    for (const Dim size : in_) old_in_.push_back(attempt_.AsBefore(size));
    if (!OldResult(node)) return std::nullopt;
    switch (use->kind) {
      case SizesUse::Kind::kReshape:
        return Reshape(node, *use, fails);
      case SizesUse::Kind::kSlice:
        return Slice(node, *use);
      default:
        return Resize(node, *use);
    }
  }

 private:
  // Returns the use of sizes unless a formula defines it, else null.
  const SizesUse* FindUse(NodeId node) const {
    const OpDef* def = attempt_.Definition(node);
    if (def == nullptr) return nullptr;
    const auto it = std::ranges::find_if(
        def->properties.sizes, [](const SizesUse& use) { return use.kind != SizesUse::Kind::kDecides; });
    return it == def->properties.sizes.end() ? nullptr : &*it;
  }
  // Computes the old sizes of the result in this analysis.
  bool OldResult(NodeId node) {
    const Type type = baseline_.type(graph_.results(node)[0]);
    if (!IsRanked(type)) return false;
    old_out_.clear();
    for (const Dim size : type.shape.dims()) {
      if (size.is_constant()) {
        old_out_.push_back(size);
        continue;
      }
      for (const Dim symbol : baseline_.dims().SymbolsOf(size)) {
        if (!baseline_.dims().GetSymbol(symbol).of_user) return false;
      }
      const Result<Dim> here = dims_.Parse(baseline_.dims().ToString(size));
      if (!here) return false;
      old_out_.push_back(*here);
    }
    return true;
  }

  std::optional<Sizes> Contents(ValueId operand) const {
    if (operand == kNoValue) return std::nullopt;
    const Value contents = attempt_.contents(operand);
    if (contents.is_none() || contents.rank() != 1) return std::nullopt;
    Sizes elements;
    for (int64_t i = 0; i < contents.size(); ++i) {
      elements.push_back(contents.Integer(i));
      if (elements.back().is_none()) return std::nullopt;
    }
    return elements;
  }

  // Returns the two axes that were merged to a product, if they are unique.
  std::optional<Merge> PartsOf(Dim product) const {
    std::optional<Merge> found;
    for (const auto& [made, merge] : merges_) {
      if (made != product) continue;
      if (found && (found->left != merge.left || found->right != merge.right)) return std::nullopt;
      found = merge;
    }
    return found;
  }

  std::string Text(Dim size) const { return dims_.ToString(size); }
  std::vector<std::string> Texts(const Sizes& sizes) const {
    std::vector<std::string> texts;
    for (const Dim size : sizes) texts.push_back(Text(size));
    return texts;
  }

  const AttrValue* Attr(NodeId node, std::string_view name) const {
    return graph_.attrs(graph_.attrs_of(node)).Find(name);
  }

  // Returns the numbers of an operand or an attribute.
  std::optional<Sizes> Numbers(NodeId node, const NumbersAt& at) const {
    if (at.attribute.empty()) return Contents(attempt_.Operand(node, at.operand));
    const AttrValue* given = Attr(node, at.attribute);
    const std::optional<AttrValue::Ints> numbers = given == nullptr ? std::nullopt : AsInts(*given);
    if (!numbers) return std::nullopt;
    return Sizes(numbers->begin(), numbers->end());
  }
  bool IsGiven(NodeId node, const NumbersAt& at) const {
    return at.attribute.empty() ? attempt_.Operand(node, at.operand) != kNoValue
                                : Attr(node, at.attribute) != nullptr;
  }

  // Returns a change of these numbers that changes nothing yet.
  SizeChange ChangeOf(NodeId node, const NumbersAt& at, const Sizes& numbers) const {
    SizeChange change;
    change.node = node;
    if (at.attribute.empty()) {
      change.operand = static_cast<uint32_t>(attempt_.OperandAt(node, at.operand));
    } else {
      change.kind = SizeChange::Kind::kAttribute;
      change.attribute = at.attribute;
    }
    change.before = change.elements = Texts(numbers);
    return change;
  }

  // Returns whether a size of 0 copies an axis of the data.
  bool ZeroCopies(NodeId node, const SizesUse& use) const {
    if (use.zero_copies == kNoExpr) return true;
    return attempt_.EvaluateProperty(node, use.zero_copies) != Dim(0);
  }

  std::optional<SizeChange> Reshape(NodeId node, const SizesUse& use, bool fails) {
    const std::optional<Sizes> requested = Numbers(node, use.sizes);
    if (!requested || requested->size() != old_out_.size()) return std::nullopt;
    const std::optional<Alignment> alignment = AlignReshape(
        dims_, {[&](Dim d) { return attempt_.AsBefore(d); }, [&](Dim d) { return PartsOf(d); }, joining_},
        in_, old_out_);
    if (!alignment) return std::nullopt;
    SizeChange change = ChangeOf(node, use.sizes, *requested);
    change.is_choice = !alignment->certain;
    // A Reshape that works stays if it follows the symbols already, or if there are several alignments.
    const bool follows = std::ranges::any_of(*requested, [&](Dim d) { return attempt_.Mentions(d); });
    if (!fails && (follows || !alignment->certain)) return std::nullopt;
    const Sizes& out = alignment->sizes;
    const bool zero_copies = ZeroCopies(node, use);

    bool rest = std::ranges::find(*requested, Dim(-1)) != requested->end();
    bool changed = false;
    for (size_t k = 0; k < requested->size(); ++k) {
      const Dim element = (*requested)[k], due = out[k];
      if (element == Dim(-1)) continue;  // takes the rest
      const bool copies = zero_copies && k < in_.size();
      if ((element == Dim(0) && copies ? in_[k] : element) == due) continue;
      changed = true;
      if (copies && in_[k] == due) {
        change.elements[k] = "0";
      } else if (!rest) {
        change.elements[k] = "-1";
        rest = true;
      } else if (change.kind == SizeChange::Kind::kContents) {
        change.elements[k] = Text(due);
      } else {
        return std::nullopt;
      }
    }
    if (!changed) return std::nullopt;
    return change;
  }

  // Changes a Slice that selected all elements, so that it still selects all elements.
  std::optional<SizeChange> Slice(NodeId node, const SizesUse& use) {
    const std::optional<Sizes> starts = Numbers(node, use.starts), ends = Numbers(node, use.sizes),
                               axes = Numbers(node, use.axes);
    if (!starts || !ends || starts->size() != ends->size() || in_.size() != old_out_.size())
      return std::nullopt;
    if (IsGiven(node, use.axes) && !axes) return std::nullopt;
    SizeChange change = ChangeOf(node, use.sizes, *ends);
    if (change.kind == SizeChange::Kind::kContents)
      change.element = attempt_.type(graph_.operands(node)[change.operand]).element;
    bool changed = false;
    for (size_t k = 0; k < ends->size(); ++k) {
      const Dim given = axes ? (k < axes->size() ? (*axes)[k] : Dim()) : Dim(static_cast<int64_t>(k));
      if (!given.is_constant() || !(*ends)[k].is_constant()) continue;
      const auto rank = static_cast<int64_t>(in_.size());
      const int64_t axis = given.constant() < 0 ? given.constant() + rank : given.constant();
      if (axis < 0 || axis >= rank) continue;
      const auto a = static_cast<size_t>(axis);
      const bool took_all = (*starts)[k] == Dim(0) && (*ends)[k].constant() > 0 && old_out_[a] == old_in_[a];
      if (!took_all || !attempt_.Mentions(in_[a]) || (*ends)[k].constant() >= INT32_MAX) continue;
      change.elements[k] = std::to_string(change.element == ElementType::kI32 ? INT32_MAX : INT64_MAX);
      changed = true;
    }
    if (!changed) return std::nullopt;
    return change;
  }

  // Returns the symbol in `size` whose old size was `number`, for a Resize back to the size of the image.
  Dim SymbolThatWas(Dim number, Dim size) const {
    const std::span<const Dim> symbols = dims_.SymbolsOf(size);
    return symbols.size() == 1 && attempt_.AsBefore(symbols[0]) == number ? symbols[0] : Dim();
  }

  // An axis that kept its size must keep it at other sizes too.
  std::optional<SizeChange> Resize(NodeId node, const SizesUse& use) {
    const std::optional<Sizes> requested = Numbers(node, use.sizes), axes = Numbers(node, use.axes);
    if (!requested || in_.size() != old_out_.size()) return std::nullopt;
    if (IsGiven(node, use.axes) && !axes) return std::nullopt;
    SizeChange change = ChangeOf(node, use.sizes, *requested);
    if (change.kind == SizeChange::Kind::kContents)
      change.element = attempt_.type(graph_.operands(node)[change.operand]).element;
    for (size_t k = 0; k < requested->size(); ++k) {
      const Dim given = axes ? (k < axes->size() ? (*axes)[k] : Dim(-1)) : Dim(static_cast<int64_t>(k));
      if (!given.is_constant()) return std::nullopt;
      int64_t axis = given.constant();
      if (axis < 0) axis += static_cast<int64_t>(in_.size());
      if (axis < 0 || axis >= static_cast<int64_t>(in_.size())) return std::nullopt;
      const auto a = static_cast<size_t>(axis);
      if (!attempt_.Mentions(in_[a]) || (*requested)[k] != old_out_[a]) continue;
      const Dim due = old_out_[a] == old_in_[a] ? in_[a] : SymbolThatWas((*requested)[k], in_[a]);
      if (!due.is_none()) change.elements[k] = Text(due);
    }
    if (change.elements == change.before) return std::nullopt;
    return change;
  }

  const Attempt& attempt_;
  const Attempt& baseline_;
  const Joining joining_;
  const Graph& graph_;
  DimTable& dims_;
  Sizes in_, old_in_, old_out_;                // of the current node
  std::vector<std::pair<Dim, Merge>> merges_;  // products with their factors
};

}  // namespace

std::vector<SizeChange> FindRealignments(const Attempt& attempt, const Attempt& baseline,
                                         size_t first_problem, std::span<const SizeChange> made,
                                         Joining joining) {
  const Graph& graph = attempt.graph();
  Realigner realigner(attempt, baseline, joining);
  std::vector<SizeChange> changes;
  std::vector<bool> open(graph.value_count(), false);  // values that depend on a change
  for (size_t position = 0; position < attempt.order().size() && position <= first_problem; ++position) {
    const NodeId node = attempt.order()[position];
    const bool waits =
        std::ranges::any_of(graph.operands(node), [&](ValueId v) { return v != kNoValue && open[Index(v)]; });
    bool changed = false;
    if (!waits && std::ranges::find(made, node, &SizeChange::node) == made.end()) {
      if (std::optional<SizeChange> change = realigner.Change(node, position == first_problem)) {
        changes.push_back(std::move(*change));
        changed = true;
      }
    }
    if (!waits && !changed) {
      realigner.NoteMerges(node);
      continue;
    }
    for (const ValueId result : graph.results(node)) open[Index(result)] = true;
  }
  return changes;
}

std::vector<SizeChange> RealignForward(Attempt& begun, const Attempt& baseline,
                                       std::span<const SizeChange> made, Joining joining) {
  const Graph& graph = begun.graph();
  Realigner realigner(begun, baseline, joining);
  std::vector<SizeChange> changes;
  const auto change = [&](NodeId node, bool fails) {
    std::optional<SizeChange> found = realigner.Change(node, fails);
    if (!found) return false;
    begun.Change(*found);
    changes.push_back(std::move(*found));
    return true;
  };
  for (const NodeId node : begun.order()) {
    if (graph.region(node) != graph.body()) continue;
    bool open = std::ranges::find(made, node, &SizeChange::node) == made.end();
    if (open && change(node, false)) open = false;
    begun.Visit(node);
    if (begun.HasError(node) && !baseline.HasError(node)) {
      if (!open || !change(node, true)) break;
      begun.Visit(node);
      if (begun.HasError(node)) break;
    }
    realigner.NoteMerges(node);
  }
  return changes;
}

}  // namespace dimwise
