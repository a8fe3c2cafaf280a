#include "infer/program/memory_schedule.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "infer/engine/state/program_state.h"

namespace dimwise {
namespace {

class Scheduler {
 public:
  Scheduler(const Inference& inference, const std::function<Dim(ValueId)>& bytes_of)
      : inference_(inference),
        graph_(inference.graph()),
        bytes_of_(bytes_of),
        last_use_(graph_.value_count(), kNoNode) {}

  std::vector<MemoryStep> Run() {
    AddRegion(graph_.body(), kNoNode, 0);
    return std::move(steps_);
  }

 private:
  using EndsByNode = tsl::robin_map<uint32_t, std::vector<Dim>>;

  // `carrier` is the node with the region.
  void AddRegion(RegionId region, NodeId carrier, int depth) {
    std::vector<NodeId> order = graph_.Order(region);
    std::erase_if(order, [&](NodeId n) { return !inference_.state().live(n); });
    for (const NodeId node : order) MarkUses(node, region, node);
    std::vector<Dim> remaining;
    const EndsByNode ends = EndsIn(region, order, &remaining);
    AddStep(carrier, graph_.inputs(region));
    for (const NodeId node : order) {
      AddStep(node, graph_.results(node));
      if (depth < kMaxNesting && graph_.carries_regions(node)) {
        for (const Graph::Carried& carried : graph_.regions_of(node)) {
          AddRegion(carried.region, node, depth + 1);
        }
        steps_.push_back({node, {}, {}});
      }
      if (const auto at = ends.find(Index(node)); at != ends.end()) steps_.back().ends = at->second;
    }
    if (carrier != kNoNode) steps_.push_back({carrier, {}, std::move(remaining)});
  }

  void AddStep(NodeId node, std::span<const ValueId> values) {
    MemoryStep& step = steps_.emplace_back();
    step.node = node;
    for (const ValueId value : values) {
      if (const Dim bytes = bytes_of_(value); !bytes.is_none()) step.begins.push_back(bytes);
    }
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

  // Returns, by node, the bytes that die after it; `remaining` receives those that live to the end of the
  // region. An unused input stays live, as an output does.
  EndsByNode EndsIn(RegionId region, const std::vector<NodeId>& order, std::vector<Dim>* remaining) {
    tsl::robin_set<uint32_t> stays;
    for (const ValueId v : graph_.outputs(region)) stays.insert(Index(v));
    EndsByNode ends;
    const auto end = [&](ValueId v, NodeId at) {
      const Dim bytes = bytes_of_(v);
      if (bytes.is_none()) return;
      (at == kNoNode || stays.contains(Index(v)) ? *remaining : ends[Index(at)]).push_back(bytes);
    };
    for (const ValueId input : graph_.inputs(region)) end(input, last_use_[Index(input)]);
    for (const NodeId node : order) {
      for (const ValueId result : graph_.results(node)) {
        end(result, last_use_[Index(result)] == kNoNode ? node : last_use_[Index(result)]);
      }
    }
    return ends;
  }

  const Inference& inference_;
  const Graph& graph_;
  const std::function<Dim(ValueId)>& bytes_of_;
  std::vector<NodeId> last_use_;  // by value
  std::vector<MemoryStep> steps_;
};

}  // namespace

std::vector<MemoryStep> MemoryScheduleOf(const Inference& inference,
                                         const std::function<Dim(ValueId)>& bytes_of) {
  return Scheduler(inference, bytes_of).Run();
}

}  // namespace dimwise
