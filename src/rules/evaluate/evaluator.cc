#include "rules/evaluate/evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/failure.h"
#include "core/values/contents_limit.h"
#include "dimwise/result_macros.h"

namespace dimwise::rules {
namespace {

constexpr size_t kBlockSize = 8192;  // bytes

}  // namespace

void Evaluator::Reset() {
  if (slots_.size() < code_->slots.size()) slots_.resize(code_->slots.size());
  for (size_t i = 0; i < code_->slots.size(); ++i) slots_[i].state = SlotValue::State::kEmpty;
  type_variables_.assign(code_->type_variables.size(), ElementType::kUnknown);
  whole_types_.assign(code_->type_variables.size(), Type());
  storage_variables_.assign(code_->storage_variables.size(), Storage());
  conditions_.clear();
  large_.clear();
  probed_.clear();
  if (failed()) failure_.reset();
  block_ = used_ = 0;
  steps_ = 0;
  unknowns_ = 0;
  own_.clear();
}

bool Evaluator::OutOfSteps() {
  if (!failed())
    (void)Fail(Code::kRuleLimit, [&] {
      return fmt::format("the rule of {} needs more than {} steps here", application_->op, kMaxSteps);
    });
  return false;
}

Status Evaluator::Fail(Code code, Words words) {
  Diagnostic d;
  d.code = code;
  if (!application_->quiet) d.message = words();
  if (!failed()) failure_ = d;
  return Unexpected(std::move(d));
}

Unexpected Evaluator::TakeFailure() { return Unexpected(*failure_); }

std::byte* Evaluator::NewBytes(size_t n) {
  if (n > kBlockSize) return large_.emplace_back(std::make_unique<std::byte[]>(n)).get();
  if (blocks_.empty()) blocks_.push_back(std::make_unique<std::byte[]>(kBlockSize));
  if (used_ + n > kBlockSize) {
    used_ = 0;
    if (++block_ == blocks_.size()) blocks_.push_back(std::make_unique<std::byte[]>(kBlockSize));
  }
  std::byte* data = blocks_[block_].get() + used_;
  used_ += (n + alignof(Dim) - 1) / alignof(Dim) * alignof(Dim);
  return data;
}

List Evaluator::Store(std::span<const Dim> dims) {
  Dim* data = NewDims(dims.size());
  std::copy(dims.begin(), dims.end(), data);
  return {data, static_cast<int>(dims.size()), 0, {}};
}

Status Evaluator::Run(const RuleCode& code, const Application& application, RuleHost* host,
                      Outcome* outcome) {
  code_ = &code;
  application_ = &application;
  host_ = host;
  outcome_ = outcome;
  probing_ = AlwaysProbes();
  filter_ = FactFilter::kWithoutChecked;
  choice_ = Choice::kNotMade;
  Reset();
  outcome->results.assign(static_cast<size_t>(application.result_count), Type());
  outcome->contents.assign(static_cast<size_t>(application.result_count), Value());
  outcome->refined.assign(application.operands.size(), Type());
  outcome->undecided = false;
  if (host == nullptr && own_shapes_.size() < outcome->results.size())
    own_shapes_.resize(outcome->results.size());
  if (!AssignOperands(code.signatures[0])) return TakeFailure();
  if (code.limits_attributes) DIMWISE_RETURN_IF_ERROR(CheckAttributes());
  if (code.signatures.size() == 1) return RunSignature(code.signatures[0]);

  feasible_.clear();
  for (const CompiledSignature& s : code.signatures) {
    if (!Feasible(s)) continue;
    const Truth case_condition = CaseCondition(s);
    if (case_condition == Truth::kNo) continue;
    feasible_.push_back(&s);
    if (case_condition == Truth::kYes && Decided(s))
      break;  // it applies; later alternatives are for other operands
  }
  if (feasible_.empty()) {
    std::string ranks;
    for (size_t i = 0; i < operand_ranges_.size(); ++i) {
      const auto [first, count] = operand_ranges_[i];
      if (count == 0 || !application.operands[first].type.is_tensor() ||
          application.operands[first].type.shape.is_none())
        continue;
      const int rank = application.operands[first].type.shape.rank();
      ranks += fmt::format("{}{} has rank {}", ranks.empty() ? "" : ", ", code.signatures[0].operands[i].name,
                           rank < 0 ? "?" : std::to_string(rank));
      const Storage storage = application.operands[first].type.storage;
      if (storage.is_known()) ranks += fmt::format(" and is {}", ToString(storage));
    }
    return Fail(Code::kRankMismatch,
                [&] { return fmt::format("{} has no form for these operands: {}", application.op, ranks); });
  }
  if (feasible_.size() == 1) return RunSignature(*feasible_[0]);
  return JoinSignatures();
}

Status Evaluator::RunSignature(const CompiledSignature& signature) {
  SolveRanks(signature);
  DIMWISE_RETURN_IF_ERROR(Match(signature));
  if (failed()) return TakeFailure();
  if (!code_->regions.empty()) DIMWISE_RETURN_IF_ERROR(RunRegions(signature));
  if (!AlwaysProbes()) DIMWISE_RETURN_IF_ERROR(RunStatements());
  DIMWISE_RETURN_IF_ERROR(RunResults(signature));
  if (code_->has_values && application_->want_contents && !probing_)
    DIMWISE_RETURN_IF_ERROR(RunValues(signature));
  if (failed()) return TakeFailure();
  return {};
}

// Joins several possible alternatives of a rule if ranks are unknown, without recording anything. An
// alternative that fails in every run is excluded.
Status Evaluator::JoinSignatures() {
  LeaveOpen();
  std::vector<Type> joined, refined;
  std::vector<const CompiledSignature*> possible;
  Status last;
  for (const CompiledSignature* s : feasible_) {
    Begin(*s);
    probing_ = true;
    Status status = RunSignature(*s);
    probing_ = AlwaysProbes();
    if (!status) {
      last = std::move(status);
      continue;
    }
    possible.push_back(s);
    if (possible.size() == 1) {
      joined = outcome_->results;
      refined = outcome_->refined;
      continue;
    }
    for (size_t i = 0; i < refined.size(); ++i)
      JoinRefined(application_->operands[i].type, outcome_->refined[i], &refined[i]);
    for (size_t i = 0; i < joined.size(); ++i)
      JoinResult(static_cast<uint32_t>(i << 16), outcome_->results[i], &joined[i]);
  }
  if (possible.empty()) return last;
  if (possible.size() == 1) {
    Begin(*possible[0]);
    return RunSignature(*possible[0]);
  }
  outcome_->results = std::move(joined);
  outcome_->refined = std::move(refined);
  std::ranges::fill(outcome_->contents, Value());
  failure_.reset();
  return {};
}

void Evaluator::Begin(const CompiledSignature& signature) {
  Reset();
  AssignOperands(signature);
  std::ranges::fill(outcome_->refined, Type());
}

void Evaluator::JoinRefined(const Type& given, const Type& other, Type* refined) {
  const auto known = [&](const Type& t) { return t.kind == TypeKind::kUnknown ? given : t; };
  const Type a = known(*refined), b = known(other);
  *refined = a.kind == b.kind ? a : given;
  if (a.element != b.element) refined->element = given.element;
  if (a.storage != b.storage) refined->storage = given.storage;
  if (a.shape != b.shape) refined->shape = given.shape;
}

void Evaluator::JoinResult(uint32_t role, const Type& b, Type* joined) {
  Type& a = *joined;
  if (a.element != b.element) a.element = ElementType::kUnknown;
  if (a.storage != b.storage) a.storage = {};
  if (a.shape == b.shape || a.shape.is_none() || b.shape.is_none() || host_ == nullptr) return;
  if (!a.shape.has_rank() || a.shape.rank() != b.shape.rank()) {
    a.shape = host_->FreshShape(role, std::min(a.shape.min_rank(), b.shape.min_rank()),
                                std::max(a.shape.max_rank(), b.shape.max_rank()));
    return;
  }
  std::vector<Dim> dims(a.shape.dims().begin(), a.shape.dims().end());
  for (size_t k = 0; k < dims.size(); ++k) {
    if (dims[k] != b.shape[static_cast<int>(k)])
      dims[k] = host_->Fresh(role | 0x8000u | static_cast<uint32_t>(k), 0, INT64_MAX);
  }
  a.shape = host_->analysis().shapes().Make(dims);
}

Status Evaluator::CheckAttributes() {
  for (size_t i = 0; i < code_->attributes.size(); ++i) {
    const CompiledAttribute& a = code_->attributes[i];
    const AttrValue* v = application_->attributes == nullptr ? nullptr : application_->attributes->values[i];
    if (v == nullptr) continue;
    if (a.allowed.empty() && !a.minimum && !a.maximum) continue;
    if (!a.allowed.empty() && std::ranges::none_of(a.allowed, [&](const AttrValue& x) { return x == *v; })) {
      std::string allowed;
      for (const AttrValue& x : a.allowed) allowed += (allowed.empty() ? "" : ", ") + ToString(x);
      return Fail(Code::kBadAttribute, [&] {
        return fmt::format("{} has {} = {}; it may be {}", application_->op, a.name, ToString(*v), allowed);
      });
    }
    const std::optional<int64_t> n = AsInt(*v);
    if (n && ((a.minimum && *n < *a.minimum) || (a.maximum && *n > *a.maximum))) {
      return Fail(Code::kBadAttribute, [&] {
        return fmt::format("{} has {} = {}; it must be at {}", application_->op, a.name, *n,
                           a.minimum && *n < *a.minimum ? fmt::format("least {}", *a.minimum)
                                                        : fmt::format("most {}", *a.maximum));
      });
    }
  }
  return {};
}

Evaluator::Bool Evaluator::Required(NodeId condition) {
  const Node& n = code_->nodes[condition];
  if (n.op == Op::kOr) {  // a implies b
    const Bool a = Boolean(n.a);
    if (a.truth == Truth::kNo) return Required(n.b);
    return a.truth == Truth::kYes ? a : Boolean(condition);
  }
  if (n.op != Op::kBuiltin || static_cast<Builtin>(n.immediate) != Builtin::kAll) return Boolean(condition);
  const Node& list = code_->nodes[Args(n)[0]];
  if (list.op != Op::kFor) return Boolean(condition);
  Bool all{Truth::kYes, -1};
  bool skipped = false;
  const bool complete = ForEach(list, [&] {
    const Bool b = Boolean(list.a);
    if (b.truth == Truth::kMaybe && b.condition < 0)
      skipped = true;
    else
      all = And(all, b);
  });
  if (!complete || skipped) {
    LeaveOpen();
    outcome_->undecided = true;
  }
  return all;
}

Status Evaluator::RunStatements() {
  for (const CompiledRequire& r : code_->requirements) {
    const Bool b = r.kind == StatementKind::kRequire ? Required(r.condition) : Boolean(r.condition);
    if (failed()) return TakeFailure();
    if (b.truth == Truth::kYes || probing_) continue;
    if (r.kind == StatementKind::kEnsure) {
      if (host_ != nullptr && b.condition >= 0) host_->Ensure(conditions_[static_cast<size_t>(b.condition)]);
      continue;
    }
    const bool is_assumed = r.kind == StatementKind::kAssume;
    if (is_assumed && (b.truth == Truth::kNo || b.condition < 0 || host_ == nullptr)) continue;
    if (b.truth == Truth::kNo) return Fail(Code::kRequirement, [&] { return WordsOf(r.message); });
    if (host_ == nullptr) {
      outcome_->undecided = true;
      continue;
    }
    if (b.condition < 0) {  // not expressible over sizes: the operator itself tests it
      LeaveOpen();
      outcome_->undecided = true;
      continue;
    }
    Status status = host_->Require(
        conditions_[static_cast<size_t>(b.condition)], [&] { return WordsOf(r.message); },
        is_assumed ? Code::kAssumption : Code::kRequirement);
    if (!status && !is_assumed) return status;
  }
  return {};
}

// Returns the number of results of a declared result, starting at `flat`. A variadic result takes the results
// that the others leave.
size_t Evaluator::ResultCount(const CompiledSignature& signature, size_t i, size_t flat) {
  const Arity arity = signature.results[i].arity;
  if (arity != Arity::kOneOrMore && arity != Arity::kAnyNumber) return 1;
  const size_t left = outcome_->results.size() - flat;
  if (const std::optional<uint32_t> count = QueriedCount(signature.results[i]))
    return std::min<size_t>(*count, left);
  size_t after = 0;
  for (size_t k = i + 1; k < signature.results.size(); ++k)
    after += QueriedCount(signature.results[k]).value_or(1);
  return left > after ? left - after : 0;
}

std::optional<uint32_t> Evaluator::QueriedCount(const CompiledArgument& argument) {
  if (argument.count == kNone) return std::nullopt;
  const SlotId slot = code_->nodes[argument.count].a;
  const uint32_t attribute = code_->slots[slot].attribute;
  const bool is_given =
      application_->attributes != nullptr && application_->attributes->values[attribute] != nullptr;
  const bool is_bound = slots_[slot].state == SlotValue::State::kFull;
  if (!is_given && !is_bound && code_->attributes[attribute].otherwise == kNone) return std::nullopt;
  const SlotValue& count = ReadSlot(slot);
  if (code_->slots[slot].type == ExprType::kTypes) return static_cast<uint32_t>(count.types.size());
  const Dim n = count.integer;
  return static_cast<uint32_t>(n.is_constant() ? std::clamp<int64_t>(n.constant(), 0, 1 << 16) : 0);
}

// Binds the integer attribute that defines the number of an argument, if it is absent.
void Evaluator::BindCount(const CompiledArgument& argument, uint32_t count) {
  const SlotId id = code_->nodes[argument.count].a;
  SlotValue& slot = slots_[id];
  if (code_->slots[id].type != ExprType::kInt || slot.state == SlotValue::State::kFull) return;
  slot.integer = Dim(count);
  slot.state = SlotValue::State::kFull;
}

Status Evaluator::RunResults(const CompiledSignature& signature) {
  size_t flat = 0;
  const size_t total = outcome_->results.size();
  for (size_t i = 0; i < signature.results.size() && flat < total; ++i) {
    const CompiledArgument& a = signature.results[i];
    const size_t count = ResultCount(signature, i, flat);
    for (size_t index = 0; index < count; ++index, ++flat) {
      DIMWISE_ASSIGN_OR_RETURN(outcome_->results[flat], BuildType(a.pattern, a, flat, index));
    }
  }
  return {};
}

Status Evaluator::RunValues(const CompiledSignature& signature) {
  if (host_ == nullptr) return {};
  making_contents_ = true;
  Status status = MakeContents(signature);
  making_contents_ = false;
  return status;
}

Status Evaluator::MakeContents(const CompiledSignature& signature) {
  size_t flat = 0;
  for (size_t i = 0; i < code_->result_values.size() && flat < outcome_->results.size(); ++i) {
    const NodeId id = code_->result_values[i];
    const size_t count = ResultCount(signature, i, flat);
    if (id != kNone && code_->nodes[id].type == ExprType::kTensors) {
      const std::vector<Contents> all = TensorsOf(id);
      for (size_t k = 0; k < all.size() && k < count; ++k) StoreContents(flat + k, all[k]);
    } else if (id != kNone && count > 0 && MayHaveContents(outcome_->results[flat])) {
      StoreContents(flat, Tensor(id));
    } else if (id != kNone && count > 0 && code_->IsFill(id)) {
      outcome_->contents[flat] = EveryValue(EveryElement(id), outcome_->results[flat]);
    }
    if (failed()) return TakeFailure();
    flat += count;
  }
  return {};
}

bool MayHaveContents(const Type& type) {
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.is_constant()) return false;
  const int64_t limit = ContentsLimit::current();
  int64_t count = 1;
  for (Dim d : type.shape.dims()) {
    if (d.constant() == 0) return true;
    if (count <= limit) count *= std::min(d.constant(), limit + 1);
  }
  return count <= limit;
}

