#include <algorithm>
#include <set>

#include "core/types/known_parts.h"
#include "dimwise/rule.h"
#include "rules/compile/library.h"
#include "rules/evaluate/evaluator.h"
#include "rules/evaluate/trace.h"

namespace dimwise {

RuleSet::RuleSet() : library_(std::make_unique<rules::RuleLibrary>()) {}
RuleSet::~RuleSet() = default;
RuleSet::RuleSet(RuleSet&&) noexcept = default;
RuleSet& RuleSet::operator=(RuleSet&&) noexcept = default;

std::vector<Diagnostic> RuleSet::Define(std::string_view text, std::string_view file_name) {
  return library_->Load(text, file_name);
}

const rules::Rule* RuleSet::Find(std::string_view full_name, int version) const {
  return library_->Find(full_name, version);
}

std::vector<std::string> RuleSet::Names() const {
  std::set<std::string> names;
  for (const rules::Rule& r : library_->rules()) names.insert(r.FullName());
  return {names.begin(), names.end()};
}

// A constant Dim has the bits of its number, so sizes in int64_t arrays are used in place.
static_assert(sizeof(Dim) == sizeof(int64_t) && Dim(7).bits() == 7);

namespace {

constexpr size_t kMaxTraces = 4;

}  // namespace

// The second call with operands of a kind is recorded as a trace, which then answers for this kind. Each kind
// (for example, each direction of a broadcast) has its own trace, up to kMaxTraces. For operands without
// a matching trace, the rule is evaluated; it also builds error messages.
struct RuleCall::Impl {
  const rules::Rule* rule;
  std::shared_ptr<const rules::RuleCode> code;
  int version;
  AttrMap attrs;
  rules::BoundAttributes bound;
  Status attribute_status;
  rules::Evaluator evaluator;
  rules::Outcome outcome;
  size_t num_results;
  std::vector<rules::Operand> operands;
  std::vector<ShapeData> shapes;
  std::vector<ValueData> values;
  std::vector<std::vector<Dim>> contents;
  std::vector<int64_t> sizes;                   // the sizes of all results, concatenated
  std::vector<std::pair<size_t, int>> results;  // the start of each result and its rank (-1: unknown)
  std::vector<rules::Trace> traces;
  size_t runs = 0;      // evaluations of the rule
  size_t attempts = 0;  // attempts to record a trace

  Status Run(std::span<const RunTimeOperand> given);
  Status Apply(std::span<const RunTimeOperand> given, bool quiet, rules::Application* a);
  void Record(std::span<const RunTimeOperand> given, const rules::Application& application);
};

RuleCall::RuleCall(const rules::Rule& rule, const AttrMap& attrs, size_t num_results, int version)
    : impl_(std::make_unique<Impl>()) {
  impl_->rule = &rule;
  impl_->code = rule.code;
  impl_->version = rule.VersionFor(version == INT32_MAX ? 0 : version);
  impl_->attrs = attrs;
  impl_->num_results = num_results;
  impl_->attribute_status =
      rules::Bind(*rule.code, impl_->attrs, rule.name, rule.HasOnnxNumbers(), &impl_->bound);
}

RuleCall::~RuleCall() = default;
RuleCall::RuleCall(RuleCall&&) noexcept = default;
RuleCall& RuleCall::operator=(RuleCall&&) noexcept = default;

Status RuleCall::Evaluate(std::span<const RunTimeOperand> operands) {
  Impl& m = *impl_;
  m.sizes.clear();
  m.results.clear();
  for (rules::Trace& trace : m.traces) {
    if (!trace.Run(operands)) continue;
    trace.Results(&m.sizes, &m.results);
    return {};
  }
  return m.Run(operands);
}

Truth RuleCall::IsValid(std::span<const RunTimeOperand> operands) {
  for (rules::Trace& trace : impl_->traces) {
    if (trace.Run(operands)) return Truth::kYes;
  }
  rules::Application application;
  const Status status = impl_->Apply(operands, /*quiet=*/true, &application);
  if (!status) return status.error().code == Code::kRuleLimit ? Truth::kMaybe : Truth::kNo;
  return impl_->outcome.undecided ? Truth::kMaybe : Truth::kYes;
}

// Evaluates the rule on constants.
Status RuleCall::Impl::Run(std::span<const RunTimeOperand> given) {
  rules::Application a;
  if (Status s = Apply(given, /*quiet=*/false, &a); !s) return s;
  for (const Type& type : outcome.results) {
    const bool ranked = IsRanked(type);
    results.push_back({sizes.size(), ranked ? type.shape.rank() : -1});
    if (!ranked) continue;
    for (Dim d : type.shape.dims()) sizes.push_back(d.is_constant() ? d.constant() : -1);
  }
  if (++runs > 1 && attempts < kMaxTraces) Record(given, a);
  return {};
}

Status RuleCall::Impl::Apply(std::span<const RunTimeOperand> given, bool quiet, rules::Application* a) {
  if (!attribute_status) return Unexpected(attribute_status.error());
  shapes.resize(given.size());
  values.resize(given.size());
  contents.resize(given.size());
  operands.resize(given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    const RunTimeOperand& o = given[i];
    if (std::ranges::any_of(o.shape, [](int64_t d) { return d < 0; })) {
      Diagnostic d;
      d.code = Code::kNegativeSize;
      if (!quiet) d.message = "operand " + std::to_string(i) + " of " + rule->name + " has a negative size";
      return Unexpected(std::move(d));
    }
    ShapeData& shape = shapes[i];
    shape.rank = shape.min_rank = shape.max_rank = static_cast<int32_t>(o.shape.size());
    shape.constant = true;
    shape.dims = reinterpret_cast<const Dim*>(o.shape.data());
    contents[i].assign(o.contents.begin(), o.contents.end());
    ValueData& value = values[i];
    value.kind = ValueKind::kIntegers;
    value.element = ElementType::kI64;
    value.dims = o.shape;
    value.count = static_cast<int64_t>(o.contents.size());
    value.integers = contents[i].data();
    operands[i].type = Type::Tensor(ElementType::kUnknown, Shape(&shape));
    operands[i].value = o.contents.empty() ? Value() : Value(&value);
    operands[i].given = o.given;
  }
  a->op = rule->name;
  a->operands = operands;
  a->attributes = &bound;
  a->version = version;
  a->result_count = static_cast<int>(num_results);
  a->want_contents = false;
  a->quiet = quiet;
  return evaluator.Run(*code, *a, nullptr, &outcome);
}

// Records a trace, and keeps it only if it reproduces the answer of the rule for these operands.
void RuleCall::Impl::Record(std::span<const RunTimeOperand> given, const rules::Application& application) {
  ++attempts;
  std::optional<rules::Trace> trace =
      rules::Trace::Make(*code, application, nullptr, &evaluator, [](rules::Trace&) { return true; });
  if (!trace || !trace->Run(given)) return;
  std::vector<int64_t> its_sizes;
  std::vector<std::pair<size_t, int>> its_results;
  trace->Results(&its_sizes, &its_results);
  if (its_sizes == sizes && its_results == results) traces.push_back(*std::move(trace));
}

std::span<const int64_t> RuleCall::result(size_t i) const {
  const auto [begin, rank] = impl_->results[i];
  return {impl_->sizes.data() + begin, static_cast<size_t>(std::max(rank, 0))};
}

bool RuleCall::has_rank(size_t i) const { return impl_->results[i].second >= 0; }

}  // namespace dimwise
