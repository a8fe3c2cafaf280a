// The text form of a Graph, for tests, for people and for bug reports.
//
//   opset onnx 21                                              # the version of every onnx operator below
//
//   function my.Gelu(x; alpha: float = 1.0, mode) {            # an attribute without a default is required
//     y = onnx.Elu(x; alpha=$alpha)                            # that of the call
//     return y
//   }
//
//   graph mlp(x: f32[N, 784], c: bool[]) {
//     const b1: f32[128]
//     const axes: i64[2] = {0, -1}                             # with its contents, flat
//     const b2: f32[128] with (lr_mult=0.5)                    # attributes of its own; inputs have them too
//     h: f32[N, 128] = onnx.Gemm(x, w1: f32[784, 128] const, b1; transB=0) @fc1
//     a, _ = onnx.Dropout(h, _, _) after fc1                   # `_`: an operand that is not given, a result
//     y = onnx.If@16(c) {                                      # without a name; `after`: control edges
//       then_branch: graph() {
//         r = onnx.Relu(a)                                     # values of the regions around are seen
//         return r
//       }
//       else_branch: graph() {
//         return a
//       }
//     }
//     return y
//   }
//
// - Types are written as ParseType reads them, attributes as ParseAttrText does; a symbol is one by its name.
// A
//   type before a node's `=` is a declaration. Where the notation of an attribute leaves its kind open it is
//   named: `s: shape = [2, ?]`.
// - A name is letters, digits, `_` and inner dots; any other stands in backquotes (a backquote inside is
// doubled)
//   or in double quotes with escapes, and so do the words of the form itself (graph, const, ...). Values that
//   share a name are told apart by a number that is no part of it: `y`, `y%2`; one without a name is `%1`.
//   Nodes likewise where a control edge names one.
// - A value may be used before it is made; names of a region hide those of the regions around it. What nobody
//   makes is declared: `missing v: f32[2]`.
// - Space and line ends only separate; `#` begins a comment.
//
// What has no text: the identity of shapes of unknown rank, contents of results, contents of more elements
// than the printer is told to write, functions of functions.
#ifndef DIMWISE_GRAPH_TEXT_H_
#define DIMWISE_GRAPH_TEXT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dimwise/graph.h"

namespace dimwise {

// Reads a program. The graph keeps what it needs of the text. A mistake is said with its place: line, column
// and the line itself; `file_name` is what its message calls the text. Regions nest up to 200 deep.
DIMWISE_API Result<std::unique_ptr<Graph>> ParseGraph(Analysis& analysis, std::string_view text,
                                                      std::string_view file_name = "graph");

struct GraphTextOptions {
  int64_t max_contents = 64;  // constants of more elements are written without them
};

// The program as ParseGraph reads it; what was read so prints the same again. Dead nodes, and missing values
// that nothing uses, are left out.
DIMWISE_API std::string ToString(const Graph& graph, const GraphTextOptions& options = {});

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_TEXT_H_
