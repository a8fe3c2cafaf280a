// Parses a line of JSON and reports what is wrong with it.
//
// The class keeps two things that a JSON parser loses. The ID of a request is kept as it was written (1.10,
// or an integer of thirty digits). A number that is valid JSON but fits no 64-bit type is reported
// separately, so that the answer to its line can contain the ID.
#ifndef DIMWISE_CLI_JSON_LINE_H_
#define DIMWISE_CLI_JSON_LINE_H_

#include <simdjson.h>

#include <string>
#include <string_view>

#include "dimwise/result.h"

namespace dimwise {

class JsonLine {
 public:
  // Parses a line and replaces the previous one. Returns an error if the line is not valid JSON.
  Status Parse(std::string_view line);

  // REQUIRES for the methods below: Parse succeeded.
  simdjson::dom::element root() const { return root_; }
  // Returns the field "id" of the root as it was written, without white space between tokens; empty if there
  // is none.
  const std::string& id() const { return id_; }
  // Returns a number outside the ID that is too large and was read as 0; empty if there is none.
  const std::string& too_large() const { return too_large_; }

 private:
  void ReplaceLargeNumbers(std::string_view id);

  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
  std::string text_;
  std::string id_;
  std::string too_large_;
};

}  // namespace dimwise

#endif  // DIMWISE_CLI_JSON_LINE_H_
