// Scales the number of random inputs of a test. Sanitizer builds try a tenth of them: each input takes many
// times longer, and other builds try all of them.
#ifndef DIMWISE_CORE_BASE_ROUNDS_TESTING_H_
#define DIMWISE_CORE_BASE_ROUNDS_TESTING_H_

namespace dimwise {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kOneInRounds = 10;  // sanitizer builds try one of this many
#else
constexpr int kOneInRounds = 1;
#endif

// Returns the number of rounds for this build, or an expected count scaled in the same way.
template <typename T>
constexpr T Rounds(T all) {
  return all / kOneInRounds;
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_ROUNDS_TESTING_H_
