// Options of the engine, and the call that an engine serves.
#ifndef DIMWISE_INFER_ENGINE_STATE_ENGINE_OPTIONS_H_
#define DIMWISE_INFER_ENGINE_STATE_ENGINE_OPTIONS_H_

#include <cstdint>
#include <string_view>

#include "dimwise/attr_value.h"
#include "dimwise/facts.h"
#include "dimwise/graph.h"
#include "dimwise/inference.h"

namespace dimwise {

// Regions and calls inside each other: each uses a part of the call stack.
inline constexpr int kMaxNesting = 100;

struct EngineOptions {
  bool require_shape_functions = false;  // an unknown operator is an error, not a warning
  bool contents = true;                  // track contents of tensors
  bool functions = true;                 // infer the bodies of called functions
  bool assume_not_empty = false;  // sizes of inputs are at least 1, unless a user assumption bounds them
  bool backward = false;          // infer operands from results
  uint32_t visits_per_node = 64;  // average limit; beyond it, values that still change become unknown
  uint32_t visits_in_calls_per_node = 1024;  // beyond it, the results of calls become unknown
  bool program_is_fixed = false;        // nodes are neither added nor changed, so values may share symbols
  bool use_facts_of_dead_nodes = true;  // facts of nodes whose results are unused hold elsewhere too
  AnalysisSwitches analyses;
};

// The call of the program by another one; the default is a program that is not called.
struct CallSite {
  uint64_t path = 0;
  OwnerId owner = 0;        // the calling node; 0: each node owns its facts
  std::string_view origin;  // of generated symbols
  ScopeId scope = ScopeId::kRoot;
  const AttrMap* attrs = nullptr;       // of the call
  const Graph* functions = nullptr;     // the program whose functions may be called
  bool certain = true;                  // whether the call is made in every run
  uint64_t* visits_in_calls = nullptr;  // visits that are left for all calls of the program
  int nesting = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_ENGINE_OPTIONS_H_
