#include "report/models/declared_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/types/known_parts.h"

namespace dimwise {
namespace {

// Returns the difference, such as "axis 1 is 8, not 16"; empty if both types may be equal.
std::string Difference(const ModelReport& report, const Type& declared, const Type& inferred, ScopeId scope) {
  if (declared.kind == TypeKind::kUnknown || inferred.kind == TypeKind::kUnknown) return {};
  if (declared.kind != inferred.kind) return "it is not of the kind that the file declares";
  if (!declared.is_tensor()) return {};
  if (declared.element != ElementType::kUnknown && inferred.element != ElementType::kUnknown &&
      declared.element != inferred.element) {
    return fmt::format("its elements are {}, not {}", ToString(inferred.element), ToString(declared.element));
  }
  if (!HasRank(declared) || !HasRank(inferred)) return {};
  if (declared.shape.rank() != inferred.shape.rank()) {
    return fmt::format("its rank is {}, not {}", inferred.shape.rank(), declared.shape.rank());
  }
  Facts& facts = report.graph().analysis().facts();
  for (int axis = 0; axis < declared.shape.rank(); ++axis) {
    const Dim claim = declared.shape[axis], found = inferred.shape[axis];
    if (claim == found || facts.Equal(claim, found, scope) != Truth::kNo) continue;
    return fmt::format("its axis {} is {}, not {}", axis, report.dims().ToString(found),
                       report.dims().ToString(claim));
  }
  return {};
}

bool IsSymbolOfInput(const ModelReport& report, Dim symbol) {
  const Graph& graph = report.graph();
  const auto mentions = [&](const Type& type) {
    if (!IsRanked(type)) return false;
    return std::ranges::any_of(type.shape.dims(), [&](Dim size) {
      if (!size.is_expression()) return false;
      const std::span<const Dim> symbols = report.dims().SymbolsOf(size);
      return std::ranges::find(symbols, symbol) != symbols.end();
    });
  };
  return std::ranges::any_of(graph.inputs(graph.body()), [&](ValueId input) {
    return mentions(graph.declared(input)) || mentions(report.type(input));
  });
}

// Returns whether a size contains a symbol that inference generated.
bool IsPartlyUnknown(DimTable& dims, Dim size) {
  if (!size.is_expression()) return size.is_none();
  return std::ranges::any_of(dims.SymbolsOf(size),
                             [&](Dim symbol) { return !dims.GetSymbol(symbol).of_user; });
}

}  // namespace

std::optional<Diagnostic> Disagreement(const ModelReport& report, ValueId result) {
  const Graph& graph = report.graph();
  const Type declared = graph.declared(result);
  if (declared.kind == TypeKind::kUnknown) return std::nullopt;
  const Type inferred = report.type(result);
  if (declared == inferred) return std::nullopt;
  const std::string difference =
      Difference(report, declared, inferred, report.inference.scope(graph.region(result)));
  if (difference.empty()) return std::nullopt;

  const NodeId maker = graph.maker(result);
  Diagnostic finding;
  finding.code = Code::kDeclaredType;
  finding.severity = Severity::kWarning;
  finding.message = fmt::format("'{}' differs from its declaration in the file: {}",
                                report.names.Value(result), difference);
  finding.source.file = report.file;
  finding.node = report.names.Node(maker);
  finding.op = ShortName(graph.op_name(maker));
  finding.index = graph.position(maker);
  finding.sides.push_back({"declared", ToString(report.dims(), declared), ""});
  finding.sides.push_back({"inferred", ToString(report.dims(), inferred), ""});
  finding.help = "the inferred type is used; `dimwise infer -o` writes it into the file";
  return finding;
}

DeclaredShape CompareDeclaredShape(const ModelReport& report, ValueId output) {
  const Graph& graph = report.graph();
  const Type declared = graph.declared(output), inferred = report.type(output);
  if (graph.role(output) != ValueRole::kResult || !IsRanked(declared) || !IsRanked(inferred) ||
      Disagreement(report, output)) {
    return DeclaredShape::kAgrees;
  }
  DimTable& dims = report.dims();
  const ScopeId scope = report.inference.scope(graph.region(output));
  DeclaredShape result = DeclaredShape::kAgrees;
  for (int axis = 0; axis < declared.shape.rank(); ++axis) {
    const Dim claim = declared.shape[axis], found = inferred.shape[axis];
    if (claim == found || IsPartlyUnknown(dims, found)) continue;
    if (graph.analysis().facts().Equal(claim, found, scope) == Truth::kYes) continue;
    const bool is_free = claim.is_none() || (claim.is_expression() && dims.Kind(claim) == DimKind::kSymbol &&
                                             !IsSymbolOfInput(report, claim));
    if (!is_free) return DeclaredShape::kDiffers;
    result = DeclaredShape::kWeaker;
  }
  return result;
}

}  // namespace dimwise
