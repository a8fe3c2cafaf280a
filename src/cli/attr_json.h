// Reads attributes from JSON. Numbers, strings, booleans and lists are written as such; other kinds are
// objects:
//
//   {"dtype": "f32"}    {"shape": [2, null]}, {"shape": null}    {"tensor": {"dtype", "shape", "values"}}
//   {"func": "name"}
#ifndef DIMWISE_CLI_ATTR_JSON_H_
#define DIMWISE_CLI_ATTR_JSON_H_

#include "cli/json_value.h"
#include "dimwise/attr_value.h"

namespace dimwise {

// Reads the value of an attribute. Errors name `path`.
Result<AttrValue> ReadAttrJson(const JsonPath& path, simdjson::dom::element json);

}  // namespace dimwise

#endif  // DIMWISE_CLI_ATTR_JSON_H_
