// Finds the unknown entries and the cause of each.
//
// A missing part is a rank, an element type or a storage. It is traced back through operands that lack the
// part too, to the first value without such an operand. An unknown size is a generated symbol; its origin is
// the first value in program order that contains the symbol.
#include <algorithm>
#include <array>

#include "infer/error.h"
#include "infer/solver/solver_state.h"

namespace dimwise {

Type SimplifiedType(const ProgramState& state, ValueId value) {
  Type type = state.type(value);
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank() || type.shape.is_constant())
    return type;
  Facts& facts = state.analysis.facts();
  const ScopeId scope = state.scope(state.graph.region(value));
  std::vector<Dim> sizes;
  for (const Dim d : type.shape.dims()) {
    Dim simple = facts.Simplify(d, scope);
    if (simple.is_expression()) {
      const auto is_ours = [&](Dim s) { return !facts.dims().GetSymbol(s).of_user; };
      // An equality such as u == 2*N is more useful than the symbol.
      if (std::ranges::any_of(facts.dims().SymbolsOf(simple), is_ours)) {
        simple = facts.Simplify(d, scope, FactFilter::kEverything, /*solve=*/true);
      }
    }
    sizes.push_back(simple);
  }
  type.shape = state.analysis.shapes().Make(sizes);
  return type;
}

namespace {

enum class Part : uint8_t { kRank, kSize, kElementType, kStorage };

class Search {
 public:
  Search(const ProgramState& state, const SolverGuide& guide, const OpRegistry& registry,
         const SolverOptions& options)
      : state_(state), graph_(state.graph), guide_(guide), registry_(registry), options_(options) {}

  std::vector<UnknownEntry> Run() {
    std::vector<UnknownEntry> unknown;
    const auto look = [&](ValueId v) {
      if (Index(v) < options_.entries.first || Index(v) >= options_.entries.second) return;
      if (std::optional<UnknownEntry> u = Look(v)) unknown.push_back(*std::move(u));
    };
    for (const ValueId v : graph_.inputs(graph_.body())) Note(v);
    const std::vector<NodeId> order = graph_.Order(graph_.body());
    for (const NodeId n : order) {
      for (const ValueId v : graph_.results(n)) Note(v);
    }
    for (const ValueId v : graph_.inputs(graph_.body())) look(v);
    for (const NodeId n : order) {
      for (const ValueId v : graph_.results(n)) look(v);
    }
    return unknown;
  }

 private:
  bool IsUnknownSize(Dim size, Dim* symbol) const {
    if (!size.is_expression()) return false;
    const DimTable& dims = state_.analysis.dims();
    for (const Dim s : dims.SymbolsOf(size)) {
      if (dims.GetSymbol(s).of_user || dims.GetDefinition(s) != nullptr) continue;
      *symbol = s;
      return true;
    }
    return false;
  }

  // Records the first value that contains each symbol.
  void Note(ValueId value) {
    const Type type = SimplifiedType(state_, value);
    if (!type.is_tensor() || type.shape.is_none()) return;
    for (const Dim d : type.shape.dims()) {
      Dim symbol;
      if (IsUnknownSize(d, &symbol)) first_.insert({symbol.bits(), value});
    }
  }

  bool IsMissing(const Type& type, Part part) const {
    if (type.kind != TypeKind::kUnknown && !type.is_tensor()) return false;
    switch (part) {
      case Part::kRank:
        return type.shape.is_none() || !type.shape.has_rank();
      case Part::kElementType:
        return type.element == ElementType::kUnknown;
      case Part::kStorage:
        return !type.storage.is_known();
      case Part::kSize:
        break;
    }
    return false;
  }

  std::optional<UnknownEntry> Look(ValueId value) {
    const Type type = SimplifiedType(state_, value);
    if (type.kind != TypeKind::kUnknown && !type.is_tensor()) return std::nullopt;
    if (options_.parts.shape && IsMissing(type, Part::kRank))
      return Explain(value, Origin(value, Part::kRank), Part::kRank);
    if (options_.parts.shape) {
      for (const Dim d : type.shape.dims()) {
        Dim symbol;
        if (!IsUnknownSize(d, &symbol)) continue;
        const auto it = first_.find(symbol.bits());
        return Explain(value, it == first_.end() ? value : it->second, Part::kSize);
      }
    }
    if (options_.parts.element_type && IsMissing(type, Part::kElementType)) {
      return Explain(value, Origin(value, Part::kElementType), Part::kElementType);
    }
    if (options_.parts.storage && IsMissing(type, Part::kStorage)) {
      return Explain(value, Origin(value, Part::kStorage), Part::kStorage);
    }
    return std::nullopt;
  }

