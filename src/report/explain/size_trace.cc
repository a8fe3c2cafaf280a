#include "report/explain/size_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "infer/operators/node_properties.h"
#include "report/explain/region_origin.h"

namespace dimwise {
namespace {

constexpr int kFlatDepth = 7;  // deeper lines are indented only at forks
constexpr int kMaxDepth = 15;
constexpr size_t kMaxSteps = 10'000;

}  // namespace

ExplainedSize SizeTrace::Trace(const SizeLocation& location) {
  std::string subject = location.in_contents ? Name(location.value)
                                             : fmt::format("{}[{}]", Name(location.value), location.index);
  Follow(location, 1);
  PrintFacts(location);
  return {std::move(subject), SizeAt(report_, location), Where(location), std::move(steps_)};
}

ExplainedSize SizeTrace::TraceSymbol(Dim symbol, const SizeLocation& location) {
  Follow(location, 1);
  return {std::string(dims_.NameOf(symbol)), Dim(),
          (SizeAt(report_, location) == symbol ? "" : "a part of ") + Where(location), std::move(steps_)};
}

ExplainedSize SizeTrace::TraceRank(ValueId value) {
  const UnknownOrigin origin = OriginOfNoRank(report_, value);
  PrintThrough(origin, 1);
  if (graph_.role(origin.value) != ValueRole::kResult) {
    PrintEnd({origin.value, false, 0}, 1);
  } else {
    const NodeId node = graph_.maker(origin.value);
    PrintItems(NodeText(node) + " computes it from", ItemsOfOperands(node, {.is_made = true}, Dim()), 1);
    PrintFindings(node, 1);
  }
  return {Name(value), Dim(), TypeOf(value) + ": its rank is unknown", std::move(steps_)};
}

void SizeTrace::Follow(SizeLocation location, int depth) {
  std::vector<NodeId> kept;  // consecutive nodes that keep the size on its axis
  while (true) {
    if (++step_count_ > kMaxSteps || depth > kMaxDepth) {
      PrintKept(kept, location, depth);
      return Add(depth, "... and so on");
    }
    if (IsEnd(location.value) || graph_.role(location.value) != ValueRole::kResult) {
      PrintKept(kept, location, depth);
      const std::optional<SizeLocation> outside = PrintEnd(location, depth);
      if (!outside) return;
      location = *outside;
      continue;
    }
    if (!explained_.emplace(location.value, location.in_contents, location.index).second) {
      PrintKept(kept, location, depth);
      if (!steps_.empty()) steps_.back().text += ", as above";
      return;
    }
    const NodeId node = graph_.maker(location.value);
    if (IsDeclared(location)) {
      PrintKept(kept, location, depth);
      return Add(depth, fmt::format("the file declares it: there is no rule for {}", NodeText(node)));
    }
    const SizeOrigin origin = OriginOf(location);
    const std::optional<SizeLocation>& taken = origin.taken;
    if (taken && !taken->in_contents && !location.in_contents && taken->index == location.index) {
      kept.push_back(node);
      location = *taken;
      continue;
    }
    PrintKept(kept, location, depth);
    if (taken) {
      Add(depth, fmt::format("{} takes it from {}", NodeText(node), Where(*taken)));
      location = *taken;
      continue;
    }
    const std::optional<SizeLocation> next = RenderComputation(location, origin, depth);
    if (!next) return;
    location = *next;
  }
}

SizeOrigin SizeTrace::OriginOf(const SizeLocation& location) const {
  if (std::optional<SizeOrigin> origin = OriginOfSize(report_, location)) return *std::move(origin);
  const std::vector<SizeLocation> inside = LocationsInRegions(report_, location);
  if (inside.size() == 1) return {.taken = inside[0]};
  if (!inside.empty()) return {.from = inside};
  const NodeId node = graph_.maker(location.value);
  if (const std::optional<SizeLocation> same = SameElsewhere(node, location)) return {.taken = same};
  return OriginBySymbols(node, SizeAt(report_, location));
}

// Returns an operand with the same symbolic size, preferably on the same axis. Equal numbers may be a
// coincidence.
std::optional<SizeLocation> SizeTrace::SameElsewhere(NodeId node, const SizeLocation& location) const {
  const Dim size = SizeAt(report_, location);
  if (!size.is_expression()) return std::nullopt;
  std::optional<SizeLocation> found;
  for (const ValueId operand : graph_.operands(node)) {
    if (operand == kNoValue) continue;
    const Type type = report_.type(operand);
    if (!type.is_tensor() || !HasRank(type)) continue;
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      if (type.shape[axis] != size) continue;
      if (!location.in_contents && axis == location.index) return SizeLocation{operand, false, axis};
      if (!found) found = {operand, false, axis};
    }
    const Value contents = report_.inference.contents(operand);
    if (found || contents.is_none() || contents.size() > ValueTable::kMaxElements) continue;
    for (int64_t i = 0; i < contents.size() && !found; ++i) {
      if (SizeAt(report_, {operand, true, i}) == size) found = {operand, true, i};
    }
  }
  return found;
}

