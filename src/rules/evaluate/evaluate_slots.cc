// Evaluates slots and loops over them.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/scratch_array.h"
#include "core/values/contents_limit.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

void Evaluator::SlotValue::SetUnknown(ExprType of) {
  switch (of) {
    case ExprType::kInt:
      integer = Dim();
      break;
    case ExprType::kInts:
      list = {nullptr, -1, 0, {}};
      break;
    case ExprType::kBool:
      boolean = {};
      break;
    case ExprType::kType:
      type = ElementType::kUnknown;
      break;
    case ExprType::kFloat:
      real = kUnknownReal;
      break;
    case ExprType::kString:
      text = {};
      break;
    case ExprType::kLists:
      lists = UnknownList<List>();
      break;
    case ExprType::kTypes:
      types = UnknownList<ElementType>();
      break;
    case ExprType::kFloats:
      reals = UnknownList<double>();
      break;
    case ExprType::kBools:
      booleans = {};
      break;
    case ExprType::kStrings:
      texts = UnknownList<std::string_view>();
      break;
    case ExprType::kTensor:
    case ExprType::kTensors:
      contents = {};
      break;
  }
}

const Evaluator::SlotValue& Evaluator::ReadSlot(SlotId id) {
  SlotValue& slot = slots_[id];
  if (slot.state == SlotValue::State::kFull) return slot;
  const Slot& declared = code_->slots[id];
  // A slot without code and without a value is a pattern name whose operand is absent. It is unknown; a list
  // of lists is empty.
  slot.SetUnknown(declared.type);
  if (declared.code == kNone && declared.type == ExprType::kLists) slot.lists = {};
  if (declared.code == kNone && declared.type == ExprType::kTypes) slot.types = {};
  if (slot.state == SlotValue::State::kBusy) return slot;
  slot.state = SlotValue::State::kBusy;
  if (declared.attribute != kNone) {
    StoreAttribute(&slot, code_->attributes[declared.attribute], declared.attribute);
  } else if (declared.code != kNone) {
    Store(&slot, declared.code);
  }
  slots_[id].state = SlotValue::State::kFull;
  if (probing_) probed_.push_back(id);
  return slots_[id];
}

void Evaluator::Store(SlotValue* slot, NodeId id) {
  switch (code_->nodes[id].type) {
    case ExprType::kInt:
      slot->integer = Int(id);
      break;
    case ExprType::kBool:
      slot->boolean = Boolean(id);
      break;
    case ExprType::kFloat:
      slot->real = Real(id);
      break;
    case ExprType::kString:
      slot->text = String(id);
      break;
    case ExprType::kType:
      slot->type = TypeOf(id);
      break;
    case ExprType::kInts:
      slot->list = Ints(id);
      break;
    case ExprType::kBools:
      slot->booleans = StoreAll(Booleans(id));
      break;
    case ExprType::kFloats:
      slot->reals = Reals(id);
      break;
    case ExprType::kStrings:
      slot->texts = Strings(id);
      break;
    case ExprType::kTypes:
      slot->types = TypesOf(id);
      break;
    case ExprType::kLists:
      slot->lists = Lists(id);
      break;
    case ExprType::kTensor:
      slot->contents = Tensor(id);
      break;
    case ExprType::kTensors:
      break;
  }
}

