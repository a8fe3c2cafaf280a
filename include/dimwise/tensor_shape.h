#ifndef DIMWISE_TENSOR_SHAPE_H_
#define DIMWISE_TENSOR_SHAPE_H_

#include <cstdint>
#include <vector>

namespace dimwise {

// A shape as files and attributes carry it: -1 is an unknown size.
struct ShapeProto {
  bool unknown_rank = false;
  std::vector<int64_t> dims;
  bool operator==(const ShapeProto&) const = default;
};

}  // namespace dimwise

#endif  // DIMWISE_TENSOR_SHAPE_H_
