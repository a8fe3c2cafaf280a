// Parses operands and attributes as a user types them for `dimwise op`:
//
//   f32[N, 3, 224, 224]     an operand: its type, see dimwise/type.h; `?` is an unknown size
//   i64[2]={N, -1}          with its contents, flat; also i64[2]=[N, -1], and i64[]=3 for a scalar
//   [N, 3]                  with an unknown element type
//   none                    an optional operand that is not given
//   strides=2,2             an attribute; also axis=-1, alpha=0.5, to=f16, auto_pad=SAME_UPPER, mode="a, b"
#ifndef DIMWISE_INFER_CONTEXT_OPERAND_TEXT_H_
#define DIMWISE_INFER_CONTEXT_OPERAND_TEXT_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/op_def.h"
#include "infer/context/op_call.h"

namespace dimwise {

// Returns whether a word is an attribute `name=...` rather than an operand.
bool IsAttributeText(std::string_view word);

// Parses an operand. *bytes must outlive the analysis.
Result<OpOperand> ParseOperand(Analysis& analysis, std::string_view word, std::vector<std::byte>* bytes);

// Adds the attribute in a word, in its declared kind. An undeclared attribute is an error, because it is most
// likely misspelt.
Status ParseAttribute(const OpDef& def, std::string_view word, AttrMap* attrs);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_OPERAND_TEXT_H_
