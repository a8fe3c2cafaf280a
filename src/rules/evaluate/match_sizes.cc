// Matches the sizes of operands: binds names in patterns, and compares sizes with names that are already
// bound.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include "dimwise/result_macros.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

// Returns the axis at a computed position, as in [...a{at}, d, ...b], if fewer than `needed` sizes are known
// to follow it.
std::optional<int> QueriedAxis(const Pattern& p, std::span<const int> lengths, int needed) {
  int axis = 0;
  for (size_t i = 0; i + 1 < p.items.size(); ++i) {
    const bool is_list = p.items[i].kind == ItemKind::kList;
    if (is_list && lengths[i] < 0) break;
    axis += is_list ? lengths[i] : 1;
    const bool is_asked = is_list && p.items[i].length != kNone && p.items[i + 1].kind != ItemKind::kList;
    if (is_asked && axis + 1 == needed) return axis;
  }
  return std::nullopt;
}

// Explains why a rank does not match: other operands of a variadic argument have another rank, or a computed
// axis requires a higher rank.
std::string WrongRank(const Pattern& p, std::string_view operand, int rank, std::span<const int> lengths,
                      int needed, bool at_least, bool like_others) {
  if (like_others && !at_least && p.list_items > 0)
    return fmt::format("{} have the ranks {} and {}; all need the same rank", operand, needed, rank);
  const std::optional<int> axis = at_least ? QueriedAxis(p, lengths, needed) : std::nullopt;
  return fmt::format("{} has rank {}; {} {}rank {}", operand, rank,
                     axis ? fmt::format("axis {} needs", *axis) : "it needs", at_least ? "at least " : "",
                     needed);
}

}  // namespace

Status Evaluator::MatchShape(const CompiledArgument& a, const Pattern& p, Shape shape, uint32_t, bool,
                             size_t index) {
  const int fixed = p.size_items, lists = p.list_items;
  if (!shape.has_rank()) {
    if (shape.max_rank() < fixed || (lists == 0 && shape.min_rank() > fixed)) {
      return Fail(Code::kRankMismatch, [&] {
        return fmt::format("{} of {} cannot have rank {}", a.name, application_->op, fixed);
      });
    }
    for (const Item& item : p.items) {
      if (item.kind == ItemKind::kList) {
        const int least = lists == 1 ? std::max(0, shape.min_rank() - fixed) : 0;
        DIMWISE_RETURN_IF_ERROR(BindList(
            a, item, {nullptr, -1, least, p.items.size() == 1 ? shape : Shape(), shape.max_rank() - fixed},
            -1, index));
      } else {
        DIMWISE_RETURN_IF_ERROR(BindSize(a, item, Dim(), -1));
      }
    }
    return {};
  }
  const int rank = shape.rank();
  // A single whole list: the fast path of most operators.
  if (p.items.size() == 1 && lists == 1 && p.items[0].length == kNone) {
    return BindList(a, p.items[0], {shape.dims().data(), rank, 0, shape}, 0, index);
  }
  std::array<int, 8> lengths{};
  int known = 0, open = -1;
  if (p.items.size() > lengths.size())
    return Fail(Code::kRuleLimit,
                [&] { return fmt::format("the pattern of {} has more than 8 items", a.name); });
  for (size_t i = 0; i < p.items.size(); ++i) {
    if (p.items[i].kind != ItemKind::kList) continue;
    lengths[i] = -1;
    if (p.items[i].length != kNone) {
      const Dim d = Pinned(Int(p.items[i].length));
      if (failed()) return TakeFailure();
      if (d.is_constant() && (d.constant() < 0 || d.constant() > rank)) {
        return Fail(Code::kOutOfRange, [&] {
          return fmt::format("index {} is not inside {} of {}, which has rank {}", d.constant(), a.name,
                             application_->op, rank);
        });
      }
      if (d.is_constant()) lengths[i] = static_cast<int>(d.constant());
    } else if (p.items[i].binds != kNone && slots_[p.items[i].binds].state == SlotValue::State::kFull &&
               !p.items[i].each && lists > 1) {
      lengths[i] = slots_[p.items[i].binds].list.count;
    }
    if (lengths[i] >= 0) {
      known += lengths[i];
    } else if (open < 0) {
      open = static_cast<int>(i);
    } else {
      open = -2;
      break;
    }
  }
  if (open == -2) {  // two lists of unknown length cannot be distinguished
    for (const Item& item : p.items) {
      if (item.kind == ItemKind::kList) {
        DIMWISE_RETURN_IF_ERROR(BindList(a, item, {nullptr, -1, 0, {}}, -1, index));
      } else {
        DIMWISE_RETURN_IF_ERROR(BindSize(a, item, Dim(), -1));
      }
    }
    return {};
  }
  const int rest = rank - fixed - known;
  if (open >= 0) lengths[static_cast<size_t>(open)] = rest;
  if (rest < 0 || (open < 0 && rest != 0)) {
    return Fail(Code::kRankMismatch, [&] {
      const std::string operand = fmt::format("{} of {}", a.name, application_->op);
      return WrongRank(p, operand, rank, lengths, fixed + known, open >= 0, index > 0);
    });
  }
  int axis = 0;
  for (size_t i = 0; i < p.items.size(); ++i) {
    if (p.items[i].kind == ItemKind::kList) {
      DIMWISE_RETURN_IF_ERROR(BindList(
          a, p.items[i], {shape.dims().data() + axis, lengths[i], 0, lengths[i] == rank ? shape : Shape()},
          axis, index));
      axis += lengths[i];
    } else {
      if (p.items[i].each) {
        SlotValue& slot = slots_[p.items[i].binds];
        const List before = slot.state == SlotValue::State::kFull ? slot.list : List{};
        slot.list = {
            WithOneMore(before.view(), index, shape[axis]).data(), static_cast<int>(index + 1), 0, {}};
        slot.state = SlotValue::State::kFull;
      } else {
        DIMWISE_RETURN_IF_ERROR(BindSize(a, p.items[i], shape[axis], axis));
      }
      ++axis;
    }
  }
  return {};
}

