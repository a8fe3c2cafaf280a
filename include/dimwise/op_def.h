// An OpDef denotes the declaration of an operator: its name, operands, results and attributes, and its
// traits. Some traits imply the shapes of the results. Otherwise a shape function in the registry
// (op_registry.h) infers them.
//
// Names. An operator is written `set.Name`; the set is the part before the last dot: onnx.Conv,
// com.microsoft.FastGelu, mxnet._plus, stablehlo.add. A set consists of words of letters, digits and
// underscores, joined by dots; a name is such a word. Some sets have a convention that is enforced. In
// tensorflow, onnx and ai.onnx.* a name is CamelCase after leading underscores (_Retval). In tensorflow it
// may have namespaces (Addons>Resample).
//
// Argument and attribute names are unique among the inputs, among the outputs and among the attributes. An
// argument and an attribute have different names. An input and an output may share a name, as `mean` in
// ONNX's BatchNormalization.
//
// Thread safety: values; distinct objects may be used from distinct threads.
#ifndef DIMWISE_OP_DEF_H_
#define DIMWISE_OP_DEF_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"
#include "dimwise/element_type.h"
#include "dimwise/export.h"
#include "dimwise/op_properties.h"
#include "dimwise/result.h"

namespace dimwise {

// An operand or a result, or a list of them. Exactly one of four members defines its element type: `type`,
// `type_attr`, `type_list_attr`, `any_type`.
struct ArgDef {
  std::string name;
  std::string doc;
  ElementType type = ElementType::kUnknown;  // always this type
  std::string type_attr;                     // the type in an attribute of kind "type"
  std::string type_list_attr;                // one tensor for each entry of an attribute of kind "list(type)"
  bool any_type = false;                     // any type; no attribute holds it
  std::string number_attr;                   // the count is in this attribute of kind "int"
  int64_t min_count = 1;                     // of a variadic argument
  bool optional = false;
  bool variadic = false;    // the node determines the count
  bool homogeneous = true;  // the tensors of a list have the same element type
  bool is_ref = false;      // TensorFlow's Ref(T): a mutable buffer

  bool operator==(const ArgDef&) const = default;
};

// An attribute. The kinds are "int", "float", "bool", "string", "type", "shape", "tensor", "func", "graph",
// and "list(...)" of each.
struct AttrDef {
  std::string name;
  std::string doc;
  std::string kind;
  std::optional<AttrValue> default_value;
  std::optional<int64_t> minimum;            // of an int, or of the length of a list
  ElementTypeSet allowed_types;              // empty: all
  std::vector<std::string> allowed_strings;  // empty: all
  bool required = true;                      // there is no default, and it cannot be omitted
  bool or_single = false;                    // a list(int) that may also be a single int, as MXNet's axes
};

// Properties of an operator. At most one trait of the first group is allowed: it implies the shapes of the
// results. The layer `infer` implements these.
enum class Trait : uint16_t {
  kElementwise = 1 << 0,     // operands and results have one shape and one element type
  kSameShape = 1 << 1,       // operands and results have one shape
  kBroadcast = 1 << 2,       // results have the shape that the operands broadcast to
  kLikeFirst = 1 << 3,       // results have the shape of the first operand, whatever the others have
  kScalarResults = 1 << 4,   // results have rank 0
  kRuntimeResults = 1 << 5,  // the results are known only at run time, as when a file is read

  kSameElementType = 1 << 6,  // operands and results have one element type
};

class Traits {
 public:
  constexpr Traits() = default;
  constexpr Traits(Trait trait)
      : bits_(static_cast<uint16_t>(trait)) {}  // NOLINT: implicit, a trait is a set of one element
  constexpr bool Has(Trait trait) const { return (bits_ & static_cast<uint16_t>(trait)) != 0; }
  constexpr Traits operator|(Traits other) const {
    Traits both;
    both.bits_ = static_cast<uint16_t>(bits_ | other.bits_);
    return both;
  }
  constexpr bool operator==(const Traits&) const = default;
  constexpr uint16_t bits() const { return bits_; }

