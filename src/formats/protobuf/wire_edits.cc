#include "formats/protobuf/wire_edits.h"

#include <algorithm>

#include "dimwise/result_macros.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {

WireEdits::Message WireEdits::Inside(Message around, const WireReader& field) {
  const char* length = field.whole().data();
  while (static_cast<signed char>(*length) < 0) ++length;
  ++length;  // the length follows the tag
  const std::string_view contents = field.bytes();
  frames_.push_back({around,
                     {length, static_cast<size_t>(contents.data() - length)},
                     contents.size(),
                     DepthOf(around) + 1});
  return Message{static_cast<uint32_t>(frames_.size() - 1)};
}

void WireEdits::Replace(Message message, std::string_view part, std::string bytes) {
  if (message != kFile) {
    frames_[static_cast<uint32_t>(message)].growth +=
        static_cast<int64_t>(bytes.size()) - static_cast<int64_t>(part.size());
  }
  edits_.push_back({part, DepthOf(message), std::move(bytes)});
}

Status WireEdits::Write(const std::function<Status(std::string_view)>& sink) && {
  for (size_t i = frames_.size(); i-- > 0;) {
    const Frame& frame = frames_[i];
    if (frame.growth == 0) continue;
    std::string length;
    AppendVarint(length, frame.size + static_cast<uint64_t>(frame.growth));
    if (frame.around != kFile) {
      frames_[static_cast<uint32_t>(frame.around)].growth +=
          frame.growth + static_cast<int64_t>(length.size()) - static_cast<int64_t>(frame.length.size());
    }
    edits_.push_back({frame.length, DepthOf(frame.around), std::move(length)});
  }
  std::ranges::stable_sort(edits_, [](const Edit& a, const Edit& b) {
    if (a.part.data() != b.part.data()) return a.part.data() < b.part.data();
    return a.depth > b.depth;
  });
  const char* at = file_.data();
  for (const Edit& edit : edits_) {
    if (edit.part.data() != at)
      DIMWISE_RETURN_IF_ERROR(sink({at, static_cast<size_t>(edit.part.data() - at)}));
    if (!edit.bytes.empty()) DIMWISE_RETURN_IF_ERROR(sink(edit.bytes));
    at = edit.part.data() + edit.part.size();
  }
  const char* end = file_.data() + file_.size();
  if (at != end) DIMWISE_RETURN_IF_ERROR(sink({at, static_cast<size_t>(end - at)}));
  return {};
}

}  // namespace dimwise
