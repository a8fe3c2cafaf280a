// What reading shapes and reading types share.
#ifndef DIMWISE_CORE_TYPES_SHAPE_TEXT_H_
#define DIMWISE_CORE_TYPES_SHAPE_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "dimwise/shape.h"

namespace dimwise {

// A place in a text, with errors that show it.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  void SkipSpace();
  // After space: the next character ('\0' at the end); whether it is c, which is then taken; whether it is
  // the end.
  char Peek();
  bool Take(char c);
  bool AtEnd();

  // Takes the size that starts here and gives its text without the space around it. It ends before the first
  // comma outside parentheses, the first ']' or the first ')' without a '('; names in backquotes may hold
  // these.
  std::string_view TakeSize();
  // Takes everything up to a space or one of ()[],=.
  std::string_view TakeWord();

  // "MESSAGE at column 3 of 'TEXT'", a long text cut.
  Unexpected Fail(std::string_view message, std::string_view help, Code code = Code::kBadExpression) const;
  // "EXPECTED is missing ...", or "EXPECTED is needed instead of 'x' ..." where something else stands.
  Unexpected FailWithout(std::string_view expected, std::string_view help);
  // An error of a part of the text, with the text in which it stands.
  Unexpected FailInside(Diagnostic inner) const;

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// Reads the shape that starts here. Adds the symbols that `?` stands for to *unknowns, if there is one.
Result<Shape> ReadShape(DimTable& dims, ShapeTable& shapes, TextCursor& cursor, std::vector<Dim>* unknowns);

}  // namespace dimwise

#endif  // DIMWISE_CORE_TYPES_SHAPE_TEXT_H_
