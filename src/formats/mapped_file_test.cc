#include "formats/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

namespace dimwise {
namespace {

std::string TextOf(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

class MappedFileTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) { return testing::TempDir() + "mapped_file_" + name; }
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(Path(name), std::ios::binary) << text;
    return Path(name);
  }
};

TEST_F(MappedFileTest, Open_RegularFile_HasItsBytes) {
  const std::string text("a\0b\n", 4);
  Result<MappedFile> file = MappedFile::Open(Write("bytes", text));
  ASSERT_TRUE(file);
  EXPECT_EQ(TextOf(*file), text);
  MappedFile moved = std::move(*file);
  EXPECT_EQ(TextOf(moved), text);
  EXPECT_TRUE(file->bytes().empty());
  file = Result<MappedFile>(std::move(moved));
  EXPECT_EQ(TextOf(*file), text);
}

TEST_F(MappedFileTest, Open_EmptyFile_IsEmpty) {
  const Result<MappedFile> file = MappedFile::Open(Write("empty", ""));
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
}

TEST_F(MappedFileTest, Open_Pipe_ReadsToEnd) {
  const std::string path = Path("pipe");
  ::unlink(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string text(300000, 'x');
  std::thread writer([&] { std::ofstream(path) << text; });
  const Result<MappedFile> file = MappedFile::Open(path);
  writer.join();
  ASSERT_TRUE(file);
  EXPECT_EQ(TextOf(*file), text);
}

TEST_F(MappedFileTest, Open_MissingFileOrDirectory_IsAnError) {
  const std::string missing = Path("missing");
  EXPECT_EQ(ToString(MappedFile::Open(missing).error()),
            "error[DW0501]: cannot open '" + missing + "': No such file or directory");
  EXPECT_EQ(ToString(MappedFile::Open("/tmp").error()),
            "error[DW0501]: '/tmp' is a folder; a model file is needed here");
}

}  // namespace
}  // namespace dimwise
