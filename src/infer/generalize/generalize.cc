#include "infer/generalize/generalize.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/failure.h"
#include "core/types/known_parts.h"
#include "dimwise/result_macros.h"
#include "graph/program_names.h"
#include "infer/generalize/attempt.h"
#include "infer/generalize/pins.h"
#include "infer/generalize/realign.h"
#include "infer/operators/node_properties.h"

namespace dimwise {
namespace {

constexpr size_t kMaxPins = 12;  // the number of pins examined per problem
constexpr size_t kMaxAttempts = 2000;
constexpr size_t kMaxNotes = 3;
constexpr int kMaxCalls = 20;  // nesting depth of calls
constexpr std::string_view kInline =
    "a function is not changed, because a change would affect all its calls; inline the function first";

class Generalizer {
 public:
  Generalizer(const LoadProgram& load, const OpRegistry& registry, std::span<const InputSymbol> symbols)
      : load_(load), registry_(registry), symbols_(symbols.begin(), symbols.end()) {}

  Result<Generalization> Run() {
    DIMWISE_ASSIGN_OR_RETURN(baseline_, Attempt::Make(load_, registry_, {}, {}));
    DIMWISE_ASSIGN_OR_RETURN(Generalization found, Run(Joining::kSplit));
    if (!found.refusal || std::ranges::none_of(changes_, &SizeChange::is_choice)) return found;
    changes_.clear();
    DIMWISE_ASSIGN_OR_RETURN(Generalization other, Run(Joining::kLeft));
    return other.refusal ? std::move(found) : std::move(other);
  }

 private:
  Result<Generalization> Run(Joining joining) {
    for (size_t round = 0; round < kMaxAttempts; ++round) {
      DIMWISE_ASSIGN_OR_RETURN(const std::unique_ptr<Attempt> begun,
                               Attempt::Begin(load_, registry_, symbols_, changes_));
      const std::vector<SizeChange> found = RealignForward(*begun, *baseline_, changes_, joining);
      changes_.insert(changes_.end(), found.begin(), found.end());
      DIMWISE_ASSIGN_OR_RETURN(const std::unique_ptr<Attempt> attempt, Try(changes_, {}));
      const std::vector<Attempt::Problem> problems = attempt->Problems(baseline_.get());
      const size_t first = problems.empty() ? SIZE_MAX : problems[0].position;
      std::vector<SizeChange> realigned = FindRealignments(*attempt, *baseline_, first, changes_, joining);
      if (!realigned.empty()) {
        changes_.insert(changes_.end(), realigned.begin(), realigned.end());
        continue;
      }
      if (problems.empty()) {
        if (std::optional<Diagnostic> loss = FindLoss(*attempt)) return Generalization{{}, std::move(loss)};
        std::ranges::stable_sort(changes_, {}, [&](const SizeChange& c) {
          return std::ranges::find(attempt->order(), c.node) - attempt->order().begin();
        });
        return Generalization{std::move(changes_), std::nullopt};
      }
      DIMWISE_ASSIGN_OR_RETURN(std::optional<Diagnostic> refusal, Resolve(*attempt, problems[0]));
      if (refusal) return Generalization{{}, std::move(refusal)};
    }
    Diagnostic endless =
        MakeDiagnostic(Code::kNotSupported, fmt::format("{} changes do not suffice", changes_.size()));
    return Generalization{{}, std::move(endless)};
  }

  using Problem = Attempt::Problem;

  // An element of a pin that is replaced in a trial.
  struct Guess {
    const Pin* pin;
    size_t element;
    std::string text;
    bool is_trial = false;  // whether inference has to determine the symbol
  };

  Result<std::unique_ptr<Attempt>> Try(std::span<const SizeChange> changes,
                                       std::span<const InputSymbol> more) const {
    std::vector<InputSymbol> symbols = symbols_;
    symbols.insert(symbols.end(), more.begin(), more.end());
    return Attempt::Make(load_, registry_, symbols, changes);
  }

