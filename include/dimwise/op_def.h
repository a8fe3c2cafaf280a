// An OpDef denotes what an operator declares: its name, operands, results and attributes, and the traits that
// say its shapes without a shape function. What it does with shapes is beside it in the registry
// (op_registry.h).
//
// Names. An operator is written `set.Name`; the set is all before the last dot: onnx.Conv,
// com.microsoft.FastGelu, mxnet._plus, stablehlo.add. A set is words of letters, digits and underscores,
// joined by dots; a name is such a word. The sets that have a custom keep it: in tensorflow, onnx and
// ai.onnx.* a name is CamelCase after leading underscores (_Retval), and in tensorflow it may stand in
// namespaces (Addons>Resample).
//
// Argument and attribute names are unique among the inputs, among the outputs and among the attributes; an
// argument has no attribute's name. An input and an output may share one, as `mean` does in ONNX's
// BatchNormalization.
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

// An operand or a result, or a row of them. Its element type is said in exactly one of four ways: `type`,
// `type_attr`, `type_list_attr`, `any_type`.
struct ArgDef {
  std::string name;
  std::string doc;
  ElementType type = ElementType::kUnknown;  // always this one
  std::string type_attr;                     // that of an attribute of kind "type"
  std::string type_list_attr;                // one tensor for each entry of an attribute of kind "list(type)"
  bool any_type = false;                     // any, and no attribute knows it
  std::string number_attr;                   // as many as an attribute of kind "int" says
  int64_t min_count = 1;                     // of a variadic one
  bool optional = false;
  bool variadic = false;    // as many as the node gives
  bool homogeneous = true;  // where it is a row of tensors, they share their element type
  bool is_ref = false;      // TensorFlow's Ref(T): a mutable buffer

  bool operator==(const ArgDef&) const = default;
};

// An attribute. Kinds are "int", "float", "bool", "string", "type", "shape", "tensor", "func", "graph", and
// "list(...)" of each.
struct AttrDef {
  std::string name;
  std::string doc;
  std::string kind;
  std::optional<AttrValue> default_value;
  std::optional<int64_t> minimum;            // of an int, or of the length of a list
  ElementTypeSet allowed_types;              // empty: all
  std::vector<std::string> allowed_strings;  // empty: all
  bool required = true;                      // there is neither a default nor a meaning in leaving it out
  bool or_single = false;                    // a list(int) that may be given as one int, as MXNet's axes
};

// What an operator's declaration implies. The first group says the shapes of the results, one of them at
// most; the functions that do so are in the layer infer.
enum class Trait : uint16_t {
  kElementwise = 1 << 0,     // operands and results have one shape and one element type
  kSameShape = 1 << 1,       // operands and results have one shape
  kBroadcast = 1 << 2,       // results have the shape that the operands broadcast to
  kLikeFirst = 1 << 3,       // results have the shape of the first operand, whatever the others have
  kScalarResults = 1 << 4,   // results have rank 0
  kRuntimeResults = 1 << 5,  // what the results are is known only at run time, as when a file is read

  kSameElementType = 1 << 6,  // operands and results have one element type
};

class Traits {
 public:
  constexpr Traits() = default;
  constexpr Traits(Trait trait)
      : bits_(static_cast<uint16_t>(trait)) {}  // NOLINT: implicit, one is a set of one
  constexpr bool Has(Trait trait) const { return (bits_ & static_cast<uint16_t>(trait)) != 0; }
  constexpr Traits operator|(Traits other) const {
    Traits both;
    both.bits_ = static_cast<uint16_t>(bits_ | other.bits_);
    return both;
  }
  constexpr bool operator==(const Traits&) const = default;
  constexpr uint16_t bits() const { return bits_; }

  // The one trait that implies the shapes of the results; nullopt where there is none, or more than one.
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
  std::optional<int> until;  // the first version that has it no longer
  std::string deprecated;    // what to use instead; empty: not deprecated
  std::vector<ArgDef> inputs;
  std::vector<ArgDef> outputs;
  std::vector<AttrDef> attrs;
  Traits traits;
  bool stateful = false;     // equal operands may give different results
  bool commutative = false;  // the order of operands does not matter
  OpProperties properties;   // declared by its rule

  std::string FullName() const;  // "onnx.Conv"
};

DIMWISE_API const AttrDef* FindAttr(const OpDef& def, std::string_view name);  // null where there is none

// What a node's attribute means by its definition: in exactly the kind that is declared, not below the
// minimum, and among what is allowed; an error (kBadAttribute) otherwise. An attribute of kind "graph" is
// passed as it is. A text is read as numbers ("(3, 3)") where the set writes them so, as MXNet does.
enum class NumbersAsText : uint8_t { kRead, kRefuse };
DIMWISE_API Result<AttrValue> ReadAttr(const AttrDef& def, const AttrValue& value,
                                       NumbersAsText numbers = NumbersAsText::kRead);

