// A Sample denotes one call of an operator, twice over: with numbers for everything, and with what inference
// is told of it, which may be less. It is plain data, without handles, so that it can be changed, made
// smaller and written down in the notation of examples.
#ifndef DIMWISE_INFER_DRIVER_RULE_DRIVER_SAMPLE_H_
#define DIMWISE_INFER_DRIVER_RULE_DRIVER_SAMPLE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "infer/operators/rule_examples.h"
#include "rules/compile/library.h"

namespace dimwise {

// A size, or an element of contents.
struct SampleNumber {
  int64_t number = 0;
  // How inference is told: empty is the number itself, "?" is nothing, else an expression over symbols.
  std::string text;
  bool operator==(const SampleNumber&) const = default;
};

struct SampleOperand {
  bool given = true;
  ElementType element = ElementType::kUnknown;
  bool element_told = true;
  bool rank_told = true;
  std::vector<SampleNumber> sizes;
  // Contents: integers (booleans are 0 and 1), or floats; whether there are any, and whether inference is
  // told.
  bool has_contents = false;
  bool contents_told = true;
  std::vector<SampleNumber> integers;
  std::vector<double> floats;
  std::string container;  // the type where it is no tensor, in the notation of types

  bool is_tensor() const { return container.empty(); }
  bool operator==(const SampleOperand&) const = default;
};

struct SampleSymbol {
  int64_t number = 0;
  bool is_size = true;  // >= 0, as against any integer
  bool operator==(const SampleSymbol&) const = default;
};

struct Sample {
  std::vector<SampleOperand> operands;
  AttrMap attrs;
  int version = 0;  // 0: the newest that the rule serves
  int results = 1;
  std::map<std::string, SampleSymbol, std::less<>> symbols;  // those that texts speak of
  bool operator==(const Sample&) const = default;
};

// A sample as inference is told of it, with handles of an analysis, and what number or list stands behind
// each handle.
struct SampleCall {
  std::vector<Type> types;
  std::vector<Value> values;
  std::deque<std::vector<std::byte>> bytes;
  std::unordered_map<Dim, int64_t> numbers;
  std::unordered_map<Shape, std::vector<int64_t>> shapes;  // of unknown shapes
};

// The sample of an example's call; its numbers are 0 until they are chosen.
Result<Sample> SampleOf(Analysis& analysis, const ExampleCall& call);

// Works the numbers out of the texts and symbols again, and forgets symbols that no text speaks of. False
// where a number cannot be worked out, or a size would be negative.
bool Renumber(Sample* sample);

Result<SampleCall> Tell(Analysis& analysis, const Sample& sample);

// The sample with everything told as numbers.
Sample WithNumbers(const Sample& sample);

// `f32[N, 3]; i64[2]={M, -1}; axis=1 where N = 2 and M = 3`; sizes and ranks that are not told have their
// numbers behind them: `f32[?:2, 3]`, `f32[*:2, 3]`, `?:f32[2]`.
std::string ToString(const Sample& sample);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_SAMPLE_H_
