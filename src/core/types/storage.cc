#include "dimwise/storage.h"
#include "core/base/failure.h"

#include <fmt/format.h>

#include <utility>

namespace dimwise {
namespace {

struct StorageName {
  Storage storage;
  int mxnet;
  std::string_view name;
};

// Indexed by the value of the byte.
constexpr StorageName kStorages[] = {
    {Storage::Unknown(), -1, "?"},
    {Storage::Dense(), 0, "dense"},
    {Storage::RowSparse(), 1, "row_sparse"},
    {Storage::Csr(), 2, "csr"},
};

}  // namespace

std::string_view ToString(Storage storage) { return kStorages[storage.bits() & 3].name; }

std::optional<Storage> ParseStorage(std::string_view spelling) {
  if (spelling == "default") return Storage::Dense();
  if (spelling == "unknown") return Storage::Unknown();
  for (const StorageName& known : kStorages) {
    if (known.name == spelling) return known.storage;
  }
  return std::nullopt;
}

int MxnetNumberOf(Storage storage) { return kStorages[storage.bits() & 3].mxnet; }

std::optional<Storage> StorageFromMxnet(int64_t number) {
  for (const StorageName& known : kStorages) {
    if (known.mxnet == number) return known.storage;
  }
  return std::nullopt;
}

Result<Storage> MergeStorage(Storage a, Storage b) {
  if (a == b || !b.is_known()) return a;
  if (!a.is_known()) return b;
  return Failure(Code::kContradiction,
                 fmt::format("the storage cannot be both {} and {}", ToString(a), ToString(b)));
}

}  // namespace dimwise
