// Names the sizes of one node's results, given what its rule says of them where the numbers that only data
// decides are symbols (engine_numbers.cc). Equal expressions in these are one size.
#ifndef DIMWISE_INFER_ENGINE_SIZE_NAMER_H_
#define DIMWISE_INFER_ENGINE_SIZE_NAMER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dimwise/inference_context.h"

namespace dimwise {

inline constexpr uint64_t kNumberPath = 0x6E756D6265720000u;  // of the keys of such symbols

class SizeNamer {
 public:
  // A number and an expression that it is not more than.
  using Limits = std::vector<std::pair<Dim, Dim>>;

  // `is_read` says of a number whether a value has it as a size, so that a run can tell what it is.
  SizeNamer(InferenceContext* context, Limits limits, std::function<bool(Dim)> is_read);

  // Whether it is an unknown that the node made up.
  static bool IsOwn(const InferenceContext& context, Dim size);
  // Whether it is a number by itself.
  bool IsNumber(Dim d) const;
  // The size is this number, so no run that goes on has a negative one.
  void AddSize(Dim number) { sizes_.push_back(number); }
  // The size that the rule says is `told` in place of the node's `own`; none where that says nothing more.
  Dim Name(Dim told, Dim own);

 private:
  bool IsDetermined(Dim d, int depth_left, std::vector<Dim>* numbers) const;
  bool IsSize(Dim number) const;
  bool Holds(const Literal& literal) const;
  bool IsTimesSizes(Dim d, Dim number) const;
  Dim InSizes(Dim told);
  Dim SizeOf(Dim number);
  void Limit(Dim size, Dim number);
  std::vector<Dim> LimitsOf(Dim number);
  void KeepBounds(Dim size, Dim own);

  InferenceContext* context_;
  DimTable& dims_;
  const Limits limits_;
  const std::function<bool(Dim)> is_read_;
  const std::string origin_;
  std::vector<Dim> sizes_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_SIZE_NAMER_H_
