// Quotes words for a shell, in suggested commands and in completions.
#ifndef DIMWISE_CLI_SHELL_WORD_H_
#define DIMWISE_CLI_SHELL_WORD_H_

#include <string>
#include <string_view>

namespace dimwise {

// Returns the text in single quotes.
std::string Quoted(std::string_view text);

// Returns the text as one word, quoted only if it contains characters that a shell interprets.
std::string ShellWord(std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SHELL_WORD_H_
