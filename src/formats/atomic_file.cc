#include "formats/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace dimwise {
namespace {

// The system takes at most 2 GB at once.
constexpr size_t kMaxWrite = size_t{1} << 30;

std::string FollowLinks(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) != nullptr ? resolved : path;
}

// The permissions that a file gets where nobody says otherwise.
mode_t DefaultMode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

void SyncFolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      owned_(std::exchange(other.owned_, false)) {}

AtomicFile::~AtomicFile() {
  if (owned_) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Unexpected AtomicFile::Failed(std::string_view doing) const {
  Diagnostic d;
  d.code = Code::kUnreadableFile;
  d.message = fmt::format("cannot {} '{}': {}", doing, path_, std::strerror(errno));
  return Unexpected(std::move(d));
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
  file.target_ = exists ? FollowLinks(path) : path;
  std::string temporary = file.target_ + ".XXXXXX";
  file.descriptor_ = ::mkstemp(temporary.data());
  if (file.descriptor_ < 0) return file.Failed("write");
  file.owned_ = true;
  file.temporary_ = std::move(temporary);
  if (::fchmod(file.descriptor_, exists ? info.st_mode & 07777 : DefaultMode()) != 0)
    return file.Failed("write");
  return file;
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
  if (temporary_.empty()) return {};
  if (::fsync(descriptor_) != 0) return Failed("write");
  owned_ = false;
  if (::close(descriptor_) != 0) return Failed("write");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return Failed("write");
  temporary_.clear();
  SyncFolderOf(target_);
  return {};
}

}  // namespace dimwise
