#include "report/text/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace dimwise {
namespace {

std::string Written(const std::function<void(JsonWriter&)>& write) {
  std::string text;
  JsonWriter json(&text);
  write(json);
  return text;
}

TEST(JsonWriter, Nesting_AnyValues_HasCommasAndColons) {
  EXPECT_EQ(Written([](JsonWriter& json) {
              json.BeginObject();
              json.Key("a");
              json.BeginArray();
              json.Int(1);
              json.BeginObject();
              json.EndObject();
              json.BeginArray();
              json.EndArray();
              json.Null();
              json.EndArray();
              json.Key("b");
              json.Bool(true);
              json.Key("c");
              json.Raw("[1,2]");
              json.EndObject();
            }),
            R"({"a": [1, {}, [], null], "b": true, "c": [1,2]})");
}

TEST(JsonWriter, Numbers_IntegersAndFloats_AreDistinguishable) {
  const auto ints = Written([](JsonWriter& json) {
    json.BeginArray();
    for (int64_t i : {int64_t{0}, int64_t{-1}, INT64_MAX, INT64_MIN}) json.Int(i);
    json.EndArray();
  });
  EXPECT_EQ(ints, "[0, -1, 9223372036854775807, -9223372036854775808]");
  const auto doubles = Written([](JsonWriter& json) {
    json.BeginArray();
    const double inf = std::numeric_limits<double>::infinity();
    for (double d : {0.0, -0.0, 1.0, 0.1, 1e300, -2.5e-7, inf, -inf, std::nan("")}) json.Double(d);
    json.EndArray();
  });
  EXPECT_EQ(doubles, R"([0.0, -0.0, 1.0, 0.1, 1e+300, -2.5e-07, "inf", "-inf", "nan"])");
  EXPECT_EQ(Written([](JsonWriter& json) { json.Float(0.1F); }), "0.1");
}

TEST(JsonWriter, String_AnyBytes_IsEscapedAndValid) {
  struct Case {
    std::string text, json;
  };
  const std::vector<Case> cases = {
      {"", R"("")"},
      {"plain", R"("plain")"},
      {"say \"N\" \\ `M`", R"("say \"N\" \\ `M`")"},
      {std::string("nul\0end", 7), R"("nul\u0000end")"},
      {"a\nb\tc\rd\x1f", R"("a\nb\tc\u000dd\u001f")"},
      {"größe 形状 \xf0\x9f\x99\x82", "\"größe 形状 \xf0\x9f\x99\x82\""},
      {"line\xe2\x80\xa8"
       "end\xe2\x80\xa9"
       "x\xc2\x85y",
       R"("line\u2028end\u2029x\u0085y")"},
      {"\x80 alone", "\"\xef\xbf\xbd alone\""},
      {"cut \xe5\xbd", "\"cut \xef\xbf\xbd\xef\xbf\xbd\""},
      {"overlong \xc0\xaf", "\"overlong \xef\xbf\xbd\xef\xbf\xbd\""},
      {"surrogate \xed\xa0\x80", "\"surrogate \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
      {"large \xf4\x90\x80\x80", "\"large \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Written([&](JsonWriter& json) { json.String(c.text); }), c.json);
    EXPECT_EQ(Written([&](JsonWriter& json) {
                json.BeginObject();
                json.Key(c.text);
                json.Int(0);
                json.EndObject();
              }),
              "{" + c.json + ": 0}");
  }
}

}  // namespace
}  // namespace dimwise
