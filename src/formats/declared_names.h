// Renames generated symbols to the names that a model declares for them, so that writing a model again
// produces the same names.
#ifndef DIMWISE_FORMATS_DECLARED_NAMES_H_
#define DIMWISE_FORMATS_DECLARED_NAMES_H_

#include <tsl/robin_map.h>

#include <functional>

#include "dimwise/graph.h"

namespace dimwise {

class DeclaredNames {
 public:
  // Finds the sizes for which inference has a generated symbol, and the graph declares a name that no other
  // size has.
  DeclaredNames(const Graph& graph, const std::function<Type(ValueId)>& type_of);

  Type Renamed(Type type) const;

 private:
  const Graph& graph_;
  tsl::robin_map<Dim, Dim, std::hash<Dim>> names_;  // of generated symbols
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_DECLARED_NAMES_H_
