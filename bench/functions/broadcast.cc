#include "bench/functions/broadcast.h"

#include <algorithm>

#include "infer/error.h"

namespace dimwise {
namespace {

using ShapeList = internal::SmallList<Shape, 8>;

// A size and the index of its operand.
struct Part {
  Dim size;
  int operand;
};

// Returns the literals that may hold. Returns none if a literal is certain, and all of them if all are
// certainly false; Require then reports the error.
Clause Open(InferenceContext* c, std::initializer_list<Literal> literals) {
  Clause open;
  for (const Literal& literal : literals) {
    const Truth truth = c->facts().Holds(literal, c->scope());
    if (truth == Truth::kYes) return {};
    if (truth == Truth::kMaybe) open.push_back(literal);
  }
  return open.empty() ? Clause(literals) : open;
}

// Broadcasts one axis, counted from the end and starting at 1.
class AxisBroadcast {
 public:
  AxisBroadcast(InferenceContext* c, std::span<const Shape> shapes, int axis, std::string_view part)
      : c_(c), shapes_(shapes), axis_(axis), part_(part) {}

  Result<Dim> Run() {
    for (size_t i = 0; i < shapes_.size(); ++i) {
      const int rank = shapes_[i].rank();
      if (rank >= axis_) Take(shapes_[i][rank - axis_], static_cast<int>(i));
    }
    if (parts_.size() == 0) return Dim(1);
    if (parts_.size() == 1) return parts_[0].size;
    return Resolve();
  }

 private:
  void Take(Dim size, int operand) {
    if (size == Dim(1)) return;
    for (const Part& p : parts_) {
      if (p.size == size) return;
    }
    parts_.push_back({size, operand});
  }

  // Handles at least two different sizes.
  Result<Dim> Resolve() {
    DropDecidedByFacts();
    if (parts_.size() == 0) return Dim(1);
    if (const Part* decisive = FindDecisive()) {
      const Part winner = *decisive;
      for (const Part& p : parts_) {
        if (p.size == winner.size) continue;
        const bool first = p.operand < winner.operand;
        DIMWISE_RETURN_IF_ERROR(RequireStretches(
            c_, p.size, winner.size, [&] { return Words(first ? p : winner, first ? winner : p); }));
      }
      return winner.size;
    }
    DimList sizes;
    for (size_t i = 0; i < parts_.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const Part& a = parts_[static_cast<int64_t>(j)];
        const Part& b = parts_[static_cast<int64_t>(i)];
        DimTable& dims = c_->dims();
        const Clause open =
            Open(c_, {Equal(dims, a.size, b.size), Equal(dims, a.size, 1), Equal(dims, b.size, 1)});
        if (open.empty()) continue;
        DIMWISE_RETURN_IF_ERROR(c_->Require(
            open, [&] { return Words(a, b); }, Code::kBroadcast));
      }
      sizes.push_back(parts_[static_cast<int64_t>(i)].size);
    }
    return c_->dims().Broadcast(sizes);
  }

  // Drops sizes that are known to be 1 or equal to an earlier size.
  void DropDecidedByFacts() {
    internal::SmallList<Part, 8> kept;
    for (const Part& p : parts_) {
      if (c_->Equal(p.size, 1) == Truth::kYes) continue;
      Part* same = std::find_if(kept.begin(), kept.end(),
                                [&](const Part& k) { return c_->Equal(k.size, p.size) == Truth::kYes; });
      if (same == kept.end()) {
        kept.push_back(p);
      } else if (p.size.is_constant()) {
        *same = p;
      }
    }
    parts_.clear();
    for (const Part& p : kept) parts_.push_back(p);
  }

  // Returns a size that is certainly not 1, preferably a constant.
  const Part* FindDecisive() const {
    for (const Part& p : parts_) {
      if (p.size.is_constant()) return &p;
    }
    for (const Part& p : parts_) {
      if (c_->Equal(p.size, 1) == Truth::kNo) return &p;
    }
    return nullptr;
  }

  std::string Words(const Part& a, const Part& b) const {
    const auto text = [&](const Part& p) {
      return fmt::format("{}{} {}", part_, OperandName(c_, p.operand),
                         c_->DebugString(shapes_[static_cast<size_t>(p.operand)]));
    };
    return fmt::format(
        "{} cannot broadcast {} with {}: at axis {} the sizes {} and {} must be equal, or one of them 1",
        OpName(c_), text(a), text(b), -axis_, c_->DebugString(a.size), c_->DebugString(b.size));
  }

  InferenceContext* c_;
  std::span<const Shape> shapes_;
  int axis_;
  std::string_view part_;
  internal::SmallList<Part, 8> parts_;
};

// Broadcasts shapes if some ranks are unknown. The known shapes must still be compatible.
Result<Shape> BroadcastUnknown(InferenceContext* c, std::span<const Shape> shapes, std::string_view part) {
  Shape unknown;
  bool one_unknown = true;
  int min = 0;
  int max = 0;
  int rank_of_ones = 0;  // of known shapes that consist of ones
  ShapeList known;       // with scalars in place of unknown shapes, so that indices of operands stay valid
  for (const Shape s : shapes) {
    min = std::max(min, s.min_rank());
    max = std::max(max, s.max_rank());
    known.push_back(s.has_rank() ? s : c->Scalar());
    if (!s.has_rank()) {
      one_unknown &= unknown.is_none() || unknown == s;
      unknown = s;
    } else {
      const bool ones = std::all_of(s.dims().begin(), s.dims().end(), [](Dim d) { return d == Dim(1); });
      rank_of_ones = ones ? std::max(rank_of_ones, s.rank()) : kMaxRank + 1;
    }
  }
  DIMWISE_RETURN_IF_ERROR(BroadcastShapes(c, known, part));
  if (one_unknown && rank_of_ones <= unknown.min_rank()) return unknown;
  return min == max ? c->UnknownShapeOfRank(min) : c->UnknownShape(min, max);
}

}  // namespace

Result<Shape> BroadcastShapes(InferenceContext* c, std::span<const Shape> shapes, std::string_view part) {
  int rank = 0;
  bool same = true;
  bool unknown = false;
  for (const Shape s : shapes) {
    rank = std::max(rank, s.rank());
    same &= s == shapes[0];
    unknown |= !s.has_rank();
  }
  if (same) return shapes[0];
  if (unknown) return BroadcastUnknown(c, shapes, part);
  DimList sizes;
  sizes.resize(static_cast<size_t>(rank));
  for (int axis = 1; axis <= rank; ++axis) {
    DIMWISE_ASSIGN_OR_RETURN(sizes[rank - axis], AxisBroadcast(c, shapes, axis, part).Run());
  }
  return c->MakeShape(sizes);
}

Result<Shape> BroadcastInputs(InferenceContext* c) {
  ShapeList shapes;
  for (int i = 0; i < c->num_inputs(); ++i) shapes.push_back(c->input(i));
  return BroadcastShapes(c, shapes);
}

Status RequireStretches(InferenceContext* c, Dim from, Dim to, Message message) {
  if (from == Dim(1) || from == to) return {};
  const Clause open = Open(c, {Equal(c->dims(), from, 1), Equal(c->dims(), from, to)});
  if (open.empty()) return {};
  return c->Require(open, message, Code::kBroadcast);
}

}  // namespace dimwise
