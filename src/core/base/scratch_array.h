// Uninitialized stack memory for N trivial values, for buffers on hot paths where initialization would
// dominate.
#ifndef DIMWISE_CORE_BASE_SCRATCH_ARRAY_H_
#define DIMWISE_CORE_BASE_SCRATCH_ARRAY_H_

#include <cstddef>
#include <type_traits>

namespace dimwise {

template <typename T, size_t N>
requires std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>
class ScratchArray {
 public:
  ScratchArray() {}  // NOLINT: leaves the elements uninitialized
  ScratchArray(const ScratchArray&) = delete;
  ScratchArray& operator=(const ScratchArray&) = delete;

  static constexpr size_t size() { return N; }
  T* data() { return reinterpret_cast<T*>(bytes_); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_); }
  T* begin() { return data(); }
  T& operator[](size_t i) { return data()[i]; }

 private:
  alignas(T) std::byte bytes_[N * sizeof(T)];
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_SCRATCH_ARRAY_H_