  bool HasError(NodeId node) const {
    const NodeEffects* effects = state_.effects_of(node);
    if (effects == nullptr) return false;
    return std::ranges::any_of(effects->findings,
                               [](const Diagnostic& d) { return d.severity == Severity::kError; });
  }

  bool HasRule(NodeId node) const {
    const Graph::Op& op = graph_.op(graph_.op_of(node));
    return guide_.FindGradient(node) != nullptr || graph_.FindFunction(op.name) != nullptr ||
           graph_.carries_regions(node) ||
           registry_.Find(op.name, op.version > 0 ? op.version : OpRegistry::kLatest) != nullptr;
  }

  // Returns the origin of a missing part; computed once per value.
  ValueId Origin(ValueId value, Part part) {
    std::vector<ValueId>& origins = origins_[static_cast<size_t>(part)];
    origins.resize(graph_.value_count(), kNoValue);
    std::vector<ValueId> way;
    while (origins[Index(value)] == kNoValue) {
      origins[Index(value)] = value;  // terminates on a cycle
      way.push_back(value);
      const ValueId before = CauseOf(value, part);
      if (before == kNoValue) break;
      value = before;
    }
    value = origins[Index(value)];
    for (const ValueId v : way) origins[Index(v)] = value;
    return value;
  }

  // Returns an operand with the same missing part, which is the reason why the part of this value is missing.
  ValueId CauseOf(ValueId value, Part part) const {
    const NodeId maker = graph_.maker(value);
    if (maker == kNoNode || !guide_.Visits(maker) || HasError(maker) || !HasRule(maker)) return kNoValue;
    const auto is_missing = [&](ValueId v) { return v != kNoValue && IsMissing(state_.type(v), part); };
    const auto first = [&](std::span<const ValueId> values) {
      const auto it = std::ranges::find_if(values, is_missing);
      return it == values.end() ? kNoValue : *it;
    };
    const ValueId operand = first(graph_.operands(maker));
    const SolverGuide::Gradient* gradient = guide_.FindGradient(maker);
    if (operand != kNoValue || gradient == nullptr) return operand;
    return first(graph_.operands(gradient->forward));
  }

  UnknownEntry Explain(ValueId value, ValueId origin, Part part) const {
    static constexpr std::string_view kWhat[] = {"shape", "size", "element type", "storage"};
    static constexpr std::string_view kSubject[] = {"the shape", "a size", "the element type", "the storage"};
    const std::string_view what = kWhat[static_cast<size_t>(part)];
    UnknownEntry u;
    u.value = value;
    u.origin = origin;
    const NodeId maker = graph_.maker(origin);
    std::string why;
    if (maker == kNoNode) {
      u.cause = UnknownCause::kInput;
      const std::string_view role = graph_.role(origin) == ValueRole::kInput ? "the input '" : "'";
      why = part == Part::kSize ? fmt::format("{}{}' has it open", role, graph_.name(origin))
                                : fmt::format("{}{}' has no {}", role, graph_.name(origin), what);
    } else {
      const std::string node = fmt::format("{} '{}'", graph_.op_name(maker), graph_.name(maker));
      if (!guide_.Visits(maker)) {
        u.cause = UnknownCause::kNotVisited;
        why = fmt::format("{} is not among the nodes that were visited", node);
      } else if (HasError(maker)) {
        u.cause = UnknownCause::kError;
        why = fmt::format("{} has an error", node);
      } else if (!HasRule(maker)) {
        u.cause = UnknownCause::kNoRule;
        why = fmt::format("{} has no rule", node);
      } else {
        u.cause = UnknownCause::kDataDependent;
        why = fmt::format("{} decides it when it runs", node);
      }
    }
    u.reason = fmt::format("{} of '{}' is unknown: {}", kSubject[static_cast<size_t>(part)],
                           graph_.name(value), why);
    return u;
  }

  const ProgramState& state_;
  const Graph& graph_;
  const SolverGuide& guide_;
  const OpRegistry& registry_;
  const SolverOptions& options_;
  tsl::robin_map<int64_t, ValueId> first_;       // by symbol
  std::array<std::vector<ValueId>, 4> origins_;  // by part and value
};

}  // namespace

std::vector<UnknownEntry> FindUnknown(const ProgramState& state, const SolverGuide& guide,
                                      const OpRegistry& registry, const SolverOptions& options) {
  return Search(state, guide, registry, options).Run();
}

}  // namespace dimwise
