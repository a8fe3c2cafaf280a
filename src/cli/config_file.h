// dimwise.toml: what a project has decided for `dimwise check`. The one in the folder of a model counts, or
// the nearest one in the folders above.
//
//   [check]
//   select = ["DW01", "DW05"]
//   ignore = ["declared-type"]     # we rename our outputs
//   require = "complete"
//
// It is the part of TOML that these need: tables, texts, lists of texts, comments. Anything else is a
// mistake, so that a misspelt key does not go unnoticed.
#ifndef DIMWISE_CLI_CONFIG_FILE_H_
#define DIMWISE_CLI_CONFIG_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "dimwise/result.h"

namespace dimwise {

struct CheckConfig {
  std::vector<std::string> select, ignore;
  std::string require;  // "complete", or nothing
};

// `file` is what messages call the text.
Result<CheckConfig> ParseConfig(std::string_view text, const std::string& file);

// What counts for a model; the default where there is no file.
Result<CheckConfig> ConfigFor(const std::string& model_path);

}  // namespace dimwise

#endif  // DIMWISE_CLI_CONFIG_FILE_H_
