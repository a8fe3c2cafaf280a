// Our side of `make bench-peers`: infers all types from the bytes of an ONNX model in memory.
//
// Each input line is the path of a model. The answer is a line with the nanoseconds of CPU time per run, and
// the numbers of nodes and values. A caller can repeat a path to alternate with another program. A run
// includes reading the bytes and freeing all memory. Runs are repeated as described in cpu_clock.h.
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "dimwise/builtin.h"
#include "dimwise/inference.h"
#include "dimwise/onnx.h"
#include "formats/mapped_file.h"
#include "peers/cpu_clock.h"
#include "peers/run_programs.h"

namespace dimwise {
namespace {

struct Size {
  size_t nodes = 0, values = 0;
};

Result<Size> RunOnce(std::span<const std::byte> bytes) {
  Analysis analysis;
  const auto model = ReadOnnx(bytes, analysis);
  if (!model) return Unexpected(model.error());
  const Graph& graph = (*model)->graph;
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  size_t known = 0;
  for (uint32_t i = 0; i < graph.value_count(); ++i) {
    if (inference.type(ValueId{i}).kind != TypeKind::kUnknown) ++known;
  }
  // Use the result, so that the compiler keeps its computation.
  if (known > graph.value_count()) std::abort();
  return Size{graph.node_count(), graph.value_count()};
}

int Serve() {
  std::string path, loaded, bytes;
  while (std::getline(std::cin, path)) {
    if (path != loaded) {
      const auto file = MappedFile::Open(path);
      if (!file) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(), file.error().message.c_str());
        return 2;
      }
      bytes.assign(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
      loaded = path;
    }
    Size size;
    std::string failure;
    const int64_t taken = NanosecondsOf([&] {
      const Result<Size> run = RunOnce(std::as_bytes(std::span(bytes)));
      run ? void(size = *run) : void(failure = run.error().message);
    });
    if (!failure.empty()) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), failure.c_str());
      return 2;
    }
    std::printf("%" PRId64 " %zu %zu\n", taken, size.nodes, size.values);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace dimwise

int main(int count, char** words) {
  const std::string_view what = count == 2 ? words[1] : "";
  if (what == "infer") return dimwise::Serve();
  if (what == "programs") return dimwise::ServePrograms();
  std::fputs("usage: dimwise_peers infer|programs\n", stderr);
  return 2;
}