  // Infers the program with the guesses in place of the constants.
  Result<std::unique_ptr<Attempt>> Try(const Attempt& now, std::span<const Guess> guesses) const {
    std::vector<InputSymbol> inputs;
    for (const Guess& guess : guesses) {
      if (guess.pin->kind != Pin::Kind::kInput) continue;
      std::string name = guess.text;
      std::erase(name, '`');
      inputs.push_back({guess.pin->value, static_cast<int>(guess.element), name,
                        guess.pin->elements[guess.element].constant(), guess.is_trial});
    }
    return Try(With(now, guesses), inputs);
  }

  std::vector<SizeChange> With(const Attempt& now, std::span<const Guess> guesses) const {
    std::vector<SizeChange> changes = changes_;
    for (const Guess& guess : guesses) {
      const Pin& pin = *guess.pin;
      if (pin.kind == Pin::Kind::kInput) continue;
      auto it = std::ranges::find_if(
          changes, [&](const SizeChange& c) { return c.node == pin.node && c.operand == pin.operand; });
      if (it == changes.end()) {
        SizeChange change;
        change.kind =
            pin.kind == Pin::Kind::kContents ? SizeChange::Kind::kContents : SizeChange::Kind::kExpand;
        change.node = pin.node;
        change.operand = pin.operand;
        change.element = now.type(pin.value).element;
        change.rank = pin.rank;
        for (const Dim element : pin.elements) change.before.push_back(now.dims().ToString(element));
        change.elements = change.before;
        it = changes.insert(changes.end(), std::move(change));
      }
      it->elements[guess.element] = guess.text;
    }
    return changes;
  }

  // Returns nothing if a change was made; otherwise the reason why none is possible.
  Result<std::optional<Diagnostic>> Resolve(const Attempt& now, const Problem& problem) {
    const std::vector<Pin> pins = FindPins(now, problem.node, kMaxPins);
    for (const Candidates candidates : {Candidates::kEqual, Candidates::kContents, Candidates::kAll}) {
      DIMWISE_ASSIGN_OR_RETURN(const std::vector<Guess> solved, Solve(now, pins, candidates));
      if (Accept(now, solved)) return std::optional<Diagnostic>();
      if (!solved.empty()) return std::optional(NeedsInput(now, problem, solved[0]));
    }
    // Contents that are used as sizes come before the sizes of constants.
    for (const bool contents : {true, false}) {
      for (const Pin& pin : pins) {
        if ((pin.kind == Pin::Kind::kContents) != contents) continue;
        DIMWISE_ASSIGN_OR_RETURN(std::vector<Guess> tried, TrySymbols(now, problem, pin));
        if (tried.empty()) {
          DIMWISE_ASSIGN_OR_RETURN(tried, TryOperandSizes(now, problem, pin));
        }
        if (Accept(now, tried)) return std::optional<Diagnostic>();
        if (!tried.empty()) return std::optional(NeedsInput(now, problem, tried[0]));
      }
    }
    return std::optional(Refusal(now, problem, pins));
  }

  // Returns the index declaration in which each index selects a whole slice of the data, or null.
  static const IndexUse* FindSlicing(const OpDef& def) {
    const auto it = std::ranges::find_if(def.properties.indexes,
                                         [](const IndexUse& use) { return use.slices && !use.tuples; });
    return it == def.properties.indexes.end() ? nullptr : &*it;
  }
  static bool CutsRanges(const OpDef& def) {
    return std::ranges::find(def.properties.sizes, SizesUse::Kind::kSlice, &SizesUse::kind) !=
           def.properties.sizes.end();
  }

  // Returns whether a function selects parts of a tensor, itself or through a function that it calls.
  bool TakesParts(const Graph& program, const Graph& function, int depth = 0) const {
    for (uint32_t n = 0; n < function.node_count(); ++n) {
      const OpRegistrationData* op = FindRegistration(registry_, function, NodeId{n});
      if (op != nullptr && (FindSlicing(op->def) != nullptr || CutsRanges(op->def))) return true;
      const Graph* inner = program.FindFunction(function.op_name(NodeId{n}));
      if (inner != nullptr && (depth > kMaxCalls || TakesParts(program, *inner, depth + 1))) return true;
    }
    return false;
  }

