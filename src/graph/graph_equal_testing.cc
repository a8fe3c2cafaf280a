#include "graph/graph_equal_testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/values/contents_text.h"

namespace dimwise {
namespace {

class Comparison {
 public:
  Comparison(const Graph& a, const Graph& b) : a_(a), b_(b) {}

  std::string Run() {
    Require(a_.name() == b_.name(), "the graphs' names");
    Attrs();
    Region(a_.body(), b_.body());
    for (const auto& [a, b] : uses_) {  // when all defined values are matched
      const auto it = values_.find(a);
      if (it == values_.end()) {
        SameValue(a, b, "a missing value");
        values_[a] = b;
      } else {
        Require(it->second == b, fmt::format("which value stands for {}", a_.name(a)));
      }
    }
    for (const auto& [a, b] : nodes_) ControlInputs(a, b);
    return difference_;
  }

 private:
  void Require(bool same, std::string_view what) {
    if (!same && difference_.empty()) difference_ = what;
  }

  void SameValue(ValueId a, ValueId b, std::string_view what) {
    const auto text = [](const Graph& g, ValueId v) {
      DimTable& dims = g.analysis().dims();
      return fmt::format("{}: {} = {} ({})", g.name(v), ToString(dims, g.declared(v)),
                         ContentsToString(dims, g.contents(v)), static_cast<int>(g.role(v)));
    };
    Require(a_.attrs(a_.attrs_of(a)) == b_.attrs(b_.attrs_of(b)),
            fmt::format("the attributes of {}", a_.name(a)));
    Require(text(a_, a) == text(b_, b), fmt::format("{}: {} and {}", what, text(a_, a), text(b_, b)));
  }

  void Define(std::span<const ValueId> a, std::span<const ValueId> b, std::string_view what) {
    Require(a.size() == b.size(), fmt::format("the number of {}", what));
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
      SameValue(a[i], b[i], what);
      values_[a[i]] = b[i];
    }
  }

  void Use(std::span<const ValueId> a, std::span<const ValueId> b, std::string_view what) {
    Require(a.size() == b.size(), fmt::format("the number of {}", what));
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
      Require((a[i] == kNoValue) == (b[i] == kNoValue), fmt::format("which of the {} are given", what));
      if (a[i] != kNoValue && b[i] != kNoValue) uses_.emplace_back(a[i], b[i]);
    }
  }

  static std::vector<NodeId> Live(const Graph& g, RegionId region) {
    std::vector<NodeId> live;
    for (const NodeId n : g.nodes(region)) {
      if (g.Has(n)) live.push_back(n);
    }
    return live;
  }

  void Region(RegionId a, RegionId b) {
    Define(a_.inputs(a), b_.inputs(b), "inputs");
    Define(a_.constants(a), b_.constants(b), "constants");
    Use(a_.outputs(a), b_.outputs(b), "outputs");
    const std::vector<NodeId> as = Live(a_, a), bs = Live(b_, b);
    Require(as.size() == bs.size(), "the number of nodes");
    for (size_t i = 0; i < as.size() && i < bs.size(); ++i) Node(as[i], bs[i]);
  }

  void Node(NodeId a, NodeId b) {
    const std::string_view name = a_.name(a);
    Require(name == b_.name(b), fmt::format("the nodes' names: {} and {}", name, b_.name(b)));
    Require(a_.op_name(a) == b_.op_name(b) && a_.op(a_.op_of(a)).version == b_.op(b_.op_of(b)).version,
            fmt::format("the operator of {}", name));
    Require(a_.attrs(a_.attrs_of(a)) == b_.attrs(b_.attrs_of(b)), fmt::format("the attributes of {}", name));
    Define(a_.results(a), b_.results(b), "results");
    Use(a_.operands(a), b_.operands(b), "operands");
    const auto refs_a = a_.attr_references(a), refs_b = b_.attr_references(b);
    Require(refs_a.size() == refs_b.size(), "the number of references");
    for (size_t i = 0; i < refs_a.size() && i < refs_b.size(); ++i) {
      Require(refs_a[i].attribute == refs_b[i].attribute && refs_a[i].of_call == refs_b[i].of_call,
              "a reference");
    }
    nodes_[a] = b;
    const auto regions_a = a_.regions_of(a), regions_b = b_.regions_of(b);
    Require(regions_a.size() == regions_b.size(), "the number of regions");
    for (size_t i = 0; i < regions_a.size() && i < regions_b.size(); ++i) {
      Require(regions_a[i].attribute == regions_b[i].attribute, "the name of a region");
      Region(regions_a[i].region, regions_b[i].region);
    }
  }

  void ControlInputs(NodeId a, NodeId b) {
    std::vector<NodeId> wanted;
    for (const NodeId before : a_.control_inputs(a)) {
      if (a_.Has(before)) wanted.push_back(nodes_[before]);
    }
    const auto got = b_.control_inputs(b);
    Require(std::ranges::equal(wanted, got), fmt::format("the control edges of {}", a_.name(a)));
  }

  void Attrs() {
    Require(a_.function_attrs.size() == b_.function_attrs.size(), "the number of attributes of a function");
    for (size_t i = 0; i < a_.function_attrs.size() && i < b_.function_attrs.size(); ++i) {
      const auto &a = a_.function_attrs[i], &b = b_.function_attrs[i];
      Require(a.name == b.name && (a.otherwise == nullptr) == (b.otherwise == nullptr) &&
                  (a.otherwise == nullptr || *a.otherwise == *b.otherwise),
              fmt::format("the attribute {} of a function", a.name));
    }
  }

  const Graph &a_, &b_;
  std::map<ValueId, ValueId> values_;
  std::map<NodeId, NodeId> nodes_;
  std::vector<std::pair<ValueId, ValueId>> uses_;
  std::string difference_;
};

}  // namespace

std::string GraphDifference(const Graph& a, const Graph& b) {
  std::string difference = Comparison(a, b).Run();
  if (difference.empty() && a.functions().size() != b.functions().size()) return "the number of functions";
  for (size_t i = 0; i < a.functions().size() && difference.empty(); ++i) {
    difference = Comparison(*a.functions()[i], *b.functions()[i]).Run();
  }
  return difference;
}

}  // namespace dimwise
