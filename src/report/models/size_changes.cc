#include "report/models/size_changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/text/text_style.h"

namespace dimwise {
namespace {

// Returns "[1, -1, 12, 64]".
std::string ListText(const std::vector<std::string>& elements) {
  return fmt::format("[{}]", fmt::join(elements, ", "));
}

}  // namespace

std::string SizeChangeText(const ModelReport& report, const SizeChange& change) {
  const Graph& graph = report.graph();
  std::string text = fmt::format("  {} '{}': ", ShortName(graph.op_name(change.node)),
                                 Printable(report.names.Node(change.node)));
  if (change.kind == SizeChange::Kind::kAttribute) {
    text += fmt::format("attribute {} {} -> {}", change.attribute, ListText(change.before),
                        ListText(change.elements));
  } else {
    const ValueId operand = graph.operands(change.node)[change.operand];
    const bool expands = change.kind == SizeChange::Kind::kExpand;
    text += fmt::format("'{}' {}{} -> {}", Printable(graph.name(operand)), expands ? "expanded " : "",
                        ListText(change.before), ListText(change.elements));
  }
  return text + "\n";
}

void WriteSizeChanges(JsonWriter& json, const ModelReport& report, std::span<const SizeChange> changes) {
  const Graph& graph = report.graph();
  const auto list = [&](std::string_view key, const std::vector<std::string>& elements) {
    json.Key(key);
    json.BeginArray();
    for (const std::string& element : elements) {
      const bool number = element.find_first_not_of("-0123456789") == std::string::npos;
      number ? json.Raw(element) : json.String(element);
    }
    json.EndArray();
  };
  json.BeginArray();
  for (const SizeChange& change : changes) {
    json.BeginObject();
    json.Key("node");
    json.String(report.names.Node(change.node));
    json.Key("op");
    json.String(ShortName(graph.op_name(change.node)));
    json.Key(change.kind == SizeChange::Kind::kAttribute ? "attribute" : "operand");
    json.String(change.kind == SizeChange::Kind::kAttribute
                    ? std::string_view(change.attribute)
                    : graph.name(graph.operands(change.node)[change.operand]));
    json.Key("change");
    json.String(change.kind == SizeChange::Kind::kExpand ? "expand" : "contents");
    list("before", change.before);
    list("after", change.elements);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace dimwise
