#include "cli/model_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "cli/exit_code.h"
#include "cli/printing.h"
#include "cli/progress.h"
#include "cli/rule_files.h"
#include "cli/terminal.h"
#include "dimwise/builtin.h"
#include "report/models/github.h"
#include "report/models/model_json.h"
#include "report/models/sarif.h"

namespace dimwise {
namespace {

// Calls render(i) for 0 .. count-1 on `jobs` threads, and done(i, result) on the calling thread in order of
// i.
template <typename Render, typename Done>
void InOrder(size_t count, size_t jobs, const Render& render, const Done& done) {
  if (jobs <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) done(i, render(i));
    return;
  }
  std::vector<std::optional<CommandOutput>> outputs(count);
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < std::min(jobs, count); ++t) {
    threads.emplace_back([&] {
      for (size_t i = next++; i < count; i = next++) {
        CommandOutput output = render(i);
        const std::lock_guard lock(mutex);
        outputs[i] = std::move(output);
        changed.notify_one();
      }
    });
  }
  for (size_t i = 0; i < count; ++i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return outputs[i].has_value(); });
    CommandOutput output = std::move(*outputs[i]);
    lock.unlock();
    done(i, std::move(output));
  }
  for (std::thread& thread : threads) thread.join();
}

// Text printed before, between and after the models.
struct Frame {
  std::string before, between, after;
};

Frame FrameOf(const std::string& format, bool several) {
  if (format == "json") return several ? Frame{"[", ",\n", "]\n"} : Frame{"", "", "\n"};
  if (format == "jsonl") return {"", "\n", "\n"};
  if (format == "sarif") return {SarifHead(), ",\n", SarifTail()};
  if (format == "human") return {"", "\n", ""};
  return {};
}

// Returns the data printed for a model that could not be read or inferred.
std::string FailureData(const std::string& format, const std::string& file, const Diagnostic& failure,
                        bool several) {
  std::string out;
  if (several && (format == "json" || format == "jsonl")) {
    JsonWriter json(&out);
    WriteFailedModel(json, file, failure);
  }
  // A mistake on the command line is not a finding about the file.
  if (!several && failure.code == Code::kBadUsage) return out;
  Diagnostic finding = failure;
  if (finding.source.file.empty()) finding.source.file = file;
  if (format == "sarif") return SarifResults({&finding, 1});
  if (format == "github") return GithubText({&finding, 1});
  return out;
}

// Replaces a failure by the text to print; any other output is returned as it is. With several models, a
// mistake on the command line names the model on which it failed.
CommandOutput RenderFailure(CommandOutput output, const std::string& format, const ModelPath& path,
                            bool several) {
  if (!output.failure) return output;
  const std::string file = path.path == "-" ? "standard input" : path.path;
  Diagnostic failure = std::move(*output.failure);
  if (several && failure.code == Code::kBadUsage && failure.source.file.empty()) failure.source.file = file;
  return {FailureData(format, file, failure, several), DiagnosticText(failure, stderr) + "\n", kCouldNotDo};
}

size_t JobsOf(const ModelOptions& options) {
  if (options.jobs > 0) return static_cast<size_t>(options.jobs);
  return std::max(1U, std::thread::hardware_concurrency());
}

// The operators for the models of each folder: dimwise.toml may name rule files. Models are inferred on
// several threads.
class FolderRegistries {
 public:
  explicit FolderRegistries(const OpRegistry& base) : base_(base) {}

  // The reference stays valid.
  const Result<OpRegistry>& For(const std::string& model_path) {
    const std::string folder =
        model_path == "-" ? "." : std::filesystem::path(model_path).parent_path().string();
    const std::lock_guard lock(mutex_);
    const auto [it, added] = registries_.try_emplace(folder);
    if (added) it->second.emplace(WithConfiguredRules(base_, model_path));
    return *it->second;
  }

 private:
  const OpRegistry& base_;
  std::mutex mutex_;
  std::map<std::string, std::optional<Result<OpRegistry>>> registries_;
};

CommandOutput ReadAndRender(const ModelPath& path, FolderRegistries& registries, const ModelOptions& options,
                            const RenderModel& render) {
  const auto start = std::chrono::steady_clock::now();
  const Result<OpRegistry>& registry = registries.For(path.path);
  if (!registry) return Failed(registry.error());
  const Result<InferredModel> model = InferModel(path, *registry, options);
  if (!model) return Failed(model.error());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  CommandOutput output = render(*model, path);
  if (options.verbose) {
    output.err +=
        fmt::format("{}: read and inferred in {:.1f} ms, {} visits of {} nodes\n", model->report->file,
                    took.count(), model->inference->visit_count(), model->report->stats.nodes);
  }
  return output;
}

