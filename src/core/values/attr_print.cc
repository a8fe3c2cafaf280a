// Prints attributes in the notation that attr_text.cc parses. Bytes that are no text are escaped. In
// messages, long values are truncated.
#include <cmath>

#include "core/base/utf8.h"
#include "core/values/attr_word.h"
#include "dimwise/attr_value.h"
#include "fmt/format.h"

namespace dimwise {
namespace {

constexpr size_t kShownElements = 64;
constexpr size_t kShownTensorElements = 16;
constexpr size_t kShownBytes = 200;

struct Sink : std::string {
  bool whole = false;  // no truncation
};

void Print(Sink* out, int64_t value) { fmt::format_to(std::back_inserter(*out), "{}", value); }
void Print(Sink* out, bool value) { *out += value ? "true" : "false"; }
void Print(Sink* out, ElementType type) { *out += ToString(type); }
void Print(Sink* out, std::monostate) { *out += "none"; }
void Print(Sink* out, const AttrValue& value);

void Print(Sink* out, double value) {
  if (std::isnan(value)) {
    *out += "nan";
    return;
  }
  const std::string digits = fmt::format("{}", value);
  *out += digits;
  // The suffix makes it parse as a float.
  if (std::isfinite(value) && digits.find_first_of(".e") == std::string::npos) *out += ".0";
}

void Print(Sink* out, const std::string& value) {
  *out += '"';
  for (size_t i = 0; i < value.size();) {
    if (i >= kShownBytes && !out->whole) {
      *out += "\"...";
      return;
    }
    const size_t length = CharacterLength(std::string_view(value).substr(i));
    const char c = value[i];
    if (c == '"' || c == '\\') {
      *out += '\\';
      *out += c;
    } else if (c == '\n') {
      *out += "\\n";
    } else if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      fmt::format_to(std::back_inserter(*out), "\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out->append(value, i, length);
    }
    i += length == 0 ? 1 : length;
  }
  *out += '"';
}

void Print(Sink* out, const ShapeProto& shape) {
  if (shape.unknown_rank) {
    *out += "[*]";
    return;
  }
  *out += '[';
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    if (i > 0) *out += ", ";
    if (shape.dims[i] < 0) {
      *out += '?';
    } else {
      Print(out, shape.dims[i]);
    }
  }
  *out += ']';
}

template <typename T>
void PrintElements(Sink* out, const std::vector<T>& list, size_t shown) {
  size_t i = 0;
  for (const auto& element : list) {
    if (i > 0) *out += ", ";
    if (i == shown && !out->whole) {
      *out += "...";
      return;
    }
    Print(out, static_cast<const T&>(element));
    ++i;
  }
}

void Print(Sink* out, const TensorValue& tensor) {
  Print(out, tensor.type);
  Print(out, tensor.shape);
  *out += '{';
  std::visit(
      [out]<typename T>(const T& elements) {
        if constexpr (std::is_same_v<T, std::monostate>) {
          *out += '?';
        } else {
          PrintElements(out, elements, kShownTensorElements);
        }
      },
      tensor.contents);
  *out += '}';
}

void PrintWord(Sink* out, const std::string& word, bool bare) {
  if (bare && IsAttrWord(word)) {
    *out += word;
  } else {
    Print(out, word);
  }
}

void Print(Sink* out, const FunctionValue& function) {
  PrintWord(out, function.name, !ParseElementType(function.name));
  *out += '[';
  bool first = true;
  for (const AttrEntry& entry : function.attrs) {
    if (!first) *out += ", ";
    first = false;
    PrintWord(out, entry.name, true);
    *out += '=';
    Print(out, entry.value);
  }
  *out += ']';
}

template <typename T>
void Print(Sink* out, const std::vector<T>& list) {
  *out += '[';
  PrintElements(out, list, kShownElements);
  *out += ']';
}

void Print(Sink* out, const AttrValue& value) {
  value.Visit([out](const auto& stored) { Print(out, stored); });
}

}  // namespace

std::string ToString(const AttrValue& value) {
  Sink out;
  Print(&out, value);
  return out;
}

std::string ToWholeString(const AttrValue& value) {
  Sink out;
  out.whole = true;
  Print(&out, value);
  return out;
}

}  // namespace dimwise
