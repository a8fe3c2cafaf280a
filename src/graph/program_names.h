// What reports call the nodes and the values of a program: by the file's own names where these tell them
// apart.
//
//   node    encoder/qk; #118 where it has no name or shares it; inside a sub-graph loop.body/#3
//   value   y; inside a sub-graph loop.body/y, nested likewise
#ifndef DIMWISE_GRAPH_PROGRAM_NAMES_H_
#define DIMWISE_GRAPH_PROGRAM_NAMES_H_

#include <tsl/robin_map.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/graph.h"

namespace dimwise {

// Tables of names are made when something asks for them: a summary of a model that is right never does.
//
// Thread safety: one thread at a time, also for reading.
class ProgramNames {
 public:
  // `distinct_values`: whoever made the graph knows that no two values of a region share a name.
  explicit ProgramNames(const Graph& graph, bool distinct_values = false)
      : graph_(graph), distinct_values_(distinct_values) {}

  std::string Node(NodeId node) const;
  std::string Value(ValueId value) const;
  // What stands before the names of a region's values: nothing, or "loop.body/".
  std::string Prefix(RegionId region) const;
  // The value of that name; kNoValue where there is none. Of two that share a name, the later; of two regions
  // that have it, the first.
  ValueId FindValue(std::string_view name) const;
  // The values of sub-graphs that have that name there.
  std::vector<ValueId> FindInside(std::string_view name) const;
  // Whether reports speak of the value: it has a name, is made by something, and no later one has its name.
  bool Speaks(ValueId value) const;

 private:
  bool IsUnique(NodeId node) const;
  std::string Local(NodeId node) const;

  using NodeNames = tsl::robin_map<std::string_view, bool>;                   // true: used more than once
  using ValueNames = std::vector<tsl::robin_map<std::string_view, ValueId>>;  // by region: the last of a name
  // The hashes of the regions' prefixes. The prefixes themselves would take room that grows with the square
  // of how deep regions lie, or of how long the names of the nodes around them are.
  struct PrefixHash {
    uint64_t hash;
    RegionId region;
    auto operator<=>(const PrefixHash&) const = default;
  };
  const std::vector<PrefixHash>& prefix_hashes() const;
  const NodeNames& node_names() const;
  const ValueNames& values() const;

  const Graph& graph_;
  const bool distinct_values_;
  mutable std::optional<std::vector<PrefixHash>> prefix_hashes_;  // sorted
  mutable std::optional<NodeNames> node_names_;
  mutable std::optional<ValueNames> values_;
};

// "MatMul" of "onnx.MatMul".
constexpr std::string_view ShortName(std::string_view full_op_name) {
  return full_op_name.substr(full_op_name.rfind('.') + 1);
}

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_PROGRAM_NAMES_H_