  // Reports a call whose results have fixed sizes although its function selects parts of a tensor. It may
  // select a single sample, and the change would not be visible in the sizes.
  std::optional<Diagnostic> FindLossInCall(const Attempt& now, NodeId node) const {
    const Graph& graph = now.graph();
    const Graph* function = graph.FindFunction(graph.op_name(node));
    if (function == nullptr || !TakesParts(graph, *function)) return std::nullopt;
    const auto mentions = [&](ValueId v) {
      if (v == kNoValue) return false;
      const Type type = now.type(v);
      return type.is_tensor() && !type.shape.is_none() &&
             std::ranges::any_of(type.shape.dims(), [&](Dim d) { return now.Mentions(d); });
    };
    if (std::ranges::none_of(graph.operands(node), mentions) ||
        std::ranges::any_of(graph.results(node), mentions))
      return std::nullopt;
    Diagnostic loss;
    loss.code = Code::kNotSupported;
    loss.node = graph.name(node);
    loss.op = graph.op_name(node);
    loss.index = graph.position(node);
    loss.message = fmt::format(
        "the results of the function {} would have the same sizes at every size of its operands, and "
        "functions are not changed",
        graph.op_name(node));
    loss.help = kInline;
    return loss;
  }

  // Reports a Gather that takes as many elements of an axis as the axis had: the only sample, or all of them
  // by a list of indices. With more samples the others would be lost without an error.
  std::optional<Diagnostic> FindLossInGather(const Attempt& now, NodeId node) const {
    const Graph& graph = now.graph();
    const OpDef* def = now.Definition(node);
    const IndexUse* use = def == nullptr ? nullptr : FindSlicing(*def);
    if (use == nullptr) return std::nullopt;
    const ValueId data = now.Operand(node, use->data), indices = now.Operand(node, use->indices);
    if (data == kNoValue || indices == kNoValue) return std::nullopt;
    const Type type = now.type(data), index_type = now.type(indices);
    if (!IsRanked(type) || !IsRanked(index_type)) return std::nullopt;
    Dim count = 1;
    for (const Dim size : index_type.shape.dims()) count = now.dims().Multiply(count, size);
    const Value contents = now.contents(indices);
    const bool is_one = count == Dim(1);
    if (is_one && !contents.is_none() && contents.ConstantInteger(0) == -1)
      return std::nullopt;  // always the last element
    if (!is_one && !IsConstant(now, indices)) return std::nullopt;
    const Dim along = now.EvaluateProperty(node, use->axis);
    if (!along.is_constant() || along.constant() < 0 || along.constant() >= type.shape.rank())
      return std::nullopt;
    const auto axis = static_cast<int>(along.constant());
    const Dim size = type.shape[axis];
    if (!now.Mentions(size) || now.AsBefore(size) != count) return std::nullopt;
    Diagnostic loss;
    loss.code = Code::kNotSupported;
    loss.node = graph.name(node);
    loss.op = ShortName(graph.op_name(node));
    loss.index = graph.position(node);
    loss.message = fmt::format("it takes {} of axis {} of '{}', which had {} and would have {}",
                               is_one ? "one element" : now.dims().ToString(count) + " elements", axis,
                               graph.name(data), is_one ? "one" : "as many", now.dims().ToString(size));
    loss.help = "all other elements would be lost here; export the model with other sizes";
    return loss;
  }

  std::optional<Diagnostic> FindLoss(const Attempt& now) const {
    for (const NodeId node : now.order()) {
      if (std::optional<Diagnostic> loss = FindLossInCall(now, node)) return loss;
      if (std::optional<Diagnostic> loss = FindLossInGather(now, node)) return loss;
    }
    return std::nullopt;
  }

  bool Accept(const Attempt& now, const std::vector<Guess>& guesses) {
    const bool any =
        std::ranges::any_of(guesses, [](const Guess& g) { return g.pin->kind != Pin::Kind::kInput; });
    if (any) changes_ = With(now, guesses);
    return any;
  }

  bool IsOldSize(Dim element) const {
    return std::ranges::any_of(symbols_, [&](const InputSymbol& s) { return element == Dim(s.was); });
  }
  // A constant used as data can be repeated only along an axis of size 1.
  static bool MayChange(const Pin& pin, size_t element) {
    return pin.elements[element].is_constant() &&
           (pin.kind != Pin::Kind::kSizes || (pin.repeats && pin.elements[element] == Dim(1)));
  }

