#include <fmt/ranges.h>

#include <bitset>

#include "bench/functions/contents.h"
#include "bench/functions/functions.h"
#include "infer/error.h"

namespace dimwise {
namespace {

std::string PermText(std::span<const int64_t> perm) { return fmt::format("[{}]", fmt::join(perm, ", ")); }

// REQUIRES: `perm` has at most kMaxRank elements.
Status CheckPermutation(const InferenceContext* c, std::span<const int64_t> perm) {
  std::bitset<kMaxRank + 1> seen;
  for (const int64_t axis : perm) {
    const bool fits = axis >= 0 && axis < static_cast<int64_t>(perm.size());
    if (!fits || seen[static_cast<size_t>(axis)]) {
      return Error(Code::kBadAttribute, "{} has perm {}, which must name each of the axes 0 .. {} once",
                   OpName(c), PermText(perm), perm.size() - 1);
    }
    seen.set(static_cast<size_t>(axis));
  }
  return {};
}

Status Transpose(InferenceContext* c) {
  const Shape data = c->input(0);
  DimList sizes;
  if (c->FindAttr("perm") == nullptr) {  // reverses the axes
    if (!data.has_rank()) {
      c->set_output(0, c->UnknownShape(data.min_rank(), data.max_rank()));
      return {};
    }
    for (int axis = data.rank() - 1; axis >= 0; --axis) sizes.push_back(data[axis]);
  } else {
    DIMWISE_ASSIGN_OR_RETURN(const auto perm, c->GetAttr<std::span<const int64_t>>("perm"));
    const auto rank = static_cast<int64_t>(perm.size());
    if (rank < data.min_rank() || rank > data.max_rank()) {
      return Error(Code::kRankMismatch, "{} has perm {} for {} axes; {} has rank {}", OpName(c),
                   PermText(perm), rank, OperandText(c, 0), data.has_rank() ? data.rank() : data.min_rank());
    }
    DIMWISE_RETURN_IF_ERROR(CheckPermutation(c, perm));
    for (const int64_t axis : perm)
      sizes.push_back(data.has_rank() ? data[static_cast<int>(axis)] : c->UnknownDim());
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  if (shape.rank() <= 1) StoreContents(c, 0, 0);
  return {};
}

}  // namespace

void AddTranspose(OnnxOps& ops) {
  ops.Add(1, "Transpose(data: T; perm?: list(int)) -> (transposed: T)", /*doc=*/"", Transpose);
}

}  // namespace dimwise
