// The bytes of a file, mapped into memory, so that bytes that are never accessed are never read from the
// disk. Files that cannot be mapped (standard input, a pipe) are read whole.
//
// If another program truncates a mapped file, an access raises SIGBUS. Writing a model over itself is safe,
// because the new file replaces the old one by a rename.
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
  // Opens a file; `-` is standard input. Returns an error for a directory.
  static Result<MappedFile> Open(const std::string& path);
  // Returns a file that owns these bytes.
  static MappedFile Holding(std::vector<std::byte> bytes);
  // Returns a file that refers to these bytes, which the caller must keep alive.
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
  std::vector<std::byte> read_;  // empty if the file is mapped or viewed
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_MAPPED_FILE_H_
