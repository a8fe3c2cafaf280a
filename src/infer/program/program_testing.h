// Support for tests of shape programs over graphs in text form.
#ifndef DIMWISE_INFER_PROGRAM_PROGRAM_TESTING_H_
#define DIMWISE_INFER_PROGRAM_PROGRAM_TESTING_H_

#include <string>
#include <string_view>

#include "dimwise/program.h"

namespace dimwise {

// Describes a program: its stages with the symbols they need, their guards, and the values they compute.
std::string Describe(const ShapeProgram& program);

// Compiles the graph and describes the program.
std::string CompileText(std::string_view graph, std::string_view assume = {});

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PROGRAM_TESTING_H_
