// Writes attributes as JSON, in the form that a request of `dimwise op --batch` accepts:
//
//   3, 0.5, true, "SAME_UPPER", [2, 2]
//   {"dtype": "f32"}, {"shape": [2, null]}, {"func": "body"}
//   {"tensor": {"dtype": "i64", "shape": [2], "values": [4, 5]}}; without "values": large or unknown contents
//   null: nothing, or a value that is too large
#ifndef DIMWISE_REPORT_TEXT_ATTR_VALUE_JSON_H_
#define DIMWISE_REPORT_TEXT_ATTR_VALUE_JSON_H_

#include "dimwise/attr_value.h"
#include "report/text/json_writer.h"

namespace dimwise {

// Writes null for a list of more than kMaxWrittenElements elements, and for a text of more bytes than
// kMaxWrittenText.
inline constexpr size_t kMaxWrittenElements = 64;  // as many as contents that inference reads
inline constexpr size_t kMaxWrittenText = 256;
void WriteAttrValue(JsonWriter& json, const AttrValue& value);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_ATTR_VALUE_JSON_H_
