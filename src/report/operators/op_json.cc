#include "report/operators/op_json.h"

#include "report/text/symbol_facts.h"
#include "report/text/type_json.h"

namespace dimwise {
namespace {

// The name of the only node.
constexpr std::string_view kNode = "#0";

}  // namespace

void WriteOpAnswer(JsonWriter& json, Analysis& analysis, const OpAnswer& answer) {
  DimTable& dims = analysis.dims();
  SymbolCollector symbols(analysis, "node " + std::string(kNode) + " (" + answer.def->name + ")");
  json.Key("ok");
  json.Bool(true);

  json.Key("inputs");
  json.BeginArray();
  for (const OpOperand& input : answer.inputs) {
    if (!input.given) {
      json.Null();
      continue;
    }
    WriteType(json, dims, input.type);
    symbols.Mention(input.type);
  }
  json.EndArray();

  json.Key("outputs");
  json.BeginArray();
  for (size_t i = 0; i < answer.outputs.size(); ++i) {
    const Value value = answer.output_values[i];
    json.BeginObject();
    WriteTypeFields(json, dims, answer.outputs[i]);
    symbols.Mention(answer.outputs[i]);
    if (!value.is_none() && value.size() <= ValueTable::kMaxElements) {
      json.Key("value");
      WriteContents(json, dims, value);
      symbols.Mention(value);
    }
    json.EndObject();
  }
  json.EndArray();

  for (const Guard& guard : answer.guards) symbols.Mention(guard.condition);
  json.Key("symbols");
  WriteSymbols(json, dims, symbols.Collect());

  json.Key("checks");
  json.BeginArray();
  for (const Guard& guard : answer.guards) WriteGuard(json, dims, guard, kNode);
  json.EndArray();
}

void WriteOpFailure(JsonWriter& json, const Diagnostic& diagnostic) {
  json.Key("ok");
  json.Bool(false);
  json.Key("diagnostics");
  json.BeginArray();
  WriteDiagnostic(json, diagnostic);
  json.EndArray();
}

}  // namespace dimwise
