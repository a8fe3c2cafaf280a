// Resolves the names of an outline. All names of a region are entered before its nodes are created, so a node
// may use a value that is defined later, also in a nested region. Such a value is added on its first use; the
// node that defines it takes it over.
#include "graph/build_graph.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <vector>

#include "core/base/hash_mix.h"
#include "core/base/nearest_name.h"
#include "core/values/contents_text.h"

namespace dimwise {
namespace {

// Limit on attributes of a node and on opsets of a program: the search for duplicates is quadratic.
constexpr size_t kMaxAttrs = 1000;

struct Key {
  std::string_view name;
  uint32_t number = 0;
  bool operator==(const Key&) const = default;
};
struct HashKey {
  size_t operator()(const Key& key) const { return HashMix(HashText(key.name), key.number); }
};
template <typename T>
using Names = tsl::robin_map<Key, T, HashKey>;

Key KeyOf(const Label& label) { return {label.name, label.number}; }

struct Entry {
  ValueId value = kNoValue;  // kNoValue: a result that is not yet used
  Piece text_range;
};

struct Scope {
  RegionId region{};
  Scope* around = nullptr;
  Names<Entry> names{};
};

// Builds one graph or one function.
class GraphBuilder {
 public:
  GraphBuilder(const ProgramOutline& program, GraphCursor& cursor, Graph& graph)
      : program_(program), cursor_(cursor), graph_(graph), analysis_(graph.analysis()) {}

  bool Build(const RegionOutline& outline) {
    return FunctionAttrs(outline) && Region(outline, graph_.body(), nullptr) && ControlEdges();
  }

 private:
  // Returns the text of a label as written.
  std::string_view Shown(const Label& label) const { return cursor_.TextOf(label.text_range); }

  bool Region(const RegionOutline& outline, RegionId region, Scope* around) {
    Scope scope{.region = region, .around = around};
    for (const ValueOutline& input : outline.inputs) {
      if (!Define(input, graph_.AddInput(region, input.label.name), &scope)) return false;
    }
    for (const ValueOutline& constant : outline.constants) {
      if (!Define(constant, graph_.AddConstant(region, constant.label.name, Type()), &scope)) return false;
    }
    for (const ValueOutline& missing : outline.missing) {
      if (!Define(missing, graph_.AddValue(region, missing.label.name), &scope)) return false;
    }
    for (const NodeOutline& node : outline.nodes) {
      for (const ValueOutline& operand : node.operands) {
        if (operand.is_constant &&
            !Define(operand, graph_.AddConstant(region, operand.label.name, Type()), &scope)) {
          return false;
        }
      }
      for (const ValueOutline& result : node.results) {
        if (!result.label.blank && !Enter(result.label, kNoValue, &scope)) return false;
      }
    }
    for (size_t i = 0; i < outline.nodes.size(); ++i) {
      if (!Node(outline.nodes[i], static_cast<uint32_t>(i), &scope)) return false;
    }
    for (const Label& output : outline.outputs) {
      const ValueId value = Find(output, &scope);
      if (value == kNoValue) return false;
      graph_.AddOutput(region, value);
    }
    return true;
  }

  // ---- Values ----

  bool Enter(const Label& label, ValueId value, Scope* scope) {
    const auto [it, added] = scope->names.insert({KeyOf(label), Entry{value, label.text_range}});
    if (added) return true;
    return cursor_.Fail(label.text_range,
                        fmt::format("`{}` is defined twice in this region, first in line {}", Shown(label),
                                    cursor_.LineOf(it->second.text_range)),
                        "rename one; values that share a name are distinguished by a number: y, y%2");
  }

