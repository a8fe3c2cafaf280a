#include "cli/size_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/base/failure.h"
#include "core/base/nearest_name.h"
#include "dimwise/result_macros.h"

namespace dimwise {

Unexpected BadUsage(std::string message, std::string help) {
  return Failure(Code::kBadUsage, std::move(message), std::move(help));
}

std::string Suggestion(std::string_view name, const std::vector<std::string_view>& known,
                       const Listed& listed) {
  constexpr size_t kShort = 2;  // names this short are similar to all others of their length
  const std::string_view near = NearestName(name, known);
  if (!near.empty() && (name.size() > kShort || EditDistance(name, near, 1) == 0)) {
    return fmt::format("did you mean {}?", near);
  }
  if (known.empty()) return std::string(listed.none);
  const std::vector<std::string_view> first(
      known.begin(), known.begin() + static_cast<ptrdiff_t>(std::min<size_t>(known.size(), 8)));
  return fmt::format("{} {}{}", known.size() == 1 ? listed.only : listed.all, fmt::join(first, ", "),
                     known.size() > first.size() ? ", ..." : "");
}

Result<Assignment> TakeApart(std::string_view text, std::string_view option, std::string_view example) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return BadUsage(fmt::format("{}{}{} has no value after =", option, option.empty() ? "" : " ", text),
                    fmt::format("for example: {}", example));
  }
  return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

std::optional<int64_t> SizeOf(std::string_view text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number < 0) return std::nullopt;
  return number;
}

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<int64_t> ReadSize(std::string_view text, std::string_view word, std::string_view example) {
  if (const std::optional<int64_t> number = SizeOf(text)) return *number;
  if (IsDigits(text)) return BadUsage(fmt::format("{}: {} is too large for a size", word, text), {});
  return BadUsage(fmt::format("{}: a size is a number >= 0, not '{}'", word, text),
                  fmt::format("for example: {}", example));
}

Result<ValueId> FindInput(const Graph& graph, std::string_view name, std::string_view word) {
  const std::span<const ValueId> inputs = graph.inputs(graph.body());
  const auto it = std::ranges::find(inputs, name, [&](ValueId v) { return graph.name(v); });
  if (it != inputs.end()) return *it;
  std::vector<std::string_view> names;
  for (const ValueId v : inputs) names.push_back(graph.name(v));
  return BadUsage(fmt::format("the model has no input '{}', as in {}", name, word),
                  Suggestion(name, names, kInputs));
}

namespace {

Result<Shape> ShapeOfInput(const Graph& graph, ValueId input) {
  const Type type = graph.declared(input);
  if (type.kind != TypeKind::kUnknown && !type.is_tensor()) {
    return BadUsage(fmt::format("input '{}' is not a tensor, so it has no axes", graph.name(input)), {});
  }
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) {
    return BadUsage(
        fmt::format("the file does not declare the number of axes of input '{}'", graph.name(input)),
        "declare a shape in the program that exports the model");
  }
  return type.shape;
}

std::vector<std::string_view> Pieces(std::string_view list) {
  std::vector<std::string_view> pieces;
  for (size_t comma = 0; comma != std::string_view::npos;) {
    comma = list.find(',');
    std::string_view piece = list.substr(0, comma);
    while (piece.starts_with(' ')) piece.remove_prefix(1);
    while (piece.ends_with(' ')) piece.remove_suffix(1);
    pieces.push_back(piece);
    if (comma != std::string_view::npos) list.remove_prefix(comma + 1);
  }
  return pieces;
}

}  // namespace

bool NamesAxis(const Graph& graph, std::string_view name) {
  if (!name.ends_with(']') || name.find('[') == std::string_view::npos) return false;
  // An input may itself be called x[0].
  return std::ranges::none_of(graph.inputs(graph.body()), [&](ValueId v) { return graph.name(v) == name; });
}

Result<std::vector<InputAxis>> ReadInputAxes(const Graph& graph, std::string_view text,
                                             const std::string& option, std::string_view example) {
  DIMWISE_ASSIGN_OR_RETURN(const Assignment given, TakeApart(text, option, example));
  const std::string word = fmt::format("{} {}", option, text);
  std::vector<InputAxis> axes;
  if (NamesAxis(graph, given.name)) {
    const size_t open = given.name.rfind('[');
    DIMWISE_ASSIGN_OR_RETURN(const ValueId input, FindInput(graph, given.name.substr(0, open), word));
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, ShapeOfInput(graph, input));
    const std::string_view digits = given.name.substr(open + 1, given.name.size() - open - 2);
    int axis = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), axis);
    const int rank = shape.rank();
    if (error != std::errc() || stop != digits.data() + digits.size() || axis < -rank || axis >= rank) {
      return BadUsage(fmt::format("input '{}' has no axis {}, as in {}", graph.name(input), digits, word),
                      rank == 0 ? std::string("it is a scalar")
                                : fmt::format("its axes are 0 to {}: {}", rank - 1,
                                              ToString(graph.analysis().dims(), graph.declared(input))));
    }
    axes.push_back({input, axis < 0 ? axis + rank : axis, given.value});
    return axes;
  }
  DIMWISE_ASSIGN_OR_RETURN(const ValueId input, FindInput(graph, given.name, word));
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, ShapeOfInput(graph, input));
  std::string_view sizes = given.value;
  if (sizes.starts_with('[') && sizes.ends_with(']')) sizes = sizes.substr(1, sizes.size() - 2);
  const std::vector<std::string_view> pieces = Pieces(sizes);
  if (pieces.size() != static_cast<size_t>(shape.rank())) {
    return BadUsage(fmt::format("{} has {} sizes, but '{}' is {}", word, pieces.size(), given.name,
                                ToString(graph.analysis().dims(), graph.declared(input))),
                    fmt::format("for example: {}", example));
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] != "_") axes.push_back({input, static_cast<int>(i), pieces[i]});
  }
  return axes;
}

std::vector<Dim> SymbolsOfInputs(const Graph& graph) {
  std::vector<Dim> symbols;
  for (const ValueId input : graph.inputs(graph.body())) {
    const Type type = graph.declared(input);
    if (!type.is_tensor() || type.shape.is_none()) continue;
    for (const Dim size : type.shape.dims()) {
      if (!size.is_expression()) continue;
      for (const Dim symbol : graph.analysis().dims().SymbolsOf(size)) {
        if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(symbol);
      }
    }
  }
  return symbols;
}

}  // namespace dimwise
