// The float steps of a shape program as C functions.
#ifndef DIMWISE_REPORT_PROGRAMS_FLOAT_STEPS_IN_C_H_
#define DIMWISE_REPORT_PROGRAMS_FLOAT_STEPS_IN_C_H_

#include <string>
#include <string_view>

#include "core/dims/float_step.h"

namespace dimwise {

// Returns the functions that all steps use. In all texts, @ stands for the prefix.
std::string_view FloatSupportInC();
// Returns the name of the function of a step, without the prefix.
std::string_view FloatFunctionInC(FloatStep step);
// Returns the function: it has two operands and a result, and returns 0, or 1 if the result does not fit.
std::string FloatStepInC(FloatStep step);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_PROGRAMS_FLOAT_STEPS_IN_C_H_
