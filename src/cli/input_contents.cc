#include "cli/input_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/size_words.h"
#include "core/base/text_pieces.h"
#include "core/values/contents_text.h"
#include "dimwise/result_macros.h"

namespace dimwise {
namespace {

constexpr int kMaxNesting = 32;  // of lists; no real tensor has more axes

// The elements of nested lists, and the sizes of the tensor that they describe.
struct ListedElements {
  std::string flat;  // "1, N, 3, 4"
  int64_t count = 0;
  std::vector<int64_t> sizes;  // of the lists, from the outermost one; empty for a single element
};

bool IsList(std::string_view text) {
  return text.size() >= 2 &&
         ((text.front() == '[' && text.back() == ']') || (text.front() == '{' && text.back() == '}'));
}

Status AddElements(std::string_view text, size_t depth, ListedElements* listed) {
  text = Trimmed(text);
  if (text.starts_with('[') && !text.ends_with(']')) return BadUsage("a `]` is missing", {});
  if (!IsList(text)) {
    if (depth != listed->sizes.size()) return BadUsage("a list and an element stand side by side", {});
    listed->flat.append(listed->count == 0 ? "" : ", ").append(text);
    ++listed->count;
    return {};
  }
  if (depth == kMaxNesting) return BadUsage(fmt::format("more than {} lists are nested", kMaxNesting), {});
  std::vector<std::string_view> parts;
  for (std::string_view rest = Trimmed(text.substr(1, text.size() - 2)); !rest.empty();) {
    const size_t comma = FindOutside(rest, ",");
    parts.push_back(rest.substr(0, comma));
    rest = comma == rest.size() ? std::string_view() : Trimmed(rest.substr(comma + 1));
  }
  const auto size = static_cast<int64_t>(parts.size());
  if (depth == listed->sizes.size()) {
    if (listed->count > 0) return BadUsage("a list and an element stand side by side", {});
    listed->sizes.push_back(size);
  } else if (listed->sizes[depth] != size) {
    return BadUsage(
        fmt::format("lists of {} and of {} elements stand side by side", listed->sizes[depth], size), {});
  }
  for (const std::string_view part : parts) DIMWISE_RETURN_IF_ERROR(AddElements(part, depth + 1, listed));
  return {};
}

// Returns the shape of contents that are given for a tensor of shape `declared`.
Result<Shape> ShapeOfContents(Analysis& analysis, const ListedElements& listed, Shape declared) {
  const std::vector<Dim> sizes(listed.sizes.begin(), listed.sizes.end());
  if (declared.is_none() || !declared.has_rank()) return analysis.shapes().Make(sizes);
  const size_t nesting = listed.sizes.size();
  if (nesting <= 1 && declared.is_constant()) return declared;  // a flat list; the caller counts its elements
  if (nesting == 0 && declared.rank() == 1) return analysis.shapes().Make(std::vector<Dim>{1});
  if (declared.rank() != static_cast<int>(nesting)) {
    return BadUsage(fmt::format("the sizes of the input are {}, but the contents are {}",
                                ToString(analysis.dims(), declared),
                                nesting == 0 ? "one number" : fmt::format("nested {} deep", nesting)),
                    "a list of lists, such as [[1, 2], [3, 4]], has two axes");
  }
  for (size_t axis = 0; axis < nesting; ++axis) {
    const Dim size = declared.dims()[axis];
    if (!size.is_constant() || size == sizes[axis]) continue;
    return BadUsage(fmt::format("{} elements are given along axis {}, where the input has {}",
                                listed.sizes[axis], axis, size.constant()),
                    {});
  }
  return analysis.shapes().Make(sizes);
}

}  // namespace

Result<Value> ReadInputContents(Analysis& analysis, std::string_view text, Type* type,
                                std::vector<std::byte>* bytes) {
  if (Trimmed(text).empty()) return BadUsage("the contents are missing after =", {});
  ListedElements listed;
  DIMWISE_RETURN_IF_ERROR(AddElements(text, 0, &listed));
  Type whole = *type;
  DIMWISE_ASSIGN_OR_RETURN(whole.shape, ShapeOfContents(analysis, listed, type->shape));
  DIMWISE_ASSIGN_OR_RETURN(const Value contents,
                           ParseContents(analysis, fmt::format("[{}]", listed.flat), whole, bytes));
  if (contents.is_none()) {
    return BadUsage(
        fmt::format("contents of {} cannot be used", ToString(analysis.dims(), whole)),
        fmt::format("contents are integers, bools or floats; beyond {} elements, plain numbers of "
                    "8 to 64 bits",
                    ValueTable::kMaxElements));
  }
  *type = whole;
  return contents;
}

std::vector<SymbolInContents> SymbolsOfContents(const DimTable& dims, Value contents) {
  std::vector<SymbolInContents> symbols;
  if (contents.is_none() || contents.kind() == ValueKind::kBytes) return symbols;
  for (int64_t i = 0; i < contents.size(); ++i) {
    const Dim element =
        contents.kind() == ValueKind::kFloats ? contents.FloatingPoint(i).numerator : contents.Integer(i);
    if (!element.is_expression()) continue;
    for (const Dim symbol : dims.SymbolsOf(element)) {
      if (std::ranges::find(symbols, symbol, &SymbolInContents::symbol) == symbols.end())
        symbols.push_back({symbol, i});
    }
  }
  return symbols;
}

}  // namespace dimwise
