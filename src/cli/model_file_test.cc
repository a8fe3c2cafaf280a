#include "cli/model_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace dimwise {
namespace {

namespace fs = std::filesystem;

// A temporary folder with empty files.
class ModelFolderTest : public testing::Test {
 protected:
  ModelFolderTest() : root_(fs::path(testing::TempDir()) / "model_folder") { fs::remove_all(root_); }
  ~ModelFolderTest() override { fs::remove_all(root_); }

  void Create(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      fs::create_directories((root_ / name).parent_path());
      std::ofstream(root_ / name).flush();
    }
  }
  // Returns the names of the models that are found in a folder below the root.
  static std::vector<std::string> NamesOf(const ModelPaths& paths) {
    std::vector<std::string> names;
    for (const ModelPath& path : paths.found) names.push_back(path.below);
    return names;
  }

  const fs::path root_;
};

TEST_F(ModelFolderTest, Find_UpperCaseExtensions_AreModels) {
  Create({"a.onnx", "b.ONNX", "sub/c.Graph", "sub/notes.txt"});
  const Result<ModelPaths> paths = FindModels({root_.string()});
  ASSERT_TRUE(paths);
  EXPECT_EQ(NamesOf(*paths), (std::vector<std::string>{"a.onnx", "b.ONNX", "sub/c.Graph"}));
  EXPECT_TRUE(paths->several);
  EXPECT_EQ(SkippedText(*paths), "");
}

TEST_F(ModelFolderTest, Find_HiddenFolders_AreNotEnteredUnlessGiven) {
  Create({"a.onnx", ".cache/b.onnx", ".cache/deep/c.onnx", "sub/.hidden/d.onnx", "sub/.hidden/d.pb"});
  const Result<ModelPaths> outside = FindModels({root_.string()});
  ASSERT_TRUE(outside);
  EXPECT_EQ(NamesOf(*outside), (std::vector<std::string>{"a.onnx"}));
  EXPECT_EQ(SkippedText(*outside), "");
  const Result<ModelPaths> inside = FindModels({(root_ / ".cache").string()});
  ASSERT_TRUE(inside);
  EXPECT_EQ(NamesOf(*inside), (std::vector<std::string>{"b.onnx", "deep/c.onnx"}));
}

TEST_F(ModelFolderTest, Find_ModelsOfOtherFormats_AreCounted) {
  Create({"a.onnx", "b.pb", "sub/c.PB", "sub/d.tflite", "README.md"});
  const Result<ModelPaths> paths = FindModels({root_.string()});
  ASSERT_TRUE(paths);
  EXPECT_EQ(NamesOf(*paths), (std::vector<std::string>{"a.onnx"}));
  EXPECT_EQ(SkippedText(*paths), "3 files were skipped: 2 .pb, 1 .tflite");
}

TEST_F(ModelFolderTest, Find_FolderWithoutModels_NamesTheSkippedFiles) {
  Create({"b.pb"});
  const Result<ModelPaths> paths = FindModels({root_.string()});
  ASSERT_FALSE(paths);
  EXPECT_EQ(paths.error().message, "cannot read '" + root_.string() + "': the folder contains no model");
  EXPECT_EQ(paths.error().help, "1 file was skipped: 1 .pb; a file that is given by its path is read");
}

TEST(ModelFileTest, CheckNameFor_ExtensionsInUpperCase_AreThoseOfTheFormat) {
  ModelFile file;
  file.format = "text";
  EXPECT_TRUE(CheckNameFor(file, "out.GRAPH"));
  EXPECT_FALSE(CheckNameFor(file, "out.ONNX"));
}

}  // namespace
}  // namespace dimwise