void Evaluator::StoreContents(size_t result, const Contents& c) {
  if (c.known && MayHaveContents(outcome_->results[result]))
    outcome_->contents[result] = ToValue(c, outcome_->results[result]);
}

namespace {

bool IsKindOf(AttributeKind declared, AttrKind given) {
  return (declared == AttributeKind::kInts && given == AttrKind::kInts) ||
         (declared == AttributeKind::kFloats && given == AttrKind::kFloats) ||
         (declared == AttributeKind::kStrings && given == AttrKind::kStrings);
}

bool Readable(const CompiledAttribute& a, const AttrValue& v) {
  switch (a.kind) {
    case AttributeKind::kInt:
      return AsInt(v).has_value();
    case AttributeKind::kInts:
      return AsIntsOrInt(v).has_value();
    case AttributeKind::kFloat:
      return AsFloat(v).has_value();
    case AttributeKind::kFloats:
      return AsFloats(v).has_value();
    case AttributeKind::kBool:
      return AsBool(v).has_value();
    case AttributeKind::kString:
      return AsString(v).has_value();
    case AttributeKind::kStrings:
      return AsStrings(v).has_value();
    case AttributeKind::kType:
      return AsType(v).has_value();
    case AttributeKind::kTypes:
      return AsTypes(v).has_value();
    case AttributeKind::kShape:
      return AsShape(v).has_value();
    case AttributeKind::kShapes:
      return AsShapes(v).has_value();
    case AttributeKind::kTensor:
      return AsTensor(v) != nullptr;
    case AttributeKind::kAny:
      return true;
  }
  return false;
}

}  // namespace

