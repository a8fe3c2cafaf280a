#include "infer/generalize/realign.h"

#include <algorithm>
#include <optional>
#include <string_view>
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
    if (graph_.op_name(node) != "onnx.Reshape") return;
    if (graph_.operands(node).empty() || graph_.results(node).empty()) return;
    const ValueId data = graph_.operands(node)[0];
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
    const std::string_view op = graph_.op_name(node);
    if (op != "onnx.Reshape" && op != "onnx.Slice" && op != "onnx.Resize" && op != "onnx.CenterCropPad") {
      return std::nullopt;
    }
    if (graph_.operands(node).empty() || graph_.results(node).empty()) return std::nullopt;
    const ValueId data = graph_.operands(node)[0];
    if (data == kNoValue) return std::nullopt;
    const Type type = attempt_.type(data);
    if (!IsRanked(type)) return std::nullopt;
    in_.assign(type.shape.dims().begin(), type.shape.dims().end());
    if (std::ranges::none_of(in_, [&](Dim d) { return attempt_.Mentions(d); })) return std::nullopt;
    old_in_.clear();
    for (const Dim size : in_) old_in_.push_back(attempt_.AsBefore(size));
    if (!OldResult(node)) return std::nullopt;
    if (op == "onnx.Reshape") return Reshape(node, fails);
    return op == "onnx.Slice" ? Slice(node) : Resize(node, op == "onnx.Resize" ? 3 : 1);
  }

 private:
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

  std::optional<Sizes> Contents(NodeId node, size_t operand) const {
    const std::span<const ValueId> operands = graph_.operands(node);
    if (operand >= operands.size() || operands[operand] == kNoValue) return std::nullopt;
    const Value contents = attempt_.contents(operands[operand]);
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

  // Returns an attribute that is a list of numbers.
  std::optional<Sizes> Numbers(NodeId node, std::string_view attribute) const {
    const AttrValue* given = Attr(node, attribute);
    const std::optional<AttrValue::Ints> numbers = given == nullptr ? std::nullopt : AsInts(*given);
    if (!numbers) return std::nullopt;
    return Sizes(numbers->begin(), numbers->end());
  }

  std::optional<SizeChange> Reshape(NodeId node, bool fails) {
    SizeChange change;
    change.node = node;
    change.operand = 1;
    std::optional<Sizes> requested = Contents(node, 1);
    if (graph_.operands(node).size() < 2) {
      requested = Numbers(node, "shape");
      change.kind = SizeChange::Kind::kAttribute;
      change.attribute = "shape";
    }
    if (!requested || requested->size() != old_out_.size()) return std::nullopt;
    const std::optional<Alignment> alignment = AlignReshape(
        dims_, {[&](Dim d) { return attempt_.AsBefore(d); }, [&](Dim d) { return PartsOf(d); }, joining_},
        in_, old_out_);
    if (!alignment) return std::nullopt;
    change.is_choice = !alignment->certain;
    // A Reshape that works stays if it follows the symbols already, or if there are several alignments.
    const bool follows = std::ranges::any_of(*requested, [&](Dim d) { return attempt_.Mentions(d); });
    if (!fails && (follows || !alignment->certain)) return std::nullopt;
    const Sizes& out = alignment->sizes;
    const AttrValue* allow = Attr(node, "allowzero");
    const bool zero_copies = allow == nullptr || AsInt(*allow).value_or(0) == 0;

    bool rest = std::ranges::find(*requested, Dim(-1)) != requested->end();
    bool changed = false;
    change.before = change.elements = Texts(*requested);
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

  // Changes a Slice that took all elements so that it still does. The first version of the operator has
  // attributes.
  std::optional<SizeChange> Slice(NodeId node) {
    const std::span<const ValueId> operands = graph_.operands(node);
    const bool by_attributes = operands.size() < 2;
    const std::optional<Sizes> starts = by_attributes ? Numbers(node, "starts") : Contents(node, 1),
                               ends = by_attributes ? Numbers(node, "ends") : Contents(node, 2),
                               axes = by_attributes ? Numbers(node, "axes") : Contents(node, 3);
    if (!starts || !ends || starts->size() != ends->size() || in_.size() != old_out_.size())
      return std::nullopt;
    const bool has_axes =
        by_attributes ? Attr(node, "axes") != nullptr : operands.size() > 3 && operands[3] != kNoValue;
    if (has_axes && !axes) return std::nullopt;
    SizeChange change;
    change.node = node;
    if (by_attributes) {
      change.kind = SizeChange::Kind::kAttribute;
      change.attribute = "ends";
    } else {
      change.operand = 2;
      change.element = attempt_.type(operands[2]).element;
    }
    change.before = change.elements = Texts(*ends);
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

  // An axis that kept its size must still do so.
  std::optional<SizeChange> Resize(NodeId node, uint32_t operand) {
    const std::optional<Sizes> requested = Contents(node, operand);
    if (!requested || in_.size() != old_out_.size()) return std::nullopt;
    const AttrValue* given = Attr(node, "axes");
    const std::optional<AttrValue::Ints> axes = given == nullptr ? std::nullopt : AsInts(*given);
    if (given != nullptr && !axes) return std::nullopt;
    SizeChange change;
    change.node = node;
    change.operand = operand;
    change.element = attempt_.type(graph_.operands(node)[operand]).element;
    change.before = change.elements = Texts(*requested);
    for (size_t k = 0; k < requested->size(); ++k) {
      int64_t axis = axes ? (k < axes->size() ? (*axes)[k] : -1) : static_cast<int64_t>(k);
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
  for (size_t place = 0; place < attempt.order().size() && place <= first_problem; ++place) {
    const NodeId node = attempt.order()[place];
    const bool waits =
        std::ranges::any_of(graph.operands(node), [&](ValueId v) { return v != kNoValue && open[Index(v)]; });
    bool changed = false;
    if (!waits && std::ranges::find(made, node, &SizeChange::node) == made.end()) {
      if (std::optional<SizeChange> change = realigner.Change(node, place == first_problem)) {
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
