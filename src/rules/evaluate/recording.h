// A Recording denotes what a rule does for operands of a kind (their ranks, element types and storages, which
// sizes are symbolic, and which of those are the same), as a straight line of instructions.
//
// Where results may have contents, these are recorded too, if they are integers, floats that are moved or
// made of integers, or not known: the numbers of elements are then a part of the kind, and so are the sizes
// of whatever is small enough for contents. Floats that sizes depend on are a part of the kind where they are
// numbers, since a machine rounds; a symbolic one is an input, as a symbolic size is.
//
// It is found by applying the rule once with a symbol for every size and every integer of the contents, at a
// Site that knows what they are. Whatever the rule asks is answered by that, and the answer is kept as a
// guard. As long as the guards hold for other operands, the rule goes the same way, so the same expressions
// are its results; and since they are in normal form, less is computed than the rule says. That a question
// about one comparison is open is an answer too. Where that does not say what the rule says, since contents
// decide how many others there are, it is recorded for just the integers that came. Nothing is recorded where
// the rule needs a size that only data decides, has something to check, or does not decide.
#ifndef DIMWISE_RULES_EVALUATE_RECORDING_H_
#define DIMWISE_RULES_EVALUATE_RECORDING_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/rule.h"
#include "rules/evaluate/evaluator.h"
#include "rules/evaluate/straight_line.h"

namespace dimwise::rules {

class Recording {
 public:
  // Records the application; nothing where it fails or cannot be recorded. The site answers what is asked of
  // symbolic sizes; at run time there are none, and no site. With `application.want_contents`, contents of
  // the results are recorded.
  // The first of them that `is_right` is taken.
  static std::optional<Recording> Make(const RuleCode& code, const Application& application, Site* site,
                                       Evaluator* evaluator, FunctionRef<bool(Recording&)> is_right);

  // Whether it is for these operands, which it then computes with.
  bool Run(std::span<const RunTimeOperand> operands);
  // REQUIRES: Suits.
  bool Run(std::span<const Operand> operands, Site& site) { return only_forms_ || RunLine(operands, site); }
  // Whether it may be for these operands: their ranks, element types, storages and numbers of integers are
  // right.
  bool Suits(std::span<const Operand> operands) const {
    if (operands.size() != forms_.size()) return false;
    const Operand* operand = operands.data();
    for (const Form& form : forms_) {
      if (!Fits(form, *operand++)) return false;
    }
    return true;
  }

  // REQUIRES: Run succeeded. Appends the sizes of all results to `sizes`, and where each begins and its rank
  // (-1: it is not known) to `results`.
  void Results(std::vector<int64_t>* sizes, std::vector<std::pair<size_t, int>>* results) const;
  // REQUIRES: Run of these operands succeeded.
  Type Result(size_t i, std::span<const Operand> operands, Site& site) const {
    const ResultForm& result = results_[i];
    Type type = result.type;
    if (result.same_as >= 0) {
      type.shape = operands[static_cast<size_t>(result.same_as)].type.shape;
    } else if (result.ranked) {
      type.shape = ShapeOf(result, site.analysis().shapes());
    }
    return type;
  }
  // REQUIRES: the same. Contents of that result, whose type is known; false where only the rule can tell.
  bool Contents(size_t i, const Type& type, std::span<const Operand> operands, Site& site,
                Value* contents) const {
    *contents = Value();
    if (!results_[i].knows_contents) {
      if (MayHaveContents(type) || (fills_ && !results_[i].every)) return false;
      if (fills_) *contents = EveryOf(*results_[i].every, site);
      return true;
    }
    *contents = KnownContents(results_[i], operands, site);
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
    int64_t contents = -1;      // how many; -1: not known
    bool is_opaque = false;     // they are floats, of which nothing is recorded but where they go
    std::vector<Float> floats;  // that sizes depend on; of a symbolic one, only its denominator counts
    std::vector<Dim>
        integers;  // of a recording for just these: the numbers, and nothing where it is a symbol
    bool sizes_matter = false;
    bool is_small = false;       // where they do: whether it may have contents, and then
    std::vector<int64_t> sizes;  // is of these sizes
  };
  // Where a float of a result comes from: an operand's, else the integer in a register, else a number.
  struct FloatSource {
    int operand = -1;
    uint32_t element = 0;
    std::optional<StraightLine::Register> integer;
    Float number;
  };
  // What every element of a result without contents is: a number of the rule, or of an attribute.
  struct Every {
    ElementType element = ElementType::kUnknown;
    Dim integer;  // none for a float
    Float number;
  };
  struct ResultForm {
    Type type;  // without its shape
    bool ranked = false;
    int same_as = -1;  // an operand whose shape it has
    std::vector<StraightLine::Register> sizes;
    bool knows_contents = false;  // those below; there are none without an element type
    ElementType element = ElementType::kUnknown;
    std::vector<int64_t> dims;
    std::vector<StraightLine::Register> contents;
    bool of_floats = false;  // then they are these
    std::vector<FloatSource> floats;
    int copies = -1;  // an operand whose elements all of them are, in their order
    std::optional<Every> every;
  };
  class Maker;
  // Floats that nothing depends on are symbols, so that it is seen where they go, or unknown; integers are
  // symbols too, or the recording is for just these.
  enum class Way { kFollowFloats, kFollowIntegers, kTheseIntegers };
  static std::optional<Form> FormOf(const RuleCode& code, const Operand& operand, size_t place,
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
  bool RunLine(std::span<const Operand> operands, Site& site);
  Shape ShapeOf(const ResultForm& result, ShapeTable& shapes) const;
  Value KnownContents(const ResultForm& result, std::span<const Operand> operands, Site& site) const;
  static Value EveryOf(const Every& every, Site& site);
  Float FloatFrom(const FloatSource& source, std::span<const Operand> operands) const;

  std::vector<Form> forms_;                          // of the operands
  uint64_t symbolic_ = 0;                            // which inputs are
  std::vector<std::pair<uint32_t, uint32_t>> same_;  // symbolic inputs that are equal
  StraightLine line_;
  std::vector<ResultForm> results_;
  bool fills_ = false;       // the rule may know what every element of a result is
  bool only_forms_ = false;  // nothing depends on any size
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_RECORDING_H_
