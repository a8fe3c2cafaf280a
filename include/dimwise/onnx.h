// ONNX models: a ModelProto in memory, usually a mapped file, read as a Graph and written back with types.
//
//   Analysis analysis;
//   Result<std::unique_ptr<OnnxModel>> model = ReadOnnx(bytes, analysis);
//
// Operators of the domains "" and "ai.onnx" are called onnx.Name, others domain.Name, and
// domain.Name:overload where a node calls an overload of a function. An initializer is a constant. One that
// is an input as well is a constant up to IR version 3, where that was the only way to write one, and from 4
// on an input: its contents are a default, which whoever runs the model may override. A dimension of an input
// without a name gets the symbol <input>_d<axis>. What value_info and outputs say are declarations
// (Graph::declared): claims whose expressions over known symbols are understood, and whose other names are
// symbols.
//
// Contents are kept as views of the file. Weights are never looked at; data outside of the file is not read.
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
    std::string_view domain;  // "" for ONNX's own
    int version = 0;
  };

  Graph graph;
  int64_t ir_version = 0;
  int64_t model_version = 0;
  std::vector<Opset> opsets;
  std::string_view producer_name, producer_version, domain;
  // What is wrong with the model besides its shapes: values that nobody computes, names used twice, sizes
  // below zero. What is right is in the graph all the same.
  std::vector<Diagnostic> findings;
  bool distinct_values = true;  // no two values of a graph share a name
  std::span<const std::byte> bytes;
};

// Whether the bytes begin as a ModelProto does; they may be only the beginning of a file.
DIMWISE_API bool LooksLikeOnnx(std::span<const std::byte> bytes);

// The bytes must live as long as the model and the analysis: names and contents are views of them. An error
// where they are no ModelProto, with the place of the first damage.
DIMWISE_API Result<std::unique_ptr<OnnxModel>> ReadOnnx(std::span<const std::byte> bytes, Analysis& analysis);

// The model's own bytes with types put in, handed to `sink` piece by piece: every value that a node makes
// gets a value_info, in the graphs inside as well, and outputs get what they do not say. Where `type_of`
// knows nothing that ONNX can say, nothing is added; all else stays byte for byte. A value_info that the file
// has gets the sizes and the element type of `type_of` where they differ; an output keeps what it declares,
// but where the size is a number or the rank another; with OutputSizes::kInferred its names stay, and its
// numbers are those of `type_of`. A size is written as dim_value, or as dim_param: a name or an expression.
//
// REQUIRES: the graph is as it was read. Memory is bounded by what is put in.
using OnnxSink = std::function<Status(std::string_view bytes)>;
enum class OutputSizes { kDeclared, kInferred };
DIMWISE_API Status WriteOnnx(const OnnxModel& model, const std::function<Type(ValueId)>& type_of,
                             const OnnxSink& sink, OutputSizes outputs = OutputSizes::kDeclared);
// The same into a file, which appears whole or not at all; it may be the one that the model was read from.
// `-` is standard output.
DIMWISE_API Status WriteOnnxFile(const OnnxModel& model, const std::function<Type(ValueId)>& type_of,
                                 const std::string& path, OutputSizes outputs = OutputSizes::kDeclared);

}  // namespace dimwise

#endif  // DIMWISE_ONNX_H_
