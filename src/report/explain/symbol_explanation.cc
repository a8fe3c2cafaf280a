#include "report/explain/symbol_explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/explain/size_trace.h"
#include "report/text/symbol_facts.h"

namespace dimwise {
namespace {

class SymbolSearch {
 public:
  SymbolSearch(const ModelReport& report, std::string_view name)
      : report_(report), graph_(report.graph()), dims_(report.dims()), name_(name) {}

  std::optional<ExplainedSize> Run() {
    LookInTypes();
    // Guards are printed after the values, and their symbols are named then.
    if (symbol_.is_none()) LookInGuards();
    if (symbol_.is_none()) return std::nullopt;
    if (location_) return SizeTrace(report_).TraceSymbol(symbol_, *location_);
    return Described();
  }

 private:
  bool IsThere(Dim d) {
    if (!d.is_expression()) return false;
    for (const Dim symbol : dims_.SymbolsOf(d)) {
      if (dims_.NameOf(symbol) == name_) symbol_ = symbol;
      if (symbol == symbol_) return true;
    }
    return false;
  }

  // Finds the first size that equals the symbol, or else the first that contains it.
  void LookInTypes() {
    for (uint32_t i = 0; i < graph_.value_count(); ++i) {
      const ValueId value{i};
      const Type type = report_.type(value);
      if (!report_.names.IsReported(value) || !type.is_tensor() || !HasRank(type)) continue;
      for (int axis = 0; axis < type.shape.rank(); ++axis) {
        const Dim d = type.shape[axis];
        if (!IsThere(d) || (location_ && d != symbol_)) continue;
        location_ = SizeLocation{value, false, axis};
        if (d == symbol_) return;
      }
    }
  }

  void LookInGuards() {
    for (const ResidualGuard& guard : report_.inference.guards()) {
      for (const Clause& clause : guard.condition.clauses) {
        for (const Literal& literal : clause) {
          if (!IsThere(literal.value)) continue;
          guard_ = &guard;
          return;
        }
      }
    }
  }

  ExplainedSize Described() {
    const std::string computed = DefinitionText(dims_, symbol_);
    const SymbolInfo info = dims_.GetSymbol(symbol_);
    std::string about = !computed.empty()      ? "computed as " + computed
                        : !info.origin.empty() ? fmt::format("of {}", info.origin)
                                               : "not known";
    return {std::string(name_),
            Dim(),
            std::move(about),
            {{1, fmt::format("{} requires {}", NodeWithLocation(graph_, guard_->node),
                             ToString(dims_, guard_->condition))}}};
  }

  const ModelReport& report_;
  const Graph& graph_;
  DimTable& dims_;
  const std::string_view name_;
  Dim symbol_;
  std::optional<SizeLocation> location_;  // a position in a type
  const ResidualGuard* guard_ = nullptr;
};

}  // namespace

std::optional<ExplainedSize> ExplainSymbol(const ModelReport& report, std::string_view name) {
  return SymbolSearch(report, name).Run();
}

}  // namespace dimwise
