#include "formats/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace dimwise {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() : folder_(fs::path(testing::TempDir()) / "atomic_file") {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  std::string Read(const std::string& name) const {
    std::ifstream in(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t FileCount() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(AtomicFileTest, Commit_NewFile_MakesItVisible) {
  Result<AtomicFile> file = AtomicFile::Create(Path("a"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->Write("one, "));
  ASSERT_TRUE(file->Write("two"));
  EXPECT_FALSE(fs::exists(Path("a")));
  ASSERT_TRUE(file->Commit());
  EXPECT_EQ(Read("a"), "one, two");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(AtomicFileTest, Destructor_WithoutCommit_KeepsOldFile) {
  std::ofstream(Path("a")) << "old";
  {
    Result<AtomicFile> file = AtomicFile::Create(Path("a"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->Write("new"));
  }
  EXPECT_EQ(Read("a"), "old");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(AtomicFileTest, Commit_ToLink_ReplacesTargetAndKeepsPermissions) {
  std::ofstream(Path("a")) << "old";
  fs::permissions(Path("a"), fs::perms(0640));
  fs::create_symlink(Path("a"), Path("link"));
  Result<AtomicFile> file = AtomicFile::Create(Path("link"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->Write("new"));
  ASSERT_TRUE(file->Commit());
  EXPECT_EQ(Read("a"), "new");
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(fs::status(Path("a")).permissions(), fs::perms(0640));
}

TEST_F(AtomicFileTest, Commit_ToDanglingLink_CreatesTarget) {
  fs::create_directory(Path("inside"));
  fs::create_symlink("inside/second", Path("first"));
  fs::create_symlink("../a", Path("inside/second"));
  ASSERT_TRUE(AtomicFile::WriteWhole(Path("first"), "new"));
  EXPECT_EQ(Read("a"), "new");
  EXPECT_TRUE(fs::is_symlink(Path("first")));
  EXPECT_TRUE(fs::is_symlink(Path("inside/second")));
  fs::create_symlink("round", Path("round"));
  EXPECT_EQ(ToString(AtomicFile::Create(Path("round")).error()),
            "error[DW0501]: cannot write '" + Path("round") + "': Too many levels of symbolic links");
}

TEST_F(AtomicFileTest, NewFile_WithUmask_HasItsPermissions) {
  const mode_t before = ::umask(027);
  const Status written = AtomicFile::WriteWhole(Path("a"), "new");
  EXPECT_EQ(::umask(before), mode_t{027});
  ASSERT_TRUE(written);
  EXPECT_EQ(fs::status(Path("a")).permissions(), fs::perms(0640));
}

// An unnamed file leaves nothing behind if the process ends.
TEST_F(AtomicFileTest, File_BeforeCommit_HasNoName) {
  const int probe = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (probe < 0) GTEST_SKIP() << "the file system has no files without a name";
  ::close(probe);
  Result<AtomicFile> file = AtomicFile::Create(Path("a"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->Write("new"));
  EXPECT_EQ(FileCount(), 0u);
  AtomicFile moved = *std::move(file);
  ASSERT_TRUE(moved.Commit());
  EXPECT_EQ(Read("a"), "new");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(AtomicFileTest, Target_NotRegularFile_IsWrittenDirectly) {
  Result<AtomicFile> file = AtomicFile::Create("/dev/null");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->Write("gone"));
  EXPECT_TRUE(file->Commit());
}

TEST_F(AtomicFileTest, Failure_OfSystem_IsReported) {
  EXPECT_EQ(ToString(AtomicFile::Create(Path("no/such/folder")).error()),
            "error[DW0501]: cannot write '" + Path("no/such/folder") + "': No such file or directory");
  EXPECT_EQ(ToString(AtomicFile::Create(folder_).error()),
            "error[DW0501]: cannot write '" + folder_.string() + "': Is a directory");
  Result<AtomicFile> full = AtomicFile::Create("/dev/full");
  ASSERT_TRUE(full);
  EXPECT_EQ(ToString(full->Write("x").error()),
            "error[DW0501]: cannot write '/dev/full': No space left on device");
}

}  // namespace
}  // namespace dimwise
