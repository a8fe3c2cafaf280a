// The options that every command with a MODEL takes: which models, what is known of their inputs, how to
// tell.
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
  std::vector<std::string> models;  // files, folders, "-"
  std::vector<std::string> shapes;  // "x=N,3,224,224"
  std::vector<std::string> sets;    // "N=8"
  std::vector<std::string> assume;  // "seq <= 4096, seq % 8 == 0"
  std::vector<std::string> rules;   // files of further rules
  // Of one side of `diff`: each a number for a symbol or the sizes of an input, given by that option.
  std::vector<std::string> side;
  std::string side_option = {};
  std::string from;  // the format of the models; empty: told from their contents
  std::string format = "human";
  int jobs = 0;  // how many models are inferred at a time; 0: as many as there are processors
  bool quiet = false;
  bool verbose = false;
  bool used_assumptions = false;  // no option: whether the command tells them
};

// `dimwise checks my.onnx --set N=8`: a command about the model at a path that takes it to be what these
// options say. Empty where it is standard input, which cannot be read again.
std::string CommandAbout(std::string_view command, const std::string& path, const ModelOptions& options);

// Adds all but MODEL, of which commands take one or many, and --format, of which they know different ones.
void AddModelOptions(CLI::App& command, ModelOptions* options);
void AddFormatOption(CLI::App& command, ModelOptions* options, std::vector<std::string> formats);

}  // namespace dimwise

#endif  // DIMWISE_CLI_MODEL_OPTIONS_H_
