// A SizeNamer replaces the unknown sizes of one node's results. Its input is an expression for each size,
// from an evaluation of the rule with symbols for unknown integers (IntegerSearch). Equal expressions get one
// symbol, so all sizes that one integer determines are equal.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_SIZE_NAMER_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_SIZE_NAMER_H_

#include <functional>
#include <string>
#include <vector>

#include "dimwise/inference_context.h"
#include "infer/engine/analyses/integer_search.h"

namespace dimwise {

class SizeNamer {
 public:
  // `is_read` returns whether a value has an unknown integer as a size, so that a run can read it there.
  SizeNamer(InferenceContext* context, std::vector<IntegerLimit> limits, std::function<bool(Dim)> is_read);

  // Returns whether a size is a symbol that the node created.
  static bool IsOwn(const InferenceContext& context, Dim size);
  // Returns whether an expression is just the symbol of an unknown integer.
  bool IsUnknownInteger(Dim d) const;
  // Records that an unknown integer is a size. A run with a negative one fails.
  void AddSize(Dim integer) { sizes_.push_back(integer); }
  // Returns the size that replaces the node's symbol `own`, given its expression. Returns none if `own`
  // stays.
  Dim Name(Dim expression, Dim own);

 private:
  bool IsDetermined(Dim d, int depth_left, std::vector<Dim>* integers) const;
  bool IsSize(Dim integer) const;
  bool Holds(const Literal& literal) const;
  bool IsTimesSizes(Dim d, Dim integer) const;
  Dim WithSizes(Dim expression);
  Dim SizeOf(Dim expression);
  void AddBounds(Dim size, Dim expression);
  std::vector<Dim> LimitsOf(Dim expression);
  void CopyBounds(Dim size, Dim own);

  InferenceContext* context_;
  DimTable& dims_;
  const std::vector<IntegerLimit> limits_;
  const std::function<bool(Dim)> is_read_;
  const std::string origin_;
  std::vector<Dim> sizes_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_SIZE_NAMER_H_