// Everything that is wrong with a definition by itself; ValidateOpDef answers the first.
DIMWISE_API std::vector<Diagnostic> LintOpDef(const OpDef& def);
DIMWISE_API Status ValidateOpDef(const OpDef& def);

// Whether two definitions mean the same. The order of attributes and of allowed values does not matter, nor
// how a default is represented (1 or 1.0 for a float), nor the documentation.
DIMWISE_API bool AttrDefEqual(const AttrDef& a, const AttrDef& b);
DIMWISE_API bool AttrDefsEqual(const std::vector<AttrDef>& a, const std::vector<AttrDef>& b);
DIMWISE_API bool OpDefEqual(const OpDef& a, const OpDef& b);
DIMWISE_API uint64_t HashOf(const AttrDef& attr);
DIMWISE_API uint64_t HashOf(const std::vector<AttrDef>& attrs);
DIMWISE_API uint64_t HashOf(const OpDef& def);

// In the notation of OpDefBuilder: "W: T", "group: int >= 1 = 1",
// "onnx.Conv(X: T, W: T, B?: T; T: {f16, f32} = f32, group: int = 1) -> (Y: T)".
DIMWISE_API std::string ToString(const ArgDef& arg);
DIMWISE_API std::string ToString(const AttrDef& attr);
DIMWISE_API std::string ToString(const OpDef& def);

// Writes a definition down, in TensorFlow's notation with a few marks of our own:
//
//   Input("x: f32")                Input("x: T")           T an attribute of kind type
//   Input("xs: N * T")             N an attribute of kind int, at least 1 unless it says otherwise
//   Input("xs: Ts")                Ts an attribute of kind list(type), likewise
//   Input("x: Ref(T)")             Input("x: any")
//   Input("B?: T")                 optional
//   Input("xs+: T")                one or more; "xs*: T" none or more; "xs*: each T" of types of their own
//   Attr("n: int >= 1 = 2")        minimum and default; without a default it is required
//   Attr("axes?: list(int)")       may be left out although it has no default
//   Attr("axis: list(int) or int") one int is a list of one
//   Attr("T: {f16, f32} = f32")    one of these types; a class (numeric, real, ...) stands for its members
//   Attr("mode: {'a', 'b'}")       one of these strings; also list({...})
//   Attr("s: shape = [2, ?]")      [*] or { unknown_rank: true } for an unknown rank
//
// Mistakes are collected; Build answers the definition or the first of them.
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

  // The definition and everything that is wrong with it, in the specs and by LintOpDef.
  OpDef Finish(std::vector<Diagnostic>* findings) const;
  Result<OpDef> Build() const;

 private:
  OpDef def_;
  std::vector<Diagnostic> findings_;
};

// ---- How many operands ----

// The flat indexes [begin, end) of an argument among a node's operands or results.
struct NameRange {
  std::string_view name;  // a view into the OpDef
  size_t begin = 0;
  size_t end = 0;
  size_t size() const { return end - begin; }
  bool operator==(const NameRange&) const = default;
};

// The ranges of all arguments, in the order of the definition, one after another without gaps.
class NameRangeMap {
 public:
  NameRangeMap() = default;
  explicit NameRangeMap(std::vector<NameRange> ranges) : ranges_(std::move(ranges)) {}
  DIMWISE_API const NameRange* Find(std::string_view name) const;  // null where there is none
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

// Whether the operator takes so many inputs (gives so many outputs): "onnx.Conv takes 2 to 3 inputs (X, W,
// B?); 1 is given". With attributes, counts that they state are held to.
DIMWISE_API Status CheckArity(const OpDef& def, size_t n_inputs, const AttrMap* attrs = nullptr);
DIMWISE_API Status CheckResultCount(const OpDef& def, size_t n_outputs, const AttrMap* attrs = nullptr);

// Which operands (results) belong to which argument of a node with these attributes. Where the count is
// given, it is checked, variadic arguments take what is left, optional ones at the end may be missing (an
// empty range), and one number or list attribute may be missing: it follows from the count. Without a count,
// attributes take their defaults, optional arguments count as given, and variadic ones as their minimum.
DIMWISE_API Result<NameRangeMap> InputRanges(const OpDef& def, const AttrMap& attrs,
                                             std::optional<size_t> n_inputs = std::nullopt);
DIMWISE_API Result<NameRangeMap> OutputRanges(const OpDef& def, const AttrMap& attrs,
                                              std::optional<size_t> n_outputs = std::nullopt);

}  // namespace dimwise

#endif  // DIMWISE_OP_DEF_H_
