// Answers the requests of `op --batch`: one request and one answer per line, in the same order.
//
// Every line gets an answer. The answer to a line that is not JSON has "id": null and the number of the line.
// An answer depends on its own line alone.
#ifndef DIMWISE_CLI_BATCH_READER_H_
#define DIMWISE_CLI_BATCH_READER_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/json_line.h"
#include "dimwise/op_registry.h"

namespace dimwise {

class BatchReader {
 public:
  // The registry must outlive the reader.
  explicit BatchReader(const OpRegistry& registry, bool lenient = false)
      : registry_(registry), lenient_(lenient) {}

  // Appends the answer to a request, with a line end.
  void Answer(std::string_view line, size_t number, std::string* answers);
  // Appends the answer to a line that exceeded the length limit.
  void AnswerTooLong(size_t number, size_t max_line, std::string* answers);

 private:
  const OpRegistry& registry_;
  const bool lenient_;  // unknown fields are ignored
  JsonLine json_;
};

// Answers all lines read from descriptor `input` on descriptor `output`. Returns false and sets *error if the
// system could not read or write.
bool RunBatch(const OpRegistry& registry, bool lenient, int input, int output, std::string* error);

}  // namespace dimwise

#endif  // DIMWISE_CLI_BATCH_READER_H_
