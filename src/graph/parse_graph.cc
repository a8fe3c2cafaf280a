// The grammar of the text form. build_graph.cc resolves the names.
//
//   program   = {"opset" name number | "function" graph} "graph" graph
//   graph     = [name] "(" [value {"," value}] [";" attrs] ")" block
//   block     = "{" {statement} ["return" label {"," label}] "}"
//   statement = "const" value | "missing" value | [value {"," value} "="] node
//   value     = label [":" type] ["=" contents] ["with" "(" attrs ")"]
//   node      = name ["@" number] "(" [operand {"," operand}] [";" attrs] ")"
//               ["@" label] ["after" label {"," label}] ["{" {name ":" "graph" graph} "}"]
//   operand   = "_" | label [":" type "const" ["=" contents]]
//   attrs     = name [":" kind] ["=" (value | "$" name)] {"," ...}
#include <fmt/format.h>

#include "dimwise/graph_text.h"
#include "graph/build_graph.h"
#include "graph/graph_cursor.h"
#include "graph/graph_outline.h"

namespace dimwise {
namespace {

constexpr size_t kShown = 60;  // length limit for a value in a message

class GraphParser {
 public:
  explicit GraphParser(GraphCursor& cursor) : cursor_(cursor) {}

  bool Program(ProgramOutline* program) {
    while (true) {
      if (cursor_.TakeWord("opset")) {
        if (!Opset(&program->opsets.emplace_back())) return false;
      } else if (cursor_.TakeWord("function")) {
        RegionOutline& function = program->functions.emplace_back();
        if (!cursor_.ReadName("the name of a function", &function.name, &function.text_range)) return false;
        if (!Region(&function, true)) return false;
      } else if (cursor_.TakeWord("graph")) {
        break;
      } else {
        return cursor_.FailExpected("`graph`, `function` or `opset`",
                                    "for example: graph main(x: f32[N, 3]) { return x }");
      }
    }
    const bool is_named = cursor_.Peek() != '(';
    RegionOutline& graph = program->graph;
    if (is_named && !cursor_.ReadName("the name of the graph", &graph.name, &graph.text_range)) return false;
    if (!Region(&graph, false)) return false;
    return cursor_.AtEnd() || cursor_.FailExpected("the end after the graph");
  }

 private:
  bool Opset(OpsetOutline* opset) {
    uint32_t version = 0;
    if (!cursor_.ReadName("the name of an operator set", &opset->set, &opset->text_range)) return false;
    if (!cursor_.ReadNumber("the version of the operator set", &version)) return false;
    opset->version = static_cast<int>(version);
    return true;
  }

  // Parses a region, starting at its inputs.
  bool Region(RegionOutline* region, bool is_function) {
    if (depth_ == kMaxRegionDepth) {
      return cursor_.Fail(region->text_range,
                          fmt::format("regions are nested more than {} deep", kMaxRegionDepth));
    }
    if (!cursor_.Need('(', "before the inputs")) return false;
    if (cursor_.Peek() != ')' && cursor_.Peek() != ';') {
      do {
        ValueOutline& input = region->inputs.emplace_back();
        if (!Value("the name of an input", &input)) return false;
      } while (cursor_.Take(','));
    }
    if (is_function && cursor_.Take(';') && !Attributes(&region->attrs, true)) return false;
    if (!cursor_.Take(')')) {
      return cursor_.FailExpected(region->attrs.empty() ? "`,` or `)` after an input"
                                                        : "`,` or `)` after an attribute");
    }
    ++depth_;
    const bool ok = Block(region);
    --depth_;
    return ok;
  }

