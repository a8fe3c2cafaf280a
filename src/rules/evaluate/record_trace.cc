#include "rules/evaluate/trace.h"

#include <algorithm>

#include "core/types/known_parts.h"

namespace dimwise::rules {
namespace {

constexpr int64_t kMaxContents = 32;
constexpr size_t kMaxInputs = 64;

// The host during recording. It answers queries with the actual inputs, and stores the answers as trace
// conditions.
class RecordingHost : public RuleHost {
 public:
  explicit RecordingHost(RuleHost* real) : builder_(analysis_.dims(), real) {}

  // Creates a symbol for an input; equal symbolic sizes get the same symbol.
  Dim Input(Dim actual, int64_t min) {
    const Dim symbol = analysis_.dims().Fresh(SymbolKey{0, 0, next_++}, min);
    builder_.Input(symbol, actual);
    return symbol;
  }
  // Creates a symbol for a float that is only copied, as a third of a symbol. Any other operation makes it
  // unknown.
  Float Opaque() {
    return {.numerator = analysis_.dims().Fresh(SymbolKey{0, 1, next_opaque_++}, INT64_MIN),
            .denominator = 3,
            .special = {}};
  }
  LinearCodeBuilder& builder() { return builder_; }
  bool failed() const { return failed_; }

  Analysis& analysis() override { return analysis_; }
  Dim Fresh(uint32_t, int64_t, int64_t) override {
    failed_ = true;
    return Dim(0);
  }
  Shape FreshShape(uint32_t, int, int) override {
    failed_ = true;
    return analysis_.shapes().Scalar();
  }
  Truth Query(const Literal& literal, FactFilter filter) override {
    if (Need(literal, true, filter)) return Truth::kYes;
    if (Need(literal, false, filter)) return Truth::kNo;
    if (!builder_.NeedOpen(literal, filter)) failed_ = true;
    return Truth::kMaybe;
  }
  // A true literal decides a clause; a false clause needs all literals to be false.
  Truth Query(const Clause& clause, FactFilter filter) override {
    for (const Literal& literal : clause) {
      if (Need(literal, true, filter)) return Truth::kYes;
    }
    for (const Literal& literal : clause) {
      if (Need(literal, false, filter)) continue;
      failed_ = true;
      return Truth::kMaybe;
    }
    return Truth::kNo;
  }
  Status Require(const Condition& condition, Words, Code code) override {
    for (const Clause& clause : condition.clauses) {
      if (Query(clause, FactFilter::kEverything) == Truth::kYes) continue;
      failed_ = true;  // the rule itself must build the message of an error or guard
      Diagnostic d;
      d.code = code;
      return Unexpected(std::move(d));
    }
    return {};
  }
  // A fact about constants is useless, and a fact about symbolic sizes would have to be asserted in each run.
  void Ensure(const Condition&) override { failed_ = true; }
  // Fixes a computed value to its recorded constant by a trace condition. A symbolic input stays symbolic.
  Dim Pin(Dim d) override {
    const std::optional<LinearCode::Register> r = builder_.Compute(d);
    const Dim actual = r ? builder_.size_at(*r) : Dim();
    if (r && *r < next_ && actual.is_expression()) return d;
    if (!actual.is_constant() || !builder_.Need(Equal(analysis_.dims(), d, actual), true, false)) {
      failed_ = true;
      return d;
    }
    return actual;
  }
  // A value computed from constants only is a constant in every run.
  bool IsNumber(Dim d) override {
    const auto is_number = [&](Dim symbol) {
      const std::optional<LinearCode::Register> r = builder_.Compute(symbol);
      return r && *r < next_ && builder_.size_at(*r).is_constant();
    };
    return std::ranges::all_of(analysis_.dims().SymbolsOf(d), is_number) || Pin(d).is_constant();
  }
  bool RepresentsNumber(Dim d) override {
    const std::optional<LinearCode::Register> r = builder_.Compute(d);
    return r && builder_.size_at(*r).is_constant();
  }
  void LeaveOpen() override { failed_ = true; }

