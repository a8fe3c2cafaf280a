// Value numbering finds values that are equal in every run because equal operations compute them from equal
// operands: a mask that a program computes twice, or a condition that one branch uses and another one
// negates.
//
// The number of a result stands for its operator, attributes and the numbers of its operands. Inputs, region
// parameters, results of random or unknown operators, and results of nodes with regions have numbers of their
// own. A constant with few elements is identified by its elements. Structures are compared in full.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_VALUE_NUMBERING_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_VALUE_NUMBERING_H_

#include <tsl/robin_map.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dimwise/graph.h"
#include "infer/engine/analyses/structure_table.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

enum class ValueNumber : uint32_t {};
inline constexpr ValueNumber kNoNumber{0};

// The condition of a branch. Conditions with equal numbers are equal in every run, except for the negation.
// The numbers of conditions are comparable only with each other.
struct BranchCondition {
  ValueNumber number = kNoNumber;  // none: unknown
  bool is_negated = false;
};

class ValueNumbering {
 public:
  explicit ValueNumbering(const ProgramState& state) : state_(state), graph_(state.graph) {}

  // Returns whether values are numbered in this program. If not, each value is equal only to itself.
  bool is_on() const;
  // REQUIRES: is_on() for the functions below, unless stated otherwise.
  ValueNumber NumberOf(ValueId value) { return NumberOf(value, 0); }
  // Returns the first value with the same number; the value itself if numbering is off.
  ValueId FirstEqual(ValueId value);
  // Returns the condition of a branch. Looks through casts of booleans, moves of one element, and negations.
  // The number is kNoNumber if numbering is off, or if the branch selects a region by an index.
  BranchCondition ConditionOf(NodeId branch);
  // Returns the number of the tensor whose true elements are counted: looks through casts of booleans, and
  // through operators that keep the elements or only reorder them.
  ValueNumber NumberOfCountedMask(ValueId mask);

  // Takes over the numbers of another numbering of the same program, as a trial of a branch needs. Both share
  // the table of structures, so a number means the same in both.
  void CopyFrom(const ValueNumbering& other);

 private:
  // The operator in the structure of a result: the operator itself, or its mirror.
  struct CanonicalOperator {
    OpId op{};
    bool is_mirrored = false;  // the operands are exchanged
  };

  ValueNumber NumberOf(ValueId value, int depth);
  ValueNumber NumberOfResult(NodeId maker, ValueId value, int depth);
  // Returns the number of a constant, or kNoNumber if it has many elements or elements that are no numbers.
  ValueNumber NumberOfConstant(ValueId value);
  ValueNumber NumberOfStructure(std::span<const uint64_t> words) {
    return ValueNumber{2 * structures_->NumberOf(words) + 1};
  }
  // Returns the number of a value that equals only itself.
  static ValueNumber OwnNumberOf(ValueId value) { return ValueNumber{2 * Index(value) + 2}; }
  CanonicalOperator CanonicalOf(OpId op);
  bool IsNumberedByStructure(NodeId maker) const;
  Computation ComputationOf(NodeId node) const { return state_.operators.Resolve(node).properties->computes; }
  bool IsCastOfBooleans(NodeId node) const;
  NodeId MakerOf(ValueId value) const {
    return graph_.role(value) == ValueRole::kResult ? graph_.maker(value) : kNoNode;
  }
  // Returns the operand whose elements a result has in the same order; kNoValue if there is none.
  ValueId SourceInOrder(ValueId result) const;
  // Returns the operand whose elements a result has in any order; kNoValue if there is none.
  ValueId SourceInAnyOrder(ValueId result) const;

  const ProgramState& state_;
  const Graph& graph_;
  std::shared_ptr<StructureTable> structures_ = std::make_shared<StructureTable>();
  std::vector<std::optional<CanonicalOperator>> canonical_;  // by operator; none: not computed yet
  std::vector<ValueNumber> numbers_;                         // by value; kNoNumber: not computed yet
  tsl::robin_map<uint32_t, ValueId> first_values_;           // by number
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_VALUE_NUMBERING_H_
