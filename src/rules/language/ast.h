// A rule file as written: operators, functions and templates, with the position of each piece.
//
// The parser makes this tree; the checker gives every expression a type and every name a meaning; the
// compiler turns a checked operator into the form that runs. Nothing here knows what an expression means.
//
// Invariants, by the parser:
// 1. An expression has at most kMaxHeight levels, patterns nest no deeper: whoever walks the tree may
// recurse.
// 2. Names are what they stand for, without backquotes; strings are without escapes.
// 3. The children of a node are there, but for those that are said to be null.
#ifndef DIMWISE_RULES_LANGUAGE_AST_H_
#define DIMWISE_RULES_LANGUAGE_AST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dimwise::rules {

inline constexpr int kMaxHeight = 100;

// Counted from 1; columns are bytes. `length` is what a caret line underlines: of an expression or pattern
// all of it, or what stands on its first line; of whatever has a name, the name; of a statement without, its
// keyword.
struct Position {
  int line = 0;
  int column = 0;
  int length = 1;
};

// ---- Expressions ----

enum class ExprKind : uint8_t {
  kInteger,  // 3, -3
  kReal,     // 0.5, -1e-5
  kString,   // "SAME_UPPER"
  kBoolean,  // true
  kName,     // axis
  kList,     // [n, ...x, m]: children, of which kSpread are spliced
  kSpread,   // ...x inside a list: one child
  kCall,     // name(children)
  kIndex,    // child[child]
  kSlice,    // child[child:child]; a missing end is null
  kUnary,    // text is "-" or "not"
  kBinary,   // text is one of + - * // % == != < <= > >= and or implies in
  kIf,       // if child then child else child
  kFor,      // [child for names in child if child]: children are body, list, filter (or null)
  kFold,     // fold names[1..] in list with names[0] = init: body: children are list, init, body
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Expr {
  ExprKind kind = ExprKind::kInteger;
  uint8_t height = 1;  // levels of the tree from here down
  Position at;
  int64_t integer = 0;             // kInteger; kBoolean 0 or 1
  double real = 0;                 // kReal
  std::string text;                // kString: the text; kName, kCall: the name; kUnary, kBinary: the operator
  std::vector<std::string> names;  // kFor, kFold: the names that are bound
  std::vector<ExprPtr> children;
};

// A string with expressions in it: "perm {perm} must name each of the {rank(s)} axes once".
struct MessagePiece {
  std::string text;  // before the expression
  ExprPtr expr;      // null at the end
};
using Message = std::vector<MessagePiece>;

// ---- Patterns ----

enum class ItemKind : uint8_t {
  kAny,   // _
  kExpr,  // n, 4, 4*h, rank(s): a size
  kList,  // ...x, ...x{len}, ...(expr), ... (no expr: any sizes)
};

struct ShapeItem {
  ItemKind kind = ItemKind::kAny;
  Position at;
  ExprPtr expr;       // kExpr; of kList the name or expression, null where anonymous
  ExprPtr length;     // kList: {len}, or null
  bool each = false;  // one for each of a variadic argument: `each d`, `...each s`
};

enum class PatternKind : uint8_t { kTensor, kSequence, kOptional, kMap, kHandle, kAnything };

// T[n, ...x], T[n, m] csr, seq(T[...s], length=n), opt(...), map(K, T[...]), handle(T[...]), V for a whole
// type, or _ for anything at all.
struct TypePattern {
  PatternKind kind = PatternKind::kTensor;
  Position at;
  ExprPtr element;             // kTensor: a type variable, a type or a class name, an expression; null for _
  bool each_element = false;   // `each T`
  bool unknown_shape = false;  // T[*]
  bool has_shape = true;       // false for a bare V: a variable of the whole type
  std::vector<ShapeItem> shape;
  std::string storage;  // kTensor: dense, row_sparse, csr or a variable; empty where nothing is said
  Position storage_at;
  ExprPtr key;                      // kMap
  std::vector<TypePattern> inside;  // seq, opt, map: one; handle: any number
  ExprPtr length;                   // kSequence: how many elements; may be null
};

enum class Arity : uint8_t { kOne, kOptional, kOneOrMore, kAnyNumber };  // x, x?, x+, x*

struct Argument {
  Position at;
  std::string name;
  Arity arity = Arity::kOne;
  std::string count;  // x{N}: as many as the attribute N says, kAnyNumber; else empty
  Position count_at;
  TypePattern pattern;
};

enum class AttributeKind : uint8_t {
  kInt,
  kInts,
  kFloat,
  kFloats,
  kBool,
  kString,
  kStrings,
  kType,
  kTypes,
  kShape,
  kShapes,
  kTensor,
  kAny
};

struct Attribute {
  Position at;
  std::string name;
  bool optional = false;  // name?: kind
  AttributeKind kind = AttributeKind::kInt;
  ExprPtr otherwise;             // = default
  std::vector<ExprPtr> allowed;  // in ["NOTSET", "VALID"]
  ExprPtr minimum, maximum;      // in 0..3; either may be null
};

// body: region(T[...s]) -> (U[...r]): what a region takes, told by the rule, and what it gives, which is
// found out. A pattern with `each` stands for one of each of a variadic operand.
struct Region {
  Position at;
  std::string name;
  std::vector<TypePattern> takes, gives;
};

// ---- Declarations ----

enum class StatementKind : uint8_t {
  kLet,      // let name = expr
  kRequire,  // require expr else "message"
  kAssume,   // assume expr else "message"
  kEnsure,   // ensure expr
  kValue,    // value name = expr
  kTypes,    // T: float | i32
  kExample,  // example "..."
};

struct Statement {
  StatementKind kind = StatementKind::kLet;
  Position at;
  std::string name;                // kLet, kValue, kTypes
  ExprPtr expr;                    // kLet, kRequire, kAssume, kEnsure, kValue
  Message message;                 // kRequire, kAssume; empty where there is no else
  std::vector<std::string> words;  // kTypes: the types and classes
  std::vector<Position> words_at;  // each of the words
  std::string text;                // kExample
};

// One way to use an operator: `(operands) -> (results)` with an optional guard.
struct Signature {
  Position at;
  std::vector<Argument> operands;
  std::vector<Argument> results;
  ExprPtr when;  // the guard, or null
};

// What a declaration fills in: all, or one part of the types. The parts of an operator are declared apart and
// taken together when it is applied.
enum class Part : uint8_t { kAll, kShape, kType, kStorage };  // op, shape op, type op, storage op

struct Operator {
  Part part = Part::kAll;
  Position at;
  std::vector<std::string> names;  // op Relu, Tanh(...): several at once
  std::vector<Position> names_at;  // each of the names; `at` is the first
  std::string like;                // op Add like binary: the template, or empty
  Position like_at;
  bool is_template = false;
  int since = 1;
  int until = 0;                      // the first version that it no longer serves; 0: none
  std::string doc;                    // the ## lines before it
  std::vector<Signature> signatures;  // the first, then those after `|`; empty with `like`
  std::vector<Attribute> attributes;
  std::vector<Region> regions;
  std::vector<Statement> statements;
};

struct Parameter {
  Position at;
  std::string name;
  std::string type;  // int, ints, bool, string, type, ...
  Position type_at;
};

// fn window(x: int, k: int) -> int = expr
struct Function {
  Position at;
  std::string name;
  std::string doc;
  std::vector<Parameter> parameters;
  std::string result;
  Position result_at;
  ExprPtr body;
};

struct File {
  std::string name;    // for messages: "conv.shape"
  std::string text;    // for the lines that messages show
  int first_line = 1;  // where the text begins in the file: not at 1 if it is a part of it
  std::string set;     // set onnx, set ai.onnx.ml
  std::vector<Function> functions;
  std::vector<Operator> operators;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_AST_H_
