#include "formats/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/failure.h"

namespace dimwise {
namespace {

Unexpected Unreadable(std::string message, std::string help = {}) {
  return Failure(Code::kUnreadableFile, std::move(message), std::move(help));
}

// Closes the descriptor on each return of Open. A mapping outlives its descriptor.
struct Descriptor {
  int number;
  ~Descriptor() { ::close(number); }
};

}  // namespace

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      mapped_(std::exchange(other.mapped_, false)),
      read_(std::move(other.read_)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
  std::swap(read_, other.read_);
  return *this;
}

MappedFile::~MappedFile() {
  if (mapped_) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile MappedFile::Holding(std::vector<std::byte> bytes) {
  MappedFile file;
  file.read_ = std::move(bytes);
  file.bytes_ = file.read_;
  return file;
}

MappedFile MappedFile::Viewing(std::span<const std::byte> bytes) {
  MappedFile file;
  file.bytes_ = bytes;
  return file;
}

Result<MappedFile> MappedFile::Open(const std::string& path) {
  if (path == "-") return ReadAll(STDIN_FILENO, "standard input");
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) return Unreadable(fmt::format("cannot open '{}': {}", path, std::strerror(errno)));
  struct stat info = {};
  if (::fstat(file.number, &info) != 0) {
    return Unreadable(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  }
  if (S_ISDIR(info.st_mode)) {
    return Unreadable(fmt::format("'{}' is a folder; a model file is needed here", path));
  }
  if (!S_ISREG(info.st_mode) || info.st_size == 0) return ReadAll(file.number, "'" + path + "'");
  const auto size = static_cast<size_t>(info.st_size);
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (memory == MAP_FAILED) return ReadAll(file.number, "'" + path + "'");
  MappedFile mapped;
  mapped.bytes_ = {static_cast<const std::byte*>(memory), size};
  mapped.mapped_ = true;
  return mapped;
}

Result<MappedFile> MappedFile::ReadAll(int descriptor, const std::string& name) {
  MappedFile file;
  std::vector<std::byte>& buffer = file.read_;
  size_t size = 0;
  while (true) {
    if (size == buffer.size()) buffer.resize(buffer.size() * 2 + 65536);
    const ssize_t got = ::read(descriptor, buffer.data() + size, buffer.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Unreadable(fmt::format("cannot read {}: {}", name, std::strerror(errno)));
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  buffer.resize(size);
  file.bytes_ = buffer;
  return file;
}

}  // namespace dimwise
