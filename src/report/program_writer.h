// A shape program written out: as C, as Python, as JSON. All three print the same instructions and tables
// (infer/program/program_code.h).
#ifndef DIMWISE_REPORT_PROGRAM_WRITER_H_
#define DIMWISE_REPORT_PROGRAM_WRITER_H_

#include <string>

#include "dimwise/program.h"
#include "report/json_writer.h"

namespace dimwise {

// One C99 file without dependencies but <stdint.h>. Its identifiers begin with the model's name.
std::string ProgramAsC(const ShapeProgram& program);

// One Python module without dependencies.
std::string ProgramAsPython(const ShapeProgram& program);

// {"dimwise": 1, "program": {...}, "symbols": [...], "expressions": [...], "checks": [...], "values": {...},
// ...}
void WriteProgram(JsonWriter& json, const ShapeProgram& program);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_PROGRAM_WRITER_H_
