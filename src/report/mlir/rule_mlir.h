// Exports a rule as MLIR: one function per operator, in the dialects func, arith, tensor, scf, shape and cf.
//
//   func.func @my.Product(%A: tensor<?xindex>, %B: tensor<?xindex>, ..., %transA: index, ...) ->
//   tensor<?xindex>
//
// The arguments are the sizes of each operand, as `shape.shape_of` returns them. Depending on the rule there
// are more: `%B_given` (whether an optional operand is present), `%shape_value` (the flat contents of an
// integer operand), and the attributes. An attribute with a computed default has an argument such as
// `%pads_given`. A string is an index into a table in the comment above the function.
//
// The results are the sizes of each result. A requirement becomes a `cf.assert` with the author's message.
//
// At run time every size is a number. So `known(n)` is true, and `if known(n) then ... else ...` becomes its
// first part. A branch with an unknown size becomes an assertion that it is not taken. Element types are not
// checked, because they are types in MLIR. A variadic operand is expanded to a fixed number of operands.
// Arithmetic is that of `index`: it wraps where the engine reports an overflow.
//
// Constructs without a counterpart in MLIR are rejected by name: data-dependent sizes, contents that may not
// be
// integers, floats, element types in expressions, sequences and other containers.
#ifndef DIMWISE_REPORT_MLIR_RULE_MLIR_H_
#define DIMWISE_REPORT_MLIR_RULE_MLIR_H_

#include <string>

#include "dimwise/result.h"
#include "rules/compile/library.h"

namespace dimwise {

struct MlirOptions {
  int version = 1;   // of the operator set
  int repeated = 2;  // the number of operands or results for a variadic one
};

Result<std::string> RuleMlir(const rules::Rule& rule, const MlirOptions& options);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MLIR_RULE_MLIR_H_
