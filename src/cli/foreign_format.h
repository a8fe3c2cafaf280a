// Recognizes files of other formats that users pass as a model, and suggests what to do with them.
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

// Returns the format that the first bytes of a file belong to, or null if they are not recognized.
const ForeignFormat* FindForeignFormat(std::span<const std::byte> bytes);

}  // namespace dimwise

#endif  // DIMWISE_CLI_FOREIGN_FORMAT_H_
