// Reads JSON values of an expected kind. Errors name the position of the value and show the value.
#ifndef DIMWISE_CLI_JSON_VALUE_H_
#define DIMWISE_CLI_JSON_VALUE_H_

#include <simdjson.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dimwise/element_type.h"
#include "dimwise/result.h"

namespace dimwise {

// A position in a request. Its text, such as `inputs[1].shape[0]`, is built only for an error. It refers to
// the position that contains it, which must outlive it.
class JsonPath {
 public:
  explicit JsonPath(std::string_view field) : field_(field) {}
  JsonPath Field(std::string_view field) const { return JsonPath(this, field, -1); }
  JsonPath Element(size_t index) const { return JsonPath(this, {}, static_cast<int64_t>(index)); }
  std::string Text() const;

 private:
  JsonPath(const JsonPath* outer, std::string_view field, int64_t index)
      : outer_(outer), field_(field), index_(index) {}

  const JsonPath* outer_ = nullptr;
  std::string_view field_;
  int64_t index_ = -1;  // -1 for a field
};

// Returns an error such as "`inputs[1].shape[0]` is 2.5; a dimension is an integer, null, or a name". `due`
// describes the expected value.
Unexpected WrongValue(const JsonPath& path, simdjson::dom::element value, std::string_view due,
                      Code code = Code::kBadRequest);

// Returns an error such as "`inputs[0]` has no field `shap`", with the nearest of the known fields. `object`
// describes what has the field.
Unexpected UnknownField(std::string_view object, std::string_view field,
                        std::span<const std::string_view> known);

Result<std::string_view> ReadText(const JsonPath& path, simdjson::dom::element value, std::string_view due,
                                  Code code = Code::kBadRequest);
Result<simdjson::dom::array> ReadList(const JsonPath& path, simdjson::dom::element value,
                                      std::string_view due, Code code = Code::kBadRequest);
Result<simdjson::dom::object> ReadObject(const JsonPath& path, simdjson::dom::element value,
                                         std::string_view due, Code code = Code::kBadRequest);
// Reads an element type written as "f32", "float32" or "DT_FLOAT".
Result<ElementType> ReadDtype(const JsonPath& path, simdjson::dom::element value,
                              Code code = Code::kBadRequest);
// Reads an integer of 32 bits.
Result<int> ReadSmallInt(const JsonPath& path, simdjson::dom::element value, std::string_view due);

}  // namespace dimwise

#endif  // DIMWISE_CLI_JSON_VALUE_H_
