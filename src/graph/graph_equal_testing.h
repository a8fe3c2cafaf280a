// Compares two graphs for equality up to IDs.
#ifndef DIMWISE_GRAPH_GRAPH_EQUAL_TESTING_H_
#define DIMWISE_GRAPH_GRAPH_EQUAL_TESTING_H_

#include <string>

#include "dimwise/graph.h"

namespace dimwise {

// Returns empty if the graphs are equal, else the first difference. Dead nodes and unused missing values are
// ignored. Types and contents are compared as text.
std::string GraphDifference(const Graph& a, const Graph& b);

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_GRAPH_EQUAL_TESTING_H_
