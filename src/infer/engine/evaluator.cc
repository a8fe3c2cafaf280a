#include "dimwise/evaluator.h"

#include <algorithm>

#include "core/types/element_count.h"
#include "core/values/contents_limit.h"
#include "core/values/machine_values.h"
#include "core/values/value_numbers.h"
#include "graph/graph_walk.h"
#include "infer/engine/engine.h"
#include "infer/error.h"

namespace dimwise {
namespace {

// Returns the nodes of the body that the fetched values depend on, in topological order. Nodes behind fed
// values are not included.
Result<std::vector<NodeId>> NeededNodes(const Graph& graph, std::span<const Feed> feeds,
                                        std::span<const ValueId> fetches, size_t max_nodes) {
  std::vector<bool> fed(graph.value_count(), false), needed(graph.node_count(), false);
  for (const Feed& f : feeds) fed[Index(f.value)] = true;
  std::vector<ValueId> wanted(fetches.begin(), fetches.end());
  std::vector<NodeId> found;
  while (!wanted.empty()) {
    const ValueId v = wanted.back();
    wanted.pop_back();
    if (fed[Index(v)]) continue;
    // A node inside a region is evaluated with the node that carries it.
    const NodeId n = MemberAround(graph, graph.maker(v), graph.body());
    if (n == kNoNode || needed[Index(n)]) continue;
    needed[Index(n)] = true;
    found.push_back(n);
    if (found.size() > max_nodes) {
      return Error(Code::kNotSupported, "more than {} nodes would have to be evaluated", max_nodes);
    }
    ForEachNeeded(graph, n, [&](ValueId needs) {
      if (!fed[Index(needs)]) wanted.push_back(needs);
    });
  }
  std::vector<NodeId> order;
  for (const NodeId n : graph.Order(graph.body())) {
    if (needed[Index(n)]) order.push_back(n);
  }
  return order;
}

// Returns the type and contents of a feed.
Result<std::pair<Type, Value>> ReadFeed(const Graph& graph, const Feed& feed) {
  Analysis& analysis = graph.analysis();
  const TensorValue& t = feed.contents;
  const std::optional<int64_t> count = t.ElementCount();
  if (!count || *count > ContentsLimit::current()) {
    return Error(Code::kContents, "the feed of '{}' has an unknown number of elements, or more than {}",
                 graph.name(feed.value), ContentsLimit::current());
  }
  std::vector<int64_t> sizes;
  std::vector<Dim> dims;
  for (const int64_t size : t.shape.dims) {
    sizes.push_back(size);
    dims.emplace_back(size);
  }
  const Type type = Type::Tensor(t.type, analysis.shapes().Make(dims));
  Value value;
  if (IsFloat(t.type)) {
    std::vector<Float> elements;
    for (int64_t i = 0; i < *count; ++i) elements.push_back(Float::Of(t.FloatAt(i).value_or(0)));
    value = analysis.values().Floats(t.type, sizes, elements);
  } else {
    std::vector<Dim> elements;
    for (int64_t i = 0; i < *count; ++i) {
      const std::optional<int64_t> element = t.IntAt(i);
      if (!element)
        return Error(Code::kContents, "element {} of the feed of '{}' is no integer", i,
                     graph.name(feed.value));
      elements.emplace_back(*element);
    }
    value = analysis.values().Integers(t.type, sizes, elements);
  }
  return std::pair(type, value);
}

Result<TensorValue> Copy(const Graph& graph, ValueId fetched, const Type& type, Value value) {
  const auto why = [&] {
    const NodeId maker = graph.maker(fetched);
    return maker == kNoNode ? std::string("it is neither a constant nor fed")
                            : fmt::format("{} cannot be computed here", graph.op_name(maker));
  };
  if (value.is_none())
    return Error(Code::kContents, "the contents of '{}' are not known: {}", graph.name(fetched), why());
  TensorValue copy;
  copy.type = type.element != ElementType::kUnknown ? type.element : value.element();
  copy.shape.unknown_rank = false;
  for (const int64_t size : value.dims()) copy.shape.dims.push_back(size);
  int64_t culprit = 0;
  copy.contents = NumbersOf(value, &culprit);
  if (std::holds_alternative<std::monostate>(copy.contents)) {
    return Error(Code::kContents, "element {} of '{}' is not a number before the program runs", culprit,
                 graph.name(fetched));
  }
  return copy;
}

int64_t CountOf(const Type& type) {
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.is_constant()) return 0;
  std::vector<int64_t> sizes;
  for (const Dim d : type.shape.dims()) sizes.push_back(d.constant());
  return ElementCount(sizes).value_or(INT64_MAX);
}

size_t BytesOf(const TensorValue& t) {
  const auto count = static_cast<size_t>(t.ElementCount().value_or(0));
  return count * std::max<size_t>(1, static_cast<size_t>(BitWidth(t.type)) / 8);
}

// One run: visits nodes in order within the budget.
class EvaluatorRun {
 public:
  EvaluatorRun(const Graph& graph, const OpRegistry& registry, const EvaluatorOptions& options)
      : graph_(graph),
        options_(options),
        engine_(graph, registry, EngineOptions{}),
        left_(options.max_elements) {
    engine_.SetUp();
  }

