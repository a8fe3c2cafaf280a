// Tests the registry of all built-in operators.
#include "dimwise/builtin.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(BuiltinTest, BuiltinRegistry_AllSets_ArePresent) {
  for (const char* name : {"onnx.LSTM", "onnx.Conv", "ai.onnx.ml.Scaler", "com.microsoft.FastGelu"}) {
    EXPECT_NE(BuiltinRegistry().Find(name), nullptr) << name;
  }
}

TEST(BuiltinTest, LookUp_SharedName_SuggestsShortestFirst) {
  const auto found = BuiltinRegistry().LookUp("my.channels_last.Conv");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().help, "did you mean onnx.Conv or com.microsoft.nchwc.Conv?");
}

}  // namespace
}  // namespace dimwise
