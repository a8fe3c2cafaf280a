// DataSizes gives one symbol to all sizes that the same data determines.
//
// 1. Two nodes whose data-dependent sizes have equal sources (SizeSource in dimwise/op_properties.h) share
//    their unknowns: two NonZero of one mask have one size.
// 2. A size that is computed from an unknown integer, such as a scalar input or the maximum of some lengths,
//    is named by that integer (size_namer.h): Range and ConstantOfShape of `max(lengths)` have one size,
//    whatever casts and reshapes are between.
//
// In the body of a loop, only the first form is used: there a value is another integer on each trip.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_DATA_SIZES_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_DATA_SIZES_H_

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "infer/engine/analyses/integer_search.h"
#include "infer/engine/analyses/node_analysis.h"
#include "infer/engine/analyses/structure_table.h"
#include "infer/engine/analyses/value_numbering.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

// Identifies the unknowns of nodes by the data that determines their sizes. Keys are compared in full.
class UnknownOwners {
 public:
  // Identifies a key by the first node that has it, and its index among the keys of that node. Unlike a
  // running number, this pair is usually the same when the body of a function is inferred again.
  struct Owner {
    NodeId first = kNoNode;
    uint32_t ordinal = 0;
  };
  Owner OwnerOf(std::span<const uint64_t> key, NodeId node);

 private:
  StructureTable keys_;
  std::vector<Owner> owners_;                         // by number of the key
  tsl::robin_map<uint32_t, uint32_t> keys_of_first_;  // by node: how many keys have it as first node
};

class DataSizes : public NodeAnalysis, private SharedUnknowns {
 public:
  DataSizes(const ProgramState& state, ValueNumbering& numbering)
      : state_(state), graph_(state.graph), numbering_(numbering) {}

  // Lets the node share its unknowns, if it may.
  void Describe(NodeId node, NodeDescription* description) override;
  Status Refine(NodeId node, bool creates_symbols, InferenceContext* context) override {
    if (creates_symbols && !context->refines_inputs()) RefineSizes(node, context);
    return {};
  }

  // Shares the keys of another analysis of the same program, as a trial of a branch needs: then a symbol
  // means the same in both. REQUIRES: the numberings share their structures (ValueNumbering::CopyFrom).
  void ShareKeys(const DataSizes& other) { owners_ = other.owners_; }

 private:
  UnknownIdentity Identity() override;
  // A size of a result that is a symbol of the node, and its expression in unknown integers.
  struct UnknownSize {
    size_t result;
    int axis;
    Dim own, expression;
  };

  bool MayShareUnknowns(NodeId node, const NodeDescription& description) const;
  bool MayNameSizes(NodeId node, const InferenceContext& context) const;
  // Sets key_ to what determines the data-dependent sizes of a node.
  void BuildKey(NodeId node);
  bool AppendSources(NodeId node, std::span<const SizeSource> sources, std::span<const Dim> expressions);
  bool HasAtMost(ValueId value, Dim number) const;
  void AppendElements(ValueId value);
  ValueId OnlyCountedMask(NodeId node, std::span<const SizeSource> sources,
                          std::span<const Dim> expressions) const;
  // Replaces sizes that the rule created by sizes that unknown integers determine.
  void RefineSizes(NodeId node, InferenceContext* context);
  static std::vector<UnknownSize> UnknownSizesOf(const InferenceContext& context, size_t results);

  const ProgramState& state_;
  const Graph& graph_;
  ValueNumbering& numbering_;
  std::shared_ptr<UnknownOwners> owners_ = std::make_shared<UnknownOwners>();
  NodeId described_ = kNoNode;
  std::optional<UnknownIdentity> identity_;         // of the described node; none: not requested yet
  std::vector<uint64_t> key_;                       // of the described node
  tsl::robin_set<Dim, std::hash<Dim>> sizes_read_;  // unknown integers that values of the body have as sizes
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_DATA_SIZES_H_
