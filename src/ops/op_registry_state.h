// The contents of a registry. The builder fills it; afterwards it is constant, except that lazy definitions
// are completed on first use. Their set, name, since and until are set from the beginning and never written
// again.
#ifndef DIMWISE_OPS_OP_REGISTRY_STATE_H_
#define DIMWISE_OPS_OP_REGISTRY_STATE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/op_registry.h"
#include "tsl/robin_map.h"

namespace dimwise {

inline bool SameOperator(const OpDef& a, const OpDef& b) { return a.set == b.set && a.name == b.name; }

struct OpRegistry::State {
  // The range of one operator's definitions in `entries`.
  struct Range {
    uint32_t first = 0;
    uint32_t count = 0;
  };

  mutable std::vector<OpRegistrationData> entries;  // by set, name and version; access through Complete
  std::vector<LazyRegistration> makers;             // by entry; empty if the entry is complete
  mutable std::unique_ptr<std::once_flag[]> made;
  std::vector<std::string> names;                   // full names without duplicates, in the order of entries
  tsl::robin_map<std::string_view, Range> by_name;  // views into `names`

  const OpRegistrationData* Complete(size_t entry) const;
  std::span<const OpRegistrationData> Complete(Range range) const;
  // Returns the newest definition of each operator whose set and name satisfy `wanted`.
  std::vector<const OpRegistrationData*> Newest(FunctionRef<bool(const OpDef&)> wanted) const;

  // Returns the full names of the operators whose name without the set is the most similar one.
  std::vector<std::string> WithNearestName(std::string_view name) const;
  Diagnostic Unknown(std::string_view full_name) const;
  Diagnostic WrongVersion(std::span<const OpRegistrationData> versions, int version) const;
};

}  // namespace dimwise

#endif  // DIMWISE_OPS_OP_REGISTRY_STATE_H_
