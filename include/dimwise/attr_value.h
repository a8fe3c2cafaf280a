// An AttrValue denotes the value of a node's attribute: nothing, one value, or a list of values.
//
// Files and users write the same attribute in many ways: `true` or 1, 1 or 1.0, "(3, 3)" or [3, 3]. An
// AttrValue stores the value as written. The functions As... below convert it to the kind that an operator
// requires; only they are lenient. Each returns nullopt if the value has no meaning in that kind:
//
//   kind     accepted besides the kind itself
//   int      true, false (1, 0); text such as "3", "3L", "True"
//   float    int; text such as "0.5", "1e-3", "inf"
//   bool     0, 1; text such as "True", "false", "1"
//   string   nothing
//   type     text such as "f32", "float32", "DT_FLOAT"; not an int: its meaning depends on the operator set
//   shape    a list of ints >= -1, with nothing or -1 for an unknown size; text such as "(2, None)", "[*]"
//   list     the same for each element; text such as "(3, 3)", "[3, 3]", "3, 3", "3"
//
// A float is never an int, not even 2.0: every framework rejects it, and rounding would hide a mistake. A
// single int is not a list of ints; AsIntsOrInt accepts both, as MXNet does.
//
// Invariants:
// 1. A list made by AttrValue::List has the list kind of its elements if they have one kind; ints among
//    floats become floats. So a non-empty kList is mixed: [null, 2], or a list of lists.
// 2. All empty lists are equal and count as a list of any kind.
// 3. Equal values have equal hashes; NaN equals NaN.
//
// A long list of a file may be unread: its elements stay in the file and are decoded on first access. The
// file must live as long as the value. This affects only cost.
//
// Thread safety: values. Distinct objects may be used from distinct threads; an object that no thread
// modifies may be read from several.
#ifndef DIMWISE_ATTR_VALUE_H_
#define DIMWISE_ATTR_VALUE_H_

#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dimwise/element_type.h"
#include "dimwise/export.h"
#include "dimwise/tensor_shape.h"

namespace dimwise {

class AttrValue;
class UnreadList;
struct AttrEntry;

// A small tensor inside an attribute. `contents` are in row-major order; std::monostate means unknown. If
// there are fewer elements than the shape requires, the last one repeats, as in TensorFlow's files.
struct DIMWISE_API TensorValue {
  using Contents =
      std::variant<std::monostate, std::vector<int64_t>, std::vector<double>, std::vector<std::string>>;

  ElementType type = ElementType::kUnknown;
  ShapeProto shape;
  Contents contents;

  // Returns the number of elements, or nullopt if a size or the rank is unknown or the product overflows.
  std::optional<int64_t> ElementCount() const;
  // Returns the element at a flat index, or nullopt if it is unknown, out of range, or of another kind. An
  // integral double is no int64_t.
  std::optional<int64_t> IntAt(int64_t index) const;
  std::optional<double> FloatAt(int64_t index) const;

  // Compares the denoted tensors: repeated trailing elements and the container of the numbers do not matter.
  bool operator==(const TensorValue& other) const;
};

// Attributes sorted by name. A lookup allocates nothing.
class DIMWISE_API AttrMap {
 public:
  AttrMap();
  // A later entry replaces an earlier one with the same name.
  AttrMap(std::initializer_list<AttrEntry> entries);
  static AttrMap Of(std::vector<AttrEntry> entries);  // likewise
  // Defined where AttrEntry is complete: a value may contain functions, whose attributes contain values.
  AttrMap(const AttrMap& other);
  AttrMap(AttrMap&& other) noexcept;
  AttrMap& operator=(const AttrMap& other);
  AttrMap& operator=(AttrMap&& other) noexcept;
  ~AttrMap();

  const AttrValue* Find(std::string_view name) const;  // null if absent
  bool Contains(std::string_view name) const { return Find(name) != nullptr; }
  void Set(std::string name, AttrValue value);
  bool Erase(std::string_view name);  // returns whether the name was present

  size_t size() const;
  bool empty() const;
  const AttrEntry* begin() const;
  const AttrEntry* end() const;

  bool operator==(const AttrMap& other) const;

 private:
  std::vector<AttrEntry> entries_;
};

// A reference to a function of the program: its name, and the attributes of the call.
struct DIMWISE_API FunctionValue {
  std::string name;
  AttrMap attrs;
  bool operator==(const FunctionValue& other) const;
};

enum class AttrKind : uint8_t {
  kNothing,
  kInt,
  kFloat,
  kBool,
  kString,
  kType,
  kShape,
  kTensor,
  kFunction,
  kInts,
  kFloats,
  kBools,
  kStrings,
  kTypes,
  kShapes,
  kTensors,
  kFunctions,
  kList,  // empty: a list of any kind; otherwise elements of several kinds
};

class DIMWISE_API AttrValue {
 public:
  using Ints = std::vector<int64_t>;
  using Floats = std::vector<double>;
  using Bools = std::vector<bool>;
  using Strings = std::vector<std::string>;
  using Types = std::vector<ElementType>;

