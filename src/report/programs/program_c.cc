// Writes a shape program as C. The caller owns the table, which is an array; each stage is a function over
// it. The output is readable: the indices of symbols have names, and each computed size has a comment.
#include <fmt/format.h>

#include <algorithm>

#include "dimwise/report.h"
#include "dimwise/version.h"
#include "infer/program/program_code.h"
#include "report/programs/float_steps_in_c.h"
#include "report/text/identifiers.h"

namespace dimwise {
namespace {

// Returns text from a model in a form that is safe inside a comment.
std::string Comment(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const bool plain = c >= 0x20 && c < 0x7f;
    if (plain && c == '/' && !safe.empty() && (safe.back() == '*' || safe.back() == '/')) safe += ' ';
    if (plain && c == '*' && !safe.empty() && safe.back() == '/') safe += ' ';
    safe += plain && c != '\\' && c != '?' ? c : '.';
  }
  return safe;
}

// Returns a string literal, limited to a length that all compilers accept. Bytes other than plain ASCII are
// escaped, and so is ?, which may begin a trigraph.
std::string CString(std::string_view text) {
  constexpr size_t kMaxLength = 4000;
  std::string quoted = "\"";
  for (const char c : text.substr(0, kMaxLength)) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c >= 0x20 && c < 0x7f && c != '?') {
      quoted += c;
    } else {
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return quoted + "\"";
}

std::string Number(int64_t value) {
  if (value == INT64_MIN) return "INT64_MIN";
  return value > INT32_MAX || value < INT32_MIN ? fmt::format("INT64_C({})", value) : std::to_string(value);
}

std::string Upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

// Returns the prefix of all names: "transformer" for a model of that name.
std::string PrefixOf(std::string_view name) {
  std::string prefix = IdentifierPart(name);
  prefix.erase(0, prefix.find_first_not_of('_'));
  if (prefix.empty() || (prefix[0] >= '0' && prefix[0] <= '9'))
    prefix = "model" + (prefix.empty() ? "" : "_" + prefix);
  std::ranges::transform(prefix, prefix.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return prefix;
}

struct HelperText {
  IntegerOp op;
  std::string_view text;  // @ is replaced by the prefix
};

constexpr HelperText kHelpers[] = {
    {IntegerOp::kAdd, R"(static int @_add(int64_t a, int64_t b, int64_t *out) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return 1;
  *out = a + b;
  return 0;
}
)"},
    {IntegerOp::kSubtract, R"(static int @_subtract(int64_t a, int64_t b, int64_t *out) {
  if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b) return 1;
  *out = a - b;
  return 0;
}
)"},
    {IntegerOp::kMultiply, R"(static int @_multiply(int64_t a, int64_t b, int64_t *out) {
  if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a)
            : (b > 0 ? a < INT64_MIN / b : a != 0 && b < INT64_MAX / a)) {
    return 1;
  }
  *out = a * b;
  return 0;
}
)"},
    {IntegerOp::kFloorDivide, R"(/* Rounds towards minus infinity. */
static int @_divide(int64_t a, int64_t b, int64_t *out) {
  if (b == 0) return 2;
  if (b == -1 && a == INT64_MIN) return 1;
  *out = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  return 0;
}
)"},
    {IntegerOp::kBroadcast, R"(static int @_broadcast(int64_t a, int64_t b, int64_t *out) {
  if (a != b && a != 1 && b != 1) return 3;
  *out = a == 1 ? b : a;
  return 0;
}
)"},
};

class CWriter {
 public:
  explicit CWriter(const ShapeProgram& program)
      : program_(program), code_(program.code()), prefix_(PrefixOf(code_.name)) {
    macro_ = Upper(prefix_);
    has_floats_ = Contains(IntegerOp::kFloat);
    for (const char* fixed : {"_TABLE_SIZE", "_VALUE_COUNT", "_CHECK_COUNT", "_STAGE_COUNT", "_PEAK_BYTES",
                              "_API", "_OVERFLOW", "_DIVIDES_BY_ZERO", "_CANNOT_BROADCAST"}) {
      identifiers_.Reserve(macro_ + fixed);
    }
  }

