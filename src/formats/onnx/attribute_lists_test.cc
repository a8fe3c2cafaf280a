#include "formats/onnx/attribute_lists.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "dimwise/builtin.h"
#include "dimwise/inference.h"
#include "dimwise/onnx.h"
#include "formats/onnx/onnx_builder_testing.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder
using Kind = onnx_fields::AttributeType;

constexpr size_t kMany = AttributeLists::kMaxRead * 3;

AttrValue::Ints ManyInts() {
  AttrValue::Ints ints;
  for (size_t i = 0; i < kMany; ++i) ints.push_back(static_cast<int64_t>(i * i) - 70000);
  return ints;
}
AttrValue::Floats ManyFloats() {
  AttrValue::Floats floats;
  for (size_t i = 0; i < kMany; ++i) floats.push_back(static_cast<double>(i) / 4 - 100);
  return floats;
}
AttrValue::Strings ManyStrings() {
  AttrValue::Strings strings;
  for (size_t i = 0; i < kMany; ++i)
    strings.push_back(std::string(i % 300, 'a'));  // some lengths take two bytes
  return strings;
}

std::string FloatBytes(double f) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(f));
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(bits >> (8 * i));
  return out;
}

// Encodes a list with one field per element.
std::string Fields(const AttrValue::Ints& ints) {
  std::string out;
  for (const int64_t n : ints) AppendVarintField(out, 8, static_cast<uint64_t>(n));
  return out;
}
std::string Fields(const AttrValue::Floats& floats) {
  std::string out;
  for (const double f : floats) out += static_cast<char>(Fixed32Field(7)) + FloatBytes(f);
  return out;
}
std::string Fields(const AttrValue::Strings& strings) {
  std::string out;
  for (const std::string& s : strings) AppendBytesField(out, 9, s);
  return out;
}
std::string InTwo(uint32_t field, const std::vector<std::string>& elements) {
  std::string first, second, out;
  for (size_t i = 0; i < elements.size(); ++i) (i < 10 ? first : second) += elements[i];
  AppendBytesField(out, 1, "name");
  AppendBytesField(out, field, first);
  AppendVarintField(out, 20, 0);
  AppendBytesField(out, field, second);
  AppendVarintField(out, 3, 5);
  return out;
}
std::string Packed(const AttrValue::Ints& ints) {
  std::vector<std::string> elements;
  for (const int64_t n : ints) AppendVarint(elements.emplace_back(), static_cast<uint64_t>(n));
  return InTwo(8, elements);
}
std::string Packed(const AttrValue::Floats& floats) {
  std::vector<std::string> elements;
  for (const double f : floats) elements.push_back(FloatBytes(f));
  return InTwo(7, elements);
}

AttrValue Read(std::string_view attribute, Kind kind) {
  AttributeLists lists;
  WireReader r(attribute);
  while (r.Next()) lists.Take(r);
  EXPECT_EQ(r.damage(), nullptr);
  return lists.ToValue(kind, attribute);
}

TEST(AttributeListsTest, LongList_WhenQueried_IsDecodedInFull) {
  const struct {
    const char* what;
    std::string attribute;
    Kind kind;
    AttrValue expected;
  } kCases[] = {
      {"ints, field by field", Fields(ManyInts()), Kind::kInts, ManyInts()},
      {"ints, packed", Packed(ManyInts()), Kind::kInts, ManyInts()},
      {"floats, field by field", Fields(ManyFloats()), Kind::kFloats, ManyFloats()},
      {"floats, packed", Packed(ManyFloats()), Kind::kFloats, ManyFloats()},
      {"strings", Fields(ManyStrings()), Kind::kStrings, ManyStrings()},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.what);
    const AttrValue value = Read(c.attribute, c.kind);
    ASSERT_TRUE(value.IsUnread());
    EXPECT_FALSE(value.IsTooLong());
    EXPECT_EQ(value.kind(), c.expected.kind());
    EXPECT_EQ(value.ListSize(), kMany);
    EXPECT_EQ(HashOf(value), HashOf(c.expected));
    EXPECT_EQ(value.get_if<AttrValue::Bools>(), nullptr);
    EXPECT_EQ(value, c.expected);
    EXPECT_EQ(c.expected, value);
    EXPECT_EQ(ToString(value), ToString(c.expected));
    EXPECT_EQ(ConvertTo(value.kind(), value), c.expected);
    const std::string copy = c.attribute;
    EXPECT_EQ(value, Read(copy, c.kind));
  }
}

