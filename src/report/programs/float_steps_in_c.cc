#include "report/programs/float_steps_in_c.h"

#include <fmt/format.h>

#include <array>

namespace dimwise {
namespace {

struct StepInC {
  std::string_view name;
  std::string_view body;  // a and b are int64_t, x and y are the real numbers that they represent
};

constexpr std::string_view kIntegerOfX = R"(  if (!(x < 9223372036854775808.0)) return 1;
  *out = (int64_t)x;
)";

// The results are stored in volatile variables, so that compilers neither keep more precision nor combine two
// steps into one.
constexpr std::array<StepInC, kFloatStepCount> kStepsInC = {{
    {"f32", "  volatile float r = (float)a;\n"},
    {"f64", "  volatile double r = (double)a;\n"},
    {"f32_round", "  volatile float r = (float)x;\n"},
    {"f32_add", "  volatile float r = (float)x + (float)y;\n"},
    {"f64_add", "  volatile double r = x + y;\n"},
    {"f32_mul", "  volatile float r = (float)x * (float)y;\n"},
    {"f64_mul", "  volatile double r = x * y;\n"},
    {"f32_div", "  volatile float r = (float)x / (float)y;\n"},
    {"f64_div", "  volatile double r = x / y;\n"},
    {"real_min", "  const double r = y < x ? y : x;\n"},
    {"real_max", "  const double r = x < y ? y : x;\n"},
    {"floor", ""},
    {"ceil", "  if ((double)*out < x) ++*out;\n"},
    {"round", R"(  x -= (double)*out;
  if (x > 0.5 || (x == 0.5 && *out % 2 != 0)) ++*out;
)"},
}};

}  // namespace

std::string_view FloatSupportInC() {
  return R"(/* A real number is stored as the bits of a double. */
static double @_real(int64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static int @_store(double x, int64_t *out) {
  if (x != x) return 1;
  memcpy(out, &x, sizeof x);
  return 0;
}

)";
}

std::string_view FloatFunctionInC(FloatStep step) { return kStepsInC[static_cast<size_t>(step)].name; }

std::string FloatStepInC(FloatStep step) {
  const FloatStepForm& form = FormOf(step);
  const StepInC& in_c = kStepsInC[static_cast<size_t>(step)];
  std::string text = fmt::format("static int @_{}(int64_t a, int64_t b, int64_t *out) {{\n", in_c.name);
  if (form.takes_reals) {
    text += fmt::format("  {}double x = @_real(a);\n", form.gives_real ? "const " : "");
    if (form.arity == 2) text += "  const double y = @_real(b);\n";
  }
  if (!form.gives_real) text += kIntegerOfX;
  text += in_c.body;
  if (!form.takes_reals) text += "  if (a < 0) return 1;\n";
  if (form.arity == 1) text += "  (void)b;\n";
  return text + (form.gives_real ? "  return @_store(r, out);\n}\n" : "  return 0;\n}\n");
}

}  // namespace dimwise
