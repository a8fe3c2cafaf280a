// Writes a shape program as JSON: its expressions in the order of computation with their table indices, and
// everything that refers to these indices.
#include "dimwise/report.h"
#include "infer/program/program_code.h"
#include "report/text/json_writer.h"

namespace dimwise {
namespace {

std::string_view KindName(ShapeProgram::GuardKind kind) {
  switch (kind) {
    case ShapeProgram::GuardKind::kInput:
      return "input";
    case ShapeProgram::GuardKind::kAssumption:
      return "assumption";
    case ShapeProgram::GuardKind::kValidity:
      return "validity";
    case ShapeProgram::GuardKind::kModel:
      break;
  }
  return "model";
}

class ProgramJson {
 public:
  ProgramJson(JsonWriter& json, const ShapeProgram& program)
      : json_(json), program_(program), code_(program.code()) {}

  void Write() {
    json_.BeginObject();
    Field("dimwise", 1);
    Text("model", code_.name);
    Field("table_size", program_.table_size());
    Array("symbols", program_.symbols(), [&](const ShapeProgram::Symbol& s) {
      Text("name", s.name);
      Field("place", s.index);
      Text("origin", s.origin);
      Bool("of_inputs", s.of_inputs);
      Field("stage", s.stage);
      if (s.value.empty()) return;
      Text("value", s.value);
      s.axis >= 0 ? Field("axis", s.axis) : Field("element", s.element);
    });
    Array("input_sizes", program_.input_sizes(), [&](const ShapeProgram::InputSize& s) {
      Text("value", s.value);
      Field("axis", s.axis);
      Text("expression", s.expression);
      Field("place", s.index);
    });
    if (!program_.given().empty()) {
      json_.Key("given");
      json_.BeginArray();
      for (const std::string& given : program_.given()) json_.String(given);
      json_.EndArray();
    }
    WriteStages();
    WriteExpressions();
    Array("checks", program_.guards(), [&](const ShapeProgram::Guard& c) {
      Text("require", c.require);
      Text("message", c.message);
      Text("kind", KindName(c.kind));
      Field("stage", c.stage);
      if (!c.node.empty()) Text("node", c.node);
      if (!c.op.empty()) Text("op", c.op);
    });
    WriteValues();
    WritePeak();
    json_.EndObject();
  }

 private:
  void Text(std::string_view key, std::string_view text) {
    json_.Key(key);
    json_.String(text);
  }
  template <typename T>
  void Field(std::string_view key, T number) {
    json_.Key(key);
    json_.Int(static_cast<int64_t>(number));
  }
  void Bool(std::string_view key, bool truth) {
    json_.Key(key);
    json_.Bool(truth);
  }
  template <typename Items, typename F>
  void Array(std::string_view key, const Items& items, F&& write) {
    json_.Key(key);
    json_.BeginArray();
    for (const auto& item : items) {
      json_.BeginObject();
      write(item);
      json_.EndObject();
    }
    json_.EndArray();
  }

  void WriteStages() {
    Array("stages", program_.stages(), [&](const ShapeProgram::Stage& stage) {
      if (!stage.where.empty()) Text("where", stage.where);
      if (!stage.node.empty()) Text("node", stage.node);
      if (stage.after >= 0) Field("after", stage.after);
      json_.Key("needs");
      json_.BeginArray();
      for (const uint32_t s : stage.needs) json_.String(program_.symbols()[s].name);
      json_.EndArray();
    });
  }

  // Writes constants, symbols and computed sizes by index. Intermediate results are omitted.
  void WriteExpressions() {
    json_.Key("expressions");
    json_.BeginArray();
    for (TableIndex index = 0; index < code_.table.size(); ++index) {
      if (code_.expressions[index].empty()) continue;
      json_.BeginObject();
      Field("place", index);
      json_.Key("expression");
      code_.is_constant[index] ? json_.Int(code_.table[index]) : json_.String(code_.expressions[index]);
      json_.EndObject();
    }
    json_.EndArray();
    json_.Key("definitions");
    json_.BeginObject();
    for (const auto& [name, text] : code_.definitions) Text(name, text);
    json_.EndObject();
  }

  void WriteValues() {
    json_.Key("values");
    json_.BeginObject();
    for (const ShapeProgram::Value& v : program_.values()) {
      json_.Key(v.name);
      json_.BeginObject();
      json_.Key("dtype");
      v.element == ElementType::kUnknown ? json_.Null() : json_.String(ToString(v.element));
      json_.Key("shape");
      if (v.rank < 0) {
        json_.Null();
      } else {
        json_.BeginArray();
        for (const uint32_t index : program_.ShapeOf(v)) json_.Int(index);
        json_.EndArray();
      }
      Field("stage", v.stage);
      if (v.bytes) Field("bytes", *v.bytes);
      if (v.constant) Bool("constant", true);
      json_.EndObject();
    }
    json_.EndObject();
  }

  void WritePeak() {
    const ShapeProgram::Peak& peak = program_.peak();
    json_.Key("peak_bytes");
    json_.BeginObject();
    if (peak.index) Field("place", *peak.index);
    if (!peak.expression.empty()) Text("expression", peak.expression);
    if (!peak.node.empty()) Text("node", peak.node);
    Field("not_counted", peak.not_counted);
    json_.EndObject();
  }

  JsonWriter& json_;
  const ShapeProgram& program_;
  const ProgramCode& code_;
};

}  // namespace

std::string ProgramAsJson(const ShapeProgram& program) {
  std::string text;
  JsonWriter json(&text);
  ProgramJson(json, program).Write();
  return text + "\n";
}

}  // namespace dimwise
