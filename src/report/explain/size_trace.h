// Traces a size back through a program (explanation.h has an example).
//
// A node either copies the size, from a shape or from contents of an operand, or computes it. For a computed
// size the trace lists its origins (size_origin.h). Consecutive nodes that keep the size share a line. The
// trace forks only if several sizes are followed.
#ifndef DIMWISE_REPORT_EXPLAIN_SIZE_TRACE_H_
#define DIMWISE_REPORT_EXPLAIN_SIZE_TRACE_H_

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "report/explain/explained_size.h"
#include "report/explain/size_origin.h"
#include "report/explain/unknown_origin.h"

namespace dimwise {

// Returns "Reshape 'q_heads' (#14)".
std::string NodeWithLocation(const Graph& graph, NodeId node);

class SizeTrace {
 public:
  explicit SizeTrace(const ModelReport& report)
      : report_(report), graph_(report.graph()), dims_(report.dims()) {}

  // Explains a size.
  ExplainedSize Trace(const SizeLocation& location);
  // Explains a symbol, which is the size at `location` or a part of it.
  ExplainedSize TraceSymbol(Dim symbol, const SizeLocation& location);
  // Explains why a value has no rank.
  ExplainedSize TraceRank(ValueId value);

 private:
  // An origin of a computed size: a position to follow, or the positions of a value that are not followed.
  struct Item {
    std::string text;
    std::optional<SizeLocation> next{};
    ValueId unknown = kNoValue;  // contents that are known only at run time
  };

  void Add(int depth, std::string text);

  std::string Name(ValueId value) const { return Printable(report_.names.Value(value)); }
  std::string TypeOf(ValueId value) const;
  std::string Described(ValueId value) const;
  std::string DescribedInShort(ValueId value) const;
  std::string Where(const SizeLocation& location) const;
  std::string_view EndText(ValueId value) const;
  std::string NodeText(NodeId node) const { return NodeWithLocation(graph_, node); }
  std::string AttrsText(NodeId node, const SizeOrigin& origin) const;
  std::set<std::string> OpsOf(std::span<const NodeId> nodes) const;

  void Follow(SizeLocation location, int depth);
  SizeOrigin OriginOf(const SizeLocation& location) const;
  std::optional<SizeLocation> SameElsewhere(NodeId node, const SizeLocation& location) const;
  std::optional<SizeLocation> Mention(ValueId operand, const std::vector<Dim>& symbols) const;
  bool IsDeclared(const SizeLocation& location) const;
  bool IsEnd(ValueId value) const;
  bool Computes(NodeId node, Computation computation) const;
  bool IsFollowed(const SizeLocation& location, Dim size) const;

  std::vector<Item> ItemsOf(const SizeLocation& location, const SizeOrigin& origin) const;
  std::vector<Item> ItemsOfOperands(NodeId node, const SizeOrigin& origin, Dim size) const;
  SizeOrigin OriginBySymbols(NodeId node, Dim size) const;
  Item ItemOf(std::span<const SizeLocation> locations) const;
  std::optional<SizeLocation> RenderComputation(const SizeLocation& location, const SizeOrigin& origin,
                                                int depth);
  std::optional<SizeLocation> PrintItems(std::string head, std::vector<Item> items, int depth);
  void PrintKept(std::vector<NodeId>& kept, const SizeLocation& location, int depth);
  std::optional<SizeLocation> PrintEnd(const SizeLocation& location, int depth);
  void PrintUnknown(ValueId value, int depth);
  void PrintThrough(const UnknownOrigin& origin, int depth);
  void PrintFindings(NodeId node, int depth);
  void PrintFacts(const SizeLocation& location);

  const ModelReport& report_;
  const Graph& graph_;
  DimTable& dims_;
  std::vector<ExplainedSize::Step> steps_;
  std::set<std::tuple<ValueId, bool, int64_t>> explained_;
  size_t step_count_ = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_SIZE_TRACE_H_