  // Returns the only trait that implies the shapes of the results, or nullopt if there is none or several.
  DIMWISE_API std::optional<Trait> ShapeTrait() const;

 private:
  uint16_t bits_ = 0;
};
constexpr Traits operator|(Trait a, Trait b) { return Traits(a) | Traits(b); }

// "elementwise", "same-shape".
DIMWISE_API std::string_view ToString(Trait trait);

struct OpDef {
  std::string set;           // "onnx"
  std::string name;          // "Conv"
  std::string doc;           // one line
  int since = 1;             // the first version of the set with this definition
  std::optional<int> until;  // the first version without this definition
  std::string deprecated;    // the replacement; empty: not deprecated
  std::vector<ArgDef> inputs;
  std::vector<ArgDef> outputs;
  std::vector<AttrDef> attrs;
  Traits traits;
  bool stateful = false;     // equal operands may give different results
  bool commutative = false;  // the order of operands does not matter
  OpProperties properties;   // declared by its rule

  std::string FullName() const;  // "onnx.Conv"
};

DIMWISE_API const AttrDef* FindAttr(const OpDef& def, std::string_view name);  // null if absent

// Returns an attribute in the declared kind. An error (kBadAttribute) is returned for another kind, a value
// below the minimum, or a value that is not allowed. An attribute of kind "graph" is returned unchanged. With
// kRead, text is parsed as numbers ("(3, 3)"), as MXNet's operator set needs.
enum class NumbersAsText : uint8_t { kRead, kRefuse };
DIMWISE_API Result<AttrValue> ReadAttr(const AttrDef& def, const AttrValue& value,
                                       NumbersAsText numbers = NumbersAsText::kRead);

// LintOpDef returns all errors of a definition; ValidateOpDef returns the first.
DIMWISE_API std::vector<Diagnostic> LintOpDef(const OpDef& def);
DIMWISE_API Status ValidateOpDef(const OpDef& def);

// Return whether two definitions are equivalent. The order of attributes and of allowed values, the
// representation of a default (1 or 1.0 for a float) and documentation do not matter.
DIMWISE_API bool AttrDefEqual(const AttrDef& a, const AttrDef& b);
DIMWISE_API bool AttrDefsEqual(const std::vector<AttrDef>& a, const std::vector<AttrDef>& b);
DIMWISE_API bool OpDefEqual(const OpDef& a, const OpDef& b);
DIMWISE_API uint64_t HashOf(const AttrDef& attr);
DIMWISE_API uint64_t HashOf(const std::vector<AttrDef>& attrs);
DIMWISE_API uint64_t HashOf(const OpDef& def);

// Print in the notation of OpDefBuilder: "W: T", "group: int >= 1 = 1", "onnx.Conv(X: T, W: T, B?: T; T:
// {f16, f32} = f32, group: int = 1) -> (Y: T)".
DIMWISE_API std::string ToString(const ArgDef& arg);
DIMWISE_API std::string ToString(const AttrDef& attr);
DIMWISE_API std::string ToString(const OpDef& def);

// Builds a definition from TensorFlow's notation, with some extensions:
//
//   Input("x: f32")                Input("x: T")           T an attribute of kind type
//   Input("xs: N * T")             N an attribute of kind int, with a minimum of 1 by default
//   Input("xs: Ts")                Ts an attribute of kind list(type), likewise
//   Input("x: Ref(T)")             Input("x: any")
//   Input("B?: T")                 optional
//   Input("xs+: T")                at least one; "xs*: T" any number; "xs*: each T" with separate types
//   Attr("n: int >= 1 = 2")        minimum and default; without a default it is required
//   Attr("axes?: list(int)")       may be omitted although it has no default
//   Attr("axis: list(int) or int") an int is accepted as a list of one
//   Attr("T: {f16, f32} = f32")    one of these types; a class (numeric, real, ...) includes its members
//   Attr("mode: {'a', 'b'}")       one of these strings; also list({...})
//   Attr("s: shape = [2, ?]")      [*] or { unknown_rank: true } for an unknown rank
//
// Errors are collected. Build returns the definition or the first error.
class DIMWISE_API OpDefBuilder {
 public:
  explicit OpDefBuilder(std::string_view full_name);

