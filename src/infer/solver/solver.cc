#include "dimwise/solver.h"

#include <algorithm>

#include "infer/engine/guard_list.h"
#include "infer/error.h"
#include "infer/solver/solver_state.h"

namespace dimwise {
namespace {

EngineOptions OptionsOf(const SolverOptions& options) {
  EngineOptions o;
  o.contents = options.parts.shape;  // contents are needed only for shapes
  o.backward = true;
  return o;
}

// Replaces the parts that are known in `by`.
void Replace(Type* type, const Type& by) {
  if (by.kind == TypeKind::kUnknown) return;
  if (type->kind != by.kind) {
    *type = by;
    return;
  }
  if (!by.is_tensor()) {
    *type = by;
    return;
  }
  if (!by.shape.is_none()) type->shape = by.shape;
  if (by.element != ElementType::kUnknown) type->element = by.element;
  if (by.storage.is_known()) type->storage = by.storage;
}

// Sets `type` to the meet of both. Equalities of sizes become facts of the analysis.
Status Meet(Analysis& analysis, Type* type, const Type& other) {
  if (other.kind == TypeKind::kUnknown) return {};
  if (type->kind == TypeKind::kUnknown) {
    *type = other;
    return {};
  }
  if (type->kind != other.kind) {
    return Error(Code::kElementType, "{} and {} cannot both be true", ToString(analysis.dims(), *type),
                 ToString(analysis.dims(), other));
  }
  if (!type->is_tensor()) return {};
  InferenceContext context(analysis);
  context.Reset(NodeDescription{}, std::span<const Type>());
  return context.Run([&](InferenceContext* c) -> Status {
    DIMWISE_ASSIGN_OR_RETURN(type->element, c->MergeElementTypes(type->element, other.element));
    DIMWISE_ASSIGN_OR_RETURN(type->storage, MergeStorage(type->storage, other.storage));
    if (type->shape.is_none() || other.shape.is_none()) {
      if (type->shape.is_none()) type->shape = other.shape;
      return {};
    }
    DIMWISE_ASSIGN_OR_RETURN(type->shape, c->Merge(type->shape, other.shape));
    return {};
  });
}

// Reads the type that the attributes of an input state.
class AttributeReader {
 public:
  AttributeReader(const Graph& graph, const SolverOptions& options, ValueId value)
      : graph_(graph), options_(options), value_(value), attrs_(graph.attrs(graph.attrs_of(value))) {}

  Status Read(Type* type) {
    *type = Type::Tensor(ElementType::kUnknown, Shape());
    if (const AttrValue* a = Find(options_.shape_key)) {
      const std::optional<ShapeProto> proto = AsShape(*a);
      if (!proto) return Refuse(options_.shape_key, *a, "a shape");
      type->shape = Make(*proto);
    }
    if (const AttrValue* a = Find(options_.element_type_key)) {
      const std::optional<int64_t> number = AsInt(*a);
      const std::optional<ElementType> element = number ? NumberedType(*number) : AsType(*a);
      if (!element) return Refuse(options_.element_type_key, *a, "an element type");
      type->element = *element;
    }
    if (const AttrValue* a = Find(options_.storage_key)) {
      const std::optional<int64_t> number = AsInt(*a);
      const std::optional<std::string_view> word = AsString(*a);
      const std::optional<Storage> storage = number ? StorageFromMxnet(*number)
                                             : word ? ParseStorage(*word)
                                                    : std::nullopt;
      if (!storage) return Refuse(options_.storage_key, *a, "a storage");
      type->storage = *storage;
    }
    return {};
  }

 private:
  const AttrValue* Find(const std::string& key) const {
    const AttrValue* a = key.empty() ? nullptr : attrs_.Find(key);
    return a == nullptr || IsNothing(*a) ? nullptr : a;
  }
  // MXNet's numbers; -1 is unknown.
  static std::optional<ElementType> NumberedType(int64_t number) {
    if (number == -1) return ElementType::kUnknown;
    return ElementTypeOf(number, TypeSystem::kMxnet);
  }
  Shape Make(const ShapeProto& proto) const {
    Analysis& analysis = graph_.analysis();
    // The empty shape () is unknown, if a size of 0 is an unknown size.
    if (proto.unknown_rank || (options_.zero_is_unknown && proto.dims.empty())) return Shape();
    std::vector<Dim> sizes;
    for (const int64_t size : proto.dims) {
      const bool is_unknown = size < 0 || (size == 0 && options_.zero_is_unknown);
      const std::string origin = fmt::format("input {}, axis {}", graph_.name(value_), sizes.size());
      sizes.push_back(is_unknown ? analysis.dims().Fresh(0, INT64_MAX, origin) : Dim(size));
    }
    return analysis.shapes().Make(sizes);
  }
  Status Refuse(const std::string& key, const AttrValue& a, std::string_view what) const {
    return Error(Code::kBadAttribute, "the attribute {} of the input '{}' is {}, which is not {}", key,
                 graph_.name(value_), ToString(a), what);
  }

