// An OperatorTable resolves the operators and attributes of a graph: each distinct operator once, and each
// distinct set of attributes once for an operator.
#ifndef DIMWISE_INFER_ENGINE_STATE_OPERATOR_TABLE_H_
#define DIMWISE_INFER_ENGINE_STATE_OPERATOR_TABLE_H_

#include <tsl/robin_map.h>

#include <memory>
#include <optional>
#include <vector>

#include "dimwise/graph.h"
#include "dimwise/op_registry.h"
#include "infer/engine/state/engine_options.h"
#include "rules/compile/library.h"

namespace dimwise {

struct OperatorAttributes {
  const AttrMap* attrs = nullptr;
  AttrMap converted;  // used if the attributes do not have the kinds that the operator declares
  std::optional<Diagnostic> error;
};

struct ResolvedOperator {
  const Graph* function = nullptr;           // the body, if the operator is a function of the program
  const OpRegistrationData* op = nullptr;    // null: the operator is unknown
  const rules::Rule* rule = nullptr;         // declares the properties; null: there is none
  const OpProperties* properties = nullptr;  // never null after the lookup
  bool is_looked_up = false;
  bool is_plain = false;      // a shape function alone computes the results
  bool may_trace = false;     // traces of the rule are recorded
  bool is_constant = false;   // an attribute contains the result
  bool uses_indices = false;  // an operand holds indices into another one

  const ControlFlow& control_flow() const { return properties->control_flow; }
  bool has_control_flow() const { return control_flow().kind != ControlFlow::Kind::kNone; }
  bool is_branch() const { return control_flow().kind == ControlFlow::Kind::kBranch; }
  // Returns whether an evaluation visits other nodes: those of regions, or of a function.
  bool visits_others() const { return function != nullptr || has_control_flow(); }
};

class OperatorTable {
 public:
  OperatorTable(const Graph& graph, const OpRegistry& registry, const CallSite& site)
      : graph_(graph), registry_(registry), site_(site) {}

  void Resize() { resolved_.resize(graph_.op_count()); }
  const ResolvedOperator& Resolve(NodeId node) const { return Resolve(graph_.op_of(node)); }
  const ResolvedOperator& Resolve(OpId op) const {
    const ResolvedOperator& r = resolved_[Index(op)];
    if (!r.is_looked_up) LookUp(op);
    return r;
  }
  // Returns the attributes in the kinds that the operator declares. REQUIRES: the operator is known.
  OperatorAttributes& AttributesOf(NodeId node, const ResolvedOperator& resolved) const;
  // Returns the attributes as the file states them, with references to the call replaced.
  const AttrMap& StatedAttributes(NodeId node) const;
  // Returns the error for an operator that is not in the registry.
  Diagnostic UnknownOperator(NodeId node) const;

 private:
  void LookUp(OpId id) const;
  OperatorAttributes& Find(uint64_t id, NodeId node, const ResolvedOperator& resolved) const;

  const Graph& graph_;
  const OpRegistry& registry_;
  const CallSite& site_;

  // Caches: they do not change what the table returns.
  mutable std::vector<ResolvedOperator> resolved_;                                    // by operator
  mutable std::vector<std::unique_ptr<OperatorAttributes>> none_;                     // by operator
  mutable tsl::robin_map<uint64_t, std::unique_ptr<OperatorAttributes>> attributes_;  // by operator and set
  struct LastUse {
    OpId op{};
    OperatorAttributes* attributes = nullptr;
  };
  mutable std::vector<LastUse> last_uses_;                // by set: the operator that used it last
  mutable tsl::robin_map<uint32_t, AttrMap> call_attrs_;  // by node: with references to the call replaced
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_OPERATOR_TABLE_H_
