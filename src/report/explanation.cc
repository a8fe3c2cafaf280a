#include "report/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "core/failure.h"
#include "core/nearest_name.h"
#include "infer/engine/engine.h"
#include "report/op_text.h"
#include "report/size_origin.h"
#include "report/unknown_origin.h"

namespace dimwise {
namespace {

constexpr int kMaxDepth = 8;          // of computations
constexpr size_t kMaxSteps = 10'000;  // of taking over
constexpr size_t kMaxLines = 40;
constexpr size_t kMaxFacts = 6;

using Place = SizePlace;

class Tracer {
 public:
  Tracer(const ModelReport& report, Colour colour)
      : report_(report), graph_(report.graph()), dims_(report.dims()), colour_(colour) {}

  std::string Trace(ValueId value, int axis) {
    const Dim size = report_.type(value).shape[axis];
    text_ = fmt::format("{} is {}: axis {} of {}\n",
                        Painted(fmt::format("{}[{}]", Name(value), axis), kBold, colour_),
                        Painted(dims_.ToString(size), kCyan, colour_), axis, Described(value));
    Follow({value, false, axis}, size, 1);
    AddFacts(value, axis, size);
    return std::move(text_);
  }

  // Why a value has no rank.
  std::string TraceRank(ValueId value) {
    text_ = fmt::format("{} is {}: how many axes it has is not known\n", Painted(Name(value), kBold, colour_),
                        ToString(dims_, report_.type(value)));
    const UnknownOrigin origin = OriginOfNoRank(report_, value);
    TellThrough(origin, 1);
    if (graph_.role(origin.value) != ValueRole::kResult) {
      TellEnd(origin.value, 1);
    } else {
      TellComputation(graph_.maker(origin.value), Dim(), 1);
      TellFindings(graph_.maker(origin.value), 1);
    }
    return std::move(text_);
  }

 private:
  std::string Name(ValueId value) const { return Printable(report_.names.Value(value)); }

  // "'k_shape' i64[4] = [0, 0, 12, 32]"
  std::string Described(ValueId value) const {
    return fmt::format("'{}' {}{}", Name(value), ToString(dims_, report_.type(value)),
                       ContentsText(dims_, report_.inference.contents(value)));
  }

  std::string NodeText(NodeId node) const {
    const std::string_view name = graph_.name(node);
    return fmt::format("{}{} (#{})", Printable(ShortName(graph_.op_name(node))),
                       name.empty() ? "" : fmt::format(" '{}'", Printable(name)), graph_.position(node));
  }

  void Line(int depth, const std::string& line) {
    if (++lines_ > kMaxLines) return;
    text_ += lines_ == kMaxLines ? "  ... and so on\n"
                                 : std::string(static_cast<size_t>(depth) * 2, ' ') + line + "\n";
  }

  // Where an operand has the same size: preferably at the same axis.
  std::optional<Place> Source(const Place& place, Dim size, ValueId operand) const {
    const Type type = report_.type(operand);
    if (HasRank(type) && type.is_tensor()) {
      const std::span<const Dim> sizes = type.shape.dims();
      if (!place.in_contents && place.index < type.shape.rank() &&
          sizes[static_cast<size_t>(place.index)] == size) {
        return Place{operand, false, place.index};
      }
      if (const auto it = std::ranges::find(sizes, size); it != sizes.end()) {
        return Place{operand, false, it - sizes.begin()};
      }
    }
    const Value contents = report_.inference.contents(operand);
    if (contents.is_none() || contents.size() > ValueTable::kMaxElements) return std::nullopt;
    for (int64_t i = 0; i < contents.size(); ++i) {
      if (Simplified(contents.Integer(i), operand) == size) return Place{operand, true, i};
    }
    return std::nullopt;
  }

  Dim Simplified(Dim d, ValueId at) const {
    return d.is_expression()
               ? graph_.analysis().facts().Simplify(d, report_.inference.scope(graph_.region(at)))
               : d;
  }

