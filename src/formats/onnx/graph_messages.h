// The graphs of an ONNX file, beside the regions that they were read into, for whoever changes the file: the
// body of the model, then those that lie in attributes of nodes, as the walk comes to them.
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
  // REQUIRES: the graph was read from the file, and the edits are of it.
  GraphMessages(const Graph& graph, std::string_view file, WireEdits& edits);

  bool empty() const { return waiting_.empty(); }
  // REQUIRES: not empty.
  GraphMessage Take();
  // The graphs inside a node, of which the bytes and the message are given.
  void AddInside(NodeId node, std::string_view bytes, WireEdits::Message message);

 private:
  const Graph& graph_;
  WireEdits& edits_;
  std::vector<GraphMessage> waiting_;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_GRAPH_MESSAGES_H_
