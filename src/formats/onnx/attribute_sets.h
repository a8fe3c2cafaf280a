// Reads the attributes of nodes. Each distinct set is read once.
//
// Sets are compared by their bytes before they are read, because most nodes repeat the attributes of others.
// The tensor in a Constant has a name, so equal tensors differ in their bytes. Such a tensor is read, and
// compared by type and contents. It becomes an attribute only when it is queried.
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

  // Reads a set of `count` attributes. `bytes` extends from the first to the last attribute of a node. Other
  // fields may lie between; they only make the set distinct. Returns false if the bytes are damaged.
  bool Read(std::string_view bytes, size_t count, AttrsId* id);

  // Attributes of the last set that are not part of the set.
  const std::vector<OnnxAttribute>& graphs() const { return graphs_; }
  const std::vector<OnnxAttribute>& references() const { return references_; }

 private:
  struct Known {
    std::string_view bytes;
    AttrsId id;
  };
  // The tensor of a set with a single attribute.
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
