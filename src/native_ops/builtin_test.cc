// Tests the registry of all built-in operators.
#include "dimwise/builtin.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/known_opsets.h"

namespace dimwise {
namespace {

TEST(BuiltinTest, BuiltinRegistry_AllSets_ArePresent) {
  for (const char* name : {"onnx.LSTM", "onnx.Conv", "ai.onnx.ml.Scaler", "com.microsoft.FastGelu", "tensorflow.Conv2D"}) {
    EXPECT_NE(BuiltinRegistry().Find(name), nullptr) << name;
  }
}

TEST(BuiltinTest, KnownOpsets_EachSet_CoversItsDefinitions) {
  for (const std::string_view set : BuiltinRegistry().sets()) {
    const auto known = std::ranges::find(kKnownOpsets, set, &KnownOpset::set);
    ASSERT_NE(known, std::end(kKnownOpsets)) << set;
    for (const OpRegistrationData* op : BuiltinRegistry().List(set)) {
      EXPECT_LE(op->def.since, known->version) << op->def.FullName();
    }
  }
}

TEST(BuiltinTest, LookUp_SharedName_SuggestsShortestFirst) {
  const auto found = BuiltinRegistry().LookUp("my.channels_last.Conv");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().help, "did you mean onnx.Conv, tensorflow.Conv or com.microsoft.nchwc.Conv?");
}

}  // namespace
}  // namespace dimwise
