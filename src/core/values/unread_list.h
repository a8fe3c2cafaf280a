// A list attribute that is still encoded in the file.
//
// Decision trees and dictionaries are stored in attributes: millions of numbers and words that no shape
// depends on. Such a list is represented by its kind, its size and its first elements, and decoded on first
// access.
#ifndef DIMWISE_CORE_VALUES_UNREAD_LIST_H_
#define DIMWISE_CORE_VALUES_UNREAD_LIST_H_

#include <mutex>
#include <string_view>

#include "dimwise/attr_value.h"

namespace dimwise {

class UnreadList {
 public:
  static constexpr size_t kFirst = 64;  // elements that are decoded at once
  // Lists above these limits are never decoded: they would take a multiple of the file's size.
  static constexpr size_t kMaxElements = size_t{1} << 22;
  static constexpr size_t kMaxBytes = size_t{1} << 26;

  // Decodes the list in these bytes, in the kind of `first`. It must not fail: the creator has validated the
  // bytes.
  using Reader = AttrValue (*)(std::string_view bytes, AttrKind kind);

  // REQUIRES: `first` contains the first kFirst elements, which are ints, floats or strings.
  UnreadList(AttrValue first, size_t size, std::string_view bytes, Reader reader)
      : first_(std::move(first)), size_(size), bytes_(bytes), reader_(reader) {}

  AttrKind kind() const { return first_.kind(); }
  size_t size() const { return size_; }
  const AttrValue& first() const { return first_; }
  std::string_view bytes() const { return bytes_; }

  bool is_too_long() const { return size_ > kMaxElements || bytes_.size() > kMaxBytes; }

  // Returns the list, or nothing if it is too long. Threads may call it concurrently; one of them decodes.
  const AttrValue& Read() const {
    std::call_once(once_, [this] {
      if (!is_too_long()) all_ = reader_(bytes_, kind());
    });
    return all_;
  }

 private:
  const AttrValue first_;
  const size_t size_;
  const std::string_view bytes_;
  const Reader reader_;
  mutable std::once_flag once_;
  mutable AttrValue all_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_UNREAD_LIST_H_
