// Evaluates lists of integers.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/wide.h"
#include "dimwise/small_list.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

constexpr int64_t kMaxListLength = 4096;
constexpr size_t kUsualLength = 512;

}  // namespace

List Evaluator::ComputeInts(const Node& n) {
  if (!Step()) return kUnknownList;
  switch (n.op) {
    case Op::kSlot:
      return ReadSlot(n.a).list;
    case Op::kContents: {
      const auto [first, count] = operand_ranges_[n.a];
      if (count == 0) return kUnknownList;
      const Operand& o = application_->operands[first];
      if (o.value.is_none()) {
        // Contents are unknown: a list of unknown integers of the vector's length.
        const Type& refined = outcome_->refined[first];
        const Shape shape = refined.kind == TypeKind::kUnknown ? o.type.shape : refined.shape;
        if (shape.is_none() || shape.rank() != 1) return kUnknownList;
        const Dim length = Pinned(shape[0]);
        if (!length.is_constant() || length.constant() > kMaxListLength) return kUnknownList;
        Dim* data = NewDims(static_cast<size_t>(length.constant()));
        std::fill(data, data + length.constant(), Dim());
        return {data, static_cast<int>(length.constant()), 0, {}};
      }
      if (o.value.size() > kMaxListLength) return kUnknownList;
      Dim* data = NewDims(static_cast<size_t>(o.value.size()));
      for (int64_t i = 0; i < o.value.size(); ++i) data[i] = o.value.Integer(i);
      return {data, static_cast<int>(o.value.size()), 0, {}};
    }
    case Op::kOperandShape: {
      const auto [first, count] = operand_ranges_[n.a];
      if (count == 0) return kUnknownList;
      const Type& refined = outcome_->refined[first];
      const Shape shape =
          refined.kind == TypeKind::kUnknown ? application_->operands[first].type.shape : refined.shape;
      if (shape.is_none()) return kUnknownList;
      if (!shape.has_rank()) return {nullptr, -1, shape.min_rank(), shape, shape.max_rank()};
      return {shape.dims().data(), shape.rank(), 0, shape};
    }
    case Op::kResultShape: {
      const Shape shape = ResultShape(n.a);
      if (shape.is_none()) return kUnknownList;
      if (!shape.has_rank()) return {nullptr, -1, shape.min_rank(), shape, shape.max_rank()};
      return {shape.dims().data(), shape.rank(), 0, shape};
    }
    case Op::kList: {
      internal::SmallList<Dim, kUsualLength> elements;
      bool open = false;
      int min_count = 0, max_count = 0;
      for (NodeId arg : Args(n)) {
        if (!code_->nodes[arg].spread) {
          elements.push_back(Int(arg));
          continue;
        }
        const List inner = Ints(arg);
        if (!inner.known()) {
          open = true;
          min_count += inner.min_count;
          max_count += inner.max_count;
          continue;
        }
        for (Dim d : inner.view()) elements.push_back(d);
      }
      if (elements.size() > kMaxListLength) return kUnknownList;
      const int count = static_cast<int>(elements.size());
      if (open) return {nullptr, -1, min_count + count, {}, std::min(max_count + count, kMaxRank)};
      return Store(elements);
    }
    case Op::kIndex: {
      const std::span<const List> lists = Lists(n.a);
      const Dim i = Pinned(Int(n.b));
      if (!i.is_constant()) return kUnknownList;
      const int64_t k = i.constant() < 0 ? i.constant() + static_cast<int64_t>(lists.size()) : i.constant();
      return k >= 0 && k < static_cast<int64_t>(lists.size()) ? lists[static_cast<size_t>(k)] : kUnknownList;
    }
    case Op::kSliceList: {
      const List list = Ints(n.a);
      const Dim from = n.b == kNone ? Dim(0) : Pinned(Int(n.b));
      return SliceList(list, from, n.c == kNone ? Dim(0) : Pinned(Int(n.c)), n.c == kNone);
    }
    case Op::kIf:
      return OneWayOrBoth(
          n, [&](NodeId way) { return Ints(way); },
          [&](Bool c, const List& a, const List& b) { return JoinLists(c, a, b); });
    case Op::kFor: {
      internal::SmallList<Dim, kUsualLength> elements;
      int undecided = 0;
      const bool complete = ForEach(
          n, [&] { elements.push_back(Int(n.a)); }, &undecided);
      const int count = static_cast<int>(elements.size());
      if (complete && undecided == 0) return Store(elements);
      if (complete) return {nullptr, -1, count, {}, count + undecided};
      // One element per element of a list: the list's length is known.
      const std::span<const NodeId> lists = Args(n);
      if (lists.size() != 1 || code_->nodes[lists[0]].type != ExprType::kInts) return kUnknownList;
      const List over = Ints(lists[0]);
      return {nullptr, -1, n.b == kNone ? over.min_count : 0, {}, over.max_count};
    }
    case Op::kFold:
      Fold(n);
      return slots_[code_->loops[static_cast<size_t>(n.immediate)].accumulator].list;
    case Op::kBuiltin:
      return ListBuiltin(n);
    default:
      return kUnknownList;
  }
}