  bool Block(RegionOutline* region) {
    if (!cursor_.Need('{', "before the nodes")) return false;
    while (!cursor_.Take('}')) {
      if (cursor_.TakeWord("return")) {
        do {
          if (!cursor_.ReadLabel("the name of a value after `return`", &region->outputs.emplace_back()))
            return false;
        } while (cursor_.Take(','));
        return cursor_.Need('}', "after the returned values");
      }
      if (cursor_.TakeWord("const")) {
        if (!Value("the name of a constant", &region->constants.emplace_back())) return false;
      } else if (cursor_.TakeWord("missing")) {
        if (!Value("the name of a value", &region->missing.emplace_back())) return false;
      } else if (!Node(&region->nodes.emplace_back())) {
        return false;
      }
    }
    return true;
  }

  bool Value(std::string_view what, ValueOutline* value) {
    if (!cursor_.ReadLabel(what, &value->label)) return false;
    if (cursor_.Take(':') && !cursor_.ReadType(&value->type)) return false;
    if (cursor_.Take('=') && !cursor_.ReadContents(&value->contents)) return false;
    if (!cursor_.TakeWord("with")) return true;
    return cursor_.Need('(', "before the attributes of a value") && Attributes(&value->attrs, false) &&
           (cursor_.Take(')') || cursor_.FailExpected("`,` or `)` after an attribute"));
  }

  bool Node(NodeOutline* node) {
    constexpr std::string_view kHelp = "for example: y = my.Op(x)";
    if (cursor_.PeekWord().empty() && cursor_.Peek() != '`' && cursor_.Peek() != '"' &&
        cursor_.Peek() != '%') {
      return cursor_.FailExpected("a node, `const`, `missing`, `return` or `}`", kHelp);
    }
    while (true) {
      ValueOutline result;
      if (!cursor_.ReadLabelOrBlank("the name of a result", &result.label)) return false;
      if (node->results.empty() && (cursor_.Peek() == '(' || cursor_.Peek() == '@')) {  // no results
        node->op = result.label.name;
        return Call(result.label.text_range, node);
      }
      if (cursor_.Take(':') && !cursor_.ReadType(&result.type)) return false;
      node->results.push_back(result);
      if (cursor_.Take(',')) continue;
      if (!cursor_.Take('=')) return cursor_.FailExpected("`=` after the results of a node", kHelp);
      break;
    }
    Piece text_range;
    return cursor_.ReadName("the name of an operator", &node->op, &text_range) && Call(text_range, node);
  }

  // Parses the rest of a node after the operator's name.
  bool Call(Piece op, NodeOutline* node) {
    node->text_range = op;
    if (cursor_.Take('@')) {
      uint32_t version = 0;
      if (!cursor_.ReadNumber("the version of the operator", &version)) return false;
      node->version = static_cast<int>(version);
    }
    if (!cursor_.Need('(', "before the operands")) return false;
    if (cursor_.Peek() != ')' && cursor_.Peek() != ';') {
      do {
        if (!Operand(&node->operands.emplace_back())) return false;
      } while (cursor_.Take(','));
    }
    if (cursor_.Take(';') && !Attributes(&node->attrs, false)) return false;
    if (!cursor_.Take(')')) {
      return cursor_.FailExpected(node->attrs.empty() ? "`,`, `;` or `)` after an operand"
                                                      : "`,` or `)` after an attribute");
    }
    node->label.blank = true;
    if (cursor_.Take('@')) {
      node->label.blank = false;
      if (!cursor_.ReadLabel("the name of the node", &node->label)) return false;
    }
    if (cursor_.TakeWord("after")) {
      do {
        if (!cursor_.ReadLabel("the name of a node", &node->after.emplace_back())) return false;
      } while (cursor_.Take(','));
    }
    if (!cursor_.Take('{')) return true;
    while (!cursor_.Take('}')) {
      RegionOutline& region = node->regions.emplace_back();
      if (!cursor_.ReadName("the name of a region", &region.name, &region.text_range)) return false;
      if (!cursor_.Need(':', "after the name of a region")) return false;
      if (!cursor_.TakeWord("graph")) {
        return cursor_.FailExpected("`graph`", "for example: then_branch: graph() { return x }");
      }
      if (!Region(&region, false)) return false;
    }
    return true;
  }