  // Which constants become unknown at once.
  enum class Candidates : uint8_t {
    kEqual,     // constants that equal the old size of a symbol
    kContents,  // contents that are used as sizes
    kAll,
  };

  // Makes the constants unknown, and lets inference determine them.
  Result<std::vector<Guess>> Solve(const Attempt& now, const std::vector<Pin>& pins,
                                   Candidates candidates) const {
    std::vector<Guess> unknown;
    for (const Pin& pin : pins) {
      const bool is_contents = pin.kind == Pin::Kind::kContents;
      if (candidates == Candidates::kContents && !is_contents) continue;
      for (size_t k = 0; k < pin.elements.size(); ++k) {
        if (!MayChange(pin, k) || (candidates == Candidates::kEqual && !IsOldSize(pin.elements[k]))) continue;
        if (candidates != Candidates::kEqual && is_contents && pin.elements[k].constant() <= 0) continue;
        unknown.push_back({&pin, k, fmt::format("`?{}`", unknown.size()), true});
      }
    }
    std::vector<Guess> solved;
    if (unknown.empty()) return solved;
    DIMWISE_ASSIGN_OR_RETURN(const std::unique_ptr<Attempt> trial, Try(now, unknown));
    for (size_t i = 0; i < unknown.size(); ++i) {
      const Dim found = trial->Solved(fmt::format("?{}", i));
      const Guess& guess = unknown[i];
      if (!IsOverSymbols(*trial, found) || trial->AsBefore(found) != guess.pin->elements[guess.element])
        continue;
      solved.push_back({guess.pin, guess.element, trial->dims().ToString(found)});
    }
    return solved;
  }

  bool IsOverSymbols(const Attempt& trial, Dim size) const {
    if (!size.is_expression()) return false;
    return std::ranges::all_of(trial.dims().SymbolsOf(size), [&](Dim symbol) {
      return std::ranges::find(symbols_, trial.dims().NameOf(symbol), &InputSymbol::symbol) != symbols_.end();
    });
  }

  // Replaces the elements that equal the old size of a symbol, or a multiple of it, by the symbol. Elements
  // that need not change stay.
  Result<std::vector<Guess>> TrySymbols(const Attempt& now, const Problem& problem, const Pin& pin) const {
    for (const InputSymbol& symbol : symbols_) {
      std::vector<Guess> guesses;
      for (size_t k = 0; k < pin.elements.size(); ++k) {
        if (!MayChange(pin, k)) continue;
        const int64_t number = pin.elements[k].constant();
        const Dim size = now.dims().Symbol(symbol.symbol);
        if (number == symbol.was) {
          guesses.push_back({&pin, k, now.dims().ToString(size)});
        } else if (symbol.was > 1 && number > 0 && number % symbol.was == 0 &&
                   pin.kind == Pin::Kind::kContents) {
          guesses.push_back({&pin, k, now.dims().ToString(now.dims().Multiply(size, number / symbol.was))});
        }
      }
      DIMWISE_ASSIGN_OR_RETURN(guesses, OnlyNeeded(now, problem, std::move(guesses)));
      if (!guesses.empty()) return guesses;
    }
    return std::vector<Guess>();
  }

  // Replaces the elements by sizes of the other operands of the node, axis by axis. For example, a feature
  // map is resized to the sizes of another one.
  Result<std::vector<Guess>> TryOperandSizes(const Attempt& now, const Problem& problem,
                                             const Pin& pin) const {
    std::vector<Dim> there;
    for (const ValueId operand : now.graph().operands(problem.node)) {
      if (operand == kNoValue || !IsRanked(now.type(operand))) continue;
      for (const Dim size : now.type(operand).shape.dims()) {
        const bool is_new = std::ranges::find(there, size) == there.end();
        if (is_new && now.Mentions(size) && IsOverSymbols(now, size)) there.push_back(size);
      }
    }
    std::vector<Guess> guesses;
    for (size_t k = 0; k < pin.elements.size(); ++k) {
      if (!MayChange(pin, k)) continue;
      const auto it = std::ranges::find(there, pin.elements[k], [&](Dim d) { return now.AsBefore(d); });
      if (it == there.end()) continue;
      guesses.push_back({&pin, k, now.dims().ToString(*it)});
      std::rotate(it, it + 1, there.end());  // height and width may have had equal old sizes
    }
    return OnlyNeeded(now, problem, std::move(guesses));
  }