  // The operand that a node takes a size from: the one that the operator names, else one that has the size
  // too. A number may be there by chance: contents say it on purpose.
  std::optional<Place> TakenFrom(NodeId node, const Place& place, Dim size) const {
    std::optional<Place> best = OriginOfSize(report_, place, size);
    if (best) return best;
    for (const ValueId operand : graph_.operands(node)) {
      if (operand == kNoValue) continue;
      const std::optional<Place> source = Source(place, size, operand);
      if (!source) continue;
      if (!best || (size.is_constant() && source->in_contents && !best->in_contents)) best = source;
    }
    return best;
  }

  void Follow(Place place, Dim size, int depth) {
    std::vector<NodeId> kept;  // nodes one after another that leave the size where it is
    for (size_t step = 0; step < kMaxSteps; ++step) {
      const NodeId node =
          graph_.role(place.value) == ValueRole::kResult ? graph_.maker(place.value) : kNoNode;
      if (node == kNoNode) {
        TellKept(kept, place, depth);
        return TellEnd(place.value, depth);
      }
      const std::optional<Place> source = TakenFrom(node, place, size);
      if (source && !source->in_contents && !place.in_contents && source->index == place.index) {
        kept.push_back(node);
        place = *source;
        continue;
      }
      TellKept(kept, place, depth);
      if (!source) return TellComputation(node, size, depth);
      Line(depth, fmt::format("{} takes it from {}", NodeText(node), Where(*source)));
      place = *source;
    }
  }

  std::string Where(const Place& place) const {
    return place.in_contents ? "the contents of " + Described(place.value)
                             : fmt::format("axis {} of {}", place.index, Described(place.value));
  }

  std::set<std::string> OpsOf(std::span<const NodeId> nodes) const {
    std::set<std::string> ops;
    for (const NodeId node : nodes) ops.emplace(Printable(ShortName(graph_.op_name(node))));
    return ops;
  }

  void TellKept(std::vector<NodeId>& kept, const Place& place, int depth) {
    if (kept.size() == 1) {
      Line(depth, fmt::format("{} keeps it from {}", NodeText(kept[0]), Where(place)));
    } else if (kept.size() > 1) {
      Line(depth, fmt::format("{} nodes keep it ({}) from {}", kept.size(), fmt::join(OpsOf(kept), ", "),
                              Where(place)));
    }
    kept.clear();
  }

  void TellEnd(ValueId value, int depth) {
    const std::string name = Name(value);
    switch (graph_.role(value)) {
      case ValueRole::kInput:
        return Line(depth, graph_.region(value) == graph_.body()
                               ? fmt::format("'{}' is an input", name)
                               : fmt::format("'{}' is an input of a sub-graph", name));
      case ValueRole::kConstant:
        return Line(depth, fmt::format("'{}' is a constant", name));
      default:
        return Line(depth, fmt::format("'{}' is made by nothing", name));
    }
  }

  void TellComputation(NodeId node, Dim size, int depth) {
    const std::span<const ValueId> operands = graph_.operands(node);
    if (operands.empty()) return Line(depth, NodeText(node) + " makes it");
    Line(depth, NodeText(node) + " computes it from");
    std::vector<Dim> symbols;
    if (size.is_expression()) {
      const std::span<const Dim> all = dims_.SymbolsOf(size);
      symbols.assign(all.begin(), all.end());
    }
    const auto is_own = [&](Dim symbol) {
      std::vector<Dim> none;
      return !dims_.GetSymbol(symbol).of_user && std::ranges::none_of(operands, [&](ValueId operand) {
        return operand != kNoValue && Mentions(operand, {symbol}, none);
      });
    };
    const bool is_made_here =
        size.is_none() || (symbols.size() == 1 && symbols[0] == size) || std::ranges::any_of(symbols, is_own);
    std::vector<Dim> followed;
    for (const ValueId operand : operands) {
      if (operand == kNoValue) continue;
      const std::optional<Place> source = Mentions(operand, symbols, followed);
      Line(depth + 1, source ? Where(*source) : Described(operand));
      if (source && depth < kMaxDepth) Follow(*source, SizeAt(*source), depth + 2);
      if (is_made_here && IsUnknownNumbers(report_, operand)) TellUnknown(operand, depth + 2);
    }
  }