Status Bind(const RuleCode& code, const AttrMap& attrs, std::string_view op, bool onnx_numbers,
            BoundAttributes* out) {
  out->values.assign(code.attributes.size(), nullptr);
  if (out->types.size() < code.attributes.size()) out->types.resize(code.attributes.size());
  if (out->lists.size() < code.attributes.size()) out->lists.resize(code.attributes.size());
  const auto fail = [](Code c, std::string message) { return Failure(c, std::move(message)); };
  for (size_t i = 0; i < code.attributes.size(); ++i) {
    const CompiledAttribute& a = code.attributes[i];
    const AttrValue* v = attrs.Find(a.name);
    if (v == nullptr) {
      if (a.optional || a.otherwise != kNone) continue;
      return fail(Code::kMissingAttribute, fmt::format("{} needs the attribute {}", op, a.name));
    }
    out->values[i] = v;
    if (v->IsUnread() && IsKindOf(a.kind, v->kind())) {
      out->lists[i].clear();  // read on demand
      continue;
    }
    if (const auto* ints = v->get_if<AttrValue::Ints>(); ints != nullptr && a.kind == AttributeKind::kInts) {
      out->lists[i].assign(ints->begin(), ints->end());
      continue;
    }
    if (a.kind == AttributeKind::kType) {
      const std::optional<int64_t> number = onnx_numbers ? AsInt(*v) : std::nullopt;
      const std::optional<ElementType> type = number ? ElementTypeOf(*number, TypeSystem::kOnnx) : AsType(*v);
      if (!type)
        return fail(Code::kBadAttribute,
                    fmt::format("{} has {} = {}, which is no element type", op, a.name, ToString(*v)));
      out->types[i] = *type;
      continue;
    }
    if (!Readable(a, *v))
      return fail(Code::kBadAttribute,
                  fmt::format("{} has {} = {}, which is of the wrong kind", op, a.name, ToString(*v)));
    if (a.kind != AttributeKind::kInts) continue;
    const std::optional<AttrValue::Ints> list = AsIntsOrInt(*v);
    out->lists[i].assign(list->begin(), list->end());
  }
  return {};
}

std::string Evaluator::WordsOf(const CompiledMessage& message) {
  std::string text;
  for (const CompiledMessage::Piece& p : message.pieces) {
    text += p.text;
    if (p.expr != kNone) text += Text(p.expr);
  }
  return text.empty() ? fmt::format("a requirement of {} does not hold", application_->op) : text;
}

}  // namespace dimwise::rules
