// Reads the nodes of a GraphDef or of a function into a graph.
//
// TensorFlow's nodes name their inputs, in any order, and do not list their results. So all nodes are read
// first, with the results that their definitions give; then they are added with their operands.
#ifndef DIMWISE_FORMATS_TENSORFLOW_GRAPH_DEF_NODES_H_
#define DIMWISE_FORMATS_TENSORFLOW_GRAPH_DEF_NODES_H_

#include <tsl/robin_map.h>

#include <string_view>
#include <vector>

#include "dimwise/op_registry.h"
#include "dimwise/tensorflow.h"
#include "formats/tensorflow/attr_value_reader.h"

namespace dimwise {

// The functions of a library by name, with the number of their results.
using TensorFlowFunctions = tsl::robin_map<std::string_view, size_t>;

class GraphDefNodes {
 public:
  GraphDefNodes(ModelSource& source, const OpRegistry& registry, const TensorFlowFunctions& functions,
                int producer, Graph& graph)
      : source_(source), registry_(registry), functions_(functions), producer_(producer), graph_(graph) {}

  // Adds an argument of a function. Inside the function its name alone is the value.
  void AddArgument(std::string_view name, Type type);
  // Reads a NodeDef. Returns false if it is damaged.
  bool Read(std::string_view bytes);
  // Adds all nodes. No node may be read afterwards.
  void Connect();
  // Returns the value of an input: "conv", "conv:1", "conv:output:0"; none if there is no such node.
  ValueId Find(std::string_view input);
  // Makes the results that no node uses outputs of the graph.
  void AddUnusedAsOutputs();

 private:
  struct PendingNode {
    std::string_view name, op;
    uint32_t position = 0;
    bool is_value = false;  // an input or a constant of the graph, not a node
    OpId id{};
    AttrsId attrs = kNoAttrs;
    std::vector<std::string_view> inputs;
    std::vector<ValueId> results;
    std::vector<NameRange> result_names;
    std::vector<std::pair<std::string_view, std::string_view>> regions;  // attribute, function
    std::vector<std::pair<std::string_view, std::string_view>> of_call;  // attribute, attribute of the call
  };

  void AddPlaceholder(PendingNode& node, const AttrMap& attrs);
  void AddConstant(PendingNode& node, std::string_view tensor);
  void AddResults(PendingNode& node, const AttrMap& attrs);
  void AddRegions(NodeId carrier, const PendingNode& node, std::span<const ValueId> operands);
  std::string_view ResultName(std::string_view node, size_t index);
  Type TypeOfShape(std::string_view node, ElementType element, const ShapeProto& shape);

  ModelSource& source_;
  const OpRegistry& registry_;
  const TensorFlowFunctions& functions_;
  const int producer_;
  Graph& graph_;
  std::vector<PendingNode> nodes_;
  tsl::robin_map<std::string_view, size_t> by_name_;  // index in nodes_
  tsl::robin_map<std::string_view, ValueId> arguments_;
  uint32_t position_ = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_TENSORFLOW_GRAPH_DEF_NODES_H_
