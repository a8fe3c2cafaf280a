// The documentation of an operator, which `dimwise rule` prints as text (rule_text.h) or JSON (rule_json.h).
//
// Everything comes from the declaration. The results of the examples are computed.
#ifndef DIMWISE_REPORT_OPERATORS_RULE_DOCUMENT_H_
#define DIMWISE_REPORT_OPERATORS_RULE_DOCUMENT_H_

#include <string>
#include <string_view>
#include <vector>

#include "dimwise/op_def.h"
#include "rules/compile/library.h"

namespace dimwise {

// All texts are in the rule language.
struct RuleDocument {
  struct Signature {
    std::string part;  // of the type: "storage"; empty: all parts, or the shape
    std::string text;  // without the name of the operator: "(X: T[n]) -> (Y: T[n])"
  };
  struct Attr {
    std::string name, kind;
    std::string otherwise;  // the default; empty: none
    bool optional = false;  // without a default: whether it may be omitted
    std::vector<std::string> allowed;
    std::string minimum, maximum;  // empty: unlimited
  };
  // The sub-graph in an attribute, with the kinds of values that it takes and gives: "state", "stacked".
  struct SubGraph {
    std::string attribute;
    std::vector<std::string> takes, gives;
  };
  struct Condition {
    std::string text, message;
  };
  struct Contents {
    std::string result, expression;
  };
  struct Fn {
    std::string signature, doc;
  };
  struct Version {
    int since = 0, until = 0;  // until: the first version without this definition; 0: none
    bool is_shown = false;
  };
  struct Example {
    std::string call, result;
  };

  std::string name;  // "my.Chop"
  std::string doc;   // lines
  std::vector<Signature> signatures;
  std::vector<std::string> types;  // "T: float"
  std::vector<Attr> attributes;
  std::vector<std::string> regions;
  std::vector<SubGraph> sub_graphs;
  std::vector<Condition> requirements, assumptions, guarantees;
  std::vector<Contents> contents;
  std::vector<Fn> functions;  // that the rule calls
  std::vector<Version> versions;
  std::vector<Example> examples;
  // The source of the rule. Without a file the operator is a C++ function, and its only signature contains
  // its attributes.
  std::string file;
  int line = 0;
};

// Documents a rule. `library` contains its other versions and the functions that it calls.
RuleDocument DocumentRule(const rules::RuleLibrary& library, const rules::Rule& rule);

// Documents an operator that is implemented in C++.
RuleDocument DocumentFunction(const OpDef& def);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_OPERATORS_RULE_DOCUMENT_H_
