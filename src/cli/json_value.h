// Reading JSON values of a kind that is due, with errors that say where they stand and what they are.
#ifndef DIMWISE_CLI_JSON_VALUE_H_
#define DIMWISE_CLI_JSON_VALUE_H_

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "dimwise/element_type.h"
#include "dimwise/result.h"

namespace dimwise {

// A place in a request, which is put in words only for an error: `inputs[1].shape[0]`. It lives no longer
// than the one that it is inside.
class JsonPlace {
 public:
  explicit JsonPlace(std::string_view field) : field_(field) {}
  JsonPlace Field(std::string_view field) const { return JsonPlace(this, field, -1); }
  JsonPlace Element(size_t index) const { return JsonPlace(this, {}, static_cast<int64_t>(index)); }
  std::string Text() const;

 private:
  JsonPlace(const JsonPlace* outer, std::string_view field, int64_t index)
      : outer_(outer), field_(field), index_(index) {}

  const JsonPlace* outer_ = nullptr;
  std::string_view field_;
  int64_t index_ = -1;  // -1: a field
};

// "`inputs[1].shape[0]` is 2.5; a dimension is an integer, null, or a name"
Unexpected WrongValue(const JsonPlace& place, simdjson::dom::element value, std::string_view due,
                      Code code = Code::kBadRequest);

Result<std::string_view> ReadText(const JsonPlace& place, simdjson::dom::element value, std::string_view due,
                                  Code code = Code::kBadRequest);
Result<simdjson::dom::array> ReadList(const JsonPlace& place, simdjson::dom::element value,
                                      std::string_view due, Code code = Code::kBadRequest);
Result<simdjson::dom::object> ReadObject(const JsonPlace& place, simdjson::dom::element value,
                                         std::string_view due, Code code = Code::kBadRequest);
// A text such as "f32", "float32" or "DT_FLOAT".
Result<ElementType> ReadDtype(const JsonPlace& place, simdjson::dom::element value,
                              Code code = Code::kBadRequest);
// An integer of 32 bits.
Result<int> ReadSmallInt(const JsonPlace& place, simdjson::dom::element value, std::string_view due);

}  // namespace dimwise

#endif  // DIMWISE_CLI_JSON_VALUE_H_
