#include "cli/batch_reader.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/line_reader.h"
#include "cli/op_request.h"
#include "core/base/failure.h"
#include "report/operators/op_json.h"

namespace dimwise {
namespace {

constexpr size_t kSendAt = size_t{64} << 10;

// Writes the ID of an answer. `id` is JSON; if it is empty, the line number is written instead.
void BeginAnswer(JsonWriter& json, std::string_view id, size_t line) {
  json.BeginObject();
  json.Key("id");
  if (!id.empty()) return json.Raw(id);
  json.Null();
  json.Key("line");
  json.Int(static_cast<int64_t>(line));
}

// A buffer that is written to a descriptor when the input pauses.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}

  std::string* text() { return &text_; }
  int error_number() const { return error_number_; }

  void Send() {
    std::string_view rest = text_;
    while (!rest.empty() && error_number_ == 0) {
      const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
      if (count >= 0) {
        rest.remove_prefix(static_cast<size_t>(count));
      } else if (errno != EINTR) {
        error_number_ = errno;
      }
    }
    text_.clear();
  }

 private:
  const int descriptor_;
  std::string text_;
  int error_number_ = 0;
};

}  // namespace

void BatchReader::Answer(std::string_view line, size_t number, std::string* answers) {
  JsonWriter json(answers);
  Status parsed = json_.Parse(line);
  BeginAnswer(json, parsed ? std::string_view(json_.id()) : std::string_view(), number);
  Analysis analysis;
  if (!parsed) {
    WriteOpFailure(json, parsed.error());
  } else if (!json_.too_large().empty()) {
    Diagnostic diagnostic =
        MakeDiagnostic(Code::kOverflow, fmt::format("the number {} does not fit 64 bits", json_.too_large()));
    WriteOpFailure(json, diagnostic);
  } else if (Result<OpRequest> request = ReadOpRequest(json_.root(), registry_, analysis, lenient_);
             !request) {
    WriteOpFailure(json, request.error());
  } else if (Result<OpAnswer> answer = CallOp(analysis, request->Call()); !answer) {
    WriteOpFailure(json, answer.error());
  } else {
    WriteOpAnswer(json, analysis, *answer);
  }
  json.EndObject();
  *answers += '\n';
}

void BatchReader::AnswerTooLong(size_t number, size_t max_line, std::string* answers) {
  JsonWriter json(answers);
  BeginAnswer(json, {}, number);
  Diagnostic diagnostic;
  diagnostic.message = fmt::format("the line is longer than {} MiB", max_line >> 20);
  diagnostic.help = "omit contents (`value`) that no shape depends on";
  WriteOpFailure(json, diagnostic);
  json.EndObject();
  *answers += '\n';
}

bool RunBatch(const OpRegistry& registry, bool lenient, int input, int output, std::string* error) {
  BatchReader reader(registry, lenient);
  Output out(output);
  LineReader lines(input, [&out] { out.Send(); });
  LineReader::Line line;
  while (out.error_number() == 0 && lines.Next(&line)) {
    if (line.too_long) {
      reader.AnswerTooLong(line.number, LineReader::kMaxLine, out.text());
    } else {
      reader.Answer(line.text, line.number, out.text());
    }
    if (out.text()->size() >= kSendAt) out.Send();
  }
  out.Send();
  if (lines.error_number() != 0) *error = fmt::format("cannot read: {}", std::strerror(lines.error_number()));
  if (out.error_number() != 0) *error = fmt::format("cannot write: {}", std::strerror(out.error_number()));
  return lines.error_number() == 0 && out.error_number() == 0;
}

}  // namespace dimwise
