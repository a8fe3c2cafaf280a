// Moves the external data of ONNX models: locations in the bytes, and files in temporary folders.
#include "formats/onnx/external_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "formats/onnx/external_files.h"
#include "formats/onnx/onnx_builder_testing.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder

namespace fs = std::filesystem;

// Returns a tensor whose contents are at the location.
std::string ExternalTensor(std::string_view name, std::string_view location) {
  std::string tensor = TensorProto({.name = name, .element = kFloat, .dims = {2}, .external = true});
  for (const auto& [key, text] : {std::pair<std::string_view, std::string_view>{"offset", "8"},
                                  {"location", location},
                                  {"length", "8"}}) {
    std::string entry;
    AppendBytesField(entry, 1, key);
    AppendBytesField(entry, 2, text);
    AppendBytesField(tensor, 13, entry);
  }
  return tensor;
}

// Returns a model with external data in initializers, in an attribute, in a branch and in a function.
std::string ModelWithData(std::string_view first, std::string_view second) {
  const auto constant = [&](std::string_view location) {
    return NodeProto({.op = "Constant",
                      .outputs = {"c"},
                      .attributes = {TensorAttr("value", ExternalTensor("", location))}});
  };
  const std::string branch =
      GraphProto({.nodes = {constant(first)}, .initializers = {ExternalTensor("b", second)}});
  return ModelProto(
      {.graph = GraphProto({
           .nodes = {NodeProto({.op = "If",
                                .inputs = {"which"},
                                .outputs = {"z"},
                                .attributes = {GraphAttr("then_branch", branch),
                                               GraphAttr("else_branch", branch)}}),
                     constant(second)},
           .initializers = {ExternalTensor("a", first), TensorProto({.name = "inside", .int64s = {1}})},
           .inputs = {ValueInfoProto("which", TensorType(kBool, {}))},
       }),
       .functions = {
           FunctionProto({.domain = "my", .name = "F", .outputs = {"c"}, .nodes = {constant(second)}})}});
}

TEST(ExternalDataTest, Locations_InAllPlaces_AreFoundAndReplaced) {
  const std::string model = ModelWithData("weights.bin", "data/more.bin");
  EXPECT_EQ(ExternalLocations(model), (std::vector<std::string>{"data/more.bin", "weights.bin"}));
  std::string out;
  const std::string longer(200, 'w');  // lengths of enclosing messages get more bytes
  ASSERT_TRUE(WriteWithLocations(model, {{"weights.bin", longer}, {"data/more.bin", "m"}},
                                 [&](std::string_view piece) {
                                   out += piece;
                                   return Status();
                                 }));
  EXPECT_EQ(out, ModelWithData(longer, "m"));
}

// A folder with the folders `models`, `models/data` and `other`.
class ExternalFilesTest : public testing::Test {
 protected:
  ExternalFilesTest() : root_(fs::path(testing::TempDir()) / "external_files") {
    fs::remove_all(root_);
    fs::create_directories(root_ / "models" / "data");
    fs::create_directories(root_ / "other");
    Store("models/w.bin", "weights");
    Store("models/data/w.bin", "more weights");
  }
  ~ExternalFilesTest() override { fs::remove_all(root_); }

