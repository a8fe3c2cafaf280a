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

TEST(BatchReader, Field_Unknown_IsAnErrorUnlessLenient) {
  struct Case {
    std::string request, error;
  };
  const Case cases[] = {
      {R"({"op": "test.Same", "inputs": [], "inptus": []})",
       R"("message": "a request has no field `inptus`", "notes": [], "help": "did you mean `inputs`?")"},
      {R"({"op": "test.Same", "inputs": [{"shap": ["N"]}]})",
       R"("message": "`inputs[0]` has no field `shap`", "notes": [], "help": "did you mean `shape`?")"},
      {R"({"op": "test.Same", "inputs": [{"shape": ["N"], "layout": null}]})",
       R"("message": "`inputs[0]` has no field `layout`", "notes": [], "help": "its fields are dtype, shape, )"
       R"(storage, value, as_shape, handle; `--lenient` ignores unknown fields")"},
      {R"({"op": "test.Same", "inputs": [{"handle": [{"shpe": [1]}]}]})",
       R"("message": "`inputs[0].handle[0]` has no field `shpe`", "notes": [], "help": "did you mean `shape`?")"},
  };
  for (const auto& [request, error] : cases) {
    const std::string answer = AnswerTo(request);
    EXPECT_NE(answer.find("\"DW0002\""), std::string::npos) << answer;
    EXPECT_NE(answer.find(error), std::string::npos) << answer;
    BatchReader lenient(SampleRegistry(), /*lenient=*/true);
    std::string ignored;
    lenient.Answer(request, 1, &ignored);
    EXPECT_EQ(ignored.find("has no field"), std::string::npos) << ignored;
  }
}

TEST(BatchReader, Attributes_IsAnAliasOfAttrs) {
  EXPECT_EQ(AnswerTo(R"({"op": "test.Echo", "attributes": {"count": 3}})"),
            AnswerTo(R"({"op": "test.Echo", "attrs": {"count": 3}})"));
  EXPECT_NE(AnswerTo(R"({"op": "test.Echo", "attrs": {}, "attributes": {}})").find("two names of one field"),
            std::string::npos);
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
    BatchReader lenient(SampleRegistry(), /*lenient=*/true);
    std::string answer;
    lenient.Answer("{\"op\": \"test.Echo\", \"id\":   " + id + "  , \"attrs\": {\"id\": 5}}", 7, &answer);
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
