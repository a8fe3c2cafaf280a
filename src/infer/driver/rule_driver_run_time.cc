// Compares the run time with inference, both from numbers, and the cases of a rule with each other.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/failure.h"
#include "dimwise/rule.h"
#include "infer/driver/rule_driver_inference.h"
#include "rules/evaluate/evaluator.h"
#include "rules/evaluate/rule_host.h"

namespace dimwise {
namespace {

// A rule host whose conditions are all about numbers.
class NumberHost : public rules::RuleHost {
 public:
  explicit NumberHost(Analysis& analysis) : analysis_(analysis) {}
  Analysis& analysis() override { return analysis_; }
  Dim Fresh(uint32_t, int64_t min, int64_t max) override { return analysis_.dims().Fresh(min, max); }
  Shape FreshShape(uint32_t, int min_rank, int max_rank) override {
    return analysis_.shapes().Unknown(min_rank, max_rank);
  }
  Truth Query(const Literal& literal, FactFilter filter) override { return Holds(literal, filter); }
  Truth Query(const Clause& clause, FactFilter filter) override { return Holds(clause, filter); }
  Status Require(const Condition& condition, rules::Words words, Code code) override {
    if (analysis_.facts().Holds(condition) != Truth::kNo) return {};
    return Failure(code, words());
  }
  void Ensure(const Condition& condition) override {
    analysis_.facts().Assert(condition, FactKind::kGiven, 1);
  }

 private:
  template <typename Formula>
  Truth Holds(const Formula& formula, FactFilter filter) {
    return analysis_.facts().Holds(formula, ScopeId::kRoot, filter);
  }

  Analysis& analysis_;
};

// An inference with the same information as the run time: no element types, no floats, and operands that may
// be empty.
struct Peer {
  Analysis analysis;
  SampleCall call;
  rules::Evaluator evaluator;
  rules::Outcome outcome;
  Status status;
};

rules::Application ApplicationOf(const rules::Rule& rule, const Sample& sample,
                                 std::span<const rules::Operand> operands,
                                 const rules::BoundAttributes& attributes) {
  rules::Application application;
  application.op = rule.name;
  application.operands = operands;
  application.attributes = &attributes;
  application.version = rule.VersionFor(sample.version);
  application.result_count = sample.results;
  return application;
}

std::unique_ptr<Peer> PeerOfRunTime(const rules::Rule& rule, Sample sample) {
  auto peer = std::make_unique<Peer>();
  for (SampleOperand& o : sample.operands) {
    o.element_visible = false;
    o.floats.clear();
    if (o.integers.empty()) o.has_contents = false;
  }
  Result<SampleCall> call = MakeCall(peer->analysis, sample);
  rules::BoundAttributes attributes;
  if (!call || !rules::Bind(*rule.code, sample.attrs, rule.name, rule.HasOnnxNumbers(), &attributes))
    return nullptr;
  peer->call = *std::move(call);
  std::vector<rules::Operand> operands;
  for (size_t i = 0; i < sample.operands.size(); ++i)
    operands.push_back({peer->call.types[i], peer->call.values[i], sample.operands[i].given});
  rules::Application application = ApplicationOf(rule, sample, operands, attributes);
  application.want_contents = false;
  NumberHost host(peer->analysis);
  peer->status = peer->evaluator.Run(*rule.code, application, &host, &peer->outcome);
  return peer;
}

// Operands at run time, with the memory that they refer to.
struct RunTimeOperands {
  std::vector<std::vector<int64_t>> sizes, contents;
  std::vector<bool> given;

