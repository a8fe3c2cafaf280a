// TensorShape denotes a list of known sizes. In a PartialTensorShape some sizes, or the rank, may be unknown.
// They serve callers that have integers instead of symbols, and have the methods of TensorFlow's classes of
// these names. Inference itself uses Shape and Dim.
//
// Invariants:
// 1. There are at most kMaxDims dimensions. A size is >= 0, or -1 for unknown in a partial shape; 0 is an
//    ordinary size.
// 2. If all sizes are known, their product fits 64 bits. (A 0 at any position makes the product 0.)
// 3. An unknown rank stays unknown: every edit succeeds and changes nothing.
//
// An operation that would violate an invariant returns an error and leaves the shape unchanged; nothing
// aborts. TensorFlow accepts an unknown rank from old files as a scalar TensorShape; here it is an error.
//
// Thread safety: values.
#ifndef DIMWISE_TENSOR_SHAPE_H_
#define DIMWISE_TENSOR_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "dimwise/element_type.h"
#include "dimwise/export.h"
#include "dimwise/result.h"

namespace dimwise {

// The form of a shape in files and attributes: -1 is an unknown size.
struct ShapeProto {
  bool unknown_rank = false;
  std::vector<int64_t> dims;
  bool operator==(const ShapeProto&) const = default;
};

// The common base class. In a partial shape, -1 is a valid size.
template <bool kPartial>
class TensorShapeBase {
 public:
  static constexpr int kMaxDims = 254;

  static bool IsValid(const ShapeProto& proto);

  // Returns the number of dimensions, or -1 for an unknown rank.
  int dims() const { return unknown_rank_ ? -1 : static_cast<int>(sizes_.size()); }
  // Returns the size of an axis, or -1 if it is unknown or there is no such axis.
  int64_t dim_size(int d) const { return d >= 0 && d < dims() ? sizes_[static_cast<size_t>(d)] : -1; }
  std::span<const int64_t> dim_sizes() const { return sizes_; }
  // Returns the product of the sizes, 1 for a scalar; -1 unless all sizes are known.
  int64_t num_elements() const;
  bool unknown_rank() const { return unknown_rank_; }

  Status AddDim(int64_t size);
  Status InsertDim(int d, int64_t size);  // inserts before axis d, 0 <= d <= dims()
  Status set_dim(int d, int64_t size);
  Status RemoveDim(int d);
  Status RemoveLastDims(int n);
  // Removes the axes begin <= d < end. As in TensorFlow, a negative position counts back from dims() + 1: -1
  // is the end.
  Status RemoveDimRange(int begin, int end);

  ShapeProto AsProto() const { return ShapeProto{unknown_rank_, sizes_}; }
  // Returns "[2,?,3]" or "<unknown>".
  std::string DebugString() const;

  // The element type of the tensor with this shape. Edits keep it; comparisons ignore it.
  ElementType data_type() const { return data_type_; }
  void set_data_type(ElementType type) { data_type_ = type; }

 protected:
  TensorShapeBase() = default;
  static Status Check(std::span<const int64_t> sizes);
  Status Assign(const ShapeProto& proto);
  Status Replace(std::vector<int64_t> sizes);

  std::vector<int64_t> sizes_;
  bool unknown_rank_ = false;  // then sizes_ is empty
  ElementType data_type_ = ElementType::kUnknown;
};

extern template class DIMWISE_API TensorShapeBase<false>;
extern template class DIMWISE_API TensorShapeBase<true>;

class DIMWISE_API TensorShape : public TensorShapeBase<false> {
 public:
  TensorShape() = default;  // a scalar

  static Result<TensorShape> BuildTensorShape(std::span<const int64_t> sizes);
  static Result<TensorShape> BuildTensorShape(std::initializer_list<int64_t> sizes);
  static Result<TensorShape> BuildTensorShape(const ShapeProto& proto);

  Status AppendShape(const TensorShape& other);

  bool IsSameSize(const TensorShape& other) const { return sizes_ == other.sizes_; }
  bool operator==(const TensorShape& other) const { return IsSameSize(other); }
};

// There is no ==, because it is not known whether two unknown sizes are equal. IsIdenticalTo compares the
// representation.
class DIMWISE_API PartialTensorShape : public TensorShapeBase<true> {
 public:
  PartialTensorShape() { unknown_rank_ = true; }
  PartialTensorShape(const TensorShape& shape);  // NOLINT: implicit, lossless

  static Result<PartialTensorShape> BuildPartialTensorShape(std::span<const int64_t> sizes);
  static Result<PartialTensorShape> BuildPartialTensorShape(std::initializer_list<int64_t> sizes);
  static Result<PartialTensorShape> BuildPartialTensorShape(const ShapeProto& proto);
  // Convert sizes from the contents of a tensor of either width.
  static Result<PartialTensorShape> MakePartialShape(std::span<const int32_t> sizes);
  static Result<PartialTensorShape> MakePartialShape(std::span<const int64_t> sizes);

  // With an unknown rank on either side, the rank of the result is unknown.
  Status AppendShape(const PartialTensorShape& other);
  Result<PartialTensorShape> Concatenate(int64_t size) const;
  Result<PartialTensorShape> Concatenate(const PartialTensorShape& other) const;

  // Returns the meet of both, or an error if they conflict.
  Result<PartialTensorShape> MergeWith(const PartialTensorShape& other) const;

  bool IsFullyDefined() const;
  // Returns whether some TensorShape is an instance of both.
  bool IsCompatibleWith(const PartialTensorShape& other) const;
  bool IsIdenticalTo(const PartialTensorShape& other) const;
  Result<TensorShape> AsTensorShape() const;
};

struct DIMWISE_API TensorShapeUtils {
  static bool StartsWith(const TensorShape& shape, const TensorShape& prefix);
  static bool EndsWith(const TensorShape& shape, const TensorShape& suffix);
};

DIMWISE_API std::ostream& operator<<(std::ostream& os, const TensorShape& shape);
DIMWISE_API std::ostream& operator<<(std::ostream& os, const PartialTensorShape& shape);

}  // namespace dimwise

#endif  // DIMWISE_TENSOR_SHAPE_H_
