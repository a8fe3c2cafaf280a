// Runs a fuzzer on the files of its corpus without libFuzzer, so that any compiler can replay its findings.
// An empty corpus is a failure.
//
//   dimwise_foo_fuzz fuzz/corpus/foo      every file under the folder, in the order of their names
//   dimwise_foo_fuzz crash-1234           one file

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

void AddFiles(const fs::path& path, std::vector<fs::path>& files) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (fs::is_regular_file(path, error)) files.push_back(path);
    return;
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
}

void Replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  // A copy of exactly this size, on the heap, lets the address sanitizer see a read one past the end.
  const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(data.data(), data.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) AddFiles(argv[i], files);
  if (files.empty()) {
    std::fprintf(stderr, "replay: no input; put at least one file into %s\n",
                 argc > 1 ? argv[1] : "the corpus");
    return 1;
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    // Before it runs, so that the last line names the input that crashed.
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    Replay(path);
  }
  std::printf("replayed %zu inputs\n", files.size());
  return 0;
}
