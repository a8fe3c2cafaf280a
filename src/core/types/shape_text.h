// The tokenizer shared by the parsers of shapes and types.
#ifndef DIMWISE_CORE_TYPES_SHAPE_TEXT_H_
#define DIMWISE_CORE_TYPES_SHAPE_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "dimwise/shape.h"

namespace dimwise {

// A position in a text, with errors that show it.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  void SkipSpace();
  // These skip white space first. Peek returns the next character ('\0' at the end). Take consumes c if it is
  // next and returns whether it was. AtEnd returns whether the text ends.
  char Peek();
  bool Take(char c);
  bool AtEnd();

  // Consumes a size and returns its text, trimmed. A size ends before a comma outside parentheses, the first
  // ']' or an unmatched ')'. Names in backquotes may contain these.
  std::string_view TakeSize();
  // Consumes everything up to a space or one of ()[],=.
  std::string_view TakeWord();

  // Returns the error "MESSAGE at column 3 of 'TEXT'"; a long text is truncated.
  Unexpected Fail(std::string_view message, std::string_view help, Code code = Code::kBadExpression) const;
  // Returns the error "EXPECTED is missing ...", or "EXPECTED is needed instead of 'x' ..." if another
  // character is next.
  Unexpected FailWithout(std::string_view expected, std::string_view help);
  // Returns an error of a part of the text, with the whole text added.
  Unexpected FailInside(Diagnostic inner) const;

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// Parses a shape. If `unknowns` is not null, adds the symbols created for `?` to it.
Result<Shape> ReadShape(DimTable& dims, ShapeTable& shapes, TextCursor& cursor, std::vector<Dim>* unknowns);

}  // namespace dimwise

#endif  // DIMWISE_CORE_TYPES_SHAPE_TEXT_H_