  std::string Write() {
    Head();
    Constants();
    Declarations();
    Helpers();
    Tables();
    Functions();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void Head() {
    Line("/* Shapes of the model {}, from the sizes of its inputs. Written by dimwise {}.",
         Comment(code_.name), Version());
    Line(" *");
    Line(" *   int64_t t[{}_TABLE_SIZE];", macro_);
    Line(" *   {}_init(t);", prefix_);
    for (const ShapeProgram::Symbol& symbol : program_.symbols()) {
      if (symbol.of_inputs)
        Line(" *   t[{}_SYMBOL_...] = ...;  (each symbol of the inputs; or t[{}_SIZE_...] and {}_bind(t))",
             macro_, macro_, prefix_);
      if (symbol.of_inputs) break;
    }
    Line(" *   int code = {}_stage_0(t);", prefix_);
    Line(" *   if (code != 0) puts({}_message(code));", prefix_);
    Line(" *");
    Line(
        " * A stage returns 0, or k > 0, the number of the first guard that failed, or a negative number if "
        "a "
        "result");
    Line(" * exceeds 64 bits. After 0, {}_shape returns the sizes of each value of the stage, and", prefix_);
    Line(
        " * {}_memory_0 computes bytes. The caller sets a data-dependent size ({}_DATA_...) when it is "
        "known, "
        "before the",
        prefix_, macro_);
    Line(" * stage that needs it. Functions have no state: threads need only a table each.");
    if (!program_.given().empty()) {
      Line(" *\n * The program is valid only if these conditions hold. It does not test them.");
      for (const std::string& given : program_.given()) Line(" *   {}", Comment(given));
    }
    out_.pop_back();
    Line(" */");
    Line("#include <stdint.h>{}\n", has_floats_ ? "\n#include <string.h>" : "");
    Line("#ifndef {}_API\n#define {}_API  /* \"static\" if this file is included */\n#endif\n", macro_,
         macro_);
  }

  void Constants() {
    Line("enum {{");
    Line("  {}_TABLE_SIZE = {},", macro_, program_.table_size());
    Line("  {}_STAGE_COUNT = {},", macro_, program_.stages().size());
    Line("  {}_CHECK_COUNT = {},", macro_, program_.guards().size());
    if (program_.peak().index)
      Line("  {}_PEAK_BYTES = {},  /* index of the peak of activations */", macro_, *program_.peak().index);
    Line("  {}_OVERFLOW = {},  /* {} */", macro_, kOverflow, NegativeCodeText(kOverflow));
    Line("  {}_DIVIDES_BY_ZERO = {},", macro_, kDividesByZero);
    Line("  {}_CANNOT_BROADCAST = {}", macro_, kCannotBroadcast);
    Line("}};\n");
    names_by_index_.resize(program_.table_size());
    std::vector<std::string> lines;
    for (const ShapeProgram::Symbol& symbol : program_.symbols()) {
      const std::string name =
          identifiers_.Unique(macro_ + (symbol.of_inputs ? "_SYMBOL_" : "_DATA_"), symbol.name);
      names_by_index_[symbol.index] = name;
      std::string what = symbol.origin;
      if (!symbol.of_inputs && !symbol.value.empty()) {
        what = symbol.axis >= 0 ? fmt::format("size of {} along axis {}", symbol.value, symbol.axis)
                                : fmt::format("element {} of {}", symbol.element, symbol.value);
        what += fmt::format("; needed by stage {}", symbol.stage);
      }
      lines.push_back(fmt::format("{} = {}|{}: {}", name, symbol.index, Comment(symbol.name), Comment(what)));
    }
    Enum("Table indices that the caller sets.", lines);
    lines.clear();
    for (const ShapeProgram::InputSize& size : program_.input_sizes()) {
      const std::string name =
          identifiers_.Unique(macro_ + "_SIZE_", fmt::format("{}_{}", size.value, size.axis));
      names_by_index_[size.index] = name;
      lines.push_back(fmt::format("{} = {}|{}", name, size.index, Comment(size.expression)));
    }
    Enum(fmt::format("Indices of the sizes of the inputs, for {}_bind only.", prefix_), lines);
    lines.clear();
    for (const ShapeProgram::Value& value : program_.values()) {
      if (value.constant) continue;
      lines.push_back(fmt::format("{} = {}|{}", identifiers_.Unique(macro_ + "_VALUE_", value.name),
                                  values_.size(), Comment(value.name)));
      values_.push_back(&value);
    }
    Enum(fmt::format("Values, for {}_shape and {}_values.", prefix_, prefix_), lines);
  }

  // Writes an enum from lines of the form `NAME = number|comment`.
  void Enum(const std::string& about, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    Line("/* {} */\nenum {{", about);
    for (size_t i = 0; i < lines.size(); ++i) {
      const size_t bar = lines[i].find('|');
      Line("  {}{}  /* {} */", lines[i].substr(0, bar), i + 1 < lines.size() ? "," : "",
           lines[i].substr(bar + 1));
    }
    Line("}};\n");
  }

  void Declarations() {
    Line("typedef struct {{");
    Line("  const char *name;\n  const char *element_type;");
    Line("  int rank;   /* -1: not known */");
    Line("  int first;  /* index of its first entry in {}_axes */", prefix_);
    Line("  int stage;  /* the stage that computes its sizes */");
    Line("  int bytes;  /* index of its bytes, set by {}_memory_...; -1: not known */", prefix_);
    Line("}} {}_value;\n", prefix_);
    Line("extern const {0}_value {0}_values[];\nextern const int {0}_axes[];\n", prefix_);
    Line("/* Sets the constants. */\n{}_API void {}_init(int64_t *t);", macro_, prefix_);
    Line(
        "/* Computes the symbols from the sizes of the inputs, which must agree. */\n{}_API int "
        "{}_bind(int64_t "
        "*t);",
        macro_, prefix_);
    for (size_t k = 0; k < program_.stages().size(); ++k) {
      Line("/* {} */", Comment(StageText(k)));
      Line("{}_API int {}_stage_{}(int64_t *t);", macro_, prefix_, k);
      Line("{}_API int {}_memory_{}(int64_t *t);", macro_, prefix_, k);
    }
    Line("/* Writes the sizes of a value and returns its rank, or -1. */");
    Line("{}_API int {}_shape(int value, const int64_t *t, int64_t *sizes);", macro_, prefix_);
    Line("{}_API const char *{}_message(int code);\n", macro_, prefix_);
  }

  std::string StageText(size_t k) const {
    const ShapeProgram::Stage& stage = program_.stages()[k];
    std::string text = fmt::format("Stage {}", k);
    if (!stage.where.empty()) text += ", where " + stage.where + " runs";
    if (stage.after >= 0) text += fmt::format(", after stage {}", stage.after);
    if (!stage.node.empty()) text += ", when " + stage.node + " has run";
    std::string names;
    for (const uint32_t s : stage.needs) names += (names.empty() ? "" : ", ") + program_.symbols()[s].name;
    return text + (names.empty() ? "." : ": needs " + names + ".");
  }

  bool Contains(IntegerOp op) const {
    return std::ranges::find(code_.instructions, op, &Instruction::op) != code_.instructions.end();
  }

  void WithPrefix(std::string_view text) {
    for (const char c : text) {
      if (c == '@') {
        out_ += prefix_;
      } else {
        out_ += c;
      }
    }
    out_ += '\n';
  }

  void Helpers() {
    for (const HelperText& helper : kHelpers) {
      if (Contains(helper.op)) WithPrefix(helper.text);
    }
    if (!has_floats_) return;
    WithPrefix(FloatSupportInC());
    for (size_t k = 0; k < kFloatStepCount; ++k) {
      const auto is_step = [&](const Instruction& i) {
        return i.op == IntegerOp::kFloat && i.step == static_cast<FloatStep>(k);
      };
      if (std::ranges::any_of(code_.instructions, is_step))
        WithPrefix(FloatStepInC(static_cast<FloatStep>(k)));
    }
  }

  void Tables() {
    Line("const {0}_value {0}_values[] = {{", prefix_);
    for (const ShapeProgram::Value* value : values_) {
      Line("  {{{}, {}, {}, {}, {}, {}}},", CString(value->name), CString(ToString(value->element)),
           value->rank, value->first, value->stage, value->bytes ? static_cast<int>(*value->bytes) : -1);
    }
    Line("  {{0, 0, -1, 0, 0, -1}}\n}};\n");
    Line("const int {}_axes[] = {{", prefix_);
    std::string row = " ";
    for (const uint32_t index : program_.axes()) {
      row += fmt::format(" {},", index);
      if (row.size() > 100) {
        Line("{}", row);
        row = " ";
      }
    }
    Line("{} -1\n}};\n", row);
  }

  void Functions() {
    Line("void {}_init(int64_t *t) {{", prefix_);
    for (TableIndex index = 0; index < code_.table.size(); ++index) {
      if (code_.is_constant[index]) Line("  t[{}] = {};", index, Number(code_.table[index]));
    }
    if (std::ranges::find(code_.is_constant, true) == code_.is_constant.end()) Line("  (void)t;");
    Line("}}\n");
    Function("bind", code_.bind);
    for (size_t k = 0; k < program_.stages().size(); ++k) {
      Function(fmt::format("stage_{}", k), code_.shapes[k]);
      Function(fmt::format("memory_{}", k), code_.memory[k]);
    }
    Line("int {}_shape(int value, const int64_t *t, int64_t *sizes) {{", prefix_);
    Line("  const {0}_value *v = &{0}_values[value];\n  int i;", prefix_);
    Line("  for (i = 0; i < v->rank; ++i) sizes[i] = t[{}_axes[v->first + i]];", prefix_);
    Line("  return v->rank;\n}}\n");
    Line("const char *{}_message(int code) {{\n  switch (code) {{", prefix_);
    for (int code = kCannotBroadcast; code <= static_cast<int>(program_.guards().size()); ++code) {
      Line("    case {}: return {};", code, CString(program_.Message(code)));
    }
    Line("    default: return {};\n  }}\n}}", CString(NegativeCodeText(INT32_MIN)));
  }

  void Function(const std::string& name, CodeRange range) {
    Line("int {}_{}(int64_t *t) {{", prefix_, name);
    const std::span<const Instruction> code = code_.Code(range);
    if (std::ranges::any_of(code, [](const Instruction& i) { return !CallOf(i).empty(); }))
      Line("  int error;");
    indent_ = 2;
    for (const Instruction& i : code) Statement(i);
    if (std::ranges::all_of(code, [&](const Instruction& i) { return NeedsNumbersOnly(i); }))
      Line("  (void)t;");
    Line("  return 0;\n}}\n");
  }

  // Returns whether a guard compares two constants.
  bool NeedsNumbersOnly(const Instruction& i) const {
    const bool is_need = i.op == IntegerOp::kNeedEqual || i.op == IntegerOp::kNeedNotEqual ||
                         i.op == IntegerOp::kNeedAtLeast || i.op == IntegerOp::kNeedLess;
    return is_need && code_.is_constant[i.a] && code_.is_constant[i.b];
  }

  std::string IndexOf(TableIndex index) const {
    if (code_.is_constant[index]) return Number(code_.table[index]);
    return names_by_index_[index].empty() ? fmt::format("t[{}]", index)
                                          : fmt::format("t[{}]", names_by_index_[index]);
  }

  static std::string_view CallOf(const Instruction& i) {
    switch (i.op) {
      case IntegerOp::kAdd:
        return "add";
      case IntegerOp::kSubtract:
        return "subtract";
      case IntegerOp::kMultiply:
        return "multiply";
      case IntegerOp::kFloorDivide:
        return "divide";
      case IntegerOp::kBroadcast:
        return "broadcast";
      case IntegerOp::kFloat:
        return FloatFunctionInC(i.step);
      default:
        return {};
    }
  }

  void Statement(const Instruction& i) {
    const auto write = [&](const std::string& text) { Line("{}{}", std::string(indent_, ' '), text); };
    const auto compare = [&](std::string_view relation) {
      return fmt::format("{} {} {}", IndexOf(i.a), relation, IndexOf(i.b));
    };
    // Returns the expression that a statement computes, as a trailing comment.
    const auto comment = [&] {
      const std::string& expression = code_.expressions[i.out];
      return expression.empty() ? std::string() : fmt::format("  /* {} */", Comment(expression));
    };
    const auto need = [&](std::string_view failing) {
      write(fmt::format("if ({}) return {};  /* {} */", compare(failing), i.out,
                        Comment(program_.guards()[i.out - 1].require)));
    };
    switch (i.op) {
      case IntegerOp::kCopy:
        return write(fmt::format(
            "t[{}] = {};", names_by_index_[i.out].empty() ? std::to_string(i.out) : names_by_index_[i.out],
            IndexOf(i.a)));
      case IntegerOp::kMaxZero:
        return write(fmt::format("t[{}] = {} < 0 ? 0 : {};{}", i.out, IndexOf(i.a), IndexOf(i.a), comment()));
      case IntegerOp::kMax:
        return write(fmt::format("t[{}] = {} ? {} : {};{}", i.out, compare("<"), IndexOf(i.b), IndexOf(i.a),
                                 comment()));
      case IntegerOp::kFirstNotOne:
        return write(
            fmt::format("t[{}] = {} == 1 ? {} : {};", i.out, IndexOf(i.a), IndexOf(i.b), IndexOf(i.a)));
      case IntegerOp::kIsConflict:
        return write(fmt::format("t[{}] = {} && {} != 1 && {} != 1;", i.out, compare("!="), IndexOf(i.a),
                                 IndexOf(i.b)));
      case IntegerOp::kIsEqual:
        return write(fmt::format("t[{}] = {};", i.out, compare("==")));
      case IntegerOp::kIsNotEqual:
        return write(fmt::format("t[{}] = {};", i.out, compare("!=")));
      case IntegerOp::kIsAtLeast:
        return write(fmt::format("t[{}] = {};", i.out, compare(">=")));
      case IntegerOp::kIf:
      case IntegerOp::kIfNot:
        write(fmt::format("if ({} {} 0) {{", IndexOf(i.a), i.op == IntegerOp::kIf ? "!=" : "=="));
        indent_ += 2;
        return;
      case IntegerOp::kElse:
        indent_ -= 2;
        write("} else {");
        indent_ += 2;
        return;
      case IntegerOp::kEnd:
        indent_ -= 2;
        return write("}");
      case IntegerOp::kNeedEqual:
        return need("!=");
      case IntegerOp::kNeedNotEqual:
        return need("==");
      case IntegerOp::kNeedAtLeast:
        return need("<");
      case IntegerOp::kNeedLess:
        return need(">=");
      default:
        return write(fmt::format("if ((error = {}_{}({}, {}, &t[{}])) != 0) return -error;{}", prefix_,
                                 CallOf(i), IndexOf(i.a), IndexOf(i.b), i.out, comment()));
    }
  }

  const ShapeProgram& program_;
  const ProgramCode& code_;
  const std::string prefix_;
  std::string macro_;
  Identifiers identifiers_;
  std::vector<std::string> names_by_index_;  // names of table indices, empty if unnamed
  std::vector<const ShapeProgram::Value*> values_;
  bool has_floats_ = false;
  size_t indent_ = 2;
  std::string out_;
};

}  // namespace

std::string ProgramAsC(const ShapeProgram& program) { return CWriter(program).Write(); }

}  // namespace dimwise
