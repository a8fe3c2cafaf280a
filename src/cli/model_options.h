// The options that all commands on models share: the models, facts about their inputs, and the form of the
// output.
#ifndef DIMWISE_CLI_MODEL_OPTIONS_H_
#define DIMWISE_CLI_MODEL_OPTIONS_H_

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace dimwise {

struct ModelOptions {
  std::vector<std::string> models;       // files, folders, "-"
  std::vector<std::string> shapes;       // "x=N,3,224,224"
  std::vector<std::string> sets;         // "N=8"
  std::vector<std::string> values;       // "hw=[224, 224]"
  std::vector<std::string> renames;      // "batch=N"
  std::vector<std::string> allow_empty;  // "past_*"
  std::vector<std::string> assume;       // "seq <= 4096, seq % 8 == 0"
  std::vector<std::string> rules;        // rule files
  // For a side of `diff`: numbers for symbols or sizes of inputs, given by the option `side_option`.
  std::vector<std::string> side;
  std::string side_option = {};
  std::string from;  // the format of the models; empty: detected from their contents
  std::string format = "human";
  std::string effort = "normal";  // low, normal or high
  int jobs = 0;                   // the number of models inferred in parallel; 0: the number of processors
  bool quiet = false;
  bool verbose = false;
  bool reads_config = false;      // not an option: whether contents of inputs in dimwise.toml count
  bool used_assumptions = false;  // not an option: whether the command reports used assumptions
};

// Returns a command on the model with these options, such as `dimwise guards my.onnx --set N=8`. Returns ""
// for standard input, which cannot be read twice.
std::string CommandAbout(std::string_view command, const std::string& path, const ModelOptions& options);

// Adds the argument MODEL...: files, folders, and at most one -.
void AddModelsArgument(CLI::App& command, ModelOptions* options);
// Adds all options except MODEL and --format, which differ between commands.
void AddModelOptions(CLI::App& command, ModelOptions* options);
void AddFormatOption(CLI::App& command, ModelOptions* options, std::vector<std::string> formats);

}  // namespace dimwise

#endif  // DIMWISE_CLI_MODEL_OPTIONS_H_
