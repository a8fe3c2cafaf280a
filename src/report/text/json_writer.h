// Writes JSON as text: one value after another into a string, with the commas, colons and escapes in place.
//
//   JsonWriter json(&line);
//   json.BeginObject();
//   json.Key("shape");
//   json.BeginArray();  json.Int(2);  json.String("N");  json.EndArray();
//   json.EndObject();                                       // {"shape": [2, "N"]}
//
// The text is one line of valid UTF-8, whatever the bytes it was given: what is no UTF-8 becomes U+FFFD, and
// everything that some reader takes for the end of a line is escaped. That Begin and End match, and that an
// object has a key for each value, is up to the caller.
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
  // Appends to *out, which is alone with this writer until it is done.
  explicit JsonWriter(std::string* out) : out_(*out) {}

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  void Key(std::string_view name);

  void String(std::string_view text);
  void Int(int64_t number);
  // Always with a point or an exponent. JSON has no inf and nan: they are the strings "inf", "-inf", "nan".
  void Double(double number);
  void Float(float number);  // the shortest text that reads back as that float
  void Bool(bool truth) { Raw(truth ? "true" : "false"); }
  void Null() { Raw("null"); }
  // A value that is JSON already.
  void Raw(std::string_view json);

 private:
  template <typename T>
  void Number(T number);
  void Separate();
  void Open(char bracket);
  void Close(char bracket);
  void Quote(std::string_view text);

  std::string& out_;
  bool after_value_ = false;  // a comma is due before the next value or key
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_JSON_WRITER_H_
