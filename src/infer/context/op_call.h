// Calls one operator by its name: infers results from a description of its operands and attributes. `dimwise
// op` and each line of `dimwise op --batch` use it.
//
// There is no program around the call, so it also does the work of a reader. It validates the kinds of
// attributes, names unnamed sizes `<input>_d<axis>`, and records the origin of each name. It states that
// every size is >= 0, but does not assume that sizes are at least 1.
#ifndef DIMWISE_INFER_CONTEXT_OP_CALL_H_
#define DIMWISE_INFER_CONTEXT_OP_CALL_H_

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"

namespace dimwise {

// An operand as the caller describes it, with handles of the call's analysis.
struct OpOperand {
  bool given = true;  // false: an optional operand that is not given
  Type type;          // kUnknown: nothing is known
  Value value;        // contents; none if unknown
  Shape as_shape;     // contents known only as a list of sizes; none if unknown
};

struct OpCall {
  static constexpr int kNewestGraph = std::numeric_limits<int>::max();

  const OpRegistrationData* op = nullptr;
  std::span<const OpOperand> operands;
  const AttrMap* attrs = nullptr;  // attributes that the operator does not have are ignored
  // May be fewer; other operands have the names in the definition.
  std::span<const std::string_view> operand_names;
  int graph_def_version = kNewestGraph;
  int version = OpRegistry::kLatest;  // of the operator set
  int num_outputs = -1;               // -1: the number in the definition
  // Also infers the operands, from what is known of the results: an unknown type for an unknown result, or
  // fewer types than results. A size without a user's name is then a generated symbol.
  bool both = false;
  std::span<const Type> known_outputs;
};

struct OpAnswer {
  const OpDef* def = nullptr;
  std::vector<std::string> input_names;  // "X", "inputs[1]"
  std::vector<OpOperand> inputs;         // as given, with all sizes named; also simplified if `both` is set
  std::vector<std::string> output_names;
  std::vector<Type> outputs;  // simplified by all facts
  std::vector<Value> output_values;
  std::vector<Guard> guards;  // the guards
};

// Runs the operator's shape function in `analysis`, which then contains the derived facts. With call.both,
// required operands that are not given are inferred too. REQUIRES: call.op is not null.
Result<OpAnswer> CallOp(Analysis& analysis, const OpCall& call);

// Returns whether all attributes are declared and have their declared kinds, so that ReadAttrs would return
// them unchanged.
bool AreAsDeclared(const OpDef& def, const AttrMap& attrs);
// Returns the declared attributes, each in its declared kind. An element type may be the number of the
// operator's framework (ONNX's `to = 1`). If `numbers` is not given, text is parsed as numbers where the
// framework writes them as text.
Result<AttrMap> ReadAttrs(const OpDef& def, const AttrMap& attrs,
                          std::optional<NumbersAsText> numbers = std::nullopt);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_OP_CALL_H_
