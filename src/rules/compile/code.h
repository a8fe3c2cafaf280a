// The compiled form of a rule: a graph of small expression nodes, built once and used by all evaluations.
//
// Names are resolved to slots. A slot holds the value of a pattern name, an attribute, a `let`, a parameter
// or a loop variable. A slot with code is evaluated on first use, so the order of statements does not matter.
// Functions are inlined, so there are no calls and no recursion at run time.
#ifndef DIMWISE_RULES_COMPILE_CODE_H_
#define DIMWISE_RULES_COMPILE_CODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dimwise/attr_value.h"
#include "dimwise/element_type.h"
#include "dimwise/op_properties.h"
#include "dimwise/storage.h"
#include "rules/language/ast.h"
#include "rules/language/builtins.h"
#include "rules/language/types.h"

namespace dimwise::rules {

using NodeId = uint32_t;
using SlotId = uint32_t;
inline constexpr uint32_t kNone = UINT32_MAX;
inline constexpr size_t kMaxZipped = 12;  // lists that one `for` iterates over

enum class Op : uint8_t {
  kConstant,       // immediate: an integer, boolean, element type, or an index of `strings` or `reals`
  kSlot,           // a = slot
  kContents,       // a = operand: its contents as an int, ints, tensor or tensors
  kOperandRank,    // a = operand
  kOperandShape,   // a = operand: the whole list of sizes
  kOperandType,    // a = operand
  kOperandCount,   // a = operand: the number of given operands, if variadic
  kResultCount,    // a = result: the number of results of the node
  kResultRank,     // a = result, in a property
  kResultShape,    // a = result, in a property
  kOperandsEqual,  // a = operand: whether all elements of a sequence have one type
  kGiven,          // a = operand
  kGivenAttr,      // a = attribute
  kGivenResult,    // a = result
  kVersion,
  kTypeIn,     // a = type; immediate = mask of an ElementTypeSet
  kBuiltin,    // immediate = Builtin; args
  kList,       // args; an arg with `spread` is spliced
  kIndex,      // a[b]
  kSliceList,  // a[b:c], b or c may be kNone
  kNegate,
  kNot,
  kAdd,
  kSubtract,
  kMultiply,
  kFloorDivide,
  kMod,
  kEqual,
  kNotEqual,
  kLess,    // a < b
  kAtMost,  // a <= b
  kAnd,
  kOr,
  kIn,    // a in the list b
  kIf,    // a ? b : c
  kFor,   // body a over lists args with loop slots; filter b or kNone; see Loop
  kFold,  // see Loop
};

struct Node {
  Op op = Op::kConstant;
  ExprType type = ExprType::kInt;
  bool spread = false;  // inside kList
  uint32_t a = kNone, b = kNone, c = kNone;
  int64_t immediate = 0;
  uint32_t first_arg = 0;  // into RuleCode::args
  uint16_t arg_count = 0;
};

// The data of a loop: kFor and kFold nodes have its index as `immediate`.
struct Loop {
  std::vector<SlotId> variables;  // one for each list, or the element and the index for `enumerate`
  bool enumerate = false;
  SlotId accumulator = kNone;              // kFold
  SlotId first_inner = 0, last_inner = 0;  // slots of the body, cleared before each round
};

struct Slot {
  std::string name;
  ExprType type = ExprType::kInt;
  NodeId code = kNone;         // kNone: set by matching, or by a loop
  uint32_t attribute = kNone;  // set from an attribute
};

// An item of a shape pattern.
struct Item {
  ItemKind kind = ItemKind::kAny;
  bool each = false;
  SlotId binds = kNone;            // a name that is bound here (or merged, if it is already bound)
  NodeId expr = kNone;             // otherwise: computed, and merged or appended to the result
  int64_t factor = 1, offset = 0;  // factor*name + offset for an affine size
  NodeId length = kNone;           // of a list
};

struct Pattern {
  PatternKind kind = PatternKind::kTensor;
  uint32_t type_variable = kNone;  // index into RuleCode::type_variables
  ElementType fixed = ElementType::kUnknown;
  uint64_t allowed = 0;    // a class instead of a variable: mask, 0 if none
  NodeId element = kNone;  // an expression of type `type`
  bool each_element = false;
  Storage storage;  // a fixed storage
  uint32_t storage_variable = kNone;
  bool has_shape = true;
  bool unknown_shape = false;
  std::vector<Item> items;
  int size_items = 0, list_items = 0;  // number of items that are sizes, and that are lists
  ElementType key = ElementType::kUnknown;
  uint32_t key_variable = kNone;
  std::vector<Pattern> inside;
  uint32_t whole = kNone;       // kAnything: index of the type variable that is the whole type
  SlotId length_binds = kNone;  // kSequence: the name that its length is bound to
  NodeId length = kNone;        // kSequence in a result: its length
};

struct CompiledArgument {
  std::string name;
  Arity arity = Arity::kOne;
  NodeId count = kNone;  // kAnyNumber: the count, if an attribute defines it
  Pattern pattern;
};

struct CompiledSignature {
  std::vector<CompiledArgument> operands, results;
  NodeId when = kNone;
};

// The operands and results of a region; variadic if it has one for each tensor of a variadic operand.
struct CompiledRegion {
  std::string name;
  std::vector<CompiledArgument> takes, gives;
};

struct CompiledMessage {
  struct Piece {
    std::string text;
    NodeId expr = kNone;
  };
  std::vector<Piece> pieces;
};

struct CompiledRequire {
  NodeId condition;
  CompiledMessage message;
  StatementKind kind = StatementKind::kRequire;  // or kAssume, kEnsure
};

struct CompiledAttribute {
  std::string name;
  AttributeKind kind = AttributeKind::kInt;
  bool optional = false;
  NodeId otherwise = kNone;
  std::vector<AttrValue> allowed;
  std::optional<int64_t> minimum, maximum;
  SlotId slot = kNone;
};

struct TypeVariable {
  std::string name;
  uint64_t allowed = 0;        // mask of an ElementTypeSet, 0: any
  SlotId each_slot = kNone;    // the list of types of `each T`
  bool whole = false;          // applies to a whole type, not to an element type
  uint32_t attribute = kNone;  // the attribute of this name, if there is one; it is optional
};

struct StorageVariable {
  std::string name;
  std::vector<Storage> allowed;  // empty: any
};

struct RuleCode {
  uint32_t id = 0;  // unique in the process, in the order of compilation

