// Generates samples for a rule from its examples and patterns. Equal seeds generate equal samples.
//
// An example or a pattern yields a call that the rule probably accepts. Its symbols become numbers, including
// small ones and 0. Then it may be changed so that it may be rejected: another axis, an optional operand
// less, another element. Finally Hide chooses what inference is given: numbers, symbols, or unknowns.
#ifndef DIMWISE_INFER_DRIVER_RULE_DRIVER_GENERATE_H_
#define DIMWISE_INFER_DRIVER_RULE_DRIVER_GENERATE_H_

#include <cstdint>
#include <vector>

#include "dimwise/op_def.h"
#include "infer/driver/rule_driver_sample.h"
#include "rules/compile/library.h"

namespace dimwise {

// Pseudorandom numbers that depend only on the seed, on every machine.
class SampleRandom {
 public:
  explicit SampleRandom(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // Returns a number in 0 .. n-1. REQUIRES: n > 0.
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

// Applies a change after which the rule may reject the sample.
void Change(const OpDef& def, const std::vector<Sample>& others, SampleRandom* random, Sample* sample);

// Chooses which parts of the sample inference is given.
void Hide(SampleRandom* random, Sample* sample);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_GENERATE_H_
