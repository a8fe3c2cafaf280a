#include "report/models/node_selection.h"

#include <algorithm>

namespace dimwise {
namespace {

class NodeSelector {
 public:
  NodeSelector(const ModelReport& report, const NodeFilter& filter)
      : report_(report), graph_(report.graph()), filter_(filter) {}

  std::vector<NodeId> Run() {
    AddRegion(graph_.body());
    return std::move(selected_);
  }

 private:
  void AddRegion(RegionId region) {
    for (const NodeId node : graph_.nodes(region)) {
      if (!graph_.Has(node)) continue;
      if (Passes(node)) selected_.push_back(node);
      for (const Graph::Carried& inside : graph_.regions_of(node)) AddRegion(inside.region);
    }
  }

  bool Passes(NodeId node) const {
    const std::string_view op = graph_.op_name(node);
    if (!filter_.op.empty() && filter_.op != op && filter_.op != ShortName(op)) return false;
    const std::span<const ValueId> results = graph_.results(node);
    if (filter_.unknown_only && std::ranges::none_of(results, [&](ValueId v) {
          return !graph_.name(v).empty() && IsUnknown(report_.type(v));
        })) {
      return false;
    }
    if (filter_.name.empty()) return true;
    return IsMeant(report_.names.Node(node)) ||
           std::ranges::any_of(results, [&](ValueId v) { return IsMeant(graph_.name(v)); });
  }

  bool IsMeant(std::string_view name) const {
    if (filter_.name.find_first_of("*?") != std::string::npos) return MatchesPattern(name, filter_.name);
    return name.find(filter_.name) != std::string_view::npos;
  }

  const ModelReport& report_;
  const Graph& graph_;
  const NodeFilter& filter_;
  std::vector<NodeId> selected_;
};

}  // namespace

std::vector<NodeId> SelectNodes(const ModelReport& report, const NodeFilter& filter) {
  return NodeSelector(report, filter).Run();
}

bool IsUnknown(const Type& type) {
  const Type& counted = CountedType(type);
  return !HasRank(counted) || (counted.is_tensor() && counted.element == ElementType::kUnknown);
}

bool MatchesPattern(std::string_view name, std::string_view pattern) {
  size_t n = 0, p = 0;
  size_t star = std::string_view::npos,
         resume = 0;  // the position after the last *, and where its match ends so far
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace dimwise
