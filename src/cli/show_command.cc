#include "cli/show_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "dimwise/graph_text.h"
#include "report/model_table.h"

namespace dimwise {
namespace {

constexpr std::string_view kShowFooter =
    R"(Each filter leaves out more; a node is shown where all of them let it pass.

Examples:
  dimwise show bert.onnx
  dimwise show bert.onnx --op MatMul --name 'encoder/layer.0*'
  dimwise show bert.onnx --unknown
  dimwise show bert.onnx --text > bert.graph
)";

struct ShowOptions {
  ModelOptions model;
  TableOptions table;
  bool text = false;
};

Told Tell(const ShowOptions& options, const InferredModel& model) {
  TableOptions table = options.table;
  table.width = WidthOf(stdout);
  table.colour = ColourOf(stdout);
  Told told;
  told.exit_code = model.report->has_errors() ? kFound : kDone;
  if (options.text) {
    told.out = ToString(model.report->graph());
    return told;
  }
  told.out = ModelTable(*model.report, table);
  if (told.out.empty() && !options.model.quiet) {
    told.err =
        model.report->file + ": no node " + (model.report->stats.nodes == 0 ? "is there" : "passes") + "\n";
  }
  return told;
}

}  // namespace

void AddShowCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ShowOptions>();
  options->model.models.resize(1);
  CLI::App* show = app.add_subcommand("show", "show the nodes of a model with their shapes");
  show->formatter(std::make_shared<UsageFormatter>("dimwise show MODEL [options]"));
  show->add_option("MODEL", options->model.models[0], "the model: a file, a folder, or -")->required();
  show->add_option(
      "--name", options->table.name,
      "nodes whose name, or that of a result, has this in it; with * and ? a pattern for all of it");
  show->add_option("--op", options->table.op, "nodes of an operator: Conv, or onnx.Conv");
  show->add_flag("--unknown", options->table.unknown_only,
                 "nodes with a result of which a shape or type is not known");
  show->add_flag("--text", options->text,
                 "the program itself, without what is inferred, in the text form that is read as well");
  AddModelOptions(*show, &options->model);
  show->footer(std::string(kShowFooter));
  show->callback([options, exit_code] {
    *exit_code = RunOverModels(
        options->model, [&](const InferredModel& model, const ModelPath&) { return Tell(*options, model); });
  });
}

}  // namespace dimwise
