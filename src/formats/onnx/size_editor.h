// Changes sizes inside a TypeProto; all else stays byte for byte.
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

// What a dimension says: a number, or a name or expression; an empty one says nothing.
using WrittenSize = std::variant<int64_t, std::string>;

// What a dimension shall say, or nothing where it stays as it is. `param` is its name, empty where it has
// none; `axis` is its place in a tensor, -1 inside a container.
using EditSize = std::function<std::optional<WrittenSize>(std::string_view param, int axis)>;

// The type with its sizes changed; nothing where none is, or where it is damaged.
std::optional<std::string> EditSizes(std::string_view type, const EditSize& edit);

// The size that a name or expression is once symbols have these numbers: `N + 1` is 9 where N is 8. Nothing
// where it speaks of none of them, or is no expression.
using SymbolNumbers = std::map<std::string, int64_t, std::less<>>;
std::optional<WrittenSize> WithNumbers(std::string_view param, const SymbolNumbers& numbers);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_SIZE_EDITOR_H_
