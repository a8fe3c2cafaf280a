// Compares the diagnostics for texts with a mistake.
#ifndef DIMWISE_RULES_LANGUAGE_MISTAKES_TESTING_H_
#define DIMWISE_RULES_LANGUAGE_MISTAKES_TESTING_H_

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "rules/language/parser.h"

namespace dimwise::rules {

struct MistakenText {
  const char* text;
  const char* message;
};

inline void CheckMistakes(std::span<const MistakenText> texts) {
  for (const MistakenText& t : texts) {
    const Result<File> file = Parse(t.text, "t.shape");
    EXPECT_EQ(file ? "no mistake" : "\n" + ToString(file.error()) + "\n", t.message) << t.text;
  }
}

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_MISTAKES_TESTING_H_
