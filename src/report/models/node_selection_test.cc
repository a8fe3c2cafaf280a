#include "report/models/node_selection.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(MatchesPattern, Pattern_WithStarsAndQuestionMarks_MatchesWholeName) {
  struct Case {
    std::string_view name, pattern;
    bool matches;
  };
  for (const Case& c : {Case{"encoder.0.qk", "encoder*", true},
                        {"encoder.0.qk", "*qk", true},
                        {"encoder.0.qk", "encoder.?.qk", true},
                        {"encoder.10.qk", "encoder.?.qk", false},
                        {"encoder", "*", true},
                        {"", "*", true},
                        {"", "", true},
                        {"", "?", false},
                        {"abcabd", "*abd", true},
                        {"abcab", "*abd", false},
                        {"aXbXc", "a*b*c", true},
                        {"abc", "ab", false},
                        {"ab", "abc", false},
                        {"ab", "ab**", true}}) {
    EXPECT_EQ(MatchesPattern(c.name, c.pattern), c.matches) << c.name << " " << c.pattern;
  }
}

}  // namespace
}  // namespace dimwise
