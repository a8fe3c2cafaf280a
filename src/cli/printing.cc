#include "cli/printing.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "core/base/failure.h"
#include "report/operators/op_text.h"

namespace dimwise {
namespace {

int output_error = 0;  // errno of the first failed write to standard output

void Remember(std::FILE* stream, bool written) {
  if (stream == stdout && !written && output_error == 0) output_error = errno;
}

}  // namespace

void ReserveStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // Opened in the opposite direction, so that reading or writing fails; messages are discarded.
    (void)::open("/dev/null", stream == STDIN_FILENO    ? O_WRONLY
                              : stream == STDOUT_FILENO ? O_RDONLY
                                                        : O_RDWR);
  }
}

std::string DiagnosticText(const Diagnostic& diagnostic, std::FILE* stream) {
  return DiagnosticText(diagnostic, ColourOf(stream), WidthOf(stream));
}

void Print(std::FILE* stream, std::string_view text) {
  if (text.empty()) return;
  Remember(stream, std::fwrite(text.data(), 1, text.size(), stream) == text.size());
  Remember(stream, std::fflush(stream) == 0);
}

int AfterPrinting(int exit_code) {
  Remember(stdout, std::fflush(stdout) == 0);
  if (output_error == 0 || output_error == EPIPE) return exit_code;
  Diagnostic diagnostic = MakeDiagnostic(
      Code::kUnreadableFile, fmt::format("cannot write to standard output: {}", std::strerror(output_error)));
  Print(stderr, DiagnosticText(diagnostic, stderr) + "\n");
  return kCouldNotDo;
}

}  // namespace dimwise
