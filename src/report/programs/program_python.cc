// Writes a shape program as a Python module. It computes the same as the C program with the same codes, using
// Python integers that are checked to fit 64 bits.
#include <fmt/format.h>

#include <algorithm>

#include "dimwise/report.h"
#include "dimwise/version.h"
#include "infer/program/program_code.h"
#include "report/text/json_writer.h"

namespace dimwise {
namespace {

// Returns a string literal for any bytes. Invalid UTF-8 becomes U+FFFD.
std::string PythonString(std::string_view text) {
  std::string quoted;
  JsonWriter(&quoted).String(text);  // JSON strings are valid in Python; surrogate escapes are never written
  return quoted;
}

constexpr std::string_view kHead = R"PY(
_MOST = 2**63 - 1


class _CannotBroadcast(Exception):
    pass


def _fits(n):
    if not -_MOST - 1 <= n <= _MOST:
        raise OverflowError
    return n


def _broadcast(a, b):
    if a != b and a != 1 and b != 1:
        raise _CannotBroadcast
    return b if a == 1 else a


def _guarded(stage):
    def run(t):
        try:
            return stage(t) or 0
        except OverflowError:
            return -1
        except ZeroDivisionError:
            return -2
        except _CannotBroadcast:
            return -3

    run.__doc__ = stage.__doc__
    return run

)PY";

// Real numbers are Python floats. The f32 result of one operation is the double result, rounded again.
constexpr std::string_view kFloats = R"PY(

def _number(x):
    if x != x:
        raise OverflowError
    return x


def _f32_round(x):
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.inf


def _f64(n):
    if n < 0:
        raise OverflowError
    return float(n)


def _f32(n):
    # Below the first 53 bits, only whether a bit is set matters for the rounding.
    spare = max(n.bit_length() - 53, 0)
    return _f32_round(_f64((n >> spare | (n & (1 << spare) - 1 != 0)) << spare))


def _f64_div(a, b):
    if b == 0:
        return _number(a * math.inf)
    return _number(a / b)


def _f64_add(a, b):
    return _number(a + b)


def _f64_mul(a, b):
    return _number(a * b)


def _f32_add(a, b):
    return _f32_round(_f64_add(a, b))


def _f32_mul(a, b):
    return _f32_round(_f64_mul(a, b))


def _f32_div(a, b):
    return _f32_round(_f64_div(a, b))

)PY";

constexpr std::string_view kTail = R"PY(
def new_table(**symbols):
    """Returns a table with all constants and these symbols."""
    t = [0] * TABLE_SIZE
    for index, number in CONSTANTS.items():
        t[index] = number
    for name, size in symbols.items():
        t[SYMBOLS[name]] = size
    return t


def message(code):
    """Returns the meaning of a code other than 0."""
    return CHECKS[code - 1] if 0 < code <= len(CHECKS) else CODES.get(code, "unknown code")


def shape(value, t):
    """Returns the sizes of a value, or None if its rank is unknown."""
    indices = VALUES[value]["shape"]
    return None if indices is None else [t[i] for i in indices]


def nbytes(value, t):
    """Returns the bytes of a value after memory_..., or None if they are unknown."""
    index = VALUES[value]["bytes"]
    return None if index is None else t[index]
)PY";

class PythonWriter {
 public:
  explicit PythonWriter(const ShapeProgram& program) : program_(program), code_(program.code()) {}

