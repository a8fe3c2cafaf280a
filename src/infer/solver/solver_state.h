// The members of a Solver, for the files that implement it.
#ifndef DIMWISE_INFER_SOLVER_SOLVER_STATE_H_
#define DIMWISE_INFER_SOLVER_SOLVER_STATE_H_

#include <tsl/robin_map.h>

#include <string>
#include <vector>

#include "dimwise/solver.h"
#include "infer/engine/engine.h"
#include "infer/solver/solver_guide.h"

namespace dimwise {

struct Solver::State {
  State(const Graph& graph, const OpRegistry& registry, SolverOptions options);

  const SolverOptions options;
  const Graph& graph;
  const OpRegistry& registry;
  SolverGuide guide;
  Engine engine;
  std::vector<Type> given;               // for each input: the type that replaces the type in the graph
  tsl::robin_map<uint32_t, Type> hints;  // by value
  std::vector<Diagnostic> input_findings;
};

// Returns the type of a value with its sizes simplified by the facts of its region.
Type SimplifiedType(const ProgramState& state, ValueId value);

// Returns the entries in the range of which a part is unknown, with the cause.
std::vector<UnknownEntry> FindUnknown(const ProgramState& state, const SolverGuide& guide,
                                      const OpRegistry& registry, const SolverOptions& options);

}  // namespace dimwise

#endif  // DIMWISE_INFER_SOLVER_SOLVER_STATE_H_
