// The registry of codes, which `dimwise explain DW0102` prints, and the text form of a diagnostic.
#include "dimwise/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/diagnostic_text.h"
#include "core/base/utf8.h"

namespace dimwise {
namespace {

constexpr CodeInfo kCodes[] = {
    {Code::kBadUsage, "bad-usage",
     "The command line is invalid: an unknown option, a missing argument, or a value that the option does "
     "not "
     "accept.",
     "dimwise infer --formt json bert.onnx",
     "`dimwise --help` lists the commands, `dimwise infer --help` the options of one command."},
    {Code::kBadRequest, "bad-request",
     "A request has the wrong form: a line that is not JSON, a field of the wrong kind, or an operand that "
     "cannot be parsed. Nothing was inferred.",
     R"({"op": "onnx.Relu", "inputs": [{"dtype": "f32", "shape": "2x3"}]})",
     "Correct the field that the message names. A shape is a list of integers, names and null: [\"N\", 3, "
     "null]."},
    {Code::kUnknownOperator, "unknown-operator",
     "The operator set contains no operator with this name, so its results are unknown.",
     "dimwise op onnx.Conv2D 'f32[1, 3, 8, 8]' 'f32[4, 3, 3, 3]'",
     "Check the spelling and the name of the set before it; `dimwise rules` lists all operators. Declare an "
     "operator of your own in a rule file and load it with `--rules FILE.shape`."},
    {Code::kBadExpression, "bad-expression",
     "A size, shape, type or assumption could not be parsed as an expression.",
     "dimwise op onnx.Relu 'f32[N, (H + 1]'",
     "Expressions have the syntax of Python: integers, names, + - * // %, min, max, broadcast and "
     "parentheses. A name that is not an identifier is written in backquotes."},
    {Code::kNotSupported, "not-supported",
     "The request is valid, but this version of Dimwise does not support it.",
     "dimwise infer model.graph -o with_shapes.graph",
     "The message names the missing feature and, if possible, an alternative. If you need the feature, open "
     "an issue."},
    {Code::kRankMismatch, "rank-mismatch",
     "The rank of a tensor is invalid for the operator, or differs from the rank of another tensor, in every "
     "run.",
     "dimwise op onnx.Conv 'f32[3, 224, 224]' 'f32[64, 3, 7, 7]'",
     "Add or remove an axis (Unsqueeze, Squeeze, Reshape) before the operator, or correct the declared shape "
     "of the input. In the example the batch axis is missing."},
    {Code::kSizeMismatch, "size-mismatch", "Two sizes must be equal but differ in every run.",
     "dimwise op onnx.Concat 'f32[2, 3]' 'f32[2, 4]' axis=0",
     "The two sides show the origin of each size; change the wrong one. `dimwise explain MODEL TENSOR[AXIS]` "
     "traces a size back to the input, weight or attribute that determines it."},
    {Code::kRequirement, "requirement",
     "A requirement of the operator on its operands and attributes is false in every run. The message is the "
     "one in the rule of the operator.",
     "dimwise op onnx.MatMul 'f32[N, 64]' 'f32[32, M]'",
     "`dimwise rule onnx.MatMul` prints the requirement; the sides show the origin of each value."},
    {Code::kBroadcast, "broadcast",
     "Two shapes cannot be broadcast together. When they are aligned at the last axis, two sizes differ and "
     "neither is 1.",
     "dimwise op onnx.Add 'f32[N, 3]' 'f32[N, 4]'",
     "Make the sizes equal, or make one of them 1. Often an axis is missing: a bias of [C] for images [N, C, "
     "H, W] must be [C, 1, 1]."},
    {Code::kNegativeSize, "negative-size",
     "A size is negative in every run. A tensor cannot have a negative size.",
     "dimwise op onnx.MaxPool 'f32[1, 8, 2, 2]' kernel_shape=4,4",
     "Usually the input is smaller than the window or the slice that is taken from it. Pad the input, or use "
     "a smaller window."},
    {Code::kOverflow, "overflow",
     "A size, or the number of elements of a tensor, does not fit into a 64-bit integer.",
     "dimwise op onnx.Tile 'f32[4294967296]' 'i64[1] = [4294967296]'",
     "No machine can store such a tensor. Look for a wrong shape, repeat count or slice end."},
    {Code::kOutOfRange, "out-of-range", "An axis, index or count is out of range for the tensor.",
     "context.ReplaceDim(shape, 2, 5), where the shape has rank 2",
     "For a tensor of rank r, an axis is in -r .. r-1; the message states the valid range."},
    {Code::kElementType, "element-type",
     "The element types of the operands do not match, or the operator does not support an element type.",
     "dimwise op onnx.Add 'f32[N]' 'i64[N]'",
     "Convert an operand (Cast), or correct the declared type of the input."},
    {Code::kContents, "contents",
     "The operator reads the shape of its result from the contents of an operand, and these contents are "
     "invalid.",
     "context.MakeShapeFromShapeTensor(1), where the operand contains [2, -3]",
     "Correct the constant, or the arithmetic that computes it; `dimwise explain` shows its origin."},
    {Code::kElementCount, "element-count",
     "Two tensors must have the same number of elements but differ in every run.",
     "dimwise op onnx.Reshape 'f32[2, 3]' 'i64[2] = [4, -1]'",
     "Choose a shape with the same product, or use -1 for one size."},
    {Code::kHandleData, "handle-data",
     "The shapes and types behind a resource handle contradict each other or the operator.",
     R"({"op": "tensorflow.AssignVariableOp", "inputs": [{"dtype": "resource", "handle": [{"dtype": "f32", )"
     R"("shape": [2]}]}, {"dtype": "f32", "shape": [3]}]})",
     "Compare the shape and type with which the variable was created with those that are written or read."},
    {Code::kDeclaredType, "declared-type",
     "The file declares a type for a value, for example in value_info, that differs from the inferred type "
     "in "
     "every run. The inferred type is used.",
     "value_info declares y: f32[N, 16], but y is f32[N, 8]",
     "Remove or correct the declaration; `dimwise infer -o` writes the inferred types into the file."},
    {Code::kUnknownShape, "unknown-shape",
     "Complete shapes are required, but the rank of a value is unknown: the operator is unknown, or the rank "
     "depends on contents that only a run determines.",
     "Reshape(x, shape) where `shape` is an input of unknown length",
     "Set the sizes of inputs with `--shape`, or load a rule for the operator with `--rules`."},
    {Code::kAssumption, "assumption",
     "The expression for a size is valid only under a condition that is not certain. For other sizes the "
     "operator may succeed with another shape.",
     "dimwise op onnx.MaxPool 'f32[N, 3, L]' kernel_shape=2 strides=2",
     "If the condition holds in every run, state it with `--assume`; the guard then disappears. For the "
     "other "
     "sizes, infer the model with these numbers: `--set L=1`."},
    {Code::kSharedGuard, "shared-guard",
     "An expression for a size uses a condition that another node requires, but no guard of that node is "
     "listed. Where the condition fails, the model fails at the other node.",
     "a Reshape whose sizes follow from the guard of a MatMul that comes later",
     "If the condition holds in every run, state it with `--assume`; the guard then disappears."},
    {Code::kContradiction, "contradiction",
     "Two facts cannot both hold, for example two assumptions, or an assumption and a declared shape. The "
     "message contains both.",
     "dimwise infer bert.onnx --assume 'seq <= 128' --assume 'seq >= 256'",
     "Remove or correct one of the facts. If neither is your assumption, the model fails in every run."},
    {Code::kEffort, "effort",
     "A query about sizes was given up because it took too many steps. The results are right, but a size may "
     "be "
     "less precise, or a guard may be left that could be proved.",
     "500 operators that each halve and add sizes, so that an expression has hundreds of nested divisions",
     "`--effort high` allows more steps. Often `--set` or `--assume` makes the expressions simpler."},
    {Code::kArity, "arity", "An operator has more or fewer operands or results than its definition allows.",
     "dimwise op onnx.Add 'f32[N]'",
     "`dimwise rule onnx.Add` prints the operands, which of them are optional, and the results."},
    {Code::kMissingAttribute, "missing-attribute",
     "A required attribute is missing. It has no default and does not follow from the operands.",
     "dimwise op onnx.Concat 'f32[2, 3]' 'f32[2, 3]'",
     "Set the attribute; `dimwise rule onnx.Concat` lists the attributes with kinds and defaults."},
    {Code::kBadAttribute, "bad-attribute",
     "An attribute has a kind or a value that the operator does not accept.",
     "dimwise op onnx.Conv 'f32[1, 3, 8, 8]' 'f32[4, 3, 3, 3]' strides=two",
     "`dimwise rule onnx.Conv` lists the attributes with their kinds, ranges and allowed values."},
    {Code::kBadDefinition, "bad-definition",
     "The definition of an operator is invalid: a bad name, a default of the wrong kind, or an undeclared "
     "type.",
     "op Relu6(X: T[...s]; max: int = \"six\") -> (Y: T[...s])",
     "Correct the definition at the position that the message names; `dimwise test FILE.shape` tests a whole "
     "file."},
    {Code::kDuplicateDefinition, "duplicate-definition",
     "Two definitions have the same operator set, name and version.",
     "OpRegistryBuilder with two definitions of onnx.Relu, version 14",
     "Remove or rename one of them, or give it another version."},
    {Code::kNoSuchVersion, "no-such-version",
     "The operator exists, but not in the requested version of the operator set.",
     "dimwise op onnx.BitShift 'u8[N]' 'u8[N]' direction=LEFT --opset 5",
     "Use a version of the set that contains the operator; the message names the first one."},
    {Code::kBadHandle, "bad-handle",
     "A call of the library passed a shape or size that does not exist: a default-constructed handle, a "
     "handle of another analysis, or an index out of range.",
     "context.WithRank(Shape(), 2)",
     "The error is in the calling code, not in the model. Pass a handle that this context returned."},
    {Code::kRuleSyntax, "rule-syntax", "A rule file has a syntax error at the marked position.",
     "require c = wc * group",
     "Correct the marked position; docs/rules.md describes the language. In the example, use `==`."},
    {Code::kRuleName, "rule-name",
     "A rule uses an undefined name: no pattern, attribute or earlier `let` binds it, and it is not a "
     "function, type or template.",
     "op Relu(X: T[...s]) -> (Y: T[...t])",
     "Check the spelling. Operands, attributes, and a `let` before the use bind names."},
    {Code::kRuleType, "rule-type",
     "A part of a rule has the wrong type for its position: a list instead of a size, or a string in a sum.",
     "let r = rank(s) + s",
     "The message states the actual and the required type. `x[i]` selects a size from a list, `[n]` creates "
     "a list."},
    {Code::kRuleLimit, "rule-limit",
     "A rule file exceeds a limit that makes rules safe: the size of the file, the depth of an expression, a "
     "number of more than 64 bits, the number of steps, or a list of millions of elements.",
     "since 99999999999", "Split the file, or name parts of the expression with `let`."},
    {Code::kRuleDuplicate, "rule-duplicate",
     "A name is declared twice although it must be unique, or a declaration is repeated.",
     "op Add(A: T[...a], A: T[...b]) -> (C: T[...broadcast(a, b)])", "Rename or remove one of the two."},
    {Code::kUnreadableFile, "unreadable-file",
     "A file could not be opened, read or written; the message contains the error of the system.",
     "dimwise infer models/missing.onnx",
     "Check the path, its permissions and the space on the disk. `-` is standard input."},
    {Code::kDamagedFile, "damaged-file",
     "The bytes of a file do not have its format, from the offset in the message on. The file is truncated, "
     "damaged, or has another format.",
     "dimwise infer half_of_bert.onnx",
     "Get the file again and compare its size. `--from` selects the format."},
    {Code::kMissingValue, "missing-value",
     "A node, or an output of the graph, uses a value that no input, constant or node defines. The value is "
     "unknown.",
     "a node Add(x, bias) in a model without 'bias'",
     "Usually a name is misspelt, or the model was cut out of a larger one. Add the input, or correct the "
     "name."},
    {Code::kDuplicateName, "duplicate-name",
     "Two values of one graph, or two functions, have the same name, so a use of the name is ambiguous. The "
     "later value is used; of functions, the first.",
     "two nodes that both define 'y'", "Rename one of the two."},
    {Code::kBadModel, "bad-model",
     "A part of the model is invalid: a negative size, contents with too few bytes for the sizes, or an "
     "undefined element type. It counts as unknown.",
     "an initializer f32[2, 3] with 20 bytes",
     "Correct the part that the message names, or export the model again."},
    {Code::kUnknownFormat, "unknown-format", "The contents of a file have no format that Dimwise can read.",
     "dimwise infer README.md",
     "Use a model file. `--from` selects the format if the contents do not determine it."},
    {Code::kNewerOpset, "newer-opset",
     "The model uses a version of an operator set that is newer than all versions that Dimwise knows. "
     "Operators "
     "are inferred by their newest known definitions, which may differ.",
     "a model with opset 99", "Use a newer Dimwise, or export the model with an older opset."},
    {Code::kGraphText, "graph-text",
     "A text graph could not be parsed: the marked position has a syntax error, or names an undefined value.",
     "graph main(x: f32[N]) { y = onnx.Relu(z) return y }",
     "Correct the marked position; include/dimwise/graph_text.h describes the syntax. In the example, no "
     "value is named z."},
};

// Returns "node 'encoder/qk' (#118)", or "MatMul (#118)" for an unnamed node. Empty if nothing is known.
std::string Place(const Diagnostic& diagnostic) {
  std::string place;
  if (!diagnostic.node.empty() && !diagnostic.node.ends_with(fmt::format("#{}", diagnostic.index))) {
    place = fmt::format("node '{}'", Printable(diagnostic.node));
  } else if (!diagnostic.op.empty()) {
    place = Printable(diagnostic.op);
  } else if (diagnostic.index >= 0) {
    place = "node";
  }
  if (diagnostic.index >= 0) fmt::format_to(std::back_inserter(place), " (#{})", diagnostic.index);
  return place;
}

// Appends a line for each side. Roles, values and reasons are aligned in columns.
void AppendSides(std::string& text, const std::vector<Side>& sides) {
  size_t role_width = 0;
  size_t value_width = 0;
  for (const Side& side : sides) {
    role_width = std::max(role_width, Width(Printable(side.role)));
    value_width = std::max(value_width, Width(Printable(side.value)));
  }
  for (const Side& side : sides) {
    std::string line = "   |  ";
    if (role_width > 0) line += Padded(Printable(side.role), role_width + 2);
    line += Padded(Printable(side.value), value_width + 4);
    line += Printable(side.reason);
    line.erase(line.find_last_not_of(' ') + 1);
    text += '\n' + line;
  }
}

// Appends the source line, shortened around the marked part if it is long, and a line of carets. Tabs become
// spaces in both lines, so that the carets are aligned.
void AppendSource(std::string& text, const Source& source) {
  constexpr size_t kBefore = 70;
  constexpr size_t kShown = 110;
  std::string line = source.text.substr(0, source.text.find_last_not_of(" \t\r") + 1);
  std::ranges::replace(line, '\t', ' ');
  const size_t column = source.column > 0 ? static_cast<size_t>(source.column - 1) : 0;
  const size_t mark = std::min(column, line.size());
  const size_t from = mark > kBefore && line.size() > kShown ? BeginOfCharacter(line, mark - kBefore) : 0;
  size_t to = std::min(line.size(), from + kShown);
  while (to < line.size() && ContinuesCharacter(line[to])) ++to;

  const std::string before =
      (from > 0 ? "..." : "") + Printable(std::string_view(line).substr(from, mark - from));
  const size_t marked = std::min(static_cast<size_t>(std::max(source.length, 0)), to - std::min(mark, to));
  const std::string part = Printable(std::string_view(line).substr(mark, marked));
  const std::string after =
      Printable(std::string_view(line).substr(mark + marked, to - std::min(mark + marked, to)));
  text += "\n   |  " + before + part + after + (to < line.size() ? "..." : "");
  text += "\n   |  " + std::string(Width(before), ' ') + std::string(std::max<size_t>(Width(part), 1), '^');
}

}  // namespace

std::span<const CodeInfo> AllCodes() { return kCodes; }

const CodeInfo* DescribeCode(Code code) {
  const CodeInfo* found = std::ranges::lower_bound(kCodes, code, {}, &CodeInfo::code);
  return found != std::end(kCodes) && found->code == code ? found : nullptr;
}

std::string CodeName(Code code) { return fmt::format("DW{:04}", static_cast<unsigned>(code)); }

std::string_view NameOf(Severity severity) {
  return severity == Severity::kError ? "error" : severity == Severity::kWarning ? "warning" : "note";
}

std::string ToString(const Diagnostic& diagnostic) {
  return fmt::format("{}[{}]: {}", NameOf(diagnostic.severity), CodeName(diagnostic.code),
                     TextWithoutHead(diagnostic));
}

std::string TextWithoutHead(const Diagnostic& diagnostic) {
  std::string text = Printable(diagnostic.message);
  const Source& source = diagnostic.source;
  std::string place = Place(diagnostic);
  if (source.line == 0 && !source.file.empty())
    place = Printable(source.file) + (place.empty() ? "" : ", ") + place;
  if (!place.empty()) text += "\n  --> " + place;
  if (source.line > 0) {
    text += fmt::format("\n  --> {}:{}:{}", Printable(source.file), source.line, source.column);
    if (!source.text.empty()) AppendSource(text, source);
  }
  AppendSides(text, diagnostic.sides);
  for (const std::string& note : diagnostic.notes) text += "\n  note: " + Printable(note);
  if (!diagnostic.help.empty()) text += "\n  help: " + Printable(diagnostic.help);
  return text;
}

}  // namespace dimwise
