// Reads a request of `op --batch` from JSON into the arguments of CallOp:
//
//   {"id": 7, "op": "onnx.Gather", "version": 13, "attrs": {"axis": 0, "T": {"dtype": "f32"}},
//    "inputs": [{"dtype": "f32", "shape": ["N", null, "2*M"]}, {"shape": [], "value": [0]}, null]}
//
// `"direction": "both"` infers the operands too, from the types in `outputs`. `attributes` is another name of
// `attrs`. An unknown field or attribute is an error that names the nearest one; a lenient reader ignores it.
// A known field of the wrong kind is an error that names its position: `inputs[1].shape[0]`. null is
// equivalent to a missing field.
#ifndef DIMWISE_CLI_OP_REQUEST_H_
#define DIMWISE_CLI_OP_REQUEST_H_

#include <simdjson.h>

#include <cstddef>
#include <deque>
#include <string_view>
#include <vector>

#include "core/values/contents_builder.h"
#include "dimwise/analysis.h"
#include "dimwise/op_registry.h"
#include "infer/context/op_call.h"

namespace dimwise {

// The data that the views of an OpCall refer to.
struct OpRequest {
  const OpRegistrationData* op = nullptr;
  std::vector<OpOperand> operands;
  std::vector<std::string_view> operand_names;
  AttrMap attrs;
  std::deque<std::vector<std::byte>> bytes;  // of large contents
  int graph_def_version = OpCall::kNewestGraph;
  int version = OpRegistry::kLatest;
  int num_outputs = -1;
  bool both = false;
  std::vector<Type> known_outputs;

  OpCall Call() const {
    return {op,      operands,    &attrs, operand_names, graph_def_version,
            version, num_outputs, both,   known_outputs};
  }
};

// Views in the request are valid as long as the JSON. Handles belong to `analysis`.
Result<OpRequest> ReadOpRequest(simdjson::dom::element json, const OpRegistry& registry, Analysis& analysis,
                                bool lenient);

}  // namespace dimwise

#endif  // DIMWISE_CLI_OP_REQUEST_H_
