#include "infer/solver/solver_guide.h"

#include <algorithm>

#include "graph/program_names.h"
#include "infer/error.h"

namespace dimwise {

std::optional<GradientLinks> GradientByName(const Graph& graph, NodeId gradient, NodeId forward) {
  if (!ShortName(graph.op_name(gradient)).starts_with("_backward_")) return std::nullopt;
  GradientLinks links;
  for (size_t i = 0; i < graph.operands(gradient).size(); ++i) {
    links.operands.push_back(i < graph.results(forward).size() ? static_cast<int>(i) : -1);
  }
  for (size_t i = 0; i < graph.results(gradient).size(); ++i) links.results.push_back(static_cast<int>(i));
  return links;
}

namespace {

// Returns the value at an index, or kNoValue if there is none.
ValueId At(std::span<const ValueId> values, int place) {
  return place >= 0 && static_cast<size_t>(place) < values.size() ? values[static_cast<size_t>(place)]
                                                                  : kNoValue;
}

int LinkAt(const std::vector<int>& links, size_t i) { return i < links.size() ? links[i] : -1; }

uint64_t WantedKey(NodeId node, size_t operand) { return uint64_t{Index(node)} << 32 | operand; }

}  // namespace

SolverGuide::SolverGuide(const Graph& graph, const OpRegistry& registry, const SolverOptions& options)
    : graph_(graph), options_(options), modes_(graph.node_count(), DispatchMode::kUndefined) {
  if (options_.gradient) FindGradients(registry);
}

void SolverGuide::FindGradients(const OpRegistry& registry) {
  for (uint32_t n = 0; n < graph_.node_count(); ++n) {
    const NodeId node{n};
    if (!graph_.Has(node) || graph_.control_inputs(node).empty()) continue;
    const NodeId forward = graph_.control_inputs(node)[0];
    const Graph::Op& op = graph_.op(graph_.op_of(node));
    if (!graph_.Has(forward) ||
        registry.Find(op.name, op.version > 0 ? op.version : OpRegistry::kLatest) != nullptr)
      continue;
    std::optional<GradientLinks> links = options_.gradient(graph_, node, forward);
    if (!links) continue;
    const auto reads = [&](ValueId value) {
      if (value != kNoValue) readers_[Index(value)].push_back(node);
    };
    for (const int place : links->operands) reads(At(graph_.results(forward), place));
    for (const int place : links->results) reads(At(graph_.operands(forward), place));
    gradients_[n] = {forward, *std::move(links)};
  }
}

const SolverGuide::Gradient* SolverGuide::FindGradient(NodeId node) const {
  const auto it = gradients_.find(Index(node));
  return it == gradients_.end() ? nullptr : &it->second;
}

std::span<const NodeId> SolverGuide::ReadersOf(ValueId value) const {
  if (readers_.empty()) return {};
  const auto it = readers_.find(Index(value));
  return it == readers_.end() ? std::span<const NodeId>() : std::span<const NodeId>(it->second);
}

bool SolverGuide::IsCacheable(NodeId node) const {
  return !options_.parts.storage && Visits(node) && FindGradient(node) == nullptr;
}

Type SolverGuide::Masked(Type type) const {
  if (!type.is_tensor()) return type;
  if (!options_.parts.shape) type.shape = Shape();
  if (!options_.parts.element_type) type.element = ElementType::kUnknown;
  if (!options_.parts.storage) type.storage = Storage();
  return type;
}

bool SolverGuide::IsIncomplete(const Type& type) const {
  if (type.kind == TypeKind::kUnknown) return true;
  if (!type.is_tensor()) return false;
  if (options_.parts.shape && (type.shape.is_none() || !type.shape.has_rank())) return true;
  if (options_.parts.element_type && type.element == ElementType::kUnknown) return true;
  return options_.parts.storage && !type.storage.is_known();
}

const AttrMap* SolverGuide::Attributes(const OpDef& op, const AttrMap* attrs) {
  constexpr std::string_view kDevice = "device";
  if (!options_.parts.storage || FindAttr(op, kDevice) == nullptr || attrs->Contains(kDevice)) return attrs;
  std::unique_ptr<AttrMap>& with = with_device_[attrs];
  if (with == nullptr) {
    with = std::make_unique<AttrMap>(*attrs);
    with->Set(std::string(kDevice), options_.device);
  }
  return with.get();
}

bool SolverGuide::Run(NodeId node, const ShapeFn* function, InferenceContext* context, Status* status) {
  const Gradient* gradient = FindGradient(node);
  if (function != nullptr) {
    *status = context->Run(*function);
  } else {
    *status = context->Run([&](InferenceContext* c) {
      return gradient == nullptr ? Status() : RunGradient(node, *gradient, c);
    });
  }
  if (options_.parts.storage) Dispatch(node, function, context, status);
  return function != nullptr || gradient != nullptr || options_.parts.storage;
}

// ---- Gradients ----

// The types of a result and of the forward operand are merged in the context, as for any operator.
Status SolverGuide::RunGradient(NodeId node, const Gradient& gradient, InferenceContext* context) {
  const auto differ = [&](Code code, ValueId value, const Type& type, ValueId forward_value,
                          const Type& of_forward) {
    DimTable& dims = context->dims();
    return Error(code,
                 "'{}' of {} '{}' is {} and '{}' of its forward node {} '{}' is {}; a gradient has the type "
                 "of its forward value",
                 graph_.name(value), graph_.op_name(node), graph_.name(node), ToString(dims, type),
                 graph_.name(forward_value), graph_.op_name(gradient.forward), graph_.name(gradient.forward),
                 ToString(dims, of_forward));
  };
  // Sets `type` to the meet of both types.
  const auto meet = [&](ValueId value, Type* type, ValueId forward_value) -> Status {
    Type other = engine_->state().type(forward_value);
    other.storage = Storage();
    if (!other.is_tensor()) return {};
    if (type->kind == TypeKind::kUnknown) type->kind = TypeKind::kTensor;
    if (!type->is_tensor()) return {};
    const Type before = *type;
    if (type->element != ElementType::kUnknown && other.element != ElementType::kUnknown &&
        type->element != other.element) {
      return differ(Code::kElementType, value, before, forward_value, other);
    }
    if (type->element == ElementType::kUnknown) type->element = other.element;
    if (!type->shape.is_none() && !other.shape.is_none()) {
      Result<Shape> merged = context->Merge(type->shape, other.shape);
      if (!merged) return differ(merged.error().code, value, before, forward_value, other);
      type->shape = *merged;
    } else if (type->shape.is_none()) {
      type->shape = other.shape;
    }
    engine_->RefineFromUse(forward_value, *type);
    return {};
  };
  const std::span<const ValueId> operands = graph_.operands(node), results = graph_.results(node);
  for (size_t i = 0; i < operands.size(); ++i) {
    const ValueId of_forward = At(graph_.results(gradient.forward), LinkAt(gradient.links.operands, i));
    if (of_forward == kNoValue || operands[i] == kNoValue) continue;
    Type type = context->full_input_type(static_cast<int64_t>(i));
    DIMWISE_RETURN_IF_ERROR(meet(operands[i], &type, of_forward));
    context->RefineInput(static_cast<int64_t>(i), type);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const ValueId of_forward = At(graph_.operands(gradient.forward), LinkAt(gradient.links.results, i));
    if (of_forward == kNoValue) continue;
    Type type = i < context->known_outputs().size() ? context->known_outputs()[i] : Type();
    type.storage = Storage();
    DIMWISE_RETURN_IF_ERROR(meet(results[i], &type, of_forward));
    if (type.kind != TypeKind::kUnknown) context->set_full_output_type(static_cast<int64_t>(i), type);
  }
  return {};
}

// ---- Storage ----

void SolverGuide::Dispatch(NodeId node, const ShapeFn* function, InferenceContext* context, Status* status) {
  DispatchMode& mode = modes_[Index(node)];
  mode = DispatchMode::kUndefined;
  bool all_known = true, any_sparse = false;
  for (int i = 0; i < context->num_inputs(); ++i) {
    const Type type = context->full_input_type(i);
    if (!context->has_input(i) || !type.is_tensor()) continue;
    all_known &= type.storage.is_known();
    any_sparse |= type.storage.is_sparse();
    const Storage wanted = *status ? context->refined_input_type(i).storage : Storage();
    if (!type.storage.is_known()) wanted_[WantedKey(node, static_cast<size_t>(i))] = wanted;
  }
  if (!all_known) return;
  bool is_complete = *status && function != nullptr;
  for (int i = 0; i < context->num_outputs(); ++i) {
    const Type type = context->full_output_type(i);
    is_complete &= !type.is_tensor() || type.storage.is_known();
    any_sparse |= type.storage.is_sparse();
  }
  if (is_complete) {
    mode = any_sparse ? DispatchMode::kComputeEx : DispatchMode::kCompute;
    return;
  }
  if (any_sparse && function != nullptr) {  // the rule has no case for these storages: use dense operands
    for (int i = 0; i < context->num_inputs(); ++i) {
      Type type = context->full_input_type(i);
      if (!type.storage.is_sparse()) continue;
      type.storage = Storage::Dense();
      context->SetInput(i, type);
    }
    *status = context->Run(*function);
  }
  if (!*status) return;
  mode = any_sparse ? DispatchMode::kFallback : DispatchMode::kCompute;
  for (int i = 0; i < context->num_outputs(); ++i) {
    Type type = context->full_output_type(i);
    if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
    if (!type.is_tensor() || type.storage.is_known()) continue;
    type.storage = Storage::Dense();
    context->set_full_output_type(i, type);
  }
}

DispatchMode SolverGuide::dispatch(NodeId node) const {
  return Index(node) < modes_.size() ? modes_[Index(node)] : DispatchMode::kUndefined;
}

Storage SolverGuide::Wanted(ValueId value) const {
  Storage wanted;
  bool agree = true;
  graph_.ForEachUse(value, [&](NodeId user, size_t operand) {
    const auto it = wanted_.find(WantedKey(user, operand));
    if (it == wanted_.end() || !it->second.is_known()) return;
    agree &= !wanted.is_known() || wanted == it->second;
    wanted = it->second;
  });
  return agree ? wanted : Storage();
}

}  // namespace dimwise
