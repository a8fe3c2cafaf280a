#include "bench/functions/window.h"

#include "bench/functions/sizes.h"
#include "infer/error.h"

namespace dimwise {
namespace {

Status CheckList(const InferenceContext* c, std::string_view name, std::span<const int64_t> list,
                 int64_t least) {
  for (const int64_t v : list) {
    if (v >= least) continue;
    return Error(Code::kBadAttribute, "{} has {} among its {}; they must be at least {}", OpName(c), v, name,
                 least);
  }
  return {};
}

}  // namespace

// A single pass over the attributes, because most nodes have only two or three.
Result<Window> Window::Read(InferenceContext* c) {
  Window w;
  for (const AttrEntry& attr : c->attrs()) {
    const std::string_view name = attr.name;
    auto* list = name == "kernel_shape" ? &w.kernel_
                 : name == "strides"    ? &w.strides_
                 : name == "dilations"  ? &w.dilations_
                 : name == "pads"       ? &w.pads_
                                        : nullptr;
    if (list != nullptr && DeclaresAttr(c, name)) {
      if (const AttrValue::Ints* ints = attr.value.get_if<AttrValue::Ints>()) {
        *list = *ints;
      } else {
        DIMWISE_ASSIGN_OR_RETURN(*list, c->GetAttrOr<std::span<const int64_t>>(name, {}));
      }
      DIMWISE_RETURN_IF_ERROR(CheckList(c, name, *list, list == &w.pads_ ? 0 : 1));
    } else if (name == "auto_pad") {
      DIMWISE_RETURN_IF_ERROR(w.ReadAutoPad(c));
    } else if (name == "ceil_mode") {
      DIMWISE_ASSIGN_OR_RETURN(const int64_t ceil_mode, IntAttr(c, name, 0));
      w.ceil_ = ceil_mode != 0;
    }
  }
  w.has_kernel_ = !w.kernel_.empty();
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

Status Window::ReadAutoPad(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const std::string_view text, c->GetAttrOr<std::string_view>("auto_pad", "NOTSET"));
  same_ = text == "SAME_UPPER" || text == "SAME_LOWER";
  valid_ = text == "VALID";
  if (same_ || valid_ || text == "NOTSET" || text.empty()) return {};
  return Error(Code::kBadAttribute, "{} has auto_pad '{}'; it is NOTSET, SAME_UPPER, SAME_LOWER or VALID",
               OpName(c), text);
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
  // (k - 1)*d + 1: the size of a dilated window.
  const Dim span = Plus(dims, Times(dims, Minus(dims, kernel, 1), At(dilations_, axis, 1)), 1);
  const Dim padded_size = Plus(dims, Plus(dims, size, before), after);
  const Dim room = Minus(dims, padded_size, span);
  if (room.is_none() || span.is_none()) {
    return Error(Code::kOverflow,
                 "{} has a window along spatial axis {} that is larger than a 64-bit integer can say",
                 OpName(c), axis);
  }
  if (room.is_constant() && room.constant() < 0 && room.constant() > -2 * stride && !has_to_fit) {
    return Dim(room.constant() / stride + 1);
  }
  if (!room.is_constant() || room.constant() < 0) {
    DIMWISE_RETURN_IF_ERROR(c->Require(
        AtLeast(dims, room, 0),
        [&] {
          return fmt::format(
              "{} moves a window that spans {} along spatial axis {}, which has {} with its padding",
              OpName(c), c->DebugString(span), axis, c->DebugString(padded_size));
        },
        Code::kNegativeSize));
  }
  if (!ceil_) return Plus(dims, FloorOver(dims, room, stride), 1);
  const Dim places = dims.Add(dims.CeilDivide(room, stride), 1);
  // With ceil_mode the last window begins at most stride - 1 past the last complete position. That is inside
  // x and its leading padding unless the stride is large.
  if (span.is_constant() && stride <= span.constant() - after) return places;
  return Smaller(dims, places, dims.CeilDivide(dims.Add(size, before), stride));
}

}  // namespace dimwise
