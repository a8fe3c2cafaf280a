#include "report/explain/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "core/base/failure.h"
#include "core/base/nearest_name.h"
#include "dimwise/report.h"
#include "dimwise/result_macros.h"
#include "report/explain/size_trace.h"
#include "report/explain/symbol_explanation.h"
#include "report/text/type_json.h"

namespace dimwise {
namespace {

// Splits the axis off "k[2]". A value whose own name ends like this is found by name first.
std::optional<int64_t> TakeAxis(std::string_view& tensor) {
  const size_t open = tensor.rfind('[');
  if (open == std::string_view::npos || !tensor.ends_with(']')) return std::nullopt;
  int64_t axis = 0;
  const char* end = tensor.data() + tensor.size() - 1;
  const auto [stop, error] = std::from_chars(tensor.data() + open + 1, end, axis);
  if (error != std::errc() || stop != end) return std::nullopt;
  tensor = tensor.substr(0, open);
  return axis;
}

// Returns the results of all nodes of that name.
std::vector<std::string> ResultsOfNode(const ModelReport& report, std::string_view name) {
  const Graph& graph = report.graph();
  std::vector<std::string> results;
  for (uint32_t i = 0; i < graph.node_count(); ++i) {
    const NodeId node{i};
    if (!graph.Has(node) || (graph.name(node) != name && report.names.Node(node) != name)) continue;
    for (const ValueId result : graph.results(node)) {
      if (report.names.IsReported(result)) results.push_back(report.names.Value(result));
    }
  }
  return results;
}

Unexpected NoSuchValue(const ModelReport& report, std::string_view name, std::span<const ValueId> inside) {
  if (!inside.empty()) {
    std::vector<std::string> names;
    for (const ValueId value : inside) names.push_back(report.names.Value(value));
    return Failure(Code::kBadUsage,
                   fmt::format("several sub-graphs of {} have a value '{}'", report.file, name),
                   fmt::format("say which: {}", fmt::join(names, ", ")));
  }
  if (const std::vector<std::string> results = ResultsOfNode(report, name); !results.empty()) {
    return Failure(Code::kBadUsage, fmt::format("{} has no value '{}': it is a node", report.file, name),
                   fmt::format("{} {}", results.size() == 1 ? "its result is" : "its results are",
                               fmt::join(results, ", ")));
  }
  std::vector<std::string> names;
  for (uint32_t i = 0; i < report.graph().value_count(); ++i) {
    if (report.names.IsReported(ValueId{i})) names.push_back(report.names.Value(ValueId{i}));
  }
  const std::string_view near = NearestName(name, std::vector<std::string_view>(names.begin(), names.end()));
  return Failure(Code::kBadUsage, fmt::format("{} has no value '{}'", report.file, name),
                 near.empty()
                     ? fmt::format("`dimwise show {}` lists the nodes with their results", report.file)
                     : fmt::format("did you mean {}?", near));
}

// Explains one axis of a value, or all axes if none is given.
Result<std::vector<ExplainedSize>> ExplainValue(const ModelReport& report, ValueId value,
                                                std::optional<int64_t> axis) {
  using Explanations = std::vector<ExplainedSize>;
  const Type type = report.type(value);
  const std::string name = report.names.Value(value);
  const auto nothing = [&](std::string_view reason) {
    return Explanations{{name, Dim(), fmt::format("{}: {}", ToString(report.dims(), type), reason), {}}};
  };
  if (!type.is_tensor()) return nothing("it has no sizes");
  if (!HasRank(type)) return Explanations{SizeTrace(report).TraceRank(value)};
  const int rank = type.shape.rank();
  if (axis && (*axis < -rank || *axis >= rank)) {
    return Failure(Code::kBadUsage,
                   fmt::format("'{}' is {} and has no axis {}", name, ToString(report.dims(), type), *axis),
                   rank == 0 ? "it has no axes" : fmt::format("its axes are 0 .. {}", rank - 1));
  }
  if (axis) return Explanations{SizeTrace(report).Trace({value, false, *axis < 0 ? *axis + rank : *axis})};
  if (rank == 0 && !report.inference.contents(value).is_none() && !SizeAt(report, {value, true, 0}).is_none())
    return Explanations{SizeTrace(report).Trace({value, true, 0})};
  if (rank == 0) return nothing("it has no axes");
  Explanations explained;
  for (int i = 0; i < rank; ++i) explained.push_back(SizeTrace(report).Trace({value, false, i}));
  return explained;
}

}  // namespace

Result<std::vector<ExplainedSize>> Explain(const ModelReport& report, std::string_view tensor) {
  std::string_view name = tensor;
  std::optional<int64_t> axis;
  ValueId value = report.names.FindValue(name);
  if (value == kNoValue) {
    axis = TakeAxis(name);
    value = report.names.FindValue(name);
  }
  if (value == kNoValue) {
    const std::vector<ValueId> inside = report.names.FindInside(name);
    if (inside.empty()) {
      if (std::optional<ExplainedSize> symbol = ExplainSymbol(report, tensor))
        return std::vector<ExplainedSize>{*std::move(symbol)};
    }
    if (inside.size() != 1) return NoSuchValue(report, name, inside);
    value = inside[0];
  }
  return ExplainValue(report, value, axis);
}

Result<std::string> Explain(const Inference& inference, ValueId value, int axis) {
  if (!inference.graph().Has(value)) {
    return Failure(Code::kBadHandle, fmt::format("there is no value {} in the graph", Index(value)));
  }
  const ModelReport report = ReportOf(inference);
  DIMWISE_ASSIGN_OR_RETURN(const std::vector<ExplainedSize> explained, ExplainValue(report, value, axis));
  return ToString(report.dims(), explained[0]);
}

std::string ExplainCode(const CodeInfo& code, Colour colour) {
  std::string text = Painted(fmt::format("{} {}", CodeName(code.code), code.name), kBold, colour) + "\n\n";
  text += fmt::format("{}\n\n", code.meaning);
  text += fmt::format("{}  {}\n", Painted("Example", kFaint, colour), code.example);
  text += fmt::format("{}  {}\n", Painted("Way out", kFaint, colour), code.way_out);
  return text;
}

void WriteCodes(JsonWriter& json, std::span<const CodeInfo> codes) {
  json.BeginObject();
  json.Key("dimwise");
  json.Int(kFormatVersion);
  json.Key("codes");
  json.BeginArray();
  for (const CodeInfo& code : codes) {
    json.BeginObject();
    const auto field = [&](std::string_view key, std::string_view text) {
      json.Key(key);
      json.String(text);
    };
    field("code", CodeName(code.code));
    field("name", code.name);
    field("meaning", code.meaning);
    field("example", code.example);
    field("way_out", code.way_out);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace dimwise
