// One line of JSON, read whole: either it is valid and its root can be walked, or it is said what is wrong.
//
// Two things are kept that a parsed number would lose. The id of a request is given back as it was written
// (1.10, or an integer of thirty digits). And a line with a number that is valid JSON but fits no 64-bit type
// is told apart from one that is not JSON at all, so that its answer can carry its id.
#ifndef DIMWISE_CLI_JSON_LINE_H_
#define DIMWISE_CLI_JSON_LINE_H_

#include <simdjson.h>

#include <string>
#include <string_view>

#include "dimwise/result.h"

namespace dimwise {

class JsonLine {
 public:
  // Reads a line; an error where it is not valid JSON. What was read before is gone.
  Status Parse(std::string_view line);

  // REQUIRES for all that follows: Parse succeeded.
  simdjson::dom::element root() const { return root_; }
  // The value of the field "id" of the root, as written less the space between its parts; empty where there
  // is none.
  const std::string& id() const { return id_; }
  // A number, besides the id, that is too large to be read, and reads as 0; empty where there is none.
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
