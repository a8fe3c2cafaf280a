// Writes a Type as a TypeProto, either a new one or an update of an existing one.
#ifndef DIMWISE_FORMATS_ONNX_TYPE_WRITER_H_
#define DIMWISE_FORMATS_ONNX_TYPE_WRITER_H_

#include <optional>
#include <string>
#include <string_view>

#include "dimwise/analysis.h"

namespace dimwise {

// Returns whether ONNX can represent the kind of the type and its element type.
bool CanWriteType(const Type& type);

// Returns the TypeProto. A constant size is a dim_value; any other size is a dim_param with a name or an
// expression. A type of unknown rank has no shape. A size that differs between elements of a sequence is a
// dimension without a value. REQUIRES: CanWriteType(type).
std::string WriteType(DimTable& dims, const Type& type);

// Which size is written if the file and inference disagree.
enum class Precedence {
  kInferred,  // the inferred size
  kDeclared,  // the size in the file, unless inference has a number or another rank
  kNames,     // a name in the file, unless inference has a number; else the inferred size
};

// Updates the TypeProto of a file with an inferred type. Denotations and unknown fields are kept. Returns the
// same bytes if there is nothing to add, and nothing if the message is damaged. REQUIRES: CanWriteType(type).
std::optional<std::string> RewriteType(DimTable& dims, std::string_view old, const Type& type,
                                       Precedence precedence);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_TYPE_WRITER_H_
