// Gives numbers to sizes that depend on data, such as `--set u1=7`. Inference creates their symbols.
#ifndef DIMWISE_CLI_DATA_SIZES_H_
#define DIMWISE_CLI_DATA_SIZES_H_

#include <string>
#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

struct DataSize {
  std::string name;  // "u1"
  int64_t number = 0;
  std::string word;  // "--set u1=7"
};

// Adds an assumption for each of the sizes; the caller then runs the inference again. Returns an error for a
// name that no size has, and for a number that the size cannot have. `others` are names of symbols of the
// inputs, which are suggested too.
Status AssumeDataSizes(const std::vector<DataSize>& sizes, const ModelReport& report,
                       std::vector<std::string> others, Inference* inference);

}  // namespace dimwise

#endif  // DIMWISE_CLI_DATA_SIZES_H_
