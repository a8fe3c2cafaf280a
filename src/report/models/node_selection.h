// Selects the nodes of a model that `dimwise show` prints.
#ifndef DIMWISE_REPORT_MODELS_NODE_SELECTION_H_
#define DIMWISE_REPORT_MODELS_NODE_SELECTION_H_

#include <string>
#include <string_view>
#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

// A node is selected if it matches all filters.
struct NodeFilter {
  std::string name;  // of a node or a result: a substring, or a pattern for the whole name with * and ?
  std::string op;    // "Sort" or "other.Sort"
  bool unknown_only = false;  // nodes with a result of unknown rank or element type
};

// Returns the selected nodes in the order of the file. The nodes in the regions of a node come after it.
std::vector<NodeId> SelectNodes(const ModelReport& report, const NodeFilter& filter = {});

// Returns whether the rank or the element type of a value is unknown.
bool IsUnknown(const Type& type);

// Returns whether the whole name matches a pattern with * (any text) and ? (any character).
bool MatchesPattern(std::string_view name, std::string_view pattern);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_NODE_SELECTION_H_
