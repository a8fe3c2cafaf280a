// Every edit builds the new list of sizes, checks it, and then stores it. So the invariants are tested in one
// function, Check, and a failed edit changes nothing.
#include "dimwise/tensor_shape.h"
#include "core/base/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

#include "core/types/element_count.h"

namespace dimwise {
namespace {

Unexpected Problem(Code code, std::string message, std::string help = "") {
  return Failure(code, std::move(message), std::move(help));
}

std::string Bracketed(std::span<const int64_t> sizes) {
  std::string text = "[";
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) text += ',';
    text += sizes[i] < 0 ? "?" : fmt::to_string(sizes[i]);
  }
  return text + ']';
}

bool AllKnown(std::span<const int64_t> sizes) {
  return std::ranges::none_of(sizes, [](int64_t size) { return size < 0; });
}

Unexpected NoSuchAxis(int64_t d, int dims) {
  return Problem(Code::kOutOfRange,
                 fmt::format("there is no axis {} in a shape with {} dimensions", d, dims));
}

}  // namespace

template <bool kPartial>
Status TensorShapeBase<kPartial>::Check(std::span<const int64_t> sizes) {
  if (sizes.size() > static_cast<size_t>(kMaxDims)) {
    return Problem(Code::kOutOfRange,
                   fmt::format("a shape has {} dimensions; at most {} are allowed", sizes.size(), kMaxDims));
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] >= (kPartial ? -1 : 0)) continue;
    return Problem(Code::kNegativeSize, fmt::format("the size of axis {} is {}; it must be 0 or more{}", i,
                                                    sizes[i], kPartial ? ", or -1 if it is unknown" : ""));
  }
  if (AllKnown(sizes) && !ElementCount(sizes)) {
    return Problem(Code::kOverflow, "a tensor of shape " + Bracketed(sizes) +
                                        " has more elements than a 64-bit integer can count");
  }
  return Status();
}

template <bool kPartial>
Status TensorShapeBase<kPartial>::Assign(const ShapeProto& proto) {
  if (!proto.unknown_rank) return Replace(proto.dims);
  if (!proto.dims.empty()) {
    return Problem(Code::kBadRequest, "the rank is unknown, but sizes are given: " + Bracketed(proto.dims));
  }
  if (!kPartial) {
    return Problem(Code::kBadRequest, "the rank is unknown where every size must be known",
                   "a PartialTensorShape holds it");
  }
  unknown_rank_ = true;
  sizes_.clear();
  return Status();
}

template <bool kPartial>
Status TensorShapeBase<kPartial>::Replace(std::vector<int64_t> sizes) {
  if (Status status = Check(sizes); !status) return status;
  sizes_ = std::move(sizes);
  unknown_rank_ = false;
  return Status();
}

template <bool kPartial>
bool TensorShapeBase<kPartial>::IsValid(const ShapeProto& proto) {
  if (proto.unknown_rank) return kPartial && proto.dims.empty();
  return Check(proto.dims).has_value();
}

template <bool kPartial>
int64_t TensorShapeBase<kPartial>::num_elements() const {
  if (unknown_rank_) return -1;
  return ElementCount(sizes_).value_or(-1);  // invariant 2: it fits if all sizes are known
}

template <bool kPartial>
Status TensorShapeBase<kPartial>::AddDim(int64_t size) {
  return InsertDim(dims(), size);
}

template <bool kPartial>
Status TensorShapeBase<kPartial>::InsertDim(int d, int64_t size) {
  if (unknown_rank_) return Status();
  if (d < 0 || d > dims()) return NoSuchAxis(d, dims());
  std::vector<int64_t> sizes = sizes_;
  sizes.insert(sizes.begin() + d, size);
  return Replace(std::move(sizes));
}

template <bool kPartial>
Status TensorShapeBase<kPartial>::set_dim(int d, int64_t size) {
  if (unknown_rank_) return Status();
  if (d < 0 || d >= dims()) return NoSuchAxis(d, dims());
  std::vector<int64_t> sizes = sizes_;
  sizes[static_cast<size_t>(d)] = size;
  return Replace(std::move(sizes));
}

template <bool kPartial>
Status TensorShapeBase<kPartial>::RemoveDim(int d) {
  if (unknown_rank_) return Status();
  if (d < 0 || d >= dims()) return NoSuchAxis(d, dims());
  return RemoveDimRange(d, d + 1);
}

template <bool kPartial>
Status TensorShapeBase<kPartial>::RemoveLastDims(int n) {
  if (unknown_rank_) return Status();
  if (n < 0 || n > dims()) {
    return Problem(Code::kOutOfRange,
                   fmt::format("cannot remove {} dimensions of a shape that has {}", n, dims()));
  }
  return RemoveDimRange(dims() - n, dims());
}

template <bool kPartial>
Status TensorShapeBase<kPartial>::RemoveDimRange(int begin, int end) {
  if (unknown_rank_) return Status();
  const int rank = dims();
  const auto place = [rank](int d) { return d < 0 && d >= -(rank + 1) ? d + rank + 1 : d; };
  const int first = place(begin);
  const int last = place(end);
  if (first < 0 || first > rank) return NoSuchAxis(begin, rank);
  if (last < 0 || last > rank) return NoSuchAxis(end, rank);
  if (first >= last) return Status();
  std::vector<int64_t> sizes = sizes_;
  sizes.erase(sizes.begin() + first, sizes.begin() + last);
  return Replace(std::move(sizes));
}

template <bool kPartial>
std::string TensorShapeBase<kPartial>::DebugString() const {
  return unknown_rank_ ? "<unknown>" : Bracketed(sizes_);
}

template class TensorShapeBase<false>;
template class TensorShapeBase<true>;

