// Functions for tests of OpDefBuilder.
#ifndef DIMWISE_OPS_OP_DEF_TESTING_H_
#define DIMWISE_OPS_OP_DEF_TESTING_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "dimwise/op_def.h"

namespace dimwise {

inline std::string ErrorOf(const OpDefBuilder& builder) {
  const auto def = builder.Build();
  return def ? "fine" : def.error().message;
}

inline AttrDef MakeAttr(std::string_view spec) {
  const OpDef def = OpDefBuilder("test.X").Attr(spec).Build().value_or(OpDef());
  EXPECT_EQ(def.attrs.size(), 1u) << spec;
  return def.attrs.empty() ? AttrDef() : def.attrs[0];
}

}  // namespace dimwise

#endif  // DIMWISE_OPS_OP_DEF_TESTING_H_
