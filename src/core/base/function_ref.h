// A FunctionRef is a non-owning view of a callable, for parameters that are only called before the callee
// returns. It never allocates.
#ifndef DIMWISE_CORE_BASE_FUNCTION_REF_H_
#define DIMWISE_CORE_BASE_FUNCTION_REF_H_

#include <type_traits>
#include <utility>

namespace dimwise {

template <typename Signature>
class FunctionRef;

template <typename R, typename... Args>
class FunctionRef<R(Args...)> {
 public:
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
      FunctionRef(F&& f)  // NOLINT: implicit, for use as a parameter
      : object_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_FUNCTION_REF_H_
