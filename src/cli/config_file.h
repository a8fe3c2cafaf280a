// Reads dimwise.toml, the settings of a project: [check] for `dimwise check`, [rules] for all commands on
// models. The file in the directory of the model is used, or the nearest one in the directories above.
//
//   [check]
//   select = ["DW01", "DW05"]
//   ignore = ["declared-type"]     # we rename our outputs
//   require = "complete"           # or ["complete", "declarations"]
//   value = ["hw=[224, 224]"]
//
//   [rules]
//   files = ["ops/my.shape"]       # relative to the folder of dimwise.toml
//
// Only a part of TOML is accepted: tables, strings, lists of strings, comments. Any other syntax and any
// unknown key is an error, so that a misspelled key is noticed.
#ifndef DIMWISE_CLI_CONFIG_FILE_H_
#define DIMWISE_CLI_CONFIG_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "dimwise/result.h"

namespace dimwise {

struct CheckConfig {
  std::vector<std::string> select, ignore;
  std::vector<std::string> require;     // "complete", "declarations"
  std::vector<std::string> rule_files;  // ParseConfig returns them as written, ConfigFor with their folder
  std::vector<std::string> value;  // "hw=[224, 224]": contents of inputs, for the models that have the input
};

// Parses the text of a file. Diagnostics call the file `file`.
Result<CheckConfig> ParseConfig(std::string_view text, const std::string& file);

// Returns the settings for a model, or the defaults if no file is found.
Result<CheckConfig> ConfigFor(const std::string& model_path);

}  // namespace dimwise

#endif  // DIMWISE_CLI_CONFIG_FILE_H_