  // Implicit, so that attributes can be written down: AttrMap{{"axis", 1}, {"mode", "SAME"}}.
  AttrValue() = default;
  template <std::same_as<bool> B>
  AttrValue(B value) : state_(std::in_place_type<bool>, value) {}
  template <std::integral I>
  requires(!std::same_as<I, bool> && !std::same_as<I, char>) AttrValue(I value)
      : state_(std::in_place_type<int64_t>, static_cast<int64_t>(value)) {}
  template <std::floating_point F>
  AttrValue(F value) : state_(std::in_place_type<double>, static_cast<double>(value)) {}
  AttrValue(const char* value) : state_(std::in_place_type<std::string>, value) {}
  AttrValue(std::string_view value) : state_(std::in_place_type<std::string>, value) {}
  AttrValue(std::string value) : state_(std::move(value)) {}
  AttrValue(ElementType value) : state_(value) {}
  AttrValue(ShapeProto value) : state_(std::move(value)) {}
  AttrValue(TensorValue value) : state_(std::move(value)) {}
  AttrValue(FunctionValue value) : state_(std::move(value)) {}
  AttrValue(Ints value) : state_(std::move(value)) {}
  AttrValue(Floats value) : state_(std::move(value)) {}
  AttrValue(Bools value) : state_(std::move(value)) {}
  AttrValue(Strings value) : state_(std::move(value)) {}
  AttrValue(Types value) : state_(std::move(value)) {}
  AttrValue(std::vector<ShapeProto> value) : state_(std::move(value)) {}
  AttrValue(std::vector<TensorValue> value) : state_(std::move(value)) {}
  AttrValue(std::vector<FunctionValue> value) : state_(std::move(value)) {}
  explicit AttrValue(std::shared_ptr<const UnreadList> list) : state_(std::move(list)) {}

  // Returns a list of these elements, of the most specific kind (invariant 1).
  static AttrValue List(std::vector<AttrValue> elements);

  AttrKind kind() const { return IsUnread() ? UnreadKind() : static_cast<AttrKind>(state_.index()); }
  bool IsList() const { return kind() >= AttrKind::kInts; }
  std::optional<size_t> ListSize() const;  // nullopt: not a list
  bool IsEmptyList() const { return ListSize() == size_t{0}; }
  // Returns whether this is a list whose elements are still in the file; get_if of its type and Visit decode
  // them.
  bool IsUnread() const { return Unread() != nullptr; }
  bool IsTooLong() const;  // an unread list that is never decoded: it would take hundreds of megabytes

  // Returns the value as stored, or null: get_if<int64_t>(), get_if<AttrValue::Ints>().
  template <typename T>
  const T* get_if() const {
    const T* stored = std::get_if<T>(&state_);
    if constexpr (std::same_as<T, Ints> || std::same_as<T, Floats> || std::same_as<T, Strings>) {
      if (stored == nullptr && IsUnread()) return std::get_if<T>(&OfKind(kKindOf<T>).state_);
    }
    return stored;
  }

  // Calls `visitor` with the value as stored.
  template <typename F>
  auto Visit(F&& visitor) const {
    using Answer = std::invoke_result_t<F&, const int64_t&>;
    return std::visit(
        [&]<typename T>(const T& stored) -> Answer {
          if constexpr (std::same_as<T, std::shared_ptr<const UnreadList>>) {
            std::abort();  // a decoded list is not unread
          } else {
            return visitor(stored);
          }
        },
        (IsUnread() ? Read() : *this).state_);
  }

  bool operator==(const AttrValue& other) const;
  friend DIMWISE_API uint64_t HashOf(const AttrValue& value);

 private:
  template <typename T>
  static constexpr AttrKind kKindOf = std::same_as<T, Ints>     ? AttrKind::kInts
                                      : std::same_as<T, Floats> ? AttrKind::kFloats
                                                                : AttrKind::kStrings;

  const UnreadList* Unread() const {  // null if it is not unread
    const auto* list = std::get_if<std::shared_ptr<const UnreadList>>(&state_);
    return list == nullptr ? nullptr : list->get();
  }
  // REQUIRES: IsUnread(). OfKind returns the decoded list if it has this kind, else nothing.
  AttrKind UnreadKind() const;
  const AttrValue& Read() const;
  const AttrValue& OfKind(AttrKind kind) const;

