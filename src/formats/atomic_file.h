// A file that appears whole or not at all.
//
// The bytes are written to an unnamed file in the directory of the target, synced to the disk, and given the
// target's name by Commit. Until then the old file stays. Without Commit, or if the process ends, the new
// file disappears. If the file system does not support unnamed files, a temporary name is used. That file
// stays behind only if the process ends.
//
// Anything but a regular file (`-` for standard output, a pipe, /dev/null) is written directly.
#ifndef DIMWISE_FORMATS_ATOMIC_FILE_H_
#define DIMWISE_FORMATS_ATOMIC_FILE_H_

#include <sys/types.h>

#include <string>
#include <string_view>

#include "core/base/function_ref.h"
#include "dimwise/result.h"

namespace dimwise {

class AtomicFile {
 public:
  static Result<AtomicFile> Create(const std::string& path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) = delete;
  ~AtomicFile();

  // Creates, writes and commits a file.
  static Status WriteWhole(const std::string& path, std::string_view text);

  Status Write(std::string_view bytes);
  Status Commit();

 private:
  AtomicFile() = default;
  Unexpected Failed(std::string_view doing) const;
  bool Open(mode_t mode);
  bool OpenWithoutName(mode_t mode);
  // Tries temporary names beside the target until `take` accepts one.
  bool TakeTemporaryName(FunctionRef<bool(const char*)> take);

  std::string path_;       // as the user gave it, for diagnostics
  std::string target_;     // the file to replace, with links resolved; empty: write directly
  std::string temporary_;  // empty if there is no temporary name
  int descriptor_ = -1;
  bool owned_ = false;  // whether the descriptor has to be closed
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ATOMIC_FILE_H_