 private:
  bool Need(const Literal& literal, bool holds, FactFilter filter) {
    const bool as_given = filter == FactFilter::kWithoutAssumed;
    // n*a == n*b follows from a == b, which is cheaper.
    if (holds && literal.relation == Relation::kEqual && literal.value.is_expression()) {
      const Literal shorter{WithoutFactors(literal.value), Relation::kEqual};
      if (shorter != literal && builder_.Need(shorter, true, as_given)) return true;
    }
    return builder_.Need(literal, holds, as_given);
  }
  // Returns a sum without the factors common to all its terms.
  Dim WithoutFactors(Dim sum) {
    DimTable& dims = analysis_.dims();
    if (dims.TermCount(sum) < 2) return sum;
    const std::span<const Dim> of_first = dims.GetTerm(sum, 0).factors;
    const std::vector<Dim> factors(of_first.begin(), of_first.end());
    for (Dim factor : factors) {
      if (const std::optional<Dim> rest = dims.DivideExactly(sum, factor)) sum = *rest;
    }
    return sum;
  }

  Analysis analysis_;
  LinearCodeBuilder builder_;
  uint32_t next_ = 0, next_opaque_ = 0;
  bool failed_ = false;
};

}  // namespace

// Returns the recordable form of an operand, or nullopt if a required part is unknown.
std::optional<Trace::Form> Trace::FormOf(const RuleCode& code, const Operand& o, size_t index,
                                         bool want_contents) {
  Form form;
  form.given = o.given;
  if (!o.given) return form;
  if (!o.type.is_tensor() || o.type.shape.is_none() || !o.type.shape.has_rank()) return std::nullopt;
  form.element = o.type.element;
  form.storage = o.type.storage;
  form.rank = o.type.shape.rank();
  form.reads_contents = want_contents || code.ReadsContents(index);
  form.sizes_matter = want_contents;
  form.is_small = want_contents && MayHaveContents(o.type);
  if (form.is_small) {
    for (Dim d : o.type.shape.dims()) form.sizes.push_back(d.constant());
  }
  if (form.reads_contents && !o.value.every().is_none()) return std::nullopt;
  if (!form.reads_contents || o.value.is_none()) return form;
  form.contents = o.value.size();
  form.is_opaque = IsFloat(o.type.element) && !code.ReadsContents(index);
  if (form.is_opaque) return form;
  if (form.contents > kMaxContents) return std::nullopt;
  for (int64_t k = 0; k < form.contents && IsFloat(o.type.element); ++k)
    form.floats.push_back(o.value.FloatingPoint(k));
  if (!form.is_small && form.rank > 1) return std::nullopt;  // the sizes of a matrix would matter too
  // Each boolean is a case distinction.
  if (want_contents && o.type.element == ElementType::kBool) return std::nullopt;
  return form;
}

// Records a trace: creates a symbol for each size and integer, applies the rule, and compiles its results.
class Trace::Maker {
 public:
  Maker(const RuleCode& code, const Application& application, RuleHost* real, Way way)
      : code_(code), application_(application), real_(real), way_(way), host_(real) {}

  std::optional<Trace> Make(Evaluator* evaluator) {
    for (size_t i = 0; i < application_.operands.size(); ++i) {
      if (!TakeOperand(i)) return std::nullopt;
    }
    if (actual_.size() > kMaxInputs || (way_ == Way::kFollowFloats && opaque_.empty()) ||
        (way_ == Way::kTheseIntegers && (!has_fixed_ || real_ == nullptr)))
      return std::nullopt;
    trace_.fills_ = std::ranges::any_of(code_.result_values,
                                        [&](NodeId value) { return value != kNone && code_.IsFill(value); });
    Application same = application_;
    same.operands = operands_;
    Outcome outcome;
    if (!evaluator->Run(code_, same, &host_, &outcome) || host_.failed()) return std::nullopt;
    for (size_t k = 0; k < outcome.results.size(); ++k) {
      if (!TakeResult(outcome.results[k], outcome.contents[k])) return std::nullopt;
    }
    trace_.line_ = std::move(host_.builder()).Finish(trace_.symbolic_);
    trace_.only_forms_ =
        trace_.line_.empty() && trace_.same_.empty() && std::ranges::none_of(trace_.results_, IsComputed);
    return std::move(trace_);
  }

