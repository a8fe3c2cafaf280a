// Changes to a message in memory, written out without a copy of the rest.
//
// A message says how long the messages inside of it are, so a change deep inside changes the length of every
// message around it, and the lengths are of varying length themselves. The changes are collected first; then
// the new lengths are computed from the innermost messages outwards, and all is written in one go.
#ifndef DIMWISE_FORMATS_PROTOBUF_WIRE_EDITS_H_
#define DIMWISE_FORMATS_PROTOBUF_WIRE_EDITS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/result.h"
#include "formats/protobuf/wire_reader.h"

namespace dimwise {

class WireEdits {
 public:
  explicit WireEdits(std::string_view file) : file_(file) {}

  // A message inside the file, by the field that holds it, where the reader is.
  enum class Message : uint32_t {};
  static constexpr Message kFile{UINT32_MAX};
  Message Inside(Message around, const WireReader& field);

  // Puts bytes in the place of a part of the file that belongs to that message; an empty part is an
  // insertion. Parts do not overlap. Where a message ends, those around it may end too: what is inserted into
  // the innermost comes first.
  void Replace(Message message, std::string_view part, std::string bytes);

  Status Write(const std::function<Status(std::string_view)>& sink) &&;

 private:
  struct Frame {
    Message around;
    std::string_view length;  // where it stands
    uint64_t size;
    uint32_t depth;  // how many messages it is inside of, the file among them
    int64_t growth = 0;
  };
  struct Edit {
    std::string_view part;
    uint32_t depth;  // of the message it belongs to
    std::string bytes;
  };

  uint32_t DepthOf(Message message) const {
    return message == kFile ? 0 : frames_[static_cast<uint32_t>(message)].depth;
  }

  std::string_view file_;
  std::vector<Frame> frames_;  // those around come first
  std::vector<Edit> edits_;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_PROTOBUF_WIRE_EDITS_H_
