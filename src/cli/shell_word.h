// Words of commands that messages suggest, and of completions, as a shell reads them.
#ifndef DIMWISE_CLI_SHELL_WORD_H_
#define DIMWISE_CLI_SHELL_WORD_H_

#include <string>
#include <string_view>

namespace dimwise {

// The text between single quotes.
std::string Quoted(std::string_view text);

// The text as one word: between quotes where a shell would take it for more than letters.
std::string ShellWord(std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SHELL_WORD_H_
