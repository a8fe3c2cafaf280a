#include "native_ops/op_table_testing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>

#include "core/base/text_pieces.h"
#include "dimwise/builtin.h"
#include "infer/error.h"

namespace dimwise {
namespace {

// Splits a text at the separators outside of brackets; empty parts are omitted.
std::vector<std::string_view> Parts(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (Trimmed(text).empty()) return parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && std::string_view("([{").find(text[i]) != std::string_view::npos) ++depth;
    if (i < text.size() && std::string_view(")]}").find(text[i]) != std::string_view::npos) --depth;
    if (i < text.size() && (text[i] != separator || depth > 0)) continue;
    if (const std::string_view part = Trimmed(text.substr(begin, i - begin)); !part.empty())
      parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

class Case {
 public:
  Case(const OpCase& op_case, const OpRegistry& registry, OpOutcome* outcome)
      : case_(op_case), registry_(registry), outcome_(*outcome), analysis_(*outcome->analysis) {}

  Status Run() {
    DIMWISE_RETURN_IF_ERROR(FindOp());
    DIMWISE_RETURN_IF_ERROR(ReadOperands());
    DIMWISE_RETURN_IF_ERROR(ReadAttrs());
    if (*case_.assumed != '\0') {
      DIMWISE_ASSIGN_OR_RETURN(const Condition assumed, ParseCondition(analysis_.dims(), case_.assumed));
      analysis_.facts().Assert(assumed, FactKind::kGiven, 0);
    }
    NodeDescription node;
    node.name = "node";
    node.op = &op_->def;
    node.attrs = &attrs_;
    node.num_outputs = num_outputs_;
    node.version = version_;
    InferenceContext context(analysis_, node, std::span<const Type>(types_), contents_);
    DIMWISE_RETURN_IF_ERROR(context.Run(op_->shape_fn));
    for (int i = 0; i < context.num_outputs(); ++i) {
      outcome_.outputs.push_back(context.full_output_type(i));
      outcome_.contents.push_back(context.output_value(i));
    }
    outcome_.guards.assign(context.guards().begin(), context.guards().end());
    return {};
  }

 private:
  Status FindOp() {
    const std::string_view full = case_.op;
    const size_t at = full.find('@');
    if (at != std::string_view::npos)
      std::from_chars(full.data() + at + 1, full.data() + full.size(), version_);
    DIMWISE_ASSIGN_OR_RETURN(op_, registry_.LookUp(full.substr(0, at), version_));
    return {};
  }

  Status ReadOperands() {
    std::string_view text = case_.operands;
    if (const size_t arrow = text.find("->"); arrow != std::string_view::npos) {
      const std::string_view count = Trimmed(text.substr(arrow + 2));
      std::from_chars(count.data(), count.data() + count.size(), num_outputs_);
      text = text.substr(0, arrow);
    }
    for (const std::string_view operand : Parts(text, ';')) {
      types_.emplace_back();
      contents_.emplace_back();
      if (operand == "-") continue;
      const size_t equals = operand.find("={");
      DIMWISE_ASSIGN_OR_RETURN(types_.back(), ParseType(analysis_, operand.substr(0, equals)));
      if (equals == std::string_view::npos) continue;
      DIMWISE_RETURN_IF_ERROR(ReadContents(operand.substr(equals + 2, operand.size() - equals - 3)));
    }
    return {};
  }

  Status ReadContents(std::string_view text) {
    const Type& type = types_.back();
    std::vector<int64_t> sizes;
    for (const Dim size : type.shape.dims()) sizes.push_back(size.constant());
    std::vector<Dim> integers;
    std::vector<Boolean> booleans;
    std::vector<Float> floats;
    for (const std::string_view element : Parts(text, ',')) {
      if (IsFloat(type.element)) {
        floats.push_back(Float::Of(std::stod(std::string(element))));
        continue;
      }
      Dim integer;
      if (element == "?") {
        integer = analysis_.dims().Fresh(INT64_MIN, INT64_MAX);
      } else {
        DIMWISE_ASSIGN_OR_RETURN(integer, analysis_.dims().Parse(element));
      }
      integers.push_back(integer);
      booleans.push_back({.value = integer, .predicate = nullptr});
    }
    ValueTable& values = analysis_.values();
    contents_.back() = IsFloat(type.element)  ? values.Floats(type.element, sizes, floats)
                       : IsBool(type.element) ? values.Booleans(sizes, booleans)
                                              : values.Integers(type.element, sizes, integers);
    if (contents_.back().is_none()) return Error(Code::kBadRequest, "contents {{{}}} do not fit", text);
    return {};
  }

