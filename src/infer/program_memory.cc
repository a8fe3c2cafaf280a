#include "infer/program_memory.h"

#include <fmt/format.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <map>

#include "infer/engine.h"

namespace dimwise {
namespace {

constexpr size_t kMaxCompared = 64;  // candidates that a new one is compared with

// Bytes that are there at the same time: how often each distinct number of bytes is. Kept apart from the sum,
// which would forget what it was made of once it is long.
using Load = std::map<Dim, int64_t, decltype([](Dim a, Dim b) { return a.bits() < b.bits(); })>;

void Add(Load& load, Dim bytes, int64_t times) {
  int64_t& count = load[bytes];
  count += times;
  if (count == 0) load.erase(bytes);
}

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
      const Dim total = Total(mark.load);
      peak.candidates.push_back({total, Text(mark.load, total), mark.node});
    }
    for (uint32_t v = 0; v < graph_.value_count(); ++v) {
      const NodeId maker = graph_.role(ValueId{v}) == ValueRole::kResult ? graph_.maker(ValueId{v}) : kNoNode;
      const bool counts =
          graph_.role(ValueId{v}) == ValueRole::kInput ||
          (maker != kNoNode && inference_.engine().live(maker) && !graph_.name(ValueId{v}).empty());
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

  // The loads of a region that may be its largest.
  std::vector<Mark> PeaksOf(RegionId region, int depth) {
    std::vector<NodeId> order = graph_.Order(region);
    std::erase_if(order, [&](NodeId n) { return !inference_.engine().live(n); });
    for (const NodeId node : order) MarkUses(node, region, node);
    const EndsByNode ends = EndsIn(region, order);
    std::vector<Mark> marks;
    Load load;
    const auto begin = [&](ValueId value) {
      if (!bytes_[Index(value)].is_none()) Add(load, bytes_[Index(value)], 1);
    };
    for (const ValueId input : graph_.inputs(region)) begin(input);
    Offer(marks, load, kNoNode);
    for (const NodeId node : order) {
      for (const ValueId result : graph_.results(node)) begin(result);
      if (depth < Engine::kMaxDepth && graph_.carries_regions(node)) {
        for (const Graph::Carried& carried : graph_.regions_of(node)) {
          for (const Mark& inner : PeaksOf(carried.region, depth + 1)) {
            Load both = load;
            for (const auto& [bytes, count] : inner.load) Add(both, bytes, count);
            Offer(marks, both, inner.node == kNoNode ? node : inner.node);
          }
        }
      }
      Offer(marks, load, node);
      if (const auto at = ends.find(node); at != ends.end()) {
        for (const ValueId v : at->second) Add(load, bytes_[Index(v)], -1);
      }
    }
    return marks;
  }

  // Uses of values of a region, also by nodes inside the regions that one of its nodes carries.
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

  // By node: the values that nobody needs behind it. An input that nobody uses stays, as an output does.
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

  // Keeps a load that no other is known to be above, and drops those that it is above.
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
    Load difference = a;
    for (const auto& [bytes, count] : b) Add(difference, bytes, -count);
    if (std::ranges::all_of(difference, [](const auto& entry) { return entry.second > 0; })) return true;
    const Dim d = Total(difference);
    return !d.is_none() &&
           graph_.analysis().facts().AtLeast(d, 0, inference_.scope(graph_.body())) == Truth::kYes;
  }

  Dim Total(const Load& load) {
    Dim total = 0;
    for (const auto& [bytes, count] : load) total = dims_.Add(total, dims_.Multiply(bytes, count));
    return total;
  }

  // A sum that is too long for an expression is written by its parts.
  std::string Text(const Load& load, Dim total) {
    if (!total.is_expression() || dims_.Kind(total) != DimKind::kSymbol ||
        dims_.GetDefinition(total) == nullptr) {
      return dims_.ToString(total);
    }
    std::string text;
    for (const auto& [bytes, count] : load) {
      const std::string one = dims_.ToString(bytes);
      text += text.empty() ? "" : " + ";
      text += count == 1 ? one : fmt::format("{}*({})", count, one);
    }
    return text;
  }

  const Inference& inference_;
  const Graph& graph_;
  DimTable& dims_;
  std::vector<Dim> bytes_;        // by value; none where it does not count
  std::vector<NodeId> last_use_;  // by value
};

}  // namespace

Dim BytesOf(DimTable& dims, const Type& type) {
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) return {};
  const int bits = BitWidth(type.element);
  if (bits <= 0) return {};
  Dim count = bits % 8 == 0 ? bits / 8 : bits;
  for (const Dim d : type.shape.dims()) count = dims.Multiply(count, d);
  return bits % 8 == 0 ? count : dims.CeilDivide(count, 8);
}

MemoryPeak PeakOf(const Inference& inference, const std::function<Type(ValueId)>& type_of,
                  const std::function<bool(Dim)>& is_known) {
  return Liveness(inference, type_of, is_known).Find();
}

}  // namespace dimwise
