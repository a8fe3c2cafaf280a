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

std::string SizeTrace::Trace(const SizePlace& place) {
  const Dim size = SizeAt(report_, place);
  const std::string what =
      place.in_contents ? Name(place.value) : fmt::format("{}[{}]", Name(place.value), place.index);
  std::string head = fmt::format("{} is {}: {}\n", Painted(what, kBold, colour_),
                                 Painted(dims_.ToString(size), kCyan, colour_), Where(place));
  Follow(place, 1);
  PrintFacts(place);
  return Take(std::move(head));
}

std::string SizeTrace::TraceSymbol(Dim symbol, const SizePlace& place) {
  std::string head = fmt::format("{} is {}{}\n", Painted(dims_.NameOf(symbol), kBold, colour_),
                                 SizeAt(report_, place) == symbol ? "" : "a part of ", Where(place));
  Follow(place, 1);
  return Take(std::move(head));
}

std::string SizeTrace::TraceRank(ValueId value) {
  std::string head = fmt::format("{} is {}: how many axes it has is not known\n",
                                 Painted(Name(value), kBold, colour_), TypeOf(value));
  const UnknownOrigin origin = OriginOfNoRank(report_, value);
  PrintThrough(origin, 1);
  if (graph_.role(origin.value) != ValueRole::kResult) {
    PrintEnd({origin.value, false, 0}, 1);
  } else {
    const NodeId node = graph_.maker(origin.value);
    PrintItems(NodeText(node) + " computes it from", ItemsOfOperands(node, {.is_made = true}, Dim()), 1);
    PrintFindings(node, 1);
  }
  return Take(std::move(head));
}

void SizeTrace::Follow(SizePlace place, int depth) {
  std::vector<NodeId> kept;  // consecutive nodes that keep the size on its axis
  while (true) {
    if (++steps_ > kMaxSteps || depth > kMaxDepth) {
      PrintKept(kept, place, depth);
      return Add(depth, "... and so on");
    }
    if (IsEnd(place.value) || graph_.role(place.value) != ValueRole::kResult) {
      PrintKept(kept, place, depth);
      const std::optional<SizePlace> outside = PrintEnd(place, depth);
      if (!outside) return;
      place = *outside;
      continue;
    }
    if (!told_.emplace(place.value, place.in_contents, place.index).second) {
      PrintKept(kept, place, depth);
      if (!lines_.empty()) lines_.back().text += ", as above";
      return;
    }
    const NodeId node = graph_.maker(place.value);
    if (IsDeclared(place)) {
      PrintKept(kept, place, depth);
      return Add(depth, fmt::format("the file declares it: no rule says what {} gives", NodeText(node)));
    }
    const SizeOrigin origin = OriginOf(place);
    const std::optional<SizePlace>& taken = origin.taken;
    if (taken && !taken->in_contents && !place.in_contents && taken->index == place.index) {
      kept.push_back(node);
      place = *taken;
      continue;
    }
    PrintKept(kept, place, depth);
    if (taken) {
      Add(depth, fmt::format("{} takes it from {}", NodeText(node), Where(*taken)));
      place = *taken;
      continue;
    }
    const std::optional<SizePlace> next = TellComputation(place, origin, depth);
    if (!next) return;
    place = *next;
  }
}

SizeOrigin SizeTrace::OriginOf(const SizePlace& place) const {
  if (std::optional<SizeOrigin> origin = OriginOfSize(report_, place)) return *std::move(origin);
  const std::vector<SizePlace> inside = PlacesInRegions(report_, place);
  if (inside.size() == 1) return {.taken = inside[0]};
  if (!inside.empty()) return {.from = inside};
  const NodeId node = graph_.maker(place.value);
  if (const std::optional<SizePlace> same = SameElsewhere(node, place)) return {.taken = same};
  return OriginBySymbols(node, SizeAt(report_, place));
}

