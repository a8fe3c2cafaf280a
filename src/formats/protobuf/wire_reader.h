// Reads the wire format of Protocol Buffers from memory, one field at a time.
//
// A reader walks one message. Nested messages are views, to be walked by readers of their own, so unused
// messages are never accessed. Nothing is copied, allocated or thrown. After damage the reader stops and
// stores the position.
//
//   WireReader node(bytes);
//   while (node.Next()) {
//     switch (node.tag()) {
//       case BytesField(1): Use(node.bytes()); break;
//     }
//   }
//   if (node.damage() != nullptr) ...
//
// A tag contains the field number and the wire type. A field of an unexpected type thus falls through the
// switch like an unknown field, as Protocol Buffers require. Lengths have 64 bits, so a message may exceed
// the 2 GB limit of Google's library. Groups, deprecated since 2008, count as damage.
//
// For many messages of one kind it is faster to request fields in the order of their numbers, which is the
// order of all writers. Each round requests each field once. If a round found a field, another round follows:
//
//   do {
//     while (node.Take(BytesField(1))) Use(node.bytes());
//     while (node.Take(BytesField(3))) ...
//   } while (node.NextRound());
#ifndef DIMWISE_FORMATS_PROTOBUF_WIRE_READER_H_
#define DIMWISE_FORMATS_PROTOBUF_WIRE_READER_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace dimwise {

constexpr uint32_t VarintField(uint32_t number) { return number << 3; }
constexpr uint32_t Fixed64Field(uint32_t number) { return number << 3 | 1; }
constexpr uint32_t BytesField(uint32_t number) { return number << 3 | 2; }
constexpr uint32_t Fixed32Field(uint32_t number) { return number << 3 | 5; }
constexpr uint32_t NumberOfField(uint32_t tag) { return tag >> 3; }

class WireReader {
 public:
  explicit WireReader(std::string_view message)
      : start_(message.data()),
        at_(message.data()),
        end_(message.data() + message.size()),
        round_(message.data()) {}

  // Moves to the next field. Returns false at the end of the message and after damage.
  bool Next() {
    if (at_ == end_) return false;
    start_ = at_;
    uint64_t tag = 0;
    if (!Varint(&tag)) return false;
    // Reject overlong tags, which end with a zero byte: Take compares tags by their bytes.
    if (tag > UINT32_MAX || tag < 8 || at_[-1] == 0) return Damaged("a field has an impossible number");
    tag_ = static_cast<uint32_t>(tag);
    switch (tag & 7) {
      case 0:
        return Varint(&number_);
      case 2:
        return Bytes();
      case 1:
        return Fixed(8);
      case 5:
        return Fixed(4);
      default:
        return Damaged("a field has an impossible type");
    }
  }

  // Moves to the next field if it has this tag. REQUIRES: its wire type is bytes or varint, and its number is
  // below 16.
  [[gnu::always_inline]] bool Take(uint32_t tag) {
    if (at_ == end_ || static_cast<unsigned char>(*at_) != tag) return false;
    start_ = at_++;
    tag_ = tag;
    return (tag & 7) == 2 ? Bytes() : Varint(&number_);
  }
  // Moves to the next field of any kind if nothing was taken in this round.
  bool TakeOther() {
    if (at_ != round_) return false;
    WireReader moved = *this;  // a copy, whose address is taken, so that *this can stay in registers
    const bool there = moved.Next();
    *this = moved;
    return there;
  }
  // Starts a new round. Returns whether there are more fields. Skips a field that was not taken.
  bool NextRound() {
    TakeOther();
    round_ = at_;
    return at_ != end_;
  }

  // Prefetches memory at a distance of that many bytes. A walk from length to length otherwise waits for
  // each.
  [[gnu::always_inline]] void Prefetch(size_t bytes) const {
    if (static_cast<size_t>(end_ - at_) > bytes) __builtin_prefetch(at_ + bytes);
  }

