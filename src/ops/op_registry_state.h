// What a registry holds. Its builder fills it, then it is constant.
#ifndef DIMWISE_OPS_OP_REGISTRY_STATE_H_
#define DIMWISE_OPS_OP_REGISTRY_STATE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/op_registry.h"
#include "tsl/robin_map.h"

namespace dimwise {

inline bool SameOperator(const OpDef& a, const OpDef& b) { return a.set == b.set && a.name == b.name; }

struct OpRegistry::State {
  // The definitions of one operator in `entries`.
  struct Range {
    uint32_t first = 0;
    uint32_t count = 0;
  };

  std::vector<OpRegistrationData> entries;          // by set, name and version
  std::vector<std::string> names;                   // full names, each once, in the same order
  tsl::robin_map<std::string_view, Range> by_name;  // views into `names`

  Diagnostic Unknown(std::string_view full_name) const;
  Diagnostic WrongVersion(std::span<const OpRegistrationData> versions, int version) const;
};

}  // namespace dimwise

#endif  // DIMWISE_OPS_OP_REGISTRY_STATE_H_
