// Creates the graph that an outline describes.
#ifndef DIMWISE_GRAPH_BUILD_GRAPH_H_
#define DIMWISE_GRAPH_BUILD_GRAPH_H_

#include "dimwise/graph.h"
#include "graph/graph_cursor.h"
#include "graph/graph_outline.h"

namespace dimwise {

// Returns false after an error, which the cursor stores; the graph is then invalid. REQUIRES: an empty graph.
bool BuildGraph(const ProgramOutline& program, GraphCursor& cursor, Graph* graph);

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_BUILD_GRAPH_H_
