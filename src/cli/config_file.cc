#include "cli/config_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/failure.h"
#include "core/base/nearest_name.h"
#include "dimwise/result_macros.h"
#include "report/models/finding_filter.h"

namespace dimwise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "dimwise.toml";

class ConfigParser {
 public:
  ConfigParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<CheckConfig> Parse() {
    std::string table;
    for (SkipSpace(); at_ < text_.size(); SkipSpace()) {
      const size_t start = at_;
      if (text_[at_] == '[') {
        DIMWISE_ASSIGN_OR_RETURN(table, Table());
        if (table != "check" && table != "rules") {
          return Mistake(start, fmt::format("there is no table [{}]", table),
                         "the tables are [check] and [rules]");
        }
        continue;
      }
      DIMWISE_ASSIGN_OR_RETURN(const std::string key, Word("a key"));
      if (table.empty())
        return Mistake(start, fmt::format("{} is outside a table", key), "add [check] before it");
      DIMWISE_RETURN_IF_ERROR(Expect('='));
      DIMWISE_RETURN_IF_ERROR(table == "rules" ? ReadRulesKey(key, start) : ReadKey(key, start));
    }
    return std::move(config_);
  }

 private:
  Status ReadRulesKey(const std::string& key, size_t start) {
    if (key != "files") {
      return Mistake(start, fmt::format("[rules] has no key {}", key), "its key is files");
    }
    DIMWISE_ASSIGN_OR_RETURN(config_.rule_files, List());
    return {};
  }

  Status ReadKey(const std::string& key, size_t start) {
    if (key == "select" || key == "ignore") {
      std::vector<std::string>& words = key == "select" ? config_.select : config_.ignore;
      SkipSpace();
      const size_t list = at_;
      DIMWISE_ASSIGN_OR_RETURN(words, List());
      if (const Status status = CheckCodeWords(words, key); !status) {
        return Mistake(list, status.error().message, status.error().help);
      }
      return {};
    }
    if (key == "value") {
      SkipSpace();
      const size_t list = at_;
      DIMWISE_ASSIGN_OR_RETURN(config_.value, List());
      for (const std::string& word : config_.value) {
        if (word.find('=') != std::string::npos && !word.starts_with('=')) continue;
        return Mistake(list, fmt::format("\"{}\" gives no contents", word), "value = [\"hw=[224, 224]\"]");
      }
      return {};
    }
    if (key == "require") {
      SkipSpace();
      const size_t value = at_;
      if (value < text_.size() && text_[value] == '[') {
        DIMWISE_ASSIGN_OR_RETURN(config_.require, List());
      } else {
        DIMWISE_ASSIGN_OR_RETURN(config_.require.emplace_back(), Text());
      }
      for (const std::string& word : config_.require) {
        if (word == "complete" || word == "declarations") continue;
        return Mistake(value, fmt::format("\"{}\" cannot be required", word),
                       "\"complete\" makes an unknown rank an error, \"declarations\" a wrong declaration");
      }
      return {};
    }
    constexpr std::string_view kKeys[] = {"select", "ignore", "require", "value"};
    const std::string_view near = NearestName(key, kKeys);
    return Mistake(start, fmt::format("[check] has no key {}", key),
                   near.empty() ? "its keys are select, ignore, require and value"
                                : fmt::format("did you mean {}?", near));
  }

  void SkipSpace() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        if (at_ == text_.size()) return;
      }
      if (std::string_view(" \t\r\n").find(text_[at_]) == std::string_view::npos) return;
    }
  }

  Status Expect(char c) {
    SkipSpace();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return {};
    }
    return Mistake(at_, fmt::format("`{}` is missing here", c), {});
  }

  Result<std::string> Word(std::string_view what) {
    SkipSpace();
    const size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '_' || text_[at_] == '-')) {
      ++at_;
    }
    if (at_ == start) return Mistake(start, fmt::format("{} is missing here", what), {});
    return std::string(text_.substr(start, at_ - start));
  }

  // Reads `[name]`, which is on one line.
  Result<std::string> Table() {
    ++at_;
    if (text_.find(']', at_) > text_.find('\n', at_)) {
      return Mistake(std::min(text_.find_first_of(" \t\r\n#", at_), text_.size()), "`]` is missing here", {});
    }
    DIMWISE_ASSIGN_OR_RETURN(std::string name, Word("the name of a table"));
    DIMWISE_RETURN_IF_ERROR(Expect(']'));
    return name;
  }

  // Reads a string. Escapes are not supported, because codes do not need them.
  Result<std::string> Text() {
    SkipSpace();
    const size_t start = at_;
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const size_t end = quote == '"' || quote == '\'' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos || end > text_.find('\n', at_)) {
      return Mistake(start, "a string in quotes is missing here", {});
    }
    at_ = end + 1;
    return std::string(text_.substr(start + 1, end - start - 1));
  }

  Result<std::vector<std::string>> List() {
    DIMWISE_RETURN_IF_ERROR(Expect('['));
    std::vector<std::string> list;
    for (SkipSpace(); at_ < text_.size() && text_[at_] != ']'; SkipSpace()) {
      DIMWISE_ASSIGN_OR_RETURN(list.emplace_back(), Text());
      const size_t end = at_;
      SkipSpace();
      if (at_ < text_.size() && text_[at_] == ']') break;
      if (at_ == text_.size() || text_[at_] != ',') return Mistake(end, "`,` or `]` is missing here", {});
      ++at_;
    }
    DIMWISE_RETURN_IF_ERROR(Expect(']'));
    return list;
  }

  Unexpected Mistake(size_t at, std::string message, std::string help) const {
    const size_t before = text_.substr(0, at).rfind('\n');
    const size_t line_start = before == std::string_view::npos ? 0 : before + 1;
    Diagnostic diagnostic = MakeDiagnostic(Code::kBadUsage, std::move(message), std::move(help));
    diagnostic.source.file = file_;
    diagnostic.source.line = 1 + static_cast<int>(std::ranges::count(text_.substr(0, at), '\n'));
    diagnostic.source.column = static_cast<int>(at - line_start) + 1;
    diagnostic.source.length = 1;
    diagnostic.source.text = text_.substr(line_start, text_.find('\n', at) - line_start);
    return Unexpected(std::move(diagnostic));
  }

  const std::string_view text_;
  const std::string& file_;
  size_t at_ = 0;
  CheckConfig config_;
};

}  // namespace

Result<CheckConfig> ParseConfig(std::string_view text, const std::string& file) {
  return ConfigParser(text, file).Parse();
}

Result<CheckConfig> ConfigFor(const std::string& model_path) {
  std::error_code error;
  fs::path folder =
      model_path == "-" ? fs::current_path(error) : fs::absolute(model_path, error).parent_path();
  for (; !folder.empty(); folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / kName, error)) {
      std::ifstream stream(folder / kName, std::ios::binary);
      std::stringstream text;
      text << stream.rdbuf();
      const fs::path shown = folder.lexically_proximate(fs::current_path(error));
      DIMWISE_ASSIGN_OR_RETURN(CheckConfig config,
                               ParseConfig(text.str(), (shown / kName).lexically_normal().string()));
      for (std::string& rules : config.rule_files) rules = (shown / rules).lexically_normal().string();
      return config;
    }
    if (folder == folder.root_path()) break;
  }
  return CheckConfig();
}

}  // namespace dimwise