  std::string Write() {
    // The doc string contains no text from the model.
    Line("\"\"\"Shapes of a model from the sizes of its inputs. Written by dimwise {}.", Version());
    Line("\n    t = new_table(N=8, ...)           # each symbol of the inputs");
    Line(
        "    code = stage_0(t)                 # 0, or k > 0: the first guard that failed, or < 0: past 64 "
        "bits");
    Line("    if code: raise ValueError(message(code))");
    Line("    shape(\"y\", t)\n");
    Line(
        "The caller sets each data-dependent size (DATA), as t[SYMBOLS[name]], before the stage that needs "
        "it.");
    Line("\"\"\"");
    const bool has_floats = std::ranges::find(code_.instructions, IntegerOp::kFloat, &Instruction::op) !=
                            code_.instructions.end();
    if (has_floats) Line("import math\nimport struct");
    Tables();
    out_ += kHead;
    if (has_floats) out_ += kFloats;
    Function("bind", code_.bind,
             "Computes the symbols from the sizes of the inputs (INPUT_SIZES), which must agree.");
    for (size_t k = 0; k < program_.stages().size(); ++k) {
      Function(fmt::format("stage_{}", k), code_.shapes[k], "Evaluates guards and computes sizes.");
      Function(fmt::format("memory_{}", k), code_.memory[k],
               "Computes the bytes of the values of the stage. It must have run.");
    }
    Line("\nSTAGES = [");
    for (size_t k = 0; k < program_.stages().size(); ++k) {
      const ShapeProgram::Stage& stage = program_.stages()[k];
      std::string needs;
      for (const uint32_t s : stage.needs)
        needs += (needs.empty() ? "" : ", ") + PythonString(program_.symbols()[s].name);
      Line(
          "    {{\"run\": stage_{0}, \"memory\": memory_{0}, \"where\": {1}, \"node\": {2}, \"after\": {3}, "
          "\"needs\": [{4}]}},",
          k, PythonString(stage.where), PythonString(stage.node), stage.after, needs);
    }
    Line("]\n");
    out_ += kTail;
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void Tables() {
    Line("\nMODEL = {}\nTABLE_SIZE = {}", PythonString(code_.name), program_.table_size());
    Line("\n# Table indices of the symbols that the caller sets.\nSYMBOLS = {{");
    for (const ShapeProgram::Symbol& s : program_.symbols())
      Line("    {}: {},  # {}", PythonString(s.name), s.index, PythonString(s.origin));
    Line(
        "}}\n\n# Data-dependent symbols: where they can be read, and the stage that needs them.\nDATA = "
        "{{");
    for (const ShapeProgram::Symbol& s : program_.symbols()) {
      if (s.of_inputs) continue;
      Line("    {}: {{\"value\": {}, \"axis\": {}, \"element\": {}, \"stage\": {}}},", PythonString(s.name),
           s.value.empty() ? "None" : PythonString(s.value), s.axis < 0 ? "None" : std::to_string(s.axis),
           s.element < 0 ? "None" : std::to_string(s.element), s.stage);
    }
    Line("}}\n\n# Table indices of the sizes of the inputs, for bind.\nINPUT_SIZES = {{");
    for (const ShapeProgram::InputSize& s : program_.input_sizes())
      Line("    ({}, {}): {},", PythonString(s.value), s.axis, s.index);
    if (!program_.given().empty()) {
      Line("}}\n\n# The program is valid only if these conditions hold. It does not test them.\nGIVEN = [");
      for (const std::string& given : program_.given()) Line("    {},", PythonString(given));
      Line("]\n\nCONSTANTS = {{");
    } else {
      Line("}}\n\nCONSTANTS = {{");
    }
    for (TableIndex index = 0; index < code_.table.size(); ++index) {
      if (code_.is_constant[index]) Line("    {}: {},", index, code_.table[index]);
    }
    Line("}}\n\nVALUES = {{");
    for (const ShapeProgram::Value& v : program_.values()) {
      if (v.constant) continue;
      std::string indices;
      for (const uint32_t index : program_.ShapeOf(v))
        indices += fmt::format("{}{}", indices.empty() ? "" : ", ", index);
      Line("    {}: {{\"dtype\": {}, \"shape\": {}, \"stage\": {}, \"bytes\": {}}},", PythonString(v.name),
           PythonString(ToString(v.element)), v.rank < 0 ? "None" : "[" + indices + "]", v.stage,
           v.bytes ? std::to_string(*v.bytes) : "None");
    }
    Line(
        "}}\n\n# The table index of the peak of activations; memory_ of the last stage of the model sets "
        "it.\nPEAK_BYTES = {}",
        program_.peak().index ? std::to_string(*program_.peak().index) : "None");
    Line("\nCHECKS = [");
    for (size_t i = 0; i < program_.guards().size(); ++i)
      Line("    {},", PythonString(program_.Message(static_cast<int>(i) + 1)));
    Line("]\n\nCODES = {{");
    for (int code = kCannotBroadcast; code <= 0; ++code)
      Line("    {}: {},", code, PythonString(program_.Message(code)));
    Line("}}\n");
  }

  void Function(const std::string& name, CodeRange range, std::string_view doc) {
    Line("\n@_guarded\ndef {}(t):\n    \"\"\"{}\"\"\"", name, doc);
    indent_ = 4;
    for (const Instruction& i : code_.Code(range)) Statement(i);
    Line("");
  }

  std::string IndexOf(TableIndex index) const {
    return code_.is_constant[index] ? fmt::format("{}", code_.table[index]) : fmt::format("t[{}]", index);
  }

  std::string FloatCall(const Instruction& i) const {
    const FloatStepForm& form = FormOf(i.step);
    const auto operand = [&](TableIndex index) {
      return form.takes_reals && code_.is_constant[index] ? fmt::format("{}", RealOfBits(code_.table[index]))
                                                          : IndexOf(index);
    };
    const std::string a = operand(i.a);
    if (!form.gives_real) {
      const std::string_view module = i.step == FloatStep::kNearest ? "" : "math.";
      return fmt::format("_fits({}{}({}))", module, form.name, a);
    }
    if (i.step == FloatStep::kRoundToF32) return fmt::format("_f32_round({})", a);
    if (form.arity == 1) return fmt::format("_{}({})", form.name, a);
    const bool is_choice = i.step == FloatStep::kMin || i.step == FloatStep::kMax;
    return fmt::format("{}{}({}, {})", is_choice ? "" : "_", form.name, a, operand(i.b));
  }

  void Statement(const Instruction& i) {
    const auto write = [&](const std::string& text) { Line("{}{}", std::string(indent_, ' '), text); };
    const std::string a = IndexOf(i.a), b = IndexOf(i.b);
    const auto set = [&](const std::string& value) {
      const std::string& expression = code_.expressions[i.out];
      write(fmt::format("t[{}] = {}{}", i.out, value,
                        expression.empty() ? "" : "  # " + PythonString(expression)));
    };
    const auto need = [&](std::string_view failing) {
      write(fmt::format("if {} {} {}: return {}  # {}", a, failing, b, i.out,
                        PythonString(program_.guards()[i.out - 1].require)));
    };
    switch (i.op) {
      case IntegerOp::kCopy:
        return set(a);
      case IntegerOp::kAdd:
        return set(fmt::format("_fits({} + {})", a, b));
      case IntegerOp::kSubtract:
        return set(fmt::format("_fits({} - {})", a, b));
      case IntegerOp::kMultiply:
        return set(fmt::format("_fits({} * {})", a, b));
      case IntegerOp::kFloorDivide:
        return set(fmt::format("_fits({} // {})", a, b));
      case IntegerOp::kMaxZero:
        return set(fmt::format("max(0, {})", a));
      case IntegerOp::kMax:
        return set(fmt::format("max({}, {})", a, b));
      case IntegerOp::kBroadcast:
        return set(fmt::format("_broadcast({}, {})", a, b));
      case IntegerOp::kFirstNotOne:
        return set(fmt::format("{1} if {0} == 1 else {0}", a, b));
      case IntegerOp::kIsConflict:
        return set(fmt::format("int({0} != {1} and {0} != 1 and {1} != 1)", a, b));
      case IntegerOp::kIsEqual:
        return set(fmt::format("int({} == {})", a, b));
      case IntegerOp::kIsNotEqual:
        return set(fmt::format("int({} != {})", a, b));
      case IntegerOp::kIsAtLeast:
        return set(fmt::format("int({} >= {})", a, b));
      case IntegerOp::kFloat:
        return set(FloatCall(i));
      case IntegerOp::kIf:
      case IntegerOp::kIfNot:
        write(fmt::format("if {} {} 0:", a, i.op == IntegerOp::kIf ? "!=" : "=="));
        ++indent_;  // deep blocks are indented by one column, because Python limits the depth
        return;
      case IntegerOp::kElse:
        --indent_;
        write("else:");
        ++indent_;
        return;
      case IntegerOp::kEnd:
        --indent_;
        return;
      case IntegerOp::kNeedEqual:
        return need("!=");
      case IntegerOp::kNeedNotEqual:
        return need("==");
      case IntegerOp::kNeedAtLeast:
        return need("<");
      case IntegerOp::kNeedLess:
        return need(">=");
    }
  }

  const ShapeProgram& program_;
  const ProgramCode& code_;
  size_t indent_ = 4;
  std::string out_;
};

}  // namespace

std::string ProgramAsPython(const ShapeProgram& program) { return PythonWriter(program).Write(); }

}  // namespace dimwise