  void Store(const std::string& name, std::string_view text) {
    std::ofstream(root_ / name, std::ios::binary) << text;
  }
  std::string Load(const std::string& name) const {
    std::ifstream in(root_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string Path(const std::string& name) const { return name == "-" ? name : (root_ / name).string(); }

  // Prepares and commits the files of models/m.onnx with data at `location` for the file `target`. Returns
  // the location in the new model, or the error without the path of the root.
  std::string Move(const std::string& location, const std::string& target, ExternalData how,
                   const std::string& source = "models/m.onnx") {
    const std::string model =
        ModelProto({.graph = GraphProto({.initializers = {ExternalTensor("w", location)}})});
    Result<ExternalFiles> files = ExternalFiles::Prepare(model, Path(source), Path(target), how);
    const Status done = files ? files->Commit() : Status(std::move(files).TakeError());
    if (!done) {
      std::string text = done.error().message;
      const std::string root = root_.string() + "/";
      for (size_t at = 0; (at = text.find(root)) != std::string::npos;) text.erase(at, root.size());
      return text;
    }
    return files->locations().empty() ? location : files->locations().begin()->second;
  }

  const fs::path root_;
};

TEST_F(ExternalFilesTest, Relocate_DataBelowTheNewFolder_ChangesTheLocation) {
  constexpr ExternalData kHow = ExternalData::kRelocate;
  EXPECT_EQ(Move("w.bin", "models/out.onnx", kHow), "w.bin");
  EXPECT_EQ(Move("data/w.bin", "models/out.onnx", kHow), "data/w.bin");
  EXPECT_EQ(Move("w.bin", "out.onnx", kHow), "models/w.bin");
  EXPECT_EQ(Move("./data/../w.bin", "out.onnx", kHow), "models/w.bin");
  EXPECT_EQ(Move("data/w.bin", "models/data/out.onnx", kHow), "w.bin");
  EXPECT_EQ(Move("../models/w.bin", "models/out.onnx", kHow), "../models/w.bin")
      << "the same folder: no change";
  EXPECT_EQ(Move("missing.bin", "out.onnx", kHow), "models/missing.bin");
  EXPECT_EQ(Move("*/_ORT_MEM_ADDR_/*", "out.onnx", kHow), "*/_ORT_MEM_ADDR_/*");
  fs::create_directory_symlink(root_ / "models", root_ / "link");
  EXPECT_EQ(Move("w.bin", "link/out.onnx", kHow), "w.bin") << "another path of the same folder";
}

TEST_F(ExternalFilesTest, Relocate_DataElsewhere_IsRefused) {
  EXPECT_EQ(Move("w.bin", "other/out.onnx", ExternalData::kRelocate),
            "'other/out.onnx' would not find its external data 'w.bin', which is in the folder 'models'");
  EXPECT_EQ(
      Move("w.bin", "models/data/out.onnx", ExternalData::kRelocate),
      "'models/data/out.onnx' would not find its external data 'w.bin', which is in the folder 'models'");
  EXPECT_EQ(Move("w.bin", "other/out.onnx", ExternalData::kKeep), "w.bin");
  fs::create_hard_link(root_ / "models/w.bin", root_ / "other/w.bin");
  EXPECT_EQ(Move("w.bin", "other/out.onnx", ExternalData::kRelocate), "w.bin") << "the file is there";
}

TEST_F(ExternalFilesTest, Copy_CreatesFilesBesideTheModel) {
  EXPECT_EQ(Move("w.bin", "other/out.onnx", ExternalData::kCopy), "w.bin");
  EXPECT_EQ(Load("other/w.bin"), "weights");
  EXPECT_EQ(Move("data/w.bin", "other/out.onnx", ExternalData::kCopy), "data/w.bin");
  EXPECT_EQ(Load("other/data/w.bin"), "more weights");
  EXPECT_EQ(Move("w.bin", "other/out.onnx", ExternalData::kCopy), "w.bin") << "equal contents: nothing to do";
  EXPECT_EQ(Move("../w.bin", "other/out.onnx", ExternalData::kCopy, "models/data/m.onnx"), "w.bin");
  EXPECT_EQ(Move("missing.bin", "other/out.onnx", ExternalData::kCopy),
            "cannot open 'models/missing.bin': No such file or directory");
}

TEST_F(ExternalFilesTest, Copy_IntoMissingFolder_CreatesNothing) {
  EXPECT_EQ(Move("data/w.bin", "nowhere/out.onnx", ExternalData::kCopy),
            "cannot write 'nowhere/data/w.bin': No such file or directory");
  EXPECT_FALSE(fs::exists(root_ / "nowhere"));
}

TEST_F(ExternalFilesTest, Copy_OtherFileWithThatName_IsRefused) {
  Store("other/w.bin", "of another model");
  EXPECT_EQ(Move("w.bin", "other/out.onnx", ExternalData::kCopy),
            "the external data cannot be 'other/w.bin': there is a file with other contents");
  EXPECT_EQ(Load("other/w.bin"), "of another model");
}

TEST_F(ExternalFilesTest, Prepare_WithoutCommit_LeavesNothing) {
  const std::string model =
      ModelProto({.graph = GraphProto({.initializers = {ExternalTensor("w", "w.bin")}})});
  for (const ExternalData how : {ExternalData::kCopy, ExternalData::kLink}) {
    ASSERT_TRUE(ExternalFiles::Prepare(model, Path("models/m.onnx"), Path("other/out.onnx"), how));
    EXPECT_TRUE(fs::is_empty(root_ / "other"));
  }
}

TEST_F(ExternalFilesTest, Link_CreatesHardLinks) {
  EXPECT_EQ(Move("w.bin", "other/out.onnx", ExternalData::kLink), "w.bin");
  EXPECT_TRUE(fs::equivalent(root_ / "models/w.bin", root_ / "other/w.bin"));
  EXPECT_EQ(Move("w.bin", "other/out.onnx", ExternalData::kLink), "w.bin") << "the link is there";
}

TEST_F(ExternalFilesTest, StandardStreams_HaveNoFolder) {
  EXPECT_EQ(Move("w.bin", "-", ExternalData::kRelocate), "w.bin");
  EXPECT_EQ(Move("w.bin", "-", ExternalData::kCopy),
            "the model has external data 'w.bin', and standard output has no folder");
  EXPECT_EQ(Move("w.bin", "models/out.onnx", ExternalData::kRelocate, "-"), "w.bin");
  EXPECT_EQ(Move("w.bin", "other/out.onnx", ExternalData::kRelocate, "-"),
            "the model has external data 'w.bin', and standard input has no folder");
}

}  // namespace
}  // namespace dimwise
