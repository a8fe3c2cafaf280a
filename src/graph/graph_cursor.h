// Reads the tokens of a program's text form: names, numbers, types, and text in brackets. Each Read method
// returns false after Fail, which stores the first error; its caller then returns at once.
//
// The lexer of rule files (rules/language/lexer.h) is not used: the keywords of the rule language are common
// names of values, and the parsers in `core` parse the text of types, attributes and contents.
#ifndef DIMWISE_GRAPH_GRAPH_CURSOR_H_
#define DIMWISE_GRAPH_GRAPH_CURSOR_H_

#include <memory>
#include <string>
#include <string_view>

#include "dimwise/graph.h"
#include "graph/graph_outline.h"

namespace dimwise {

// Returns the text with each byte of a comment replaced by a space, so that positions stay valid.
std::string WithoutComments(std::string_view text);

// Returns whether a name needs no quotes: letters, digits, `_` and inner dots, and no keyword.
bool IsPlainGraphName(std::string_view name);

class GraphCursor {
 public:
  // `text` is the text of the file. The cursor reads a copy that the graph keeps; names are views of it.
  GraphCursor(Graph& graph, std::string_view text, std::string_view file_name)
      : graph_(graph),
        text_(graph.StoreCopy(WithoutComments(text))),
        original_(text),
        file_name_(file_name) {}

  // These skip white space first. Peek returns the next character, '\0' at the end. PeekWord returns the bare
  // word that begins here, or "".
  char Peek();
  std::string_view PeekWord();
  bool AtEnd() { return Peek() == '\0' && at_ == text_.size(); }
  // Consumes the character or the bare word if it is next, and returns whether it was.
  bool Take(char c);
  bool TakeWord(std::string_view word);

  bool Need(char c, std::string_view where);
  bool ReadName(std::string_view what, std::string_view* name, Piece* text_range);
  bool ReadLabel(std::string_view what, Label* label);
  // Reads a label or `_`.
  bool ReadLabelOrBlank(std::string_view what, Label* label);
  bool ReadNumber(std::string_view what, uint32_t* number);
  bool ReadType(Piece* piece);
  bool ReadContents(Piece* piece);
  // Reads up to one of `stops` outside brackets and quotes.
  bool ReadUpTo(std::string_view stops, std::string_view what, Piece* piece);

  std::string_view TextOf(Piece piece) const { return text_.substr(piece.at, piece.length); }

  bool Fail(Piece text_range, std::string message, std::string help = "");
  bool Fail(Piece text_range, Diagnostic mistake);
  // Reports "expected `)` after the operands, found `}`".
  bool FailExpected(std::string_view expected, std::string_view help = "");
  bool failed() const { return mistake_ != nullptr; }
  Unexpected TakeMistake() { return Unexpected(std::move(mistake_)); }
  // Returns the line of a position, from 1.
  int LineOf(Piece text_range) const;

 private:
  void SkipSpace();
  Piece From(size_t start) const {
    return {static_cast<uint32_t>(start), static_cast<uint32_t>(at_ - start)};
  }
  bool ReadQuoted(std::string_view* name, Piece* text_range);
  // Skips from an opening bracket to its closing bracket.
  bool SkipBrackets();

  Graph& graph_;
  std::string_view text_;
  std::string_view original_;
  std::string_view file_name_;
  size_t at_ = 0;
  std::unique_ptr<Diagnostic> mistake_;
};

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_GRAPH_CURSOR_H_
