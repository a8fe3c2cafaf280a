// A test as a file of questions with the answers inside:
//
//   # what the next lines show
//   > {"id": 1, "op": "onnx.Relu", ...}
//   < {"id": 1, "ok": true, ...}
//
// Each `>` line is asked and the answer compared whole with the `<` line below it. With DIMWISE_REWRITE=1 in
// the environment the file is written anew with the answers that came, to be read before it is committed.
#ifndef DIMWISE_CLI_TRANSCRIPT_TESTING_H_
#define DIMWISE_CLI_TRANSCRIPT_TESTING_H_

#include <functional>
#include <string>
#include <vector>

namespace dimwise {

// Answers all questions, in order, one answer each.
using AnswerAll = std::function<std::vector<std::string>(const std::vector<std::string>& questions)>;

// Runs the file at a path relative to the root of the sources; what differs is a failure of the running test.
void RunTranscript(const std::string& path, const AnswerAll& answer);

}  // namespace dimwise

#endif  // DIMWISE_CLI_TRANSCRIPT_TESTING_H_