// Prints the outputs of the models in order, collects rows of a table, and keeps the worst exit code.
class OutputPrinter {
 public:
  // `options` and `paths` have to outlive the printer.
  OutputPrinter(const ModelOptions& options, const ModelPaths& paths)
      : options_(options),
        paths_(paths),
        frame_(FrameOf(options.format, paths.several)),
        progress_(options.quiet ? 0 : paths.found.size(), stderr) {
    ShowProgress(0);
  }

  void Add(size_t i, CommandOutput rendered) {
    const bool failed = rendered.failure.has_value();
    failed_ += failed ? 1U : 0U;
    CommandOutput output =
        RenderFailure(std::move(rendered), options_.format, paths_.found[i], paths_.several);
    // Several models fail for one reason if the reason is in a file that they share, as dimwise.toml is.
    if (failed && !printed_failures_.insert(output.err).second) output.err.clear();
    if (!output.err.empty() || !output.out.empty()) progress_.Clear();
    Print(stderr, output.err);
    exit_code_ = std::max(exit_code_, output.exit_code);
    ShowProgress(i + 1);
    if (paths_.several && output.row) {
      rows_.push_back(std::move(*output.row));
      return;
    }
    if (output.out.empty()) return;
    if (paths_.several) output.out.insert(0, output.title);
    progress_.Clear();
    Print(stdout, (printed_ ? frame_.between : frame_.before) + output.out);
    printed_ = true;
  }

  // Prints the table or the end of the list, then the summary. Returns the exit code of the command.
  int Finish(const RenderSummary& render_summary) {
    progress_.Clear();
    if (!rows_.empty()) {
      Print(stdout, ModelsTable(rows_, TableWidthOf(stdout), ColourOf(stdout)));
      return exit_code_;
    }
    // A run that failed without output prints nothing. A run that succeeded without output prints an empty
    // list.
    if (printed_) {
      Print(stdout, frame_.after);
    } else if (exit_code_ != kCouldNotDo) {
      Print(stdout, frame_.before + (frame_.before.empty() ? "" : frame_.after));
    }
    if (render_summary && options_.format == "human" && !options_.quiet) {
      const CommandOutput summary = render_summary(paths_.found.size(), failed_);
      Print(stderr, summary.err);
      Print(stdout, (printed_ && !summary.out.empty() ? frame_.between : "") + summary.out);
    }
    return exit_code_;
  }

 private:
  void ShowProgress(size_t done) {
    progress_.Show(done, done < paths_.found.size() ? paths_.found[done].below : std::string());
  }

  const ModelOptions& options_;
  const ModelPaths& paths_;
  const Frame frame_;
  Progress progress_;
  std::vector<ModelRow> rows_;
  int exit_code_ = kDone;
  size_t failed_ = 0;
  std::set<std::string> printed_failures_;
  bool printed_ = false;
};

}  // namespace

CommandOutput Failed(Diagnostic failure) {
  CommandOutput output;
  output.exit_code = kCouldNotDo;
  output.failure = std::move(failure);
  return output;
}

std::string ErrorInShort(const InferredModel& model, const ModelPath& path, const ModelOptions& options) {
  const std::vector<Diagnostic>& findings = model.report->findings;
  const auto errors = std::ranges::count(findings, Severity::kError, &Diagnostic::severity);
  if (errors == 0) return {};
  Diagnostic first = *std::ranges::find(findings, Severity::kError, &Diagnostic::severity);
  first.sides.clear();
  first.notes.clear();
  first.help.clear();
  const std::string command = CommandAbout("check", path.path, options);
  if (errors > 1) first.notes.push_back(fmt::format("this is the first of {} errors", errors));
  if (!command.empty()) first.help = fmt::format("`{}` prints all details", command);
  return DiagnosticText(first, stderr) + "\n";
}

int RunOverModels(const ModelOptions& options, const RenderModel& render,
                  const RenderSummary& render_summary) {
  std::string err;
  const std::optional<OpRegistry> registry = WithRuleFiles(BuiltinRegistry(), options.rules, &err);
  Print(stderr, err);
  if (!registry) return kCouldNotDo;
  const Result<ModelPaths> paths = FindModels(options.models);
  if (!paths) {
    Print(stderr, DiagnosticText(paths.error(), stderr) + "\n");
    return kCouldNotDo;
  }
  FolderRegistries registries(*registry);
  OutputPrinter printer(options, *paths);
  InOrder(
      paths->found.size(), JobsOf(options),
      [&](size_t i) { return ReadAndRender(paths->found[i], registries, options, render); },
      [&](size_t i, CommandOutput output) { printer.Add(i, std::move(output)); });
  const int exit_code = printer.Finish(render_summary);
  const std::string skipped = options.quiet ? "" : SkippedText(*paths);
  if (!skipped.empty()) Print(stderr, skipped + "\n");
  return exit_code;
}

}  // namespace dimwise
