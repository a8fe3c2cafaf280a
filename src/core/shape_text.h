// What reading shapes and reading types share.
#ifndef DIMWISE_CORE_SHAPE_TEXT_H_
#define DIMWISE_CORE_SHAPE_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "dimwise/shape.h"

namespace dimwise {

// A place in a text, with errors that show it.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  size_t at() const { return at_; }
  void MoveTo(size_t at) { at_ = at; }

  void SkipSpace();
  // Skips space; the next character, '\0' at the end.
  char Peek();
  bool Take(char c);
  bool AtEnd();

  // Takes the size that starts here and gives its text without the space around it. It ends before the first
  // comma outside parentheses, the first ']' or the first ')' without a '('; names in backquotes may hold these.
  std::string_view TakeSize();

  // The text for a message, cut where it is long.
  std::string_view Shown() const { return text_.substr(0, 200); }
  // "MESSAGE at column 3 of 'TEXT'".
  Unexpected Fail(std::string_view message, std::string_view help) const;
  // "']' is missing at column ..." or "expected ',' or ']' instead of 'x' at column ...".
  Unexpected FailInstead(std::string_view expected, std::string_view missing, std::string_view help);

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// Reads the shape that starts here. Adds the symbols that `?` stands for to *unknowns, if there is one.
Result<Shape> ReadShape(DimTable& dims, ShapeTable& shapes, TextCursor& cursor, std::vector<Dim>* unknowns);

// Reads a size from `piece`, part of the cursor's text; the error of what cannot be one shows both.
Result<Dim> ReadSize(DimTable& dims, const TextCursor& cursor, std::string_view piece);

}  // namespace dimwise

#endif  // DIMWISE_CORE_SHAPE_TEXT_H_
