// Describes a node to the shape function that runs for it.
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

// The regions of a node, as a shape function accesses them.
class CarriedRegions {
 public:
  virtual ~CarriedRegions() = default;
  // Infers the region in an attribute for operands of these types. Returns the types of its outputs, with
  // sizes that are valid outside the region. Returns nullopt if there is no such region.
  virtual Result<std::optional<std::vector<Type>>> Infer(std::string_view attribute,
                                                         std::span<const Type> operands) = 0;
};

// Identifies the unknowns that a node creates. Requests with equal identities and roles get the same symbol.
struct UnknownIdentity {
  uint64_t path = 0;  // of the call
  OwnerId owner = 0;
};

// Lets several nodes create the same unknowns.
class SharedUnknowns {
 public:
  virtual ~SharedUnknowns() = default;
  // Returns the identity for the described node. Called on demand: few nodes create unknowns.
  virtual UnknownIdentity Identity() = 0;
};

// Describes the node for a context. All pointers and views, and the scope, must stay valid until the next
// Reset of the context, or until its end.
struct NodeDescription {
  std::string_view name;
  const OpDef* op = nullptr;
  std::string_view op_name;        // used if there is no definition: "If"
  const AttrMap* attrs = nullptr;  // null: none
  int graph_def_version = 0;       // TensorFlow's producer version
  int version = 0;                 // of the operator set, as the program states it; 0: the newest
  int num_outputs = -1;            // -1: the number in the definition
  int64_t index = -1;              // the index of the node in the file
  OwnerId owner = 0;               // owner of the facts; 0: none, and unknowns are new in each run
  ScopeId scope = ScopeId::kRoot;
  uint64_t path = 0;                          // of the call; part of the keys of unknowns
  SharedUnknowns* shared_unknowns = nullptr;  // null: the unknowns belong to `path` and `owner`
  std::string_view origin;                    // origin of the unknowns created here; empty: this node
  CarriedRegions* regions = nullptr;
  // The node fails. Requirements are ignored, and sizes that they leave open are unknown: this infers what is
  // certain of the results once the error is corrected.
  bool after_error = false;

  UnknownIdentity unknowns() const {
    return shared_unknowns != nullptr ? shared_unknowns->Identity() : UnknownIdentity{path, owner};
  }
};

}  // namespace dimwise

#endif  // DIMWISE_NODE_DESCRIPTION_H_