  Status FeedAll(std::span<const Feed> feeds) {
    const ContentsLimit limit(options_.max_elements);
    for (const Feed& f : feeds) {
      Result<std::pair<Type, Value>> read = ReadFeed(graph_, f);
      if (!read) return std::move(read).TakeError();
      engine_.SetInput(f.value, read->first, read->second);
    }
    return {};
  }

  Status VisitAll(std::span<const NodeId> order) {
    Status status;
    for (size_t i = 0; i < order.size() && status; ++i) {
      status =
          HasTime()
              ? Visit(order[i])
              : Error(Code::kNotSupported, "{} of {} nodes were evaluated within the time limit of {} ms", i,
                      order.size(), std::chrono::duration<double, std::milli>(*options_.max_time).count());
    }
    for (const NodeId n : order) engine_.DropEffects(n);  // the facts hold only for these feeds
    return status;
  }

  Result<TensorValue> Fetch(ValueId value) const {
    return Copy(graph_, value, engine_.state().type(value), engine_.state().contents(value));
  }

 private:
  Status Visit(NodeId node) {
    const ContentsLimit limit(left_);
    const MachineValues machine;
    engine_.Visit(node);
    if (const NodeEffects* effects = engine_.state().effects_of(node)) {
      for (const Diagnostic& d : effects->findings) {
        if (d.severity == Severity::kError) return Unexpected(d);
      }
    }
    for (const ValueId v : graph_.results(node)) {
      const int64_t count = CountOf(engine_.state().type(v));
      if (engine_.state().contents(v).is_none() ? count > ContentsLimit::current() : count > left_) {
        return Error(Code::kNotSupported, "'{}' has {} elements, but {} of the limit of {} are left",
                     graph_.name(v), count, left_, options_.max_elements);
      }
      if (!engine_.state().contents(v).is_none()) left_ -= count;
    }
    return {};
  }

  bool HasTime() const {
    return !options_.max_time || std::chrono::steady_clock::now() - start_ < *options_.max_time;
  }

  const Graph& graph_;
  const EvaluatorOptions& options_;
  Engine engine_;
  int64_t left_;  // elements of the budget
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Evaluator::Evaluator(const Graph& graph, const OpRegistry& registry, EvaluatorOptions options)
    : graph_(graph), registry_(registry), options_(options) {}

Result<std::vector<TensorValue>> Evaluator::Run(std::span<const Feed> feeds,
                                                std::span<const ValueId> fetches) {
  for (const Feed& f : feeds) {
    if (!graph_.Has(f.value))
      return Error(Code::kBadHandle, "there is no value {} in the graph", Index(f.value));
  }
  for (const ValueId v : fetches) {
    if (!graph_.Has(v)) return Error(Code::kBadHandle, "there is no value {} in the graph", Index(v));
  }
  // Stored contents were computed from constants. They are valid unless the result of a node is fed.
  std::vector<Feed> all(feeds.begin(), feeds.end());
  const bool only_inputs =
      std::ranges::all_of(feeds, [&](const Feed& f) { return graph_.role(f.value) == ValueRole::kInput; });
  if (only_inputs) {
    for (const auto& [value, contents] : kept_) all.push_back({value, contents});
  }
  Result<std::vector<NodeId>> order = NeededNodes(graph_, all, fetches, options_.max_nodes);
  if (!order) return std::move(order).TakeError();
  visits_ += order->size();
  EvaluatorRun run(graph_, registry_, options_);
  if (Status s = run.FeedAll(all); !s) return std::move(s).TakeError();
  if (Status s = run.VisitAll(*order); !s) return std::move(s).TakeError();
  std::vector<TensorValue> answer;
  for (const ValueId v : fetches) {
    Result<TensorValue> copy = run.Fetch(v);
    if (!copy) return std::move(copy).TakeError();
    answer.push_back(*std::move(copy));
  }
  if (feeds.empty()) {
    for (size_t i = 0; i < fetches.size(); ++i) {
      const bool is_made = graph_.role(fetches[i]) == ValueRole::kResult;
      if (is_made && BytesOf(answer[i]) <= options_.max_cached_bytes) kept_.insert({fetches[i], answer[i]});
    }
  }
  return answer;
}

Result<std::vector<TensorValue>> Evaluate(const Graph& graph, const OpRegistry& registry,
                                          std::span<const Feed> feeds, std::span<const ValueId> fetches,
                                          EvaluatorOptions options) {
  return Evaluator(graph, registry, options).Run(feeds, fetches);
}

}  // namespace dimwise