  const Graph& graph_;
  const SolverOptions& options_;
  const ValueId value_;
  const AttrMap& attrs_;
};

}  // namespace

std::string_view ToString(DispatchMode mode) {
  switch (mode) {
    case DispatchMode::kVariable:
      return "variable";
    case DispatchMode::kCompute:
      return "compute";
    case DispatchMode::kComputeEx:
      return "compute-ex";
    case DispatchMode::kFallback:
      return "fallback";
    case DispatchMode::kUndefined:
      break;
  }
  return "undefined";
}

Solver::State::State(const Graph& g, const OpRegistry& r, SolverOptions o)
    : options(std::move(o)),
      graph(g),
      registry(r),
      guide(g, r, options),
      engine(g, r, OptionsOf(options)),
      given(g.inputs(g.body()).size()) {
  guide.set_engine(&engine);
  engine.set_hooks(&guide);
}

Solver::Solver(const Graph& graph, const OpRegistry& registry, SolverOptions options)
    : state_(std::make_unique<State>(graph, registry, std::move(options))) {}
Solver::~Solver() = default;

// ---- Known types ----

namespace {

template <typename T>
Status SetParts(const Graph& graph, std::span<const T> parts, std::string_view what, std::vector<Type>* given,
                T Type::*member) {
  if (parts.size() > given->size()) {
    return Error(Code::kArity, "{} are given for {} inputs; the graph '{}' has {}", what, parts.size(),
                 graph.name(), given->size());
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == T()) continue;
    (*given)[i].kind = TypeKind::kTensor;
    (*given)[i].*member = parts[i];
  }
  return {};
}

}  // namespace

Status Solver::SetShapeInputs(std::span<const Shape> shapes) {
  return SetParts(state_->graph, shapes, "shapes", &state_->given, &Type::shape);
}
Status Solver::SetElementTypeInputs(std::span<const ElementType> types) {
  return SetParts(state_->graph, types, "element types", &state_->given, &Type::element);
}
Status Solver::SetStorageInputs(std::span<const Storage> storages) {
  return SetParts(state_->graph, storages, "storages", &state_->given, &Type::storage);
}

Status Solver::SetInput(std::string_view name, const Type& type) {
  const std::span<const ValueId> inputs = state_->graph.inputs(state_->graph.body());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (state_->graph.name(inputs[i]) != name) continue;
    Replace(&state_->given[i], type);
    return {};
  }
  return Error(Code::kBadUsage, "the graph '{}' has no input '{}'", state_->graph.name(), name);
}

Status Solver::AddHint(ValueId value, const Type& type) {
  if (!state_->graph.Has(value))
    return Error(Code::kBadHandle, "there is no value {} in the graph", Index(value));
  Type both = state_->hints[Index(value)];
  if (Status s = Meet(state_->graph.analysis(), &both, type); !s) return s;
  state_->hints[Index(value)] = both;
  return {};
}

// ---- Running ----

void Solver::SetUpInputs() {
  State& s = *state_;
  const Graph& graph = s.graph;
  const auto keep = [&](Status status, ValueId value) {
    if (status) return;
    Diagnostic d = status.error();
    d.message =
        fmt::format("the given types of '{}' contradict each other: {}", graph.name(value), d.message);
    s.input_findings.push_back(std::move(d));
  };
  const std::span<const ValueId> inputs = graph.inputs(graph.body());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ValueId v = inputs[i];
    Type type = s.guide.Masked(graph.declared(v)), of_attributes;
    if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
    if (graph.attrs_of(v) != kNoAttrs) {
      if (Status read = AttributeReader(graph, s.options, v).Read(&of_attributes); !read) {
        s.input_findings.push_back(read.error());
        of_attributes = Type();
      }
      of_attributes = s.guide.Masked(of_attributes);
      // A type given by the caller replaces the types in the graph and in attributes.
      if (!s.given[i].shape.is_none()) of_attributes.shape = Shape();
      if (s.given[i].element != ElementType::kUnknown) of_attributes.element = ElementType::kUnknown;
      if (s.given[i].storage.is_known()) of_attributes.storage = Storage();
      keep(Meet(graph.analysis(), &type, of_attributes), v);
    }
    Replace(&type, s.guide.Masked(s.given[i]));
    if (const auto hint = s.hints.find(Index(v)); hint != s.hints.end()) {
      keep(Meet(graph.analysis(), &type, s.guide.Masked(hint->second)), v);
    }
    s.engine.SetInput(v, type, s.options.parts.shape ? graph.contents(v) : Value());
  }
  for (uint32_t i = 0; i < graph.value_count(); ++i) {
    const ValueId v{i};
    Type type = s.guide.Masked(graph.declared(v));
    const auto hint = s.hints.find(i);
    if (hint != s.hints.end() && graph.role(v) != ValueRole::kInput) {
      keep(Meet(graph.analysis(), &type, s.guide.Masked(hint->second)), v);
    }
    if (graph.role(v) == ValueRole::kConstant) {
      if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
      if (s.options.parts.storage && type.is_tensor() && !type.storage.is_known())
        type.storage = Storage::Dense();
      s.engine.SetInput(v, type, s.options.parts.shape ? graph.contents(v) : Value());
    } else if (graph.role(v) == ValueRole::kResult && type.kind != TypeKind::kUnknown) {
      s.engine.SetKnownResult(v, type);
    } else if (graph.role(v) == ValueRole::kMissing && type.kind != TypeKind::kUnknown) {
      s.engine.SetInput(v, type);
    }
  }
}

