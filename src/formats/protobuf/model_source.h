// The state shared by the parts of a reader: the file, the analysis, and the findings so far.
#ifndef DIMWISE_FORMATS_PROTOBUF_MODEL_SOURCE_H_
#define DIMWISE_FORMATS_PROTOBUF_MODEL_SOURCE_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/diagnostic.h"
#include "formats/protobuf/wire_reader.h"

namespace dimwise {

class ModelSource {
 public:
  // Further findings are only counted. A file may have a finding for every few bytes.
  static constexpr size_t kMaxFindings = 1000;

  // `format` is its name in messages: "ONNX".
  ModelSource(std::string_view format, std::string_view file, Analysis& analysis,
              std::vector<Diagnostic>& findings)
      : format_(format), file_(file), analysis_(analysis), findings_(findings) {}

  Analysis& analysis() { return analysis_; }
  size_t OffsetOf(const char* place) const { return static_cast<size_t>(place - file_.data()); }

  // Returns true if the message was read to its end. Otherwise records the damage, unless damage was recorded
  // before.
  bool Whole(const WireReader& message, std::string_view what) {
    if (message.damage() == nullptr) [[likely]]
      return true;
    Damage(OffsetOf(message.damaged_at()), what, message.damage());
    return false;
  }
  [[gnu::cold]] void Damage(size_t offset, std::string_view where, std::string_view what);
  std::optional<Diagnostic>& damage() { return damage_; }

  [[gnu::cold]] void Report(Severity severity, Code code, std::string message) {
    Diagnostic d;
    d.code = code;
    d.severity = severity;
    d.message = std::move(message);
    Report(std::move(d));
  }
  [[gnu::cold]] void Report(Diagnostic finding);
  size_t reported() const { return findings_.size() + left_out_; }
  // Returns whether two values, or two functions, share a name.
  bool shared_names() const { return shared_names_; }
  // Adds a note with the number of findings that were not recorded.
  void FinishFindings();

 private:
  std::string_view format_, file_;
  Analysis& analysis_;
  std::vector<Diagnostic>& findings_;
  size_t left_out_ = 0;
  bool shared_names_ = false;
  std::optional<Diagnostic> damage_;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_PROTOBUF_MODEL_SOURCE_H_
