// Evaluates loops over lists.
#include <algorithm>

#include "core/base/scratch_array.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

Evaluator::AnyList Evaluator::ReadList(NodeId id) {
  const ExprType type = code_->nodes[id].type;
  const auto list_of = [&](const auto& list) -> AnyList {
    return {type, list.data(), IsUnknown(list) ? -1 : static_cast<int64_t>(list.size())};
  };
  switch (type) {
    case ExprType::kInts: {
      const List list = Ints(id);
      return {type, list.data, list.count};
    }
    case ExprType::kLists:
      return list_of(Lists(id));
    case ExprType::kStrings:
      return list_of(Strings(id));
    case ExprType::kTypes:
      return list_of(TypesOf(id));
    case ExprType::kFloats:
      return list_of(Reals(id));
    default:
      return {type, nullptr, 0};
  }
}

void Evaluator::StoreElement(const AnyList& list, int64_t i, SlotValue* slot) {
  switch (list.type) {
    case ExprType::kInts:
      slot->integer = static_cast<const Dim*>(list.data)[i];
      break;
    case ExprType::kLists:
      slot->list = static_cast<const List*>(list.data)[i];
      break;
    case ExprType::kStrings:
      slot->text = static_cast<const std::string_view*>(list.data)[i];
      break;
    case ExprType::kTypes:
      slot->type = static_cast<const ElementType*>(list.data)[i];
      break;
    default:
      slot->real = static_cast<const double*>(list.data)[i];
  }
  slot->state = SlotValue::State::kFull;
}

void Evaluator::ClearInner(const Loop& loop) {
  for (SlotId s = loop.first_inner; s < loop.last_inner; ++s) slots_[s].state = SlotValue::State::kEmpty;
}

bool Evaluator::ForEach(const Node& node, FunctionRef<void()> body, int* undecided) {
  const Loop& loop = code_->loops[static_cast<size_t>(node.immediate)];
  ScratchArray<AnyList, kMaxZipped> lists;
  size_t zipped = 0;
  int64_t rounds = INT64_MAX;
  for (const NodeId arg : Args(node)) {
    const AnyList list = ReadList(arg);
    rounds = list.count < 0 ? -1 : std::min(rounds, list.count);
    if (zipped < lists.size()) lists[zipped++] = list;
  }
  if (rounds < 0) return false;
  for (int64_t i = 0; i < rounds && Step() && !failed(); ++i) {
    ClearInner(loop);
    for (size_t k = 0; k < zipped; ++k) StoreElement(lists[k], i, &slots_[loop.variables[k]]);
    if (loop.enumerate) {
      slots_[loop.variables[1]].integer = Dim(i);
      slots_[loop.variables[1]].state = SlotValue::State::kFull;
    }
    if (node.b != kNone) {
      const Truth t = DecideAsGiven(node.b);
      if (t == Truth::kMaybe) {
        LeaveOpen();
        if (undecided == nullptr) return false;
        ++*undecided;
      }
      if (t != Truth::kYes) continue;
    }
    body();
  }
  return true;
}

void Evaluator::Fold(const Node& node) {
  const Loop& loop = code_->loops[static_cast<size_t>(node.immediate)];
  SlotValue state;
  state.SetUnknown(code_->nodes[node.b].type);
  Store(&state, node.b);
  const AnyList list = ReadList(node.a);
  if (list.count < 0) state.SetUnknown(code_->nodes[node.b].type);
  for (int64_t i = 0; i < list.count && Step() && !failed(); ++i) {
    ClearInner(loop);
    StoreElement(list, i, &slots_[loop.variables[0]]);
    slots_[loop.accumulator] = state;
    slots_[loop.accumulator].state = SlotValue::State::kFull;
    SlotValue next;
    Store(&next, node.c);
    state = next;
  }
  slots_[loop.accumulator] = state;
  slots_[loop.accumulator].state = SlotValue::State::kFull;
}

}  // namespace dimwise::rules
