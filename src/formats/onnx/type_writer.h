// Writes a Type as a TypeProto, from nothing or into one that a file has.
#ifndef DIMWISE_FORMATS_ONNX_TYPE_WRITER_H_
#define DIMWISE_FORMATS_ONNX_TYPE_WRITER_H_

#include <optional>
#include <string>
#include <string_view>

#include "dimwise/analysis.h"

namespace dimwise {

// Whether ONNX can say it: what it is, and the element type.
bool CanWriteType(const Type& type);

// A constant size is a dim_value, any other a dim_param: the name of a symbol, or an expression. A rank that
// is not known is no shape; a size that is each element's own in a sequence is a dimension without a value.
// REQUIRES: CanWriteType(type).
std::string WriteType(DimTable& dims, const Type& type);

// What counts where the file and inference both say something of a dimension.
enum class Precedence {
  kInferred,  // inference
  kDeclared,  // the file, but where inference has a number, or another rank
  kNames,     // the names of the file where inference has no number, else inference
};

// The TypeProto of the file with what inference knows put in; denotations and fields that we do not know stay
// as they are. Where there is nothing to add it is the same bytes; where it is damaged, nothing. REQUIRES:
// CanWriteType(type).
std::optional<std::string> RewriteType(DimTable& dims, std::string_view old, const Type& type,
                                       Precedence precedence);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_TYPE_WRITER_H_
