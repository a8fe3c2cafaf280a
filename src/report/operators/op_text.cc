#include "report/operators/op_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text/labelled_lines.h"
#include "report/text/symbol_facts.h"
#include "report/text/wrap.h"

namespace dimwise {
namespace {

constexpr int64_t kShownElements = 16;
constexpr size_t kLineWidth = 110;

std::string ElementText(DimTable& dims, Value value, int64_t i) {
  const Dim integer = value.Integer(i);
  if (IsBool(value.element()) && integer.is_constant()) return integer.constant() != 0 ? "true" : "false";
  if (!integer.is_none()) return dims.ToString(integer);
  const Float number = value.FloatingPoint(i);
  if (const std::optional<double> constant = number.constant()) {
    return value.element() == ElementType::kF32 ? fmt::format("{}", static_cast<float>(*constant))
                                                : fmt::format("{}", *constant);
  }
  if (number.numerator.is_none()) return "?";
  const std::string numerator = dims.ToString(number.numerator);
  return number.denominator <= 1 ? numerator : "(" + numerator + ")/" + std::to_string(number.denominator);
}

class AnswerPrinter {
 public:
  AnswerPrinter(Analysis& analysis, const OpAnswer& answer, Colour colour)
      : analysis_(analysis), answer_(answer), colour_(colour) {}

  std::string Print() {
    for (const std::string& name : answer_.input_names) name_width_ = std::max(name_width_, Width(name));
    for (const std::string& name : answer_.output_names) name_width_ = std::max(name_width_, Width(name));
    lines_.Title(Painted(answer_.def->FullName(), kBold, colour_) + "\n");
    SymbolCollector symbols(analysis_, {});
    PrintInputs(symbols);
    PrintOutputs(symbols);
    PrintGuards(symbols);
    PrintSymbols(symbols);
    return std::move(lines_).Take();
  }

 private:
  static constexpr size_t kLabelWidth = 7;

  DimTable& dims() { return analysis_.dims(); }

  void Line(std::string_view label, std::string_view line) { lines_.Line(label, line); }

  void Tensor(std::string_view label, std::string_view name, std::string_view what, std::string_view style) {
    std::string line(name);
    line.append(name_width_ + 2 - Width(name), ' ');
    Line(label, line + Painted(what, style, colour_));
  }

  void PrintInputs(SymbolCollector& symbols) {
    for (size_t i = 0; i < answer_.inputs.size(); ++i) {
      const OpOperand& input = answer_.inputs[i];
      if (!input.given) {
        Tensor("in", answer_.input_names[i], "not given", kFaint);
        continue;
      }
      symbols.Mention(input.type);
      symbols.Mention(input.value);
      Tensor("in", answer_.input_names[i], ToString(dims(), input.type) + ContentsText(dims(), input.value),
             {});
    }
  }

  void PrintOutputs(SymbolCollector& symbols) {
    for (size_t i = 0; i < answer_.outputs.size(); ++i) {
      symbols.Mention(answer_.outputs[i]);
      symbols.Mention(answer_.output_values[i]);
      const std::string what =
          ToString(dims(), answer_.outputs[i]) + ContentsText(dims(), answer_.output_values[i]);
      Tensor("out", answer_.output_names[i], what, kBold);
    }
  }

  // Prints each message beside its condition, or below it if the line would be too long.
  void PrintGuards(SymbolCollector& symbols) {
    size_t width = 0, message_width = 0;
    for (const Guard& guard : answer_.guards) {
      symbols.Mention(guard.condition);
      conditions_.push_back(ToString(dims(), guard.condition));
      width = std::max(width, Width(conditions_.back()));
      message_width = std::max(message_width, Width(guard.message));
    }
    const bool beside = kLabelWidth + 2 + width + 3 + message_width <= kLineWidth;
    for (size_t i = 0; i < answer_.guards.size(); ++i) {
      const std::string condition = Painted(conditions_[i], kCyan, colour_);
      if (beside) {
        Line("guard",
             condition + std::string(width - Width(conditions_[i]) + 3, ' ') + answer_.guards[i].message);
      } else {
        Line("guard", condition);
        Line("guard", "  " + answer_.guards[i].message);
      }
    }
  }

  // Omits facts that a guard already contains.
  void PrintSymbols(SymbolCollector& symbols) {
    for (const SymbolFacts& facts : symbols.Collect()) {
      const std::string known = SymbolFactsText(dims(), facts);
      if (known.empty() || IsCondition(known)) continue;
      if (!facts.equals.is_none() &&
          IsCondition(dims().ToString(facts.equals) + " == " + dims().ToString(facts.symbol)))
        continue;
      Line("where", known);
    }
  }

  bool IsCondition(const std::string& text) const {
    return std::ranges::find(conditions_, text) != conditions_.end();
  }

  Analysis& analysis_;
  const OpAnswer& answer_;
  const Colour colour_;
  size_t name_width_ = 0;
  LabelledLines lines_{kLabelWidth, colour_};
  std::vector<std::string> conditions_;  // of the guards
};

}  // namespace

std::string ContentsText(DimTable& dims, Value value) {
  if (value.is_none()) return {};
  if (value.rank() == 0) return " = " + ElementText(dims, value, 0);
  std::string text = " = [";
  for (int64_t i = 0; i < std::min(value.size(), kShownElements); ++i) {
    if (i > 0) text += ", ";
    text += ElementText(dims, value, i);
  }
  return text + (value.size() > kShownElements ? ", ...]" : "]");
}

std::string SymbolFactsText(DimTable& dims, const SymbolFacts& facts) {
  const std::string name = dims.ToString(facts.symbol);
  if (!facts.equals.is_none()) return name + " == " + dims.ToString(facts.equals);
  const bool has_min = !facts.min.is_none() && facts.min != Dim(0), has_max = !facts.max.is_none();
  std::string text;
  if (has_min && has_max) {
    text = dims.ToString(facts.min) + " <= " + name + " <= " + dims.ToString(facts.max);
  } else if (has_max) {
    text = name + " <= " + dims.ToString(facts.max);
  } else if (has_min) {
    text = name + " >= " + dims.ToString(facts.min);
  }
  const Congruence c = facts.congruence;
  if (c.modulus > 1) {
    if (!text.empty()) text += " and ";
    text += name + " % " + std::to_string(c.modulus) + " == " + std::to_string(c.remainder);
  }
  return text;
}

std::string OpAnswerText(Analysis& analysis, const OpAnswer& answer, Colour colour) {
  return AnswerPrinter(analysis, answer, colour).Print();
}

std::string DiagnosticText(const Diagnostic& diagnostic, Colour colour, size_t width) {
  std::string text = Wrapped(ToString(diagnostic), width);
  if (colour == Colour::kNever) return text;
  const size_t head = text.find(": ");
  const std::string_view style = diagnostic.severity == Severity::kError     ? kRed
                                 : diagnostic.severity == Severity::kWarning ? kYellow
                                                                             : kCyan;
  text = Painted(text.substr(0, head), style, colour) + text.substr(head);
  constexpr std::string_view kHelp = "\n  help:";
  if (const size_t help = text.rfind(kHelp); help != std::string::npos) {
    text.replace(help + 3, kHelp.size() - 3, Painted(kHelp.substr(3), kCyan, colour));
  }
  return text;
}

}  // namespace dimwise
