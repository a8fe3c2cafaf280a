// Builds a shape program, which computes all sizes from the sizes of the inputs.
#ifndef DIMWISE_INFER_PROGRAM_PROGRAM_BUILD_H_
#define DIMWISE_INFER_PROGRAM_PROGRAM_BUILD_H_

#include <memory>

#include "infer/program/program_code.h"

namespace dimwise {

// REQUIRES: the inference has run.
std::unique_ptr<const ProgramCode> BuildProgram(const Inference& inference);

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PROGRAM_BUILD_H_
