#include "report/models/symbol_descriptions.h"

#include <fmt/format.h>
#include <tsl/robin_set.h>

#include <algorithm>

#include "infer/operators/node_properties.h"

namespace dimwise {

std::string SymbolDescriptions::Of(Dim symbol) {
  DimTable& dims = report_.dims();
  if (dims.GetSymbol(symbol).of_user || dims.GetDefinition(symbol) != nullptr) return "";
  if (!searched_) FindMentions();
  searched_ = true;
  const auto at = mentions_.find(symbol);
  if (at == mentions_.end()) return "";
  const Graph& graph = report_.graph();
  const Mention& mention = at->second;
  const NodeId maker = graph.maker(mention.value);
  const std::string node = fmt::format("{} '{}'", ShortName(graph.op_name(maker)), report_.names.Node(maker));
  const OpRegistrationData* op = FindRegistration(report_.inference.registry(), graph, maker);
  // A size that an operand has, too, is not counted by this node.
  if (op == nullptr || op->def.properties.unknown.empty() || IsInOperands(maker, symbol)) {
    return fmt::format("{}the size of '{}' along axis {}, from {}", mention.is_whole ? "" : "part of ",
                       report_.names.Value(mention.value), mention.axis, node);
  }
  constexpr std::string_view kNode = "{node}";
  std::string text = op->def.properties.unknown;
  text.replace(text.find(kNode), kNode.size(), node);
  return text;
}

bool SymbolDescriptions::IsInOperands(NodeId node, Dim symbol) const {
  const DimTable& dims = report_.dims();
  for (const ValueId operand : report_.graph().operands(node)) {
    if (operand == kNoValue) continue;
    const Type type = report_.type(operand);
    if (!type.is_tensor() || !HasRank(type)) continue;
    for (const Dim size : type.shape.dims()) {
      if (size.is_expression() && std::ranges::binary_search(dims.SymbolsOf(size), symbol.id(), {}, &Dim::id))
        return true;
    }
  }
  return false;
}

void SymbolDescriptions::FindMentions() {
  const Graph& graph = report_.graph();
  const DimTable& dims = report_.dims();
  tsl::robin_set<uint32_t> visited;  // IDs of sizes
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    const ValueId value{v};
    const Type whole = report_.type(value);
    const Type& type = CountedType(whole);
    if (graph.role(value) != ValueRole::kResult || !type.is_tensor() || !HasRank(type)) continue;
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      const Dim size = type.shape[axis];
      if (!size.is_expression() || !visited.insert(size.id()).second) continue;
      for (const Dim symbol : dims.SymbolsOf(size)) mentions_.insert({symbol, {value, axis, size == symbol}});
    }
  }
}

}  // namespace dimwise
