// Storage denotes how the elements of a tensor are stored: all of them, or only the nonzero ones.
//
// It is one byte. The low four bits are the kind, which is inferred like shapes and element types. The high
// four bits are reserved for a layout of dense storage (channels last, blocked) and are 0.
//
// Thread safety: a value.
#ifndef DIMWISE_STORAGE_H_
#define DIMWISE_STORAGE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "dimwise/export.h"
#include "dimwise/result.h"

namespace dimwise {

class Storage {
 public:
  constexpr Storage() = default;  // unknown
  static constexpr Storage Unknown() { return Storage(0); }
  static constexpr Storage Dense() { return Storage(1); }
  // Whole rows (slices of the first axis) and their indices, as in gradients of embeddings.
  static constexpr Storage RowSparse() { return Storage(2); }
  // Compressed sparse rows of a matrix.
  static constexpr Storage Csr() { return Storage(3); }

  constexpr bool is_known() const { return bits_ != 0; }
  constexpr bool is_dense() const { return (bits_ & 15) == 1; }
  constexpr bool is_sparse() const { return (bits_ & 15) >= 2; }
  constexpr uint8_t bits() const { return bits_; }
  constexpr bool operator==(const Storage&) const = default;

 private:
  constexpr explicit Storage(uint8_t bits) : bits_(bits) {}
  uint8_t bits_ = 0;
};

static_assert(sizeof(Storage) == 1);

// Returns "?", "dense", "row_sparse" or "csr".
DIMWISE_API std::string_view ToString(Storage storage);
// Parses the text of ToString, and "default", MXNet's word for dense.
DIMWISE_API std::optional<Storage> ParseStorage(std::string_view spelling);

// MXNet's numbers: -1 unknown, 0 dense, 1 row_sparse, 2 csr.
DIMWISE_API int MxnetNumberOf(Storage storage);
DIMWISE_API std::optional<Storage> StorageFromMxnet(int64_t number);

// Returns the meet of both, or an error if they conflict.
DIMWISE_API Result<Storage> MergeStorage(Storage a, Storage b);

}  // namespace dimwise

#endif  // DIMWISE_STORAGE_H_
