// One operator called by its name: from a description of its operands and attributes to what follows for its
// results. It is what `dimwise op` and each line of `dimwise op --batch` do.
//
// The call has no program around it, so it also does what a program's reader does elsewhere: it holds
// attributes to their kinds, gives sizes that have no name the name `<input>_d<axis>`, says where each name
// comes from, and states that every size is >= 0 (and no more: no size is assumed to be at least 1).
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

// An operand as the caller knows it, with handles of the call's analysis.
struct OpOperand {
  bool given = true;  // false: an optional operand that is left out
  Type type;          // kUnknown: nothing is known
  Value value;        // contents; none where they are not known
  Shape as_shape;     // contents known only as a list of sizes; none where they are not
};

struct OpCall {
  static constexpr int kNewestGraph = std::numeric_limits<int>::max();

  const OpRegistrationData* op = nullptr;
  std::span<const OpOperand> operands;
  const AttrMap* attrs = nullptr;                   // those that the operator does not have are ignored
  std::span<const std::string_view> operand_names;  // may be fewer: the rest is called as the operator says
  int graph_def_version = kNewestGraph;
  int version = OpRegistry::kLatest;  // of the operator's set
  int num_outputs = -1;               // -1: as many as the operator says
  // Asks for the operands too, given what is known of the results: an unknown type where nothing is, and
  // there may be fewer. A size without a name of theirs is a symbol that inference made up.
  bool both = false;
  std::span<const Type> known_outputs;
};

struct OpAnswer {
  const OpDef* def = nullptr;
  std::vector<std::string> input_names;  // "X", "inputs[1]"
  std::vector<OpOperand> inputs;  // as given, with every size named; simplified too where both were asked for
  std::vector<std::string> output_names;
  std::vector<Type> outputs;  // simplified by all that is known
  std::vector<Value> output_values;
  std::vector<Check> checks;  // what is left for run time
};

// Runs the operator's shape function in `analysis`, whose facts then hold what was learned. Where both
// directions are asked for, operands that are needed and not there are answered too. REQUIRES: call.op is not
// null.
Result<OpAnswer> CallOp(Analysis& analysis, const OpCall& call);

// Whether all attributes are those that the operator has, in the kinds that it declares: ReadAttrs gives the
// same.
bool AreAsDeclared(const OpDef& def, const AttrMap& attrs);
// The attributes that the operator has, each in the kind that it declares. An element type may be the number
// that the operator's framework has for it (ONNX's `to = 1`). Without `numbers`, a text is read as numbers
// where the framework writes them so.
Result<AttrMap> ReadAttrs(const OpDef& def, const AttrMap& attrs,
                          std::optional<NumbersAsText> numbers = std::nullopt);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_OP_CALL_H_
