#include "rules/recording.h"

#include <algorithm>

namespace dimwise::rules {
namespace {

// Answers by the numbers, and keeps the answers.
class RecordingSite : public Site {
 public:
  struct Guard {
    Literal literal;
    bool holds;
  };

  // A symbol that has this number.
  Dim Input(int64_t number, int64_t min) {
    const Dim symbol = analysis_.dims().Fresh(SymbolKey{0, 0, static_cast<uint32_t>(inputs_.size())}, min);
    inputs_.push_back(symbol);
    numbers_.push_back(number);
    return symbol;
  }
  std::span<const Dim> inputs() const { return inputs_; }
  std::span<const Guard> guards() const { return guards_; }
  bool failed() const { return failed_; }

  Analysis& analysis() override { return analysis_; }
  Dim Fresh(uint32_t, int64_t, int64_t) override { return Undecided(), Dim(0); }
  Shape FreshShape(uint32_t, int, int) override { return Undecided(), analysis_.shapes().Scalar(); }

  // Nothing is assumed here: sizes are numbers.
  Truth Ask(const Literal& literal, Trust) override {
    const std::optional<bool> holds = Holds(literal);
    if (!holds) return Undecided();
    guards_.push_back({literal, *holds});
    return *holds ? Truth::kYes : Truth::kNo;
  }
  // One literal that holds says it all; that none does, all of them say.
  Truth Ask(const Clause& clause, Trust trust) override {
    for (const Literal& literal : clause) {
      if (Holds(literal) == true) return Ask(literal, trust);
    }
    for (const Literal& literal : clause) {
      if (Ask(literal, trust) != Truth::kNo) return Undecided();
    }
    return Truth::kNo;
  }
  Status Require(const Condition& condition, Words, Code code) override {
    for (const Clause& clause : condition.clauses) {
      if (Ask(clause, Trust::kEverything) == Truth::kYes) continue;
      Undecided();  // an error is worded by the rule itself
      Diagnostic d;
      d.code = code;
      return Unexpected(std::move(d));
    }
    return {};
  }
  void Ensure(const Condition&) override {}
  Dim Pin(Dim d) override {
    const std::optional<int64_t> n = Number(d);
    if (!n || !Dim(*n).is_constant()) return Undecided(), d;
    guards_.push_back({Equal(analysis_.dims(), d, Dim(*n)), true});
    return Dim(*n);
  }
  void LeaveOpen() override { Undecided(); }

 private:
  Truth Undecided() {
    failed_ = true;
    return Truth::kMaybe;
  }
  std::optional<int64_t> Number(Dim d) const {
    if (d.is_constant()) return d.constant();
    return analysis_.dims().Evaluate(d, [&](Dim symbol) -> std::optional<int64_t> {
      const auto at = std::ranges::find(inputs_, symbol);
      return at == inputs_.end() ? std::nullopt : std::optional(numbers_[static_cast<size_t>(at - inputs_.begin())]);
    });
  }
  std::optional<bool> Holds(const Literal& literal) const {
    const std::optional<int64_t> n = Number(literal.value);
    if (!n) return std::nullopt;
    return literal.relation == Relation::kEqual ? *n == 0 : literal.relation == Relation::kNotEqual ? *n != 0 : *n >= 0;
  }

  mutable Analysis analysis_;
  std::vector<Dim> inputs_;
  std::vector<int64_t> numbers_;
  std::vector<Guard> guards_;
  bool failed_ = false;
};

}  // namespace

std::optional<Recording> Recording::Make(const RuleCode& code, const Application& application,
                                         std::span<const RunTimeOperand> operands, Evaluator* evaluator) {
  RecordingSite site;
  Analysis& analysis = site.analysis();
  Recording recording;
  std::vector<Operand> symbolic;
  for (const RunTimeOperand& o : operands) {
    recording.forms_.push_back({o.shape.size(), o.contents.size(), o.given});
    std::vector<Dim> sizes, contents;
    for (int64_t size : o.shape) sizes.push_back(site.Input(size, 0));
    for (int64_t element : o.contents) contents.push_back(site.Input(element, INT64_MIN));
    Operand& operand = symbolic.emplace_back();
    operand.given = o.given;
    operand.type = Type::Tensor(ElementType::kUnknown, analysis.shapes().Make(sizes));
    if (!contents.empty()) operand.value = analysis.values().Integers(ElementType::kI64, o.shape, contents);
    if (!contents.empty() && operand.value.is_none()) return std::nullopt;  // more than a Value keeps
  }
  Application same = application;
  same.operands = symbolic;
  Outcome outcome;
  if (!evaluator->Run(code, same, &site, &outcome) || site.failed()) return std::nullopt;

  StraightLineBuilder builder(analysis.dims(), site.inputs());
  for (const RecordingSite::Guard& guard : site.guards()) {
    if (!builder.Need(guard.literal, guard.holds)) return std::nullopt;
  }
  for (const Type& type : outcome.results) {
    std::optional<std::vector<StraightLine::Register>>& registers = recording.results_.emplace_back();
    if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) continue;
    registers.emplace();
    for (Dim size : type.shape.dims()) {
      const std::optional<StraightLine::Register> r = builder.Compute(size);
      if (!r) return std::nullopt;
      registers->push_back(*r);
    }
  }
  recording.line_ = std::move(builder).Finish();
  return recording;
}

bool Recording::Run(std::span<const RunTimeOperand> operands) {
  if (operands.size() != forms_.size()) return false;
  int64_t* input = line_.inputs().data();
  for (size_t i = 0; i < operands.size(); ++i) {
    const RunTimeOperand& o = operands[i];
    const Form& form = forms_[i];
    if (o.shape.size() != form.rank || o.contents.size() != form.contents || o.given != form.given) return false;
    int64_t all = 0;
    for (int64_t size : o.shape) {
      all |= size;
      *input++ = size;
    }
    if (all < 0) return false;
    input = std::copy(o.contents.begin(), o.contents.end(), input);
  }
  return line_.Run();
}

void Recording::Results(std::vector<int64_t>* sizes, std::vector<std::pair<size_t, int>>* results) const {
  for (const auto& registers : results_) {
    results->push_back({sizes->size(), registers ? static_cast<int>(registers->size()) : -1});
    if (!registers) continue;
    for (StraightLine::Register r : *registers) sizes->push_back(line_.at(r));
  }
}

}  // namespace dimwise::rules
