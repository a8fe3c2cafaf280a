// Describes values and nodes in the lines of a trace.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "infer/engine/state/program_state.h"
#include "report/explain/region_origin.h"
#include "report/explain/size_trace.h"
#include "report/operators/op_text.h"

namespace dimwise {
namespace {

constexpr size_t kMaxFacts = 6;
constexpr size_t kAttrWidth = 40;

// Returns whether the contents may be sizes.
bool IsList(const ModelReport& report, ValueId value) {
  const Type type = report.type(value);
  return IsInteger(type.element) && type.element != ElementType::kU8 && type.element != ElementType::kI8 &&
         HasRank(type) && type.shape.rank() <= 1;
}

}  // namespace

std::string NodeWithLocation(const Graph& graph, NodeId node) {
  const std::string_view name = graph.name(node);
  return fmt::format("{}{} (#{})", Printable(ShortName(graph.op_name(node))),
                     name.empty() ? "" : fmt::format(" '{}'", Printable(name)), graph.position(node));
}

void SizeTrace::Add(int depth, std::string text) { steps_.push_back({depth, std::move(text)}); }

std::string SizeTrace::TypeOf(ValueId value) const { return ToString(dims_, report_.type(value)); }

// Returns "'k_shape' i64[4] = [0, 0, 12, 32]".
std::string SizeTrace::Described(ValueId value) const {
  return fmt::format("'{}' {}{}", Name(value), TypeOf(value),
                     ContentsText(dims_, report_.inference.contents(value)));
}

// Omits contents that cannot be sizes, such as those of a bias or a zero point.
std::string SizeTrace::DescribedInShort(ValueId value) const {
  return IsList(report_, value) ? Described(value) : fmt::format("'{}' {}", Name(value), TypeOf(value));
}

std::string SizeTrace::Where(const SizeLocation& location) const {
  if (location.in_contents) return "the contents of " + Described(location.value);
  return fmt::format("axis {} of {}", location.index, DescribedInShort(location.value));
}

// Returns the suffix of an item at which the trace ends.
std::string_view SizeTrace::EndText(ValueId value) const {
  if (!IsEnd(value)) return "";
  switch (graph_.role(value)) {
    case ValueRole::kInput:
      return ", an input";
    case ValueRole::kMissing:
      return ", which no node computes";
    default:
      return ", a constant";
  }
}

std::string SizeTrace::AttrsText(NodeId node, const SizeOrigin& origin) const {
  std::vector<std::string> attrs;
  for (const AttrEntry& entry : graph_.attrs(graph_.attrs_of(node))) {
    if (std::ranges::find(origin.attrs, entry.name) == origin.attrs.end()) continue;
    attrs.push_back(Printable(entry.name) + "=" + Clipped(Printable(ToString(entry.value)), kAttrWidth));
  }
  return attrs.empty() ? "" : fmt::format(" with {}", fmt::join(attrs, ", "));
}

std::set<std::string> SizeTrace::OpsOf(std::span<const NodeId> nodes) const {
  std::set<std::string> ops;
  for (const NodeId node : nodes) ops.emplace(Printable(ShortName(graph_.op_name(node))));
  return ops;
}

void SizeTrace::PrintKept(std::vector<NodeId>& kept, const SizeLocation& location, int depth) {
  if (kept.size() == 1) {
    Add(depth, fmt::format("{} keeps it from {}", NodeText(kept[0]), Where(location)));
  } else if (kept.size() > 1) {
    Add(depth, fmt::format("{} nodes keep it ({}) from {}", kept.size(), fmt::join(OpsOf(kept), ", "),
                           Where(location)));
  }
  kept.clear();
}

std::optional<SizeLocation> SizeTrace::PrintEnd(const SizeLocation& location, int depth) {
  const std::string name = Name(location.value);
  switch (graph_.role(location.value)) {
    case ValueRole::kInput: {
      if (graph_.region(location.value) == graph_.body()) {
        Add(depth, fmt::format("'{}' is an input", name));
        return std::nullopt;
      }
      const std::optional<SizeLocation> outside = LocationOutside(report_, location);
      Add(depth, fmt::format("'{}' is an input of a sub-graph{}", name,
                             outside ? ", which is given " + Where(*outside) : ""));
      return outside;
    }
    case ValueRole::kMissing:
      Add(depth, fmt::format("no node computes '{}'", name));
      return std::nullopt;
    default:
      Add(depth, fmt::format("'{}' is a constant", name));
      return std::nullopt;
  }
}

// Prints the origin of contents that are computed at run time.
void SizeTrace::PrintUnknown(ValueId value, int depth) {
  const UnknownOrigin origin = OriginOfUnknown(report_, value);
  PrintThrough(origin, depth);
  if (graph_.role(origin.value) == ValueRole::kResult) {
    const NodeId node = graph_.maker(origin.value);
    std::vector<std::string> operands;
    for (const ValueId operand : graph_.operands(node)) {
      if (operand != kNoValue) operands.push_back(DescribedInShort(operand));
    }
    Add(depth, fmt::format("{} computes it at run time{}{}", NodeText(node), operands.empty() ? "" : " from ",
                           fmt::join(operands, " and ")));
  } else if (graph_.role(origin.value) == ValueRole::kInput) {
    Add(depth, fmt::format("'{}' is an input: its contents are known only at run time", Name(origin.value)));
  } else {
    PrintEnd({origin.value, true, 0}, depth);
  }
}

void SizeTrace::PrintThrough(const UnknownOrigin& origin, int depth) {
  if (origin.through.size() == 1) {
    Add(depth, fmt::format("{} passes it on from {}", NodeText(origin.through[0]), Described(origin.value)));
  } else if (origin.through.size() > 1) {
    Add(depth, fmt::format("{} nodes pass it on ({}) from {}", origin.through.size(),
                           fmt::join(OpsOf(origin.through), ", "), Described(origin.value)));
  }
}

// Prints the findings of the node, which may explain the size too.
void SizeTrace::PrintFindings(NodeId node, int depth) {
  const std::string name = report_.names.Node(node);
  for (const Diagnostic& finding : report_.findings) {
    if (finding.node == name && finding.index == graph_.position(node))
      Add(depth, fmt::format("{}: {}", CodeName(finding.code), finding.message));
  }
}

// Prints the original expression of a size that facts simplified, with the facts about its symbols.
void SizeTrace::PrintFacts(const SizeLocation& location) {
  const Type type = report_.inference.state().type(location.value);
  if (location.in_contents || !type.is_tensor() || !HasRank(type)) return;
  const Dim raw = type.shape[static_cast<int>(location.index)], size = SizeAt(report_, location);
  if (raw == size || !raw.is_expression()) return;
  Add(1, fmt::format("it is {} by itself, and {} since", dims_.ToString(raw), dims_.ToString(size)));
  const std::span<const Dim> symbols = dims_.SymbolsOf(raw);
  std::vector<std::pair<Clause, OwnerId>> about;
  graph_.analysis().facts().ForEach([&](const Clause& clause, FactKind kind, OwnerId owner, ScopeId) {
    if (kind == FactKind::kAssumed) return;
    for (const Literal& literal : clause) {
      for (const Dim symbol : dims_.SymbolsOf(literal.value)) {
        if (std::ranges::find(symbols, symbol) == symbols.end()) continue;
        about.emplace_back(clause, owner);
        return;
      }
    }
  });
  for (size_t i = 0; i < std::min(about.size(), kMaxFacts); ++i) {
    const auto& [clause, owner] = about[i];
    const NodeId node{owner - 1};
    Add(2, ToString(dims_, clause) +
               (owner > 0 && graph_.Has(node) ? "   by " + NodeText(node) : "   was given"));
  }
  if (about.size() > kMaxFacts) Add(2, fmt::format("... and {} more facts", about.size() - kMaxFacts));
}

}  // namespace dimwise
