#include "infer/operators/rule_examples.h"

#include <charconv>
#include <deque>

#include "core/base/text_pieces.h"
#include "dimwise/inference_context.h"
#include "infer/context/operand_text.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

// Splits at `separator` outside brackets and quotes.
std::vector<std::string_view> SplitOutside(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c != separator || depth != 0) continue;
    pieces.push_back(Trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (!Trimmed(text.substr(begin)).empty() || !pieces.empty()) pieces.push_back(Trimmed(text.substr(begin)));
  return pieces;
}

std::string Contents(DimTable& dims, const Value& v) {
  std::string text = "={";
  for (int64_t i = 0; i < v.size(); ++i) {
    if (i > 0) text += ", ";
    const Dim d = v.Integer(i);
    const std::optional<double> f = v.FloatingPoint(i).constant();
    if (!d.is_none()) {
      text += dims.ToString(d);
    } else if (f) {
      std::string number = std::to_string(*f);
      while (number.size() > 1 && number.back() == '0' && number[number.size() - 2] != '.') number.pop_back();
      text += number;
    } else {
      text += "?";
    }
  }
  return text + "}";
}

// Returns the text without optional white space.
std::string Normal(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c != ' ') out += c;
  }
  return out;
}

}  // namespace

Result<ExampleCall> ParseExampleCall(Analysis& analysis, const rules::Rule& rule, std::string_view call) {
  const OpDef def = DefinitionOf(rule);
  ExampleCall parsed;
  int results = -1;
  for (std::string_view word : SplitOutside(call, ';')) {
    if (word.empty()) continue;
    const auto number = [&](std::string_view name, int* out) {
      if (!word.starts_with(name)) return false;
      std::from_chars(word.data() + name.size(), word.data() + word.size(), *out);
      return true;
    };
    if (number("version=", &parsed.version) || number("results=", &results)) continue;
    if (IsAttributeText(word)) {
      if (Status s = ParseAttribute(def, word, &parsed.attrs); !s) return std::move(s).TakeError();
      continue;
    }
    Result<OpOperand> operand = ParseOperand(analysis, word, &parsed.bytes.emplace_back());
    if (!operand) return std::move(operand).TakeError();
    if (!operand->given) operand->type = Type();
    parsed.operands.push_back(*operand);
  }
  for (const ArgDef& a : def.outputs) parsed.results += a.optional ? 0 : 1;
  if (results >= 0) parsed.results = results;
  return parsed;
}

std::string AnswerExample(const rules::Rule& rule, std::string_view call) {
  Analysis analysis;
  const OpDef def = DefinitionOf(rule);
  const Result<ExampleCall> parsed = ParseExampleCall(analysis, rule, call);
  if (!parsed) return "error: " + parsed.error().message;
  std::vector<Type> types;
  std::vector<Value> values;
  for (const OpOperand& o : parsed->operands) {
    types.push_back(o.type);
    values.push_back(o.value);
  }
  NodeDescription node;
  node.name = "example";
  node.op = &def;
  node.attrs = &parsed->attrs;
  node.num_outputs = parsed->results;
  node.version = parsed->version;
  node.owner = 1;
  InferenceContext context(analysis, node, std::span<const Type>(types), values);
  const Status status = context.Run([&](InferenceContext* c) { return ApplyRule(rule, c); });
  if (!status) return "error: " + status.error().message;
  std::string text;
  for (int i = 0; i < context.num_outputs(); ++i) {
    if (i > 0) text += "; ";
    Type type = context.full_output_type(i);
    text += ToString(analysis.dims(), type);
    if (const Value v = context.output_value(i); !v.is_none()) text += Contents(analysis.dims(), v);
  }
  std::string guards;
  for (const Guard& c : context.guards())
    guards += (guards.empty() ? "" : "; ") + ToString(analysis.dims(), c.condition);
  return guards.empty() ? text : text + " if " + guards;
}

std::vector<std::string_view> ExamplesOf(const rules::Rule& rule) {
  std::vector<std::string_view> examples;
  for (const rules::Operator* o : {rule.base, rule.declared}) {
    if (o == nullptr) continue;
    for (const rules::Statement& s : o->statements) {
      if (s.kind == rules::StatementKind::kExample) examples.push_back(s.text);
    }
  }
  for (const rules::RulePart& part : rule.more) {
    for (const rules::Statement& s : part.declared->statements) {
      if (s.kind == rules::StatementKind::kExample) examples.push_back(s.text);
    }
  }
  return examples;
}

std::vector<ExampleOutcome> RunExamples(const rules::Rule& rule) {
  std::vector<ExampleOutcome> outcomes;
  for (const std::string_view example : ExamplesOf(rule)) {
    const size_t arrow = example.find("->");
    ExampleOutcome o;
    o.example = example;
    if (arrow == std::string_view::npos) {
      o.expected = "an arrow -> and the results";
      o.found = example;
    } else {
      o.expected = Normal(Trimmed(example.substr(arrow + 2)));
      o.found = AnswerExample(rule, example.substr(0, arrow));
      if (Normal(o.found) == o.expected) o.found = o.expected;
    }
    outcomes.push_back(std::move(o));
  }
  return outcomes;
}

}  // namespace dimwise