// Returns a position in the operand that contains one of the symbols.
std::optional<SizeLocation> SizeTrace::Mention(ValueId operand, const std::vector<Dim>& symbols) const {
  const auto mentions = [&](Dim d) {
    return d.is_expression() && std::ranges::any_of(dims_.SymbolsOf(d), [&](Dim symbol) {
             return std::ranges::find(symbols, symbol) != symbols.end();
           });
  };
  const Type type = report_.type(operand);
  if (type.is_tensor() && HasRank(type)) {
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      if (mentions(type.shape[axis])) return SizeLocation{operand, false, axis};
    }
  }
  const Value contents = report_.inference.contents(operand);
  if (contents.is_none() || contents.size() > ValueTable::kMaxElements) return std::nullopt;
  for (int64_t i = 0; i < contents.size(); ++i) {
    if (mentions(SizeAt(report_, {operand, true, i}))) return SizeLocation{operand, true, i};
  }
  return std::nullopt;
}

// Returns whether the operator is unknown, so that the size is what the file declares.
bool SizeTrace::IsDeclared(const SizeLocation& location) const {
  const NodeId maker = graph_.maker(location.value);
  if (FindRegistration(report_.inference.registry(), graph_, maker) != nullptr) return false;
  if (graph_.FindFunction(graph_.op_name(maker)) != nullptr) return false;
  const Type declared = graph_.declared(location.value);
  return declared.is_tensor() && HasRank(declared);
}

bool SizeTrace::Computes(NodeId node, Computation computation) const {
  const OpRegistrationData* op = FindRegistration(report_.inference.registry(), graph_, node);
  return op != nullptr && op->def.properties.computes == computation;
}

bool SizeTrace::IsEnd(ValueId value) const {
  switch (graph_.role(value)) {
    case ValueRole::kResult:
      return Computes(graph_.maker(value), Computation::kConstant);
    case ValueRole::kInput:
      return graph_.region(value) == graph_.body();
    default:
      return true;
  }
}

// Returns whether to follow an origin: for a symbolic size, only if the origin is symbolic too.
bool SizeTrace::IsFollowed(const SizeLocation& location, Dim size) const {
  return !IsEnd(location.value) && (size.is_constant() || SizeAt(report_, location).is_expression());
}

SizeTrace::Item SizeTrace::ItemOf(std::span<const SizeLocation> locations) const {
  const ValueId value = locations[0].value;
  Item item{.text = Where(locations[0])};
  if (locations.size() > 1 && !locations[0].in_contents) {
    std::vector<int64_t> axes;
    for (const SizeLocation& location : locations) axes.push_back(location.index);
    item.text = fmt::format("axes {} of '{}' {}", fmt::join(axes, ", "), Name(value), TypeOf(value));
  }
  item.text += EndText(value);
  return item;
}

std::vector<SizeTrace::Item> SizeTrace::ItemsOf(const SizeLocation& location,
                                                const SizeOrigin& origin) const {
  const NodeId node = graph_.maker(location.value);
  const Dim size = SizeAt(report_, location);
  if (origin.is_made || (origin.is_guess && origin.from.empty())) return ItemsOfOperands(node, origin, size);
  std::vector<Item> items;
  for (const ValueId operand : origin.ranks) {
    items.push_back({.text = fmt::format("how many axes '{}' {} has", Name(operand), TypeOf(operand))});
  }
  std::vector<SizeLocation> together;                        // of one value, not followed
  const auto is_printed = [&](const SizeLocation& source) {  // contents are shown whole
    return source.in_contents && std::ranges::find(items, Where(source), &Item::text) != items.end();
  };
  const auto finish = [&] {
    if (!together.empty() && !is_printed(together[0])) items.push_back(ItemOf(together));
    together.clear();
  };
  for (const SizeLocation& source : origin.from) {
    if (!together.empty() &&
        (together[0].value != source.value || together[0].in_contents != source.in_contents))
      finish();
    if (!IsFollowed(source, size)) {
      together.push_back(source);
      continue;
    }
    Item item = ItemOf({&source, 1});
    if (is_printed(source)) item.text = fmt::format("element {} of it", source.index);
    item.next = source;
    items.push_back(std::move(item));
  }
  finish();
  return items;
}

