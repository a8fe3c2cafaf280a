#include "report/models/sarif.h"

#include <fmt/format.h>

#include "core/base/diagnostic_text.h"
#include "dimwise/version.h"
#include "report/text/json_writer.h"

namespace dimwise {
namespace {

// Returns a path as a relative reference of RFC 3986.
std::string Uri(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

void Field(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key);
  json.String(text);
}

void Text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key);
  json.BeginObject();
  Field(json, "text", text);
  json.EndObject();
}

void WriteRules(JsonWriter& json) {
  json.BeginArray();
  for (const CodeInfo& code : AllCodes()) {
    json.BeginObject();
    Field(json, "id", CodeName(code.code));
    Field(json, "name", code.name);
    Text(json, "shortDescription", code.meaning);
    Text(json, "help", code.way_out);
    json.EndObject();
  }
  json.EndArray();
}

void WriteLocation(JsonWriter& json, const Diagnostic& finding) {
  json.BeginObject();
  json.Key("physicalLocation");
  json.BeginObject();
  json.Key("artifactLocation");
  json.BeginObject();
  Field(json, "uri", Uri(finding.source.file));
  json.EndObject();
  json.EndObject();
  if (!finding.node.empty()) {
    json.Key("logicalLocations");
    json.BeginArray();
    json.BeginObject();
    Field(json, "name", finding.node);
    Field(json, "kind", finding.op);
    json.EndObject();
    json.EndArray();
  }
  json.EndObject();
}

}  // namespace

std::string SarifHead() {
  std::string text =
      R"({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"tool": )"
      R"({"driver": {"name": "dimwise", "version": )";
  JsonWriter(&text).String(Version());
  text += R"(, "rules": )";
  JsonWriter json(&text);
  WriteRules(json);
  return text + "}}, \"results\": [\n";
}

std::string SarifResults(std::span<const Diagnostic> findings) {
  std::string text;
  for (const Diagnostic& finding : findings) {
    if (!text.empty()) text += ",\n";
    JsonWriter json(&text);
    json.BeginObject();
    Field(json, "ruleId", CodeName(finding.code));
    Field(json, "level", NameOf(finding.severity));
    Text(json, "message", TextWithoutHead(finding));
    json.Key("locations");
    json.BeginArray();
    WriteLocation(json, finding);
    json.EndArray();
    json.EndObject();
  }
  return text;
}

std::string SarifTail() { return "\n]}]}\n"; }

}  // namespace dimwise
