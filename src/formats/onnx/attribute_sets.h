// The sets of attributes of a file's nodes, each read once.
//
// A set is told from others by its bytes before it is read, since nodes mostly repeat those of others. The
// value of a Constant has bytes of its own even where it is a 1 like many others, for the tensor inside has a
// name, which means nothing there: such a tensor is read, and told by its type and contents. It is not made
// into attributes before somebody asks for them.
#ifndef DIMWISE_FORMATS_ONNX_ATTRIBUTE_SETS_H_
#define DIMWISE_FORMATS_ONNX_ATTRIBUTE_SETS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "dimwise/graph.h"
#include "formats/name_table.h"
#include "formats/onnx/attribute_reader.h"

namespace dimwise {

class AttributeSets {
 public:
  AttributeSets(ModelSource& source, Graph& graph, const NameHash& hash)
      : source_(source), graph_(graph), hash_(hash), tensors_(source) {}

  // The bytes reach from the first to the last attribute of a node, of which there are `count`. Something
  // else may lie between, which makes them different from others, no more. False where they are damaged.
  bool Read(std::string_view bytes, size_t count, AttrsId* id);

  // Attributes of the set that was read last which are no part of it.
  const std::vector<OnnxAttribute>& graphs() const { return graphs_; }
  const std::vector<OnnxAttribute>& references() const { return references_; }

 private:
  struct Known {
    std::string_view bytes;
    AttrsId id;
  };
  // An only attribute that is a tensor.
  struct OnlyTensor {
    std::string_view attribute, tensor;
  };

  static std::optional<OnlyTensor> FindOnlyTensor(std::string_view bytes);
  bool ReadNew(std::string_view bytes, AttrsId* id);
  bool ReadTensor(const OnlyTensor& only, AttrsId* id);
  AttrsId IdOfTensor(const Graph::TensorAttr& tensor);

  ModelSource& source_;
  Graph& graph_;
  const NameHash& hash_;
  TensorReader tensors_;
  NameTable table_;
  std::vector<Known> known_;
  NameTable table_of_tensors_;
  std::vector<AttrsId> known_tensors_;
  std::vector<OnnxAttribute> graphs_, references_;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_ATTRIBUTE_SETS_H_
