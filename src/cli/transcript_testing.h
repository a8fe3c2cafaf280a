// Runs a test written as a file of requests with the expected answers:
//
//   # what the next lines show
//   > {"id": 1, "op": "onnx.Relu", ...}
//   < {"id": 1, "ok": true, ...}
//
// Each `>` line is a request. The answer is compared with the `<` line below it. `make golden` rewrites the
// file with the actual answers (core/base/golden_testing.h).
#ifndef DIMWISE_CLI_TRANSCRIPT_TESTING_H_
#define DIMWISE_CLI_TRANSCRIPT_TESTING_H_

#include <functional>
#include <string>
#include <vector>

namespace dimwise {

// Returns one answer per request, in order.
using AnswerAll = std::function<std::vector<std::string>(const std::vector<std::string>& requests)>;

// Runs a transcript. `path` is relative to the root of the sources. Each difference is a failure of the
// running test.
void RunTranscript(const std::string& path, const AnswerAll& answer);

}  // namespace dimwise

#endif  // DIMWISE_CLI_TRANSCRIPT_TESTING_H_
