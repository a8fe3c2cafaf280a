// Formats the help of a command so that it begins with the ways to call the command.
#ifndef DIMWISE_CLI_USAGE_FORMATTER_H_
#define DIMWISE_CLI_USAGE_FORMATTER_H_

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

namespace dimwise {

class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}

  std::string make_usage(const CLI::App*, std::string) const override { return "\nUsage: " + usage_ + "\n"; }

 private:
  const std::string usage_;
};

}  // namespace dimwise

#endif  // DIMWISE_CLI_USAGE_FORMATTER_H_
