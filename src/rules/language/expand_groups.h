// Includes groups in operators. A group is a template without operands: attributes and statements that
// several operators share. `with NAME` includes its statements in place, and its attributes after those of
// the operator. An operator that adds attributes to those of its template (`like`) gets a copy of the template.
#ifndef DIMWISE_RULES_LANGUAGE_EXPAND_GROUPS_H_
#define DIMWISE_RULES_LANGUAGE_EXPAND_GROUPS_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "rules/language/ast.h"

namespace dimwise::rules {

// The most groups that an operator may include, directly and through other groups.
inline constexpr int kMaxGroupsOfOperator = 32;

struct GroupMistake {
  Position at;
  std::string message;
};

// Returns the template with a name, or null.
using FindTemplate = std::function<const Operator*(std::string_view)>;

// Replaces each `with` of the operator by copies of the statements of a group. The copies have the position
// of the `with`, since the group may be in another file. Returns the first mistake.
std::optional<GroupMistake> ExpandGroups(Operator& op, const FindTemplate& find);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_EXPAND_GROUPS_H_
