// The text form of a Graph, for tests, for users and for bug reports.
//
//   opset onnx 21                                              # the version of every onnx operator below
//
//   function my.Gelu(x; alpha: float = 1.0, mode) {            # an attribute without a default is required
//     y = onnx.Elu(x; alpha=$alpha)                            # the attribute of the call
//     return y
//   }
//
//   graph mlp(x: f32[N, 784], c: bool[]) {
//     const b1: f32[128]
//     const axes: i64[2] = {0, -1}                             # with its contents, flat
//     const b2: f32[128] with (lr_mult=0.5)                    # with attributes; inputs can have them too
//     h: f32[N, 128] = onnx.Gemm(x, w1: f32[784, 128] const, b1; transB=0) @fc1
//     a, _ = onnx.Dropout(h, _, _) after fc1                   # `_`: an absent operand or an unnamed result
//     y = onnx.If@16(c) {                                      # `after`: control edges
//       then_branch: graph() {
//         r = onnx.Relu(a)                                     # values of enclosing regions are visible
//         return r
//       }
//       else_branch: graph() {
//         return a
//       }
//     }
//     return y
//   }
//
// - ParseType defines the syntax of types, ParseAttrText that of attributes. Symbols are identified by name.
//   A type before a node's `=` is a declaration. If an attribute's kind is ambiguous, it is written
//   explicitly: `s: shape = [2, ?]`.
// - A name consists of letters, digits, `_` and inner dots. Any other name is written in backquotes (a
//   backquote inside is doubled) or in double quotes with escapes; so are keywords (graph, const, ...).
//   Values with the same name are distinguished by a number that is not part of the name: `y`, `y%2`. A value
//   without a name is `%1`. Nodes that a control edge refers to are written likewise.
// - A value may be used before its definition. Names of a region hide names of enclosing regions. A value
//   that no node computes is declared: `missing v: f32[2]`.
// - White space and line ends only separate tokens; `#` begins a comment.
//
// These have no text form: the identity of shapes of unknown rank, contents of results, contents with more
// elements than the option allows, functions of functions.
#ifndef DIMWISE_GRAPH_TEXT_H_
#define DIMWISE_GRAPH_TEXT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dimwise/graph.h"

namespace dimwise {

// Parses a program. The graph copies the parts of the text that it needs. An error has the line, the column
// and the text of the line; `file_name` names the text in messages. Regions nest up to 200 deep.
DIMWISE_API Result<std::unique_ptr<Graph>> ParseGraph(Analysis& analysis, std::string_view text,
                                                      std::string_view file_name = "graph");

struct GraphTextOptions {
  int64_t max_contents = 64;  // constants with more elements are printed without contents
};

// Prints the program for ParseGraph; a parsed text prints the same again. Dead nodes and unused missing
// values are omitted.
DIMWISE_API std::string ToString(const Graph& graph, const GraphTextOptions& options = {});

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_TEXT_H_
