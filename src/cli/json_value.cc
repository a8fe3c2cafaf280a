#include "cli/json_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "core/base/failure.h"
#include "core/base/nearest_name.h"
#include "core/base/utf8.h"
#include "dimwise/result_macros.h"

namespace dimwise {
namespace {

constexpr size_t kShown = 60;

// Returns the value as JSON, shortened to a limit. Large lists and objects are described instead.
std::string Shown(simdjson::dom::element value) {
  simdjson::dom::array list;
  simdjson::dom::object object;
  if (value.get(list) == simdjson::SUCCESS && list.size() > kShown)
    return fmt::format("a list of {}", list.size());
  if (value.get(object) == simdjson::SUCCESS && object.size() > kShown) return "an object";
  std::string text = simdjson::minify(value);
  if (text.size() <= kShown) return text;
  return text.substr(0, BeginOfCharacter(text, kShown)) + "...";
}

}  // namespace

std::string JsonPath::Text() const {
  const std::string outer = outer_ == nullptr ? "" : outer_->Text();
  if (index_ >= 0) return fmt::format("{}[{}]", outer, index_);
  return outer.empty() ? std::string(field_) : fmt::format("{}.{}", outer, field_);
}

Unexpected WrongValue(const JsonPath& path, simdjson::dom::element value, std::string_view due, Code code) {
  return Failure(code, fmt::format("`{}` is {}; {}", path.Text(), Shown(value), due));
}

Unexpected UnknownField(std::string_view object, std::string_view field,
                        std::span<const std::string_view> known) {
  const std::string_view near = NearestName(field, known);
  std::string help = "`--lenient` ignores unknown fields";
  if (!known.empty()) help = fmt::format("its fields are {}; {}", fmt::join(known, ", "), help);
  if (!near.empty()) help = fmt::format("did you mean `{}`?", near);
  return Failure(
      Code::kBadRequest,
      fmt::format("{} has no field `{}`", object, field.substr(0, BeginOfCharacter(field, kShown))),
      std::move(help));
}

Result<std::string_view> ReadText(const JsonPath& path, simdjson::dom::element value, std::string_view due,
                                  Code code) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return text;
  return WrongValue(path, value, due, code);
}

Result<simdjson::dom::array> ReadList(const JsonPath& path, simdjson::dom::element value,
                                      std::string_view due, Code code) {
  simdjson::dom::array list;
  if (value.get(list) == simdjson::SUCCESS) return list;
  return WrongValue(path, value, due, code);
}

Result<simdjson::dom::object> ReadObject(const JsonPath& path, simdjson::dom::element value,
                                         std::string_view due, Code code) {
  simdjson::dom::object object;
  if (value.get(object) == simdjson::SUCCESS) return object;
  return WrongValue(path, value, due, code);
}

Result<ElementType> ReadDtype(const JsonPath& path, simdjson::dom::element value, Code code) {
  constexpr std::string_view kDue = "an element type is a text such as \"f32\", \"float32\" or \"DT_FLOAT\"";
  DIMWISE_ASSIGN_OR_RETURN(const std::string_view text, ReadText(path, value, kDue, code));
  if (const std::optional<ElementType> type = ParseElementType(text)) return *type;
  return WrongValue(path, value, kDue, code);
}

Result<int> ReadSmallInt(const JsonPath& path, simdjson::dom::element value, std::string_view due) {
  int64_t number = 0;
  const bool is_int = value.is_int64() && value.get(number) == simdjson::SUCCESS;
  if (!is_int || number < 0 || number > std::numeric_limits<int>::max()) return WrongValue(path, value, due);
  return static_cast<int>(number);
}

}  // namespace dimwise
