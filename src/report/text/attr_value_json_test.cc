#include "report/text/attr_value_json.h"

#include <gtest/gtest.h>

#include <string>

namespace dimwise {
namespace {

std::string JsonOf(const AttrValue& value) {
  std::string text;
  JsonWriter json(&text);
  WriteAttrValue(json, value);
  return text;
}

TEST(AttrValueJson, Value_OfEachKind_HasTheFormOfRequests) {
  const ShapeProto shape{.dims = {2, -1}}, unranked{.unknown_rank = true, .dims = {}};
  struct Case {
    AttrValue value;
    std::string_view json;
  };
  for (const Case& c : {
           Case{AttrValue(), "null"},
           {AttrValue(3), "3"},
           {AttrValue(0.5), "0.5"},
           {AttrValue(1.0), "1.0"},
           {AttrValue(true), "true"},
           {AttrValue("SAME"), R"("SAME")"},
           {AttrValue(ElementType::kF32), R"({"dtype": "f32"})"},
           {AttrValue(ElementType::kUnknown), R"({"dtype": null})"},
           {AttrValue(shape), R"({"shape": [2, null]})"},
           {AttrValue(unranked), R"({"shape": null})"},
           {AttrValue(FunctionValue{"body", {}}), R"({"func": "body"})"},
           {AttrValue(TensorValue{ElementType::kI64, {.dims = {2}}, AttrValue::Ints{4, 5}}),
            R"({"tensor": {"dtype": "i64", "shape": [2], "values": [4, 5]}})"},
           {AttrValue(TensorValue{ElementType::kF32, {.dims = {2000}}, {}}),
            R"({"tensor": {"dtype": "f32", "shape": [2000]}})"},
           {AttrValue(AttrValue::Ints{2, 2}), "[2, 2]"},
           {AttrValue(AttrValue::Bools{true, false}), "[true, false]"},
           {AttrValue(AttrValue::Types{ElementType::kBool}), R"([{"dtype": "bool"}])"},
           {AttrValue::List({AttrValue(), AttrValue(0)}), "[null, 0]"},
       }) {
    EXPECT_EQ(JsonOf(c.value), c.json);
  }
}

TEST(AttrValueJson, Value_TooLarge_IsNull) {
  EXPECT_NE(JsonOf(AttrValue::Ints(kMaxWrittenElements, 7)), "null");
  EXPECT_EQ(JsonOf(AttrValue::Ints(kMaxWrittenElements + 1, 7)), "null");
  EXPECT_NE(JsonOf(std::string(kMaxWrittenText, 'x')), "null");
  EXPECT_EQ(JsonOf(std::string(kMaxWrittenText + 1, 'x')), "null");
  EXPECT_EQ(JsonOf(TensorValue{ElementType::kI64, {.dims = {65}}, AttrValue::Ints(65, 0)}),
            R"({"tensor": {"dtype": "i64", "shape": [65]}})");
}

}  // namespace
}  // namespace dimwise
