// Tests of shape programs over graphs in the text form.
#ifndef DIMWISE_INFER_PROGRAM_PROGRAM_TESTING_H_
#define DIMWISE_INFER_PROGRAM_PROGRAM_TESTING_H_

#include <string>
#include <string_view>

#include "dimwise/program.h"

namespace dimwise {

// What a program says: stages with the symbols they need, their checks, and the values whose sizes they give.
std::string Describe(const ShapeProgram& program);

// Compiles the graph and describes it.
std::string CompileText(std::string_view graph, std::string_view assume = {});

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PROGRAM_TESTING_H_
