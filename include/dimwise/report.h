// Converts results of inference to text: the output of the commands `compile`, `explain` and
// `infer --format json`, for programs that have a graph in memory.
//
//   const ShapeProgram program(inference);
//   const std::string source = ProgramAsC(program);
//   const std::string why = *Explain(inference, y, /*axis=*/0);
//
// Thread safety: a program is shared by threads; an inference belongs to one at a time.
#ifndef DIMWISE_REPORT_H_
#define DIMWISE_REPORT_H_

#include <string>

#include "dimwise/export.h"
#include "dimwise/inference.h"
#include "dimwise/program.h"
#include "dimwise/result.h"

namespace dimwise {

// ---- A shape program in another language; all three have the same instructions and tables ----

// Returns a C99 file that depends only on <stdint.h>. Its identifiers start with the graph's name.
DIMWISE_API std::string ProgramAsC(const ShapeProgram& program);
// Returns a Python module without dependencies.
DIMWISE_API std::string ProgramAsPython(const ShapeProgram& program);
// Returns {"dimwise": 1, "model": ..., "symbols": [...], "expressions": [...], "checks": [...], "values":
// {...},
// ...}.
DIMWISE_API std::string ProgramAsJson(const ShapeProgram& program);

// ---- The results of an inference ----

// Explains a size: a line for each step from the node that computes it back to inputs and constants. A
// negative axis counts from the end. Returns an error if there is no such value or axis.
DIMWISE_API Result<std::string> Explain(const Inference& inference, ValueId value, int axis);

// Returns {"dimwise": 1, "model": {...}, "inputs": [...], "outputs": [...], "symbols": {...}, "values":
// {...}, "diagnostics": [...], "checks": [...], ...}.
DIMWISE_API std::string InferenceAsJson(const Inference& inference);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_H_
