// A Sample is a call of an operator in two forms: with numbers for everything, and with the information that
// inference is given, which may be less. It is plain data without handles, so that it can be changed, shrunk
// and printed in the notation of examples.
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
  // The form for inference: empty for the number itself, "?" for unknown, else an expression over symbols.
  std::string text;
  bool operator==(const SampleNumber&) const = default;
};

struct SampleOperand {
  bool given = true;
  ElementType element = ElementType::kUnknown;
  bool element_visible = true;
  bool rank_visible = true;
  std::vector<SampleNumber> sizes;
  // Contents: integers (Booleans are 0 and 1) or floats. `has_contents`: there are any; `contents_visible`:
  // inference is given them.
  bool has_contents = false;
  bool contents_visible = true;
  std::vector<SampleNumber> integers;
  std::vector<double> floats;
  std::string container;  // the type if it is not a tensor, in the notation of types

  bool is_tensor() const { return container.empty(); }
  bool operator==(const SampleOperand&) const = default;
};

struct SampleSymbol {
  int64_t number = 0;
  bool is_size = true;  // >= 0; false: any integer
  bool operator==(const SampleSymbol&) const = default;
};

struct Sample {
  std::vector<SampleOperand> operands;
  AttrMap attrs;
  int version = 0;  // 0: the latest version of the rule
  int results = 1;
  std::map<std::string, SampleSymbol, std::less<>> symbols;  // the symbols in the texts
  bool operator==(const Sample&) const = default;
};

// A sample in the form for inference, with handles of an analysis and the number or list for each handle.
struct SampleCall {
  std::vector<Type> types;
  std::vector<Value> values;
  std::deque<std::vector<std::byte>> bytes;
  std::unordered_map<Dim, int64_t> numbers;
  std::unordered_map<Shape, std::vector<int64_t>> shapes;  // of unknown shapes
};

// Returns the sample for the call of an example. Its numbers are 0 until they are chosen.
Result<Sample> SampleOf(Analysis& analysis, const ExampleCall& call);

// Recomputes the numbers from the texts and symbols, and removes unused symbols. Returns false if a number
// cannot be computed or a size would be negative.
bool Renumber(Sample* sample);

// Creates the form for inference in `analysis`.
Result<SampleCall> MakeCall(Analysis& analysis, const Sample& sample);

// Returns the sample with numbers for everything.
Sample WithNumbers(const Sample& sample);

// Returns text such as `f32[N, 3]; i64[2]={M, -1}; axis=1 where N = 2 and M = 3`. Unknown sizes and ranks are
// followed by their numbers: `f32[?:2, 3]`, `f32[*:2, 3]`, `?:f32[2]`.
std::string ToString(const Sample& sample);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_SAMPLE_H_