  // In the order of AttrKind, followed by an unread list.
  std::variant<std::monostate, int64_t, double, bool, std::string, ElementType, ShapeProto, TensorValue,
               FunctionValue, Ints, Floats, Bools, Strings, Types, std::vector<ShapeProto>,
               std::vector<TensorValue>, std::vector<FunctionValue>, std::vector<AttrValue>,
               std::shared_ptr<const UnreadList>>
      state_;
};

struct AttrEntry {
  std::string name;
  AttrValue value;
  bool operator==(const AttrEntry& other) const = default;
};

inline size_t AttrMap::size() const { return entries_.size(); }
inline bool AttrMap::empty() const { return entries_.empty(); }
inline const AttrEntry* AttrMap::begin() const { return entries_.data(); }
inline const AttrEntry* AttrMap::end() const { return entries_.data() + entries_.size(); }

// Returns whether the attribute is absent, null, or MXNet's text "None".
DIMWISE_API bool IsNothing(const AttrValue& value);

// Convert a value to a kind; see the table above. Views and pointers point into `value`.
DIMWISE_API std::optional<int64_t> AsInt(const AttrValue& value);
DIMWISE_API std::optional<double> AsFloat(const AttrValue& value);
DIMWISE_API std::optional<bool> AsBool(const AttrValue& value);
DIMWISE_API std::optional<std::string_view> AsString(const AttrValue& value);
DIMWISE_API std::optional<ElementType> AsType(const AttrValue& value);
DIMWISE_API std::optional<ShapeProto> AsShape(const AttrValue& value);
DIMWISE_API const TensorValue* AsTensor(const AttrValue& value);
DIMWISE_API const FunctionValue* AsFunction(const AttrValue& value);
DIMWISE_API std::optional<AttrValue::Ints> AsInts(const AttrValue& value);
DIMWISE_API std::optional<AttrValue::Floats> AsFloats(const AttrValue& value);
DIMWISE_API std::optional<AttrValue::Bools> AsBools(const AttrValue& value);
DIMWISE_API std::optional<AttrValue::Strings> AsStrings(const AttrValue& value);
DIMWISE_API std::optional<AttrValue::Types> AsTypes(const AttrValue& value);
DIMWISE_API std::optional<std::vector<ShapeProto>> AsShapes(const AttrValue& value);
DIMWISE_API std::optional<std::span<const TensorValue>> AsTensors(const AttrValue& value);
DIMWISE_API std::optional<std::span<const FunctionValue>> AsFunctions(const AttrValue& value);

// Like AsInts, but without a copy if the value is already a list of ints. Otherwise the result is stored in
// *scratch.
DIMWISE_API std::optional<std::span<const int64_t>> AsInts(const AttrValue& value, AttrValue::Ints* scratch);
// Accepts a list of ints, or one int as a list of one, as MXNet's axes.
DIMWISE_API std::optional<AttrValue::Ints> AsIntsOrInt(const AttrValue& value);
// Accepts a list whose elements may be nothing, as the ends of MXNet's slice: [None, 0].
DIMWISE_API std::optional<std::vector<std::optional<int64_t>>> AsOptionalInts(const AttrValue& value);

// Converts the value to exactly this kind by the functions above. kNothing and kList accept only values of
// that kind.
DIMWISE_API std::optional<AttrValue> ConvertTo(AttrKind kind, const AttrValue& value);

DIMWISE_API uint64_t HashOf(const AttrValue& value);
DIMWISE_API uint64_t HashOf(const AttrMap& attrs);

// Returns "int", "list(int)" or "func"; "nothing" and "list" for the two kinds that no definition uses.
DIMWISE_API std::string_view KindName(AttrKind kind);
DIMWISE_API std::optional<AttrKind> ParseAttrKind(std::string_view name);

// Returns the text used in messages: 3, 0.5, true, "SAME_UPPER", f32, [2, ?], f32[2]{1.0, 2.0}, body[T=f32],
// [2, 2], none. Long tensors, lists and texts are truncated ("...").
DIMWISE_API std::string ToString(const AttrValue& value);
// Like ToString, without truncation.
DIMWISE_API std::string ToWholeString(const AttrValue& value);
// Parses the notation of ToString and Python's literals: "(3, 3)", "True", "None", "[1, ?]", "3, 3". A word
// is an element type, or else a string. Returns nullopt for other text. Text that is not truncated parses
// back. ConvertTo restores the kind where the notation is ambiguous: a shape is printed as a list.
DIMWISE_API std::optional<AttrValue> ParseAttrText(std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_ATTR_VALUE_H_
