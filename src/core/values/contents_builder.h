// A ContentsBuilder collects the elements of an operand from a request, in row-major order. It creates a
// Value for a tensor of a given element type and shape.
//
// Numbers must fit the element type: an integer is accepted for a float, but 0.5 is an error for an i64. Up
// to ValueTable::kMaxElements elements may be expressions or unknown. Larger contents are stored as bytes and
// must be plain numbers, else they are unknown. Texts are counted but not stored.
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

  // Returns the contents, or none if nothing is known of them. *bytes must live as long as the analysis.
  Result<Value> Build(Analysis& analysis, const Type& type, std::vector<std::byte>* bytes) const;

 private:
  enum class Kind : uint8_t { kInteger, kFloat, kBool, kText, kUnknown };
  struct Element {
    Kind kind;
    Dim integer;
    double number;
  };

  bool Has(Kind kind) const;
  // Returns whether all elements are valid for the type; the error names the first invalid element.
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