  std::vector<Node> nodes;
  std::vector<const Expr*> written;  // the source expression of each node, or null; owned by the library
  std::vector<NodeId> args;
  std::vector<Loop> loops;
  std::vector<Slot> slots;
  std::vector<std::string> strings;
  std::vector<double> reals;
  std::vector<TypeVariable> type_variables;
  std::vector<StorageVariable> storage_variables;
  std::vector<CompiledSignature> signatures;
  std::vector<CompiledAttribute> attributes;
  std::vector<CompiledRegion> regions;
  std::vector<CompiledRequire> requirements;
  OpProperties properties;                   // `mirrored` without the set
  std::vector<NodeId> property_expressions;  // by PropertyExpr
  std::vector<NodeId> result_values;         // for each result of the first signature: contents, or kNone

  // Features that a rule does not use cost nothing.
  bool limits_attributes = false;     // some attribute has allowed values or a range
  bool types_are_attributes = false;  // some variable of an element type is also an attribute
  bool has_values = false;            // some result has contents
  std::vector<bool> reads_contents;  // by operand: whether results other than contents depend on its contents
  bool any_reads_contents = false, has_variadic = false;

  // Like reads_contents, for an operand of a node.
  bool ReadsContents(size_t place) const {
    return has_variadic ? any_reads_contents : place < reads_contents.size() && reads_contents[place];
  }
  bool IsFill(NodeId node) const {
    return nodes[node].op == Op::kBuiltin && static_cast<Builtin>(nodes[node].immediate) == Builtin::kFill;
  }
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_COMPILE_CODE_H_
