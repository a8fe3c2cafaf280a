// Broadcasts sizes and shapes.
#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <iterator>

#include "core/dims/broadcast_order.h"
#include "core/facts/limits.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

bool AllEqual(std::span<const Dim> sizes) {
  return std::ranges::all_of(sizes, [&](Dim d) { return d == sizes[0]; });
}

}  // namespace

// Returns the sizes that given facts do not show to be 1 or equal to an earlier size. If only a guard shows
// it, keeps both; readers simplify the result by facts. Otherwise a guard of the result that shows it would
// lose its subject.
std::span<const Dim> Evaluator::DistinctSizes(std::span<const Dim> sizes, bool has_unknown) {
  DimTable& t = host_->analysis().dims();
  // In a trace, constants are represented by symbols. A 1 must be dropped before any query about the others,
  // as it is for a real constant.
  Dim* others = NewDims(sizes.size());
  size_t left = 0;
  for (Dim d : sizes) {
    const bool is_one = d.is_expression() && host_->RepresentsNumber(d) && Holds(Equal(t, d, 1));
    if (!is_one) others[left++] = d;
  }
  if (left < sizes.size()) {
    sizes = std::span<const Dim>(others, left);
    if (!has_unknown && AllEqual(sizes)) return sizes.first(std::min<size_t>(left, 1));
  }
  Dim* kept = NewDims(sizes.size());
  size_t count = 0;
  for (Dim d : sizes) {
    if (d.is_none() || d == Dim(1) || (d.is_expression() && Holds(Equal(t, d, 1)))) continue;
    kept[count++] = d;
  }
  return count > kMaxComparedOperands ? WithoutSameForms({kept, count}) : WithoutEqual({kept, count});
}

// Removes each size that given facts show to be equal to an earlier one: n*n queries for n sizes.
std::span<const Dim> Evaluator::WithoutEqual(std::span<Dim> sizes) {
  DimTable& t = host_->analysis().dims();
  size_t count = 0;
  for (const Dim d : sizes) {
    const auto first = sizes.first(count);
    const auto same = std::ranges::find_if(first, [&](Dim k) {
      return k == d || (!(k.is_constant() && d.is_constant()) && Holds(Equal(t, k, d)));
    });
    if (same == first.end()) {
      sizes[count++] = d;
    } else if (d.is_constant()) {
      *same = d;
    }
  }
  return sizes.first(count);
}

// Removes each size with the same simplest form as an earlier one: one query for each size.
std::span<const Dim> Evaluator::WithoutSameForms(std::span<Dim> sizes) {
  tsl::robin_map<Dim, size_t, std::hash<Dim>> index;  // by the simplest form
  size_t count = 0;
  for (const Dim d : sizes) {
    const Dim form = filter_ == FactFilter::kWithoutAssumed ? d : host_->Simplify(d);
    const auto [same, is_new] = index.insert({form, count});
    if (is_new) {
      sizes[count++] = d;
    } else if (d.is_constant()) {
      sizes[same->second] = d;
    }
  }
  return sizes.first(count);
}

// Returns the size that the result equals in every run without an error, or none. A size that is known not to
// be 1 is the result; a constant is preferred.
Dim Evaluator::DominantSize(std::span<const Dim> sizes, bool has_unknown) {
  DimTable& t = host_->analysis().dims();
  Dim dominant;
  for (Dim d : sizes) {
    if (d.is_constant()) return d;
    if (dominant.is_none() && Holds(NotEqual(t, d, 1))) dominant = d;
  }
  if (!dominant.is_none() || has_unknown) return dominant;
  // The candidate is the size that absorbs its predecessors, as far as neighbours show this.
  const auto holds = [&](const Literal& literal) { return Holds(literal); };
  const auto absorbs = [&](Dim x, Dim d) { return d == x || Absorbs(t, x, d, holds); };
  Dim candidate = sizes[0];
  for (const Dim d : sizes) candidate = absorbs(candidate, d) ? candidate : d;
  return std::ranges::all_of(sizes, [&](Dim d) { return absorbs(candidate, d); }) ? candidate : Dim();
}

void Evaluator::RequireClause(const Clause& clause, Words words, Code code) {
  if (probing_ || host_ == nullptr) return;
  const Status s = host_->Require(Condition{{clause}}, words, code);
  if (!s && !failed()) failure_ = s.error();
}

// Requires one of the literals. Those that are certainly false are left out; if all are, the first one is
// reported.
void Evaluator::RequireOneOf(const Clause& either, Words words) {
  if (probing_) return;
  Clause clause;
  for (const Literal& literal : either) {
    if (Query(literal) != Truth::kNo) clause.push_back(literal);
  }
  if (clause.empty()) clause.push_back(either[0]);
  RequireClause(clause, words, Code::kBroadcast);
}

