// The bytes of a file, mapped into memory, so that what nobody looks at is never read from the disk. What
// cannot be mapped (standard input, a pipe) is read whole.
//
// A file that another program cuts short while it is mapped ends this one (SIGBUS), as with every reader of
// mapped files; writing a model back over itself is safe, since the new file replaces the old one as a whole.
#ifndef DIMWISE_FORMATS_MAPPED_FILE_H_
#define DIMWISE_FORMATS_MAPPED_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dimwise/result.h"

namespace dimwise {

class MappedFile {
 public:
  // `-` is standard input. A folder is refused.
  static Result<MappedFile> Open(const std::string& path);
  // What is in memory already, in the place of a file.
  static MappedFile Holding(std::vector<std::byte> bytes);
  // The same bytes once more, which whoever has them keeps.
  static MappedFile Viewing(std::span<const std::byte> bytes);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  static Result<MappedFile> ReadAll(int descriptor, const std::string& name);

  std::span<const std::byte> bytes_;
  bool mapped_ = false;
  std::vector<std::byte> read_;  // where it is not mapped
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_MAPPED_FILE_H_
