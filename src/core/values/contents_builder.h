// A ContentsBuilder collects the elements of an operand as a request lists them, flat and row by row, and
// makes the Value that they are for a tensor of a given element type and shape.
//
// Numbers are held to the element type: an integer where a float is due is fine, 0.5 where an i64 is due is
// an error. Up to ValueTable::kMaxElements of them may be expressions or unknown; more are kept as bytes and
// have to be plain numbers, or nothing is known of them. Of texts nothing is kept but that they are there.
#ifndef DIMWISE_CORE_VALUES_CONTENTS_BUILDER_H_
#define DIMWISE_CORE_VALUES_CONTENTS_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/result.h"

namespace dimwise {

class ContentsBuilder {
 public:
  void AddInteger(Dim integer) { elements_.push_back({Kind::kInteger, integer, 0}); }
  void AddFloat(double number) { elements_.push_back({Kind::kFloat, {}, number}); }
  void AddBool(bool truth) { elements_.push_back({Kind::kBool, truth ? 1 : 0, 0}); }
  void AddText() { elements_.push_back({Kind::kText, {}, 0}); }
  void AddUnknown() { elements_.push_back({Kind::kUnknown, {}, 0}); }

  size_t size() const { return elements_.size(); }
  void Clear() { elements_.clear(); }

  // The contents, or none where nothing can be known of them. *bytes has to live as long as the analysis.
  Result<Value> Build(Analysis& analysis, const Type& type, std::vector<std::byte>* bytes) const;

 private:
  enum class Kind : uint8_t { kInteger, kFloat, kBool, kText, kUnknown };
  struct Element {
    Kind kind;
    Dim integer;
    double number;
  };

  bool Has(Kind kind) const;
  // Whether all elements may stand where the type is due; the error names the first that may not.
  Status CheckKinds(ElementType type) const;

  Value BuildIntegers(Analysis& analysis, ElementType type, std::span<const int64_t> sizes) const;
  Value BuildFloats(Analysis& analysis, ElementType type, std::span<const int64_t> sizes) const;
  Value BuildBooleans(Analysis& analysis, std::span<const int64_t> sizes) const;
  Value BuildBytes(Analysis& analysis, ElementType type, std::span<const int64_t> sizes,
                   std::vector<std::byte>* bytes) const;

  std::vector<Element> elements_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_CONTENTS_BUILDER_H_
