// `op --batch`: a request a line, an answer a line, in order.
//
// Every line is answered, whatever it is: one that is not JSON with "id": null and its number, one that asks
// for what does not exist with what is wrong. An answer depends on its line alone.
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
  // The registry has to outlive the reader.
  explicit BatchReader(const OpRegistry& registry) : registry_(registry) {}

  // Appends the answer to a line, and the end of its own line.
  void Answer(std::string_view line, size_t number, std::string* answers);
  // The answer to a line that was too long to be read.
  void AnswerTooLong(size_t number, size_t max_line, std::string* answers);

 private:
  const OpRegistry& registry_;
  JsonLine json_;
};

// Answers all lines that come from one descriptor on another. False, with *error telling why, where the
// system could not read or write.
bool RunBatch(const OpRegistry& registry, int input, int output, std::string* error);

}  // namespace dimwise

#endif  // DIMWISE_CLI_BATCH_READER_H_