  bool Define(const ValueOutline& outline, ValueId value, Scope* scope) {
    if (!Enter(outline.label, value, scope) || !Declare(outline, value) || !ValueAttrs(outline, value))
      return false;
    if (outline.contents.empty()) return true;
    std::vector<std::byte> bytes;
    Result<Value> contents =
        ParseContents(analysis_, cursor_.TextOf(outline.contents), graph_.declared(value), &bytes);
    if (!contents) return cursor_.Fail(outline.contents, std::move(contents).error());
    if (contents->kind() == ValueKind::kBytes) {  // a view of bytes that the graph has to keep
      const std::string_view kept =
          graph_.StoreCopy({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      *contents = analysis_.values().Bytes(contents->element(), contents->dims(),
                                           std::as_bytes(std::span(kept.data(), kept.size())));
    }
    graph_.SetContents(value, *contents);
    return true;
  }

  bool Declare(const ValueOutline& outline, ValueId value) {
    if (outline.type.empty()) return true;
    Result<Type> type = ParseType(analysis_, cursor_.TextOf(outline.type));
    if (!type) return cursor_.Fail(outline.type, std::move(type).error());
    graph_.Declare(value, *type);
    return true;
  }

  bool ValueAttrs(const ValueOutline& outline, ValueId value) {
    if (outline.attrs.empty()) return true;
    AttrMap attrs;
    std::vector<const AttrOutline*> references;
    if (!Attributes(outline.attrs, &attrs, &references)) return false;
    if (!references.empty()) {
      return cursor_.Fail(references[0]->value,
                          "an attribute of a value cannot refer to an attribute of the function");
    }
    if (!graph_.SetAttrs(value, graph_.AddAttrs(std::move(attrs)))) {
      return cursor_.Fail(
          outline.label.text_range,
          fmt::format("`{}` is missing; only inputs and constants have attributes", Shown(outline.label)));
    }
    return true;
  }

  // Returns the value that a label refers to, or kNoValue after Fail.
  ValueId Find(const Label& label, Scope* scope) {
    for (Scope* s = scope; s != nullptr; s = s->around) {
      const auto it = s->names.find(KeyOf(label));
      if (it == s->names.end()) continue;
      Entry& entry = it.value();
      if (entry.value == kNoValue) entry.value = graph_.AddValue(s->region, label.name);
      return entry.value;
    }
    std::vector<std::string_view> seen;
    for (const Scope* s = scope; s != nullptr; s = s->around) {
      for (const auto& [key, entry] : s->names) seen.push_back(key.name);
    }
    const std::string_view near = NearestName(label.name, seen);
    cursor_.Fail(label.text_range, fmt::format("there is no value `{}` here", Shown(label)),
                 near.empty() ? "declare a value that no node computes: missing x"
                              : fmt::format("did you mean `{}`?", near));
    return kNoValue;
  }

  // ---- Nodes ----

  bool Node(const NodeOutline& outline, uint32_t index, Scope* scope) {
    Graph::NodeSpec spec;
    spec.op = graph_.UseOp(outline.op, VersionOf(outline));
    spec.name = outline.label.name;
    spec.position = index;
    AttrMap attrs;
    std::vector<const AttrOutline*> references;
    if (!Attributes(outline.attrs, &attrs, &references)) return false;
    spec.attrs = graph_.AddAttrs(std::move(attrs));
    std::vector<ValueId> operands;
    for (const ValueOutline& operand : outline.operands) {
      operands.push_back(operand.label.blank ? kNoValue : Find(operand.label, scope));
      if (cursor_.failed()) return false;
    }
    const NodeId node = Add(outline, spec, operands, scope);
    for (size_t i = 0; i < outline.results.size(); ++i) {
      if (!Declare(outline.results[i], graph_.results(node)[i])) return false;
    }
    for (const AttrOutline* reference : references) {
      graph_.ReferToAttr(node, reference->name, reference->of_call);
    }
    if (!outline.label.blank && !EnterNode(outline.label, node)) return false;
    for (const Label& before : outline.after) after_.push_back({before, node});
    for (const RegionOutline& region : outline.regions) {
      if (!Region(region, graph_.AddRegion(node, region.name), scope)) return false;
    }
    return true;
  }

  NodeId Add(const NodeOutline& outline, const Graph::NodeSpec& spec, const std::vector<ValueId>& operands,
             Scope* scope) {
    std::vector<ValueId> results;
    for (const ValueOutline& result : outline.results) {
      Entry* entry = result.label.blank ? nullptr : &scope->names.find(KeyOf(result.label)).value();
      ValueId value = entry == nullptr ? kNoValue : entry->value;
      if (value == kNoValue) value = graph_.AddValue(scope->region, result.label.name);
      if (entry != nullptr) entry->value = value;
      results.push_back(value);
    }
    return graph_.AddNodeFor(scope->region, spec, operands, results);
  }

  int VersionOf(const NodeOutline& node) const {
    if (node.version) return *node.version;
    const size_t dot = node.op.rfind('.');
    const std::string_view set = node.op.substr(0, dot == std::string_view::npos ? 0 : dot);
    for (const OpsetOutline& opset : program_.opsets) {
      if (opset.set == set) return opset.version;
    }
    return 0;
  }

  // Collects the attributes of a node or a function; each name must be unique. References, and attributes
  // without a value (only in functions), are returned in `others`.
  bool Attributes(const std::vector<AttrOutline>& outlines, AttrMap* attrs,
                  std::vector<const AttrOutline*>* others) {
    if (outlines.size() > kMaxAttrs) {
      return cursor_.Fail(outlines[kMaxAttrs].text_range,
                          fmt::format("there are more than {} attributes", kMaxAttrs));
    }
    for (const AttrOutline& outline : outlines) {
      for (const AttrOutline* before = outlines.data(); before != &outline; ++before) {
        if (before->name != outline.name) continue;
        return cursor_.Fail(outline.text_range,
                            fmt::format("the attribute `{}` is given twice", outline.name));
      }
      if (outline.is_reference || outline.value.empty()) {
        others->push_back(&outline);
        continue;
      }
      attrs->Set(std::string(outline.name), outline.read);
    }
    return true;
  }

  bool FunctionAttrs(const RegionOutline& outline) {
    AttrMap defaults;
    std::vector<const AttrOutline*> others;
    if (!Attributes(outline.attrs, &defaults, &others)) return false;
    for (const AttrOutline* attr : others) {
      if (attr->is_reference) {
        return cursor_.Fail(attr->value, "the default of an attribute cannot refer to another attribute");
      }
    }
    const AttrMap& kept = graph_.attrs(graph_.AddAttrs(std::move(defaults)));
    for (const AttrOutline& attr : outline.attrs) {
      graph_.function_attrs.push_back({attr.name, kept.Find(attr.name)});
    }
    return true;
  }

  // ---- Control edges ----

  struct NodeEntry {
    NodeId node = kNoNode;
    Piece text_range;
    bool several = false;
  };
  struct After {
    Label before;
    NodeId node;
  };

  // Nodes may share a name, unless a control edge refers to it.
  bool EnterNode(const Label& label, NodeId node) {
    const auto [it, added] = nodes_.insert({KeyOf(label), NodeEntry{node, label.text_range}});
    if (added) return true;
    it.value().several = true;
    if (label.number == 0) return true;
    return cursor_.Fail(label.text_range, fmt::format("there are two nodes `{}`, the first in line {}",
                                                      Shown(label), cursor_.LineOf(it->second.text_range)));
  }

  bool ControlEdges() {
    for (const After& after : after_) {
      const auto it = nodes_.find(KeyOf(after.before));
      if (it == nodes_.end()) {
        std::vector<std::string_view> seen;
        for (const auto& [key, entry] : nodes_) seen.push_back(key.name);
        const std::string_view near = NearestName(after.before.name, seen);
        return cursor_.Fail(after.before.text_range,
                            fmt::format("there is no node `{}`", Shown(after.before)),
                            near.empty() ? "a node gets a name after its operands: y = my.Op(x) @op1"
                                         : fmt::format("did you mean `{}`?", near));
      }
      if (it->second.several) {
        return cursor_.Fail(after.before.text_range,
                            fmt::format("several nodes are called `{}`", Shown(after.before)),
                            "distinguish them by a number: @relu, @relu%2");
      }
      graph_.AddControlEdge(it->second.node, after.node);
    }
    return true;
  }

  const ProgramOutline& program_;
  GraphCursor& cursor_;
  Graph& graph_;
  Analysis& analysis_;
  Names<NodeEntry> nodes_;
  std::vector<After> after_;
};

}  // namespace

bool BuildGraph(const ProgramOutline& program, GraphCursor& cursor, Graph* graph) {
  if (program.opsets.size() > kMaxAttrs) {
    return cursor.Fail(program.opsets[kMaxAttrs].text_range,
                       fmt::format("there are more than {} opsets", kMaxAttrs));
  }
  for (const OpsetOutline& opset : program.opsets) {
    for (const OpsetOutline* before = program.opsets.data(); before != &opset; ++before) {
      if (before->set != opset.set) continue;
      return cursor.Fail(opset.text_range, fmt::format("the version of `{}` is given twice", opset.set));
    }
  }
  for (const RegionOutline& function : program.functions) {
    if (graph->FindFunction(function.name) != nullptr) {
      return cursor.Fail(function.text_range, fmt::format("there are two functions `{}`", function.name));
    }
    Graph* made = graph->AddFunction(function.name);
    if (!GraphBuilder(program, cursor, *made).Build(function)) return false;
  }
  graph->set_name(program.graph.name);
  return GraphBuilder(program, cursor, *graph).Build(program.graph);
}

}  // namespace dimwise
