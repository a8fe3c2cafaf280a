// A list of trivially copyable values that is stored inside its owner while it is short.
#ifndef DIMWISE_SMALL_LIST_H_
#define DIMWISE_SMALL_LIST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace dimwise {

namespace internal {

// The first kInline values are stored inside the object, the others on the heap. Heap memory is kept when the
// list shrinks.
template <typename T, size_t kInline>
requires std::is_trivially_copyable_v<T>
class SmallList {
 public:
  SmallList() {}  // leaves the elements uninitialized
  SmallList(const SmallList&) = delete;
  SmallList& operator=(const SmallList&) = delete;

  size_t size() const { return size_; }
  T& operator[](int64_t i) { return data()[i]; }
  const T& operator[](int64_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  void clear() { size_ = 0; }
  void push_back(const T& value) {
    const T copy = value;  // `value` may be an element of this list
    if (size_ == capacity_) Grow(size_ + 1);
    ::new (static_cast<void*>(data() + size_)) T(copy);
    ++size_;
  }
  void resize(size_t size) {
    if (size > capacity_) Grow(size);
    T* first = data();
    for (size_t i = size_; i < size; ++i) ::new (static_cast<void*>(first + i)) T();
    size_ = size;
  }

 private:
  T* data() { return heap_ != nullptr ? heap_.get() : reinterpret_cast<T*>(inside_); }
  const T* data() const { return heap_ != nullptr ? heap_.get() : reinterpret_cast<const T*>(inside_); }
  void Grow(size_t size) {
    auto larger = std::make_unique<T[]>(size * 2);
    for (size_t i = 0; i < size_; ++i) larger[i] = data()[i];
    heap_ = std::move(larger);
    capacity_ = size * 2;
  }

  size_t size_ = 0;
  size_t capacity_ = kInline;
  std::unique_ptr<T[]> heap_;
  alignas(T) std::byte inside_[kInline * sizeof(T)];
};

}  // namespace internal

}  // namespace dimwise

#endif  // DIMWISE_SMALL_LIST_H_
