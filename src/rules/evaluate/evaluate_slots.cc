// Evaluates slots.
#include <fmt/format.h>

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

List Evaluator::ListOf(const ShapeProto& shape) {
  if (shape.unknown_rank) return kUnknownList;
  std::vector<Dim> dims;
  for (const int64_t d : shape.dims) dims.push_back(d < 0 ? Dim() : Dim(d));
  return Store(dims);
}

Evaluator::Contents Evaluator::ContentsOf(const TensorValue& tensor) {
  Contents contents;
  contents.element = tensor.type;
  if (tensor.shape.unknown_rank) return contents;
  contents.dims = StoreAll(tensor.shape.dims);
  contents.ranked = true;
  const std::optional<int64_t> count = tensor.ElementCount();
  if (!count || *count > ContentsLimit::current()) return contents;
  contents.known = true;
  contents.is_float = IsFloat(tensor.type);
  if (contents.is_float) {
    std::vector<Float> floats;
    for (int64_t i = 0; i < *count; ++i) {
      const std::optional<double> f = tensor.FloatAt(i);
      floats.push_back(f ? Float::Of(*f) : Float());
    }
    contents.floats = StoreAll(floats);
  } else {
    std::vector<Dim> integers;
    for (int64_t i = 0; i < *count; ++i) {
      const std::optional<int64_t> k = tensor.IntAt(i);
      integers.push_back(k ? Dim(*k) : Dim());
    }
    contents.integers = StoreAll(integers);
  }
  return contents;
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
    case AttributeKind::kShape:
      if (const std::optional<ShapeProto> shape = AsShape(*v)) slot->list = ListOf(*shape);
      break;
    case AttributeKind::kShapes: {
      std::vector<List> all;
      for (const ShapeProto& shape : AsShapes(*v).value_or(std::vector<ShapeProto>()))
        all.push_back(ListOf(shape));
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
      if (const TensorValue* tensor = AsTensor(*v)) slot->contents = ContentsOf(*tensor);
      break;
    case AttributeKind::kAny:
      break;
  }
}

}  // namespace dimwise::rules
