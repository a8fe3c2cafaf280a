// The key of an unknown that a node creates. If the node requests the same unknown again, it gets the same
// symbol.
#ifndef DIMWISE_INFER_CONTEXT_UNKNOWN_KEY_H_
#define DIMWISE_INFER_CONTEXT_UNKNOWN_KEY_H_

#include <cstdint>

#include "core/base/hash_mix.h"
#include "dimwise/dim.h"
#include "dimwise/node_description.h"

namespace dimwise {

// Bounds are part of the key. A request with other bounds means that something has changed, so it gets a new
// symbol.
inline SymbolKey KeyOfUnknown(const NodeDescription& node, uint32_t role, int64_t min, int64_t max) {
  const bool plain = min == 0 && max == INT64_MAX;
  const uint64_t bounds = HashMix(static_cast<uint64_t>(min), static_cast<uint64_t>(max));
  const UnknownIdentity identity = node.unknowns();
  return {plain ? identity.path : HashMix(identity.path, bounds), identity.owner, role};
}

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_UNKNOWN_KEY_H_
