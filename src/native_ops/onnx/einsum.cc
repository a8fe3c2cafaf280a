// Einsum: a sum of products that an equation such as "bij,bjk->bik" describes.
//
// Each letter names an axis. Axes with the same letter have equal sizes, or size 1, which broadcasts. `...`
// stands for the axes without a letter, which broadcast. A rule cannot express this, because the equation is
// an attribute.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/characters.h"
#include "infer/error.h"
#include "infer/operators/operands.h"
#include "native_ops/onnx/onnx_ops.h"

namespace dimwise {
namespace {

// One term of an equation: the letters before and after `...`.
struct Subscript {
  std::string before, after;
  bool dots = false;

  int letters() const { return static_cast<int>(before.size() + after.size()); }
};

// Returns the index of an ASCII letter in a table of 128 entries.
size_t LetterIndex(char letter) { return static_cast<unsigned char>(letter); }

struct Equation {
  std::vector<Subscript> inputs;
  Subscript output;
};

Result<Subscript> ReadSubscript(std::string_view text, std::string_view equation) {
  Subscript s;
  for (size_t i = 0; i < text.size(); ++i) {
    if (IsLetter(text[i])) {
      (s.dots ? s.after : s.before) += text[i];
    } else if (text.substr(i, 3) == "..." && !s.dots) {
      s.dots = true;
      i += 2;
    } else {
      return Error(Code::kBadAttribute,
                   "Einsum has the equation \"{}\"; \"{}\" is not made of letters and one \"...\"", equation,
                   text);
    }
  }
  return s;
}

// Returns the output of an equation without an arrow: `...`, then the letters that occur once, in
// alphabetical order.
Subscript ImpliedOutput(const std::vector<Subscript>& inputs) {
  std::array<int, 128> count{};
  Subscript output;
  for (const Subscript& s : inputs) {
    output.dots |= s.dots;
    for (const char c : s.before + s.after) ++count[LetterIndex(c)];
  }
  for (size_t c = 0; c < count.size(); ++c) {
    if (count[c] == 1) output.after += static_cast<char>(c);
  }
  return output;
}

Result<Equation> ReadEquation(std::string_view equation) {
  std::string text;
  for (const char c : equation) {
    if (c != ' ') text += c;
  }
  const size_t arrow = text.find("->");
  const std::string_view left = std::string_view(text).substr(0, arrow);
  Equation e;
  for (size_t begin = 0; begin <= left.size();) {
    const size_t end = std::min(left.find(',', begin), left.size());
    DIMWISE_ASSIGN_OR_RETURN(Subscript s, ReadSubscript(left.substr(begin, end - begin), equation));
    e.inputs.push_back(std::move(s));
    begin = end + 1;
  }
  if (arrow == std::string::npos) {
    e.output = ImpliedOutput(e.inputs);
    return e;
  }
  DIMWISE_ASSIGN_OR_RETURN(e.output, ReadSubscript(std::string_view(text).substr(arrow + 2), equation));
  for (const char c : e.output.before + e.output.after) {
    bool found = false;
    for (const Subscript& s : e.inputs) found |= (s.before + s.after).find(c) != std::string::npos;
    if (!found)
      return Error(Code::kBadAttribute, "Einsum has the equation \"{}\"; '{}' of the result is in no operand",
                   equation, c);
  }
  return e;
}

// Returns whether facts other than guards exclude size 1. A guard may depend on the result, so the result
// must not depend on the guard.
bool IsNeverOne(InferenceContext* c, Dim d) {
  return c->facts().Equal(d, 1, c->scope(), FactFilter::kWithoutChecked) == Truth::kNo;
}

// Returns the size to which two sizes broadcast; none if one is unknown and the other may be 1.
Result<Dim> Meet(InferenceContext* c, Dim a, Dim b, char letter) {
  if (a.is_none() || a == b || b == Dim(1)) return a.is_none() ? b : a;
  if (b.is_none() || a == Dim(1)) return b.is_none() ? a : b;
  DimTable& dims = c->dims();
  const Dim both[] = {a, b};
  DIMWISE_RETURN_IF_ERROR(c->Require(
      Broadcastable(dims, both),
      [&] {
        const std::string what =
            letter == '.' ? std::string("an axis of \"...\"") : fmt::format("the axis '{}'", letter);
        return fmt::format("Einsum has the sizes {} and {} for {}; they must be equal, or one of them 1",
                           c->DebugString(a), c->DebugString(b), what);
      },
      Code::kBroadcast));
  if (a.is_constant() || (!b.is_constant() && IsNeverOne(c, a))) return a;
  if (IsNeverOne(c, b)) return b;
  return dims.Broadcast(both);
}

// Requires equal sizes for a letter that occurs twice in one operand, which takes the diagonal.
Status OnDiagonal(InferenceContext* c, Dim a, Dim b, char letter) {
  if (a == b || b.is_none()) return {};
  const Clause clause = {Equal(c->dims(), a, b)};
  return c->Require(
      clause,
      [&] {
        return fmt::format(
            "Einsum has the sizes {} and {} for the axis '{}' of one operand; they must be equal",
            c->DebugString(a), c->DebugString(b), letter);
      },
      Code::kBroadcast);
}

Status Einsum(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const AttrValue* attr, c->GetAttr<const AttrValue*>("equation"));
  const std::string text = std::string(AsString(*attr).value_or(""));
  DIMWISE_ASSIGN_OR_RETURN(const Equation equation, ReadEquation(text));
  if (static_cast<int>(equation.inputs.size()) != c->num_inputs()) {
    return Error(Code::kArity, "Einsum has the equation \"{}\" for {} operands; {} are given", text,
                 equation.inputs.size(), c->num_inputs());
  }
  std::array<Dim, 128> sizes{};
  std::array<bool, 128> open{};  // letters that occur in an operand of unknown rank
  std::vector<Dim> dots;         // sizes of the axes of `...`, the last axis first
  bool dots_known = true;
  for (int i = 0; i < c->num_inputs(); ++i) {
    const Subscript& s = equation.inputs[static_cast<size_t>(i)];
    const Shape shape = c->input(i);
    if (!InferenceContext::RankKnown(shape)) {
      dots_known &= !s.dots;
      for (const char letter : s.before + s.after) open[LetterIndex(letter)] = true;
      continue;
    }
    const int spare = shape.rank() - s.letters();
    if (spare < 0 || (spare > 0 && !s.dots)) {
      return Error(Code::kRankMismatch, "Einsum has \"{}{}{}\" for {}, which has rank {}", s.before,
                   s.dots ? "..." : "", s.after, OperandText(c, i), shape.rank());
    }
    int axis = 0;
    std::array<Dim, 128> own{};
    const auto take = [&](const std::string& letters) -> Status {
      for (const char letter : letters) {
        Dim &size = sizes[LetterIndex(letter)], &here = own[LetterIndex(letter)];
        const Dim d = shape[axis++];
        if (here.is_none()) {
          here = d;
          DIMWISE_ASSIGN_OR_RETURN(size, Meet(c, size, d, letter));
        } else {
          DIMWISE_RETURN_IF_ERROR(OnDiagonal(c, here, d, letter));
        }
      }
      return {};
    };
    DIMWISE_RETURN_IF_ERROR(take(s.before));
    for (int k = 0; k < spare; ++k) {
      const auto from_last = static_cast<size_t>(spare - 1 - k);
      if (dots.size() <= from_last) dots.resize(from_last + 1);
      DIMWISE_ASSIGN_OR_RETURN(dots[from_last], Meet(c, dots[from_last], shape[axis++], '.'));
    }
    DIMWISE_RETURN_IF_ERROR(take(s.after));
  }
  if (equation.output.dots && !dots_known) {
    c->set_output(0, c->UnknownShape(equation.output.letters(), kMaxRank));
    return {};
  }
  std::vector<Dim> result;
  const auto add = [&](const std::string& letters) {
    for (const char letter : letters) {
      const Dim size = sizes[LetterIndex(letter)];
      // A size that may be 1 can be broadcast to a size of the operand of unknown rank.
      const bool decided = !size.is_none() && (!open[LetterIndex(letter)] || IsNeverOne(c, size));
      result.push_back(decided ? size : Dim(c->UnknownDim()));
    }
  };
  add(equation.output.before);
  if (equation.output.dots) {
    for (size_t k = dots.size(); k-- > 0;) result.push_back(dots[k]);
  }
  add(equation.output.after);
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(result));
  c->set_output(0, shape);
  return {};
}

}  // namespace

void AddEinsum(OnnxOps& ops) {
  ops.Add(12, "Einsum(Inputs+: T; equation: string) -> (Output: T)",
          "The sum of products that the equation describes: letters name axes, and axes that the result "
          "lacks are "
          "summed.",
          Einsum);
}

}  // namespace dimwise
