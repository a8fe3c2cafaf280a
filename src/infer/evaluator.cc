#include "dimwise/evaluator.h"

#include <algorithm>

#include "graph/graph_walk.h"
#include "infer/engine.h"
#include "infer/error.h"

namespace dimwise {
namespace {

// What the fetched values depend on, as far as it is not fed: nodes of the body, makers first.
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
    // A node inside a region runs with the node that carries it.
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

// The contents as a Value of the analysis, with their type.
Result<std::pair<Type, Value>> ReadFeed(const Graph& graph, const Feed& feed) {
  Analysis& analysis = graph.analysis();
  const TensorValue& t = feed.contents;
  const std::optional<int64_t> count = t.ElementCount();
  if (!count || *count > ValueTable::kMaxElements) {
    return Error(Code::kContents, "what is fed to '{}' has no known number of elements, or more than {}",
                 graph.name(feed.value), ValueTable::kMaxElements);
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
        return Error(Code::kContents, "element {} of what is fed to '{}' is no integer", i,
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
  if (value.kind() == ValueKind::kFloats || IsFloat(value.element())) {
    std::vector<double> elements;
    for (int64_t i = 0; i < value.size(); ++i) {
      const std::optional<double> element = value.FloatingPoint(i).constant();
      if (!element)
        return Error(Code::kContents, "element {} of '{}' is not a number before the program runs", i,
                     graph.name(fetched));
      elements.push_back(*element);
    }
    copy.contents = std::move(elements);
    return copy;
  }
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < value.size(); ++i) {
    const std::optional<int64_t> element = value.ConstantInteger(i);
    if (!element)
      return Error(Code::kContents, "element {} of '{}' is not a number before the program runs", i,
                   graph.name(fetched));
    elements.push_back(*element);
  }
  copy.contents = std::move(elements);
  return copy;
}

}  // namespace

Result<std::vector<TensorValue>> Evaluate(const Graph& graph, const OpRegistry& registry,
                                          std::span<const Feed> feeds, std::span<const ValueId> fetches,
                                          EvaluatorOptions options) {
  for (const Feed& f : feeds) {
    if (!graph.Has(f.value))
      return Error(Code::kBadHandle, "there is no value {} in the graph", Index(f.value));
  }
  for (const ValueId v : fetches) {
    if (!graph.Has(v)) return Error(Code::kBadHandle, "there is no value {} in the graph", Index(v));
  }
  Result<std::vector<NodeId>> order = NeededNodes(graph, feeds, fetches, options.max_nodes);
  if (!order) return std::move(order).TakeError();
  Engine engine(graph, registry, EngineOptions{});
  engine.SetUp();
  for (const Feed& f : feeds) {
    Result<std::pair<Type, Value>> read = ReadFeed(graph, f);
    if (!read) return std::move(read).TakeError();
    engine.SetInput(f.value, read->first, read->second);
  }
  std::optional<Diagnostic> error;
  for (const NodeId n : *order) {
    engine.Visit(n);
    const Engine::Record* record = engine.record(n);
    if (record == nullptr || error) continue;
    for (const Diagnostic& d : record->findings) {
      if (d.severity == Severity::kError) error = d;
    }
  }
  // What was asserted meanwhile holds only for what was fed.
  for (const NodeId n : *order) engine.Forget(n);
  if (error) return Unexpected(*std::move(error));
  std::vector<TensorValue> answer;
  for (const ValueId v : fetches) {
    Result<TensorValue> copy = Copy(graph, v, engine.type(v), engine.contents(v));
    if (!copy) return std::move(copy).TakeError();
    answer.push_back(*std::move(copy));
  }
  return answer;
}

}  // namespace dimwise
