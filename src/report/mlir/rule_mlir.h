// A rule as text of MLIR: one function for an operator, over the dialects func, arith, tensor, scf, shape and
// cf.
//
//   func.func @onnx.Gemm(%A: tensor<?xindex>, %B: tensor<?xindex>, ..., %transA: index, ...) ->
//   tensor<?xindex>
//
// What it takes: the sizes of each operand (its extents, as `shape.shape_of` gives them), and where the rule
// asks:
// `%B_given` (an optional operand is there), `%shape_value` (the contents of an operand of integers, flat),
// the attributes. An attribute whose default is not a constant comes with `%pads_given`. A string is a
// number, the place in a table that stands above the function. What it gives: the sizes of each result. A
// requirement is a `cf.assert` with the words of the rule's author.
//
// At run time every size is a number. So `known(n)` holds, and of `if known(n) then ... else ...` only the
// first part is left; a part that has an unknown size becomes an assertion that it is not reached. Element
// types are not checked: in MLIR they are types. An operand that may come any number of times is written out
// for a given number. Arithmetic is that of `index`: it wraps where the engine reports an overflow.
//
// What has no counterpart is refused by name: sizes that depend on data, contents that may be no integers,
// floats, element types in an expression, sequences and other containers.
#ifndef DIMWISE_REPORT_MLIR_RULE_MLIR_H_
#define DIMWISE_REPORT_MLIR_RULE_MLIR_H_

#include <string>

#include "dimwise/result.h"
#include "rules/compile/library.h"

namespace dimwise {

struct MlirOptions {
  int version = 1;   // of the operator set
  int repeated = 2;  // how many operands or results stand for a variadic one
};

Result<std::string> RuleMlir(const rules::Rule& rule, const MlirOptions& options);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MLIR_RULE_MLIR_H_
