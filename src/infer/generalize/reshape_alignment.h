// Where a symbol goes in a Reshape to constant sizes.
//
// A Reshape keeps the order of the elements, row by row. So its operand's axes and its result's fall into
// groups, from the left, whose sizes have equal products: [1, 16, 768] to [1, 16, 12, 64] is 1 | 16 | 768 and
// 1 | 16 | 12*64. When a size of the operand becomes a symbol, the result's axis of the same group has to
// take it: [batch, 16, 768] goes to [batch, 16, 12, 64], and not to [1, batch*16, 12, 64], in which the
// samples of a batch would be mixed.
//
// Axes of size 1 are in no product. A run of them in the operand meets the run at the same place in the
// result.
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
  bool certain = true;     // false: an axis of size 1 had none to meet, and joined one of its two neighbours
};

// Which of the two it joins. Either keeps the order of the elements; programs mean one of them.
enum class Joining : uint8_t {
  kSplit,  // the right one where that is split: [16, B, 768] to what was [16, 12, 64] is [16, B*12, 64], as
           // attention over sequences that come first writes it; the left one otherwise
  kLeft,
};

// Two axes that a product was made of, in their order.
struct Merge {
  Dim left, right;
};
struct Realignment {
  std::function<Dim(Dim)> old;                     // what a size was
  std::function<std::optional<Merge>(Dim)> parts;  // nothing where it is not known, or there were several
  Joining joining = Joining::kSplit;
};
// When the operand has sizes `in`; the result was of sizes `old_out`. Nothing where the groups do not say it.
std::optional<Alignment> AlignReshape(DimTable& dims, const Realignment& how, std::span<const Dim> in,
                                      std::span<const Dim> old_out);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_RESHAPE_ALIGNMENT_H_