  // Numbers that the program computes only as it runs, where they come from.
  void TellUnknown(ValueId value, int depth) {
    const UnknownOrigin origin = OriginOfUnknown(report_, value);
    TellThrough(origin, depth);
    if (graph_.role(origin.value) == ValueRole::kResult) {
      const NodeId node = graph_.maker(origin.value);
      std::vector<std::string> operands;
      for (const ValueId operand : graph_.operands(node)) {
        if (operand != kNoValue) operands.push_back(Described(operand));
      }
      Line(depth, fmt::format("{} computes it at run time{}{}", NodeText(node),
                              operands.empty() ? "" : " from ", fmt::join(operands, " and ")));
    } else if (graph_.role(origin.value) == ValueRole::kInput) {
      Line(depth, fmt::format("'{}' is an input: what it holds is known at run time", Name(origin.value)));
    } else {
      TellEnd(origin.value, depth);
    }
  }

  void TellThrough(const UnknownOrigin& origin, int depth) {
    if (origin.through.size() == 1) {
      Line(depth,
           fmt::format("{} hands it on from {}", NodeText(origin.through[0]), Described(origin.value)));
    } else if (origin.through.size() > 1) {
      Line(depth, fmt::format("{} nodes hand it on ({}) from {}", origin.through.size(),
                              fmt::join(OpsOf(origin.through), ", "), Described(origin.value)));
    }
  }

  // What was found wrong with a node is a reason too.
  void TellFindings(NodeId node, int depth) {
    const std::string name = report_.names.Node(node);
    for (const Diagnostic& finding : report_.findings) {
      if (finding.node == name && finding.index == graph_.position(node))
        Line(depth, fmt::format("{}: {}", CodeName(finding.code), finding.message));
    }
  }

  Dim SizeAt(const Place& place) const {
    if (place.in_contents)
      return Simplified(report_.inference.contents(place.value).Integer(place.index), place.value);
    return report_.type(place.value).shape[static_cast<int>(place.index)];
  }

  // Where an operand speaks of a symbol that was not followed yet.
  std::optional<Place> Mentions(ValueId operand, const std::vector<Dim>& symbols,
                                std::vector<Dim>& followed) const {
    const auto speaks = [&](Dim d) {
      if (!d.is_expression()) return false;
      for (const Dim symbol : dims_.SymbolsOf(d)) {
        if (std::ranges::find(symbols, symbol) == symbols.end()) continue;
        if (std::ranges::find(followed, symbol) != followed.end()) continue;
        followed.push_back(symbol);
        return true;
      }
      return false;
    };
    const Type type = report_.type(operand);
    if (type.is_tensor() && HasRank(type)) {
      for (int axis = 0; axis < type.shape.rank(); ++axis) {
        if (speaks(type.shape[axis])) return Place{operand, false, axis};
      }
    }
    const Value contents = report_.inference.contents(operand);
    if (contents.is_none() || contents.size() > ValueTable::kMaxElements) return std::nullopt;
    for (int64_t i = 0; i < contents.size(); ++i) {
      if (speaks(Simplified(contents.Integer(i), operand))) return Place{operand, true, i};
    }
    return std::nullopt;
  }

  // Where facts made it simpler than the operators say: what it was, and the facts about its symbols.
  void AddFacts(ValueId value, int axis, Dim size) {
    const Type raw = report_.inference.engine().type(value);
    if (!raw.is_tensor() || !HasRank(raw) || raw.shape[axis] == size || !raw.shape[axis].is_expression())
      return;
    Line(1, fmt::format("it is {} by itself, and {} since", dims_.ToString(raw.shape[axis]),
                        dims_.ToString(size)));
    const std::span<const Dim> symbols = dims_.SymbolsOf(raw.shape[axis]);
    size_t told = 0;
    const Facts& facts = graph_.analysis().facts();
    std::vector<std::pair<Clause, OwnerId>> about;
    facts.ForEach([&](const Clause& clause, FactKind kind, OwnerId owner, ScopeId) {
      if (kind == FactKind::kAssumed) return;
      for (const Literal& literal : clause) {
        for (const Dim symbol : dims_.SymbolsOf(literal.value)) {
          if (std::ranges::find(symbols, symbol) == symbols.end()) continue;
          about.emplace_back(clause, owner);
          return;
        }
      }
    });
    for (const auto& [clause, owner] : about) {
      if (++told > kMaxFacts) break;
      const NodeId node{owner - 1};
      Line(2, ToString(dims_, clause) +
                  (owner > 0 && graph_.Has(node) ? "   by " + NodeText(node) : "   was given"));
    }
    if (about.size() > kMaxFacts) Line(2, fmt::format("... and {} more facts", about.size() - kMaxFacts));
  }

