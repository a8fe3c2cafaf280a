#include <algorithm>
#include <set>

#include "dimwise/rule.h"
#include "rules/evaluator.h"
#include "rules/library.h"

namespace dimwise {

RuleSet::RuleSet() : library_(std::make_unique<rules::RuleLibrary>()) {}
RuleSet::~RuleSet() = default;
RuleSet::RuleSet(RuleSet&&) noexcept = default;
RuleSet& RuleSet::operator=(RuleSet&&) noexcept = default;

std::vector<Diagnostic> RuleSet::Define(std::string_view text, std::string_view file_name) { return library_->Load(text, file_name); }

const rules::Rule* RuleSet::Find(std::string_view full_name, int version) const { return library_->Find(full_name, version); }

std::vector<std::string> RuleSet::Names() const {
  std::set<std::string> names;
  for (const rules::Rule& r : library_->rules()) names.insert(r.FullName());
  return {names.begin(), names.end()};
}

// A constant Dim is its number: sizes given as int64_t are read in place.
static_assert(sizeof(Dim) == sizeof(int64_t) && Dim(7).bits() == 7);

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
  std::vector<int64_t> sizes;                      // all results' sizes, one after another
  std::vector<std::pair<size_t, int>> results;     // where each begins, and its rank (-1: not known)
};

RuleCall::RuleCall(const rules::Rule& rule, const AttrMap& attrs, size_t num_results, int version) : impl_(std::make_unique<Impl>()) {
  impl_->rule = &rule;
  impl_->code = rule.code;
  impl_->version = version == INT32_MAX ? rule.since : version;
  impl_->attrs = attrs;
  impl_->num_results = num_results;
  impl_->attribute_status = rules::Bind(*rule.code, impl_->attrs, rule.name, &impl_->bound);
}

RuleCall::~RuleCall() = default;
RuleCall::RuleCall(RuleCall&&) noexcept = default;
RuleCall& RuleCall::operator=(RuleCall&&) noexcept = default;

Status RuleCall::Evaluate(std::span<const RunTimeOperand> operands) {
  Impl& m = *impl_;
  if (!m.attribute_status) return Unexpected(m.attribute_status.error());
  m.shapes.resize(operands.size());
  m.values.resize(operands.size());
  m.operands.resize(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    const RunTimeOperand& o = operands[i];
    if (std::ranges::any_of(o.shape, [](int64_t d) { return d < 0; })) {
      Diagnostic d;
      d.code = Code::kNegativeSize;
      d.message = "operand " + std::to_string(i) + " of " + m.rule->name + " has a negative size";
      return Unexpected(std::move(d));
    }
    ShapeData& shape = m.shapes[i];
    shape.rank = shape.min_rank = shape.max_rank = static_cast<int32_t>(o.shape.size());
    shape.constant = true;
    shape.dims = reinterpret_cast<const Dim*>(o.shape.data());
    ValueData& value = m.values[i];
    value.kind = ValueKind::kIntegers;
    value.element = ElementType::kI64;
    value.dims = o.shape;
    value.count = static_cast<int64_t>(o.contents.size());
    value.integers = reinterpret_cast<const Dim*>(o.contents.data());
    m.operands[i].type = Type::Tensor(ElementType::kUnknown, Shape(&shape));
    m.operands[i].value = o.contents.empty() ? Value() : Value(&value);
    m.operands[i].given = o.given;
  }
  rules::Application a;
  a.op = m.rule->name;
  a.operands = m.operands;
  a.attributes = &m.bound;
  a.version = m.version;
  a.result_count = static_cast<int>(m.num_results);
  a.want_contents = false;
  if (Status s = m.evaluator.Run(*m.code, a, nullptr, &m.outcome); !s) return s;
  m.sizes.clear();
  m.results.clear();
  for (const Type& type : m.outcome.results) {
    const bool ranked = type.is_tensor() && !type.shape.is_none() && type.shape.has_rank();
    m.results.push_back({m.sizes.size(), ranked ? type.shape.rank() : -1});
    if (!ranked) continue;
    for (Dim d : type.shape.dims()) m.sizes.push_back(d.is_constant() ? d.constant() : -1);
  }
  return {};
}

std::span<const int64_t> RuleCall::result(size_t i) const {
  const auto [begin, rank] = impl_->results[i];
  return {impl_->sizes.data() + begin, static_cast<size_t>(std::max(rank, 0))};
}

bool RuleCall::has_rank(size_t i) const { return impl_->results[i].second >= 0; }

}  // namespace dimwise
