// The implementation of the parser: recursive descent over tokens in one class, split into parse_*.cc.
//
// A method that parses something returns it. After an error, Fail stores the first diagnostic, the method
// returns false or null, and all its callers return at once.
#ifndef DIMWISE_RULES_LANGUAGE_RULE_PARSER_H_
#define DIMWISE_RULES_LANGUAGE_RULE_PARSER_H_

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimwise/diagnostic.h"
#include "rules/language/ast.h"
#include "rules/language/lexer.h"
#include "rules/language/property_grammar.h"

namespace dimwise::rules {

// The most names that may share a declaration. A limit keeps the tree linear in the size of the file.
inline constexpr size_t kMaxGroup = 64;

class RuleParser {
 public:
  // The text is the part of the file from `first_line` on.
  RuleParser(std::string_view text, std::string_view file_name, std::span<const Token> tokens,
             int first_line = 1)
      : text_(text), file_name_(file_name), tokens_(tokens), first_line_(first_line) {}

  // Parses one declaration into the file. After an error the file is unchanged.
  bool ParseDeclaration(File& file);
  bool AtEnd() const { return Peek().kind == TokenKind::kEnd; }
  // Skips to the next line that begins a declaration, after an error.
  void Recover();
  Diagnostic TakeMistake() { return *std::exchange(mistake_, std::nullopt); }

 private:
  // Counts a level of nesting during its lifetime.
  class Level {
   public:
    explicit Level(RuleParser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    // Fails if the nesting is too deep.
    bool Fits() const;

   private:
    RuleParser& parser_;
  };

  // ---- Tokens (parser.cc) ----
  const Token& Peek() const { return tokens_[at_]; }
  const Token& Peek(size_t ahead) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  bool Is(TokenKind kind) const { return tokens_[at_].kind == kind; }
  const Token& Next() {
    const Token& token = tokens_[at_];
    if (token.kind != TokenKind::kEnd) ++at_;
    return token;
  }
  bool Take(TokenKind kind) {
    if (!Is(kind)) return false;
    Next();
    return true;
  }
  // Consumes the token or fails: "expected `)` after the operands, found `->`".
  bool Need(TokenKind kind, std::string_view where, std::string_view help = "");
  // Does the same with the position "after the name `X`".
  bool NeedAfterName(TokenKind kind, std::string_view name, std::string_view help = "");
  // Does the same after an expression, where the mistake is often a wrong operator.
  bool NeedAfter(TokenKind kind, std::string_view where, std::string_view help = "");
  // Consumes the end of a list or fails: "expected `,` or `)` after an operand".
  bool NeedEnd(TokenKind kind, std::string_view where);
  static bool IsName(const Token& token) {
    return token.kind == TokenKind::kName || IsSoftKeyword(token.kind);
  }
  static std::string_view NameOf(const Token& token);
  bool NeedName(std::string_view what, std::string& name, Position& at);
  // Parses what a group of names shares, once for each name, always from the same token on.
  template <typename ParseOne>
  bool Repeat(size_t count, const ParseOne& parse) {
    if (count > kMaxGroup) {
      return Fail(At(Peek()), fmt::format("more than {} names share a declaration", kMaxGroup), "",
                  Code::kRuleLimit);
    }
    const size_t begin = at_;
    for (size_t i = 0; i < count; ++i) {
      at_ = begin;
      if (!parse(i)) return false;
    }
    return true;
  }
  // Parses a version, which is a positive number.
  bool NeedVersion(std::string_view what, int& version);

  // ---- Mistakes (parser.cc, parse_mistakes.cc) ----
  bool Fail(const Position& at, std::string message, std::string help = "", Code code = Code::kRuleSyntax);
  // Fails at the next token: "expected an expression after `let`, found `)`".
  bool FailExpected(std::string_view expected, std::string_view help = "");
  bool FailBadToken(const Token& token);
  // After an expression: fails with a suggestion if the next token is a known mistake. Returns false
  // otherwise.
  bool FoundUsualMistake();
  bool FailExpression();
  bool FailStatement();
  bool FailDeclaration();
  bool FailKind(const Token& kind);
  // Returns a suggestion for `was` from a list of names: "did you mean `require`?", or "".
  static std::string DidYouMean(std::string_view was, std::span<const std::string_view> names);
  static Position At(const Token& token) {
    return {token.line, token.column, token.text.empty() ? 1 : static_cast<int>(token.text.size())};
  }
  // Returns the position from this token to the last consumed one.
  Position From(const Token& first) const;

