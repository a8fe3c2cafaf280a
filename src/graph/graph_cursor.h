// Reads the small parts of a program's text form: names, numbers, types, and what stands in brackets. Each of
// the Read methods answers false after Fail, which keeps the first mistake; its caller then returns at once.
//
// The tokens of rule files (rules/language/lexer.h) do not serve here: the words of the rule language are
// common names of values, and types, attributes and contents are read from their text by the parsers of the
// layer core.
#ifndef DIMWISE_GRAPH_GRAPH_CURSOR_H_
#define DIMWISE_GRAPH_GRAPH_CURSOR_H_

#include <memory>
#include <string>
#include <string_view>

#include "dimwise/graph.h"
#include "graph/graph_outline.h"

namespace dimwise {

// The text with a space in place of every byte of a comment, so that places stay.
std::string WithoutComments(std::string_view text);

// Whether a name can stand for itself: letters, digits, `_` and inner dots, and no word of the text form.
bool IsPlainGraphName(std::string_view name);

class GraphCursor {
 public:
  // `text` is that of the file; what is read is a copy that the graph keeps, and so are the names.
  GraphCursor(Graph& graph, std::string_view text, std::string_view file_name)
      : graph_(graph), text_(graph.Keep(WithoutComments(text))), original_(text), file_name_(file_name) {}

  // After space: the next character, '\0' at the end; the bare word that begins here, or "".
  char Peek();
  std::string_view PeekWord();
  bool AtEnd() { return Peek() == '\0' && at_ == text_.size(); }
  // Takes the character, or the bare word, if it is next.
  bool Take(char c);
  bool TakeWord(std::string_view word);

  bool Need(char c, std::string_view where);
  bool ReadName(std::string_view what, std::string_view* name, Piece* place);
  bool ReadLabel(std::string_view what, Label* label);
  // As ReadLabel, or `_`.
  bool ReadLabelOrBlank(std::string_view what, Label* label);
  bool ReadNumber(std::string_view what, uint32_t* number);
  bool ReadType(Piece* piece);
  bool ReadContents(Piece* piece);
  // Up to one of `stops` outside brackets and quotes.
  bool ReadUpTo(std::string_view stops, std::string_view what, Piece* piece);

  std::string_view TextOf(Piece piece) const { return text_.substr(piece.at, piece.length); }

  bool Fail(Piece place, std::string message, std::string help = "");
  bool Fail(Piece place, Diagnostic mistake);
  // "expected `)` after the operands, found `}`".
  bool FailExpected(std::string_view expected, std::string_view help = "");
  bool failed() const { return mistake_ != nullptr; }
  Unexpected TakeMistake() { return Unexpected(std::move(mistake_)); }
  // The line of a place, from 1.
  int LineOf(Piece place) const;

 private:
  void SkipSpace();
  Piece From(size_t start) const {
    return {static_cast<uint32_t>(start), static_cast<uint32_t>(at_ - start)};
  }
  bool ReadQuoted(std::string_view* name, Piece* place);
  // Takes what begins with an opening bracket up to its closing one.
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