// Lists all operands, for sizes that depend on data or are not a size of an operand.
std::vector<SizeTrace::Item> SizeTrace::ItemsOfOperands(NodeId node, const SizeOrigin& origin,
                                                        Dim size) const {
  std::vector<Item> items;
  std::set<ValueId> seen;
  for (const ValueId operand : graph_.operands(node)) {
    if (operand == kNoValue || !seen.insert(operand).second) continue;
    const auto source = std::ranges::find(origin.from, operand, &SizeLocation::value);
    Item item{.text = source != origin.from.end() ? Where(*source) : DescribedInShort(operand)};
    if (origin.is_made && IsUnknownNumbers(report_, operand)) item.unknown = operand;
    if (source != origin.from.end() && IsFollowed(*source, size)) {
      item.next = *source;
    } else if (item.unknown == kNoValue) {
      item.text += EndText(operand);
    }
    items.push_back(std::move(item));
  }
  return items;
}

// Guesses the origin from the symbols that the operands share with the size, if the operator cannot be
// evaluated.
SizeOrigin SizeTrace::OriginBySymbols(NodeId node, Dim size) const {
  SizeOrigin origin{.is_guess = true};
  std::vector<Dim> symbols;
  if (size.is_expression()) {
    const std::span<const Dim> all = dims_.SymbolsOf(size);
    symbols.assign(all.begin(), all.end());
  }
  for (const ValueId operand : graph_.operands(node)) {
    if (operand == kNoValue) continue;
    const std::optional<SizeLocation> location = Mention(operand, symbols);
    if (!location) continue;
    origin.from.push_back(*location);
    for (const Dim symbol : dims_.SymbolsOf(SizeAt(report_, *location))) std::erase(symbols, symbol);
  }
  origin.is_made = std::ranges::any_of(symbols, [&](Dim s) { return !dims_.GetSymbol(s).of_user; });
  return origin;
}

std::optional<SizeLocation> SizeTrace::RenderComputation(const SizeLocation& location,
                                                         const SizeOrigin& origin, int depth) {
  const NodeId node = graph_.maker(location.value);
  const std::string who = NodeText(node) + AttrsText(node, origin);
  std::vector<Item> items = ItemsOf(location, origin);
  if (items.empty()) {
    Add(depth, who + " makes it");
    return std::nullopt;
  }
  const OpRegistrationData* op = FindRegistration(report_.inference.registry(), graph_, node);
  const bool is_branch = op != nullptr && !origin.from.empty() &&
                         op->def.properties.control_flow.kind == ControlFlow::Kind::kBranch;
  const std::string_view does = is_branch        ? " takes it from one of"
                                : origin.is_made ? " computes it at run time from"
                                                 : " computes it from";
  return PrintItems(fmt::format("{}{}", who, does), std::move(items), depth);
}

// Prints the items. Returns the position to continue with if there is only one and the indentation must not
// grow. That item is printed last, so that the lines that follow are about it.
std::optional<SizeLocation> SizeTrace::PrintItems(std::string head, std::vector<Item> items, int depth) {
  if (items.size() == 1) {
    Add(depth, head + " " + items[0].text);
    if (items[0].unknown != kNoValue) PrintUnknown(items[0].unknown, depth);
    return items[0].next;
  }
  const auto goes_on = [](const Item& item) { return item.next || item.unknown != kNoValue; };
  const bool is_fork = std::ranges::count_if(items, goes_on) > 1;
  if (!is_fork)
    std::stable_partition(items.begin(), items.end(), [&](const Item& item) { return !goes_on(item); });
  const bool is_flat = depth >= kFlatDepth && !is_fork;
  Add(depth, std::move(head));
  for (const Item& item : items) {
    Add(depth + 1, item.text);
    const int below = is_flat ? depth : depth + 2;
    if (item.unknown != kNoValue) PrintUnknown(item.unknown, below);
    if (item.next && is_flat) return item.next;
    if (item.next) Follow(*item.next, below);
  }
  return std::nullopt;
}

}  // namespace dimwise