void Evaluator::StoreAttribute(SlotValue* slot, const CompiledAttribute& a, size_t index) {
  const AttrValue* v =
      application_->attributes == nullptr ? nullptr : application_->attributes->values[index];
  if (v == nullptr) {
    if (a.otherwise != kNone) Store(slot, a.otherwise);
    return;
  }
  if (v->IsTooLong()) {
    (void)Fail(Code::kRuleLimit, [&] {
      return fmt::format("{} needs {}, which has {} elements: more than are read", application_->op, a.name,
                         v->ListSize().value_or(0));
    });
    return;
  }
  switch (a.kind) {
    case AttributeKind::kInt:
      slot->integer = Dim(AsInt(*v).value_or(0));
      break;
    case AttributeKind::kBool:
      slot->boolean = {AsBool(*v).value_or(false) ? Truth::kYes : Truth::kNo, -1};
      break;
    case AttributeKind::kFloat:
      slot->real = AsFloat(*v).value_or(0);
      break;
    case AttributeKind::kString:
      slot->text = AsString(*v).value_or("");
      break;
    case AttributeKind::kType:
      slot->type = application_->attributes->types[index];
      break;
    case AttributeKind::kInts: {
      if (v->IsUnread()) {
        const AttrValue::Ints& ints = *v->get_if<AttrValue::Ints>();
        slot->list = Store(std::vector<Dim>(ints.begin(), ints.end()));
        break;
      }
      const std::vector<Dim>& list = application_->attributes->lists[index];
      slot->list = {list.data(), static_cast<int>(list.size()), 0, {}};
      break;
    }
    case AttributeKind::kShape: {
      const std::optional<ShapeProto> shape = AsShape(*v);
      if (!shape || shape->unknown_rank) break;
      std::vector<Dim> dims;
      for (int64_t d : shape->dims) dims.push_back(d < 0 ? Dim() : Dim(d));
      slot->list = Store(dims);
      break;
    }
    case AttributeKind::kShapes: {
      std::vector<List> all;
      for (const ShapeProto& shape : AsShapes(*v).value_or(std::vector<ShapeProto>())) {
        std::vector<Dim> dims;
        for (int64_t d : shape.dims) dims.push_back(d < 0 ? Dim() : Dim(d));
        all.push_back(shape.unknown_rank ? List{nullptr, -1, 0, {}} : Store(dims));
      }
      slot->lists = StoreAll(all);
      break;
    }
    case AttributeKind::kFloats:
      slot->reals = StoreAll(AsFloats(*v).value_or(AttrValue::Floats()));
      break;
    case AttributeKind::kStrings: {
      std::vector<std::string_view> texts;
      if (const auto* list = v->get_if<AttrValue::Strings>()) texts.assign(list->begin(), list->end());
      slot->texts = StoreAll(std::move(texts));
      break;
    }
    case AttributeKind::kTypes:
      slot->types = StoreAll(AsTypes(*v).value_or(AttrValue::Types()));
      break;
    case AttributeKind::kTensor:
      if (const TensorValue* t = AsTensor(*v)) {
        const std::optional<int64_t> n = t->ElementCount();
        slot->contents.element = t->type;
        if (t->shape.unknown_rank) break;
        slot->contents.dims = StoreAll(std::vector<int64_t>(t->shape.dims));
        slot->contents.ranked = true;
        if (!n || *n > ContentsLimit::current()) break;
        std::vector<Dim> ints;
        std::vector<Float> floats;
        const bool real = IsFloat(t->type);
        const auto* numbers = std::get_if<std::vector<double>>(&t->contents);
        real ? floats.reserve(static_cast<size_t>(*n)) : ints.reserve(static_cast<size_t>(*n));
        for (int64_t i = 0; i < *n; ++i) {
          if (real) {
            const std::optional<double> f = numbers != nullptr && static_cast<size_t>(i) < numbers->size()
                                                ? (*numbers)[static_cast<size_t>(i)]
                                                : t->FloatAt(i);
            floats.push_back(f ? Float::Of(*f) : Float());
          } else {
            const std::optional<int64_t> k = t->IntAt(i);
            ints.push_back(k ? Dim(*k) : Dim());
          }
        }
        slot->contents.is_float = real;
        slot->contents.integers = StoreAll(std::move(ints));
        slot->contents.floats = StoreAll(std::move(floats));
        slot->contents.known = true;
      }
      break;
    case AttributeKind::kAny:
      break;
  }
}

