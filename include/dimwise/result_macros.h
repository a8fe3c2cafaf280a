// Macros for functions that return a Result and call other such functions.
#ifndef DIMWISE_RESULT_MACROS_H_
#define DIMWISE_RESULT_MACROS_H_

#include <utility>

#include "dimwise/result.h"

// Returns the error of a Result from the enclosing function, or continues with its value.
#define DIMWISE_RETURN_IF_ERROR(expression)                                                                \
  do {                                                                                                     \
    if (auto dimwise_result = (expression); !dimwise_result) return std::move(dimwise_result).TakeError(); \
  } while (false)
#define DIMWISE_ASSIGN_OR_RETURN(declaration, expression) \
  DIMWISE_ASSIGN_OR_RETURN_(DIMWISE_JOIN_(dimwise_result_, __LINE__), declaration, expression)
#define DIMWISE_ASSIGN_OR_RETURN_(result, declaration, expression) \
  auto result = (expression);                                      \
  if (!result) return std::move(result).TakeError();               \
  declaration = *std::move(result)
#define DIMWISE_JOIN_(a, b) DIMWISE_JOIN_AGAIN_(a, b)
#define DIMWISE_JOIN_AGAIN_(a, b) a##b

#endif  // DIMWISE_RESULT_MACROS_H_
