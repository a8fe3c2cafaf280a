// How many random inputs a test tries. Sanitizers make each many times slower, and find in a few what they would find
// in many; that many are tried is for the tests without them.
#ifndef DIMWISE_CORE_BASE_ROUNDS_TESTING_H_
#define DIMWISE_CORE_BASE_ROUNDS_TESTING_H_

namespace dimwise {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kOneInRounds = 10;  // of so many, one is tried
#else
constexpr int kOneInRounds = 1;
#endif

// Of `all` rounds, or of what is expected of all of them, what is for this build.
template <typename T>
constexpr T Rounds(T all) {
  return all / kOneInRounds;
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_ROUNDS_TESTING_H_
