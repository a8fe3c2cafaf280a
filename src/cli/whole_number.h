// Validates options that take a number >= 0.
#ifndef DIMWISE_CLI_WHOLE_NUMBER_H_
#define DIMWISE_CLI_WHOLE_NUMBER_H_

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>

namespace dimwise {

// A validator for CLI::Option::guard. It accepts numbers from 0 to INT_MAX.
inline CLI::Validator WholeNumber() {
  const auto complaint = [](std::string& text) -> std::string {
    int number = -1;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc::result_out_of_range && !text.starts_with('-')) {
      return fmt::format("{} is too large", text);
    }
    if (error == std::errc() && stop == end && number >= 0) return {};
    return fmt::format("a number >= 0 is needed here, not '{}'", text);
  };
  return CLI::Validator(complaint, "");
}

}  // namespace dimwise

#endif  // DIMWISE_CLI_WHOLE_NUMBER_H_
