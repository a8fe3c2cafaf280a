// Files that people give in the place of a model, and what to do instead.
#ifndef DIMWISE_CLI_FOREIGN_FORMAT_H_
#define DIMWISE_CLI_FOREIGN_FORMAT_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace dimwise {

struct ForeignFormat {
  std::string_view what;  // "a zip archive"
  std::string_view help;
};

// By the first bytes of a file; null for one that nobody knows.
const ForeignFormat* FindForeignFormat(std::span<const std::byte> bytes);

}  // namespace dimwise

#endif  // DIMWISE_CLI_FOREIGN_FORMAT_H_
