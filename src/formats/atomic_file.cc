#include "formats/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <random>
#include <utility>

#include "core/base/failure.h"
#include "dimwise/result_macros.h"

namespace dimwise {
namespace {

// write(2) transfers at most 2 GB per call.
constexpr size_t kMaxWrite = size_t{1} << 30;

constexpr int kMaxLinks = 40;  // the limit of Linux
constexpr int kMaxNames = 100;

// Returns the directory of the path, with a slash at the end.
std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

// Follows symbolic links at the end of the path, even if the last one points to a missing file. Returns false
// and sets errno if there are too many.
bool FollowLinks(std::string* path) {
  char link[PATH_MAX];
  for (int i = 0; i <= kMaxLinks; ++i) {
    const ssize_t length = ::readlink(path->c_str(), link, sizeof link);
    if (length < 0) return true;
    const std::string_view next(link, static_cast<size_t>(length));
    *path = (next.starts_with('/') ? "" : FolderOf(*path)) + std::string(next);
  }
  errno = ELOOP;
  return false;
}

// Returns a path to an open file that works even if the file has no name.
std::string NameOfOpen(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

void SyncFolderOf(const std::string& path) {
  const int descriptor = ::open(FolderOf(path).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::exchange(other.target_, {})),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      owned_(std::exchange(other.owned_, false)) {}

AtomicFile::~AtomicFile() {
  if (owned_) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Unexpected AtomicFile::Failed(std::string_view doing) const {
  return Failure(Code::kUnreadableFile,
                 fmt::format("cannot {} '{}': {}", doing, path_, std::strerror(errno)));
}

bool AtomicFile::TakeTemporaryName(FunctionRef<bool(const char*)> take) {
  std::random_device random;
  for (int i = 0; i < kMaxNames; ++i) {
    std::string name = fmt::format("{}.{:08x}", target_, random());
    if (take(name.c_str())) {
      temporary_ = std::move(name);
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

// The system removes the bits of the umask from `mode`.
bool AtomicFile::OpenWithoutName(mode_t mode) {
#ifdef O_TMPFILE
  descriptor_ = ::open(FolderOf(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (descriptor_ < 0) return false;
  if (::access(NameOfOpen(descriptor_).c_str(), F_OK) == 0) return true;
  ::close(descriptor_);
#endif
  return false;
}

bool AtomicFile::Open(mode_t mode) {
  owned_ = OpenWithoutName(mode) || TakeTemporaryName([&](const char* name) {
             descriptor_ = ::open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
             return descriptor_ >= 0;
           });
  return owned_;
}

Result<AtomicFile> AtomicFile::Create(const std::string& path) {
  AtomicFile file;
  file.path_ = path;
  if (path == "-") {
    file.descriptor_ = STDOUT_FILENO;
    return file;
  }
  struct stat info = {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return file.Failed("write");
  }
  if (exists && !S_ISREG(info.st_mode)) {
    file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    file.owned_ = file.descriptor_ >= 0;
    if (!file.owned_) return file.Failed("write");
    return file;
  }
  file.target_ = path;
  if (!FollowLinks(&file.target_) || !file.Open(exists ? 0600 : 0666)) return file.Failed("write");
  if (exists && ::fchmod(file.descriptor_, info.st_mode & 07777) != 0) return file.Failed("write");
  return file;
}

Status AtomicFile::WriteWhole(const std::string& path, std::string_view text) {
  DIMWISE_ASSIGN_OR_RETURN(AtomicFile file, Create(path));
  DIMWISE_RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

Status AtomicFile::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kMaxWrite));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("write");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Status AtomicFile::Commit() {
  if (target_.empty()) return {};
  if (::fsync(descriptor_) != 0) return Failed("write");
  const bool named = !temporary_.empty() || TakeTemporaryName([&](const char* name) {
    return ::linkat(AT_FDCWD, NameOfOpen(descriptor_).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  });
  if (!named) return Failed("write");
  owned_ = false;
  if (::close(descriptor_) != 0) return Failed("write");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return Failed("write");
  temporary_.clear();
  SyncFolderOf(target_);
  return {};
}

}  // namespace dimwise
