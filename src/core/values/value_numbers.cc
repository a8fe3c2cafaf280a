#include "core/values/value_numbers.h"

namespace dimwise {

TensorValue::Contents NumbersOf(Value value, int64_t* culprit) {
  const auto copy = [&]<typename T>(std::vector<T> numbers, auto&& at) -> TensorValue::Contents {
    numbers.reserve(static_cast<size_t>(value.size()));
    for (int64_t i = 0; i < value.size(); ++i) {
      const std::optional<T> number = at(i);
      if (!number) {
        if (culprit != nullptr) *culprit = i;
        return std::monostate();
      }
      numbers.push_back(*number);
    }
    return numbers;
  };
  if (value.kind() == ValueKind::kFloats || IsFloat(value.element())) {
    return copy(std::vector<double>(), [&](int64_t i) { return value.FloatingPoint(i).constant(); });
  }
  return copy(std::vector<int64_t>(), [&](int64_t i) { return value.ConstantInteger(i); });
}

}  // namespace dimwise