bool Evaluator::ForEach(const Node& node, FunctionRef<void()> body, int* undecided) {
  const Loop& loop = code_->loops[static_cast<size_t>(node.immediate)];
  // The start of the elements of each list, by its type.
  struct Over {
    ExprType type;
    SlotId variable;
    const void* data;
  };
  ScratchArray<Over, kMaxZipped> over;
  size_t zipped = 0;
  int64_t rounds = INT64_MAX;
  bool known = true;
  for (NodeId arg : Args(node)) {
    Over o{code_->nodes[arg].type, kNone, nullptr};
    int64_t count = 0;
    const auto take = [&](const auto& list) {
      o.data = list.data();
      count = IsUnknown(list) ? -1 : static_cast<int64_t>(list.size());
    };
    switch (o.type) {
      case ExprType::kInts: {
        const List list = Ints(arg);
        o.data = list.data;
        count = list.count;
        break;
      }
      case ExprType::kLists:
        take(Lists(arg));
        break;
      case ExprType::kStrings:
        take(Strings(arg));
        break;
      case ExprType::kTypes:
        take(TypesOf(arg));
        break;
      case ExprType::kFloats:
        take(Reals(arg));
        break;
      default:
        break;
    }
    if (count < 0) {
      known = false;
    } else {
      rounds = std::min(rounds, count);
    }
    if (zipped == over.size()) continue;
    o.variable = loop.variables[zipped];
    over[zipped++] = o;
  }
  if (!known) return false;
  for (int64_t i = 0; i < rounds && Step() && !failed(); ++i) {
    for (SlotId s = loop.first_inner; s < loop.last_inner; ++s) slots_[s].state = SlotValue::State::kEmpty;
    for (size_t k = 0; k < zipped; ++k) {
      SlotValue& slot = slots_[over[k].variable];
      const void* data = over[k].data;
      switch (over[k].type) {
        case ExprType::kInts:
          slot.integer = static_cast<const Dim*>(data)[i];
          break;
        case ExprType::kLists:
          slot.list = static_cast<const List*>(data)[i];
          break;
        case ExprType::kStrings:
          slot.text = static_cast<const std::string_view*>(data)[i];
          break;
        case ExprType::kTypes:
          slot.type = static_cast<const ElementType*>(data)[i];
          break;
        default:
          slot.real = static_cast<const double*>(data)[i];
      }
      slot.state = SlotValue::State::kFull;
    }
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
  const ExprType list_type = code_->nodes[node.a].type;
  const List ints = list_type == ExprType::kInts ? Ints(node.a) : List{};
  const std::span<const List> lists = list_type == ExprType::kLists ? Lists(node.a) : std::span<const List>();
  const std::span<const std::string_view> texts =
      list_type == ExprType::kStrings ? Strings(node.a) : std::span<const std::string_view>();
  const std::span<const ElementType> types =
      list_type == ExprType::kTypes ? TypesOf(node.a) : std::span<const ElementType>();
  const bool unknown = IsUnknown(lists) || IsUnknown(texts) || IsUnknown(types);
  const int64_t count = unknown ? -1
                        : list_type == ExprType::kInts
                            ? ints.count
                            : static_cast<int64_t>(std::max({lists.size(), texts.size(), types.size()}));
  if (count < 0) {  // the length is unknown, and so is the state
    state.SetUnknown(code_->nodes[node.b].type);
  }
  for (int64_t i = 0; i < count && Step() && !failed(); ++i) {
    for (SlotId s = loop.first_inner; s < loop.last_inner; ++s) slots_[s].state = SlotValue::State::kEmpty;
    SlotValue& element = slots_[loop.variables[0]];
    const auto at = static_cast<size_t>(i);
    switch (list_type) {
      case ExprType::kInts:
        element.integer = ints.data[at];
        break;
      case ExprType::kLists:
        element.list = lists[at];
        break;
      case ExprType::kStrings:
        element.text = texts[at];
        break;
      default:
        element.type = types[at];
    }
    element.state = SlotValue::State::kFull;
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