  OpDefBuilder& Input(std::string_view spec, std::string_view doc = "");
  OpDefBuilder& Output(std::string_view spec, std::string_view doc = "");
  OpDefBuilder& Attr(std::string_view spec, std::string_view doc = "");
  OpDefBuilder& Trait(Traits traits);  // adds
  OpDefBuilder& Since(int version);
  OpDefBuilder& Until(int version);
  OpDefBuilder& Deprecated(std::string_view instead);
  OpDefBuilder& Stateful();
  OpDefBuilder& Commutative();
  OpDefBuilder& Doc(std::string_view line);

  // Returns the definition and all its errors: those in the specs, and those of LintOpDef.
  OpDef Finish(std::vector<Diagnostic>* findings) const;
  Result<OpDef> Build() const;

 private:
  OpDef def_;
  std::vector<Diagnostic> findings_;
};

// ---- Operand counts ----

// The flat indexes [begin, end) of an argument among a node's operands or results.
struct NameRange {
  std::string_view name;  // a view into the OpDef
  size_t begin = 0;
  size_t end = 0;
  size_t size() const { return end - begin; }
  bool operator==(const NameRange&) const = default;
};

// The ranges of all arguments, in the order of the definition. They are contiguous.
class NameRangeMap {
 public:
  NameRangeMap() = default;
  explicit NameRangeMap(std::vector<NameRange> ranges) : ranges_(std::move(ranges)) {}
  DIMWISE_API const NameRange* Find(std::string_view name) const;  // null if absent
  size_t total() const { return ranges_.empty() ? 0 : ranges_.back().end; }
  size_t size() const { return ranges_.size(); }
  const NameRange* begin() const { return ranges_.data(); }
  const NameRange* end() const { return ranges_.data() + ranges_.size(); }

 private:
  std::vector<NameRange> ranges_;
};

// The flat indexes [begin, end) of argument `index` among `count` operands (or results) of a node, where at
// most one argument is variadic. Empty if the node does not have the argument.
struct FlatRange {
  size_t begin = 0, end = 0;
  size_t size() const { return end - begin; }
  bool operator==(const FlatRange&) const = default;
};
DIMWISE_API FlatRange FlatRangeOf(const std::vector<ArgDef>& args, ArgIndex index, size_t count);

// Check the number of inputs or outputs: "onnx.Conv takes 2 to 3 inputs (X, W, B?); 1 is given". With
// attributes, also check the counts that these state.
DIMWISE_API Status CheckArity(const OpDef& def, size_t n_inputs, const AttrMap* attrs = nullptr);
DIMWISE_API Status CheckResultCount(const OpDef& def, size_t n_outputs, const AttrMap* attrs = nullptr);

// Map the operands or results of a node with these attributes to arguments. With a count, the count is
// checked. Variadic arguments take the remaining operands, and trailing optional arguments may be absent (an
// empty range). One number or list attribute may be absent; it follows from the count. Without a count,
// attributes take their defaults, optional arguments count as given, and variadic ones as their minimum.
DIMWISE_API Result<NameRangeMap> InputRanges(const OpDef& def, const AttrMap& attrs,
                                             std::optional<size_t> n_inputs = std::nullopt);
DIMWISE_API Result<NameRangeMap> OutputRanges(const OpDef& def, const AttrMap& attrs,
                                              std::optional<size_t> n_outputs = std::nullopt);

}  // namespace dimwise

#endif  // DIMWISE_OP_DEF_H_
