#include "core/values/contents_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/base/failure.h"
#include "core/base/text_pieces.h"
#include "core/values/contents_builder.h"

namespace dimwise {
namespace {

std::optional<bool> AsTruth(std::string_view text) {
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  return std::nullopt;
}

std::optional<double> AsNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Adds an element; its spelling determines its kind. Build compares it with the element type.
Status AddElement(Analysis& analysis, std::string_view text, ElementType type, ContentsBuilder* contents) {
  if (text.empty()) {
    return Failure(Code::kBadExpression, "an element of the contents is empty",
                   "contents are written {N, -1}, 3 or {true, ?}");
  }
  if (text == "?") {
    contents->AddUnknown();
  } else if (IsString(type) || text.front() == '"' || text.front() == '\'') {
    contents->AddText();
  } else if (const std::optional<bool> truth = AsTruth(text)) {
    contents->AddBool(*truth);
  } else if (const std::optional<double> number = AsNumber(text);
             number && (IsFloat(type) || text.find_first_of(".eEn") != std::string_view::npos)) {
    contents->AddFloat(*number);
  } else {
    Result<Dim> integer = analysis.dims().Parse(text);
    if (!integer) return std::move(integer).TakeError();
    if (integer->is_none())
      return Failure(Code::kOverflow, fmt::format("the number {} does not fit 64 bits", text));
    contents->AddInteger(*integer);
  }
  return {};
}

std::string NumberText(double number, ElementType type) {
  if (std::isnan(number)) return "nan";
  std::string text =
      type == ElementType::kF32 ? fmt::format("{}", static_cast<float>(number)) : fmt::format("{}", number);
  if (std::isfinite(number) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string IntegerText(DimTable& dims, Dim integer) {
  if (integer.is_none()) return "?";
  if (integer.is_constant()) return std::to_string(integer.constant());
  const auto is_size = [&](Dim symbol) { return dims.GetSymbol(symbol).min >= 0; };
  if (!std::ranges::all_of(dims.SymbolsOf(integer), is_size)) return "?";
  std::string text = dims.ToString(integer);
  // The symbol is named inf or true and needs quotes.
  if (AsNumber(text) || AsTruth(text)) text = '`' + text + '`';
  return text;
}

std::string ElementText(DimTable& dims, Value contents, int64_t i) {
  if (contents.kind() == ValueKind::kFloats || IsFloat(contents.element())) {
    const Float number = contents.FloatingPoint(i);
    const std::optional<double> constant = number.constant();
    return constant ? NumberText(*constant, contents.element()) : "?";
  }
  if (contents.kind() == ValueKind::kBooleans || IsBool(contents.element())) {
    const Dim truth = contents.Integer(i);
    if (!truth.is_constant()) return "?";
    return truth == Dim(0) ? "false" : "true";
  }
  return IntegerText(dims, contents.Integer(i));
}

}  // namespace

Result<Value> ParseContents(Analysis& analysis, std::string_view text, const Type& type,
                            std::vector<std::byte>* bytes) {
  text = Trimmed(text);
  ContentsBuilder contents;
  const bool is_list = text.size() >= 2 && ((text.front() == '{' && text.back() == '}') ||
                                            (text.front() == '[' && text.back() == ']'));
  std::string_view rest = is_list ? Trimmed(text.substr(1, text.size() - 2)) : text;
  if (text.empty()) {
    return Failure(Code::kBadExpression, "contents are missing after '='",
                   "contents are written {N, -1} or 3");
  }
  while (!rest.empty()) {
    const size_t comma = is_list ? FindOutside(rest, ",") : rest.size();
    if (Status status = AddElement(analysis, Trimmed(rest.substr(0, comma)), type.element, &contents);
        !status) {
      return std::move(status).TakeError();
    }
    rest = comma == rest.size() ? std::string_view() : Trimmed(rest.substr(comma + 1));
  }
  return contents.Build(analysis, type, bytes);
}

std::string ContentsToString(DimTable& dims, Value contents) {
  if (contents.is_none()) return "";
  std::string text = "{";
  bool known = contents.size() == 0;
  for (int64_t i = 0; i < contents.size(); ++i) {
    const std::string element = ElementText(dims, contents, i);
    known = known || element != "?";
    text.append(i > 0 ? ", " : "").append(element);
  }
  return known ? text + "}" : "";
}

}  // namespace dimwise
