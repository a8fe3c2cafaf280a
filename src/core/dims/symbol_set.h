// A set of symbols without duplicates, in insertion order.
#ifndef DIMWISE_CORE_DIMS_SYMBOL_SET_H_
#define DIMWISE_CORE_DIMS_SYMBOL_SET_H_

#include <tsl/robin_set.h>

#include <algorithm>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class SymbolSet {
 public:
  // Returns false if the symbol is already in the list.
  bool Add(Dim symbol) {
    if (list_.size() < kFew) {
      if (std::ranges::find(list_, symbol) != list_.end()) return false;
    } else {
      if (seen_.empty()) seen_.insert(list_.begin(), list_.end());
      if (!seen_.insert(symbol).second) return false;
    }
    list_.push_back(symbol);
    return true;
  }
  const std::vector<Dim>& list() const { return list_; }

 private:
  static constexpr size_t kFew = 16;  // up to this length, search is linear

  std::vector<Dim> list_;
  tsl::robin_set<Dim, std::hash<Dim>> seen_;  // the elements of list_, once it is long
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_SYMBOL_SET_H_
