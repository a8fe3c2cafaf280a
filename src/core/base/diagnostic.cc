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
     "The command line was not understood: an option that does not exist, an argument that is missing, or a "
     "value that the option cannot take.",
     "dimwise infer --formt json bert.onnx",
     "`dimwise --help` lists the commands, `dimwise infer --help` the options of one, with an example."},
    {Code::kBadRequest, "bad-request",
     "A request does not have the form that it should have: a line that is not JSON, a field of the wrong "
     "kind, an operand that cannot be read. Nothing was inferred from it.",
     R"({"op": "onnx.Relu", "inputs": [{"dtype": "f32", "shape": "2x3"}]})",
     "Correct the place that the message names. A shape is a list of integers, names and null: [\"N\", 3, "
     "null]."},
    {Code::kUnknownOperator, "unknown-operator",
     "No operator of this name is known in the operator set, so nothing can be said of its results.",
     "dimwise op onnx.Conv2D 'f32[1, 3, 8, 8]' 'f32[4, 3, 3, 3]'",
     "Check the spelling and the set in front of it; `dimwise rules` lists all operators. An operator of "
     "your own gets a rule with `--rules FILE.shape`."},
    {Code::kBadExpression, "bad-expression",
     "A dimension, shape, type or assumption could not be read as an expression.",
     "dimwise op onnx.Relu 'f32[N, (H + 1]'",
     "Expressions are written as in Python: integers, names, + - * // %, min, max, broadcast and "
     "parentheses; a name that is no identifier stands in backquotes."},
    {Code::kNotSupported, "not-supported",
     "The request is understood and makes sense, but this version of Dimwise cannot do it.",
     "dimwise infer model.graph -o with_shapes.graph",
     "The message says what is missing and, where there is one, another way. If you need it, open an issue."},
    {Code::kRankMismatch, "rank-mismatch",
     "A tensor has a number of dimensions that the operator, or another tensor, does not allow in any run.",
     "dimwise op onnx.Conv 'f32[3, 224, 224]' 'f32[64, 3, 7, 7]'",
     "Add or drop an axis (Unsqueeze, Squeeze, Reshape) before the operator, or correct the shape that was "
     "declared for the input; here the batch axis is missing."},
    {Code::kSizeMismatch, "size-mismatch", "Two sizes must be equal and are not, in any run.",
     "dimwise op onnx.Concat 'f32[2, 3]' 'f32[2, 4]' axis=0",
     "The two sides show where each size comes from; change the one that is wrong. `dimwise explain MODEL "
     "TENSOR[AXIS]` follows a size back to the input, weight or attribute that decides it."},
    {Code::kRequirement, "requirement",
     "The operator states a condition on its operands and attributes, and it is false in every run. The "
     "sentence is that of the operator's rule.",
     "dimwise op onnx.MatMul 'f32[N, 64]' 'f32[32, M]'",
     "`dimwise rule onnx.MatMul` shows the condition; the sides show where each value comes from."},
    {Code::kBroadcast, "broadcast",
     "Two shapes cannot be broadcast together: aligned at the right, there is an axis where the sizes differ "
     "and neither is 1.",
     "dimwise op onnx.Add 'f32[N, 3]' 'f32[N, 4]'",
     "Make the sizes equal or one of them 1. Often an axis is missing: a bias of [C] for images [N, C, H, W] "
     "must be [C, 1, 1]."},
    {Code::kNegativeSize, "negative-size",
     "A size would be less than zero in every run, which no tensor can have.",
     "dimwise op onnx.MaxPool 'f32[1, 8, 2, 2]' kernel_shape=4,4",
     "Usually the input is smaller than the window or the slice taken from it: pad it, or use a smaller "
     "window."},
    {Code::kOverflow, "overflow",
     "A size, or the number of elements of a tensor, is larger than a 64-bit integer can say.",
     "dimwise op onnx.Tile 'f32[4294967296]' 'i64[1] = [4294967296]'",
     "No machine holds such a tensor: look for a shape, a repeat count or a slice end that is wrong."},
    {Code::kOutOfRange, "out-of-range", "An axis, index or count lies outside what the tensor has.",
     "context.ReplaceDim(shape, 2, 5), where the shape has 2 dimensions",
     "For a tensor with r dimensions an axis is in -r .. r-1; the message says what is allowed here."},
    {Code::kElementType, "element-type",
     "The element types of the operands do not go together, or the operator does not take this one.",
     "dimwise op onnx.Add 'f32[N]' 'i64[N]'",
     "Convert one of them (Cast), or correct the type that was declared for the input."},
    {Code::kContents, "contents",
     "The operator reads its result's shape from the contents of an operand, and these contents are not "
     "possible.",
     "context.MakeShapeFromShapeTensor(1), where the operand holds [2, -3]",
     "Correct the constant, or the arithmetic that computes it; `dimwise explain` shows how it came about."},
    {Code::kElementCount, "element-count",
     "Two tensors must have the same number of elements and cannot, in any run.",
     "dimwise op onnx.Reshape 'f32[2, 3]' 'i64[2] = [4, -1]'",
     "Choose a shape with the same product, or leave one size to be computed with -1."},
    {Code::kHandleData, "handle-data",
     "What is known of the shapes and types behind a resource handle contradicts itself or the operator.",
     R"({"op": "tensorflow.AssignVariableOp", "inputs": [{"dtype": "resource", "handle": [{"dtype": "f32", )"
     R"("shape": [2]}]}, {"dtype": "f32", "shape": [3]}]})",
     "Compare the shape and type with which the variable was made with those that are written to or read "
     "from it."},
    {Code::kDeclaredType, "declared-type",
     "The file declares a type for a value, such as a shape in value_info, that differs from what follows "
     "from the operators in every run. What was inferred is kept.",
     "value_info says y: f32[N, 16], and y is f32[N, 8]",
     "Remove or correct the declaration; `dimwise infer -o` writes the inferred types into the file."},
    {Code::kUnknownShape, "unknown-shape",
     "Every shape was asked for, and one is not known, nor its rank: the operator is not known, or the rank "
     "depends on contents that only a run has.",
     "Reshape(x, shape) where `shape` is an input of unknown length",
     "Give the sizes of inputs with `--shape`, or a rule for the operator with `--rules`."},
    {Code::kAssumption, "assumption",
     "The shape of a result is a formula only for sizes that meet a condition, and it is not certain that "
     "they do. For others the operator may succeed with another shape.",
     "dimwise op onnx.MaxPool 'f32[N, 3, L]' kernel_shape=2 strides=2",
     "State the condition with `--assume` where it holds in every run; it is then no longer checked."},
    {Code::kContradiction, "contradiction",
     "Two things are both said to hold and cannot. The notes name who said each: an assumption, an operator, "
     "a declared shape.",
     "dimwise infer bert.onnx --assume 'seq <= 128' --assume 'seq >= 256'",
     "Drop or correct one of the two. If neither is an assumption of yours, the model cannot run."},
    {Code::kArity, "arity",
     "An operator was given more or fewer operands, or asked for more or fewer results, than it has.",
     "dimwise op onnx.Add 'f32[N]'",
     "`dimwise rule onnx.Add` shows the operands, which of them are optional, and the results."},
    {Code::kMissingAttribute, "missing-attribute",
     "The operator needs an attribute that has no default, does not follow from the operands, and is not "
     "there.",
     "dimwise op onnx.Concat 'f32[2, 3]' 'f32[2, 3]'",
     "Give the attribute; `dimwise rule onnx.Concat` lists them with their kinds and defaults."},
    {Code::kBadAttribute, "bad-attribute",
     "An attribute has a kind or a value that the operator does not allow.",
     "dimwise op onnx.Conv 'f32[1, 3, 8, 8]' 'f32[4, 3, 3, 3]' strides=two",
     "`dimwise rule onnx.Conv` lists the attributes with their kinds, ranges and allowed values."},
    {Code::kBadDefinition, "bad-definition",
     "The definition of an operator is wrong by itself: a bad name, a default of the wrong kind, a type that "
     "is not declared.",
     "op Relu6(X: T[...s]; max: int = \"six\") -> (Y: T[...s])",
     "Correct the definition at the place that the message names; `dimwise test FILE.shape` checks a whole "
     "file."},
    {Code::kDuplicateDefinition, "duplicate-definition",
     "Two definitions have the same operator set, name and version.",
     "OpRegistryBuilder, given onnx.Relu of version 14 twice",
     "Remove one, rename one, or give it a version of its own."},
    {Code::kNoSuchVersion, "no-such-version",
     "The operator exists, but not in the version of the operator set that was asked for.",
     "dimwise op onnx.BitShift 'u8[N]' 'u8[N]' direction=LEFT --opset 5",
     "Use a version of the set that has the operator; the message says since which."},
    {Code::kBadHandle, "bad-handle",
     "A call of the library was given a shape or dimension that does not exist: a default-constructed "
     "handle, one of another analysis, or an index past the operands.",
     "context.WithRank(Shape(), 2)",
     "This is a mistake in the code that calls, not in the model: pass a handle that this context gave out."},
    {Code::kRuleSyntax, "rule-syntax",
     "A rule file could not be read: the marked place does not fit the rule language.",
     "require c = wc * group",
     "Correct the marked place; docs/rules.md describes the language. Here `==` is meant."},
    {Code::kRuleName, "rule-name",
     "A rule uses a name that means nothing there: it is not bound by a pattern, an attribute or a `let` "
     "before it, nor is it a function, a type or a template.",
     "op Relu(X: T[...s]) -> (Y: T[...t])",
     "Check the spelling; a name is bound by the operands, the attributes, or a `let` above its use."},
    {Code::kRuleType, "rule-type",
     "A part of a rule is of another kind than its place needs: a list where a size is due, a string in a "
     "sum.",
     "let r = rank(s) + s",
     "The message says what the part is and what is needed; `x[i]` takes a size from a list, `[n]` makes a "
     "list."},
    {Code::kRuleLimit, "rule-limit",
     "A rule file goes beyond a limit that keeps reading and running it safe: its size, the depth of an "
     "expression, a number that needs more than 64 bits; or a rule needs too many steps or asks for a list "
     "of millions of elements.",
     "since 99999999999", "Split the file, or name parts of the expression with `let`."},
    {Code::kRuleDuplicate, "rule-duplicate",
     "A name is declared twice where it can mean only one thing, or something is said twice.",
     "op Add(A: T[...a], A: T[...b]) -> (C: T[...broadcast(a, b)])", "Rename or remove one of the two."},
    {Code::kUnreadableFile, "unreadable-file",
     "A file could not be opened, read or written; the message says what the system answered.",
     "dimwise infer models/missing.onnx",
     "Check the path, its permissions and the space on the disk. `-` reads standard input."},
    {Code::kDamagedFile, "damaged-file",
     "The bytes of a file are not what its format asks for, from the place on that the message names: it was "
     "cut short, changed on its way, or is of another format.",
     "dimwise infer half_of_bert.onnx",
     "Get the file again and compare its size. `--from` names the format where it was told wrongly."},
    {Code::kMissingValue, "missing-value",
     "A node, or an output of the graph, uses a value that no input, constant or node makes. Nothing is "
     "known of it.",
     "a node Add(x, bias) in a model without 'bias'",
     "Usually a name is misspelt, or the model was cut out of a larger one: add the input, or correct the "
     "name."},
    {Code::kDuplicateName, "duplicate-name",
     "Two values of one graph, or two functions, have the same name, so that a use of it may mean either. "
     "The later value counts from there on; of functions, the first.",
     "two nodes that both make 'y'", "Rename one of the two."},
    {Code::kBadModel, "bad-model",
     "A part of the model makes no sense by itself: a size below zero, contents that are shorter than the "
     "sizes need, an element type that does not exist. It is taken as not known.",
     "an initializer f32[2, 3] with 20 bytes",
     "Correct the part that the message names, or export the model again."},
    {Code::kUnknownFormat, "unknown-format",
     "The contents of a file are those of no format that can be read.", "dimwise infer README.md",
     "Give a model. `--from` names the format where it is one that the contents do not tell."},
    {Code::kGraphText, "graph-text",
     "A program in text form could not be read: the marked place does not fit the form, or names something "
     "that is not there.",
     "graph main(x: f32[N]) { y = onnx.Relu(z) return y }",
     "Correct the marked place; include/dimwise/graph_text.h describes the form. Here no value is called z."},
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
