#include "native_ops/onnx/larger_contents.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/types/element_count.h"
#include "core/types/known_parts.h"
#include "core/values/contents_limit.h"
#include "dimwise/inference_context.h"

namespace dimwise {
namespace {

constexpr int64_t kLargestMask = 2048;
constexpr int64_t kMostCounted = int64_t{1} << 20;  // elements of a constant
constexpr std::string_view kMaskOperators[] = {"NonZero", "Trilu"};

// Returns whether the elements of the first operand are partly known, and too many for the usual limit.
bool IsLargerMask(InferenceContext* c) {
  const Value mask = c->input_tensor(0);
  if (mask.is_none() && mask.every().is_none()) return false;
  const Type& type = c->full_input_type(0);
  if (!IsRanked(type) || !type.shape.is_constant()) return false;
  std::vector<int64_t> sizes;
  for (const Dim d : type.shape.dims()) sizes.push_back(d.constant());
  const int64_t count = ElementCount(sizes).value_or(INT64_MAX);
  return count > ValueTable::kMaxElements && count <= kLargestMask;
}

// Returns the flat indices of the nonzero elements of a constant, or nullopt if an element cannot be read.
std::optional<std::vector<int64_t>> NonzeroIndices(Value mask) {
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < mask.size(); ++i) {
    const bool is_float = IsFloat(mask.element());
    const std::optional<int64_t> whole = is_float ? std::nullopt : mask.ConstantInteger(i);
    const std::optional<double> number =
        is_float ? mask.FloatingPoint(i).constant() : std::optional<double>(whole);
    if (!number) return std::nullopt;
    if (*number != 0) indices.push_back(i);
  }
  return indices;
}

// Counts the nonzero elements of a constant with more elements than a rule can read.
Status CountNonZero(InferenceContext* c) {
  const Value mask = c->input_tensor(0);
  const std::optional<std::vector<int64_t>> indices = NonzeroIndices(mask);
  if (!indices) return {};
  const int64_t rank = mask.rank(), count = std::ssize(*indices);
  c->set_output(0, c->analysis().shapes().Make({{Dim(rank), Dim(count)}}));
  if (rank * count > ValueTable::kMaxElements) return {};
  std::vector<Dim> rows(static_cast<size_t>(rank * count));
  int64_t stride = 1;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    const int64_t size = mask.dims()[static_cast<size_t>(axis)];
    for (int64_t i = 0; i < count; ++i)
      rows[static_cast<size_t>(axis * count + i)] = (*indices)[static_cast<size_t>(i)] / stride % size;
    stride *= size;
  }
  const int64_t sizes[] = {rank, count};
  c->set_output_value(0, c->analysis().values().Integers(ElementType::kI64, sizes, rows));
  return {};
}

bool IsLargeConstant(Value mask) {
  return mask.kind() == ValueKind::kBytes && mask.size() > kLargestMask && mask.size() <= kMostCounted;
}

}  // namespace

ShapeFn WithLargerContents(std::string_view op, ShapeFn rule) {
  if (!std::ranges::count(kMaskOperators, op)) return rule;
  return [rule = std::move(rule), counts = op == "NonZero"](InferenceContext* c) -> Status {
    if (counts && IsLargeConstant(c->input_tensor(0))) {
      DIMWISE_RETURN_IF_ERROR(rule(c));
      return CountNonZero(c);
    }
    if (!IsLargerMask(c)) return rule(c);
    const ContentsLimit limit(kLargestMask);
    return rule(c);
  };
}

}  // namespace dimwise
