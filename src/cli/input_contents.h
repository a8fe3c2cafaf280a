// Parses the contents that a user gives an input: `8`, `[224, 224]`, `[[1, N], [3, 4]]`.
#ifndef DIMWISE_CLI_INPUT_CONTENTS_H_
#define DIMWISE_CLI_INPUT_CONTENTS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/result.h"

namespace dimwise {

// Returns the contents of a tensor of type *type, and replaces the unknown and symbolic sizes of the type by
// the sizes of the contents. A flat list also gives the elements of a tensor of constant sizes, row by row.
// *bytes must live as long as the analysis.
//
// REQUIRES: *type is a tensor.
Result<Value> ReadInputContents(Analysis& analysis, std::string_view text, Type* type,
                                std::vector<std::byte>* bytes);

// A symbol, and the index of the first element that contains it.
struct SymbolInContents {
  Dim symbol;
  int64_t element = 0;
};

// Returns the symbols in contents, without duplicates.
std::vector<SymbolInContents> SymbolsOfContents(const DimTable& dims, Value contents);

}  // namespace dimwise

#endif  // DIMWISE_CLI_INPUT_CONTENTS_H_
