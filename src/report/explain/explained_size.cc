#include "report/explain/explained_size.h"

#include <fmt/format.h>

#include "report/models/model_json.h"
#include "report/text/type_json.h"

namespace dimwise {
namespace {

constexpr size_t kFirstLines = 30, kLastLines = 10;  // printed of a long trace

}  // namespace

std::string ToString(DimTable& dims, const ExplainedSize& explained, Colour colour) {
  const std::vector<ExplainedSize::Step>& steps = explained.steps;
  std::string text = Painted(explained.subject, kBold, colour) + " is ";
  if (!explained.size.is_none()) text += Painted(dims.ToString(explained.size), kCyan, colour) + ": ";
  text += explained.about + "\n";
  const bool is_long = steps.size() > kFirstLines + kLastLines + 1;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (is_long && i == kFirstLines) {
      const size_t left_out = steps.size() - kFirstLines - kLastLines;
      text += fmt::format("  ... {} lines more, and at the end\n", left_out);
      i += left_out;
    }
    text += std::string(static_cast<size_t>(steps[i].depth) * 2, ' ') + steps[i].text + "\n";
  }
  return text;
}

void WriteExplanations(JsonWriter& json, const ModelReport& report,
                       std::span<const ExplainedSize> explained) {
  json.BeginObject();
  WriteModelHead(json, report);
  json.Key("explanations");
  json.BeginArray();
  for (const ExplainedSize& one : explained) {
    json.BeginObject();
    json.Key("subject");
    json.String(one.subject);
    if (!one.size.is_none()) {
      json.Key("size");
      WriteSize(json, report.dims(), one.size);
    }
    json.Key("about");
    json.String(one.about);
    json.Key("steps");
    json.BeginArray();
    for (const ExplainedSize::Step& step : one.steps) {
      json.BeginObject();
      json.Key("depth");
      json.Int(step.depth);
      json.Key("text");
      json.String(step.text);
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace dimwise
