// Construction, comparison and hashing of AttrValue. attr_convert.cc converts values, attr_text.cc parses
// them.
#include "dimwise/attr_value.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/hash_mix.h"
#include "core/types/element_count.h"
#include "core/values/unread_list.h"

namespace dimwise {
namespace {

bool SameNumber(int64_t a, int64_t b) { return a == b; }
bool SameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool SameNumber(int64_t a, double b) {
  return b >= -0x1p63 && b < 0x1p63 && b == std::trunc(b) && static_cast<int64_t>(b) == a;
}
bool SameNumber(double a, int64_t b) { return SameNumber(b, a); }
bool SameNumber(const std::string& a, const std::string& b) { return a == b; }
template <typename A, typename B>
bool SameNumber(const A&, const B&) {
  return false;
}

// Returns the number of elements before the last element starts to repeat.
template <typename T>
size_t DistinctPrefix(const std::vector<T>& elements) {
  size_t n = elements.size();
  while (n > 1 && SameNumber(elements[n - 1], elements[n - 2])) --n;
  return n;
}

bool SameContents(const TensorValue::Contents& a, const TensorValue::Contents& b) {
  return std::visit(
      []<typename A, typename B>(const A& x, const B& y) {
        if constexpr (std::is_same_v<A, std::monostate> || std::is_same_v<B, std::monostate>) {
          return std::is_same_v<A, B>;
        } else {
          const size_t n = DistinctPrefix(x);
          if (n != DistinctPrefix(y)) return false;
          for (size_t i = 0; i < n; ++i) {
            if (!SameNumber(x[i], y[i])) return false;
          }
          return true;
        }
      },
      a, b);
}

uint64_t HashOne(const std::string& text) { return HashText(text); }
uint64_t HashOne(int64_t number) { return HashNumber(number); }
uint64_t HashOne(double number) { return HashNumber(number); }
uint64_t HashOne(bool flag) { return Mix(flag ? 1 : 0); }
uint64_t HashOne(ElementType type) { return Mix(static_cast<uint64_t>(type)); }
uint64_t HashOne(std::monostate) { return 0; }
uint64_t HashOne(const AttrValue& value) { return HashOf(value); }

uint64_t HashOne(const ShapeProto& shape) {
  uint64_t hash = shape.unknown_rank ? 1 : 2;
  for (const int64_t dim : shape.dims) hash = HashMix(hash, HashNumber(dim));
  return hash;
}

uint64_t HashOne(const TensorValue& tensor) {
  const uint64_t hash = HashMix(HashOne(tensor.type), HashOne(tensor.shape));
  return std::visit(
      [hash]<typename T>(const T& elements) {
        uint64_t h = hash;
        if constexpr (!std::is_same_v<T, std::monostate>) {
          const size_t n = DistinctPrefix(elements);
          for (size_t i = 0; i < n; ++i) h = HashMix(h, HashOne(elements[i]));
        }
        return h;
      },
      tensor.contents);
}

uint64_t HashOne(const FunctionValue& function) {
  return HashMix(HashText(function.name), HashOf(function.attrs));
}

// Hashes only the first elements of a long list; this is sufficient to distinguish lists.
template <typename T>
uint64_t HashOne(const std::vector<T>& list) {
  uint64_t hash = 0;
  const size_t n = std::min(list.size(), UnreadList::kFirst);
  for (size_t i = 0; i < n; ++i) hash = HashMix(hash, HashOne(static_cast<const T&>(list[i])));
  return hash;
}

template <typename T>
std::optional<size_t> SizeOf(const std::vector<T>& list) {
  return list.size();
}
std::optional<size_t> SizeOf(const auto&) { return std::nullopt; }

template <typename T>
std::vector<T> Collect(std::vector<AttrValue>& elements) {
  std::vector<T> list;
  list.reserve(elements.size());
  for (AttrValue& element : elements) list.push_back(std::move(*const_cast<T*>(element.get_if<T>())));
  return list;
}

}  // namespace

std::optional<int64_t> TensorValue::ElementCount() const {
  return shape.unknown_rank ? std::nullopt : dimwise::ElementCount(shape.dims);
}

std::optional<int64_t> TensorValue::IntAt(int64_t index) const {
  const auto* ints = std::get_if<std::vector<int64_t>>(&contents);
  if (ints == nullptr || ints->empty() || index < 0) return std::nullopt;
  if (const auto count = ElementCount(); !count || index >= *count) return std::nullopt;
  return (*ints)[std::min(static_cast<size_t>(index), ints->size() - 1)];
}

std::optional<double> TensorValue::FloatAt(int64_t index) const {
  if (const auto as_int = IntAt(index)) return static_cast<double>(*as_int);
  const auto* floats = std::get_if<std::vector<double>>(&contents);
  const auto count = ElementCount();
  if (floats == nullptr || floats->empty() || index < 0 || !count || index >= *count) return std::nullopt;
  return (*floats)[std::min(static_cast<size_t>(index), floats->size() - 1)];
}

bool TensorValue::operator==(const TensorValue& other) const {
  return type == other.type && shape == other.shape && SameContents(contents, other.contents);
}

AttrMap::AttrMap() = default;
AttrMap::AttrMap(const AttrMap& other) = default;
AttrMap::AttrMap(AttrMap&& other) noexcept = default;
AttrMap& AttrMap::operator=(const AttrMap& other) = default;
AttrMap& AttrMap::operator=(AttrMap&& other) noexcept = default;
AttrMap::~AttrMap() = default;

AttrMap::AttrMap(std::initializer_list<AttrEntry> entries) {
  entries_.reserve(entries.size());
  for (const AttrEntry& entry : entries) Set(entry.name, entry.value);
}

namespace {

// Sorts entries by name; entries with the same name keep their order. Most nodes have few entries, for which
// std::stable_sort would allocate a buffer.
void SortByName(std::vector<AttrEntry>& entries) {
  constexpr size_t kFew = 16;
  if (entries.size() > kFew) {
    std::ranges::stable_sort(entries, {}, &AttrEntry::name);
    return;
  }
  for (auto next = entries.begin(); next != entries.end(); ++next) {
    const auto place = std::ranges::upper_bound(entries.begin(), next, next->name, {}, &AttrEntry::name);
    std::rotate(place, next, next + 1);
  }
}

}  // namespace

AttrMap AttrMap::Of(std::vector<AttrEntry> entries) {
  if (std::ranges::adjacent_find(entries, std::greater_equal<>(), &AttrEntry::name) != entries.end()) {
    SortByName(entries);
    size_t kept = 0;  // the last entry of each name is kept
    for (size_t i = 0; i < entries.size(); ++i) {
      if (i + 1 < entries.size() && entries[i].name == entries[i + 1].name) continue;
      if (kept != i) entries[kept] = std::move(entries[i]);
      ++kept;
    }
    entries.erase(entries.begin() + static_cast<ptrdiff_t>(kept), entries.end());
  }
  AttrMap map;
  map.entries_ = std::move(entries);
  return map;
}

const AttrValue* AttrMap::Find(std::string_view name) const {
  if (entries_.size() <=
      16) {  // most nodes: linear search is fastest, because names usually differ in length
    for (const AttrEntry& entry : entries_) {
      if (entry.name.size() == name.size() && entry.name == name) return &entry.value;
    }
    return nullptr;
  }
  const auto at = std::ranges::lower_bound(entries_, name, {}, &AttrEntry::name);
  return at != entries_.end() && at->name == name ? &at->value : nullptr;
}

void AttrMap::Set(std::string name, AttrValue value) {
  const auto at = std::ranges::lower_bound(entries_, name, {}, &AttrEntry::name);
  if (at != entries_.end() && at->name == name) {
    at->value = std::move(value);
  } else {
    entries_.insert(at, AttrEntry{std::move(name), std::move(value)});
  }
}

bool AttrMap::Erase(std::string_view name) {
  const auto at = std::ranges::lower_bound(entries_, name, {}, &AttrEntry::name);
  if (at == entries_.end() || at->name != name) return false;
  entries_.erase(at);
  return true;
}

bool AttrMap::operator==(const AttrMap& other) const { return entries_ == other.entries_; }

bool FunctionValue::operator==(const FunctionValue& other) const {
  return name == other.name && attrs == other.attrs;
}

AttrValue AttrValue::List(std::vector<AttrValue> elements) {
  bool same = true;
  bool numbers = true;
  for (const AttrValue& element : elements) {
    same &= element.kind() == elements[0].kind();
    numbers &= element.kind() == AttrKind::kInt || element.kind() == AttrKind::kFloat;
  }
  if (!elements.empty() && same) {
    switch (elements[0].kind()) {
      case AttrKind::kInt:
        return Collect<int64_t>(elements);
      case AttrKind::kFloat:
        return Collect<double>(elements);
      case AttrKind::kBool:
        return Collect<bool>(elements);
      case AttrKind::kString:
        return Collect<std::string>(elements);
      case AttrKind::kType:
        return Collect<ElementType>(elements);
      case AttrKind::kShape:
        return Collect<ShapeProto>(elements);
      case AttrKind::kTensor:
        return Collect<TensorValue>(elements);
      case AttrKind::kFunction:
        return Collect<FunctionValue>(elements);
      default:
        break;
    }
  }
  if (!elements.empty() && numbers) {
    Floats floats;
    floats.reserve(elements.size());
    for (const AttrValue& element : elements) floats.push_back(*AsFloat(element));
    return floats;
  }
  AttrValue list;
  list.state_ = std::move(elements);
  return list;
}

bool AttrValue::IsTooLong() const { return IsUnread() && Unread()->is_too_long(); }

AttrKind AttrValue::UnreadKind() const { return Unread()->kind(); }

const AttrValue& AttrValue::Read() const { return Unread()->Read(); }

const AttrValue& AttrValue::OfKind(AttrKind kind) const {
  static const AttrValue nothing;
  return UnreadKind() == kind ? Read() : nothing;
}

std::optional<size_t> AttrValue::ListSize() const {
  if (IsUnread()) return Unread()->size();
  return Visit([](const auto& stored) { return SizeOf(stored); });
}

bool AttrValue::operator==(const AttrValue& other) const {
  if (kind() != other.kind()) return IsEmptyList() && other.IsEmptyList();
  const UnreadList *unread = Unread(), *unread_other = other.Unread();
  if (unread != nullptr || unread_other != nullptr) {
    if (ListSize() != other.ListSize()) return false;
    if (unread != nullptr && unread_other != nullptr) {
      if (unread->bytes() == unread_other->bytes()) return true;
      if (unread->first() != unread_other->first()) return false;
    }
    if (IsTooLong() || other.IsTooLong()) return false;  // lists that are not decoded are never equal
    return (unread != nullptr ? unread->Read() : *this) ==
           (unread_other != nullptr ? unread_other->Read() : other);
  }
  if (const Ints* a = get_if<Ints>()) return *a == *other.get_if<Ints>();  // the most frequent kind
  if (const double* a = get_if<double>()) return SameNumber(*a, *other.get_if<double>());
  if (const Floats* a = get_if<Floats>()) {
    return std::ranges::equal(*a, *other.get_if<Floats>(),
                              [](double x, double y) { return SameNumber(x, y); });
  }
  return state_ == other.state_;
}

uint64_t HashOf(const AttrValue& value) {
  if (value.IsEmptyList()) return Mix(static_cast<uint64_t>(AttrKind::kList));
  const uint64_t hash = HashMix(static_cast<uint64_t>(value.kind()), value.ListSize().value_or(0));
  const UnreadList* unread = value.Unread();
  const AttrValue& first = unread == nullptr ? value : unread->first();
  return HashMix(hash, first.Visit([](const auto& stored) { return HashOne(stored); }));
}

uint64_t HashOf(const AttrMap& attrs) {
  uint64_t hash = attrs.size();
  for (const AttrEntry& entry : attrs)
    hash = HashMix(HashMix(hash, HashText(entry.name)), HashOf(entry.value));
  return hash;
}

}  // namespace dimwise
