// A file that appears whole or not at all: it is written under another name in the same folder, brought to
// the disk, and given its name at the end. Whatever had the name before stays until then; if anything fails,
// or nobody commits, what was written is removed.
//
// What is no regular file (`-` for standard output, a pipe, /dev/null) is written as it comes.
#ifndef DIMWISE_FORMATS_ATOMIC_FILE_H_
#define DIMWISE_FORMATS_ATOMIC_FILE_H_

#include <string>
#include <string_view>

#include "dimwise/result.h"

namespace dimwise {

class AtomicFile {
 public:
  static Result<AtomicFile> Create(const std::string& path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) = delete;
  ~AtomicFile();

  Status Write(std::string_view bytes);
  Status Commit();

 private:
  AtomicFile() = default;
  Unexpected Failed(std::string_view doing) const;

  std::string path_;       // as the user gave it, for messages
  std::string target_;     // what gets the bytes in the end; links followed
  std::string temporary_;  // empty where it is written as it comes
  int descriptor_ = -1;
  bool owned_ = false;  // to be closed
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ATOMIC_FILE_H_
