#include "infer/engine/region_rule.h"

#include <algorithm>

#include "infer/engine/engine.h"

namespace dimwise {

Result<std::optional<std::vector<Type>>> RegionsOfNode::Infer(std::string_view attribute,
                                                              std::span<const Type> operands) {
  std::optional<std::vector<Type>> found;
  const RegionId region = engine_.FindRegion(node_, attribute);
  if (region == kNoRegion) return found;
  DIMWISE_RETURN_IF_ERROR(engine_.RunRegion(region, operands, {}, RegionRuns::kMaybe));
  std::vector<Type>& given = found.emplace();
  for (const ValueId v : engine_.graph().outputs(region))
    given.push_back(SeenFromOutside(engine_, region, engine_.type(v), context_));
  return found;
}

namespace {

// `each`: the sizes that each element of the container around has for itself, or null.
Type Seen(Engine& engine, RegionId region, const Type& type, std::vector<Dim>* each,
          InferenceContext* context) {
  if (type.kind == TypeKind::kUnknown) return type;
  if (!type.is_tensor()) {
    Container container = *type.container;
    for (Type& element : container.elements)
      element = Seen(engine, region, element, &container.each, context);
    return context->analysis().types().Make(std::move(container));
  }
  Type seen = type;
  if (type.shape.is_none()) return seen;
  if (!type.shape.has_rank()) {
    seen.shape = context->UnknownShape(type.shape.min_rank(), type.shape.max_rank());
    return seen;
  }
  std::vector<Dim> sizes;
  for (const Dim d : type.shape.dims()) {
    const bool own = each != nullptr && std::ranges::find(*each, d) != each->end();
    if (own || engine.IsInvariant(d, region)) {
      sizes.push_back(d);
      continue;
    }
    const SizeBounds b = context->facts().Bounds(d, engine.scope(region), Trust::kWithoutAssumed);
    sizes.push_back(context->UnknownDim(std::max<int64_t>(b.min.value_or(0), 0), b.max.value_or(INT64_MAX)));
    if (each != nullptr) each->push_back(sizes.back());
  }
  seen.shape = context->analysis().shapes().Make(sizes);
  return seen;
}

}  // namespace

Type SeenFromOutside(Engine& engine, RegionId region, const Type& type, InferenceContext* context) {
  return Seen(engine, region, type, nullptr, context);
}

}  // namespace dimwise
