// A list of an attribute that is still in the file.
//
// Trees and dictionaries are kept in attributes, millions of numbers and words that no shape needs. Such a
// list is known by its kind, its size and its first elements, and is read when somebody looks at it.
#ifndef DIMWISE_CORE_VALUES_UNREAD_LIST_H_
#define DIMWISE_CORE_VALUES_UNREAD_LIST_H_

#include <mutex>
#include <string_view>

#include "dimwise/attr_value.h"

namespace dimwise {

class UnreadList {
 public:
  static constexpr size_t kFirst = 64;  // elements that are known
  // What has more elements or bytes than this is not read: the list would take a multiple of the file's size.
  static constexpr size_t kMaxElements = size_t{1} << 22;
  static constexpr size_t kMaxBytes = size_t{1} << 26;

  // The list that stands in these bytes, in the kind of `first`. It may not fail: whoever makes this has seen
  // that nothing is wrong with them.
  using Reader = AttrValue (*)(std::string_view bytes, AttrKind kind);

  // REQUIRES: `first` has the first kFirst elements of more, which are ints, floats or strings.
  UnreadList(AttrValue first, size_t size, std::string_view bytes, Reader reader)
      : first_(std::move(first)), size_(size), bytes_(bytes), reader_(reader) {}

  AttrKind kind() const { return first_.kind(); }
  size_t size() const { return size_; }
  const AttrValue& first() const { return first_; }
  std::string_view bytes() const { return bytes_; }

  bool is_too_long() const { return size_ > kMaxElements || bytes_.size() > kMaxBytes; }

  // The list itself, or nothing where it is too long. Threads may ask at once; one of them reads.
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
