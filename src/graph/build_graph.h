// Makes the graph that an outline of its text describes.
#ifndef DIMWISE_GRAPH_BUILD_GRAPH_H_
#define DIMWISE_GRAPH_BUILD_GRAPH_H_

#include "dimwise/graph.h"
#include "graph/graph_cursor.h"
#include "graph/graph_outline.h"

namespace dimwise {

// False after a mistake, which the cursor keeps; the graph is then of no use. REQUIRES: an empty graph.
bool BuildGraph(const ProgramOutline& program, GraphCursor& cursor, Graph* graph);

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_BUILD_GRAPH_H_
