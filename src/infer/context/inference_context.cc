// Sets up a context and runs a shape function.
//
// Setup runs for every node, so it copies no names or attributes, and it counts arguments without building a
// list. The slow path only builds error messages.
#include "dimwise/inference_context.h"

#include <algorithm>

#include "core/base/hash_mix.h"
#include "infer/context/tensor_limit.h"
#include "infer/error.h"

namespace dimwise {
namespace {

constexpr size_t kAny = SIZE_MAX;

struct CountRange {
  size_t min = 0;
  size_t max = 0;
};

// Returns how many tensors the arguments require, or nullopt if the attributes must be examined in detail.
std::optional<CountRange> QuickCount(const OpDef& op, const std::vector<ArgDef>& args, const AttrMap& attrs) {
  CountRange count;
  size_t places = 0;
  for (const ArgDef& arg : args) {
    size_t least = 1;
    size_t most = 1;
    if (arg.variadic) {
      least = static_cast<size_t>(std::max<int64_t>(arg.min_count, 0));
      most = kAny;
    } else if (!arg.number_attr.empty() || !arg.type_list_attr.empty()) {
      const std::string& name = arg.number_attr.empty() ? arg.type_list_attr : arg.number_attr;
      const AttrValue* value = attrs.Find(name);
      const AttrDef* def = FindAttr(op, name);
      if (value == nullptr || def == nullptr) return std::nullopt;
      const int64_t* number = value->get_if<int64_t>();
      const AttrValue::Types* types = value->get_if<AttrValue::Types>();
      if (number != nullptr && *number >= 0 && *number <= kMaxTensors) {
        least = most = static_cast<size_t>(*number);
      } else if (types != nullptr) {
        least = most = types->size();
      } else {
        return std::nullopt;
      }
      if (static_cast<int64_t>(least) < def->minimum.value_or(0)) return std::nullopt;
    }
    places += least;
    if (!arg.optional && least > 0) count.min = places;
    count.max = most == kAny || count.max == kAny ? kAny : count.max + most;
  }
  return count;
}

}  // namespace

InferenceContext::InferenceContext(Analysis& analysis) : analysis_(&analysis) {}

InferenceContext::InferenceContext(Analysis& analysis, const NodeDescription& node,
                                   std::span<const ShapeProto> inputs,
                                   std::span<const dimwise::Value> input_tensors,
                                   std::span<const Shape> input_tensors_as_shapes)
    : analysis_(&analysis) {
  PreInputInit(node, input_tensors, input_tensors_as_shapes);
  for (size_t i = 0; i < inputs.size(); ++i) {
    Result<Shape> shape = MakeShapeFromShapeProto(inputs[i]);
    if (!shape) FailConstruction(std::move(shape).error());
    SetInput(static_cast<int64_t>(i), shape ? *shape : UnknownShape());
  }
  PostInputInit();
}

InferenceContext::InferenceContext(Analysis& analysis, const NodeDescription& node,
                                   std::span<const PartialTensorShape> inputs,
                                   std::span<const dimwise::Value> input_tensors,
                                   std::span<const Shape> input_tensors_as_shapes)
    : analysis_(&analysis) {
  PreInputInit(node, input_tensors, input_tensors_as_shapes);
  for (size_t i = 0; i < inputs.size(); ++i) {
    Result<Shape> shape = MakeShapeFromPartialTensorShape(inputs[i]);
    if (!shape) FailConstruction(std::move(shape).error());
    SetInput(static_cast<int64_t>(i), shape ? *shape : UnknownShape());
    inputs_[static_cast<int64_t>(i)].type.element = inputs[i].data_type();
  }
  PostInputInit();
}

InferenceContext::InferenceContext(Analysis& analysis, const NodeDescription& node,
                                   std::span<const Shape> inputs,
                                   std::span<const dimwise::Value> input_tensors,
                                   std::span<const Shape> input_tensors_as_shapes)
    : analysis_(&analysis) {
  Reset(node, inputs, input_tensors, input_tensors_as_shapes);
}

InferenceContext::InferenceContext(Analysis& analysis, const NodeDescription& node,
                                   std::span<const Type> inputs,
                                   std::span<const dimwise::Value> input_tensors,
                                   std::span<const Shape> input_tensors_as_shapes)
    : analysis_(&analysis) {
  Reset(node, inputs, input_tensors, input_tensors_as_shapes);
}

InferenceContext::~InferenceContext() {
  if (has_pending_scope_) DropPending();
}

void InferenceContext::Reset(const NodeDescription& node, std::span<const Shape> inputs,
                             std::span<const dimwise::Value> input_tensors,
                             std::span<const Shape> input_tensors_as_shapes) {
  PreInputInit(node, input_tensors, input_tensors_as_shapes);
  inputs_.resize(inputs.size());
  InputSlot* slot = inputs_.begin();
  for (const Shape shape : inputs) {
    if (!shape.is_none()) {
      slot->type = Type::Tensor(ElementType::kUnknown, shape);
      slot->given = true;
    }
    ++slot;
  }
  PostInputInit();
}

void InferenceContext::Reset(const NodeDescription& node, std::span<const Type> inputs,
                             std::span<const dimwise::Value> input_tensors,
                             std::span<const Shape> input_tensors_as_shapes) {
  PreInputInit(node, input_tensors, input_tensors_as_shapes);
  inputs_.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) SetInput(static_cast<int64_t>(i), inputs[i]);
  PostInputInit();
}

