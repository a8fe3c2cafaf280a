// The syntax tree of a rule file: operators, functions and templates, with the position of each part.
//
// The parser builds this tree. The checker assigns types to expressions and resolves names. The compiler
// converts a checked operator to executable form. This file knows nothing about the meaning of expressions.
//
// Invariants established by the parser:
// 1. The height of an expression, and the nesting of patterns, is at most kMaxHeight, so recursion over the
// tree is safe.
// 2. Names are stored without backquotes, and strings without escapes.
// 3. The children of a node are not null, except where noted.
#ifndef DIMWISE_RULES_LANGUAGE_AST_H_
#define DIMWISE_RULES_LANGUAGE_AST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dimwise::rules {

inline constexpr int kMaxHeight = 100;

// Lines and columns start at 1; columns count bytes. `length` is the length of the underline in a diagnostic.
// It covers an expression or pattern on its first line, the name of anything that has a name, or the keyword
// of a statement.
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
  kBoolean,  // true, false
  kName,     // axis
  kList,     // [n, ...x, m]: children, of which kSpread are spliced
  kSpread,   // ...x inside a list: one child
  kCall,     // name(children)
  kIndex,    // child[child]
  kSlice,    // child[child:child]; a missing bound is null
  kUnary,    // text is "-" or "not"
  kBinary,   // text is one of + - * // % == != < <= > >= and or implies in ??
  kIf,       // if child then child else child
  kFor,      // [child for names in child if child]: children are body, list, filter (or null)
  kFold,     // fold names[1..] in list with names[0] = init: body: children are list, init, body
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Expr {
  ExprKind kind = ExprKind::kInteger;
  uint8_t height = 1;  // levels of the subtree
  Position at;
  int64_t integer = 0;             // kInteger; kBoolean 0 or 1
  double real = 0;                 // kReal
  std::string text;                // kString: the text; kName, kCall: the name; kUnary, kBinary: the operator
  std::vector<std::string> names;  // kFor, kFold: the bound names
  std::vector<ExprPtr> children;
};

// A string with embedded expressions: "perm {perm} must name each of the {rank(s)} axes once".
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
  ExprPtr expr;       // kExpr; for kList the name or expression, null if anonymous
  ExprPtr length;     // kList: {len}, or null
  bool each = false;  // one per argument of a variadic group: `each d`, `...each s`
};

enum class PatternKind : uint8_t { kTensor, kSequence, kOptional, kMap, kHandle, kAnything };

// T[n, ...x], T[n, m] csr, seq(T[...s], length=n), opt(...), map(K, T[...]), handle(T[...]), V for a whole
// type, or _ for any type.
struct TypePattern {
  PatternKind kind = PatternKind::kTensor;
  Position at;
  ExprPtr element;             // kTensor: a type variable, a type or a class name, an expression; null for _
  bool each_element = false;   // `each T`
  bool unknown_shape = false;  // T[*]
  bool has_shape = true;       // false for a bare V: a variable of the whole type
  std::vector<ShapeItem> shape;
  std::string storage;  // kTensor: dense, row_sparse, csr or a variable; empty if unspecified
  Position storage_at;
  ExprPtr key;                      // kMap
  std::vector<TypePattern> inside;  // seq, opt, map: one; handle: any number
  ExprPtr length;                   // kSequence: the number of elements; may be null
};

enum class Arity : uint8_t { kOne, kOptional, kOneOrMore, kAnyNumber };  // x, x?, x+, x*

struct Argument {
  Position at;
  std::string name;
  Arity arity = Arity::kOne;
  std::string count;  // x{N}: the number is the attribute N, arity kAnyNumber; else empty
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

// body: region(T[...s]) -> (U[...r]): the inputs of a region, which the rule determines, and its outputs,
// which inference finds. A pattern with `each` denotes one per operand of a variadic group.
struct Region {
  Position at;
  std::string name;
  std::vector<TypePattern> takes, gives;
};

// ---- Declarations ----

enum class StatementKind : uint8_t {
  kLet,       // let name = expr
  kRequire,   // require expr else "message"
  kAssume,    // assume expr else "message"
  kEnsure,    // ensure expr
  kValue,     // value name = expr
  kTypes,     // T: float | i32
  kProperty,  // property elements Y some_of X
  kWith,      // with window: until ExpandGroups replaces it
  kExample,   // example "..."
};

// A part of a property, for example `axis at` or `body body (state) -> (state)`. Which parts a property has
// is in property_grammar.h.
struct PropertyPart {
  std::string_view word;  // the first word, from property_grammar.h; empty for names before all parts
  Position at;
  std::vector<std::string> names;  // operands, results, attributes or an operator
  std::vector<Position> names_at;
  ExprPtr expr;
  std::string text;
  bool has_layout = false;                // of a region: `takes` and `gives` are given
  std::vector<std::string> takes, gives;  // of a region, or `gives` of a list of results
  std::vector<Position> takes_at, gives_at;
};

struct Statement {
  StatementKind kind = StatementKind::kLet;
  Position at;
  std::string name;                 // kLet, kValue, kTypes, kWith; kProperty: its word
  ExprPtr expr;                     // kLet, kRequire, kAssume, kEnsure, kValue
  Message message;                  // kRequire, kAssume; empty if there is no else
  std::vector<std::string> words;   // kTypes: the types and classes
  std::vector<Position> words_at;   // the position of each word
  std::string text;                 // kExample
  std::vector<PropertyPart> parts;  // kProperty; the first has no word if the property begins with names
};

// A case of an operator: `(operands) -> (results)` with an optional case condition.
struct Signature {
  Position at;
  std::vector<Argument> operands;
  std::vector<Argument> results;
  ExprPtr when;  // the case condition, or null
};

// The part of the types that a declaration determines. The parts of an operator are declared separately and
// combined when it is evaluated.
enum class Part : uint8_t { kAll, kShape, kType, kStorage };  // op, shape op, type op, storage op

struct Operator {
  Part part = Part::kAll;
  Position at;
  std::vector<std::string> names;  // op Relu, Tanh(...): several names share a declaration
  std::vector<Position> names_at;  // the position of each name; `at` is the first
  std::string like;                // op Add like binary: the template, or empty
  Position like_at;
  bool is_template = false;
  int since = 1;
  int until = 0;    // the first version that the rule no longer covers; 0: none
  std::string doc;  // the ## lines before it
  std::vector<Signature>
      signatures;  // the first case, then those after `|`; empty with `like`, and in a group
  std::vector<Attribute> attributes;
  std::vector<Region> regions;
  std::vector<Statement> statements;

  // Returns whether this is a template without operands and results, which operators include by `with`.
  bool IsGroup() const { return is_template && signatures.empty(); }
};

struct Parameter {
  Position at;
  std::string name;
  std::string type;  // int, ints, bool, string, type, ...
  Position type_at;
};

// fn window(x: int, k: int) -> int = expr, or fn fits(x: int) -> bool = expr else "message"
struct Function {
  Position at;
  std::string name;
  std::string doc;
  std::vector<Parameter> parameters;
  std::string result;
  Position result_at;
  ExprPtr body;
  Message message;  // of a requirement that calls the function and has no message
};

struct File {
  std::string name;              // for diagnostics: "conv.shape"
  std::string text;              // for the source lines in diagnostics
  int first_line = 1;            // the line of the file at which the text begins
  std::string set;               // set my, set my.extra
  std::vector<Statement> types;  // after `set`: the types of variables that an operator does not restrict
  std::vector<Function> functions;
  std::vector<Operator> operators;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_AST_H_
