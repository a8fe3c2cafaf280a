#include "bench/functions/reshape_sizes.h"

#include <algorithm>
#include <optional>

#include "bench/functions/sizes.h"
#include "infer/error.h"

namespace dimwise {
namespace {

class Reshaping {
 public:
  Reshaping(InferenceContext* c, Shape data, const IntegerList& list, bool allow_zero)
      : c_(c), dims_(c->dims()), data_(data), list_(list), allow_zero_(allow_zero) {}

  Result<Shape> Run() {
    has_rest_ = std::find(list_.elements.begin(), list_.elements.end(), Dim(-1)) != list_.elements.end();
    for (int axis = 0; axis < static_cast<int>(list_.elements.size()); ++axis) {
      DIMWISE_ASSIGN_OR_RETURN(const Dim size, SizeOf(axis, list_.elements[axis]));
      sizes_.push_back(size);
      if (!size.is_none()) continue;
      ++open_;
      open_axis_ = axis;
    }
    if (rest_axis_ >= 0 && allow_zero_) DIMWISE_RETURN_IF_ERROR(RefuseZeroBesideRest());
    DIMWISE_RETURN_IF_ERROR(FillIn());
    return c_->MakeShape(sizes_);
  }

 private:
  // Returns the size at an axis; none if it is open.
  Result<Dim> SizeOf(int axis, Dim element) {
    if (element.is_none()) return Dim();
    if (!element.is_constant()) return SymbolicSize(axis, element);
    if (element.constant() > 0 || (element == Dim(0) && allow_zero_)) return element;
    if (element == Dim(0)) return Copied(axis);
    if (element != Dim(-1)) {
      return Error(Code::kContents,
                   "{} has {} in shape {}; a size is 0 or more, or -1 for what the others leave", OpName(c_),
                   element.constant(), ToText(c_, list_));
    }
    if (rest_axis_ >= 0) {
      return Error(Code::kContents, "{} has -1 twice in shape {}; only one size can be left to be worked out",
                   OpName(c_), ToText(c_, list_));
    }
    rest_axis_ = axis;
    return Dim();
  }

  Result<Dim> Copied(int axis) {
    if (!data_.has_rank() && axis < data_.max_rank()) return c_->UnknownDim();
    if (axis < data_.rank()) return data_[axis];
    return Error(Code::kContents, "{} copies the size of axis {} (a 0 in shape {}), which {} does not have",
                 OpName(c_), axis, ToText(c_, list_), OperandText(c_, 0));
  }

  Result<Dim> SymbolicSize(int axis, Dim element) {
    if (c_->AtLeast(element, 0) != Truth::kYes) return Dim();
    if (allow_zero_ || c_->AtLeast(element, 1) == Truth::kYes) return element;
    const bool has_axis = axis < data_.rank();
    // If the element divides the size that a 0 would copy, the copied size is 0 whenever the element is 0.
    // With a -1 in the list neither can be 0.
    if (has_axis && (data_[axis] == element || dims_.DivideExactly(data_[axis], element))) return element;
    Clause clause = {AtLeast(dims_, element, 1)};
    if (has_axis && !has_rest_) clause.push_back(Equal(dims_, data_[axis], 0));
    DIMWISE_RETURN_IF_ERROR(c_->Require(
        clause,
        [&] {
          return fmt::format(
              "{} has the size {} at axis {} of shape {}; were it 0, it would mean a copy of the size in {}",
              OpName(c_), c_->DebugString(element), axis, ToText(c_, list_), OperandText(c_, 0));
        },
        Code::kContents));
    return element;
  }

  Status RefuseZeroBesideRest() {
    for (const Dim size : sizes_) {
      if (size != Dim(0)) continue;
      return Error(Code::kContents,
                   "{} has both 0 and -1 in shape {}, where zeros are allowed; any size would do for -1",
                   OpName(c_), ToText(c_, list_));
    }
    return {};
  }

  Status FillIn() {
    if (data_.has_rank()) {
      if (open_ == 0) return RequireSameCount();
      if (open_ == 1) return WorkOut();
    }
    for (Dim& size : sizes_) {
      if (size.is_none()) size = c_->UnknownDim();
    }
    if (data_.has_rank()) EnsureSameCount();
    return {};
  }

