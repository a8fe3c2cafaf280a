// The compiled form of a rule: one tree of small nodes for all its uses, built once.
//
// Names became slots: a slot holds the value of a pattern name, an attribute, a `let`, a parameter or a loop
// variable. A slot with code is filled when first read, so the order of statements does not matter. Functions
// are written out where they are called, so there is no recursion and no call at run time.
#ifndef DIMWISE_RULES_COMPILE_CODE_H_
#define DIMWISE_RULES_COMPILE_CODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dimwise/attr_value.h"
#include "dimwise/element_type.h"
#include "dimwise/storage.h"
#include "rules/language/ast.h"
#include "rules/language/builtins.h"
#include "rules/language/types.h"

namespace dimwise::rules {

using NodeId = uint32_t;
using SlotId = uint32_t;
inline constexpr uint32_t kNone = UINT32_MAX;
inline constexpr size_t kMaxZipped = 12;  // lists that one `for` goes over

enum class Op : uint8_t {
  kConstant,      // immediate: an integer, boolean, element type, or an index of `strings` or `reals`
  kSlot,          // a = slot
  kContents,      // a = operand: its contents as an int, ints, tensor or tensors
  kOperandRank,   // a = operand
  kOperandShape,  // a = operand: the whole list of sizes
  kOperandType,   // a = operand
  kOperandCount,  // a = operand: how many of a variadic one are given
  kResultCount,   // a = result: how many the node has
  kOperandAlike,  // a = operand: whether a sequence has one type for all its elements
  kGiven,         // a = operand
  kGivenAttr,     // a = attribute
  kGivenResult,   // a = result
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

// A loop's own data: kFor and kFold nodes have its index as `immediate`.
struct Loop {
  std::vector<SlotId> variables;  // one for each list, or the element and the index of `enumerate`
  bool enumerate = false;
  SlotId accumulator = kNone;              // kFold
  SlotId first_inner = 0, last_inner = 0;  // slots of the body, emptied for each round
};

struct Slot {
  std::string name;
  ExprType type = ExprType::kInt;
  NodeId code = kNone;         // kNone: filled by matching, or by a loop
  uint32_t attribute = kNone;  // filled from an attribute
};

// An item of a shape pattern.
struct Item {
  ItemKind kind = ItemKind::kAny;
  bool each = false;
  SlotId binds = kNone;            // a name that is bound here (or merged, if bound before)
  NodeId expr = kNone;             // otherwise: computed, and merged or put into the result
  int64_t factor = 1, offset = 0;  // factor*name + offset for an affine size
  NodeId length = kNone;           // of a list
};

struct Pattern {
  PatternKind kind = PatternKind::kTensor;
  uint32_t type_variable = kNone;  // index into RuleCode::type_variables
  ElementType fixed = ElementType::kUnknown;
  uint64_t allowed = 0;    // a class in place of a variable: mask, 0 where none
  NodeId element = kNone;  // an expression of type `type`
  bool each_element = false;
  Storage storage;  // a fixed one
  uint32_t storage_variable = kNone;
  bool has_shape = true;
  bool unknown_shape = false;
  std::vector<Item> items;
  int size_items = 0, list_items = 0;  // how many of the items are sizes, and how many are lists
  ElementType key = ElementType::kUnknown;
  uint32_t key_variable = kNone;
  std::vector<Pattern> inside;
  uint32_t whole = kNone;       // kAnything: index of the type variable that is the whole type
  SlotId length_binds = kNone;  // kSequence: the name that its length is bound to
  NodeId length = kNone;        // kSequence as a result: its length
};

struct CompiledArgument {
  std::string name;
  Arity arity = Arity::kOne;
  NodeId count = kNone;  // kAnyNumber: how many there are, where an attribute says so
  Pattern pattern;
};

struct CompiledSignature {
  std::vector<CompiledArgument> operands, results;
  NodeId when = kNone;
};

// What a region takes and gives; variadic where it is one for each of a variadic operand.
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
  uint64_t allowed = 0;      // mask of an ElementTypeSet, 0: any
  SlotId each_slot = kNone;  // the list of types of `each T`
  bool whole = false;        // of a whole type, not of an element type
};

struct StorageVariable {
  std::string name;
  std::vector<Storage> allowed;  // empty: any
};

struct RuleCode {
  uint32_t id = 0;  // of all code in the process, in the order of compiling

  std::vector<Node> nodes;
  std::vector<const Expr*> written;  // the expression that each node is from, or null; owned by the library
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
  std::vector<CompiledRequire> requires_;
  std::vector<NodeId> result_values;  // for each result of the first signature: contents, or kNone

  // What it does not have costs nothing.
  bool limits_attributes = false;    // some attribute has allowed values or a range
  bool has_values = false;           // some result has contents
  std::vector<bool> reads_contents;  // by operand: whether more than contents depends on its contents
  bool any_reads_contents = false, has_variadic = false;

  // The same for an operand of a node.
  bool ReadsContents(size_t place) const {
    return has_variadic ? any_reads_contents : place < reads_contents.size() && reads_contents[place];
  }
  bool IsFill(NodeId node) const {
    return nodes[node].op == Op::kBuiltin && static_cast<Builtin>(nodes[node].immediate) == Builtin::kFill;
  }
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_COMPILE_CODE_H_
