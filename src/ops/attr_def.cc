// Reads, compares, hashes and prints attributes according to their definitions.
#include <algorithm>
#include <optional>

#include "core/base/hash_mix.h"
#include "dimwise/op_def.h"
#include "fmt/format.h"

namespace dimwise {
namespace {

std::vector<std::string> Sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

// Returns the value in the declared kind, or nullopt if it cannot be converted or the kind has no values.
std::optional<AttrValue> InKindOf(const AttrDef& attr, const AttrValue& value) {
  const auto kind = ParseAttrKind(attr.kind);
  if (!kind) return std::nullopt;
  auto converted = ConvertTo(*kind, value);
  if (!converted && attr.or_single) converted = AsIntsOrInt(value);
  return converted;
}

// Returns the default in the declared kind, so that 1 and 1.0 are equal defaults of a float.
std::optional<AttrValue> NormalDefault(const AttrDef& attr) {
  if (!attr.default_value) return std::nullopt;
  auto converted = InKindOf(attr, *attr.default_value);
  return converted ? converted : attr.default_value;
}

std::vector<const AttrDef*> ByName(const std::vector<AttrDef>& attrs) {
  std::vector<const AttrDef*> sorted;
  for (const AttrDef& attr : attrs) sorted.push_back(&attr);
  std::ranges::stable_sort(sorted, {}, [](const AttrDef* attr) { return std::string_view(attr->name); });
  return sorted;
}

template <typename... Args>
Unexpected BadAttr(fmt::format_string<Args...> format, Args&&... args) {
  Diagnostic diagnostic;
  diagnostic.code = Code::kBadAttribute;
  diagnostic.message = fmt::format(format, std::forward<Args>(args)...);
  return Unexpected(std::move(diagnostic));
}

// Return the value, or the elements of the list, if they have this kind; else nothing.
std::span<const ElementType> TypesIn(const AttrValue& value) {
  if (const auto* one = value.get_if<ElementType>()) return {one, 1};
  const auto* list = value.get_if<AttrValue::Types>();
  return list ? std::span<const ElementType>(*list) : std::span<const ElementType>();
}
std::span<const std::string> StringsIn(const AttrValue& value) {
  if (const auto* one = value.get_if<std::string>()) return {one, 1};
  const auto* list = value.get_if<AttrValue::Strings>();
  return list ? std::span<const std::string>(*list) : std::span<const std::string>();
}

// Returns the names of all types in a set. Class names are not used, so that the text parses to an equal set.
std::string TypeNames(ElementTypeSet types) {
  std::string names;
  for (int i = 0; i < kElementTypeCount; ++i) {
    const auto type = static_cast<ElementType>(i);
    if (types.Contains(type)) names += fmt::format("{}{}", names.empty() ? "" : ", ", ToString(type));
  }
  return names;
}

// Returns the allowed values as written in {...}; empty if all values are allowed.
std::string AllowedText(const AttrDef& attr) {
  std::string text = TypeNames(attr.allowed_types);
  for (const std::string& allowed : attr.allowed_strings) {
    const char quote = allowed.find('\'') == std::string::npos ? '\'' : '"';
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", quote, allowed, quote);
  }
  return text;
}

bool IsOfNumbers(AttrKind kind) {
  switch (kind) {
    case AttrKind::kInt:
    case AttrKind::kFloat:
    case AttrKind::kBool:
    case AttrKind::kInts:
    case AttrKind::kFloats:
    case AttrKind::kBools:
      return true;
    default:
      return false;
  }
}

Status CheckMinimum(const AttrDef& def, const AttrValue& value) {
  if (!def.minimum) return {};
  const int64_t minimum = *def.minimum;
  const int64_t* number = value.get_if<int64_t>();
  if (number != nullptr && *number < minimum) {
    return BadAttr("attribute '{}' is at least {}; {} is given", def.name, minimum, *number);
  }
  const auto length = value.ListSize();
  if (length && static_cast<int64_t>(*length) < minimum) {
    return BadAttr("attribute '{}' has at least {} element{}; {} is given", def.name, minimum,
                   minimum == 1 ? "" : "s", ToString(value));
  }
  return {};
}

Status CheckAllowed(const AttrDef& def, const AttrValue& value) {
  const auto refuse = [&def](const AttrValue& one) {
    return BadAttr("attribute '{}' is one of {}; {} is given", def.name, AllowedText(def), ToString(one));
  };
  if (!def.allowed_types.empty()) {
    for (const ElementType type : TypesIn(value)) {
      if (!def.allowed_types.Allows(type)) return refuse(type);
    }
  }
  if (!def.allowed_strings.empty()) {
    for (const std::string& text : StringsIn(value)) {
      if (std::ranges::find(def.allowed_strings, text) == def.allowed_strings.end()) return refuse(text);
    }
  }
  return {};
}

}  // namespace

const AttrDef* FindAttr(const OpDef& def, std::string_view name) {
  const auto at = std::ranges::find(def.attrs, name, &AttrDef::name);
  return at == def.attrs.end() ? nullptr : &*at;
}

Result<AttrValue> ReadAttr(const AttrDef& def, const AttrValue& value, NumbersAsText numbers) {
  const std::optional<AttrKind> kind = ParseAttrKind(def.kind);
  if (!kind) return value;
  const bool is_refused =
      numbers == NumbersAsText::kRefuse && IsOfNumbers(*kind) && !StringsIn(value).empty();
  auto converted = is_refused ? std::nullopt : InKindOf(def, value);
  if (!converted)
    return BadAttr("attribute '{}' is of kind {}; {} is given", def.name, def.kind, ToString(value));
  if (Status status = CheckMinimum(def, *converted); !status) return std::move(status).TakeError();
  if (Status status = CheckAllowed(def, *converted); !status) return std::move(status).TakeError();
  return *std::move(converted);
}

bool AttrDefEqual(const AttrDef& a, const AttrDef& b) {
  return a.name == b.name && a.kind == b.kind && a.minimum == b.minimum &&
         a.allowed_types == b.allowed_types && Sorted(a.allowed_strings) == Sorted(b.allowed_strings) &&
         a.required == b.required && a.or_single == b.or_single && NormalDefault(a) == NormalDefault(b);
}

bool AttrDefsEqual(const std::vector<AttrDef>& a, const std::vector<AttrDef>& b) {
  return std::ranges::equal(ByName(a), ByName(b),
                            [](const AttrDef* x, const AttrDef* y) { return AttrDefEqual(*x, *y); });
}

uint64_t HashOf(const AttrDef& attr) {
  uint64_t hash = HashMix(HashText(attr.name), HashText(attr.kind));
  hash = HashMix(hash, attr.minimum ? HashNumber(*attr.minimum) : 0);
  hash = HashMix(hash, attr.allowed_types.bits());
  for (const std::string& text : Sorted(attr.allowed_strings)) hash = HashMix(hash, HashText(text));
  hash = HashMix(hash, (attr.required ? 1u : 0u) | (attr.or_single ? 2u : 0u));
  const auto value = NormalDefault(attr);
  return HashMix(hash, value ? HashOf(*value) : 0);
}

uint64_t HashOf(const std::vector<AttrDef>& attrs) {
  uint64_t hash = attrs.size();
  for (const AttrDef* attr : ByName(attrs)) hash = HashMix(hash, HashOf(*attr));
  return hash;
}

std::string ToString(const AttrDef& attr) {
  std::string text = attr.name;
  if (!attr.required && !attr.default_value) text += '?';
  const std::string allowed = AllowedText(attr);
  if (allowed.empty()) {
    text += ": " + attr.kind;
  } else {
    text +=
        fmt::format(fmt::runtime(attr.kind.starts_with("list(") ? ": list({{{}}})" : ": {{{}}}"), allowed);
  }
  if (attr.or_single) text += " or int";
  if (attr.minimum) text += fmt::format(" >= {}", *attr.minimum);
  if (attr.default_value) text += " = " + ToString(*attr.default_value);
  return text;
}

}  // namespace dimwise
