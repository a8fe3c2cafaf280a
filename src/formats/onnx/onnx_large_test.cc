// Tests models with gigabytes of weights, as sparse files. The weights are never accessed, so such a model
// costs only as much as its nodes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "dimwise/builtin.h"
#include "dimwise/inference.h"
#include "dimwise/onnx.h"
#include "formats/mapped_file.h"
#include "formats/onnx/onnx_builder_testing.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder

// Returns the memory of this process that is not a file mapping.
size_t AnonymousBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    size_t kilobytes = 0;
    if (word == "RssAnon:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

// Returns how often this process has accessed a page that was not in its memory.
int64_t PageFaults() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

// A file of MatMul(x, w). The weight w: f32[rows, 4096] is a hole at the end of the file.
class SparseModel {
 public:
  explicit SparseModel(int64_t rows) : path_(testing::TempDir() + "dimwise_sparse.onnx") {
    const auto data = static_cast<uint64_t>(rows) * 4096 * 4;
    // Returns the head of a field whose last `data` bytes are the hole.
    const auto field = [&](uint32_t number, std::string_view bytes) {
      std::string out;
      AppendVarint(out, number << 3 | 2);
      AppendVarint(out, bytes.size() + data);
      return out.append(bytes);
    };
    const std::string tensor =
        TensorProto({.name = "w", .element = kFloat, .dims = {rows, 4096}}) + field(9, {});
    const std::string graph =
        GraphProto({.nodes = {NodeProto({.op = "MatMul", .inputs = {"x", "w"}, .outputs = {"y"}})},
                    .inputs = {ValueInfoProto("x", TensorType(kFloat, {"N", rows}))},
                    .outputs = {ValueInfoProto("y", UnrankedType(kFloat))}}) +
        field(5, tensor);
    // The model of the builder ends with its graph, which is empty here and is left out.
    std::string head;
    AppendVarintField(head, 1, 8);
    AppendBytesField(head, 8, std::string("\x10\x11", 2));
    head += field(7, graph);
    std::ofstream(path_, std::ios::binary) << head;
    std::filesystem::resize_file(path_, head.size() + data);
  }
  ~SparseModel() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string TypeOfOutput(const SparseModel& file) {
  const auto mapped = MappedFile::Open(file.path());
  if (!mapped) return ToString(mapped.error());
  Analysis analysis;
  const auto model = ReadOnnx(mapped->bytes(), analysis);
  if (!model) return ToString(model.error());
  const Graph& graph = (*model)->graph;
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  return ToString(analysis.dims(), inference.type(graph.outputs(graph.body())[0]));
}

TEST(OnnxLarge, Infer_LargeWeights_DoesNotAccessThem) {
  const SparseModel file(91552);  // 1.5 GB
  ASSERT_GT(std::filesystem::file_size(file.path()), 1'499'000'000u);
  EXPECT_EQ(TypeOfOutput(file), "f32[N, 4096]");  // also initializes what all models share
  const size_t before = AnonymousBytes();
  const int64_t faults = PageFaults();
  EXPECT_EQ(TypeOfOutput(file), "f32[N, 4096]");
  // Reading the weights would cause 22,000 faults of 64 kB.
  EXPECT_LT(PageFaults() - faults, 2000);
  EXPECT_LT(AnonymousBytes() - before, 50u << 20);
}

TEST(OnnxLarge, Infer_WeightOfMoreThanFourGigabytes_Works) {
  const SparseModel file(300'000);
  ASSERT_GT(std::filesystem::file_size(file.path()), uint64_t{UINT32_MAX});
  EXPECT_EQ(TypeOfOutput(file), "f32[N, 4096]");
}

TEST(OnnxLarge, Read_FileTruncatedInWeights_IsDamaged) {
  const SparseModel file(300'000);
  std::filesystem::resize_file(file.path(), 3'000'000'000u);
  EXPECT_EQ(TypeOfOutput(file),
            "error[DW0502]: the ONNX file is damaged at byte 6, in the model: a field is longer than the "
            "rest of the message\n"
            "  help: the file may have been cut short or changed on its way; compare its size with the "
            "original's");
}

TEST(OnnxLarge, Write_LargeWeights_CopiesThemInPieces) {
  const SparseModel file(91552);
  const auto mapped = MappedFile::Open(file.path());
  ASSERT_TRUE(mapped);
  Analysis analysis;
  const auto model = ReadOnnx(mapped->bytes(), analysis);
  ASSERT_TRUE(model);
  Inference inference((*model)->graph, BuiltinRegistry());
  inference.Run();
  const size_t before = AnonymousBytes();
  size_t written = 0;
  ASSERT_TRUE(WriteOnnx(
      **model, [&](ValueId value) { return inference.type(value); },
      [&](std::string_view bytes) {
        written += bytes.size();
        return Status();
      }));
  EXPECT_GT(written, mapped->bytes().size());
  EXPECT_LT(AnonymousBytes() - before, 50u << 20);
}

// A model of one node. Its attribute of a gigabyte is a hole at the end of the file.
class SparseAttribute {
 public:
  SparseAttribute(std::string_view op, std::string_view name, uint64_t type, uint32_t field_number)
      : path_(testing::TempDir() + "dimwise_attribute.onnx") {
    constexpr uint64_t kHole = uint64_t{1} << 30;
    const auto field = [&](uint32_t number, std::string_view bytes) {
      std::string out;
      AppendVarint(out, number << 3 | 2);
      AppendVarint(out, bytes.size() + kHole);
      return out.append(bytes);
    };
    std::string attribute;
    AppendBytesField(attribute, 1, name);
    AppendVarintField(attribute, 20, type);
    attribute += field(field_number, {});
    const std::string node = NodeProto({.op = op, .inputs = {"x"}, .outputs = {"y"}}) + field(5, attribute);
    const std::string graph = GraphProto({.inputs = {ValueInfoProto("x", TensorType(kFloat, {"N", 4}))},
                                          .outputs = {ValueInfoProto("y", UnrankedType(kFloat))}}) +
                              field(1, node);
    std::string head;
    AppendVarintField(head, 1, 8);
    AppendBytesField(head, 8, std::string("\x10\x11", 2));
    head += field(7, graph);
    std::ofstream(path_, std::ios::binary) << head;
    std::filesystem::resize_file(path_, head.size() + kHole);
  }
  ~SparseAttribute() { std::filesystem::remove(path_); }

  // Returns the type of y and all findings.
  std::string Infer() const {
    const auto mapped = MappedFile::Open(path_);
    if (!mapped) return ToString(mapped.error());
    Analysis analysis;
    const auto model = ReadOnnx(mapped->bytes(), analysis);
    if (!model) return ToString(model.error());
    const Graph& graph = (*model)->graph;
    Inference inference(graph, BuiltinRegistry());
    inference.Run();
    std::string text = ToString(analysis.dims(), inference.type(graph.outputs(graph.body())[0]));
    for (const Diagnostic& d : (*model)->findings) text += "; " + d.message;
    for (const Diagnostic& d : inference.findings()) text += "; " + d.message;
    return text;
  }

 private:
  std::string path_;
};

// An unused attribute is skipped or reported, at no cost. An attribute that the operator needs is an error.
TEST(OnnxLarge, Infer_AttributeOfAGigabyte_IsSkippedOrReported) {
  constexpr uint64_t kFloats = 6, kInts = 7, kText = 3;
  const struct {
    std::string_view op, name;
    uint64_t type;
    uint32_t field;
    const char* found;
  } kCases[] = {
      {"Relu", "extra", kText, 4, "f32[N, 4]; attribute 'extra' has 1073741840 bytes, and is not read"},
      {"Relu", "extra", kInts, 8, "f32[N, 4]"},
      {"Relu", "extra", kFloats, 7, "f32[N, 4]"},
      {"Transpose", "perm", kInts, 8,
       "f32[*]; Transpose needs perm, which has 1073741824 elements: more than are read"},
      {"Einsum", "equation", kText, 4,
       "f32[*]; attribute 'equation' has 1073741843 bytes, and is not read; attribute 'equation' is of kind "
       "string; ?[]{?} is given"},
  };
  for (const auto& c : kCases) {
    const SparseAttribute file(c.op, c.name, c.type, c.field);
    const size_t before = AnonymousBytes();
    EXPECT_EQ(file.Infer(), c.found);
    EXPECT_LT(AnonymousBytes() - before, 200u << 20) << c.op;
  }
}

}  // namespace
}  // namespace dimwise
