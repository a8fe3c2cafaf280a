// Prints a model as text for comparison in tests: inputs, constants, nodes, regions, functions and findings.
#ifndef DIMWISE_FORMATS_ONNX_MODEL_DUMP_TESTING_H_
#define DIMWISE_FORMATS_ONNX_MODEL_DUMP_TESTING_H_

#include <string>

#include "dimwise/onnx.h"

namespace dimwise {

std::string DumpModel(const OnnxModel& model);
// Reads a model and dumps it. Returns the diagnostic if it cannot be read.
std::string ReadAndDump(std::string_view bytes);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_MODEL_DUMP_TESTING_H_