  std::vector<RunTimeOperand> View() const {
    std::vector<RunTimeOperand> view;
    for (size_t i = 0; i < sizes.size(); ++i) view.push_back({sizes[i], contents[i], given[i]});
    return view;
  }
};

RunTimeOperands OperandsOf(const Sample& numbers) {
  RunTimeOperands operands;
  for (const SampleOperand& o : numbers.operands) {
    std::vector<int64_t>& s = operands.sizes.emplace_back();
    std::vector<int64_t>& c = operands.contents.emplace_back();
    for (const SampleNumber& n : o.sizes) s.push_back(n.number);
    for (const SampleNumber& n : o.integers) c.push_back(n.number);
    operands.given.push_back(o.given);
  }
  return operands;
}

// Returns the sizes of all results, or the error.
std::string AnswerOf(const RuleCall& call, const Status& status, size_t results) {
  if (!status) return fmt::format("the error \"{}\"", status.error().message);
  std::string text;
  for (size_t i = 0; i < results; ++i) {
    text += text.empty() ? "" : ", ";
    text += call.has_rank(i) ? ListOf(call.result(i)) : "[*]";
  }
  return text;
}

// Compares a call that evaluated other numbers before with a new call.
Finding CompareTraces(const rules::Rule& rule, const Sample& numbers, const std::string& first) {
  const int version = numbers.version == 0 ? INT32_MAX : numbers.version;
  const auto results = static_cast<size_t>(numbers.results);
  for (const bool all : {true, false}) {
    RuleCall call(rule, numbers.attrs, results, version);
    RunTimeOperands others = OperandsOf(numbers);
    size_t place = 0;
    for (size_t i = 0; i < others.sizes.size(); ++i) {
      if (!others.contents[i].empty()) {
        int64_t& element = others.contents[i][0];
        if (!all) element = element == INT64_MAX ? 0 : element + 1;
        continue;
      }
      for (int64_t& size : others.sizes[i]) size += all || ++place % 2 == 0 ? 1 : 0;
    }
    for (int time = 0; time < 3; ++time) (void)call.Evaluate(others.View());
    const Status status = call.Evaluate(OperandsOf(numbers).View());
    const std::string answer = AnswerOf(call, status, results);
    if (answer == first) continue;
    return Disagree(
        DisagreementKind::kRunTime,
        fmt::format("the run time gives {}; after a call with other numbers, it gives {}", first, answer));
  }
  return std::nullopt;
}

}  // namespace

Finding CompareRunTime(const rules::Rule& rule, const OpDef& def, const Sample& sample) {
  bool all_contents = true;
  for (const SampleOperand& o : sample.operands) {
    if (!o.is_tensor()) return std::nullopt;
    all_contents = all_contents && (o.has_contents || !o.given || IsFloat(o.element));
  }
  const std::unique_ptr<Peer> peer = PeerOfRunTime(rule, sample);
  if (peer == nullptr) return std::nullopt;
  const bool has_containers =
      std::ranges::any_of(rule.code->signatures, [](const rules::CompiledSignature& form) {
        return std::ranges::any_of(form.results, [](const rules::CompiledArgument& a) {
          return a.pattern.kind != rules::PatternKind::kTensor;
        });
      });
  RuleCall call(rule, sample.attrs, static_cast<size_t>(sample.results),
                sample.version == 0 ? INT32_MAX : sample.version);
  const RunTimeOperands operands = OperandsOf(sample);
  const Truth valid = call.IsValid(operands.View());
  const Status status = call.Evaluate(operands.View());
  if ((valid != Truth::kNo) != status.has_value() && (status || status.error().code != Code::kRuleLimit)) {
    return Disagree(
        DisagreementKind::kQuery,
        fmt::format("IsValid reports these numbers as {}valid; they are {}", valid == Truth::kNo ? "in" : "",
                    status ? "accepted" : fmt::format("refused: \"{}\"", status.error().message)));
  }
  if (Finding f = CompareTraces(rule, sample, AnswerOf(call, status, static_cast<size_t>(sample.results))))
    return f;
  constexpr auto kKind = DisagreementKind::kRunTime;
  if (!status && peer->status) {
    return Disagree(kKind, fmt::format("the run time rejects these numbers: \"{}\"; inference accepts them",
                                       status.error().message));
  }
  if (status && !peer->status && !has_containers) {  // the run time does not compute types inside containers
    return Disagree(kKind, fmt::format("inference rejects these numbers: \"{}\"; the run time accepts them",
                                       peer->status.error().message));
  }
  if (!status || !peer->status) return std::nullopt;
  for (size_t i = 0; i < peer->outcome.results.size(); ++i) {
    const Type& type = peer->outcome.results[i];
    if (!type.is_tensor() || type.shape.is_none()) continue;
    const std::span<const int64_t> at_run_time = call.result(i);
    const auto disagree = [&] {
      return Disagree(
          kKind, fmt::format("the run time gives {} the sizes {}; inference from the same numbers gives {}",
                             NameOfResult(def, i), call.has_rank(i) ? ListOf(at_run_time) : "[*]",
                             ToString(peer->analysis.dims(), type.shape)));
    };
    if (call.has_rank(i) != type.shape.has_rank()) {
      if (all_contents || call.has_rank(i)) return disagree();
      continue;
    }
    if (!call.has_rank(i)) continue;
    if (at_run_time.size() != static_cast<size_t>(type.shape.rank())) return disagree();
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      const int64_t size = at_run_time[static_cast<size_t>(axis)];
      const Dim inferred = type.shape[axis];
      // Even without contents that the operator reads, facts may determine a size.
      if (inferred.is_constant() ? size != inferred.constant() && (size >= 0 || all_contents) : size >= 0)
        return disagree();
    }
  }
  return std::nullopt;
}

Finding CompareForms(const rules::Rule& rule, const Sample& sample, const SampleInference& full) {
  if (rule.code->signatures.size() < 2) return std::nullopt;
  rules::BoundAttributes attributes;
  if (!rules::Bind(*rule.code, sample.attrs, rule.name, rule.HasOnnxNumbers(), &attributes))
    return std::nullopt;
  std::vector<rules::Operand> operands;
  for (size_t i = 0; i < sample.operands.size(); ++i) {
    if (!sample.operands[i].is_tensor()) return std::nullopt;
    operands.push_back({full.call.types[i], full.call.values[i], sample.operands[i].given});
  }
  const rules::Application application = ApplicationOf(rule, sample, operands, attributes);
  const std::vector<size_t> forms = rules::Evaluator().FormsOf(*rule.code, application);
  if (forms.size() < 2) return std::nullopt;
  return Disagree(DisagreementKind::kForms,
                  fmt::format("alternatives {} and {} both accept these operands; only one may, so narrow a "
                              "pattern or add a case condition `when`",
                              forms[0] + 1, forms[1] + 1));
}

}  // namespace dimwise
