// Computes contents of element-wise operators, with broadcasting of the operands.
#ifndef DIMWISE_BENCH_FUNCTIONS_ELEMENTWISE_H_
#define DIMWISE_BENCH_FUNCTIONS_ELEMENTWISE_H_

#include <array>
#include <cstdint>

#include "bench/functions/contents.h"

namespace dimwise {

// Maps an element of the result to the element of an operand, for contents of known sizes.
class BroadcastIndex {
 public:
  BroadcastIndex(Shape result, Value operand);
  int64_t operator()(int64_t element) const;

 private:
  // The last four axes, the last one first. Contents have at most four axes.
  std::array<int64_t, 4> sizes_{1, 1, 1, 1};
  std::array<int64_t, 4> strides_{0, 0, 0, 0};
};

// Sets the contents of output 0 to f(elements of the kCount operands) if they are known.
template <size_t kCount, typename F>
void CombineContents(InferenceContext* c, int first, F f) {
  if (!MayHaveContents(c->output(0), c->output_type(0))) return;
  std::array<Value, kCount> contents;
  for (size_t i = 0; i < kCount; ++i) {
    contents[i] = SmallContents(c, first + static_cast<int>(i));
    if (contents[i].is_none() || contents[i].rank() > 4) return;
  }
  ElementList elements;
  const int64_t count = *SmallCount(c->output(0));
  for (int64_t e = 0; e < count; ++e) {
    std::array<Float, kCount> operands;
    for (size_t i = 0; i < kCount; ++i) {
      operands[i] = ElementOf(contents[i], BroadcastIndex(c->output(0), contents[i])(e));
    }
    elements.push_back(f(operands));
  }
  SetContents(c, 0, elements);
}

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_ELEMENTWISE_H_
