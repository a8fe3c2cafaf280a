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
#include "cli/progress.h"
#include "cli/rule_files.h"
#include "cli/terminal.h"
#include "dimwise/builtin.h"
#include "report/op_text.h"
#include "report/sarif.h"

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

void Print(const std::string& text, std::FILE* stream) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

Told Failure(const Diagnostic& error) {
  return {"", DiagnosticText(error, ColourOf(stderr)) + "\n", kCouldNotDo};
}

size_t JobsOf(const ModelOptions& options) {
  if (options.jobs > 0) return static_cast<size_t>(options.jobs);
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

int RunOverModels(const ModelOptions& options, const TellModel& tell) {
  std::string err;
  const std::optional<OpRegistry> registry = WithRuleFiles(BuiltinRegistry(), options.rules, &err);
  Print(err, stderr);
  if (!registry) return kCouldNotDo;
  const Result<ModelPaths> paths = FindModels(options.models);
  if (!paths) {
    Print(Failure(paths.error()).err, stderr);
    return kCouldNotDo;
  }

  const Frame frame = FrameOf(options.format, paths->several);
  int exit_code = kDone;
  bool printed = false;
  const auto tell_one = [&](size_t i) -> Told {
    const ModelPath& path = paths->found[i];
    const auto start = std::chrono::steady_clock::now();
    const Result<InferredModel> model = InferModel(path, *registry, options);
    if (!model) return Failure(model.error());
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
  show_progress(0);
  InOrder(count, JobsOf(options), tell_one, [&](size_t i, Told told) {
    if (!told.err.empty() || !told.out.empty()) progress.Clear();
    Print(told.err, stderr);
    exit_code = std::max(exit_code, told.exit_code);
    show_progress(i + 1);
    if (paths->several && told.row) {
      rows.push_back(std::move(*told.row));
      return;
    }
    if (told.out.empty()) return;
    progress.Clear();
    Print((printed ? frame.between : frame.before) + told.out, stdout);
    printed = true;
  });
  progress.Clear();
  if (!rows.empty()) {
    Print(ModelsTable(rows, WidthOf(stdout), ColourOf(stdout)), stdout);
    return exit_code;
  }
  // Where nothing could be told nothing is written; but of several models an empty list is an answer.
  if (printed) {
    Print(frame.after, stdout);
  } else if (exit_code != kCouldNotDo) {
    Print(frame.before + (frame.before.empty() ? "" : frame.after), stdout);
  }
  return exit_code;
}

}  // namespace dimwise
