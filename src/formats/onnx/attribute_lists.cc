#include "formats/onnx/attribute_lists.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "core/values/unread_list.h"
#include "formats/onnx/tensor_reader.h"

namespace dimwise {
namespace {

namespace f = onnx_fields::attribute;
using Kind = onnx_fields::AttributeType;

// Returns the whole list of an attribute that is known to be undamaged.
AttrValue ReadList(std::string_view attribute, AttrKind kind) {
  AttributeLists lists(SIZE_MAX);
  WireReader r(attribute);
  while (r.Next()) lists.Take(r);
  return lists.ToValue(kind == AttrKind::kInts     ? Kind::kInts
                       : kind == AttrKind::kFloats ? Kind::kFloats
                                                   : Kind::kStrings,
                       attribute);
}

template <typename T>
std::vector<T> FirstOf(const std::vector<T>& list) {
  return {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(UnreadList::kFirst)};
}

AttrValue ToStrings(const std::vector<std::string_view>& list) {
  return AttrValue::Strings(list.begin(), list.end());
}

AttrValue Unread(AttrValue first, size_t size, std::string_view attribute) {
  return AttrValue(std::make_shared<const UnreadList>(std::move(first), size, attribute, ReadList));
}

}  // namespace

Kind AttributeLists::Take(WireReader& attribute) {
  switch (attribute.tag()) {
    case f::kFloats:
      ++float_count_;
      if (Room(floats_.size()) > 0) {
        floats_.push_back(attribute.float32());
      } else {
        float_count_ += attribute.PassSame();
      }
      return Kind::kFloats;
    case f::kFloatsPacked:
      TakePackedFloats(attribute.bytes());
      return Kind::kFloats;
    case f::kInts:
      ++int_count_;
      if (ints_.empty()) ints_.reserve(4);
      if (Room(ints_.size()) > 0) {
        ints_.push_back(attribute.integer());
      } else {
        int_count_ += attribute.PassSame();
      }
      return Kind::kInts;
    case f::kIntsPacked:
      TakePackedInts(attribute.bytes());
      return Kind::kInts;
    case f::kStrings:
      ++string_count_;
      if (Room(strings_.size()) > 0) {
        strings_.push_back(attribute.bytes());
      } else {
        string_count_ += attribute.PassSame();
      }
      return Kind::kStrings;
    default:
      return Kind::kUndefined;
  }
}

void AttributeLists::TakePackedFloats(std::string_view packed) {
  if (packed.size() % 4 != 0) {
    damage_ = "a list of floats ends inside a float";
    damaged_at_ = packed.data();
    return;
  }
  float_count_ += packed.size() / 4;
  AppendFloats(packed.substr(0, std::min(packed.size() / 4, Room(floats_.size())) * 4), &floats_);
}

void AttributeLists::TakePackedInts(std::string_view packed) {
  WireReader list(packed);
  uint64_t number = 0;
  while (list.NextVarint(&number)) {
    ++int_count_;
    if (Room(ints_.size()) > 0) ints_.push_back(static_cast<int64_t>(number));
  }
  if (list.damage() == nullptr) return;
  damage_ = list.damage();
  damaged_at_ = list.damaged_at();
}

bool AttributeLists::Whole(ModelSource& source) const {
  if (damage_ == nullptr) return true;
  source.Damage(source.OffsetOf(damaged_at_), "an attribute", damage_);
  return false;
}

AttrValue AttributeLists::ToValue(Kind kind, std::string_view attribute) {
  switch (kind) {
    case Kind::kFloats:
      if (float_count_ <= most_) return std::move(floats_);
      return Unread(FirstOf(floats_), float_count_, attribute);
    case Kind::kInts:
      if (int_count_ <= most_) return std::move(ints_);
      return Unread(FirstOf(ints_), int_count_, attribute);
    default:
      if (string_count_ <= most_) return ToStrings(strings_);
      return Unread(ToStrings(FirstOf(strings_)), string_count_, attribute);
  }
}

}  // namespace dimwise
