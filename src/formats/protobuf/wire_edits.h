// Edits a message in memory and writes the result without copying the rest.
//
// A message contains the lengths of its nested messages. A change in a nested message thus changes the length
// of each enclosing message, and the encoding of a length has a variable size. Edits are collected first.
// Write then computes the new lengths from the innermost messages outwards, and writes all bytes in one pass.
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

  // A message in the file, identified by the current field of the reader that contains it.
  enum class Message : uint32_t {};
  static constexpr Message kFile{UINT32_MAX};
  Message Inside(Message around, const WireReader& field);

  // Replaces `part` of the file, which belongs to `message`, by bytes. An empty part is an insertion. Parts
  // must not overlap. If several messages end at the same byte, insertions into the innermost one come first.
  void Replace(Message message, std::string_view part, std::string bytes);

  Status Write(const std::function<Status(std::string_view)>& sink) &&;

 private:
  struct Frame {
    Message around;
    std::string_view length;  // the bytes of the length field
    uint64_t size;
    uint32_t depth;  // nesting depth; the file has depth 0
    int64_t growth = 0;
  };
  struct Edit {
    std::string_view part;
    uint32_t depth;  // of the message that contains the part
    std::string bytes;
  };

  uint32_t DepthOf(Message message) const {
    return message == kFile ? 0 : frames_[static_cast<uint32_t>(message)].depth;
  }

  std::string_view file_;
  std::vector<Frame> frames_;  // enclosing messages precede nested ones
  std::vector<Edit> edits_;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_PROTOBUF_WIRE_EDITS_H_
