// Enumerates the graphs of an ONNX file with the regions they were read into, for writers: first the body of
// the model, then the graphs in attributes of nodes.
#ifndef DIMWISE_FORMATS_ONNX_GRAPH_MESSAGES_H_
#define DIMWISE_FORMATS_ONNX_GRAPH_MESSAGES_H_

#include <string_view>
#include <vector>

#include "dimwise/graph.h"
#include "formats/protobuf/wire_edits.h"

namespace dimwise {

struct GraphMessage {
  RegionId region;
  std::string_view bytes;
  WireEdits::Message message;
};

class GraphMessages {
 public:
  // REQUIRES: the graph was read from `file`, and `edits` edits that file.
  GraphMessages(const Graph& graph, std::string_view file, WireEdits& edits);

  bool empty() const { return waiting_.empty(); }
  // REQUIRES: not empty.
  GraphMessage Take();
  // Adds the graphs in the attributes of a node. `bytes` and `message` are those of the node.
  void AddInside(NodeId node, std::string_view bytes, WireEdits::Message message);

 private:
  const Graph& graph_;
  WireEdits& edits_;
  std::vector<GraphMessage> waiting_;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_GRAPH_MESSAGES_H_
