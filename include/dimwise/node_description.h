// What a shape function is told of the node that it runs for.
#ifndef DIMWISE_NODE_DESCRIPTION_H_
#define DIMWISE_NODE_DESCRIPTION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"
#include "dimwise/facts.h"
#include "dimwise/op_def.h"
#include "dimwise/result.h"
#include "dimwise/type.h"

namespace dimwise {

// The regions that a node carries, for a function to ask about.
class CarriedRegions {
 public:
  virtual ~CarriedRegions() = default;
  // Infers the region of an attribute with operands of these types. The types of what it gives, with sizes
  // that mean something outside of it; nothing where there is no such region.
  virtual Result<std::optional<std::vector<Type>>> Infer(std::string_view attribute,
                                                         std::span<const Type> operands) = 0;
};

// The node as the context sees it: views and a scope, which outlive the context (or its use until the next
// Reset).
struct NodeDescription {
  std::string_view name;
  const OpDef* op = nullptr;
  std::string_view op_name;        // where there is no definition: "If"
  const AttrMap* attrs = nullptr;  // null: none
  int graph_def_version = 0;       // TensorFlow's producer version
  int version = 0;                 // of the operator set, as the program says; 0: the newest
  int num_outputs = -1;            // -1: as many as the definition says
  int64_t index = -1;              // the node's place in the file
  OwnerId owner = 0;               // who owns the facts; 0: nobody, and unknowns are new each time
  ScopeId scope = ScopeId::kRoot;
  uint64_t path = 0;        // of the call, for the keys of unknowns
  OwnerId unknowns = 0;     // whose unknowns those made here are; 0: the owner's
  std::string_view origin;  // where unknowns made here come from; empty: this node
  CarriedRegions* regions = nullptr;

  OwnerId owner_of_unknowns() const { return unknowns != 0 ? unknowns : owner; }
};

}  // namespace dimwise

#endif  // DIMWISE_NODE_DESCRIPTION_H_