  bool Operand(ValueOutline* operand) {
    if (!cursor_.ReadLabelOrBlank("the name of an operand", &operand->label)) return false;
    if (operand->label.blank || !cursor_.Take(':')) return true;
    operand->is_constant = true;
    if (!cursor_.ReadType(&operand->type)) return false;
    if (!cursor_.TakeWord("const")) {
      return cursor_.FailExpected("`const` after the type of an operand",
                                  "an operand with a type defines a constant: w: f32[2] const");
    }
    return !cursor_.Take('=') || cursor_.ReadContents(&operand->contents);
  }

  bool Attributes(std::vector<AttrOutline>* attrs, bool of_function) {
    do {
      AttrOutline& attr = attrs->emplace_back();
      if (!cursor_.ReadName("the name of an attribute", &attr.name, &attr.text_range)) return false;
      AttrKind kind = AttrKind::kNothing;
      if (cursor_.Take(':') && !Kind(&kind)) return false;
      if (!cursor_.Take('=')) {
        if (of_function) continue;
        return cursor_.FailExpected(fmt::format("`=` after the attribute `{}`", attr.name),
                                    "for example: axis=1");
      }
      if (cursor_.Take('$')) {
        attr.is_reference = true;
        if (!cursor_.ReadName("the name of an attribute of the function", &attr.of_call, &attr.value)) {
          return false;
        }
      } else if (!AttributeValue(kind, &attr)) {
        return false;
      }
    } while (cursor_.Take(','));
    return true;
  }

  bool Kind(AttrKind* kind) {
    Piece text_range;
    if (!cursor_.ReadUpTo("=,;)\n", "the kind of an attribute", &text_range)) return false;
    const std::string_view text = cursor_.TextOf(text_range);
    const std::optional<AttrKind> known = ParseAttrKind(text);
    if (!known) {
      return cursor_.Fail(
          text_range, fmt::format("`{}` is no kind of attribute", text.substr(0, kShown)),
          "the kinds are int, float, bool, string, type, shape, tensor, func, and list(...) of each");
    }
    *kind = *known;
    return true;
  }

  bool AttributeValue(AttrKind kind, AttrOutline* attr) {
    if (!cursor_.ReadUpTo(",;)\n", "the value of an attribute", &attr->value)) return false;
    const std::string_view text = cursor_.TextOf(attr->value);
    std::optional<AttrValue> value = ParseAttrText(text);
    if (!value) {
      return cursor_.Fail(
          attr->value, fmt::format("`{}` is no value of an attribute", text.substr(0, kShown)),
          "a value is 3, 0.5, true, \"a text\", f32, [2, 2], f32[2]{1.0, 2.0}, my.body[T=f32] or none");
    }
    if (kind == AttrKind::kType && text == "?") {
      value = ElementType::kUnknown;
    } else if (kind != AttrKind::kNothing) {
      value = ConvertTo(kind, *value);
    }
    if (!value)
      return cursor_.Fail(attr->value, fmt::format("`{}` is no {}", text.substr(0, kShown), KindName(kind)));
    attr->read = *std::move(value);
    return true;
  }

  GraphCursor& cursor_;
  int depth_ = 0;
};

}  // namespace

Result<std::unique_ptr<Graph>> ParseGraph(Analysis& analysis, std::string_view text,
                                          std::string_view file_name) {
  auto graph = std::make_unique<Graph>(analysis);
  if (text.size() > INT32_MAX) {
    Diagnostic mistake;
    mistake.code = Code::kGraphText;
    mistake.message =
        fmt::format("the text has {} bytes; a graph's text has at most {}", text.size(), INT32_MAX);
    return Unexpected(std::move(mistake));
  }
  GraphCursor cursor(*graph, text, file_name);
  ProgramOutline program;
  if (!GraphParser(cursor).Program(&program) || !BuildGraph(program, cursor, graph.get())) {
    return cursor.TakeMistake();
  }
  return graph;
}

}  // namespace dimwise
