// Computes a topological order of the nodes of a region.
//
// A node depends on the makers of its operands and on its control inputs. If it carries regions, it also
// depends on what nodes inside them use: a node inside a region is represented by the member of this region
// that carries it. Among the ready nodes the first added goes first, so a file in topological order keeps its
// order.
//
// If all remaining nodes depend on each other, a cycle is cut: one node goes although it is not ready. It is
// chosen from a strongly connected component that depends on no other component, so nodes that only follow a
// cycle are never cut. In the component, the first node that also has an operand from outside is chosen, as
// the Merge of an old-style loop, or else the first node. The rest of the component is decomposed again to
// find nested loops. The total work of these decompositions is limited to a multiple of the edges; after
// that, the first remaining node is chosen.
//
// Nothing recurses over the data.
#include <tsl/robin_map.h>

#include <algorithm>
#include <queue>

#include "dimwise/graph.h"

namespace dimwise {
namespace {

constexpr size_t kRounds = 16;  // limit on decompositions, as a multiple of the number of edges

// The dependencies between nodes, by index among the members.
class Waiting {
 public:
  explicit Waiting(size_t count)
      : first_(count + 1, 0), waits_(count, 0), done_(count, false), reached_(count, false) {}

  void Add(uint32_t maker, uint32_t user) { edges_.emplace_back(maker, user); }

  void Freeze() {
    for (const auto& [maker, user] : edges_) {
      ++first_[maker + 1];
      ++waits_[user];
    }
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    users_.resize(edges_.size());
    std::vector<uint32_t> at(first_.begin(), first_.end() - 1);
    for (const auto& [maker, user] : edges_) users_[at[maker]++] = user;
    edges_ = {};
  }