  // ---- Expressions (parse_expression.cc) ----
  ExprPtr Expression();
  ExprPtr Sum();
  ExprPtr Binary(int level);
  ExprPtr Comparison(ExprPtr left, const Token& first);
  ExprPtr Not();
  ExprPtr Unary();
  ExprPtr Postfix();
  ExprPtr Primary();
  ExprPtr Literal();
  ExprPtr List();
  ExprPtr For(ExprPtr body, const Token& first);
  ExprPtr Fold();
  ExprPtr If();
  ExprPtr Subscript(ExprPtr whole, const Token& first);
  // Parses up to and including the closing token. In a list, items may be spread, and `for` may follow the
  // first item. In that case parsing stops before `for`, and *for_follows is set.
  bool Expressions(TokenKind close, std::string_view where, std::vector<ExprPtr>& out,
                   bool* for_follows = nullptr);
  bool BoundNames(std::vector<std::string>& names);
  ExprPtr Copy(const Expr& expr);
  ExprPtr Make(ExprKind kind, const Token& first, std::string_view text = "");
  // Completes a node whose children are complete.
  ExprPtr Close(ExprPtr expr, const Token& first);

  // ---- Strings (parse_string.cc) ----
  bool String(std::string& out);
  bool JoinedStrings(std::string& out);
  bool ParseMessage(Message& out);
  bool MessagePart(Message& out);
  bool Escape(const Token& token, size_t& i, std::string& out);
  ExprPtr Embedded(const Token& token, size_t begin, size_t end);

  // ---- Patterns (parse_pattern.cc) ----
  bool Pattern(TypePattern& out);
  bool Container(PatternKind kind, TypePattern& out);
  bool Tensor(TypePattern& out);
  bool TakeStorage(TypePattern& out);
  bool AtStorage() const;
  ExprPtr Element();
  bool Shape(TypePattern& out);
  bool Item(ShapeItem& out);
  bool Arguments(std::vector<Argument>& out, std::string_view what);
  bool ArgumentGroup(std::vector<Argument>& out, std::string_view what);
  bool ArgumentName(Argument& out, std::string_view what);
  bool Attributes(Operator& out);
  bool ParseRegion(Region& out);
  bool Patterns(std::vector<TypePattern>& out);
  bool AttributeGroup(std::vector<Attribute>& out);
  bool AttributeValues(Attribute& out);
  bool Allowed(Attribute& out);

  // ---- Declarations (parse_declaration.cc) ----
  bool ParseSet(File& file);
  bool ParseFunction(Function& out);
  bool ParseOperator(Operator& out);
  bool OperatorNames(Operator& out);
  bool Versions(Operator& out);
  bool Signatures(Operator& out);
  bool ParseSignature(Signature& out, Operator* with_attributes);
  bool AtDeclaration() const;
  bool AtPart(size_t at) const;
  bool Statements(Operator& out);
  bool ParseStatement(Statement& out);
  bool With(Statement& out);
  bool Binding(StatementKind kind, std::string_view what, Statement& out);
  bool AtTypes() const;
  bool TypesGroup(std::vector<Statement>& out);
  bool Types(Statement& out);
  bool Require(StatementKind kind, Statement& out);

  // ---- Properties (parse_property.cc) ----
  bool ParseProperty(Statement& out);
  bool ParsePart(PartForm form, PropertyPart& out);
  bool AtPartOf(const PropertyGrammar& grammar) const;
  bool RegionItems(std::vector<std::string>& out, std::vector<Position>& at);

  std::string_view text_;
  std::string_view file_name_;
  std::span<const Token> tokens_;
  int first_line_;
  size_t at_ = 0;
  size_t declaration_ = 0;  // the first token of the current declaration
  int depth_ = 0;
  int copied_ = 0;           // nodes copied by chained comparisons
  Part part_ = Part::kAll;   // of the current operator
  bool stop_at_in_ = false;  // after the default of an attribute, `in` is not an operator
  std::optional<Diagnostic> mistake_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_RULE_PARSER_H_
