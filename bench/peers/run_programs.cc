#include "peers/run_programs.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "dimwise/builtin.h"
#include "dimwise/onnx.h"
#include "dimwise/program.h"
#include "formats/mapped_file.h"
#include "peers/cpu_clock.h"

namespace dimwise {
namespace {

struct Compiled {
  std::string path;
  size_t nodes = 0;
  std::optional<ShapeProgram> program;
  std::string failure;
};

Compiled Compile(const std::string& path) {
  Compiled compiled;
  compiled.path = path;
  const auto file = MappedFile::Open(path);
  if (!file) {
    compiled.failure = file.error().message;
    return compiled;
  }
  Analysis analysis;
  const auto model = ReadOnnx(file->bytes(), analysis);
  if (!model) {
    compiled.failure = model.error().message;
    return compiled;
  }
  Inference inference((*model)->graph, BuiltinRegistry());
  inference.Run();
  compiled.nodes = (*model)->graph.node_count();
  compiled.program.emplace(inference);
  if (compiled.program->model_stage_count() > 1) compiled.failure = "sizes depend on data";
  return compiled;
}

int RunAt(const ShapeProgram& program, std::span<int64_t> table, int64_t size) {
  for (const ShapeProgram::Symbol& symbol : program.symbols()) {
    if (symbol.of_inputs) table[symbol.index] = size;
  }
  return program.Run(0, table);
}

void Answer(const Compiled& compiled, std::span<const int64_t> sizes) {
  const ShapeProgram& program = *compiled.program;
  std::vector<int64_t> table = program.NewTable();
  for (const int64_t size : sizes) {
    if (const int code = RunAt(program, table, size); code != 0) {
      std::printf("fails\t%s\n", program.Message(code).c_str());
      return;
    }
  }
  int64_t turn = 0;
  const int64_t run = NanosecondsOf([&] {
    const int code = RunAt(program, table, sizes[static_cast<size_t>(turn++) % sizes.size()]);
    if (code != 0) std::abort();
  });
  std::vector<int64_t> written(program.axes().size() + program.values().size() * 8);
  int64_t sum = 0;
  const int64_t write = NanosecondsOf([&] {
    int64_t* out = written.data();
    for (const ShapeProgram::Value& value : program.values()) {
      for (const uint32_t index : program.ShapeOf(value)) *out++ = table[index];
    }
    sum += out[-1];  // use the result, so that the compiler keeps its computation
  });
  if (sum == INT64_MIN) std::abort();
  size_t expressions = 0;
  for (const std::string& text : program.expressions()) expressions += text.empty() ? 0u : 1u;
  std::printf("done\t%" PRId64 "\t%" PRId64 "\t%zu\t%zu\t%zu\n", run, write, compiled.nodes, expressions,
              program.guards().size());
}

}  // namespace

int ServePrograms() {
  std::string line;
  Compiled compiled;
  while (std::getline(std::cin, line)) {
    std::vector<std::string> words;
    for (size_t at = 0; at <= line.size();) {
      const size_t end = std::min(line.find('\t', at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    if (words[0] != compiled.path) compiled = Compile(words[0]);
    if (!compiled.failure.empty()) {
      std::printf("fails\t%s\n", compiled.failure.c_str());
    } else {
      std::vector<int64_t> sizes;
      for (size_t i = 1; i < words.size(); ++i) sizes.push_back(std::atoll(words[i].c_str()));
      Answer(compiled, sizes);
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace dimwise
