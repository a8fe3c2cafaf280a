// Appends fields in the wire format of Protocol Buffers to a string. A nested message is written to a string
// of its own first, unless its length is known.
#ifndef DIMWISE_FORMATS_PROTOBUF_WIRE_WRITER_H_
#define DIMWISE_FORMATS_PROTOBUF_WIRE_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace dimwise {

inline void AppendVarint(std::string& out, uint64_t number) {
  while (number >= 0x80) {
    out += static_cast<char>(number | 0x80);
    number >>= 7;
  }
  out += static_cast<char>(number);
}

inline void AppendVarintField(std::string& out, uint32_t field, uint64_t number) {
  AppendVarint(out, field << 3);
  AppendVarint(out, number);
}

inline void AppendBytesField(std::string& out, uint32_t field, std::string_view bytes) {
  AppendVarint(out, field << 3 | 2);
  AppendVarint(out, bytes.size());
  out += bytes;
}

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_PROTOBUF_WIRE_WRITER_H_
