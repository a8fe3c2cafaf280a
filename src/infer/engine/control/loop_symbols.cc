#include "infer/engine/control/loop_symbols.h"

#include "core/base/hash_mix.h"

namespace dimwise {
namespace {

constexpr size_t kLengthAxis = 0xFF;  // larger than any axis

uint32_t RoleOf(uint32_t range, size_t state, size_t index) {
  return range | static_cast<uint32_t>(state << 8) | static_cast<uint32_t>(index);
}

}  // namespace

Dim LoopSymbols::Create(uint32_t role, int64_t min) const {
  const NodeDescription& n = context_->node();
  return context_->dims().Fresh(SymbolKey{n.path, n.owner, role}, min, INT64_MAX, context_->Origin());
}

Dim LoopSymbols::Size(size_t state, size_t axis) const { return Create(RoleOf(kSizeRole, state, axis), 0); }

Dim LoopSymbols::Length(size_t state) const { return Size(state, kLengthAxis); }

Dim LoopSymbols::Element(size_t state, size_t element) const {
  return Create(RoleOf(kElementRole, state, element), INT64_MIN);
}

Dim LoopSymbols::BoundedElement(size_t state, size_t element, int64_t least) const {
  const NodeDescription& n = context_->node();
  const SymbolKey key{HashMix(n.path, static_cast<uint64_t>(least)), n.owner,
                      RoleOf(kBoundedRole, state, element)};
  return context_->dims().Fresh(key, least, INT64_MAX, context_->Origin());
}

Dim LoopSymbols::Trip() const { return Create(kTripRole, 0); }

Dim LoopSymbols::TripCount() const { return Create(kTripCountRole, 0); }

}  // namespace dimwise
