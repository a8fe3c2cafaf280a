// The locations of external data in an ONNX file: paths of the files that contain the contents of tensors,
// relative to the folder of the model. They occur in initializers and in attributes, also of nested graphs
// and of functions.
#ifndef DIMWISE_FORMATS_ONNX_EXTERNAL_DATA_H_
#define DIMWISE_FORMATS_ONNX_EXTERNAL_DATA_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/result.h"

namespace dimwise {

// Returns the locations in a ModelProto, each once, sorted.
std::vector<std::string> ExternalLocations(std::string_view model);

using NewLocations = std::map<std::string, std::string, std::less<>>;  // by old location

// Writes the model in pieces with other locations. All other bytes stay unchanged.
Status WriteWithLocations(std::string_view model, const NewLocations& locations,
                          const std::function<Status(std::string_view)>& sink);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_EXTERNAL_DATA_H_
