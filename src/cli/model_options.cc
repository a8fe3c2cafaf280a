#include "cli/model_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/model_file.h"
#include "cli/rule_files.h"
#include "cli/shell_word.h"
#include "cli/whole_number.h"

namespace dimwise {

std::string CommandAbout(std::string_view command, const std::string& path, const ModelOptions& options) {
  if (path == "-") return {};
  std::string text = fmt::format("dimwise {} {}", command, ShellWord(path));
  const auto add = [&](std::string_view option, const std::vector<std::string>& words) {
    for (const std::string& word : words) text += fmt::format(" {} {}", option, ShellWord(word));
  };
  add("--shape", options.shapes);
  add("--set", options.sets);
  add("--value", options.values);
  add("--rename", options.renames);
  add("--assume", options.assume);
  add("--allow-empty", options.allow_empty);
  add("--rules", options.rules);
  if (!options.from.empty()) text += " --from " + options.from;
  if (options.effort != "normal") text += " --effort " + options.effort;
  return text;
}

void AddModelsArgument(CLI::App& command, ModelOptions* options) {
  command.add_option("MODEL", options->models, "the models: files, folders, or -")->required();
}

void AddModelOptions(CLI::App& command, ModelOptions* options) {
  command
      .add_option("--shape", options->shapes,
                  "the sizes of an input: x=N,3,_,_ where _ keeps a size, or 'x[0]=N'")
      ->allow_extra_args(false)
      ->type_name("INPUT=SIZES");
  command
      .add_option("--set", options->sets,
                  "a number for a symbol of the inputs, or for a size that depends on data: N=8, u1=7")
      ->allow_extra_args(false)
      ->type_name("SYMBOL=NUMBER");
  command
      .add_option("--value", options->values,
                  "the contents of an input: 'hw=[224, 224]', trips=8, 'shape=[N, 3]'")
      ->allow_extra_args(false)
      ->type_name("INPUT=CONTENTS");
  command.add_option("--assume", options->assume, "facts about the symbols: 'seq <= 4096, seq % 8 == 0'")
      ->allow_extra_args(false)
      ->type_name("FACTS");
  command
      .add_option("--allow-empty", options->allow_empty,
                  "inputs whose sizes may be 0, which are otherwise assumed to be at least 1: 'past_*'")
      ->allow_extra_args(false)
      ->type_name("INPUTS");
  command.add_option("--rename", options->renames, "another name for a symbol of the inputs: batch=N")
      ->allow_extra_args(false)
      ->type_name("SYMBOL=NAME");
  AddRulesOption(command, &options->rules);
  command.add_option("--from", options->from, "the format of the model, if its contents do not determine it")
      ->check(CLI::IsMember(ModelFormatNames()))
      ->type_name("FORMAT");
  command
      .add_option("--effort", options->effort,
                  "low, normal or high: how many steps a query about sizes may take before it is given up")
      ->check(CLI::IsMember({"low", "normal", "high"}))
      ->type_name("EFFORT");
  command
      .add_option(
          "--jobs", options->jobs,
          "the number of models that are inferred in parallel (0, the default: one for each processor)")
      ->check(WholeNumber())
      ->type_name("N");
  CLI::Option* quiet = command.add_flag("-q,--quiet", options->quiet, "print only results and errors");
  command.add_flag("-v,--verbose", options->verbose, "print more, such as the time of inference")
      ->excludes(quiet);
}

void AddFormatOption(CLI::App& command, ModelOptions* options, std::vector<std::string> formats) {
  std::string help = formats[0];
  for (size_t i = 1; i < formats.size(); ++i) help += (i + 1 == formats.size() ? " or " : ", ") + formats[i];
  command.add_option("--format", options->format, help)
      ->check(CLI::IsMember(std::move(formats)))
      ->type_name("FORMAT");
}

}  // namespace dimwise
