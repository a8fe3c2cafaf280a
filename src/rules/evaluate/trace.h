// A Trace records what a rule does for operands of one kind, as linear code. A kind consists of ranks,
// element types and storages, which sizes are symbolic, and which of those are equal.
//
// If results may have contents, the trace computes them too, if they are integers, copied floats, floats made
// from integers, or unknown. Then the numbers of elements are part of the kind, and so are the sizes of
// tensors that are small enough for contents. Constant floats that sizes depend on are part of the kind,
// because machines round; a symbolic float is an input, like a symbolic size.
//
// A trace is recorded by applying the rule once, with a symbol for every size and every integer of the
// contents. The host that answers the rule's queries has the actual values, and each answer is stored as a
// trace condition. An open query is an answer too. As long as the conditions hold for other operands, the
// rule takes the same path and gives the same expressions. These are in normal form, so the trace computes
// less than the rule.
//
// If contents determine a number of contents, the trace is recorded for exactly these integers. Nothing is
// recorded if the rule needs a data-dependent size, has a guard, or leaves something undecided.
#ifndef DIMWISE_RULES_EVALUATE_TRACE_H_
#define DIMWISE_RULES_EVALUATE_TRACE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/rule.h"
#include "rules/evaluate/evaluator.h"
#include "rules/evaluate/linear_code.h"

namespace dimwise::rules {

class Trace {
 public:
  // Records an application. The host answers queries about symbolic sizes; at run time there are no symbolic
  // sizes and no host. With `application.want_contents`, contents of the results are recorded. Returns the
  // first trace accepted by `is_right`, or nullopt.
  static std::optional<Trace> Make(const RuleCode& code, const Application& application, RuleHost* host,
                                   Evaluator* evaluator, FunctionRef<bool(Trace&)> is_right);

  // Returns whether the trace conditions hold for these operands, and computes the results.
  bool Run(std::span<const RunTimeOperand> operands);
  // REQUIRES: Suits.
  bool Run(std::span<const Operand> operands, RuleHost& host) {
    return only_forms_ || RunLine(operands, host);
  }
  // Returns whether the operands have the recorded ranks, element types, storages and numbers of integers.
  bool Suits(std::span<const Operand> operands) const {
    if (operands.size() != forms_.size()) return false;
    const Operand* operand = operands.data();
    for (const Form& form : forms_) {
      if (!Fits(form, *operand++)) return false;
    }
    return true;
  }

  // Appends the sizes of all results to `sizes`, and the start of each and its rank (-1: unknown) to
  // `results`. REQUIRES: Run succeeded.
  void Results(std::vector<int64_t>* sizes, std::vector<std::pair<size_t, int>>* results) const;
  // REQUIRES: Run succeeded for these operands.
  Type Result(size_t i, std::span<const Operand> operands, RuleHost& host) const {
    const ResultForm& result = results_[i];
    Type type = result.type;
    if (result.same_as >= 0) {
      type.shape = operands[static_cast<size_t>(result.same_as)].type.shape;
    } else if (result.ranked) {
      type.shape = ShapeOf(result, host.analysis().shapes());
    }
    return type;
  }
  // Computes the contents of a result of known type. Returns false if only the rule can compute them.
  // REQUIRES: as Result.
  bool Contents(size_t i, const Type& type, std::span<const Operand> operands, RuleHost& host,
                Value* contents) const {
    *contents = Value();
    if (!results_[i].knows_contents) {
      if (MayHaveContents(type) || (fills_ && !results_[i].every)) return false;
      if (fills_) *contents = EveryOf(*results_[i].every, host);
      return true;
    }
    *contents = KnownContents(results_[i], operands, host);
    return true;
  }
  size_t result_count() const { return results_.size(); }

 private:
  struct Form {
    bool given = false;
    bool reads_contents = false;
    ElementType element = ElementType::kUnknown;
    Storage storage;
    int rank = 0;
    int64_t contents = -1;   // number of elements; -1: unknown
    bool is_opaque = false;  // floats that are only copied
    // Floats that sizes depend on; for a symbolic float only the denominator is fixed.
    std::vector<Float> floats;
    std::vector<Dim> integers;  // of a trace for exactly these integers: the numbers; nothing for a symbol
    bool sizes_matter = false;
    bool is_small = false;       // if sizes matter: whether it may have contents, and then
    std::vector<int64_t> sizes;  // it has these sizes
  };
  // The source of a float in a result: an operand, else the integer in a register, else a constant.
  struct FloatSource {
    int operand = -1;
    uint32_t element = 0;
    std::optional<LinearCode::Register> integer;
    Float number;
  };
  // The value of every element of a result without contents: a constant of the rule or of an attribute.
  struct Every {
    ElementType element = ElementType::kUnknown;
    Dim integer;  // none for a float
    Float number;
  };
  struct ResultForm {
    Type type;  // without the shape
    bool ranked = false;
    int same_as = -1;  // an operand with the same shape
    std::vector<LinearCode::Register> sizes;
    bool knows_contents = false;  // the contents below are valid; an element type of none means no contents
    ElementType element = ElementType::kUnknown;
    std::vector<int64_t> dims;
    std::vector<LinearCode::Register> contents;
    bool of_floats = false;  // the contents are these floats
    std::vector<FloatSource> floats;
    int copies = -1;  // an operand with the same elements in the same order
    std::optional<Every> every;
  };
  class Maker;
  // How to represent contents while recording. Floats that nothing depends on are symbols, to follow where
  // they are copied, or unknown. Integers are symbols, or fixed.
  enum class Way { kFollowFloats, kFollowIntegers, kTheseIntegers };
  static std::optional<Form> FormOf(const RuleCode& code, const Operand& operand, size_t index,
                                    bool want_contents);
  static bool HasSizes(const Form& form, const Type& type);
  static bool HasFloats(const Form& form, const Value& value);
  static bool HasIntegers(const Form& form, const Value& value);
  static bool Fits(const Form& form, const Operand& o) {
    if (!o.given || !form.given) return o.given == form.given;
    if (!o.type.is_tensor() || o.type.element != form.element || !(o.type.storage == form.storage))
      return false;
    if (o.type.shape.is_none() || o.type.shape.rank() != form.rank) return false;
    if (form.sizes_matter && !HasSizes(form, o.type)) return false;
    if (form.reads_contents && (o.value.is_none() ? -1 : o.value.size()) != form.contents) return false;
    if (form.reads_contents && !o.value.every().is_none()) return false;
    if (!form.integers.empty() && !HasIntegers(form, o.value)) return false;
    return form.floats.empty() || HasFloats(form, o.value);
  }
  bool RunLine(std::span<const Operand> operands, RuleHost& host);
  Shape ShapeOf(const ResultForm& result, ShapeTable& shapes) const;
  Value KnownContents(const ResultForm& result, std::span<const Operand> operands, RuleHost& host) const;
  static Value EveryOf(const Every& every, RuleHost& host);
  Float FloatFrom(const FloatSource& source, std::span<const Operand> operands) const;

  std::vector<Form> forms_;                          // by operand
  uint64_t symbolic_ = 0;                            // bit mask of symbolic inputs
  std::vector<std::pair<uint32_t, uint32_t>> same_;  // pairs of equal symbolic inputs
  LinearCode line_;
  std::vector<ResultForm> results_;
  bool fills_ = false;       // the rule may define every element of a result
  bool only_forms_ = false;  // nothing depends on a size
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_TRACE_H_
