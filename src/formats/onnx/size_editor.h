// Changes sizes inside a TypeProto. All other bytes stay as they were.
#ifndef DIMWISE_FORMATS_ONNX_SIZE_EDITOR_H_
#define DIMWISE_FORMATS_ONNX_SIZE_EDITOR_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace dimwise {

// The value of a dimension: a number, a name, or an expression. An empty string is a dimension without a
// value.
using WrittenSize = std::variant<int64_t, std::string>;

// Returns the new value of a dimension, or nothing to keep it. `param` is its name or empty; `axis` is its
// index in a tensor, or -1 inside a container.
using EditSize = std::function<std::optional<WrittenSize>(std::string_view param, int axis)>;

// Returns the type with changed sizes, or nothing if no size changes or the type is damaged.
std::optional<std::string> EditSizes(std::string_view type, const EditSize& edit);

// Returns the value of a name or expression after replacing symbols by numbers: `N + 1` is 9 if N is 8.
// Returns nothing if it contains none of the symbols, or is not an expression.
using SymbolNumbers = std::map<std::string, int64_t, std::less<>>;
std::optional<WrittenSize> WithNumbers(std::string_view param, const SymbolNumbers& numbers);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_SIZE_EDITOR_H_