  std::span<const uint32_t> users(uint32_t i) const {
    return std::span(users_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  bool waits(uint32_t i) const { return waits_[i] > 0; }
  bool done(uint32_t i) const { return done_[i]; }
  bool reached(uint32_t i) const { return reached_[i]; }  // one of its dependencies is done
  size_t edge_count() const { return users_.size(); }

  // Calls ready(user) for each user whose dependencies are now all done.
  template <typename F>
  void SetDone(uint32_t i, F&& ready) {
    done_[i] = true;
    for (const uint32_t user : users(i)) {
      reached_[user] = true;
      if (--waits_[user] == 0 && !done_[user]) ready(user);
    }
  }
  void Drop(uint32_t i) { done_[i] = true; }  // excludes the node from the order

 private:
  std::vector<std::pair<uint32_t, uint32_t>> edges_;
  std::vector<uint32_t> first_, users_, waits_;
  std::vector<bool> done_, reached_;
};

// Chooses the nodes where cycles are cut.
class Cutter {
 public:
  explicit Cutter(const Waiting& waiting, size_t count)
      : waiting_(waiting),
        budget_(kRounds * (waiting.edge_count() + count)),
        mark_(count, 0),
        low_(count, 0) {}

  // REQUIRES: some nodes are not done, and none of these is ready.
  uint32_t Choose() {
    while (work_ < budget_) {
      if (components_.empty()) {
        work_ += mark_.size();
        std::vector<uint32_t> all;
        for (uint32_t i = 0; i < mark_.size(); ++i) {
          if (!waiting_.done(i)) all.push_back(i);
        }
        TakeApart(all);
      }
      std::vector<uint32_t> left = std::move(components_.back());
      components_.pop_back();
      work_ += left.size();
      std::erase_if(left, [&](uint32_t i) { return waiting_.done(i); });
      if (left.empty()) continue;
      if (was_cut_) {
        was_cut_ = false;
        TakeApart(left);
        continue;
      }
      was_cut_ = true;
      const auto entered = std::ranges::find_if(left, [&](uint32_t i) { return waiting_.reached(i); });
      const uint32_t chosen = entered == left.end() ? left.front() : *entered;
      components_.push_back(std::move(left));
      return chosen;
    }
    while (waiting_.done(first_left_)) ++first_left_;
    return first_left_;
  }

 private:
  // Adds the components of more than one node, in reverse dependency order (Tarjan's algorithm).
  void TakeApart(const std::vector<uint32_t>& nodes) {
    struct Frame {
      uint32_t node, next;
    };
    constexpr uint32_t kInside = 1, kDone = UINT32_MAX;  // marks: kInside: not visited; kDone: in a component
    for (const uint32_t i : nodes) mark_[i] = kInside;
    uint32_t last = kInside;
    std::vector<Frame> frames;
    std::vector<uint32_t> open;
    for (const uint32_t root : nodes) {
      if (mark_[root] != kInside) continue;
      frames.push_back({root, 0});
      while (!frames.empty()) {
        Frame& frame = frames.back();
        const uint32_t i = frame.node;
        if (frame.next == 0) {
          mark_[i] = low_[i] = ++last;
          open.push_back(i);
        }
        const std::span<const uint32_t> users = waiting_.users(i);
        work_ += 1;
        while (frame.next < users.size() && mark_[users[frame.next]] != kInside) {
          const uint32_t user = users[frame.next++];
          if (mark_[user] != 0 && mark_[user] != kDone) low_[i] = std::min(low_[i], mark_[user]);
          ++work_;
        }
        if (frame.next < users.size()) {
          frames.push_back({users[frame.next++], 0});
          continue;
        }
        frames.pop_back();
        if (!frames.empty()) low_[frames.back().node] = std::min(low_[frames.back().node], low_[i]);
        if (low_[i] == mark_[i]) Close(i, open);
      }
    }
    for (const uint32_t i : nodes) mark_[i] = 0;
  }

  void Close(uint32_t root, std::vector<uint32_t>& open) {
    const auto begin = std::ranges::find(open.rbegin(), open.rend(), root).base() - 1;
    std::vector<uint32_t> component(begin, open.end());
    open.erase(begin, open.end());
    for (const uint32_t i : component) mark_[i] = UINT32_MAX;
    if (component.size() < 2) return;
    std::ranges::sort(component);
    components_.push_back(std::move(component));
  }

  const Waiting& waiting_;
  const size_t budget_;
  size_t work_ = 0;
  uint32_t first_left_ = 0;           // used once the budget is spent
  bool was_cut_ = false;              // since the last decomposition
  std::vector<uint32_t> mark_, low_;  // mark: 0 for nodes outside the current decomposition
  std::vector<std::vector<uint32_t>> components_;
};

// Collects the dependencies between the members of a region.
class DependencyBuilder {
 public:
  DependencyBuilder(const Graph& graph, RegionId region, std::span<const NodeId> members)
      : graph_(graph),
        region_(region),
        members_(members),
        waiting_(members.size()),
        uses_itself_(members.size()) {
    FindNestedRegions();
    for (uint32_t i = 0; i < members_.size(); ++i) {
      if (graph_.Has(members_[i])) AddNode(i, members_[i]);
    }
    for (const auto& [nested, member] : nested_) {
      for (const ValueId v : graph_.outputs(nested)) Add(member, graph_.maker(v));
      for (const NodeId n : graph_.nodes(nested)) {
        if (graph_.Has(n)) AddNode(member, n);
      }
    }
    waiting_.Freeze();
  }

  Waiting& waiting() { return waiting_; }
  // Returns whether the member reads its own result.
  bool uses_itself(uint32_t member) const { return uses_itself_[member]; }

 private:
  void FindNestedRegions() {
    for (uint32_t i = 0; i < members_.size(); ++i) {
      if (graph_.Has(members_[i])) AddRegionsOf(members_[i], i);
    }
    for (size_t r = 0; r < nested_.size(); ++r) {
      const auto [region, member] = nested_[r];
      for (const NodeId n : graph_.nodes(region)) {
        if (graph_.Has(n)) AddRegionsOf(n, member);
      }
    }
  }

  void AddRegionsOf(NodeId node, uint32_t member) {
    for (const Graph::Carried& c : graph_.regions_of(node)) {
      nested_.emplace_back(c.region, member);
      carriers_.insert({Index(c.region), member});
    }
  }

  // Adds the dependencies of a node, which is the member `user` or inside its regions.
  void AddNode(uint32_t user, NodeId node) {
    for (const ValueId v : graph_.operands(node)) {
      if (v != kNoValue) Add(user, graph_.maker(v));
    }
    for (const NodeId before : graph_.control_inputs(node)) Add(user, before);
  }

  void Add(uint32_t user, NodeId maker) {
    if (maker == kNoNode || !graph_.Has(maker)) return;
    const RegionId home = graph_.region(maker);
    uint32_t member = 0;
    if (home == region_) {  // members are sorted, because IDs increase
      member = static_cast<uint32_t>(std::ranges::lower_bound(members_, maker) - members_.begin());
      if (member == user) uses_itself_[user] = true;
    } else if (const auto it = carriers_.find(Index(home)); it != carriers_.end()) {
      member = it->second;
    } else {
      return;
    }
    if (member != user) waiting_.Add(member, user);
  }

  const Graph& graph_;
  const RegionId region_;
  const std::span<const NodeId> members_;
  std::vector<std::pair<RegionId, uint32_t>>
      nested_;  // regions inside the region, each with the member that carries it
  tsl::robin_map<uint32_t, uint32_t> carriers_;  // the same, by region
  Waiting waiting_;
  std::vector<bool> uses_itself_;
};

}  // namespace

std::vector<NodeId> Graph::Order(RegionId region, std::vector<NodeId>* cut) const {
  std::vector<NodeId> order;
  if (Index(region) >= regions_.size()) return order;
  const std::vector<NodeId>& members = regions_[Index(region)].nodes;
  if (in_order_) return members;
  order.reserve(members.size());

  DependencyBuilder dependencies(*this, region, members);
  Waiting& waiting = dependencies.waiting();
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  size_t left = 0;
  for (uint32_t i = 0; i < members.size(); ++i) {
    if (!Has(members[i])) {
      waiting.Drop(i);
      continue;
    }
    ++left;
    if (!waiting.waits(i)) ready.push(i);
  }
  Cutter cutter(waiting, members.size());
  for (; left > 0; --left) {
    const bool cuts = ready.empty();
    const uint32_t i = cuts ? cutter.Choose() : ready.top();
    if (!cuts) ready.pop();
    order.push_back(members[i]);
    if (cut != nullptr && (cuts || dependencies.uses_itself(i))) cut->push_back(members[i]);
    waiting.SetDone(i, [&](uint32_t user) { ready.push(user); });
  }
  return order;
}

}  // namespace dimwise
