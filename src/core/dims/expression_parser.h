// Parses sizes and conditions in Python's syntax, as Dimwise prints them and users write them.
#ifndef DIMWISE_CORE_DIMS_EXPRESSION_PARSER_H_
#define DIMWISE_CORE_DIMS_EXPRESSION_PARSER_H_

#include <string_view>

#include "dimwise/condition.h"

namespace dimwise {

class ExpressionParser {
 public:
  // Undeclared names are declared as sizes.
  ExpressionParser(DimTable& table, std::string_view text) : table_(table), text_(text) {}

  // Parses the whole text as a size, or as conditions separated by commas.
  Result<Dim> ParseDim();
  Result<Condition> ParseConditions();

 private:
  struct Operand {
    Dim dim;
    Condition condition;
    bool is_condition = false;
  };

  Result<Operand> Or();
  Result<Operand> And();
  Result<Operand> Negation();
  Result<Operand> Comparison();
  Result<Operand> Sum();
  Result<Operand> Product();
  Result<Operand> Unary();
  Result<Operand> Primary();
  Result<Operand> Call(std::string_view function);
  Result<Operand> Broadcastable();
  Result<Operand> Number(bool negative);
  Result<Operand> QuotedName();
  Operand Named(std::string_view name);

  void SkipSpace();
  bool AtEnd();
  bool TakeSymbol(std::string_view symbol);
  bool TakeWord(std::string_view word);
  std::string_view PeekWord();
  Status OpenCall(std::string_view function);
  Unexpected Fail(std::string message) const;
  Result<Dim> NeedDim(Operand operand) const;
  Result<Condition> NeedCondition(Operand operand) const;

  DimTable& table_;
  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_EXPRESSION_PARSER_H_
