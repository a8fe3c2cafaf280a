// Golden files: the expected output of a test as a file, for outputs too long to be read in a test.
//
// With DIMWISE_REWRITE=1 in the environment (`make golden`) each test writes its actual output instead of
// comparing it. Review the changes before committing them.
#ifndef DIMWISE_CORE_BASE_GOLDEN_TESTING_H_
#define DIMWISE_CORE_BASE_GOLDEN_TESTING_H_

#include <string>
#include <string_view>

namespace dimwise {

// Returns whether golden files are rewritten in this run.
bool RewritesGoldenFiles();

// Expects that the file contains exactly `actual`. `path` is relative to the root of the sources.
void ExpectGolden(const std::string& path, std::string_view actual);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_GOLDEN_TESTING_H_