 private:
  // Returns the symbol for a size or an integer.
  Dim Input(Dim d, int64_t min) {
    const auto index = static_cast<uint32_t>(actual_.size());
    const auto before = d.is_expression() ? std::ranges::find(actual_, d) : actual_.end();
    if (d.is_expression() && index < kMaxInputs) trace_.symbolic_ |= uint64_t{1} << index;
    // Bounds of a symbolic size are queried again for each size.
    const Dim symbol = host_.Input(d, d.is_expression() ? INT64_MIN : min);
    // Equal symbolic sizes share a symbol; each has its own register.
    const auto first = static_cast<uint32_t>(before - actual_.begin());
    if (before != actual_.end()) trace_.same_.push_back({first, index});
    symbols_.push_back(before != actual_.end() ? symbols_[first] : symbol);
    actual_.push_back(d);
    return symbols_.back();
  }

  bool TakeOperand(size_t i) {
    const Operand& o = application_.operands[i];
    const std::optional<Form> form = FormOf(code_, o, i, application_.want_contents);
    if (!form) return false;
    trace_.forms_.push_back(*form);
    Operand& operand = operands_.emplace_back();
    operand.given = o.given;
    if (!o.given) return true;
    std::vector<Dim> sizes;
    for (Dim d : o.type.shape.dims()) sizes.push_back(form->is_small ? d : Input(d, 0));
    operand.type = Type::Tensor(o.type.element, host_.analysis().shapes().Make(sizes), o.type.storage);
    if (form->is_opaque) return !form->is_small || TakeOpaque(o, static_cast<int>(i), &operand);
    if (!form->floats.empty()) return TakeFloats(o, form->floats, &operand);
    return form->contents < 0 || TakeIntegers(o, &operand);
  }
  bool TakeOpaque(const Operand& o, int index, Operand* operand) {
    std::vector<Float> floats(static_cast<size_t>(o.value.size()));
    for (uint32_t k = 0; k < floats.size() && way_ == Way::kFollowFloats; ++k) {
      floats[k] = host_.Opaque();
      opaque_.push_back({floats[k], {.operand = index, .element = k, .integer = {}, .number = {}}});
    }
    operand->value = host_.analysis().values().Floats(o.type.element, o.value.dims(), floats);
    return true;
  }
  bool TakeFloats(const Operand& o, std::vector<Float> floats, Operand* operand) {
    if (real_ == nullptr) return false;  // at run time there are only integers
    for (Float& f : floats) {
      if (f.numerator.is_expression()) f.numerator = Input(f.numerator, INT64_MIN);
    }
    operand->value = host_.analysis().values().Floats(o.type.element, o.value.dims(), floats);
    return !operand->value.is_none();
  }
  bool TakeIntegers(const Operand& o, Operand* operand) {
    std::vector<Dim> contents;
    for (int64_t k = 0; k < o.value.size(); ++k) {
      const Dim d = o.value.Integer(k);
      if (d.is_none()) return false;
      const bool is_fixed = way_ == Way::kTheseIntegers && d.is_constant();
      if (way_ == Way::kTheseIntegers) trace_.forms_.back().integers.push_back(is_fixed ? d : Dim());
      contents.push_back(is_fixed ? d : Input(d, INT64_MIN));
      has_fixed_ |= is_fixed;
    }
    operand->value = host_.analysis().values().Integers(o.value.element(), o.value.dims(), contents);
    return !operand->value.is_none();
  }

  // Unknown contents of a result hold for other operands only if operand contents were unknown, or there were
  // none.
  bool MayLackContents() const {
    const auto any_form = [&](auto&& is_so) { return std::ranges::any_of(trace_.forms_, is_so); };
    const bool has_integers =
        any_form([](const Form& form) { return form.contents >= 0 && !form.is_opaque; });
    const bool has_floats = any_form([](const Form& form) { return form.is_opaque; });
    const bool lacks_some = any_form([](const Form& form) { return form.given && form.contents < 0; });
    return !has_integers && (!has_floats || lacks_some);
  }