// Returns an operand with the same symbolic size, preferably on the same axis. Equal numbers may be a
// coincidence.
std::optional<SizePlace> SizeTrace::SameElsewhere(NodeId node, const SizePlace& place) const {
  const Dim size = SizeAt(report_, place);
  if (!size.is_expression()) return std::nullopt;
  std::optional<SizePlace> found;
  for (const ValueId operand : graph_.operands(node)) {
    if (operand == kNoValue) continue;
    const Type type = report_.type(operand);
    if (!type.is_tensor() || !HasRank(type)) continue;
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      if (type.shape[axis] != size) continue;
      if (!place.in_contents && axis == place.index) return SizePlace{operand, false, axis};
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
std::optional<SizePlace> SizeTrace::Mention(ValueId operand, const std::vector<Dim>& symbols) const {
  const auto mentions = [&](Dim d) {
    return d.is_expression() && std::ranges::any_of(dims_.SymbolsOf(d), [&](Dim symbol) {
             return std::ranges::find(symbols, symbol) != symbols.end();
           });
  };
  const Type type = report_.type(operand);
  if (type.is_tensor() && HasRank(type)) {
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      if (mentions(type.shape[axis])) return SizePlace{operand, false, axis};
    }
  }
  const Value contents = report_.inference.contents(operand);
  if (contents.is_none() || contents.size() > ValueTable::kMaxElements) return std::nullopt;
  for (int64_t i = 0; i < contents.size(); ++i) {
    if (mentions(SizeAt(report_, {operand, true, i}))) return SizePlace{operand, true, i};
  }
  return std::nullopt;
}

// Returns whether the operator is unknown, so that the size is what the file declares.
bool SizeTrace::IsDeclared(const SizePlace& place) const {
  const NodeId maker = graph_.maker(place.value);
  if (FindRegistration(report_.inference.registry(), graph_, maker) != nullptr) return false;
  if (graph_.FindFunction(graph_.op_name(maker)) != nullptr) return false;
  const Type declared = graph_.declared(place.value);
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
bool SizeTrace::IsFollowed(const SizePlace& place, Dim size) const {
  return !IsEnd(place.value) && (size.is_constant() || SizeAt(report_, place).is_expression());
}

SizeTrace::Item SizeTrace::ItemOf(std::span<const SizePlace> places) const {
  const ValueId value = places[0].value;
  Item item{.text = Where(places[0])};
  if (places.size() > 1 && !places[0].in_contents) {
    std::vector<int64_t> axes;
    for (const SizePlace& place : places) axes.push_back(place.index);
    item.text = fmt::format("axes {} of '{}' {}", fmt::join(axes, ", "), Name(value), TypeOf(value));
  }
  item.text += EndText(value);
  return item;
}

std::vector<SizeTrace::Item> SizeTrace::ItemsOf(const SizePlace& place, const SizeOrigin& origin) const {
  const NodeId node = graph_.maker(place.value);
  const Dim size = SizeAt(report_, place);
  if (origin.is_made || (origin.is_guess && origin.from.empty())) return ItemsOfOperands(node, origin, size);
  std::vector<Item> items;
  for (const ValueId operand : origin.ranks) {
    items.push_back({.text = fmt::format("how many axes '{}' {} has", Name(operand), TypeOf(operand))});
  }
  std::vector<SizePlace> together;                        // of one value, not followed
  const auto is_printed = [&](const SizePlace& source) {  // contents are shown whole
    return source.in_contents && std::ranges::find(items, Where(source), &Item::text) != items.end();
  };
  const auto finish = [&] {
    if (!together.empty() && !is_printed(together[0])) items.push_back(ItemOf(together));
    together.clear();
  };
  for (const SizePlace& source : origin.from) {
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
    const auto source = std::ranges::find(origin.from, operand, &SizePlace::value);
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
    const std::optional<SizePlace> place = Mention(operand, symbols);
    if (!place) continue;
    origin.from.push_back(*place);
    for (const Dim symbol : dims_.SymbolsOf(SizeAt(report_, *place))) std::erase(symbols, symbol);
  }
  origin.is_made = std::ranges::any_of(symbols, [&](Dim s) { return !dims_.GetSymbol(s).of_user; });
  return origin;
}

std::optional<SizePlace> SizeTrace::TellComputation(const SizePlace& place, const SizeOrigin& origin,
                                                    int depth) {
  const NodeId node = graph_.maker(place.value);
  const std::string who = NodeText(node) + AttrsText(node, origin);
  std::vector<Item> items = ItemsOf(place, origin);
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
std::optional<SizePlace> SizeTrace::PrintItems(std::string head, std::vector<Item> items, int depth) {
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