void InferenceContext::PreInputInit(const NodeDescription& node,
                                    std::span<const dimwise::Value> input_tensors,
                                    std::span<const Shape> input_tensors_as_shapes) {
  if (has_pending_scope_ || has_run_) DropPending();
  node_ = node;
  inputs_.clear();
  outputs_.clear();
  if (!construction_status_) construction_status_ = {};
  if (!misuse_) misuse_ = {};
  input_ranges_.reset();
  output_ranges_.reset();
  if (!converted_ints_.empty()) converted_ints_.clear();
  if (refines_inputs_) {
    refines_inputs_ = false;
    known_outputs_.clear();
    refined_inputs_.clear();
  }
  has_run_ = false;
  next_role_ = first_role_ = 0;
  given_tensors_ = input_tensors;
  given_tensors_as_shapes_ = input_tensors_as_shapes;
  CountOutputs();
}

void InferenceContext::CountOutputs() {
  int64_t count = node_.num_outputs;
  if (count < 0 && node_.op == nullptr) {
    count = 0;
  } else if (count < 0) {
    const std::optional<CountRange> quick = QuickCount(*node_.op, node_.op->outputs, attrs());
    if (quick && quick->max != kAny) {
      count = static_cast<int64_t>(quick->max);
    } else if (Result<NameRangeMap> ranges = OutputRanges(*node_.op, attrs())) {
      count = static_cast<int64_t>(ranges->total());
    } else {
      FailConstruction(std::move(ranges).error());
      count = 0;
    }
  }
  if (count > kMaxTensors) {
    FailConstruction(std::move(*Error(Code::kArity, "a node cannot have {} outputs", count).Take()));
    count = 0;
  }
  outputs_.resize(static_cast<size_t>(count));
}

void InferenceContext::PostInputInit() {
  if (node_.op != nullptr) {
    const size_t count = inputs_.size();
    const std::optional<CountRange> quick = QuickCount(*node_.op, node_.op->inputs, attrs());
    if (!quick || count < quick->min || count > quick->max) {
      if (Status status = CheckArity(*node_.op, count, node_.attrs); !status)
        FailConstruction(std::move(status.error()));
    }
  }
  if (given_tensors_.size() > inputs_.size() || given_tensors_as_shapes_.size() > inputs_.size()) {
    FailConstruction(
        std::move(*Error(Code::kArity, "contents are given for {} inputs; there are {}",
                         std::max(given_tensors_.size(), given_tensors_as_shapes_.size()), inputs_.size())
                       .Take()));
  }
  if (!given_tensors_.empty()) set_input_tensors(given_tensors_);
  if (!given_tensors_as_shapes_.empty()) set_input_tensors_as_shapes(given_tensors_as_shapes_);
  given_tensors_ = {};
  given_tensors_as_shapes_ = {};
  first_role_ = next_role_;
}

void InferenceContext::FailConstruction(Diagnostic diagnostic) {
  if (construction_status_) construction_status_ = Unexpected(std::move(diagnostic));
}

void InferenceContext::Misuse(Code code, std::string message) {
  if (misuse_) misuse_ = Error(code, "{}", message);
}

// ---- Running ----

Status InferenceContext::BeginRun() {
  if (!construction_status_) return AttachContext(Status(Unexpected(construction_status_.error())));
  if (has_run_) {  // the owner of the node retracts what the previous run published
    for (ConstraintId id : pending_constraints_) facts().Retract(id);
    pending_constraints_.clear();
    guards_.clear();
    for (OutputSlot& output : outputs_) output = OutputSlot();
    refined_inputs_.clear();
    misuse_ = {};
  }
  next_role_ = first_role_;
  has_run_ = true;
  return {};
}

Status InferenceContext::Call(Status (*run)(void*), void* function) {
  try {
    return run(function);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return Error(Code::kBadDefinition, "the shape function threw an exception: {}", e.what());
  }
}

Status InferenceContext::Finish(Status status) {
  if (status && !misuse_) status = Unexpected(misuse_.error());
  if (status && !known_outputs_.empty()) status = MergeKnownOutputs();
  for (const OutputSlot& output : outputs_) {
    if (!status) break;
    if (!output.type.shape.is_none()) status = RequireSizes(output.type.shape);
  }
  return status;
}

Status InferenceContext::EndRun(Status status) {
  status = Finish(std::move(status));
  if (!status) {
    DropPending();
    return AttachContext(std::move(status));
  }
  if (has_pending_scope_) {
    facts().CommitScope(pending_scope_);
    has_pending_scope_ = false;
  }
  return status;
}

}  // namespace dimwise