Result<Dim> Evaluator::MergeSizes(Dim a, Dim b, rules::Words words) {
  if (a == b || b.is_none()) return a;
  if (a.is_none()) return b;
  if (a.is_constant() && b.is_constant()) {
    if (application_->after_error) return Dim();
    if (probing_) return a;
    return Fail(Code::kSizeMismatch, words).TakeError();
  }
  if (!probing_ && host_ != nullptr) {
    DIMWISE_RETURN_IF_ERROR(
        host_->Require(Condition{{{Equal(host_->analysis().dims(), a, b)}}}, words, Code::kSizeMismatch));
  }
  return a.is_constant() ? a : b.is_constant() ? b : a;
}

Status Evaluator::BindSize(const CompiledArgument& a, const Item& item, Dim size, int axis) {
  if (item.each) {
    if (item.binds != kNone && axis < 0) {
      slots_[item.binds].list = {nullptr, -1, 0, {}};
      slots_[item.binds].state = SlotValue::State::kFull;
    }
    return {};
  }
  const auto refuse = [&](Dim wanted, std::string_view what) {
    return fmt::format("{} of {} has {} on axis {}, where {}{} is {}", a.name, application_->op, Print(size),
                       axis, what.empty() ? "the size" : "", what, Print(wanted));
  };
  if (item.binds == kNone) {
    if (item.expr == kNone) return {};
    const Dim wanted = Int(item.expr);
    if (failed()) return TakeFailure();
    const auto words = [&] { return refuse(wanted, ""); };
    DIMWISE_ASSIGN_OR_RETURN(const Dim merged, MergeSizes(size, wanted, words));
    (void)merged;
    return {};
  }
  if (item.factor != 1 || item.offset != 0) {  // size = factor*name + offset
    const Dim shifted = Arithmetic(Op::kSubtract, size, item.offset);
    const Dim rest = Arithmetic(Op::kMod, shifted, item.factor);
    if (rest.is_constant() ? rest != Dim(0) : false) {
      return Fail(Code::kSizeMismatch, [&] {
        return fmt::format("{} of {} has {} on axis {}, which is not a multiple of {}{}", a.name,
                           application_->op, Print(size), axis, item.factor,
                           item.offset == 0 ? "" : fmt::format(" plus {}", item.offset));
      });
    }
    if (rest.is_expression() && host_ != nullptr && !probing_) {
      DIMWISE_RETURN_IF_ERROR(host_->Require(
          Condition{{{Equal(host_->analysis().dims(), rest, 0)}}},
          [&] {
            return fmt::format("{} of {} has {} on axis {}, which must be a multiple of {}", a.name,
                               application_->op, Print(size), axis, item.factor);
          },
          Code::kSizeMismatch));
    }
    size = Arithmetic(Op::kFloorDivide, shifted, item.factor);
  }
  SlotValue& slot = slots_[item.binds];
  if (slot.state == SlotValue::State::kFull) {
    const auto words = [&] { return refuse(slot.integer, code_->slots[item.binds].name); };
    DIMWISE_ASSIGN_OR_RETURN(slot.integer, MergeSizes(slot.integer, size, words));
  } else {
    slot.integer = size;
    slot.state = SlotValue::State::kFull;
  }
  return {};
}

Status Evaluator::BindList(const CompiledArgument& a, const Item& item, List list, int axis, size_t index) {
  if (item.each) {
    SlotValue& slot = slots_[item.binds];
    slot.lists = WithOneMore(slot.state == SlotValue::State::kFull ? slot.lists : std::span<const List>(),
                             index, list);
    slot.state = SlotValue::State::kFull;
    return {};
  }
  if (item.binds == kNone && item.expr == kNone) return {};
  List wanted;
  SlotValue* slot = nullptr;
  if (item.binds != kNone) {
    slot = &slots_[item.binds];
    if (slot->state != SlotValue::State::kFull) {
      slot->list = list;
      slot->state = SlotValue::State::kFull;
      return {};
    }
    wanted = slot->list;
  } else {
    wanted = Ints(item.expr);
    if (failed()) return TakeFailure();
  }
  if (!list.known()) return {};
  if (!wanted.known()) {
    if (slot != nullptr) slot->list = list;
    return {};
  }
  if (list.count != wanted.count) {
    if (application_->after_error && slot != nullptr) slot->list = kUnknownList;
    if (probing_) return {};
    return Fail(Code::kRankMismatch, [&] {
      return fmt::format("{} of {} has {} sizes from axis {} on, where {} are required", a.name,
                         application_->op, list.count, axis, wanted.count);
    });
  }
  Dim* merged = nullptr;
  for (int i = 0; i < list.count; ++i) {
    if (list.data[i] == wanted.data[i]) continue;
    const auto message = [&] {
      return fmt::format("{} of {} has {} on axis {}, where the other operands have {}", a.name,
                         application_->op, Print(list.data[i]), axis + i, Print(wanted.data[i]));
    };
    DIMWISE_ASSIGN_OR_RETURN(const Dim size, MergeSizes(wanted.data[i], list.data[i], message));
    if (size == wanted.data[i]) continue;
    if (merged == nullptr) {
      merged = NewDims(static_cast<size_t>(list.count));
      std::copy(wanted.data, wanted.data + wanted.count, merged);
    }
    merged[i] = size;
  }
  if (slot != nullptr && merged != nullptr) slot->list = {merged, list.count, 0, {}};
  return {};
}

}  // namespace dimwise::rules
