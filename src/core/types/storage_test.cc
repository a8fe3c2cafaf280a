#include "dimwise/storage.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(StorageTest, ParseStorage_NamesAndNumbers_RoundTrip) {
  struct Case {
    Storage storage;
    int mxnet;
    const char* name;
    const char* also;
    bool dense, sparse;
  };
  const Case cases[] = {
      {Storage(), -1, "?", "unknown", false, false},
      {Storage::Dense(), 0, "dense", "default", true, false},
      {Storage::RowSparse(), 1, "row_sparse", "row_sparse", false, true},
      {Storage::Csr(), 2, "csr", "csr", false, true},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ToString(c.storage), c.name);
    EXPECT_EQ(ParseStorage(c.name), c.storage) << c.name;
    EXPECT_EQ(ParseStorage(c.also), c.storage) << c.also;
    EXPECT_EQ(MxnetNumberOf(c.storage), c.mxnet) << c.name;
    EXPECT_EQ(StorageFromMxnet(c.mxnet), c.storage) << c.name;
    EXPECT_EQ(c.storage.is_known(), c.mxnet >= 0) << c.name;
    EXPECT_EQ(c.storage.is_dense(), c.dense) << c.name;
    EXPECT_EQ(c.storage.is_sparse(), c.sparse) << c.name;
  }
  for (const char* text : {"", "Dense", "coo", "row-sparse"}) EXPECT_FALSE(ParseStorage(text)) << text;
  for (int64_t number : {int64_t{-2}, int64_t{3}, INT64_MAX})
    EXPECT_FALSE(StorageFromMxnet(number)) << number;
}

TEST(StorageTest, MergeStorage_TableOfPairs_GivesMeetOrError) {
  EXPECT_EQ(MergeStorage(Storage(), Storage()).value(), Storage());
  EXPECT_EQ(MergeStorage(Storage(), Storage::Csr()).value(), Storage::Csr());
  EXPECT_EQ(MergeStorage(Storage::Csr(), Storage()).value(), Storage::Csr());
  EXPECT_EQ(MergeStorage(Storage::Dense(), Storage::Dense()).value(), Storage::Dense());
  const auto clash = MergeStorage(Storage::Dense(), Storage::RowSparse());
  ASSERT_FALSE(clash);
  EXPECT_EQ(clash.error().message, "the storage cannot be both dense and row_sparse");
}

}  // namespace
}  // namespace dimwise
