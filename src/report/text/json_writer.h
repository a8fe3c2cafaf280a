// Writes JSON to a string, with commas, colons and escapes.
//
//   JsonWriter json(&line);
//   json.BeginObject();
//   json.Key("shape");
//   json.BeginArray();  json.Int(2);  json.String("N");  json.EndArray();
//   json.EndObject();                                       // {"shape": [2, "N"]}
//
// The text is a single line of valid UTF-8. Invalid bytes become U+FFFD, and all characters that some reader
// treats as a line end are escaped. The caller must balance Begin and End, and write a key before each value
// of an object.
//
// Thread safety: one thread at a time.
#ifndef DIMWISE_REPORT_TEXT_JSON_WRITER_H_
#define DIMWISE_REPORT_TEXT_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace dimwise {

class JsonWriter {
 public:
  // Appends to *out. Nothing else may write to *out until the writer is done.
  explicit JsonWriter(std::string* out) : out_(*out) {}

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  void Key(std::string_view name);

  void String(std::string_view text);
  void Int(int64_t number);
  // Always writes a point or an exponent. JSON has no inf and nan: they become the strings "inf", "-inf",
  // "nan".
  void Double(double number);
  void Float(float number);  // the shortest text that reads back as the same float
  void Bool(bool truth) { Raw(truth ? "true" : "false"); }
  void Null() { Raw("null"); }
  // Writes a value that is already JSON.
  void Raw(std::string_view json);

 private:
  template <typename T>
  void Number(T number);
  void Separate();
  void Open(char bracket);
  void Close(char bracket);
  void Quote(std::string_view text);

  std::string& out_;
  bool after_value_ = false;  // whether the next value or key needs a comma
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_JSON_WRITER_H_
