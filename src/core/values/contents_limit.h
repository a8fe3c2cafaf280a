// The maximum number of elements of contents, per thread. The default, ValueTable::kMaxElements, keeps
// inference cheap. A caller that needs contents (infer/engine/evaluator.cc) raises it temporarily.
#ifndef DIMWISE_CORE_VALUES_CONTENTS_LIMIT_H_
#define DIMWISE_CORE_VALUES_CONTENTS_LIMIT_H_

#include <algorithm>
#include <cstdint>

#include "dimwise/value.h"

namespace dimwise {

class ContentsLimit {
 public:
  // Sets the limit for the lifetime of the object; limits nest. At most 2^20.
  explicit ContentsLimit(int64_t elements) : before_(current_) {
    current_ = std::clamp<int64_t>(elements, ValueTable::kMaxElements, int64_t{1} << 20);
  }
  ~ContentsLimit() { current_ = before_; }
  ContentsLimit(const ContentsLimit&) = delete;
  ContentsLimit& operator=(const ContentsLimit&) = delete;

  static int64_t current() { return current_; }

  // Returns the limit for a node with this many operands or results. A list with one element for each of them
  // is no larger than the node itself.
  static int64_t ForNode(size_t parts) { return std::max(current_, static_cast<int64_t>(parts)); }

 private:
  static inline thread_local int64_t current_ = ValueTable::kMaxElements;
  const int64_t before_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_CONTENTS_LIMIT_H_
