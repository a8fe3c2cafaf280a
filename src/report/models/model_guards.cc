#include "report/models/model_guards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "core/values/contents_text.h"
#include "infer/engine/state/program_state.h"
#include "report/text/symbol_facts.h"

namespace dimwise {
namespace {

constexpr size_t kMaxOperands = 4;   // that are printed
constexpr size_t kMaxContents = 80;  // characters

// Returns lines that define the computed symbols of a condition.
std::string DefinitionLines(DimTable& dims, const Condition& condition) {
  std::string lines;
  std::set<std::string_view> defined;
  for (const Clause& clause : condition.clauses) {
    for (const Literal& literal : clause) {
      for (const Dim symbol : dims.SymbolsOf(literal.value)) {
        const std::string computed = DefinitionText(dims, symbol);
        if (computed.empty() || !defined.insert(dims.NameOf(symbol)).second) continue;
        lines += fmt::format("      {} is {}\n", dims.NameOf(symbol), computed);
      }
    }
  }
  return lines;
}

}  // namespace

std::string ModelGuards(const ModelReport& report, Colour colour) {
  const Graph& graph = report.graph();
  const std::vector<ResidualGuard>& guards = report.inference.guards();
  const auto node_text = [&](NodeId node) {
    const std::string_view name = graph.name(node);
    std::vector<std::string> operands = report.OperandNames(node);
    if (operands.size() > kMaxOperands) {
      operands.resize(kMaxOperands);
      operands.emplace_back("...");
    }
    return fmt::format("{}{} (#{}) of {}", ShortName(graph.op_name(node)),
                       name.empty() ? "" : " '" + Printable(name) + "'", graph.position(node),
                       Printable(fmt::format("{}", fmt::join(operands, ", "))));
  };
  std::string assumed;
  size_t assumed_count = 0;
  for (const Assumption& assumption : report.inference.assumptions()) {
    if (!assumption.is_used) continue;
    ++assumed_count;
    assumed += "  " + Painted(ToString(report.dims(), assumption.clause), kCyan, colour) + "\n      ";
    if (assumption.node != kNoNode) assumed += node_text(assumption.node) + " uses it: ";
    assumed += assumption.message() + "\n";
  }
  for (const ValueId input : report.inference.inputs_with_contents()) {
    const std::string contents = ContentsToString(report.dims(), report.inference.contents(input));
    ++assumed_count;
    assumed += "  " +
               Painted(fmt::format("{} = {}", Printable(graph.name(input)), Clipped(contents, kMaxContents)),
                       kCyan, colour) +
               "\n      these contents of the input were given\n";
  }
  std::string text = Painted(Printable(report.file), kBold, colour) + ": " + Counted(guards.size(), "guard");
  if (assumed_count > 0) text += ", " + Counted(assumed_count, "assumption");
  text += "\n" + assumed;
  for (const ResidualGuard& guard : guards) {
    text += "  " + Painted(ToString(report.dims(), guard.condition), kCyan, colour);
    if (!report.inference.certain(guard.node)) {
      const std::string where = !report.inference.state().live(guard.node)
                                    ? "   only if it runs: its results are unused"
                                    : fmt::format("   only if {} runs", Printable(report.Within(guard.node)));
      text += Painted(where, kFaint, colour);
    }
    text += fmt::format("\n      {}: {}\n", node_text(guard.node), guard.message);
    text += DefinitionLines(report.dims(), guard.condition);
  }
  return text;
}

}  // namespace dimwise
