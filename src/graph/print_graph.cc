// Prints a graph in its text form.
//
// The number of a value distinguishes it from other visible values of the same name: earlier values of its
// region, and all values of enclosing regions. It depends only on the text, so that a parsed text prints
// identically.
#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/values/contents_text.h"
#include "dimwise/graph_text.h"
#include "graph/graph_cursor.h"
#include "graph/graph_walk.h"
#include "graph/node_numbers.h"

namespace dimwise {
namespace {

constexpr size_t kMaxIndent =
    64;  // limit of the indentation in levels, so that the size of the text is linear in the graph

std::string_view SetOf(std::string_view op) {
  const size_t dot = op.rfind('.');
  return op.substr(0, dot == std::string_view::npos ? 0 : dot);
}

// Returns the name plain, in backquotes, or in double quotes if a character must be escaped.
std::string NameText(std::string_view name) {
  if (IsPlainGraphName(name)) return std::string(name);
  std::string quoted = ToWholeString(AttrValue(name));
  if (name.empty() || quoted.find('\\') != std::string::npos) return quoted;
  std::string text = "`";
  for (const char c : name) text.append(c == '`' ? 2 : 1, c);
  return text + '`';
}

std::string LabelText(std::string_view name, uint32_t number) {
  std::string text = name.empty() ? std::string() : NameText(name);
  if (number > 1 || name.empty()) text += fmt::format("%{}", number);
  return text;
}

// The version of each set in the header: the most frequent version, or the highest of several equally
// frequent ones.
using Opsets = std::map<std::string_view, int>;

Opsets FindOpsets(const Graph& graph) {
  std::map<std::string_view, std::map<int, size_t>> counts;
  const auto count = [&](const Graph& g) {
    for (uint32_t i = 0; i < g.node_count(); ++i) {
      if (!g.Has(NodeId{i})) continue;
      const Graph::Op& op = g.op(g.op_of(NodeId{i}));
      ++counts[SetOf(op.name)][op.version];
    }
  };
  count(graph);
  for (const auto& function : graph.functions()) count(*function);
  Opsets opsets;
  for (const auto& [set, versions] : counts) {
    const auto most = std::ranges::max_element(
        versions, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
    if (!set.empty() && most->first > 0) opsets[set] = most->first;
  }
  return opsets;
}

class Printer {
 public:
  Printer(const Graph& graph, bool is_function, const GraphTextOptions& options, const Opsets& opsets,
          std::string* out)
      : graph_(graph),
        is_function_(is_function),
        options_(options),
        opsets_(opsets),
        dims_(graph.analysis().dims()),
        node_numbers_(graph),
        numbers_(graph.value_count(), 0),
        used_(graph.value_count(), false),
        missing_(graph.region_count()),
        out_(*out) {
    for (uint32_t r = 0; r < graph.region_count(); ++r) {
      const NodeId carrier = graph.carrier(RegionId{r});
      if (carrier != kNoNode && !graph.Has(carrier)) continue;
      for (const ValueId output : graph.outputs(RegionId{r})) used_[Index(output)] = true;
    }
    for (uint32_t v = 0; v < graph.value_count(); ++v) {
      graph.ForEachUse(ValueId{v}, [&](NodeId, size_t) { used_[v] = true; });
      if (graph.role(ValueId{v}) == ValueRole::kMissing && used_[v]) {
        missing_[Index(graph.region(ValueId{v}))].push_back(ValueId{v});
      }
    }
  }

  void Enter(RegionId region) {
    Number(region);
    if (region == graph_.body()) {
      if (is_function_ || !graph_.name().empty()) out_ += NameText(graph_.name());
    } else {
      Indent();
      out_ += NameText(graph_.attribute(region));
      out_ += ": graph";
    }
    out_ += '(';
    Separator comma;
    for (const ValueId input : graph_.inputs(region)) {
      out_ += comma.Next();
      ValueWithContents(input);
    }
    if (is_function_ && region == graph_.body()) FunctionAttrs();
    out_ += ") {\n";
    ++depth_;
    for (const ValueId constant : graph_.constants(region)) {
      Indent();
      out_ += "const ";
      ValueWithContents(constant);
      out_ += '\n';
    }
    for (const ValueId missing : missing_[Index(region)]) {
      Indent();
      out_ += "missing ";
      ValueWithContents(missing);
      out_ += '\n';
    }
  }

  void Leave(RegionId region) {
    if (!graph_.outputs(region).empty()) {
      Indent();
      out_ += "return ";
      Separator comma;
      for (const ValueId output : graph_.outputs(region)) {
        out_ += comma.Next();
        out_ += Label(output);
      }
      out_ += '\n';
    }
    --depth_;
    Indent();
    out_ += "}\n";
    for (const ValueId value : defined_.back()) --visible_[graph_.name(value)];
    defined_.pop_back();
  }

  void Begin(NodeId node) {
    Indent();
    Results(node);
    Operator(node);
    out_ += '(';
    Separator comma;
    for (const ValueId operand : graph_.operands(node)) {
      out_ += comma.Next();
      out_ += operand == kNoValue ? "_" : Label(operand);
    }
    Attributes(node);
    out_ += ')';
    if (!graph_.name(node).empty() || node_numbers_[node] > 0) {
      out_ += " @";
      out_ += LabelText(graph_.name(node), node_numbers_[node]);
    }
    Separator after(" after ", ", ");
    for (const NodeId before : graph_.control_inputs(node)) {
      if (!graph_.Has(before)) continue;
      out_ += after.Next();
      out_ += LabelText(graph_.name(before), node_numbers_[before]);
    }
    if (graph_.carries_regions(node)) {
      out_ += " {";
      ++depth_;
    }
    out_ += '\n';
  }

  void End(NodeId node) {
    if (!graph_.carries_regions(node)) return;
    --depth_;
    Indent();
    out_ += "}\n";
  }

 private:
  class Separator {
   public:
    explicit Separator(std::string_view first = "", std::string_view others = ", ")
        : next_(first), others_(others) {}
    std::string_view Next() { return std::exchange(next_, others_); }

   private:
    std::string_view next_, others_;
  };

  void Indent() { out_.append(2 * std::min(depth_, kMaxIndent), ' '); }
  std::string Label(ValueId value) const { return LabelText(graph_.name(value), numbers_[Index(value)]); }

  // Numbers the values of a region in text order.
  void Number(RegionId region) {
    std::vector<ValueId>& defined = defined_.emplace_back();
    const auto define = [&](ValueId value) {
      if (graph_.name(value).empty() && !used_[Index(value)] && graph_.role(value) == ValueRole::kResult)
        return;
      defined.push_back(value);
      numbers_[Index(value)] = ++visible_[graph_.name(value)];
    };
    std::ranges::for_each(graph_.inputs(region), define);
    std::ranges::for_each(graph_.constants(region), define);
    std::ranges::for_each(missing_[Index(region)], define);
    for (const NodeId node : graph_.nodes(region)) {
      if (graph_.Has(node)) std::ranges::for_each(graph_.results(node), define);
    }
  }

  void Declaration(const Type& type) {
    if (type.kind != TypeKind::kUnknown) out_.append(": ").append(dimwise::ToString(dims_, type));
  }

  // Prints the contents if they are short enough and the type does not contradict them.
  void ValueWithContents(ValueId value) {
    out_ += Label(value);
    Type type = graph_.declared(value);
    const Value contents = graph_.contents(value);
    std::string text;
    if (!contents.is_none() && contents.size() <= options_.max_contents) {
      if (const Type own = TypeOf(contents); !IsWholeTensor(type)) {
        type = own;
        text = ContentsToString(dims_, contents);
      } else if (type.shape == own.shape && type.element == own.element) {
        text = ContentsToString(dims_, contents);
      }
    }
    Declaration(type);
    if (!text.empty()) out_.append(" = ").append(text);
    if (graph_.attrs_of(value) == kNoAttrs) return;
    Separator comma(" with (", ", ");
    for (const AttrEntry& entry : graph_.attrs(graph_.attrs_of(value))) {
      out_ += comma.Next();
      Attribute(entry.name, entry.value, false);
    }
    out_ += ')';
  }

  static bool IsWholeTensor(const Type& type) {
    return type.is_tensor() && !type.shape.is_none() && type.shape.is_constant();
  }

  Type TypeOf(Value contents) const {
    const std::vector<Dim> sizes(contents.dims().begin(), contents.dims().end());
    return Type::Tensor(contents.element(), graph_.analysis().shapes().Make(sizes));
  }

  void Results(NodeId node) {
    const std::span<const ValueId> results = graph_.results(node);
    if (results.empty()) return;
    Separator comma;
    for (const ValueId result : results) {
      out_ += comma.Next();
      out_ += numbers_[Index(result)] == 0 ? "_" : Label(result);
      Declaration(graph_.declared(result));
    }
    out_ += " = ";
  }

  void Operator(NodeId node) {
    const Graph::Op& op = graph_.op(graph_.op_of(node));
    out_ += NameText(op.name);
    const auto opset = opsets_.find(SetOf(op.name));
    if (op.version != (opset == opsets_.end() ? 0 : opset->second)) {
      fmt::format_to(std::back_inserter(out_), "@{}", std::max(op.version, 0));
    }
  }

  void Attributes(NodeId node) {
    Separator comma("; ");
    for (const AttrEntry& entry : graph_.attrs(graph_.attrs_of(node))) {
      out_ += comma.Next();
      Attribute(entry.name, entry.value, false);
    }
    for (const Graph::AttrReference& reference : graph_.attr_references(node)) {
      out_ += comma.Next();
      out_.append(NameText(reference.attribute)).append("=$").append(NameText(reference.of_call));
    }
  }

  void FunctionAttrs() {
    Separator comma("; ");
    for (const Graph::FunctionAttr& attr : graph_.function_attrs) {
      out_ += comma.Next();
      if (attr.otherwise == nullptr) {
        out_ += NameText(attr.name);
      } else {
        Attribute(attr.name, *attr.otherwise, true);
      }
    }
  }

  // Prints the kind if the notation of the value is ambiguous.
  void Attribute(std::string_view name, const AttrValue& value, bool spaced) {
    const std::string text = ToWholeString(value);
    out_ += NameText(name);
    const std::optional<AttrValue> read = ParseAttrText(text);
    const bool is_open = !read || !(*read == value);
    if (is_open || (spaced && value.kind() != AttrKind::kNothing && value.kind() != AttrKind::kList)) {
      out_.append(": ").append(KindName(value.kind())).append(" = ");
    } else {
      out_ += spaced ? " = " : "=";
    }
    out_ += text;
  }

  const Graph& graph_;
  const bool is_function_;
  const GraphTextOptions& options_;
  const Opsets& opsets_;
  DimTable& dims_;
  NodeNumbers node_numbers_;
  std::vector<uint32_t> numbers_;  // of values; 0: `_`
  std::vector<bool> used_;
  std::vector<std::vector<ValueId>> missing_;  // by region
  tsl::robin_map<std::string_view, uint32_t> visible_;
  std::vector<std::vector<ValueId>> defined_;
  size_t depth_ = 0;
  std::string& out_;
};

}  // namespace

std::string ToString(const Graph& graph, const GraphTextOptions& options) {
  std::string out;
  const Opsets opsets = FindOpsets(graph);
  for (const auto& [set, version] : opsets)
    fmt::format_to(std::back_inserter(out), "opset {} {}\n", NameText(set), version);
  if (!opsets.empty()) out += '\n';
  const auto print = [&](const Graph& g, bool is_function) {
    Printer printer(g, is_function, options, opsets, &out);
    Walk(g, printer);
  };
  for (const auto& function : graph.functions()) {
    out += "function ";
    print(*function, true);
    out += '\n';
  }
  out += graph.name().empty() ? "graph" : "graph ";
  print(graph, false);
  return out;
}

}  // namespace dimwise
