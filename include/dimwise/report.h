// What was found, written down: what the commands `compile`, `explain` and `infer --format json` print, for a
// compiler that has no file to give them.
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

// ---- A shape program in another language: all three hold the same instructions and tables ----

// One C99 file without dependencies but <stdint.h>. Its identifiers begin with the graph's name.
DIMWISE_API std::string ProgramAsC(const ShapeProgram& program);
// One Python module without dependencies.
DIMWISE_API std::string ProgramAsPython(const ShapeProgram& program);
// {"dimwise": 1, "model": ..., "symbols": [...], "expressions": [...], "checks": [...], "values": {...}, ...}
DIMWISE_API std::string ProgramAsJson(const ShapeProgram& program);

// ---- An inference that has run, in words ----

// Why a size is what it is, from the node that made it back to inputs and constants, a line for each step. An
// axis below 0 counts from the end. An error where there is no such value or axis.
DIMWISE_API Result<std::string> Explain(const Inference& inference, ValueId value, int axis);

// {"dimwise": 1, "model": {...}, "symbols": {...}, "values": {...}, "diagnostics": [...], "checks": [...],
// ...}
DIMWISE_API std::string InferenceAsJson(const Inference& inference);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_H_