std::span<const List> Evaluator::Lists(NodeId id) {
  const Node& n = code_->nodes[id];
  if (!Step()) return UnknownList<List>();
  if (n.op == Op::kSlot) return ReadSlot(n.a).lists;
  if (n.op == Op::kIf) {
    return OneWayOrBoth(
        n, [&](NodeId way) { return Lists(way); },
        [&](Bool c, auto a, auto b) {
          return JoinAll(a, b, [&](const List& x, const List& y) { return JoinLists(c, x, y); });
        });
  }
  std::vector<List> all;
  if (n.op == Op::kList) {
    for (NodeId arg : Args(n)) {
      if (code_->nodes[arg].spread) {
        const std::span<const List> inner = Lists(arg);
        if (IsUnknown(inner)) return inner;
        all.insert(all.end(), inner.begin(), inner.end());
      } else {
        all.push_back(Ints(arg));
      }
    }
  } else if (n.op == Op::kFor && !ForEach(n, [&] { all.push_back(Ints(n.a)); })) {
    return UnknownList<List>();
  }
  return StoreAll(all);
}

// Evaluates list[from:to]. For a list of unknown length, its bounds determine bounds of the result.
List Evaluator::SliceList(List list, Dim from, Dim to, bool to_end) {
  if (!from.is_constant() || !to.is_constant())
    return {nullptr, -1, 0, {}, list.known() ? list.count : list.max_count};
  const int64_t first = from.constant(), last = to.constant();
  if (list.known()) {
    const auto index = [&](int64_t i) {
      return std::clamp<int64_t>(i < 0 ? i + list.count : i, 0, list.count);
    };
    const int64_t a = index(first), b = to_end ? list.count : std::max(a, index(last));
    return {list.data + a, static_cast<int>(b - a), 0, b - a == list.count ? list.shape : Shape()};
  }
  if (first == 0 && to_end) return list;
  const auto unknowns = [&](int64_t n) {
    Dim* data = NewDims(static_cast<size_t>(n));
    std::fill(data, data + n, Dim());
    return List{data, static_cast<int>(n), 0, {}};
  };
  if (first >= 0 && !to_end && last >= 0 && (last <= list.min_count || last <= first))
    return unknowns(std::max<int64_t>(0, last - first));
  if (first < 0 && to_end && -first <= list.min_count) return unknowns(-first);
  const bool drops = (first >= 0 && to_end) || (first == 0 && last < 0);  // some elements at one end
  if (!drops) return {nullptr, -1, 0, {}, list.max_count};
  const int64_t gone = std::min<int64_t>(to_end ? first : -std::max<int64_t>(last, -kMaxRank), kMaxRank);
  return {nullptr,
          -1,
          static_cast<int>(std::max<int64_t>(0, list.min_count - gone)),
          {},
          static_cast<int>(std::max<int64_t>(0, list.max_count - gone))};
}

List Evaluator::JoinLists(Bool condition, List a, List b) {
  if (!a.known() || !b.known() || a.count != b.count) {
    const auto least = [](const List& l) { return l.known() ? l.count : l.min_count; };
    const auto most = [](const List& l) { return l.known() ? l.count : l.max_count; };
    return {nullptr, -1, std::min(least(a), least(b)), a.shape == b.shape ? a.shape : Shape(),
            std::max(most(a), most(b))};
  }
  Dim* data = NewDims(static_cast<size_t>(a.count));
  for (int i = 0; i < a.count; ++i) data[i] = JoinInts(condition, a.data[i], b.data[i]);
  return {data, a.count, 0, a.shape == b.shape ? a.shape : Shape()};
}

