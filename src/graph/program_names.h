// The names of nodes and values in reports. They are the names in the file where these are unambiguous.
//
//   node    encoder/qk; #118 if it has no unique name; inside a subgraph loop.body/#3
//   value   y; inside a subgraph loop.body/y, nested likewise
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

// Tables of names are built on first use: a summary of a model without findings never needs them.
//
// Thread safety: one thread at a time, also for reading.
class ProgramNames {
 public:
  // `distinct_values`: the caller guarantees that no two values of a region share a name.
  explicit ProgramNames(const Graph& graph, bool distinct_values = false)
      : graph_(graph), distinct_values_(distinct_values) {}

  std::string Node(NodeId node) const;
  std::string Value(ValueId value) const;
  // Returns the prefix of the names of a region's values: empty, or "loop.body/".
  std::string Prefix(RegionId region) const;
  // Returns the value with this name, or kNoValue. If values of a region share the name, returns the last; if
  // regions share the prefix, the first region.
  ValueId FindValue(std::string_view name) const;
  // Returns the values with this name in any subgraph.
  std::vector<ValueId> FindInside(std::string_view name) const;
  // Returns whether reports refer to the value: it has a name, is defined, and no later value has its name.
  bool IsReported(ValueId value) const;

 private:
  bool IsUnique(NodeId node) const;
  std::string Local(NodeId node) const;

  using NodeNames = tsl::robin_map<std::string_view, bool>;  // true if several nodes have the name
  // By region: the last value of each name.
  using ValueNames = std::vector<tsl::robin_map<std::string_view, ValueId>>;
  // Hashes of the regions' prefixes. Storing the prefixes would take memory quadratic in the nesting depth or
  // in the length of node names.
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

// Returns the name without the set: "Sort" for "my.Sort".
constexpr std::string_view ShortName(std::string_view full_op_name) {
  return full_op_name.substr(full_op_name.rfind('.') + 1);
}

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_PROGRAM_NAMES_H_
