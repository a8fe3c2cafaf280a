#include "cli/show_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "core/base/nearest_name.h"
#include "dimwise/graph_text.h"
#include "report/models/model_counts.h"
#include "report/models/model_json.h"
#include "report/models/model_table.h"

namespace dimwise {
namespace {

constexpr std::string_view kShowFooter =
    R"(A node is printed if it matches all filters.

Examples:
  dimwise show bert.onnx
  dimwise show bert.onnx --op MatMul --name 'encoder/layer.0*'
  dimwise show bert.onnx --unknown
  dimwise show bert.onnx --text > bert.graph
  dimwise show bert.onnx --op Conv --format json
)";

struct ShowOptions {
  ModelOptions model;
  TableOptions table;
  bool text = false;
};

// Explains an empty table. The operator may be misspelled.
std::string WhyNone(const ShowOptions& options, const ModelReport& report) {
  if (report.stats.nodes == 0) return "the model has no nodes";
  std::vector<std::string> ops;
  for (const OpCount& count : CountByOp(report)) {
    ops.emplace_back(ShortName(count.op));
    ops.push_back(count.op);
  }
  const std::string& op = options.table.filter.op;
  if (op.empty() || std::ranges::find(ops, op) != ops.end()) return "no node matches the filters";
  const std::vector<std::string_view> names(ops.begin(), ops.end());
  const std::string_view near = NearestName(op, names);
  return fmt::format("no node has the operator {}", op) +
         (near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

CommandOutput Render(const ShowOptions& options, const InferredModel& model, const ModelPath& path) {
  TableOptions table = options.table;
  table.width = TableWidthOf(stdout);
  table.colour = ColourOf(stdout);
  CommandOutput output;
  output.exit_code = model.report->has_errors() ? kFound : kDone;
  output.err = ErrorInShort(model, path, options.model);
  if (options.model.format != "human") {
    JsonWriter json(&output.out);
    WriteNodeSelection(json, *model.report, SelectNodes(*model.report, table.filter));
    return output;
  }
  if (options.text) {
    output.title = "# " + Printable(model.report->file) + "\n";
    output.out = ToString(model.report->graph());
    return output;
  }
  output.title = Painted(Printable(model.report->file), kBold, table.colour) + "\n";
  output.out = ModelTable(*model.report, table);
  if (output.out.empty() && !options.model.quiet) {
    output.err += fmt::format("{}: {}\n", model.report->file, WhyNone(options, *model.report));
  }
  return output;
}

}  // namespace

void AddShowCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* show = app.add_subcommand("show", "print the nodes of a model with their shapes");
  show->formatter(std::make_shared<UsageFormatter>("dimwise show MODEL... [options]"));
  AddModelsArgument(*show, &options->model);
  show->add_option(
      "--name", options->table.filter.name,
      "nodes whose name, or the name of a result, contains this text or matches this pattern (* and ?)");
  show->add_option("--op", options->table.filter.op, "nodes of this operator: Conv or onnx.Conv");
  show->add_flag("--unknown", options->table.filter.unknown_only,
                 "nodes with a result of unknown shape or type");
  show->add_flag("--text", options->text,
                 "print the graph in text form, without inferred shapes; dimwise reads this form too");
  AddModelOptions(*show, &options->model);
  AddFormatOption(*show, &options->model, {"human", "json", "jsonl"});
  AddWideOption(*show);
  show->footer(std::string(kShowFooter));
  show->callback([options, exit_code] {
    if (options->text && options->model.format != "human")
      throw CLI::ValidationError("--text", "cannot be combined with --format " + options->model.format);
    *exit_code = RunOverModels(options->model, [&](const InferredModel& model, const ModelPath& path) {
      return Render(*options, model, path);
    });
  });
}

}  // namespace dimwise
