// A file that appears whole or not at all: it is written without a name in the same folder, brought to the
// disk, and given its name at the end. Whatever had the name before stays until then; if anything fails, or
// nobody commits, what was written is gone, also where the process is ended. Where the system has no files
// without a name it has another one, which then stays behind only if the process is ended.
//
// What is no regular file (`-` for standard output, a pipe, /dev/null) is written as it comes.
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

  // All of a text at once.
  static Status WriteWhole(const std::string& path, std::string_view text);

  Status Write(std::string_view bytes);
  Status Commit();

 private:
  AtomicFile() = default;
  Unexpected Failed(std::string_view doing) const;
  bool Open(mode_t mode);
  bool OpenWithoutName(mode_t mode);
  // Tries names beside the target until `take` accepts one.
  bool TakeTemporaryName(FunctionRef<bool(const char*)> take);

  std::string path_;       // as the user gave it, for messages
  std::string target_;     // what gets the bytes in the end, links followed; empty: written as it comes
  std::string temporary_;  // empty while there is no such name
  int descriptor_ = -1;
  bool owned_ = false;  // to be closed
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ATOMIC_FILE_H_
