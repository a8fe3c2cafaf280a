// Parses the notation of OpDefBuilder. LintOpDef checks the consistency of the parsed definition.
#ifndef DIMWISE_OPS_OP_DEF_PARSER_H_
#define DIMWISE_OPS_OP_DEF_PARSER_H_

#include <string>
#include <string_view>

#include "dimwise/op_def.h"

namespace dimwise {

// The message of an error, without the operator and the spec.
struct SpecError {
  std::string message;
};

// Parses "xs: N * T". A name that is no element type is assumed to be an attribute of kind type. The builder,
// which has all attributes, moves it to `type_list_attr` if the attribute is a list.
std::optional<SpecError> ParseArgSpec(std::string_view spec, ArgDef* arg);

// Parses "n: int >= 1 = 2".
std::optional<SpecError> ParseAttrSpec(std::string_view spec, AttrDef* attr);

}  // namespace dimwise

#endif  // DIMWISE_OPS_OP_DEF_PARSER_H_
