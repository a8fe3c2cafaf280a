// What a Solver holds, for the files that make it.
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
  std::vector<Type> given;               // for each input: what was said in the place of what the graph says
  tsl::robin_map<uint32_t, Type> hints;  // by value
  std::vector<Diagnostic> input_findings;
};

// `type` with every size as simple as the facts of its region allow.
Type SimplifiedType(const Engine& engine, ValueId value);

// The entries of the range of which a part is unknown, and why.
std::vector<UnknownEntry> FindUnknown(const Engine& engine, const SolverGuide& guide,
                                      const OpRegistry& registry, const SolverOptions& options);

}  // namespace dimwise

#endif  // DIMWISE_INFER_SOLVER_SOLVER_STATE_H_
