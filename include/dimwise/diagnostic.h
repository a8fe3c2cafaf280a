// A Diagnostic denotes one message to the user: the problem, its location, its cause and a way to fix it.
//
// The code is registered: it has a meaning, an example and a fix (DescribeCode), and is never reused. The
// message is one sentence in the user's vocabulary. The sides are the parts of a conflict, each with its
// reason. The report layer formats diagnostics as text, JSON or SARIF.
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

// Printed as DW and four digits. The hundreds are the subject: 00 the request, 01 shapes and types, 02 facts,
// 03 operators and their definitions, 04 rule files, 05 model files.
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
  kSharedGuard = 115,
  kContradiction = 201,
  kEffort = 202,
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
  kNewerOpset = 507,
  kGraphText = 510,
};

// One side of a conflict: `A  'q'  f32[N, 64]    64 from Reshape 'q_heads'`.
struct Side {
  std::string role;    // the operand's name in the operator: "A"
  std::string value;   // its value: "'q' f32[N, 64]"
  std::string reason;  // the reason for the value; may be empty
};

// A range in a text that a person wrote, such as a rule file, with the line that contains it.
struct Source {
  std::string file;  // "conv.shape"
  int line = 0;      // from 1; 0 if there is no location
  int column = 0;    // from 1, in bytes
  int length = 0;    // number of bytes within the line
  std::string text;  // the line, without its terminator
};

struct Diagnostic {
  Code code = Code::kBadRequest;
  Severity severity = Severity::kError;
  std::string message;
  std::string node;    // the name of the node; empty if there is none
  std::string op;      // the operator
  int64_t index = -1;  // the index of the node in the file, or -1
  std::vector<Side> sides;
  std::vector<std::string> notes;
  std::string help;
  Source source;
};

struct CodeInfo {
  Code code;
  std::string_view name;     // "size-mismatch"
  std::string_view meaning;  // one or two sentences
  std::string_view example;  // an example of what a user may have written
  std::string_view way_out;  // how to fix it
};

// Returns the registry of codes, sorted by number.
DIMWISE_API std::span<const CodeInfo> AllCodes();
DIMWISE_API const CodeInfo* DescribeCode(Code code);

// Returns the printed code: "DW0102".
DIMWISE_API std::string CodeName(Code code);

// Returns the text for a person: the first line, the source location, the sides, the notes and the help.
DIMWISE_API std::string ToString(const Diagnostic& diagnostic);

}  // namespace dimwise

#endif  // DIMWISE_DIAGNOSTIC_H_
