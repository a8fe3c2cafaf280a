#include "formats/onnx/onnx_patch.h"

#include <fmt/format.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <charconv>
#include <compare>
#include <map>
#include <optional>
#include <set>

#include "core/base/unused_name.h"
#include "dimwise/result_macros.h"
#include "infer/error.h"

namespace dimwise {
namespace {

constexpr int kExpandSince = 8, kModSince = 10;  // opset versions of ONNX

std::optional<int64_t> NumberOf(std::string_view text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Returns whether the value is an initializer or the result of a Constant.
bool IsOnnxConstant(const Graph& graph, ValueId value) {
  if (graph.role(value) == ValueRole::kConstant) return true;
  return graph.role(value) == ValueRole::kResult && graph.op_name(graph.maker(value)) == "onnx.Constant";
}

class PatchMaker {
 public:
  PatchMaker(const Graph& graph, std::span<const InputSymbol> symbols)
      : graph_(graph), dims_(graph.analysis().dims()), symbols_(symbols) {
    for (uint32_t v = 0; v < graph.value_count(); ++v) names_.insert(std::string(graph.name(ValueId{v})));
    for (uint32_t n = 0; n < graph.node_count(); ++n) names_.insert(std::string(graph.name(NodeId{n})));
    for (uint32_t r = 0; r < graph.region_count(); ++r) {
      for (const ValueId output : graph.outputs(RegionId{r})) outputs_.insert(Index(output));
    }
  }

  Result<Patch> Make(std::span<const SizeChange> changes) {
    changes_ = changes;
    for (const SizeChange& change : changes) {
      if (change.kind == SizeChange::Kind::kAttribute) {
        std::vector<int64_t> numbers;
        for (const std::string& text : change.elements) numbers.push_back(NumberOf(text).value_or(0));
        At(change.node).attributes.push_back({change.attribute, std::move(numbers)});
      } else if (change.kind == SizeChange::Kind::kExpand) {
        DIMWISE_RETURN_IF_ERROR(AddExpand(change));
      } else {
        DIMWISE_RETURN_IF_ERROR(ChangeContents(change));
      }
    }
    Patch patch;
    patch.contents = std::move(contents_);
    for (auto& [index, at] : at_) patch.nodes.push_back(std::move(at));
    if (!head_.empty()) {
      const NodeId first = graph_.nodes(graph_.body())[0];
      auto it = std::ranges::find(patch.nodes, first, &Patch::AtNode::node);
      if (it == patch.nodes.end()) it = patch.nodes.insert(it, Patch::AtNode{first, {}, {}, {}});
      std::rotate(patch.nodes.begin(), it, it + 1);  // other new nodes use the values computed there
      it = patch.nodes.begin();
      it->before.insert(it->before.begin(), head_.begin(), head_.end());
    }
    return patch;
  }

 private:
  using NewNodes = std::vector<Patch::NewNode>;

  Patch::AtNode& At(NodeId node) {
    Patch::AtNode& at = at_[Index(node)];
    at.node = node;
    return at;
  }

  std::string Unique(std::string_view name) {
    std::string unique = UnusedName(name, [&](std::string_view other) { return names_.contains(other); });
    names_.insert(unique);
    return unique;
  }

  // Adds a node. Returns the name of its result.
  static std::string Add(NewNodes& nodes, Patch::NewNode node) {
    nodes.push_back(std::move(node));
    return nodes.back().result;
  }
  std::string AddConstant(NewNodes& nodes, std::string_view name, std::vector<int64_t> numbers,
                          bool scalar = false) {
    std::vector<int64_t> sizes;
    if (!scalar) sizes.push_back(static_cast<int64_t>(numbers.size()));
    return Add(nodes, {"Constant", {}, Unique(name), {}, std::move(sizes), std::move(numbers)});
  }

  // Returns a tensor with the symbol as its only element. It is computed before the first node.
  std::string SymbolValue(std::string_view symbol) {
    const auto known = symbol_values_.find(symbol);
    if (known != symbol_values_.end()) return known->second;
    const InputSymbol& of = *std::ranges::find(symbols_, symbol, &InputSymbol::symbol);
    const std::string input(graph_.name(of.input));
    std::string shape = Add(head_, {"Shape", {input}, Unique(input + "_shape"), {}, {}, {}});
    std::string axis = AddConstant(head_, input + "_axis", {of.axis});
    std::string value = Add(head_, {"Gather", {shape, axis}, Unique(symbol), {{"axis", 0}}, {}, {}});
    symbol_values_.insert({std::string(symbol), value});
    return value;
  }

  // Returns a tensor with the value of an expression as its only element. It is computed before the first
  // node, once for all its users.
  Result<std::string> ExpressionValue(const std::string& text, const std::string& name) {
    if (const auto known = expression_values_.find(text); known != expression_values_.end())
      return known->second;
    DIMWISE_ASSIGN_OR_RETURN(const Dim size, dims_.Parse(text));
    DIMWISE_ASSIGN_OR_RETURN(std::string value, SumValue(size, name));
    expression_values_.insert({text, value});
    return value;
  }

  Result<std::string> SumValue(Dim size, const std::string& name) {
    std::string sum;
    for (size_t i = 0; i < dims_.TermCount(size); ++i) {
      const Term term = dims_.GetTerm(size, i);
      std::string product;
      if (term.coefficient != 1 || term.factors.empty()) {
        product = AddConstant(head_, name + "_factor", {term.coefficient});
      }
      for (const Dim factor : term.factors) {
        DIMWISE_ASSIGN_OR_RETURN(const std::string value, AtomValue(factor, name));
        product = product.empty() ? value : Compute("Mul", product, value, name + "_product");
      }
      sum = sum.empty() ? product : Compute("Add", sum, product, name + "_sum");
    }
    return sum;
  }

  // Adds nodes that compute an atom of an expression. Returns the name of their result.
  Result<std::string> AtomValue(Dim atom, const std::string& name) {
    switch (dims_.Kind(atom)) {
      case DimKind::kSymbol: {
        const std::string_view symbol = dims_.NameOf(atom);
        if (std::ranges::find(symbols_, symbol, &InputSymbol::symbol) != symbols_.end())
          return SymbolValue(symbol);
        return Error(Code::kNotSupported, "a size contains {}, which does not become symbolic", symbol);
      }
      case DimKind::kFloorDiv: {
        const Dim dividend = dims_.Operands(atom)[0];
        DIMWISE_ASSIGN_OR_RETURN(std::string value, SumValue(dividend, name));
        DIMWISE_ASSIGN_OR_RETURN(const std::string divisor, SumValue(dims_.Operands(atom)[1], name));
        // Div rounds towards 0.
        if (!IsNeverNegative(dividend)) {
          DIMWISE_RETURN_IF_ERROR(Need(
              "Mod", kModSince, fmt::format("the size {} would have to be computed", dims_.ToString(atom))));
          value = Compute("Sub", value, Compute("Mod", value, divisor, name + "_rest"), name + "_multiple");
        }
        return Compute("Div", value, divisor, name + "_quotient");
      }
      case DimKind::kMaxZero: {  // (x + |x|)/2, because Max takes integers only since opset 8
        DIMWISE_ASSIGN_OR_RETURN(const std::string value, SumValue(dims_.Operands(atom)[0], name));
        const std::string absolute = Add(head_, {"Abs", {value}, Unique(name + "_absolute"), {}, {}, {}});
        return Compute("Div", Compute("Add", value, absolute, name + "_double"),
                       AddConstant(head_, name + "_two", {2}), name + "_positive");
      }
      default:
        return Error(Code::kNotSupported, "the size {} is not computed in a model", dims_.ToString(atom));
    }
  }

  std::string Compute(std::string_view op, const std::string& a, const std::string& b,
                      std::string_view name) {
    return Add(head_, {std::string(op), {a, b}, Unique(name), {}, {}, {}});
  }

  // Returns whether the form of a size shows that it is not negative.
  bool IsNeverNegative(Dim size) const {
    for (size_t i = 0; i < dims_.TermCount(size); ++i) {
      const Term term = dims_.GetTerm(size, i);
      const bool is_size = std::ranges::all_of(
          term.factors, [&](Dim factor) { return dims_.Kind(factor) == DimKind::kSymbol; });
      if (!is_size || term.coefficient < 0) return false;
    }
    return true;
  }

  // Returns an error if the opset of the model is too old for an operator.
  Status Need(std::string_view op, int since, const std::string& what) const {
    for (uint32_t n = 0; n < graph_.node_count(); ++n) {
      const int version = graph_.op(graph_.op_of(NodeId{n})).version;
      if (version == 0 || !graph_.op_name(NodeId{n}).starts_with("onnx.")) continue;
      if (version >= since) break;
      return Error(Code::kNotSupported,
                   "{}, which requires {}; the model has version {} of ONNX, and {} exists since version {}",
                   what, op, version, op, since);
    }
    return {};
  }

  // Returns a list of sizes. Unchanged elements are taken from the old operand.
  Result<std::string> ListValue(NewNodes& nodes, const SizeChange& change, const std::string& old,
                                const std::string& name) {
    std::vector<std::string> pieces;
    const auto is_kept = [&](size_t k) {
      return change.kind == SizeChange::Kind::kContents && !NumberOf(change.elements[k]) &&
             change.elements[k] == change.before[k];
    };
    for (size_t k = 0; k < change.elements.size();) {
      std::vector<int64_t> run;
      const size_t first = k;
      for (; k < change.elements.size() && NumberOf(change.elements[k]); ++k)
        run.push_back(*NumberOf(change.elements[k]));
      if (!run.empty()) {
        const bool scalar = change.kind == SizeChange::Kind::kContents && change.rank == 0;
        pieces.push_back(AddConstant(nodes, name + "_numbers", std::move(run), scalar));
        continue;
      }
      for (; k < change.elements.size() && is_kept(k); ++k) run.push_back(static_cast<int64_t>(k));
      if (k > first) {
        const std::string places = AddConstant(nodes, name + "_places", std::move(run));
        pieces.push_back(
            Add(nodes, {"Gather", {old, places}, Unique(name + "_kept"), {{"axis", 0}}, {}, {}}));
        continue;
      }
      DIMWISE_ASSIGN_OR_RETURN(std::string piece, ExpressionValue(change.elements[k], name));
      pieces.push_back(std::move(piece));
      ++k;
    }
    if (change.kind == SizeChange::Kind::kContents && change.rank == 0) {
      if (NumberOf(change.elements[0])) return pieces[0];
      const std::string place = AddConstant(nodes, name + "_place", {0}, /*scalar=*/true);
      return Add(nodes, {"Gather", {pieces[0], place}, Unique(name + "_number"), {{"axis", 0}}, {}, {}});
    }
    if (pieces.size() == 1) return pieces[0];
    return Add(nodes, {"Concat", pieces, Unique(name + "_sizes"), {{"axis", 0}}, {}, {}});
  }

  // Returns whether all uses of a constant change it in the same way, so that it can be changed in place.
  bool ChangesEverywhere(ValueId value, const SizeChange& change, std::span<const SizeChange> changes) const {
    if (!IsOnnxConstant(graph_, value) || outputs_.contains(Index(value))) return false;
    bool everywhere = true;
    graph_.ForEachUse(value, [&](NodeId node, size_t operand) {
      everywhere = everywhere && std::ranges::any_of(changes, [&](const SizeChange& other) {
                     return other.kind == SizeChange::Kind::kContents && other.node == node &&
                            other.operand == operand && other.elements == change.elements;
                   });
    });
    return everywhere;
  }

  // Key of a value that several nodes of a region share. It is computed before the first of them.
  struct Made {
    SizeChange::Kind kind;
    uint32_t region, old;
    std::vector<std::string> elements;
    auto operator<=>(const Made&) const = default;
  };
  Made KeyOf(const SizeChange& change, ValueId old) const {
    return {change.kind, Index(graph_.region(change.node)), Index(old), change.elements};
  }

  std::string NameFor(const SizeChange& change, ValueId old) const {
    const std::string_view node = graph_.name(change.node);
    if (!node.empty()) return std::string(node);
    return std::string(graph_.name(old));
  }

  Status ChangeContents(const SizeChange& change) {
    const ValueId old = graph_.operands(change.node)[change.operand];
    const bool numbers =
        std::ranges::all_of(change.elements, [](const std::string& e) { return NumberOf(e).has_value(); });
    if (numbers && ChangesEverywhere(old, change, changes_)) {
      if (!in_place_.insert(Index(old)).second) return {};
      Patch::NewContents contents{old, {}};
      for (const std::string& text : change.elements) contents.numbers.push_back(*NumberOf(text));
      contents_.push_back(std::move(contents));
      return {};
    }
    std::string& made = made_[KeyOf(change, old)];
    if (!made.empty()) {
      At(change.node).operands.push_back({change.operand, made});
      return {};
    }
    Patch::AtNode& at = At(change.node);
    const std::string name = NameFor(change, old);
    DIMWISE_ASSIGN_OR_RETURN(std::string value,
                             ListValue(at.before, change, std::string(graph_.name(old)), name));
    if (change.element != ElementType::kI64) {
      const int64_t to = dimwise::NumberOf(change.element, TypeSystem::kOnnx).value_or(0);
      value = Add(at.before, {"Cast", {value}, Unique(name + "_cast"), {{"to", to}}, {}, {}});
    }
    made = value;
    at.operands.push_back({change.operand, std::move(value)});
    return {};
  }

  Status AddExpand(const SizeChange& change) {
    const ValueId old = graph_.operands(change.node)[change.operand];
    DIMWISE_RETURN_IF_ERROR(
        Need("Expand", kExpandSince, fmt::format("'{}' would have to be repeated", graph_.name(old))));
    std::string& made = made_[KeyOf(change, old)];
    if (!made.empty()) {
      At(change.node).operands.push_back({change.operand, made});
      return {};
    }
    Patch::AtNode& at = At(change.node);
    const std::string name(graph_.name(old));
    DIMWISE_ASSIGN_OR_RETURN(const std::string sizes, ListValue(at.before, change, name, name));
    made = Add(at.before, {"Expand", {name, sizes}, Unique(name + "_expanded"), {}, {}, {}});
    at.operands.push_back({change.operand, made});
    return {};
  }

  const Graph& graph_;
  DimTable& dims_;
  std::span<const InputSymbol> symbols_;
  std::set<std::string, std::less<>> names_;
  tsl::robin_set<uint32_t> outputs_;
  std::map<std::string, std::string, std::less<>> symbol_values_, expression_values_;
  NewNodes head_;  // inserted before the first node
  std::map<uint32_t, Patch::AtNode> at_;
  std::vector<Patch::NewContents> contents_;
  std::span<const SizeChange> changes_;
  tsl::robin_set<uint32_t> in_place_;  // constants that were changed in place
  std::map<Made, std::string> made_;
};

}  // namespace

size_t Patch::new_node_count() const {
  size_t count = 0;
  for (const AtNode& at : nodes) count += at.before.size();
  return count;
}

Result<Patch> MakePatch(const Graph& graph, std::span<const SizeChange> changes,
                        std::span<const InputSymbol> symbols) {
  return PatchMaker(graph, symbols).Make(changes);
}

}  // namespace dimwise