void Solver::SettleStorage() {
  State& s = *state_;
  const std::span<const ValueId> inputs = s.graph.inputs(s.graph.body());
  // Sets the storage returned by `choose` for inputs of unknown storage. Returns whether anything changed.
  const auto set = [&](auto choose) {
    bool changed = false;
    for (const ValueId v : inputs) {
      Type type = s.engine.state().type(v);
      if (!type.is_tensor() || type.storage.is_known()) continue;
      type.storage = choose(v);
      if (!type.storage.is_known()) continue;
      s.engine.SetInput(v, type, s.engine.state().contents(v));
      s.engine.EnqueueUsers(v);
      changed = true;
    }
    if (changed) s.engine.RunToFixedPoint();
    return changed;
  };
  while (set([&](ValueId v) { return s.guide.Wanted(v); })) {
  }
  set([](ValueId) { return Storage::Dense(); });
}

void Solver::Run() {
  State& s = *state_;
  SetUpInputs();
  s.engine.InferAll();
  if (s.options.parts.storage) SettleStorage();
  findings_ = s.input_findings;
  for (const Graph::Mistake& mistake : s.graph.mistakes()) findings_.push_back(mistake.diagnostic);
  guards_.reset();
  unknown_ = FindUnknown(s.engine.state(), s.guide, s.registry, s.options);

  std::vector<const UnknownEntry*> needs_rule(s.graph.node_count(), nullptr);
  for (const UnknownEntry& u : unknown_) {
    if (u.cause != UnknownCause::kNoRule) continue;
    const UnknownEntry*& first = needs_rule[Index(s.graph.maker(u.origin))];
    if (first == nullptr) first = &u;
  }
  ForEachInOrder(s.graph, [&](NodeId node) {
    const auto add = [&](Diagnostic d) {
      d.node = s.graph.name(node);
      d.op = s.graph.op_name(node);
      d.index = s.graph.position(node);
      findings_.push_back(std::move(d));
    };
    if (const NodeEffects* effects = s.engine.state().effects_of(node)) {
      for (const Diagnostic& d : effects->findings) add(d);
    }
    if (needs_rule[Index(node)] != nullptr) {
      const Graph::Op& op = s.graph.op(s.graph.op_of(node));
      Diagnostic d;
      d.code = Code::kUnknownOperator;
      if (auto found = s.registry.LookUp(op.name, op.version > 0 ? op.version : OpRegistry::kLatest);
          !found) {
        d = found.error();
      } else {
        d.message = fmt::format("the operator {} has no rule", op.name);
      }
      d.notes.push_back(needs_rule[Index(node)]->reason);
      add(std::move(d));
    }
    if (s.guide.dispatch(node) != DispatchMode::kFallback) return;
    std::string operands;
    for (const ValueId v : s.graph.operands(node)) {
      if (v == kNoValue || !s.engine.state().type(v).storage.is_sparse()) continue;
      operands += fmt::format("{}'{}' ({})", operands.empty() ? "" : ", ", s.graph.name(v),
                              ToString(s.engine.state().type(v).storage));
    }
    Diagnostic d;
    d.code = Code::kNotSupported;
    d.severity = Severity::kWarning;
    d.message = fmt::format("{} '{}' has no kernel for {} on {}: it runs on dense copies",
                            s.graph.op_name(node), s.graph.name(node), operands, s.options.device);
    d.help =
        "convert the operand in the node that computes it, or declare a `storage op` rule for the operator";
    add(std::move(d));
  });
}

const std::vector<ResidualGuard>& Solver::guards() const {
  const ProgramState& program = state_->engine.state();
  if (!guards_) guards_ = GuardsOf(program, NodesWithEffects(program));
  return *guards_;
}

Type Solver::type(ValueId value) const { return SimplifiedType(state_->engine.state(), value); }
DispatchMode Solver::dispatch(NodeId node) const { return state_->guide.dispatch(node); }
DispatchMode Solver::dispatch(ValueId value) const {
  const NodeId maker = state_->graph.maker(value);
  if (!state_->options.parts.storage) return DispatchMode::kUndefined;
  return maker == kNoNode ? DispatchMode::kVariable : dispatch(maker);
}
uint64_t Solver::visit_count() const { return state_->engine.state().budget.visits; }

}  // namespace dimwise
