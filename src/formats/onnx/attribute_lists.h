// Reads the list in an AttributeProto.
//
// It stores the first elements and counts all of them. A longer list is decoded in full only when it is
// queried.
#ifndef DIMWISE_FORMATS_ONNX_ATTRIBUTE_LISTS_H_
#define DIMWISE_FORMATS_ONNX_ATTRIBUTE_LISTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"
#include "formats/protobuf/model_source.h"
#include "formats/onnx/onnx_fields.h"
#include "formats/protobuf/wire_reader.h"

namespace dimwise {

class AttributeLists {
 public:
  using Kind = onnx_fields::AttributeType;

  // Longer lists are not decoded at once.
  static constexpr size_t kMaxRead = 1024;

  explicit AttributeLists(size_t most = kMaxRead) : most_(most) {}

  // Reads the current field, and the fields of its kind that follow, if it belongs to a list. Returns the
  // kind of the list, or kUndefined for other fields.
  Kind Take(WireReader& attribute);
  // Returns whether the fields were undamaged. Reports damage to `source`.
  bool Whole(ModelSource& source) const;

  // Returns the list of floats, ints or strings. `attribute` is the whole message.
  AttrValue ToValue(Kind kind, std::string_view attribute);

 private:
  size_t Room(size_t kept) const { return kept < most_ ? most_ - kept : 0; }
  void TakePackedFloats(std::string_view packed);
  void TakePackedInts(std::string_view packed);

  const size_t most_;  // the number of elements to store of each list
  AttrValue::Floats floats_;
  AttrValue::Ints ints_;
  std::vector<std::string_view> strings_;
  size_t float_count_ = 0, int_count_ = 0, string_count_ = 0;
  const char* damage_ = nullptr;  // description of the damage, and its position
  const char* damaged_at_ = nullptr;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_ATTRIBUTE_LISTS_H_
