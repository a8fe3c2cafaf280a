#include "infer/functions/window.h"

#include "infer/error.h"
#include "infer/functions/sizes.h"

namespace dimwise {
namespace {

Result<std::span<const int64_t>> ReadList(InferenceContext* c, std::string_view name, int64_t at_least) {
  if (!c->attrs().Contains(name) || !DeclaresAttr(c, name)) return std::span<const int64_t>();
  DIMWISE_ASSIGN_OR_RETURN(const auto values, c->GetAttrOr<std::span<const int64_t>>(name, {}));
  for (const int64_t v : values) {
    if (v < at_least) {
      return Error(Code::kBadAttribute, "{} has {} among its {}; they must be at least {}", OpName(c), v,
                   name, at_least);
    }
  }
  return values;
}

}  // namespace

Result<Window> Window::Read(InferenceContext* c) {
  Window w;
  DIMWISE_ASSIGN_OR_RETURN(w.kernel_, ReadList(c, "kernel_shape", 1));
  DIMWISE_ASSIGN_OR_RETURN(w.strides_, ReadList(c, "strides", 1));
  DIMWISE_ASSIGN_OR_RETURN(w.dilations_, ReadList(c, "dilations", 1));
  DIMWISE_ASSIGN_OR_RETURN(w.pads_, ReadList(c, "pads", 0));
  std::string_view auto_pad = "NOTSET";
  if (c->attrs().Contains("auto_pad")) {
    DIMWISE_ASSIGN_OR_RETURN(auto_pad, c->GetAttr<std::string_view>("auto_pad"));
  }
  DIMWISE_ASSIGN_OR_RETURN(const int64_t ceil_mode, IntAttr(c, "ceil_mode", 0));
  w.has_kernel_ = !w.kernel_.empty();
  w.same_ = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  w.valid_ = auto_pad == "VALID";
  w.ceil_ = ceil_mode != 0;
  if (!w.same_ && !w.valid_ && auto_pad != "NOTSET" && !auto_pad.empty()) {
    return Error(Code::kBadAttribute, "{} has auto_pad '{}'; it is NOTSET, SAME_UPPER, SAME_LOWER or VALID",
                 OpName(c), auto_pad);
  }
  if (w.pads_.size() % 2 != 0) {
    return Error(Code::kBadAttribute, "{} has {} pads; there is one for each end of each spatial axis",
                 OpName(c), w.pads_.size());
  }
  const size_t counts[] = {w.kernel_.size(), w.strides_.size(), w.dilations_.size(), w.pads_.size() / 2};
  for (const size_t count : counts) {
    if (count > 0 && w.spatial_rank_ < 0)
      w.spatial_rank_ = static_cast<int>(std::min<size_t>(count, kMaxRank));
  }
  if (w.spatial_rank_ >= 0) DIMWISE_RETURN_IF_ERROR(w.CheckSpatialRank(c, w.spatial_rank_));
  return w;
}

Status Window::CheckSpatialRank(const InferenceContext* c, int rank) const {
  const auto check = [&](std::span<const int64_t> list, std::string_view name, int each) -> Status {
    if (list.empty() || static_cast<int>(list.size()) == each * rank) return {};
    return Error(Code::kBadAttribute, "{} has {} {} for {} spatial ax{}s; there must be {}", OpName(c),
                 list.size(), name, rank, rank == 1 ? "i" : "e", each * rank);
  };
  DIMWISE_RETURN_IF_ERROR(check(kernel_, "sizes in kernel_shape", 1));
  DIMWISE_RETURN_IF_ERROR(check(strides_, "strides", 1));
  DIMWISE_RETURN_IF_ERROR(check(dilations_, "dilations", 1));
  return check(pads_, "pads", 2);
}

Result<Dim> Window::Places(InferenceContext* c, int axis, Dim size, Dim kernel, bool has_to_fit) const {
  DimTable& dims = c->dims();
  const int64_t stride = At(strides_, axis, 1);
  if (same_) return dims.CeilDivide(size, stride);
  if (kernel.is_none()) return c->UnknownDim();
  const bool padded = !pads_.empty() && !valid_;
  const int64_t before = padded ? pads_[static_cast<size_t>(axis)] : 0;
  const int64_t after = padded ? pads_[static_cast<size_t>(axis) + pads_.size() / 2] : 0;
  // (k - 1)*d + 1: the cells that a dilated window spans.
  const Dim span = dims.Add(dims.Multiply(dims.Subtract(kernel, 1), At(dilations_, axis, 1)), 1);
  const Dim padded_size = dims.Add(dims.Add(size, before), after);
  const Dim room = dims.Subtract(padded_size, span);
  if (room.is_none() || span.is_none()) {
    return Error(Code::kOverflow,
                 "{} has a window along spatial axis {} that is larger than a 64-bit integer can say",
                 OpName(c), axis);
  }
  if (room.is_constant() && room.constant() < 0 && room.constant() > -2 * stride && !has_to_fit) {
    return Dim(room.constant() / stride + 1);
  }
  DIMWISE_RETURN_IF_ERROR(c->Require(
      AtLeast(dims, room, 0),
      [&] {
        return fmt::format(
            "{} moves a window that spans {} along spatial axis {}, which has {} with its padding", OpName(c),
            c->DebugString(span), axis, c->DebugString(padded_size));
      },
      Code::kNegativeSize));
  if (!ceil_) return dims.Add(dims.FloorDivide(room, stride), 1);
  const Dim places = dims.Add(dims.CeilDivide(room, stride), 1);
  // The last window begins at most stride - 1 past the last place where it fits; that is inside x and the
  // padding before it unless the stride is large.
  if (span.is_constant() && stride <= span.constant() - after) return places;
  return Smaller(dims, places, dims.CeilDivide(dims.Add(size, before), stride));
}

}  // namespace dimwise
