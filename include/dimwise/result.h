// Result<T> denotes either a T or the Diagnostic that explains why there is none.
//
// It has the interface of std::expected<T, Diagnostic> (C++23), but does not throw: a call of value() or
// error() for the wrong alternative ends the program. The diagnostic is boxed, so a Result<Dim> takes two
// words, and a success allocates nothing. result_macros.h has macros that propagate errors.
//
// Thread safety: a value.
#ifndef DIMWISE_RESULT_H_
#define DIMWISE_RESULT_H_

#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "dimwise/diagnostic.h"

namespace dimwise {

// Wraps a diagnostic for a Result: `return Unexpected(std::move(diagnostic));`
class [[nodiscard]] Unexpected {
 public:
  [[gnu::cold]] explicit Unexpected(Diagnostic d) : box_(std::make_unique<Diagnostic>(std::move(d))) {}
  explicit Unexpected(std::unique_ptr<Diagnostic> box) : box_(std::move(box)) {}
  std::unique_ptr<Diagnostic> Take() && { return std::move(box_); }

 private:
  std::unique_ptr<Diagnostic> box_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = Diagnostic;

  Result() requires std::is_default_constructible_v<T> : state_(std::in_place_index<0>) {}
  template <typename U = T>
  requires(std::is_constructible_v<T, U> && !std::is_same_v<std::remove_cvref_t<U>, Result> &&
           !std::is_same_v<std::remove_cvref_t<U>, Unexpected>) Result(U&& value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}  // NOLINT: implicit, as in std
  Result(Unexpected e) : state_(std::in_place_index<1>, std::move(e).Take()) {}  // NOLINT: implicit, as above
  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  T& value() & { return has_value() ? *std::get_if<0>(&state_) : (std::abort(), *std::get_if<0>(&state_)); }
  const T& value() const& { return const_cast<Result*>(this)->value(); }
  T&& value() && { return std::move(value()); }
  T& operator*() & { return *std::get_if<0>(&state_); }
  const T& operator*() const& { return *std::get_if<0>(&state_); }
  T&& operator*() && { return std::move(**this); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }

  Diagnostic& error() & { return has_value() ? (std::abort(), *box()) : *box(); }
  const Diagnostic& error() const& { return const_cast<Result*>(this)->error(); }
  Diagnostic&& error() && { return std::move(error()); }
  // Returns the box itself, to propagate an error to another Result without a copy.
  Unexpected TakeError() && { return Unexpected(std::move(box())); }

  template <typename U>
  T value_or(U&& other) const& {
    return has_value() ? **this : static_cast<T>(std::forward<U>(other));
  }
  template <typename F>
  auto and_then(F&& f) && -> std::invoke_result_t<F, T&&> {
    if (has_value()) return std::forward<F>(f)(std::move(**this));
    return std::move(*this).TakeError();
  }
  template <typename F>
  auto transform(F&& f) && -> Result<std::invoke_result_t<F, T&&>> {
    if (has_value()) return std::forward<F>(f)(std::move(**this));
    return std::move(*this).TakeError();
  }

 private:
  std::unique_ptr<Diagnostic>& box() { return *std::get_if<1>(&state_); }
  std::variant<T, std::unique_ptr<Diagnostic>> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Unexpected e) : error_(std::move(e).Take()) {}  // NOLINT: implicit, as in std
  bool has_value() const noexcept { return error_ == nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  Diagnostic& error() { return error_ ? *error_ : (std::abort(), *error_); }
  const Diagnostic& error() const { return const_cast<Result*>(this)->error(); }
  Unexpected TakeError() && { return Unexpected(std::move(error_)); }

 private:
  std::unique_ptr<Diagnostic> error_;
};

using Status = Result<void>;

}  // namespace dimwise
#endif  // DIMWISE_RESULT_H_