// Returns the broadcast size. Operands equal to 1 are dropped. An undecided case becomes a broadcast atom
// with guards.
Dim Evaluator::BroadcastSizes(std::span<const Dim> sizes, int axis) {
  const auto words = [&](Dim a, Dim b) {
    return fmt::format("{} cannot broadcast {} with {}{}: they must be equal, or one of them 1",
                       application_->op, Print(a), Print(b),
                       axis == 0 ? "" : fmt::format(" at axis {}", axis));
  };
  Dim result = 1;
  bool simple = true, unknown = false;
  for (Dim d : sizes) {
    unknown |= d.is_none();
    if (d == Dim(1) || d == result) continue;
    if (result == Dim(1)) {
      result = d;
    } else if (d.is_constant() && result.is_constant()) {
      if (!probing_) (void)Fail(Code::kBroadcast, [&] { return words(result, d); });
      return Dim();
    } else {
      simple = false;
    }
  }
  if (simple && !unknown) return result;
  if (host_ == nullptr) return Dim();
  DimTable& t = host_->analysis().dims();
  sizes = DistinctSizes(sizes, unknown);
  if (!unknown && sizes.size() <= 1) return sizes.empty() ? Dim(1) : sizes[0];
  const Dim dominant = DominantSize(sizes, unknown);
  if (unknown) return dominant;
  const auto require = [&](const Clause& either, Dim a, Dim b) {
    RequireOneOf(either, [&] { return words(a, b); });
  };
  if (!dominant.is_none()) {
    bool comes_first = true;
    for (Dim d : sizes) {
      if (d == dominant) {
        comes_first = false;
      } else {
        const Dim both[] = {d, dominant};
        require(t.Kind(d) == DimKind::kBroadcast ? Broadcastable(t, both)
                                                 : Clause{Equal(t, d, 1), Equal(t, d, dominant)},
                comes_first ? d : dominant, comes_first ? dominant : d);
      }
    }
    return dominant;
  }
  RequireOneOf(Broadcastable(t, sizes), [&] {
    if (sizes.size() == 2) return words(sizes[0], sizes[1]);
    return fmt::format("{} cannot broadcast {}{}: all sizes other than 1 must be equal", application_->op,
                       PrintFirst(sizes), axis == 0 ? "" : fmt::format(" at axis {}", axis));
  });
  return t.Broadcast(sizes);
}

// Returns a list of the first sizes: `A, B, C, D and 6 more`.
std::string Evaluator::PrintFirst(std::span<const Dim> sizes) {
  constexpr size_t kMost = 4;
  std::string text;
  for (const Dim d : sizes.first(std::min(kMost, sizes.size())))
    text += (text.empty() ? "" : ", ") + Print(d);
  return sizes.size() <= kMost ? text : fmt::format("{} and {} more", text, sizes.size() - kMost);
}

// Shapes are aligned at the last axis; missing sizes are 1.
List Evaluator::BroadcastLists(std::span<const List> lists) {
  int rank = 0, least = 0, most = 0;
  bool open = false;
  const List* only = nullptr;
  int telling = 0;
  for (const List& l : lists) {
    if (!l.known()) {
      open = true;
      least = std::max(least, l.min_count);
      most = std::max(most, l.max_count);
    }
    rank = std::max(rank, l.count);
    if (!l.known() || l.count > 0) {
      only = &l;
      ++telling;
    }
  }
  if (telling == 1) return *only;
  if (open) {
    // The same unknown list in all places is the result.
    const bool same = std::ranges::all_of(
        lists, [&](const List& l) { return !l.known() && !l.shape.is_none() && l.shape == lists[0].shape; });
    if (same) return lists[0];
    // Lists of ones do not change an unknown list.
    const List* one = nullptr;
    bool others = false;
    for (const List& l : lists) {
      const bool ones = l.known() && std::ranges::all_of(l.view(), [](Dim d) { return d == Dim(1); });
      others |= l.known() ? !ones || l.count > least
                          : one != nullptr && (l.shape.is_none() || l.shape != one->shape);
      if (!l.known()) one = &l;
    }
    if (!others) return *one;
    // The known lists must still be compatible.
    std::vector<List> known;
    std::ranges::copy_if(lists, std::back_inserter(known), &List::known);
    if (known.size() > 1) (void)BroadcastLists(known);
    return {nullptr, -1, std::max(rank, least), {}, std::max(rank, most)};
  }
  const bool identical = std::ranges::all_of(lists, [&](const List& l) {
    return l.count == lists[0].count && std::equal(l.data, l.data + l.count, lists[0].data);
  });
  if (identical && !lists.empty()) return lists[0];
  Dim* data = NewDims(static_cast<size_t>(rank));
  Dim* column = NewDims(lists.size());
  for (int axis = 0; axis < rank; ++axis) {
    size_t k = 0;
    for (const List& l : lists) {
      const int at = axis - (rank - l.count);
      if (at >= 0 && std::find(column, column + k, l.data[at]) == column + k) column[k++] = l.data[at];
    }
    data[axis] = BroadcastSizes(std::span<const Dim>(column, k), axis - rank);
    if (failed()) return kUnknownList;
  }
  List result{data, rank, 0, {}};
  // A result equal to an operand keeps its handle.
  for (const List& l : lists) {
    if (l.count == rank && !l.shape.is_none() && std::equal(data, data + rank, l.data))
      result.shape = l.shape;
  }
  return result;
}

}  // namespace dimwise::rules
