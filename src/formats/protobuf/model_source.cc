#include "formats/protobuf/model_source.h"

#include <fmt/format.h>

#include "core/base/failure.h"

namespace dimwise {

void ModelSource::Damage(size_t offset, std::string_view where, std::string_view what) {
  if (damage_) return;
  Diagnostic d = MakeDiagnostic(
      Code::kDamagedFile, fmt::format("the {} file is damaged at byte {}, in {}: {}", format_, offset, where, what),
      "the file may be truncated or damaged; compare its size with the original");
  damage_ = std::move(d);
}

void ModelSource::Report(Diagnostic finding) {
  shared_names_ |= finding.code == Code::kDuplicateName;
  if (findings_.size() < kMaxFindings) {
    findings_.push_back(std::move(finding));
  } else {
    ++left_out_;
  }
}

void ModelSource::FinishFindings() {
  if (left_out_ == 0) return;
  Diagnostic d;
  d.code = Code::kBadModel;
  d.severity = Severity::kNote;
  d.message = fmt::format("{} more findings about the file are omitted", left_out_);
  findings_.push_back(std::move(d));
}

}  // namespace dimwise
