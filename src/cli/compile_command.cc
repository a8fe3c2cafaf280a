#include "cli/compile_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/printing.h"
#include "cli/usage_formatter.h"
#include "dimwise/program.h"
#include "dimwise/report.h"
#include "formats/atomic_file.h"

namespace dimwise {
namespace {

constexpr std::string_view kCompileFooter =
    R"(A shape program computes all sizes of the model and evaluates all guards, from the sizes of its inputs. The C
form is one file without dependencies, the Python form is one module, and the JSON form lists the expressions.
The first lines of the C and Python forms describe their use.

Exit codes: 0: written; 1: the model has errors, so nothing is written; 2: bad usage, or a file cannot be read
or written.

Examples:
  dimwise compile bert.onnx --emit c -o bert_shapes.c
  dimwise compile bert.onnx --emit python --assume 'S <= 512' -o bert_shapes.py
  dimwise compile bert.onnx --emit json
)";

struct CompileOptions {
  ModelOptions model;
  std::string emit;
  std::string output;  // a file; empty or "-": standard output
};

std::string Written(const std::string& emit, const ShapeProgram& program) {
  if (emit == "c") return ProgramAsC(program);
  return emit == "python" ? ProgramAsPython(program) : ProgramAsJson(program);
}

CommandOutput Render(const CompileOptions& options, const InferredModel& model) {
  CommandOutput output;
  if (model.report->has_errors()) {
    for (const Diagnostic& finding : model.report->findings) {
      if (finding.severity == Severity::kError) output.err += DiagnosticText(finding, stderr) + "\n\n";
    }
    output.exit_code = kFound;
    return output;
  }
  const ShapeProgram program(*model.inference);
  std::string text = Written(options.emit, program);
  if (options.output.empty() || options.output == "-") {
    output.out = std::move(text);
    return output;
  }
  if (const Status written = AtomicFile::WriteWhole(options.output, text); !written) {
    return Failed(written.error());
  }
  return output;
}

}  // namespace

void AddCompileCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<CompileOptions>();
  options->model.models.resize(1);
  options->model.used_assumptions = true;
  CLI::App* compile =
      app.add_subcommand("compile", "write the shape program of a model as C, Python or JSON");
  compile->formatter(
      std::make_shared<UsageFormatter>("dimwise compile MODEL --emit c|python|json [-o FILE] [options]"));
  compile->add_option("MODEL", options->model.models[0], "the model: a file, or -")->required();
  compile->add_option("--emit", options->emit, "the language: c, python or json")
      ->required()
      ->check(CLI::IsMember({"c", "python", "json"}))
      ->type_name("LANGUAGE");
  CLI::Option* output =
      compile
          ->add_option("-o,--output", options->output, "the output file; - is standard output (the default)")
          ->type_name("FILE");
  AddModelOptions(*compile, &options->model);
  compile->footer(std::string(kCompileFooter));
  compile->callback([options, output, exit_code] {
    if (output->count() > 0 && options->output.empty())
      throw CLI::ValidationError("-o", "is empty; it must be the name of a file");
    std::error_code error;
    if (std::filesystem::is_directory(options->model.models[0], error)) {
      throw CLI::ValidationError("MODEL", "is a folder; one model is required");
    }
    *exit_code = RunOverModels(options->model, [&](const InferredModel& model, const ModelPath&) {
      return Render(*options, model);
    });
  });
}

}  // namespace dimwise
