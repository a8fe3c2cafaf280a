#include "infer/engine/control/region_rule.h"

#include <algorithm>
#include <utility>

namespace dimwise {

Result<std::optional<std::vector<Type>>> RegionsOfNode::Infer(std::string_view attribute,
                                                              std::span<const Type> operands) {
  std::optional<std::vector<Type>> found;
  const RegionId region = c_.state.RegionAt(c_.node, attribute);
  if (region == kNoRegion) return found;
  DIMWISE_RETURN_IF_ERROR(c_.runner.RunRegion(region, operands, {}, RegionRuns::kMaybe));
  std::vector<Type>& outputs = found.emplace();
  for (const ValueId v : c_.graph().outputs(region))
    outputs.push_back(SeenFromOutside(c_.state, region, c_.state.type(v), c_.context));
  return found;
}

namespace {

class OutsideView {
 public:
  OutsideView(const ProgramState& state, RegionId region, InferenceContext* context)
      : state_(state), region_(region), context_(context) {}

  // `each`: the each-dimensions of the enclosing container; null if there is none.
  Type Of(const Type& type, std::vector<Dim>* each) {
    if (type.kind == TypeKind::kUnknown) return type;
    if (!type.is_tensor()) {
      Container container = *type.container;
      for (Type& element : container.elements) element = Of(element, &container.each);
      return context_->analysis().types().Make(std::move(container));
    }
    Type seen = type;
    if (type.shape.is_none()) return seen;
    if (!type.shape.has_rank()) {
      seen.shape = context_->UnknownShape(type.shape.min_rank(), type.shape.max_rank());
      return seen;
    }
    std::vector<Dim> sizes;
    for (const Dim d : type.shape.dims()) sizes.push_back(Of(d, each));
    seen.shape = context_->analysis().shapes().Make(sizes);
    return seen;
  }

 private:
  Dim Of(Dim d, std::vector<Dim>* each) {
    const bool is_each = each != nullptr && std::ranges::find(*each, d) != each->end();
    if (is_each || state_.IsInvariant(d, region_)) return d;
    const SizeBounds b = context_->facts().Bounds(d, state_.scope(region_), FactFilter::kWithoutAssumed);
    const Dim size = context_->UnknownDim(std::max<int64_t>(b.min.value_or(0), 0), b.max.value_or(INT64_MAX));
    if (each != nullptr) each->push_back(size);
    return size;
  }

  const ProgramState& state_;
  const RegionId region_;
  InferenceContext* const context_;
};

}  // namespace

Type SeenFromOutside(const ProgramState& state, RegionId region, const Type& type,
                     InferenceContext* context) {
  return OutsideView(state, region, context).Of(type, nullptr);
}

}  // namespace dimwise