TEST(AttributeListsTest, LongLists_DifferentLastElement_AreNotEqual) {
  AttrValue::Ints other = ManyInts();
  ++other.back();
  const std::string a = Fields(ManyInts()), b = Fields(other);
  EXPECT_NE(Read(a, Kind::kInts), Read(b, Kind::kInts));
  EXPECT_NE(Read(a, Kind::kInts), AttrValue(other));
  EXPECT_NE(Read(a, Kind::kInts), AttrValue(AttrValue::Ints{1, 2}));
}

TEST(AttributeListsTest, ShortList_WhenRead_IsDecodedAtOnce) {
  const std::string attribute = Fields(AttrValue::Ints(AttributeLists::kMaxRead, 7));
  EXPECT_FALSE(Read(attribute, Kind::kInts).IsUnread());
  EXPECT_EQ(Read(attribute, Kind::kInts), AttrValue(AttrValue::Ints(AttributeLists::kMaxRead, 7)));
}

// Reading whole lists must stop at the same field, and report the same damage, as reading field by field.
TEST(AttributeListsTest, TruncatedList_AtEachByte_IsWholeOrDamaged) {
  for (const std::string& whole : {Fields(ManyInts()), Fields(ManyFloats()), Fields(ManyStrings())}) {
    for (size_t cut = 1; cut < 40; ++cut) {
      const std::string beginning = whole.substr(0, whole.size() - cut);
      AttributeLists lists;
      WireReader by_lists(beginning), by_field(beginning);
      while (by_lists.Next()) lists.Take(by_lists);
      while (by_field.Next()) continue;
      EXPECT_STREQ(by_lists.damage(), by_field.damage());
      EXPECT_EQ(by_lists.damaged_at(), by_field.damaged_at());
    }
  }
}

// Infers a model with one node. Returns the type of y and the findings.
std::string InferY(const NodeSpec& node) {
  const std::string model = ModelProto(
      {.graph = GraphProto(
           {.nodes = {NodeProto(node)},
            .inputs = {ValueInfoProto("x", TensorType(node.domain.empty() ? kInt64 : kFloat, {"N", 4}))},
            .outputs = {ValueInfoProto("y", UnrankedType(kFloat))}})});
  Analysis analysis;
  const auto read = ReadOnnx(BytesOf(model), analysis);
  if (!read) return ToString(read.error());
  const Graph& graph = (*read)->graph;
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  std::string text = ToString(analysis.dims(), inference.type(graph.outputs(graph.body())[0]));
  for (const auto& findings : {(*read)->findings, inference.findings()}) {
    for (const Diagnostic& d : findings) {
      if (d.severity == Severity::kError) text += "; " + d.message;
    }
  }
  return text;
}

std::string PackedOnes(std::string_view name, size_t count) {
  std::string out;
  AppendBytesField(out, 1, name);
  AppendBytesField(out, 8, std::string(count, '\x01'));
  AppendVarintField(out, 20, 7);
  return out;
}

TEST(AttributeListsTest, List_TooLongForRule_IsAnError) {
  AttrValue::Ints indexes;
  for (int64_t i = 0; i < 5000; ++i) indexes.push_back((i * 7) % 5000);
  const auto vectorizer = [](std::string indexes_attribute) {
    return NodeSpec{.op = "TfIdfVectorizer",
                    .inputs = {"x"},
                    .outputs = {"y"},
                    .attributes = {IntAttr("max_gram_length", 1), IntAttr("max_skip_count", 0),
                                   IntAttr("min_gram_length", 1), StringAttr("mode", "TF"),
                                   IntsAttr("ngram_counts", {0}), std::move(indexes_attribute)}};
  };
  EXPECT_EQ(InferY(vectorizer(IntsAttr("ngram_indexes", indexes))), "f32[N, 5000]");
  EXPECT_EQ(InferY(vectorizer(PackedOnes("ngram_indexes", 5 << 20))),
            "f32[*]; TfIdfVectorizer needs ngram_indexes, which has 5242880 elements: more than are read");
}

TEST(AttributeListsTest, List_LongButUnused_IsNoError) {
  EXPECT_EQ(InferY({.op = "TreeEnsembleRegressor",
                    .inputs = {"x"},
                    .outputs = {"y"},
                    .attributes = {PackedOnes("nodes_nodeids", 5 << 20), IntAttr("n_targets", 2)},
                    .domain = "ai.onnx.ml"}),
            "f32[N, 2]");
}

}  // namespace
}  // namespace dimwise
