#include "infer/operators/functions/larger_contents.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/contents_limit.h"
#include "core/element_count.h"
#include "core/known_parts.h"
#include "dimwise/inference_context.h"

namespace dimwise {
namespace {

constexpr int64_t kLargestMask = 2048;
constexpr std::string_view kMaskOperators[] = {"NonZero", "Trilu"};

// Whether something is known of the elements of the first operand, which are too many to be looked at but for
// this.
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

}  // namespace

ShapeFn WithLargerContents(std::string_view op, ShapeFn rule) {
  if (!std::ranges::count(kMaskOperators, op)) return rule;
  return [rule = std::move(rule)](InferenceContext* c) -> Status {
    if (!IsLargerMask(c)) return rule(c);
    const ContentsLimit limit(kLargestMask);
    return rule(c);
  };
}

}  // namespace dimwise
