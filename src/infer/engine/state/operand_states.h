// OperandStates is a copy of what is known of the operands of a node, without allocation for few operands.
#ifndef DIMWISE_INFER_ENGINE_STATE_OPERAND_STATES_H_
#define DIMWISE_INFER_ENGINE_STATE_OPERAND_STATES_H_

#include <span>
#include <vector>

#include "core/base/scratch_array.h"
#include "infer/engine/state/program_state.h"
#include "infer/engine/state/visit_cache.h"

namespace dimwise {

class OperandStates {
 public:
  OperandStates(const ProgramState& state, NodeId node) {
    const size_t count = state.graph.operands(node).size();
    if (count > VisitKey::kMaxOperands) {
      many_types_.resize(count);
      many_contents_.resize(count);
    }
    types_ = {many_types_.empty() ? few_types_.data() : many_types_.data(), count};
    contents_ = {many_types_.empty() ? few_contents_.data() : many_contents_.data(), count};
    state.ReadOperands(node, types_, contents_);
  }
  OperandStates(const OperandStates&) = delete;
  OperandStates& operator=(const OperandStates&) = delete;

  std::span<const Type> types() const { return types_; }
  std::span<const Value> contents() const { return contents_; }
  uint64_t hash() const { return HashOf(types_, contents_); }

 private:
  ScratchArray<Type, VisitKey::kMaxOperands> few_types_;
  ScratchArray<Value, VisitKey::kMaxOperands> few_contents_;
  std::vector<Type> many_types_;
  std::vector<Value> many_contents_;
  std::span<Type> types_;
  std::span<Value> contents_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_OPERAND_STATES_H_