  // Converts each attribute to its declared kind if possible, and else to the kind of its text.
  Status ReadAttrs() {
    for (const std::string_view word : Parts(case_.attrs, ' ')) {
      const size_t equals = word.find('=');
      const std::string name(word.substr(0, equals));
      const std::string_view text = word.substr(equals + 1);
      AttrValue value(text);
      if (const AttrDef* def = FindAttr(op_->def, name)) {
        if (Result<AttrValue> read = ReadAttr(*def, value)) {
          value = *read;
        } else if (const std::optional<AttrValue> literal = ParseAttrText(text)) {
          value = *literal;
        }
      }
      attrs_.Set(name, value);
    }
    return {};
  }

  const OpCase& case_;
  const OpRegistry& registry_;
  OpOutcome& outcome_;
  Analysis& analysis_;
  const OpRegistrationData* op_ = nullptr;
  std::vector<Type> types_;
  std::vector<Value> contents_;
  AttrMap attrs_;
  int num_outputs_ = -1;
  int version_ = OpRegistry::kLatest;
};

std::string RanksText(Shape shape) {
  if (shape.is_none() || shape.has_rank()) return "";
  if (shape.min_rank() == 0 && shape.max_rank() == kMaxRank) return "";
  if (shape.max_rank() == kMaxRank) return fmt::format(" of rank {} or more", shape.min_rank());
  return fmt::format(" of rank {} .. {}", shape.min_rank(), shape.max_rank());
}

std::string ContentsText(DimTable& dims, Value value) {
  if (value.is_none()) return "";
  std::string text;
  for (int64_t i = 0; i < value.size(); ++i) {
    const Dim integer = value.Integer(i);
    const Float number = value.FloatingPoint(i);
    text += i > 0 ? ", " : "";
    if (!integer.is_none()) {
      text += dims.ToString(integer);
    } else if (number.constant()) {
      text += fmt::format("{}", *number.constant());
    } else if (number.numerator.is_none()) {
      text += "?";
    } else {
      const std::string numerator = dims.ToString(number.numerator);
      text += number.denominator <= 1 ? numerator : fmt::format("({})/{}", numerator, number.denominator);
    }
  }
  return "={" + text + "}";
}

}  // namespace

OpOutcome RunOpCase(const OpCase& op_case, const OpRegistry& registry) {
  OpOutcome outcome;
  outcome.analysis = std::make_unique<Analysis>();
  outcome.status = Case(op_case, registry, &outcome).Run();
  return outcome;
}

std::string ToText(const OpOutcome& outcome) {
  if (!outcome.status) {
    const Diagnostic& error = outcome.status.error();
    std::string text = fmt::format("error[{}]: {}", CodeName(error.code), error.message);
    for (const std::string& note : error.notes) text += "\nnote: " + note;
    return text;
  }
  DimTable& dims = outcome.analysis->dims();
  std::string text;
  std::vector<Dim> symbols;
  for (size_t i = 0; i < outcome.outputs.size(); ++i) {
    const Type& type = outcome.outputs[i];
    text += (i > 0 ? "; " : "") + ToString(dims, type) + RanksText(type.shape) +
            ContentsText(dims, outcome.contents[i]);
    if (!InferenceContext::RankKnown(type.shape)) continue;
    for (const Dim size : type.shape.dims()) {
      const bool is_new = std::find(symbols.begin(), symbols.end(), size) == symbols.end();
      if (is_new && dims.Kind(size) == DimKind::kSymbol && !dims.GetSymbol(size).of_user)
        symbols.push_back(size);
    }
  }
  for (const Guard& guard : outcome.guards) text += "\ncheck: " + ToString(dims, guard.condition);
  for (const Dim symbol : symbols) {
    const Dim max = outcome.analysis->facts().SymbolicMax(symbol);
    if (!max.is_none()) text += fmt::format("\n{} <= {}", dims.ToString(symbol), dims.ToString(max));
  }
  return text;
}

void ExpectOpCases(std::span<const OpCase> cases) {
  for (const OpCase& c : cases) {
    EXPECT_EQ(ToText(RunOpCase(c, BuiltinRegistry())), c.expected)
        << c.op << " (" << c.operands << ") " << c.attrs;
  }
}

}  // namespace dimwise