  Status RequireSameCount() {
    const Dim before = Product(dims_, data_.dims());
    const Dim after = Product(dims_, sizes_);
    if (before == after) return {};
    return c_->Require(
        Equal(dims_, before, after),
        [&] {
          return fmt::format("{} cannot turn {}, which has {} elements, into {}, which has {}", OpName(c_),
                             OperandText(c_, 0), c_->DebugString(before), TextOfSizes(),
                             c_->DebugString(after));
        },
        Code::kElementCount);
  }

  void EnsureSameCount() { c_->Ensure(Equal(dims_, Product(dims_, data_.dims()), Product(dims_, sizes_))); }

  // Computes the only open size: the number of elements divided by the product of the other sizes.
  Status WorkOut() {
    for (int axis = 0; axis < static_cast<int>(sizes_.size()); ++axis) {
      const Dim size = sizes_[axis];
      if (size.is_none() || (size.is_constant() && size.constant() > 0)) continue;
      if (rest_axis_ < 0) {
        // If another size is 0, the open size may be any number.
        if (c_->AtLeast(size, 1) == Truth::kYes) continue;
        sizes_[open_axis_] = c_->UnknownDim();
        EnsureSameCount();
        return {};
      }
      DIMWISE_RETURN_IF_ERROR(c_->Require(
          AtLeast(dims_, size, 1),
          [&] {
            return fmt::format(
                "{} cannot work out -1 in shape {}: axis {} has size {}, and nothing divides by 0",
                OpName(c_), ToText(c_, list_), axis, c_->DebugString(size));
          },
          Code::kElementCount));
    }
    // Cancel equal sizes of both sides.
    DimList left;
    for (const Dim size : data_.dims()) left.push_back(size);
    DimList divisors;
    for (const Dim size : sizes_) {
      if (size.is_none()) continue;
      Dim* same = std::find(left.begin(), left.end(), size);
      if (same == left.end()) {
        divisors.push_back(size);
      } else {
        *same = 1;
      }
    }
    const Dim count = Product(dims_, left);
    const Dim divisor = Product(dims_, divisors);
    const bool numbers = count.is_constant() && divisor.is_constant();
    if (numbers && count.constant() % divisor.constant() == 0) {
      sizes_[open_axis_] = count.constant() / divisor.constant();
      return {};
    }
    if (const std::optional<Dim> quotient = dims_.DivideExactly(count, divisor)) {
      sizes_[open_axis_] = *quotient;
      return {};
    }
    DIMWISE_RETURN_IF_ERROR(c_->Require(
        Equal(dims_, dims_.Mod(count, divisor), 0),
        [&] {
          return fmt::format("{} cannot turn {} into shape {}: {} must be a multiple of {}", OpName(c_),
                             OperandText(c_, 0), ToText(c_, list_), c_->DebugString(count),
                             c_->DebugString(divisor));
        },
        Code::kElementCount));
    sizes_[open_axis_] = dims_.FloorDivide(count, divisor);
    return {};
  }

  std::string TextOfSizes() const {
    std::string text = "[";
    for (const Dim size : sizes_) text += (text.size() > 1 ? ", " : "") + c_->DebugString(size);
    return text + "]";
  }

  InferenceContext* c_;
  DimTable& dims_;
  Shape data_;
  const IntegerList& list_;
  bool allow_zero_;
  DimList sizes_;          // none: an open size
  bool has_rest_ = false;  // whether the list contains -1
  int open_ = 0;
  int open_axis_ = -1;  // the last open axis
  int rest_axis_ = -1;  // the axis of the -1
};

}  // namespace

Result<Shape> ReshapeBySizes(InferenceContext* c, Shape data, const IntegerList& sizes, bool allow_zero) {
  return Reshaping(c, data, sizes, allow_zero).Run();
}

Result<Shape> ReshapeByUnknownSizes(InferenceContext* c, Shape data, bool allow_zero) {
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShapeFromShapeTensor(1));
  if (!shape.has_rank()) return shape;
  DimList sizes;
  for (const Dim size : shape.dims()) sizes.push_back(size == Dim(0) && !allow_zero ? c->UnknownDim() : size);
  if (data.has_rank()) {
    c->Ensure(Equal(c->dims(), Product(c->dims(), data.dims()), Product(c->dims(), sizes)));
  }
  return c->MakeShape(sizes);
}

}  // namespace dimwise
