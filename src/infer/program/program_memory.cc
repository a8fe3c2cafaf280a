#include "infer/program/program_memory.h"

#include <tsl/robin_set.h>

#include <algorithm>
#include <map>

#include "core/values/value_bytes.h"
#include "infer/engine/state/program_state.h"
#include "infer/program/dim_sum.h"

namespace dimwise {
namespace {

constexpr size_t kMaxCompared = 64;  // number of candidates that a new one is compared with

using Load = DimSum;  // the bytes of the live values at some time

class Liveness {
 public:
  Liveness(const Inference& inference, const std::function<Type(ValueId)>& type_of,
           const std::function<bool(Dim)>& is_known)
      : inference_(inference), graph_(inference.graph()), dims_(graph_.analysis().dims()) {
    last_use_.assign(graph_.value_count(), kNoNode);
    bytes_.resize(graph_.value_count());
    for (uint32_t v = 0; v < graph_.value_count(); ++v) {
      if (graph_.role(ValueId{v}) != ValueRole::kInput && graph_.role(ValueId{v}) != ValueRole::kResult)
        continue;
      bytes_[v] = BytesOf(dims_, type_of(ValueId{v}));
      if (!bytes_[v].is_none() && !is_known(bytes_[v])) bytes_[v] = Dim();
    }
  }

  MemoryPeak Find() {
    MemoryPeak peak;
    for (const Mark& mark : PeaksOf(graph_.body(), 0)) {
      peak.candidates.push_back({mark.load.Total(dims_), mark.load.Text(dims_), mark.node});
    }
    for (uint32_t v = 0; v < graph_.value_count(); ++v) {
      const NodeId maker = graph_.role(ValueId{v}) == ValueRole::kResult ? graph_.maker(ValueId{v}) : kNoNode;
      const bool counts =
          graph_.role(ValueId{v}) == ValueRole::kInput ||
          (maker != kNoNode && inference_.state().live(maker) && !graph_.name(ValueId{v}).empty());
      if (counts && bytes_[v].is_none()) ++peak.not_counted;
    }
    return peak;
  }

 private:
  struct Mark {
    Load load;
    NodeId node;
  };
  using EndsByNode = std::map<NodeId, std::vector<ValueId>>;

  // Returns the loads of a region that may be its maximum.
  std::vector<Mark> PeaksOf(RegionId region, int depth) {
    std::vector<NodeId> order = graph_.Order(region);
    std::erase_if(order, [&](NodeId n) { return !inference_.state().live(n); });
    for (const NodeId node : order) MarkUses(node, region, node);
    const EndsByNode ends = EndsIn(region, order);
    std::vector<Mark> marks;
    Load load;
    const auto begin = [&](ValueId value) {
      if (!bytes_[Index(value)].is_none()) load.Add(bytes_[Index(value)]);
    };
    for (const ValueId input : graph_.inputs(region)) begin(input);
    Offer(marks, load, kNoNode);
    for (const NodeId node : order) {
      for (const ValueId result : graph_.results(node)) begin(result);
      if (depth < kMaxNesting && graph_.carries_regions(node)) {
        for (const Graph::Carried& carried : graph_.regions_of(node)) {
          for (const Mark& inner : PeaksOf(carried.region, depth + 1)) {
            Load both = load;
            both.Add(inner.load);
            Offer(marks, both, inner.node == kNoNode ? node : inner.node);
          }
        }
      }
      Offer(marks, load, node);
      if (const auto at = ends.find(node); at != ends.end()) {
        for (const ValueId v : at->second) load.Add(bytes_[Index(v)], -1);
      }
    }
    return marks;
  }

  // Marks uses of values of a region, including uses inside nested regions.
  void MarkUses(NodeId user, RegionId region, NodeId at) {
    for (const ValueId v : graph_.operands(user)) {
      if (v != kNoValue && graph_.region(v) == region) last_use_[Index(v)] = at;
    }
    if (!graph_.carries_regions(user)) return;
    for (const Graph::Carried& carried : graph_.regions_of(user)) {
      for (const NodeId inner : graph_.nodes(carried.region)) {
        if (graph_.Has(inner)) MarkUses(inner, region, at);
      }
      for (const ValueId v : graph_.outputs(carried.region)) {
        if (graph_.region(v) == region) last_use_[Index(v)] = at;
      }
    }
  }

  // Returns, by node, the values that are dead after it. An unused input stays live, as an output does.
  EndsByNode EndsIn(RegionId region, const std::vector<NodeId>& order) {
    tsl::robin_set<uint32_t> stays;
    for (const ValueId v : graph_.outputs(region)) stays.insert(Index(v));
    EndsByNode ends;
    const auto end = [&](ValueId v, NodeId at) {
      if (at != kNoNode && !bytes_[Index(v)].is_none() && !stays.contains(Index(v))) ends[at].push_back(v);
    };
    for (const ValueId input : graph_.inputs(region)) end(input, last_use_[Index(input)]);
    for (const NodeId node : order) {
      for (const ValueId result : graph_.results(node)) {
        end(result, last_use_[Index(result)] == kNoNode ? node : last_use_[Index(result)]);
      }
    }
    return ends;
  }

  // Adds a load unless another load is known to be at least as large, and removes loads that it dominates.
  void Offer(std::vector<Mark>& marks, const Load& load, NodeId node) {
    const size_t compared = std::min(marks.size(), kMaxCompared);
    for (size_t i = 0; i < compared; ++i) {
      if (IsAtLeast(marks[i].load, load)) return;
    }
    std::erase_if(marks, [&, i = size_t{0}](const Mark& mark) mutable {
      return i++ < compared && IsAtLeast(load, mark.load);
    });
    marks.push_back({load, node});
  }

  bool IsAtLeast(const Load& a, const Load& b) {
    const Load difference = Load::Difference(a, b);
    if (difference.is_positive()) return true;
    // Past the cap the sum hides its terms from the facts, and building it creates many expressions.
    if (difference.expression_count() > DimTable::kMaxTerms) return false;
    const Dim d = difference.Total(dims_);
    return graph_.analysis().facts().AtLeast(d, 0, inference_.scope(graph_.body())) == Truth::kYes;
  }

  const Inference& inference_;
  const Graph& graph_;
  DimTable& dims_;
  std::vector<Dim> bytes_;        // by value; none if it does not count
  std::vector<NodeId> last_use_;  // by value
};

}  // namespace

Dim BytesOf(DimTable& dims, const Type& type) {
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) return {};
  const int64_t bits = ByteSize(type.element, 8).value_or(0);  // of one element in memory
  if (bits == 0) return {};
  Dim count = bits % 8 == 0 ? bits / 8 : bits;
  for (const Dim d : type.shape.dims()) count = dims.Multiply(count, d);
  return bits % 8 == 0 ? count : dims.CeilDivide(count, 8);
}

MemoryPeak PeakOf(const Inference& inference, const std::function<Type(ValueId)>& type_of,
                  const std::function<bool(Dim)>& is_known) {
  return Liveness(inference, type_of, is_known).Find();
}

}  // namespace dimwise
