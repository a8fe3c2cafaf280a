#include "report/models/model_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "report/models/declared_types.h"
#include "report/models/symbol_descriptions.h"
#include "report/operators/op_text.h"
#include "report/text/labelled_lines.h"
#include "report/text/symbol_facts.h"

namespace dimwise {
namespace {

constexpr size_t kShownValues = 12;  // inputs or outputs
constexpr size_t kShownSymbols = 12;
constexpr size_t kShownLosses = 5;

class SummaryPrinter {
 public:
  SummaryPrinter(const ModelReport& report, std::string_view list_guards, Colour colour)
      : report_(report), graph_(report.graph()), list_guards_(list_guards), colour_(colour) {}

  std::string Print(DeclaredOutputs declared) {
    lines_.Title(Painted(Printable(report_.file), kBold, colour_) +
                 fmt::format(": {}, {}\n", report_.format, Counted(report_.stats.nodes, "node")));
    PrintValues("in", graph_.inputs(graph_.body()));
    PrintValues("out", graph_.outputs(graph_.body()));
    if (declared == DeclaredOutputs::kPrinted) PrintDeclared();
    PrintStats();
    PrintSymbols();
    PrintGuards();
    PrintLosses();
    PrintFindings();
    return std::move(lines_).Take();
  }

 private:
  static constexpr size_t kLabelWidth = 9;

  void Line(std::string_view label, std::string_view line) { lines_.Line(label, line); }

  void PrintValues(std::string_view label, std::span<const ValueId> values) {
    size_t width = 0;
    const size_t count = std::min(values.size(), kShownValues);
    for (const ValueId v : values.first(count)) width = std::max(width, Width(Printable(graph_.name(v))));
    for (const ValueId v : values.first(count)) {
      Line(label,
           Padded(Printable(graph_.name(v)), width + 2) +
               Painted(ToString(report_.dims(), report_.type(v)), label == "out" ? kBold : "", colour_));
    }
    if (count < values.size()) Line(label, fmt::format("... and {} more", values.size() - count));
  }

  void PrintDeclared() {
    std::vector<ValueId> differing;
    size_t width = 0;
    for (const ValueId v : graph_.outputs(graph_.body())) {
      if (CompareDeclaredShape(report_, v) == DeclaredShape::kAgrees) continue;
      if (differing.size() < kShownValues) width = std::max(width, Width(Printable(graph_.name(v))));
      differing.push_back(v);
    }
    const size_t count = std::min(differing.size(), kShownValues);
    for (const ValueId v : std::span(differing).first(count)) {
      const bool weaker = CompareDeclaredShape(report_, v) == DeclaredShape::kWeaker;
      Line("declared", Padded(Printable(graph_.name(v)), width + 2) +
                           ToString(report_.dims(), graph_.declared(v)) +
                           (weaker ? ", weaker than inferred" : ", other than inferred"));
    }
    if (count < differing.size()) Line("declared", fmt::format("... and {} more", differing.size() - count));
  }

  void PrintStats() {
    const ModelStats& stats = report_.stats;
    std::string line = fmt::format("{}: {} static", stats.values, stats.constant);
    if (stats.symbolic > 0) line += fmt::format(", {} symbolic", stats.symbolic);
    if (stats.unknown > 0) line += Painted(fmt::format(", {} unknown", stats.unknown), kYellow, colour_);
    Line("values", line);
  }

  // Prints the facts about symbols of inputs and outputs, except N >= 1 for inputs.
  void PrintSymbols() {
    SymbolCollector symbols(graph_.analysis(), {});
    for (const ValueId v : graph_.inputs(graph_.body())) symbols.Mention(graph_.declared(v));
    for (const ValueId v : graph_.outputs(graph_.body())) symbols.Mention(report_.type(v));
    SymbolDescriptions descriptions(report_);
    size_t shown = 0, left = 0;
    for (const SymbolFacts& facts : symbols.Collect()) {
      std::string known = SymbolFactsText(report_.dims(), facts);
      const bool only_default =
          known.empty() || (facts.min == Dim(1) && facts.max.is_none() && facts.congruence.modulus == 1);
      std::string description = descriptions.Of(facts.symbol);
      if (only_default && description.empty()) continue;
      if (known.empty()) known = report_.dims().ToString(facts.symbol);
      if (description.empty() && facts.origin.starts_with("node ")) description = "from " + facts.origin;
      if (shown++ < kShownSymbols) {
        Line("where", known + (description.empty() ? "" : ": " + Printable(description)));
      } else {
        ++left;
      }
    }
    if (left > 0) Line("where", fmt::format("... and {} more", left));
  }

  void PrintGuards() {
    const size_t count = report_.inference.guards().size();
    if (count == 0) return;
    std::string line = fmt::format("{} left for run time", count);
    if (!list_guards_.empty()) {
      line += fmt::format("; `{}` lists {}", Printable(list_guards_), count == 1 ? "it" : "them");
    }
    Line("guards", line);
  }

  void PrintLosses() {
    const std::vector<NodeId> lost = WhereShapesAreLost(report_);
    for (size_t i = 0; i < std::min(lost.size(), kShownLosses); ++i) {
      Line("unknown", fmt::format("first at {} '{}'", Printable(ShortName(graph_.op_name(lost[i]))),
                                  Printable(report_.names.Node(lost[i]))));
    }
    if (lost.size() > kShownLosses)
      Line("unknown", fmt::format("... and {} more places", lost.size() - kShownLosses));
  }

  void PrintFindings() {
    const auto count = [&](Severity severity) {
      return static_cast<size_t>(std::ranges::count(report_.findings, severity, &Diagnostic::severity));
    };
    const size_t errors = count(Severity::kError), warnings = count(Severity::kWarning);
    if (errors > 0) Line("found", Painted(Counted(errors, "error"), kRed, colour_));
    if (warnings > 0) Line("found", Painted(Counted(warnings, "warning"), kYellow, colour_));
  }

  const ModelReport& report_;
  const Graph& graph_;
  const std::string_view list_guards_;
  const Colour colour_;
  LabelledLines lines_{kLabelWidth, colour_};
};

}  // namespace

std::string ModelSummary(const ModelReport& report, std::string_view list_guards, Colour colour,
                         DeclaredOutputs declared) {
  return SummaryPrinter(report, list_guards, colour).Print(declared);
}

}  // namespace dimwise
