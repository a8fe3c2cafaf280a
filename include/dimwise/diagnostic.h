// A Diagnostic denotes one thing to tell the user: what is wrong, where, why, and the way out.
//
// The code is registered: it has a meaning, an example and a way out (DescribeCode), and is never reused. The
// message is one sentence in the user's words. The sides are the parts of a conflict, each with the reason
// for what it is. How it looks (text, JSON, SARIF) is the business of the report layer.
//
// Thread safety: values; the registry of codes is constant.
#ifndef DIMWISE_DIAGNOSTIC_H_
#define DIMWISE_DIAGNOSTIC_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/export.h"

namespace dimwise {

enum class Severity : uint8_t { kError, kWarning, kNote };

// Printed DW followed by four digits. The hundreds are the subject: 00 the request, 01 shapes and types,
// 02 facts, 03 operators and their definitions, 04 rule files, 05 model files.
enum class Code : uint16_t {
  kBadUsage = 1,
  kBadRequest = 2,
  kUnknownOperator = 3,
  kBadExpression = 4,
  kNotSupported = 5,
  kRankMismatch = 101,
  kSizeMismatch = 102,
  kRequirement = 103,
  kBroadcast = 104,
  kNegativeSize = 105,
  kOverflow = 106,
  kOutOfRange = 107,
  kElementType = 108,
  kContents = 109,
  kElementCount = 110,
  kHandleData = 111,
  kDeclaredType = 112,
  kUnknownShape = 113,
  kAssumption = 114,
  kContradiction = 201,
  kArity = 301,
  kMissingAttribute = 302,
  kBadAttribute = 303,
  kBadDefinition = 304,
  kDuplicateDefinition = 305,
  kNoSuchVersion = 306,
  kBadHandle = 307,
  kRuleSyntax = 401,
  kRuleName = 402,
  kRuleType = 403,
  kRuleLimit = 404,
  kRuleDuplicate = 405,
  kUnreadableFile = 501,
  kDamagedFile = 502,
  kMissingValue = 503,
  kDuplicateName = 504,
  kBadModel = 505,
  kUnknownFormat = 506,
  kGraphText = 510,
};

// One side of a conflict: `A  'q'  f32[N, 64]    64 from Reshape 'q_heads'`.
struct Side {
  std::string role;    // the operand's name in the operator: "A"
  std::string value;   // what it is: "'q' f32[N, 64]"
  std::string reason;  // why it is so; may be empty
};

// A place in a text that a person wrote, such as a rule file, with the line that stands there.
struct Source {
  std::string file;  // "conv.shape"
  int line = 0;      // from 1; 0 where there is no place
  int column = 0;    // from 1, in bytes
  int length = 0;    // how many bytes are meant, within the line
  std::string text;  // the line, without its end
};

struct Diagnostic {
  Code code = Code::kBadRequest;
  Severity severity = Severity::kError;
  std::string message;
  std::string node;    // the node's name, empty where there is none
  std::string op;      // the operator
  int64_t index = -1;  // the node's place in the file, -1 where there is none
  std::vector<Side> sides;
  std::vector<std::string> notes;
  std::string help;
  Source source;
};

struct CodeInfo {
  Code code;
  std::string_view name;     // "size-mismatch"
  std::string_view meaning;  // one or two sentences
  std::string_view example;  // what a user may have written
  std::string_view way_out;  // what to do
};

// The registry of codes, by number.
DIMWISE_API std::span<const CodeInfo> AllCodes();
DIMWISE_API const CodeInfo* DescribeCode(Code code);

// "DW0102".
DIMWISE_API std::string CodeName(Code code);

// The diagnostic as a person reads it: the first line, the place in the source, the sides, the notes, the
// help.
DIMWISE_API std::string ToString(const Diagnostic& diagnostic);

}  // namespace dimwise

#endif  // DIMWISE_DIAGNOSTIC_H_
