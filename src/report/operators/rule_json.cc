#include "report/operators/rule_json.h"

#include "report/text/type_json.h"

namespace dimwise {
namespace {

void WriteTextField(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key);
  json.String(text);
}

void WriteTextIfAny(JsonWriter& json, std::string_view key, std::string_view text) {
  if (!text.empty()) WriteTextField(json, key, text);
}

template <typename T, typename Write>
void WriteList(JsonWriter& json, std::string_view key, const std::vector<T>& list, const Write& write) {
  json.Key(key);
  json.BeginArray();
  for (const T& element : list) write(element);
  json.EndArray();
}

template <typename T, typename Write>
void WriteObjects(JsonWriter& json, std::string_view key, const std::vector<T>& list, const Write& write) {
  WriteList(json, key, list, [&](const T& element) {
    json.BeginObject();
    write(element);
    json.EndObject();
  });
}

void WriteTexts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  WriteList(json, key, texts, [&](const std::string& text) { json.String(text); });
}

void WriteConditions(JsonWriter& json, std::string_view key,
                     const std::vector<RuleDocument::Condition>& conditions) {
  WriteObjects(json, key, conditions, [&](const RuleDocument::Condition& condition) {
    WriteTextField(json, "condition", condition.text);
    WriteTextIfAny(json, "message", condition.message);
  });
}

void WriteAttribute(JsonWriter& json, const RuleDocument::Attr& a) {
  WriteTextField(json, "name", a.name);
  WriteTextField(json, "kind", a.kind);
  json.Key("required");
  json.Bool(a.otherwise.empty() && !a.optional);
  WriteTextIfAny(json, "default", a.otherwise);
  WriteTextIfAny(json, "minimum", a.minimum);
  WriteTextIfAny(json, "maximum", a.maximum);
  if (!a.allowed.empty()) WriteTexts(json, "allowed", a.allowed);
}

void WriteVersion(JsonWriter& json, const RuleDocument::Version& version) {
  json.Key("since");
  json.Int(version.since);
  if (version.until != 0) {
    json.Key("until");
    json.Int(version.until);
  }
  json.Key("shown");
  json.Bool(version.is_shown);
}

}  // namespace

void WriteRule(JsonWriter& json, const RuleDocument& document) {
  const bool is_rule = !document.file.empty();
  json.BeginObject();
  json.Key("dimwise");
  json.Int(kFormatVersion);
  WriteTextField(json, "name", document.name);
  WriteTextField(json, "doc", document.doc);
  WriteTextField(json, "implementation", is_rule ? "rule" : "function");
  WriteObjects(json, "signatures", document.signatures, [&](const RuleDocument::Signature& signature) {
    WriteTextIfAny(json, "part", signature.part);
    WriteTextField(json, "text", signature.text);
  });
  WriteTexts(json, "types", document.types);
  WriteObjects(json, "attributes", document.attributes,
               [&](const RuleDocument::Attr& a) { WriteAttribute(json, a); });
  WriteObjects(json, "sub_graphs", document.sub_graphs, [&](const RuleDocument::SubGraph& graph) {
    WriteTextField(json, "attribute", graph.attribute);
    WriteTexts(json, "takes", graph.takes);
    WriteTexts(json, "gives", graph.gives);
  });
  WriteTexts(json, "regions", document.regions);
  WriteConditions(json, "requires", document.requirements);
  WriteConditions(json, "assumes", document.assumptions);
  WriteConditions(json, "ensures", document.guarantees);
  WriteObjects(json, "contents", document.contents, [&](const RuleDocument::Contents& contents) {
    WriteTextField(json, "result", contents.result);
    WriteTextField(json, "expression", contents.expression);
  });
  WriteObjects(json, "functions", document.functions, [&](const RuleDocument::Fn& function) {
    WriteTextField(json, "signature", function.signature);
    WriteTextIfAny(json, "doc", function.doc);
  });
  WriteObjects(json, "versions", document.versions,
               [&](const RuleDocument::Version& version) { WriteVersion(json, version); });
  WriteObjects(json, "examples", document.examples, [&](const RuleDocument::Example& example) {
    WriteTextField(json, "call", example.call);
    WriteTextField(json, "result", example.result);
  });
  if (is_rule) {
    json.Key("source");
    json.BeginObject();
    WriteTextField(json, "file", document.file);
    json.Key("line");
    json.Int(document.line);
    json.EndObject();
  }
  json.EndObject();
}

void WriteOperators(JsonWriter& json, std::span<const OpDef* const> operators) {
  json.BeginObject();
  json.Key("dimwise");
  json.Int(kFormatVersion);
  json.Key("operators");
  json.BeginArray();
  for (const OpDef* op : operators) {
    json.BeginObject();
    WriteTextField(json, "name", op->FullName());
    json.Key("since");
    json.Int(op->since);
    WriteTextIfAny(json, "doc", op->doc);
    WriteTextIfAny(json, "deprecated", op->deprecated);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace dimwise
