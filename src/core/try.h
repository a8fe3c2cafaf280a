// DIMWISE_TRY(auto x, F()): leaves the function with F's error, or goes on with its value as x.
// DIMWISE_CHECK(F()): the same for a result without a value.
#ifndef DIMWISE_CORE_TRY_H_
#define DIMWISE_CORE_TRY_H_

#include <utility>

#define DIMWISE_TRY_JOIN_(a, b) a##b
#define DIMWISE_TRY_NAME_(line) DIMWISE_TRY_JOIN_(dimwise_try_, line)
#define DIMWISE_TRY_(result, declaration, expression) \
  auto result = (expression);                         \
  if (!result) return std::move(result).TakeError();  \
  declaration = std::move(*result)
#define DIMWISE_TRY(declaration, expression) \
  DIMWISE_TRY_(DIMWISE_TRY_NAME_(__LINE__), declaration, expression)
#define DIMWISE_CHECK(expression)                                                                          \
  do {                                                                                                     \
    if (auto dimwise_status = (expression); !dimwise_status) return std::move(dimwise_status).TakeError(); \
  } while (false)

#endif  // DIMWISE_CORE_TRY_H_