  bool TakeResult(const Type& type, const Value& contents) {
    if (type.kind != TypeKind::kTensor && type.kind != TypeKind::kUnknown) return false;
    ResultForm& result = trace_.results_.emplace_back();
    result.type = type;
    result.type.shape = Shape();
    result.ranked = IsRanked(type);
    if (!result.ranked) return !type.is_tensor() || real_ == nullptr;
    for (Dim size : type.shape.dims()) {
      const std::optional<LinearCode::Register> r = host_.builder().Compute(size);
      if (!r) return false;
      result.sizes.push_back(*r);
    }
    for (size_t i = 0; i < operands_.size() && result.same_as < 0; ++i) {
      if (operands_[i].given && operands_[i].type.shape == type.shape) result.same_as = static_cast<int>(i);
    }
    result.knows_contents = application_.want_contents && MayHaveContents(type);
    if (!contents.every().is_none()) return TakeEvery(contents.every(), &result);
    if (!result.knows_contents || (contents.is_none() && MayLackContents())) return true;
    if (contents.is_none() || contents.size() > ValueTable::kMaxElements) return false;
    result.element = contents.element();
    result.dims.assign(contents.dims().begin(), contents.dims().end());
    if (contents.kind() == ValueKind::kFloats) return TakeResultFloats(contents, &result);
    return contents.kind() == ValueKind::kIntegers && contents.element() != ElementType::kUnknown &&
           TakeResultIntegers(contents, &result);
  }
  static bool TakeEvery(const Value& scalar, ResultForm* result) {
    result->every = Every{scalar.element(), scalar.Integer(0), scalar.FloatingPoint(0)};
    return !result->every->integer.is_expression() && !result->every->number.numerator.is_expression();
  }
  bool TakeResultFloats(const Value& contents, ResultForm* result) {
    result->of_floats = true;
    for (int64_t e = 0; e < contents.size(); ++e) {
      const Float f = contents.FloatingPoint(e);
      const auto index = std::ranges::find(opaque_, f, &decltype(opaque_)::value_type::first);
      FloatSource source;
      if (index != opaque_.end()) {
        source = index->second;
      } else if (f.numerator.is_expression()) {
        // Whether a fraction is in lowest terms depends on its numerator.
        if (f.denominator == 1) source.integer = host_.builder().Compute(f.numerator);
        if (!source.integer) return false;
      } else if (f.is_unknown()) {
        return false;
      } else {
        source.number = f;
      }
      result->floats.push_back(source);
    }
    result->copies = CopiedOperand(*result);
    return true;
  }
  int CopiedOperand(const ResultForm& result) const {
    if (result.floats.empty() || result.floats[0].operand < 0) return -1;
    const int operand = result.floats[0].operand;
    const Value& value = operands_[static_cast<size_t>(operand)].value;
    uint32_t next = 0;
    const bool is_copy = value.element() == result.element &&
                         std::cmp_equal(value.size(), result.floats.size()) &&
                         std::ranges::all_of(result.floats, [&](const FloatSource& source) {
                           return source.operand == operand && source.element == next++;
                         });
    return is_copy ? operand : -1;
  }
  bool TakeResultIntegers(const Value& contents, ResultForm* result) {
    for (int64_t e = 0; e < contents.size(); ++e) {
      const Dim d = contents.Integer(e);
      const std::optional<LinearCode::Register> r = d.is_none() ? std::nullopt : host_.builder().Compute(d);
      if (!r) return false;
      result->contents.push_back(*r);
    }
    return true;
  }

  // Returns whether the linear code computes part of a result.
  static bool IsComputed(const ResultForm& r) {
    return (r.same_as < 0 && !r.sizes.empty()) || !r.contents.empty() ||
           std::ranges::any_of(r.floats, [](const FloatSource& f) { return f.integer.has_value(); });
  }

  const RuleCode& code_;
  const Application& application_;
  RuleHost* const real_;
  const Way way_;
  RecordingHost host_;
  Trace trace_;
  std::vector<Operand> operands_;
  std::vector<Dim> symbols_, actual_;  // by input
  std::vector<std::pair<Float, FloatSource>> opaque_;
  bool has_fixed_ = false;
};

std::optional<Trace> Trace::Make(const RuleCode& code, const Application& application, RuleHost* real,
                                 Evaluator* evaluator, FunctionRef<bool(Trace&)> is_right) {
  for (const Way way : {Way::kFollowFloats, Way::kFollowIntegers, Way::kTheseIntegers}) {
    std::optional<Trace> trace = Maker(code, application, real, way).Make(evaluator);
    if (trace && is_right(*trace)) return trace;
  }
  return std::nullopt;
}

}  // namespace dimwise::rules
