// The numbers and texts of an AttributeProto that holds a list.
//
// The first of them are kept and all are counted. Of a longer list that is enough to know what it is; it is
// read as a whole when somebody looks at it.
#ifndef DIMWISE_FORMATS_ONNX_ATTRIBUTE_LISTS_H_
#define DIMWISE_FORMATS_ONNX_ATTRIBUTE_LISTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"
#include "formats/onnx/model_source.h"
#include "formats/onnx/onnx_fields.h"
#include "formats/protobuf/wire_reader.h"

namespace dimwise {

class AttributeLists {
 public:
  using Kind = onnx_fields::AttributeType;

  // A list of more elements stays in the file.
  static constexpr size_t kMaxRead = 1024;

  explicit AttributeLists(size_t most = kMaxRead) : most_(most) {}

  // Takes the field that the reader is at, if it belongs to a list, and those like it behind it; tells of
  // what kind the list is, and kUndefined for others.
  Kind Take(WireReader& attribute);
  // False, and it is reported, where what was taken is damaged.
  bool Whole(ModelSource& source) const;

  // The list of floats, ints or strings; `attribute` is all of it.
  AttrValue ToValue(Kind kind, std::string_view attribute);

 private:
  size_t Room(size_t kept) const { return kept < most_ ? most_ - kept : 0; }
  void TakePackedFloats(std::string_view packed);
  void TakePackedInts(std::string_view packed);

  const size_t most_;  // elements of each list that are kept
  AttrValue::Floats floats_;
  AttrValue::Ints ints_;
  std::vector<std::string_view> strings_;
  size_t float_count_ = 0, int_count_ = 0, string_count_ = 0;
  const char* damage_ = nullptr;  // what is wrong, and where
  const char* damaged_at_ = nullptr;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_ATTRIBUTE_LISTS_H_