  const ModelReport& report_;
  const Graph& graph_;
  DimTable& dims_;
  const Colour colour_;
  std::string text_;
  size_t lines_ = 0;
};

// "k[2]" apart; the name itself may end so, and then it is a name.
std::optional<int64_t> TakeAxis(std::string_view& tensor) {
  const size_t open = tensor.rfind('[');
  if (open == std::string_view::npos || !tensor.ends_with(']')) return std::nullopt;
  int64_t axis = 0;
  const char* end = tensor.data() + tensor.size() - 1;
  const auto [stop, error] = std::from_chars(tensor.data() + open + 1, end, axis);
  if (error != std::errc() || stop != end) return std::nullopt;
  tensor = tensor.substr(0, open);
  return axis;
}

Unexpected NoSuchValue(const ModelReport& report, std::string_view name, std::span<const ValueId> inside) {
  if (!inside.empty()) {
    std::vector<std::string> names;
    for (const ValueId value : inside) names.push_back(report.names.Value(value));
    return Failure(Code::kBadUsage,
                   fmt::format("several sub-graphs of {} have a value '{}'", report.file, name),
                   fmt::format("say which: {}", fmt::join(names, ", ")));
  }
  std::vector<std::string> names;
  for (uint32_t i = 0; i < report.graph().value_count(); ++i) {
    if (report.names.Speaks(ValueId{i})) names.push_back(report.names.Value(ValueId{i}));
  }
  const std::string_view near = NearestName(name, std::vector<std::string_view>(names.begin(), names.end()));
  return Failure(Code::kBadUsage, fmt::format("{} has no value '{}'", report.file, name),
                 near.empty()
                     ? fmt::format("`dimwise show {}` lists the nodes with their results", report.file)
                     : fmt::format("did you mean {}?", near));
}

}  // namespace

Result<std::string> Explain(const ModelReport& report, std::string_view tensor, Colour colour) {
  std::string_view name = tensor;
  std::optional<int64_t> axis;
  ValueId value = report.names.FindValue(name);
  if (value == kNoValue) {
    axis = TakeAxis(name);
    value = report.names.FindValue(name);
  }
  if (value == kNoValue) {
    const std::vector<ValueId> inside = report.names.FindInside(name);
    if (inside.size() != 1) return NoSuchValue(report, name, inside);
    value = inside[0];
  }
  const Type type = report.type(value);
  if (!type.is_tensor()) {
    return fmt::format("'{}' is {}: it has no sizes\n", report.names.Value(value),
                       ToString(report.dims(), type));
  }
  if (!HasRank(type)) return Tracer(report, colour).TraceRank(value);
  const int rank = type.shape.rank();
  if (axis && (*axis < -rank || *axis >= rank)) {
    return Failure(Code::kBadUsage,
                   fmt::format("'{}' is {} and has no axis {}", name, ToString(report.dims(), type), *axis),
                   rank == 0 ? "it has no axes" : fmt::format("its axes are 0 .. {}", rank - 1));
  }
  if (axis) return Tracer(report, colour).Trace(value, static_cast<int>(*axis < 0 ? *axis + rank : *axis));
  if (rank == 0) return fmt::format("'{}' is {}: it has no axes\n", name, ToString(report.dims(), type));
  std::string text;
  for (int i = 0; i < rank; ++i) text += (i > 0 ? "\n" : "") + Tracer(report, colour).Trace(value, i);
  return text;
}

std::string ExplainCode(const CodeInfo& code, Colour colour) {
  std::string text = Painted(fmt::format("{} {}", CodeName(code.code), code.name), kBold, colour) + "\n\n";
  text += fmt::format("{}\n\n", code.meaning);
  text += fmt::format("{}  {}\n", Painted("Example", kFaint, colour), code.example);
  text += fmt::format("{}  {}\n", Painted("Way out", kFaint, colour), code.way_out);
  return text;
}

}  // namespace dimwise
