#include "core/types/shape_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/failure.h"
#include "core/base/text_pieces.h"

namespace dimwise {
namespace {

constexpr std::string_view kSpace = " \t\n\r";
constexpr size_t kMaxShown = 200;

constexpr std::string_view kShapeHelp =
    "a shape is written [N, 3, (H + 1)//2]; '?' is a size that is not known, [*] a shape of unknown rank, [] "
    "a scalar";

}  // namespace

void TextCursor::SkipSpace() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }

char TextCursor::Peek() {
  SkipSpace();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool TextCursor::Take(char c) {
  SkipSpace();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool TextCursor::AtEnd() {
  SkipSpace();
  return at_ == text_.size();
}

std::string_view TextCursor::TakeSize() {
  const size_t start = at_;
  int depth = 0;
  bool quoted = false;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '`') quoted = !quoted;
    if (quoted) continue;
    if (c == ']' || (c == ',' && depth == 0) || (c == ')' && depth == 0)) break;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
  }
  return Trimmed(text_.substr(start, at_ - start));
}

std::string_view TextCursor::TakeWord() {
  SkipSpace();
  const size_t start = at_;
  at_ = std::min(text_.find_first_of(" \t\n\r()[],=", at_), text_.size());
  return text_.substr(start, at_ - start);
}

Unexpected TextCursor::Fail(std::string_view message, std::string_view help, Code code) const {
  return Failure(code, fmt::format("{} at column {} of '{}'", message, at_ + 1, text_.substr(0, kMaxShown)),
                 std::string(help));
}

Unexpected TextCursor::FailWithout(std::string_view expected, std::string_view help) {
  if (AtEnd()) return Fail(fmt::format("{} is missing", expected), help);
  return Fail(fmt::format("{} is needed instead of '{}'", expected, text_[at_]), help);
}

Unexpected TextCursor::FailInside(Diagnostic inner) const {
  inner.message += fmt::format(" in '{}'", text_.substr(0, kMaxShown));
  return Unexpected(std::move(inner));
}

Result<Shape> ReadShape(DimTable& dims, ShapeTable& shapes, TextCursor& cursor, std::vector<Dim>* unknowns) {
  if (!cursor.Take('[')) return cursor.FailWithout("'['", kShapeHelp);
  if (cursor.Take(']')) return shapes.Scalar();
  std::vector<Dim> sizes;
  do {
    cursor.SkipSpace();
    TextCursor start = cursor;
    const std::string_view piece = cursor.TakeSize();
    if (piece.empty()) return start.FailWithout("a size", kShapeHelp);
    if (piece == "*") {
      if (sizes.empty() && cursor.Take(']')) return shapes.Unknown();
      return start.Fail("'*' denotes a whole shape and cannot be combined with sizes", kShapeHelp);
    }
    if (sizes.size() == kMaxRank) {
      return start.Fail(fmt::format("a shape has at most {} sizes; this one has more", kMaxRank), {},
                        Code::kOutOfRange);
    }
    if (piece == "?") {
      sizes.push_back(dims.Fresh());
      if (unknowns != nullptr) unknowns->push_back(sizes.back());
      continue;
    }
    Result<Dim> size = dims.Parse(piece);
    if (!size) return cursor.FailInside(std::move(size).error());
    if (size->is_none()) return start.Fail("the size is too large", {}, Code::kOverflow);
    if (size->is_constant() && size->constant() < 0) {
      return start.Fail(fmt::format("{} is no size", size->constant()),
                        "a size is 0 or more; an unknown size is written '?'", Code::kNegativeSize);
    }
    sizes.push_back(*size);
  } while (cursor.Take(','));
  if (!cursor.Take(']')) return cursor.FailWithout("',' or ']'", kShapeHelp);
  return shapes.Make(sizes);
}

std::string ToString(DimTable& dims, Shape shape) {
  if (shape.is_none()) return "none";
  if (!shape.has_rank()) return "[*]";
  std::string text = "[";
  for (int axis = 0; axis < shape.rank(); ++axis) text += (axis > 0 ? ", " : "") + dims.ToString(shape[axis]);
  return text + "]";
}

Result<Shape> ParseShape(DimTable& dims, ShapeTable& shapes, std::string_view text) {
  TextCursor cursor(text);
  Result<Shape> shape = ReadShape(dims, shapes, cursor, nullptr);
  if (shape && !cursor.AtEnd())
    return cursor.Fail(fmt::format("unexpected '{}' after the shape", cursor.Peek()), kShapeHelp);
  return shape;
}

}  // namespace dimwise