  // Returns the guesses without which the node fails; none if it fails with all of them.
  Result<std::vector<Guess>> OnlyNeeded(const Attempt& now, const Problem& problem,
                                        std::vector<Guess> guesses) const {
    DIMWISE_ASSIGN_OR_RETURN(bool helps, Helps(now, problem, guesses));
    if (!helps) {
      for (const Guess& guess : guesses) {
        DIMWISE_ASSIGN_OR_RETURN(helps, Helps(now, problem, std::span(&guess, 1)));
        if (helps) return std::vector<Guess>{guess};
      }
      return std::vector<Guess>();
    }
    for (size_t i = guesses.size(); i-- > 0;) {
      std::vector<Guess> fewer = guesses;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      DIMWISE_ASSIGN_OR_RETURN(helps, Helps(now, problem, fewer));
      if (helps) guesses = std::move(fewer);
    }
    return guesses;
  }

  Result<bool> Helps(const Attempt& now, const Problem& problem, std::span<const Guess> guesses) const {
    if (guesses.empty()) return false;
    DIMWISE_ASSIGN_OR_RETURN(const std::unique_ptr<Attempt> trial, Try(now, guesses));
    const std::vector<Problem> left = trial->Problems(baseline_.get());
    return left.empty() || left[0].position > problem.position;
  }

  Diagnostic NeedsInput(const Attempt& now, const Problem& problem, const Guess& guess) const {
    Diagnostic refusal = problem.diagnostic;
    const std::string element_name = fmt::format("{}[{}]", now.graph().name(guess.pin->value), guess.element);
    refusal.notes.push_back(fmt::format("input {} is {}, but must be {} too", element_name,
                                        now.dims().ToString(guess.pin->elements[guess.element]), guess.text));
    const bool name = std::ranges::find(symbols_, guess.text, &InputSymbol::symbol) != symbols_.end();
    refusal.help =
        name ? fmt::format("add --input '{}={}'", element_name, guess.text)
             : "a size of an input becomes a name, not an expression; export the model with other sizes";
    return refusal;
  }

  // Returns the error with the constants that may have caused it.
  Diagnostic Refusal(const Attempt& now, const Problem& problem, const std::vector<Pin>& pins) const {
    Diagnostic refusal = problem.diagnostic;
    for (const Pin& pin : pins) {
      if (pin.kind == Pin::Kind::kInput) continue;
      for (size_t k = 0; k < pin.elements.size() && refusal.notes.size() < kMaxNotes; ++k) {
        if (!IsOldSize(pin.elements[k])) continue;
        const std::string number = now.dims().ToString(pin.elements[k]);
        refusal.notes.push_back(
            pin.kind == Pin::Kind::kContents
                ? fmt::format("{} is element {} of operand {} of {}, but changing it does not help", number,
                              k, pin.operand, NodeText(now.graph(), pin.node))
                : fmt::format("{} is axis {} of the constant '{}', which must not change", number, k,
                              now.graph().name(pin.value)));
      }
    }
    refusal.help = now.graph().FindFunction(now.graph().op_name(problem.node)) != nullptr
                       ? kInline
                       : "the model is fixed to this size here; export it with other sizes";
    return refusal;
  }

  const LoadProgram& load_;
  const OpRegistry& registry_;
  const std::vector<InputSymbol> symbols_;
  std::unique_ptr<Attempt> baseline_;
  std::vector<SizeChange> changes_;
};

}  // namespace

Result<Generalization> Generalize(const LoadProgram& load, const OpRegistry& registry,
                                  std::span<const InputSymbol> symbols) {
  return Generalizer(load, registry, symbols).Run();
}

Result<std::vector<Diagnostic>> FindProblems(const LoadProgram& load, const OpRegistry& registry,
                                             std::span<const InputSymbol> symbols) {
  DIMWISE_ASSIGN_OR_RETURN(const std::unique_ptr<Attempt> attempt,
                           Attempt::Make(load, registry, symbols, {}));
  std::vector<Diagnostic> found;
  for (Attempt::Problem& problem : attempt->Problems(nullptr)) found.push_back(std::move(problem.diagnostic));
  return found;
}

}  // namespace dimwise