  // Skips the fields with the current tag that follow, and returns their number. It stops early at fields
  // that it cannot skip quickly, such as the last ones. REQUIRES: the field number is below 16.
  size_t PassSame() {
    switch (tag_ & 7) {
      case 0:
        return PassWhile([](const char* at, const char*) -> const char* {
          for (const char* last = at; last != at + 8; ++last) {
            if (static_cast<signed char>(*last) >= 0) return last + 1;
          }
          return nullptr;
        });
      case 2:
        return PassWhile([](const char* at, const char* end) {
          const auto length = static_cast<unsigned char>(*at);
          return length < 0x80 && length < end - at ? at + 1 + length : nullptr;
        });
      case 5:
        return PassWhile([](const char* at, const char*) { return at + 4; });
      default:
        return 0;
    }
  }

  // Reads the next number of a packed list. The reader was constructed with the list.
  bool NextVarint(uint64_t* number) { return at_ != end_ && Varint(number); }

  uint32_t tag() const { return tag_; }
  // The contents of the current field. REQUIRES: the field has that wire type.
  std::string_view bytes() const { return bytes_; }
  uint64_t number() const { return number_; }
  int64_t integer() const { return static_cast<int64_t>(number_); }
  float float32() const { return std::bit_cast<float>(static_cast<uint32_t>(number_)); }
  // Returns the bytes of the field, including its tag.
  std::string_view whole() const { return {start_, static_cast<size_t>(at_ - start_)}; }

  // Returns a description of the damage, or null; and its position, the start of the field.
  const char* damage() const { return damage_; }
  const char* damaged_at() const { return start_; }

 private:
  bool Damaged(const char* what) {
    damage_ = what;
    at_ = end_;
    return false;
  }
  [[gnu::always_inline]] bool Bytes() {
    uint64_t length = 0;
    if (!Varint(&length)) return false;
    if (length > static_cast<uint64_t>(end_ - at_)) return Damaged("a field is longer than the rest");
    bytes_ = {at_, static_cast<size_t>(length)};
    at_ += length;
    return true;
  }
  [[gnu::always_inline]] bool Varint(uint64_t* number) {
    if (at_ != end_ && static_cast<signed char>(*at_) >= 0) [[likely]] {
      *number = static_cast<unsigned char>(*at_++);
      return true;
    }
    const LongVarint read = ReadLong(at_, end_);
    if (read.end == nullptr)
      return Damaged(read.number == 0 ? "a number is truncated" : "a number has more than 64 bits");
    *number = read.number;
    at_ = read.end;
    return true;
  }
  // The arguments are passed by value, so that the reader can stay in registers.
  struct LongVarint {
    uint64_t number;
    const char* end;  // null: damaged; then number is 0 if the input ended early
  };
  [[gnu::noinline]] static LongVarint ReadLong(const char* at, const char* end) {
    const auto byte = [&](size_t i) { return uint64_t{static_cast<unsigned char>(at[i])}; };
    if (end - at >= 2 && byte(1) < 0x80) [[likely]]
      return {(byte(0) & 0x7f) | byte(1) << 7, at + 2};
    uint64_t value = 0;
    for (size_t i = 0; i < 10; ++i) {
      if (at + i == end) return {0, nullptr};
      value |= (byte(i) & 0x7f) << (7 * i);
      if (byte(i) < 0x80) return {value, at + i + 1};
    }
    return {at + 10 == end ? uint64_t{0} : uint64_t{1}, nullptr};
  }
  // Skips fields while `end_of` returns the end of the next one. `end_of` may read 8 bytes.
  template <typename F>
  [[gnu::always_inline]] size_t PassWhile(F end_of) {
    size_t passed = 0;
    const char* at = at_;
    while (end_ - at > 8 && static_cast<unsigned char>(*at) == tag_) {
      const char* next = end_of(at + 1, end_);
      if (next == nullptr) break;
      at = next;
      ++passed;
    }
    at_ = at;
    return passed;
  }
  // Reads a little-endian number, independent of the byte order of the machine.
  bool Fixed(size_t size) {
    if (static_cast<size_t>(end_ - at_) < size) return Damaged("a number is truncated");
    number_ = 0;
    for (size_t i = 0; i < size; ++i) {
      number_ |= static_cast<uint64_t>(static_cast<unsigned char>(at_[i])) << (8 * i);
    }
    at_ += size;
    return true;
  }

  const char* start_;
  const char* at_;
  const char* end_;
  const char* round_;  // start of the current round
  uint32_t tag_ = 0;
  std::string_view bytes_;
  uint64_t number_ = 0;
  const char* damage_ = nullptr;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_PROTOBUF_WIRE_READER_H_
