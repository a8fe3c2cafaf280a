// A model as text, whole, for tests to compare: its inputs, constants, nodes, regions, functions and
// findings.
#ifndef DIMWISE_FORMATS_ONNX_MODEL_DUMP_TESTING_H_
#define DIMWISE_FORMATS_ONNX_MODEL_DUMP_TESTING_H_

#include <string>

#include "dimwise/onnx.h"

namespace dimwise {

std::string DumpModel(const OnnxModel& model);
// Reads and dumps; of what cannot be read, the diagnostic.
std::string ReadAndDump(std::string_view bytes);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_MODEL_DUMP_TESTING_H_
