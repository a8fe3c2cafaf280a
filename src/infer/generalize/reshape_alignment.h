// Finds the axis that takes a symbol in a Reshape to constant sizes.
//
// A Reshape keeps the order of the elements, row by row. So the axes of operand and result form groups, from
// the left, with equal products of sizes: [1, 16, 768] to [1, 16, 12, 64] is 1
// 16
// 768 and 1
// 16
// 12*64. If a size of the operand becomes a symbol, the axis of the result in the same group takes it:
// [batch, 16, 768] becomes [batch, 16, 12, 64]. The result [1, batch*16, 12, 64] would mix samples.
//
// Axes of size 1 do not affect the products. A run of them in the operand is matched with the run at the same
// position in the result.
#ifndef DIMWISE_INFER_GENERALIZE_RESHAPE_ALIGNMENT_H_
#define DIMWISE_INFER_GENERALIZE_RESHAPE_ALIGNMENT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

struct Alignment {
  std::vector<Dim> sizes;  // of the result
  bool certain = true;     // false: an axis of size 1 had no counterpart and joined a neighbour
};

// Selects the neighbour that an unmatched axis of size 1 joins. Both neighbours keep the order of the
// elements.
enum class Joining : uint8_t {
  // The right neighbour if its group is split: [16, B, 768] with an old result of [16, 12, 64] becomes
  // [16, B*12, 64], as in attention with the sequence first. Otherwise the left neighbour.
  kSplit,
  kLeft,
};

// Two axes that were merged into one, in order.
struct Merge {
  Dim left, right;
};
struct Realignment {
  std::function<Dim(Dim)> old;  // returns the old value of a size
  std::function<std::optional<Merge>(Dim)>
      parts;  // returns the factors of a merged axis, if they are known and unique
  Joining joining = Joining::kSplit;
};
// Returns the sizes of the result if the operand has sizes `in` and the result had sizes `old_out`. Returns
// nothing if the groups do not determine them.
std::optional<Alignment> AlignReshape(DimTable& dims, const Realignment& how, std::span<const Dim> in,
                                      std::span<const Dim> old_out);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_RESHAPE_ALIGNMENT_H_