List Evaluator::NoSuchIndex(int64_t index, int count) {
  if (!probing_)
    (void)Fail(Code::kOutOfRange,
               [&] { return fmt::format("{} names axis {} of {}", application_->op, index, count); });
  return kUnknownList;
}

List Evaluator::Permuted(List list, List order) {
  if (!order.known()) return {nullptr, -1, list.known() ? list.count : 0, {}};
  Dim* data = NewDims(static_cast<size_t>(order.count));
  for (int i = 0; i < order.count; ++i) {
    const Dim at = Pinned(order.data[i]);
    data[i] = Dim();
    if (!list.known() || !at.is_constant()) continue;
    if (at.constant() < 0 || at.constant() >= list.count) return NoSuchIndex(at.constant(), list.count);
    data[i] = list.data[at.constant()];
  }
  return {data, order.count, 0, {}};
}

List Evaluator::Without(List list, List indices) {
  if (!indices.known()) return {nullptr, -1, 0, {}, list.known() ? list.count : list.max_count};
  const auto any_may_be_missing = [&](int min_count, int max_count) {
    const int least = std::max(0, min_count - indices.count);  // an index may occur twice
    const int most = max_count - (indices.count > 0 ? 1 : 0);
    return least == most ? Repeated(Dim(), least) : List{nullptr, -1, least, {}, most};
  };
  if (!list.known()) return any_may_be_missing(list.min_count, list.max_count);
  Dim* data = NewMarks(list.count);
  for (Dim index : indices.view()) {
    const Dim d = Pinned(index);
    if (!d.is_constant()) return any_may_be_missing(list.count, list.count);
    if (d.constant() < 0 || d.constant() >= list.count) return NoSuchIndex(d.constant(), list.count);
    data[d.constant()] = kMarked;
  }
  int k = 0;
  for (int i = 0; i < list.count; ++i) {
    if (data[i] != kMarked) data[k++] = list.data[i];
  }
  return {data, k, 0, {}};
}

List Evaluator::Inserted(List list, List indices, Dim element) {
  if (!indices.known()) return {nullptr, -1, list.known() ? list.count : list.min_count, {}};
  if (!list.known()) {
    const int most = std::min(list.max_count + indices.count, kMaxRank);
    return {nullptr, -1, list.min_count + indices.count, {}, most};
  }
  const int total = list.count + indices.count;
  Dim* data = NewMarks(total);
  for (Dim index : indices.view()) {
    const Dim d = Pinned(index);
    if (!d.is_constant()) return Repeated(Dim(), total);  // each element may be the new one
    if (d.constant() < 0 || d.constant() >= total) return NoSuchIndex(d.constant(), total);
    data[d.constant()] = kMarked;
  }
  int k = 0;
  for (int i = 0; i < total; ++i) {
    const bool here = data[i] == kMarked;
    if (!here && k >= list.count) return NoSuchIndex(i, total);  // a position occurs twice
    data[i] = here ? element : list.data[k++];
  }
  return {data, total, 0, {}};
}

List Evaluator::Updated(List list, List indices, List values) {
  if (!list.known()) return {nullptr, -1, list.min_count, {}, list.max_count};
  List result = Store(list.view());
  auto* data = const_cast<Dim*>(result.data);
  const auto any_may_have_changed = [&] {
    std::fill(data, data + list.count, Dim());
    return result;
  };
  if (!indices.known()) return any_may_have_changed();
  for (int i = 0; i < indices.count; ++i) {
    const Dim at = Pinned(indices.data[i]);
    if (!at.is_constant()) return any_may_have_changed();
    if (at.constant() < 0 || at.constant() >= list.count) return NoSuchIndex(at.constant(), list.count);
    data[at.constant()] = values.known() && i < values.count ? values.data[i] : Dim();
  }
  return result;
}