Result<TensorShape> TensorShape::BuildTensorShape(std::span<const int64_t> sizes) {
  TensorShape shape;
  if (Status status = shape.Replace({sizes.begin(), sizes.end()}); !status)
    return std::move(status).TakeError();
  return shape;
}

Result<TensorShape> TensorShape::BuildTensorShape(std::initializer_list<int64_t> sizes) {
  return BuildTensorShape(std::span(sizes.begin(), sizes.size()));
}

Result<TensorShape> TensorShape::BuildTensorShape(const ShapeProto& proto) {
  TensorShape shape;
  if (Status status = shape.Assign(proto); !status) return std::move(status).TakeError();
  return shape;
}

Status TensorShape::AppendShape(const TensorShape& other) {
  std::vector<int64_t> sizes = sizes_;
  sizes.insert(sizes.end(), other.sizes_.begin(), other.sizes_.end());
  return Replace(std::move(sizes));
}

PartialTensorShape::PartialTensorShape(const TensorShape& shape) {
  sizes_.assign(shape.dim_sizes().begin(), shape.dim_sizes().end());
  set_data_type(shape.data_type());
}

Result<PartialTensorShape> PartialTensorShape::BuildPartialTensorShape(std::span<const int64_t> sizes) {
  PartialTensorShape shape;
  if (Status status = shape.Replace({sizes.begin(), sizes.end()}); !status)
    return std::move(status).TakeError();
  return shape;
}

Result<PartialTensorShape> PartialTensorShape::BuildPartialTensorShape(std::initializer_list<int64_t> sizes) {
  return BuildPartialTensorShape(std::span(sizes.begin(), sizes.size()));
}

Result<PartialTensorShape> PartialTensorShape::BuildPartialTensorShape(const ShapeProto& proto) {
  PartialTensorShape shape;
  if (Status status = shape.Assign(proto); !status) return std::move(status).TakeError();
  return shape;
}

Result<PartialTensorShape> PartialTensorShape::MakePartialShape(std::span<const int32_t> sizes) {
  return BuildPartialTensorShape(std::vector<int64_t>(sizes.begin(), sizes.end()));
}

Result<PartialTensorShape> PartialTensorShape::MakePartialShape(std::span<const int64_t> sizes) {
  return BuildPartialTensorShape(sizes);
}

Status PartialTensorShape::AppendShape(const PartialTensorShape& other) {
  if (unknown_rank_) return Status();
  if (other.unknown_rank_) {
    unknown_rank_ = true;
    sizes_.clear();
    return Status();
  }
  std::vector<int64_t> sizes = sizes_;
  sizes.insert(sizes.end(), other.sizes_.begin(), other.sizes_.end());
  return Replace(std::move(sizes));
}

Result<PartialTensorShape> PartialTensorShape::Concatenate(int64_t size) const {
  PartialTensorShape result = *this;
  if (Status status = result.AddDim(size); !status) return std::move(status).TakeError();
  return result;
}

Result<PartialTensorShape> PartialTensorShape::Concatenate(const PartialTensorShape& other) const {
  PartialTensorShape result = *this;
  if (Status status = result.AppendShape(other); !status) return std::move(status).TakeError();
  return result;
}

Result<PartialTensorShape> PartialTensorShape::MergeWith(const PartialTensorShape& other) const {
  if (other.unknown_rank_) return *this;
  if (unknown_rank_) return other;
  if (dims() != other.dims()) {
    return Problem(Code::kRankMismatch, fmt::format("{} has {} dimensions and {} has {}", DebugString(),
                                                    dims(), other.DebugString(), other.dims()));
  }
  std::vector<int64_t> sizes = sizes_;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t other_size = other.sizes_[i];
    if (other_size < 0 || sizes[i] == other_size) continue;
    if (sizes[i] >= 0) {
      return Problem(Code::kSizeMismatch,
                     fmt::format("{} and {} differ in axis {}: {} is not {}", DebugString(),
                                 other.DebugString(), i, sizes[i], other_size));
    }
    sizes[i] = other_size;
  }
  PartialTensorShape result = *this;
  if (Status status = result.Replace(std::move(sizes)); !status) return std::move(status).TakeError();
  return result;
}

bool PartialTensorShape::IsFullyDefined() const { return !unknown_rank_ && AllKnown(sizes_); }

bool PartialTensorShape::IsCompatibleWith(const PartialTensorShape& other) const {
  return MergeWith(other).has_value();
}

bool PartialTensorShape::IsIdenticalTo(const PartialTensorShape& other) const {
  return unknown_rank_ == other.unknown_rank_ && sizes_ == other.sizes_;
}

Result<TensorShape> PartialTensorShape::AsTensorShape() const {
  if (IsFullyDefined()) return TensorShape::BuildTensorShape(dim_sizes());
  return Problem(Code::kBadRequest, "not every size is known in " + DebugString());
}

bool TensorShapeUtils::StartsWith(const TensorShape& shape, const TensorShape& prefix) {
  return prefix.dims() <= shape.dims() &&
         std::ranges::equal(prefix.dim_sizes(), shape.dim_sizes().first(prefix.dim_sizes().size()));
}

bool TensorShapeUtils::EndsWith(const TensorShape& shape, const TensorShape& suffix) {
  return suffix.dims() <= shape.dims() &&
         std::ranges::equal(suffix.dim_sizes(), shape.dim_sizes().last(suffix.dim_sizes().size()));
}

std::ostream& operator<<(std::ostream& os, const TensorShape& shape) { return os << shape.DebugString(); }
std::ostream& operator<<(std::ostream& os, const PartialTensorShape& shape) {
  return os << shape.DebugString();
}

}  // namespace dimwise
