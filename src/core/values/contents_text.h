// Parses and prints the contents of a tensor in row-major order: `{N, -1}`, `[0.5, inf]`, `{true, ?}`, and
// `3` for a scalar. An element is a number, an expression over sizes, true or false, a text, or `?` if it is
// unknown.
#ifndef DIMWISE_CORE_VALUES_CONTENTS_TEXT_H_
#define DIMWISE_CORE_VALUES_CONTENTS_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/result.h"

namespace dimwise {

// Returns the contents of a tensor of this type, or none if nothing is known of them. *bytes must live as
// long as the analysis.
Result<Value> ParseContents(Analysis& analysis, std::string_view text, const Type& type,
                            std::vector<std::byte>* bytes);

// Prints contents in braces; empty if no element is known. A symbolic integer that may be negative is printed
// as `?`, because its name would parse as a size.
std::string ContentsToString(DimTable& dims, Value contents);

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_CONTENTS_TEXT_H_
