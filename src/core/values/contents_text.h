// The contents of a tensor as people write them: flat, row by row, `{N, -1}`, `[0.5, inf]`, `{true, ?}`, and
// `3` of a scalar. An element is a number, an expression over sizes, true or false, a text, or `?` where it
// is not known.
#ifndef DIMWISE_CORE_VALUES_CONTENTS_TEXT_H_
#define DIMWISE_CORE_VALUES_CONTENTS_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/result.h"

namespace dimwise {

// The contents of a tensor of that type; none where nothing can be known of them. *bytes has to live as long
// as the analysis.
Result<Value> ParseContents(Analysis& analysis, std::string_view text, const Type& type,
                            std::vector<std::byte>* bytes);

// The same written down, in braces; empty where nothing is known of any element. An integer that may be
// negative and has no number is `?`: read back, a name would be a size.
std::string ContentsToString(DimTable& dims, Value contents);

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_CONTENTS_TEXT_H_
