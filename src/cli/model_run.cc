#include "cli/model_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
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
#include "report/operators/op_text.h"

namespace dimwise {
namespace {

// Calls tell(i) for 0 .. count-1, `jobs` at a time, and done(i, what it told) in order.
template <typename Tell, typename Done>
void InOrder(size_t count, size_t jobs, const Tell& tell, const Done& done) {
  if (jobs <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) done(i, tell(i));
    return;
  }
  std::vector<std::optional<Told>> told(count);
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < std::min(jobs, count); ++t) {
    threads.emplace_back([&] {
      for (size_t i = next++; i < count; i = next++) {
        Told one = tell(i);
        const std::lock_guard lock(mutex);
        told[i] = std::move(one);
        changed.notify_one();
      }
    });
  }
  for (size_t i = 0; i < count; ++i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return told[i].has_value(); });
    Told one = std::move(*told[i]);
    lock.unlock();
    done(i, std::move(one));
  }
  for (std::thread& thread : threads) thread.join();
}

// What stands before, between and after the models.
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

// What is told of a model of which nothing is known.
std::string FailureOut(const std::string& format, const std::string& file, const Diagnostic& failure,
                       bool several) {
  std::string out;
  if (several && (format == "json" || format == "jsonl")) {
    JsonWriter json(&out);
    WriteFailedModel(json, file, failure);
  }
  // Words of the command line that were not understood are no finding of a file.
  if (!several && failure.code == Code::kBadUsage) return out;
  Diagnostic finding = failure;
  if (finding.source.file.empty()) finding.source.file = file;
  if (format == "sarif") return SarifResults({&finding, 1});
  if (format == "github") return GithubText({&finding, 1});
  return out;
}

// A failure as what is printed of it. What was asked of each of several models says of which it failed.
Told Spelled(Told told, const std::string& format, const ModelPath& path, bool several) {
  if (!told.failure) return told;
  const std::string file = path.path == "-" ? "standard input" : path.path;
  Diagnostic failure = std::move(*told.failure);
  if (several && failure.code == Code::kBadUsage && failure.source.file.empty()) failure.source.file = file;
  return {FailureOut(format, file, failure, several), DiagnosticText(failure, ColourOf(stderr)) + "\n",
          kCouldNotDo};
}

size_t JobsOf(const ModelOptions& options) {
  if (options.jobs > 0) return static_cast<size_t>(options.jobs);
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

Told Failed(Diagnostic failure) {
  Told told;
  told.exit_code = kCouldNotDo;
  told.failure = std::move(failure);
  return told;
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
  if (errors > 1) first.notes.push_back(fmt::format("it is the first of {} errors", errors));
  if (!command.empty()) first.help = fmt::format("`{}` tells more", command);
  return DiagnosticText(first, ColourOf(stderr)) + "\n";
}

int RunOverModels(const ModelOptions& options, const TellModel& tell, const TellAll& tell_all) {
  std::string err;
  const std::optional<OpRegistry> registry = WithRuleFiles(BuiltinRegistry(), options.rules, &err);
  Print(stderr, err);
  if (!registry) return kCouldNotDo;
  const Result<ModelPaths> paths = FindModels(options.models);
  if (!paths) {
    Print(stderr, DiagnosticText(paths.error(), ColourOf(stderr)) + "\n");
    return kCouldNotDo;
  }

  const Frame frame = FrameOf(options.format, paths->several);
  int exit_code = kDone;
  bool printed = false;
  const auto tell_one = [&](size_t i) -> Told {
    const ModelPath& path = paths->found[i];
    const auto start = std::chrono::steady_clock::now();
    const Result<InferredModel> model = InferModel(path, *registry, options);
    if (!model) return Failed(model.error());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    Told told = tell(*model, path);
    if (options.verbose) {
      told.err +=
          fmt::format("{}: read and inferred in {:.1f} ms, {} visits of {} nodes\n", model->report->file,
                      took.count(), model->inference->visit_count(), model->report->stats.nodes);
    }
    return told;
  };
  const size_t count = paths->found.size();
  Progress progress(options.quiet ? 0 : count, stderr);
  const auto show_progress = [&](size_t done) {
    progress.Show(done, done < count ? paths->found[done].below : std::string());
  };
  std::vector<ModelRow> rows;
  size_t failed = 0;
  show_progress(0);
  InOrder(count, JobsOf(options), tell_one, [&](size_t i, Told unspelled) {
    failed += unspelled.failure ? 1U : 0U;
    Told told = Spelled(std::move(unspelled), options.format, paths->found[i], paths->several);
    if (!told.err.empty() || !told.out.empty()) progress.Clear();
    Print(stderr, told.err);
    exit_code = std::max(exit_code, told.exit_code);
    show_progress(i + 1);
    if (paths->several && told.row) {
      rows.push_back(std::move(*told.row));
      return;
    }
    if (told.out.empty()) return;
    if (paths->several) told.out.insert(0, told.title);
    progress.Clear();
    Print(stdout, (printed ? frame.between : frame.before) + told.out);
    printed = true;
  });
  progress.Clear();
  if (!rows.empty()) {
    Print(stdout, ModelsTable(rows, WidthOf(stdout), ColourOf(stdout)));
    return exit_code;
  }
  // Where nothing could be told nothing is written; but of several models an empty list is an answer.
  if (printed) {
    Print(stdout, frame.after);
  } else if (exit_code != kCouldNotDo) {
    Print(stdout, frame.before + (frame.before.empty() ? "" : frame.after));
  }
  if (tell_all && paths->several && options.format == "human" && !options.quiet) {
    const Told all = tell_all(count, failed);
    Print(stderr, all.err);
    Print(stdout, (printed && !all.out.empty() ? frame.between : "") + all.out);
  }
  return exit_code;
}

}  // namespace dimwise
