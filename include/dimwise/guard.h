// A guard of a shape function, and the message of an error.
#ifndef DIMWISE_GUARD_H_
#define DIMWISE_GUARD_H_

#include <string>
#include <string_view>
#include <type_traits>

#include "dimwise/condition.h"
#include "dimwise/diagnostic.h"

namespace dimwise {

// A guard: a condition to test at run time. What inference derived is valid only if the condition holds.
struct Guard {
  Condition condition;
  std::string message;
  Code code = Code::kRequirement;
};

// Returns whether a guard with this code only states where the sizes of the results are valid: an `assume` of
// a rule, or a condition that guards of other nodes decided. Where it fails, the node may succeed with other
// sizes.
inline bool IsValidityCondition(Code code) { return code == Code::kAssumption || code == Code::kSharedGuard; }

// The text of an error, or a function that creates the text on demand. Use it only as a parameter type: it
// does not own the text.
class Message {
 public:
  Message(const char* text) : text_(text) {}         // NOLINT: implicit
  Message(std::string_view text) : text_(text) {}    // NOLINT: implicit
  Message(const std::string& text) : text_(text) {}  // NOLINT: implicit
  template <typename F>
  requires std::is_invocable_r_v<std::string, const F&> Message(const F& make)  // NOLINT: implicit
      : make_(&make), call_([](const void* f) -> std::string { return (*static_cast<const F*>(f))(); }) {}

  std::string Text() const { return call_ != nullptr ? call_(make_) : std::string(text_); }

 private:
  std::string_view text_;
  const void* make_ = nullptr;
  std::string (*call_)(const void*) = nullptr;
};

}  // namespace dimwise

#endif  // DIMWISE_GUARD_H_
