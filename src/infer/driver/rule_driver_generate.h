// Samples for a rule, made from its examples and its patterns, the same ones for the same seed.
//
// An example or a pattern gives a call that the rule most likely takes. Its symbols get numbers, small ones
// and 0 among them; then perhaps it is changed a little, so that it may be refused: an axis more, an optional
// operand less, another element of the contents. At last it is decided what inference is told: numbers,
// symbols, nothing.
#ifndef DIMWISE_INFER_DRIVER_RULE_DRIVER_GENERATE_H_
#define DIMWISE_INFER_DRIVER_RULE_DRIVER_GENERATE_H_

#include <cstdint>
#include <vector>

#include "dimwise/op_def.h"
#include "infer/driver/rule_driver_sample.h"
#include "rules/compile/library.h"

namespace dimwise {

// Numbers that look random and depend on the seed alone, on every machine.
class SampleRandom {
 public:
  explicit SampleRandom(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // In 0 .. n-1. REQUIRES: n > 0.
  size_t Below(size_t n) { return static_cast<size_t>(Next() % n); }
  bool OneIn(size_t n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

class SampleMaker {
 public:
  SampleMaker(const rules::Rule& rule, const OpDef& def, uint64_t seed);
  Sample Next();

 private:
  Sample FromPatterns();
  void FillNumbers(Sample* sample);
  void FillContents(SampleOperand* operand);
  int64_t Size();

  const rules::Rule& rule_;
  const OpDef& def_;
  SampleRandom random_;
  std::vector<Sample> examples_;
};

// A change after which the sample may be refused.
void Change(const OpDef& def, const std::vector<Sample>& others, SampleRandom* random, Sample* sample);

// Decides what inference is told.
void Hide(SampleRandom* random, Sample* sample);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_GENERATE_H_
