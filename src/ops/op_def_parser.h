// Reads the notation of OpDefBuilder. Whether what is written fits together is LintOpDef's business.
#ifndef DIMWISE_OPS_OP_DEF_PARSER_H_
#define DIMWISE_OPS_OP_DEF_PARSER_H_

#include <string>
#include <string_view>

#include "dimwise/op_def.h"

namespace dimwise {

// The message of a failure says what is wrong, without the operator and the spec.
struct SpecError {
  std::string message;
};

// "xs: N * T". A name that is no element type is taken for an attribute of kind type: the builder, which
// knows the attributes, moves it to `type_list_attr` where it is a list.
std::optional<SpecError> ParseArgSpec(std::string_view spec, ArgDef* arg);

// "n: int >= 1 = 2".
std::optional<SpecError> ParseAttrSpec(std::string_view spec, AttrDef* attr);

}  // namespace dimwise

#endif  // DIMWISE_OPS_OP_DEF_PARSER_H_
