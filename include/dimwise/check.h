// What a shape function leaves for the run time, and the words for what went wrong.
#ifndef DIMWISE_CHECK_H_
#define DIMWISE_CHECK_H_

#include <string>
#include <string_view>
#include <type_traits>

#include "dimwise/condition.h"
#include "dimwise/diagnostic.h"

namespace dimwise {

// Something to test at run time: it may fail, and what was inferred holds only if it does not.
struct Check {
  Condition condition;
  std::string message;
  Code code = Code::kRequirement;
};

// The words of an error: a text, or a function that makes it, called only when someone is to read it. For
// parameters only: it does not keep its text alive.
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

#endif  // DIMWISE_CHECK_H_
