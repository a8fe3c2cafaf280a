// The way of a size back through a program, in lines for a person (explanation.h shows one).
//
// A node either takes the size over, from a shape or from contents of an operand, or computes it; what it
// computes it from is told with it, each with what decides there (size_origin.h). Nodes one after another
// that keep it are one line. The way forks only where several sizes are to be followed.
#ifndef DIMWISE_REPORT_EXPLAIN_SIZE_TRACE_H_
#define DIMWISE_REPORT_EXPLAIN_SIZE_TRACE_H_

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "report/explain/size_origin.h"
#include "report/explain/unknown_origin.h"
#include "report/text/text_style.h"

namespace dimwise {

// "Reshape 'q_heads' (#14)"
std::string NodeWithPlace(const Graph& graph, NodeId node);

class SizeTrace {
 public:
  SizeTrace(const ModelReport& report, Colour colour)
      : report_(report), graph_(report.graph()), dims_(report.dims()), colour_(colour) {}

  // Why a size is what it is.
  std::string Trace(const SizePlace& place);
  // Where a symbol comes from, which is the size there or a part of it.
  std::string TraceSymbol(Dim symbol, const SizePlace& place);
  // Why a value has no rank.
  std::string TraceRank(ValueId value);

 private:
  struct Line {
    int depth;
    std::string text;
  };
  // What a node computes a size from: places to follow one by one, the others of a value together.
  struct Item {
    std::string text;
    std::optional<SizePlace> next{};
    ValueId unknown = kNoValue;  // numbers that only a run knows
  };

  void Add(int depth, std::string text);
  std::string Take(std::string head);

  std::string Name(ValueId value) const { return Printable(report_.names.Value(value)); }
  std::string TypeOf(ValueId value) const;
  std::string Described(ValueId value) const;
  std::string DescribedInShort(ValueId value) const;
  std::string Where(const SizePlace& place) const;
  std::string_view EndText(ValueId value) const;
  std::string NodeText(NodeId node) const { return NodeWithPlace(graph_, node); }
  std::string AttrsText(NodeId node, const SizeOrigin& origin) const;
  std::set<std::string> OpsOf(std::span<const NodeId> nodes) const;

  void Follow(SizePlace place, int depth);
  SizeOrigin OriginOf(const SizePlace& place) const;
  std::optional<SizePlace> SameElsewhere(NodeId node, const SizePlace& place) const;
  std::optional<SizePlace> Mention(ValueId operand, const std::vector<Dim>& symbols) const;
  bool IsDeclared(const SizePlace& place) const;
  bool IsEnd(ValueId value) const;
  bool IsFollowed(const SizePlace& place, Dim size) const;

  std::vector<Item> ItemsOf(const SizePlace& place, const SizeOrigin& origin) const;
  std::vector<Item> ItemsOfOperands(NodeId node, const SizeOrigin& origin, Dim size) const;
  SizeOrigin OriginBySymbols(NodeId node, Dim size) const;
  Item ItemOf(std::span<const SizePlace> places) const;
  std::optional<SizePlace> TellComputation(const SizePlace& place, const SizeOrigin& origin, int depth);
  std::optional<SizePlace> TellItems(std::string head, std::vector<Item> items, int depth);
  void TellKept(std::vector<NodeId>& kept, const SizePlace& place, int depth);
  std::optional<SizePlace> TellEnd(const SizePlace& place, int depth);
  void TellUnknown(ValueId value, int depth);
  void TellThrough(const UnknownOrigin& origin, int depth);
  void TellFindings(NodeId node, int depth);
  void TellFacts(const SizePlace& place);

  const ModelReport& report_;
  const Graph& graph_;
  DimTable& dims_;
  const Colour colour_;
  std::vector<Line> lines_;
  std::set<std::tuple<ValueId, bool, int64_t>> told_;
  size_t steps_ = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_SIZE_TRACE_H_
