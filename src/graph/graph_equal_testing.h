// Whether two graphs are the same but for their ids.
#ifndef DIMWISE_GRAPH_GRAPH_EQUAL_TESTING_H_
#define DIMWISE_GRAPH_GRAPH_EQUAL_TESTING_H_

#include <string>

#include "dimwise/graph.h"

namespace dimwise {

// Empty where they are; else the first thing in which they differ. Dead nodes do not count, nor do missing
// values that nothing uses. Types and contents are compared as they are written.
std::string GraphDifference(const Graph& a, const Graph& b);

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_GRAPH_EQUAL_TESTING_H_
