#include "cli/batch_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/transcript_testing.h"
#include "infer/context/sample_ops_testing.h"

namespace dimwise {
namespace {

std::string AnswerTo(std::string_view line) {
  BatchReader reader(SampleRegistry());
  std::string answer;
  reader.Answer(line, 7, &answer);
  return answer;
}

TEST(BatchReader, SampleRequests_InOrder_MatchTranscript) {
  RunTranscript("src/cli/testdata/batch_sample.txt", [](const std::vector<std::string>& requests) {
    BatchReader reader(SampleRegistry());
    std::vector<std::string> answers;
    for (const std::string& request : requests) {
      std::string answer;
      reader.Answer(request, answers.size() + 1, &answer);
      EXPECT_TRUE(answer.ends_with('\n'));
      answer.pop_back();
      answers.push_back(answer);
    }
    return answers;
  });
}

TEST(BatchReader, Id_AnyJsonValue_IsEchoedAsWritten) {
  const char* ids[] = {"0",
                       "-0",
                       "1.10",
                       "1e3",
                       "123456789012345678901234567890",
                       "1e999",
                       "\"a\"",
                       "\"\"",
                       "\"\\u00e9\\n\"",
                       "true",
                       "null",
                       "[]",
                       "[1,[2.50]]",
                       "{}",
                       "{\"a b\":[null]}",
                       "\"{\\\"id\\\": 3}\""};
  for (const std::string id : ids) {
    const std::string answer =
        AnswerTo("{\"op\": \"test.Echo\", \"id\":   " + id + "  , \"attrs\": {\"id\": 5}}");
    EXPECT_EQ(answer,
              "{\"id\": " + id +
                  ", \"ok\": true, \"inputs\": [], \"outputs\": [], \"symbols\": {}, \"checks\": []}\n");
  }
}

TEST(BatchReader, Id_WithWhiteSpace_IsEchoedWithoutIt) {
  EXPECT_TRUE(AnswerTo("{\"id\": [ 1,\t{\"a b\" : \"c d\"} ], \"op\": \"test.Echo\"}")
                  .starts_with("{\"id\": [1,{\"a b\":\"c d\"}], "));
}

TEST(BatchReader, Line_WithoutId_IsAnsweredWithLineNumber) {
  for (const char* line :
       {"", "{", "\xff", "[]", "3", "{\"op\": \"test.Echo\"}", "{\"id\": 1", "{\"id\": 1} 2"}) {
    EXPECT_TRUE(AnswerTo(line).starts_with("{\"id\": null, \"line\": 7, \"ok\": ")) << line;
  }
}

TEST(BatchReader, DeepOrWideJson_PastLimit_IsAnError) {
  const auto nested = [](int depth) {
    return std::string(static_cast<size_t>(depth), '[') + std::string(static_cast<size_t>(depth), ']');
  };
  EXPECT_EQ(
      AnswerTo("{\"id\": " + nested(5000) + "}"),
      "{\"id\": null, \"line\": 7, \"ok\": false, \"diagnostics\": [{\"severity\": \"error\", \"code\": "
      "\"DW0002\", "
      "\"message\": \"the line is not valid JSON: it is nested more than 1024 deep\", \"notes\": []}]}\n");
  EXPECT_NE(AnswerTo("{\"id\": 1, \"op\": \"test.Echo\", \"attrs\": {\"sizes\": " + nested(100) + "}}")
                .find("at most 16 deep"),
            std::string::npos);
  std::string sizes = "1";
  for (int i = 0; i < 300; ++i) sizes += ",1";
  EXPECT_EQ(AnswerTo("{\"id\": 1, \"op\": \"test.Same\", \"inputs\": [{\"shape\": [" + sizes + "]}]}"),
            "{\"id\": 1, \"ok\": false, \"diagnostics\": [{\"severity\": \"error\", \"code\": \"DW0107\", "
            "\"message\": \"`inputs[0].shape` has more than 254 dimensions\", \"notes\": []}]}\n");
}

TEST(BatchReader, Value_LargeConstant_IsAccepted) {
  std::string values = "0";
  for (int i = 1; i < 1000; ++i) values += "," + std::to_string(i);
  const std::string answer = AnswerTo(
      "{\"id\": 1, \"op\": \"test.Same\", \"inputs\": [{\"dtype\": \"i32\", \"shape\": [1000], \"value\": [" +
      values + "]}]}");
  EXPECT_EQ(answer,
            "{\"id\": 1, \"ok\": true, \"inputs\": [{\"dtype\": \"i32\", \"shape\": [1000]}], \"outputs\": "
            "[{\"dtype\": \"i32\", "
            "\"shape\": [1000]}], \"symbols\": {}, \"checks\": []}\n");
}

TEST(BatchReader, Answer_AfterOtherLines_IsUnchanged) {
  const std::string join = R"({"id": 1, "op": "test.Join", "inputs": [{"shape": ["N"]}, {"shape": [3]}]})";
  const std::string same = R"({"id": 2, "op": "test.Same", "inputs": [{"shape": ["N"]}]})";
  BatchReader reader(SampleRegistry());
  std::string answers;
  reader.Answer(join, 7, &answers);
  reader.Answer(same, 7, &answers);
  EXPECT_EQ(answers, AnswerTo(join) + AnswerTo(same));
}

TEST(BatchReader, Line_TooLong_IsAnError) {
  BatchReader reader(SampleRegistry());
  std::string answer;
  reader.AnswerTooLong(3, size_t{64} << 20, &answer);
  EXPECT_EQ(answer,
            "{\"id\": null, \"line\": 3, \"ok\": false, \"diagnostics\": [{\"severity\": \"error\", "
            "\"code\": \"DW0002\", \"message\": "
            "\"the line is longer than 64 MiB\", \"notes\": [], \"help\": \"omit contents (`value`) "
            "that no shape depends on\"}]}\n");
}

}  // namespace
}  // namespace dimwise
