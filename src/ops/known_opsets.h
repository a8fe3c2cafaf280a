// The newest versions of operator sets whose definitions the built-in rules contain.
#ifndef DIMWISE_OPS_KNOWN_OPSETS_H_
#define DIMWISE_OPS_KNOWN_OPSETS_H_

#include <limits>
#include <string_view>

namespace dimwise {

struct KnownOpset {
  std::string_view set;
  int version = 0;
};

inline constexpr KnownOpset kKnownOpsets[] = {
    {"onnx", 28},         {"ai.onnx.ml", 5},          {"ai.onnx.preview", 1}, {"ai.onnx.preview.training", 1},
    {"com.microsoft", 1}, {"com.microsoft.nchwc", 1},
    // The version is that of the program that wrote the graph. TensorFlow reads newer graphs too.
    {"tensorflow", std::numeric_limits<int>::max()},
};

}  // namespace dimwise

#endif  // DIMWISE_OPS_KNOWN_OPSETS_H_
