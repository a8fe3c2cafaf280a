// ONNX models: reads a ModelProto in memory, usually a mapped file, as a Graph, and writes it back with
// types.
//
//   Analysis analysis;
//   Result<std::unique_ptr<OnnxModel>> model = ReadOnnx(bytes, analysis);
//
// Operators of the domains "" and "ai.onnx" are named onnx.Name, others domain.Name. A call of an overloaded
// function is named domain.Name:overload. An initializer is a constant. An initializer that is also an input
// is a constant up to IR version 3, which had no other way to write it. From version 4 on it is an input, and
// its contents are a default that the caller of the model may override.
//
// A dimension of an input without a name gets the symbol <input>_d<axis>. The types in value_info and outputs
// are declarations (Graph::declared). They are claims: expressions over known symbols are parsed, and other
// names become symbols.
//
// Contents are views of the file. Weights are never read; external data is not read.
#ifndef DIMWISE_ONNX_H_
#define DIMWISE_ONNX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/graph.h"

namespace dimwise {

struct OnnxModel {
  explicit OnnxModel(Analysis& analysis) : graph(analysis) {}

  struct Opset {
    std::string_view domain;  // "" for ONNX itself
    int version = 0;
  };

  Graph graph;
  int64_t ir_version = 0;
  int64_t model_version = 0;
  std::vector<Opset> opsets;
  std::string_view producer_name, producer_version, domain;
  // Errors of the model other than shapes: values that no node computes, duplicate names, negative sizes. The
  // valid part of the model is in the graph.
  std::vector<Diagnostic> findings;
  bool distinct_values = true;  // whether the values of each graph have distinct names
  std::span<const std::byte> bytes;
};

// Returns whether the bytes start like a ModelProto. A prefix of the file is sufficient.
DIMWISE_API bool LooksLikeOnnx(std::span<const std::byte> bytes);

// Reads a model. The bytes must outlive the model and the analysis: names and contents are views of them. If
// the bytes are no ModelProto, the error has the offset of the first damage.
DIMWISE_API Result<std::unique_ptr<OnnxModel>> ReadOnnx(std::span<const std::byte> bytes, Analysis& analysis);

// Writes the bytes of the model with types added, in pieces, to `sink`. Every result of a node gets a
// value_info, also in subgraphs, and outputs get missing types. A type that ONNX cannot represent is not
// added. All other bytes stay unchanged.
//
// An existing value_info gets the sizes and the element type of `type_of` where they differ. OutputSizes
// selects the sizes of outputs. A size is written as dim_value or as dim_param: a name or an expression.
// Locations of external data stay unchanged, so the copy finds the data only in the folder of the model.
//
// REQUIRES: the graph is unchanged since it was read. Memory use is bounded by the size of the additions.
using OnnxSink = std::function<Status(std::string_view bytes)>;
enum class OutputSizes {
  kDeclared,  // the size in the file, unless `type_of` has a number or another rank
  kNames,     // a name in the file, unless `type_of` has a number; else the size of `type_of`
  kInferred,  // the size of `type_of`
};
DIMWISE_API Status WriteOnnx(const OnnxModel& model, const std::function<Type(ValueId)>& type_of,
                             const OnnxSink& sink, OutputSizes outputs = OutputSizes::kDeclared);
// Writes the model into a file, atomically: through a temporary file and a rename. The file may be the one
// that the model was read from. `-` is standard output.
DIMWISE_API Status WriteOnnxFile(const OnnxModel& model, const std::function<Type(ValueId)>& type_of,
                                 const std::string& path, OutputSizes outputs = OutputSizes::kDeclared);

}  // namespace dimwise

#endif  // DIMWISE_ONNX_H_