List Evaluator::Repeated(Dim element, Dim count) {
  if (!count.is_constant() || count.constant() < 0 || count.constant() > kMaxListLength) return kUnknownList;
  Dim* data = NewDims(static_cast<size_t>(count.constant()));
  std::fill(data, data + count.constant(), element);
  return {data, static_cast<int>(count.constant()), 0, {}};
}

List Evaluator::ListBuiltin(const Node& n) {
  const std::span<const NodeId> args = Args(n);
  switch (static_cast<Builtin>(n.immediate)) {
    case Builtin::kBroadcastLists: {
      internal::SmallList<List, 16> lists;
      for (NodeId arg : args) lists.push_back(Ints(arg));
      return BroadcastLists(lists);
    }
    case Builtin::kBroadcastAll: {
      const std::span<const List> lists = Lists(args[0]);
      return IsUnknown(lists) ? kUnknownList : BroadcastLists(lists);
    }
    case Builtin::kPermute: {
      const List list = Ints(args[0]);
      return Permuted(list, Ints(args[1]));
    }
    case Builtin::kReverse: {
      const List list = Ints(args[0]);
      if (!list.known()) return {nullptr, -1, list.min_count, {}, list.max_count};
      Dim* data = NewDims(static_cast<size_t>(list.count));
      std::reverse_copy(list.data, list.data + list.count, data);
      return {data, list.count, 0, {}};
    }
    case Builtin::kRemove: {
      const List list = Ints(args[0]);
      return Without(list, Ints(args[1]));
    }
    case Builtin::kInsert: {
      const List list = Ints(args[0]), indices = Ints(args[1]);
      return Inserted(list, indices, Int(args[2]));
    }
    case Builtin::kUpdate: {
      const List list = Ints(args[0]), indices = Ints(args[1]);
      return Updated(list, indices, Ints(args[2]));
    }
    case Builtin::kSomeSizes: {
      const Dim least = Pinned(Int(args[0])), most = Pinned(Int(args[1]));
      const auto bound = [](Dim d, int otherwise) {
        return d.is_constant() ? static_cast<int>(std::clamp<int64_t>(d.constant(), 0, kMaxRank)) : otherwise;
      };
      const int low = bound(least, 0), high = bound(most, kMaxRank);
      return low == high ? Repeated(Dim(), low) : List{nullptr, -1, low, {}, high};
    }
    case Builtin::kRange: {
      const Dim from = Pinned(Int(args[0])), to = Pinned(Int(args[1]));
      if (!from.is_constant() || !to.is_constant()) return kUnknownList;
      const Wide apart = Wide{to.constant()} - from.constant();
      if (apart > kMaxListLength) return kUnknownList;
      const auto count = static_cast<int>(std::max<Wide>(0, apart));
      Dim* data = NewDims(static_cast<size_t>(count));
      for (int i = 0; i < count; ++i) data[i] = Dim(from.constant() + i);
      return {data, count, 0, {}};
    }
    case Builtin::kOnes:
      return Repeated(1, Pinned(Int(args[0])));
    case Builtin::kZeros:
      return Repeated(0, Pinned(Int(args[0])));
    case Builtin::kRepeat: {
      const Dim count = Pinned(Int(args[1]));
      return Repeated(Int(args[0]), count);
    }
    case Builtin::kResolveMinusOne: {
      const List wanted = Ints(args[0]);
      return ResolveMinusOne(wanted, Ints(args[1]));
    }
    case Builtin::kTensorShape: {
      if (!IsGivenTensor(args[0])) LeaveOpen();
      const Contents c = Tensor(args[0]);
      if (!c.known && !c.ranked) return kUnknownList;
      Dim* data = NewDims(c.dims.size());
      std::copy(c.dims.begin(), c.dims.end(), data);
      return {data, static_cast<int>(c.dims.size()), 0, {}};
    }
    case Builtin::kListOf: {
      const Contents c = Tensor(args[0]);
      const bool is_list = c.known && !c.is_float;
      const auto is_known = [](Dim d) { return !d.is_none(); };
      if (!IsGivenTensor(args[0]) && !(is_list && std::ranges::all_of(c.integers, is_known))) LeaveOpen();
      return is_list ? Store(c.integers) : kUnknownList;
    }
    default:
      return kUnknownList;
  }
}

}  // namespace dimwise::rules
