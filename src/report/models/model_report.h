// The result of inference in the form that all output formats (text, JSON, SARIF) use.
#ifndef DIMWISE_REPORT_MODELS_MODEL_REPORT_H_
#define DIMWISE_REPORT_MODELS_MODEL_REPORT_H_

#include <string>
#include <vector>

#include "dimwise/inference.h"
#include "graph/program_names.h"

namespace dimwise {

// Counts of values by what is known of them. A sequence, an optional or a map counts as its element.
struct ModelStats {
  size_t nodes = 0;  // including those of regions
  size_t values = 0;
  size_t ranked = 0;
  size_t constant = 0;  // ranked values whose sizes are all numbers
  size_t symbolic = 0;  // other ranked values
  size_t unknown = 0;   // values without a rank
};

struct ModelReport {
  // `distinct_values`: the graph is known to have no two values of a region with the same name.
  ModelReport(std::string file_name, std::string format_name, const Inference& found,
              bool distinct_values = false);

  const Graph& graph() const { return inference.graph(); }
  DimTable& dims() const { return graph().analysis().dims(); }
  Type type(ValueId value) const { return types_[Index(value)]; }
  // Returns whether inference reached the value; false inside a branch that is never taken.
  bool reached(ValueId value) const { return reached_[Index(graph().region(value))]; }
  bool has_errors() const;
  // Returns the names of the operands of a node.
  std::vector<std::string> OperandNames(NodeId node) const;
  // Returns the region of a node in the notation of shape programs: "" for the model itself, "loop.body",
  // "unused", "loop.body/unused".
  std::string Within(NodeId node) const;

  const std::string file;    // as the user gave it
  const std::string format;  // "onnx"
  const Inference& inference;
  const ProgramNames names;
  ModelStats stats;
  // The findings in program order, each with its file and node. Findings about the file come first.
  std::vector<Diagnostic> findings;

 private:
  std::vector<bool> reached_;  // by region
  std::vector<Type> types_;    // simplified; cached because simplification is slow
};

// Creates a report on a built graph. Its name is used instead of a file name.
ModelReport ReportOf(const Inference& inference);

// Inserts the findings of the reader before all others.
void AddReaderFindings(ModelReport& report, std::vector<Diagnostic> findings);

// Returns the nodes at which a shape is lost, in program order: a result has no rank although all operands
// have one.
std::vector<NodeId> WhereShapesAreLost(const ModelReport& report);

// Returns the type that is counted for a value: the type itself, or that of the element of a container.
const Type& CountedType(const Type& type);
bool HasRank(const Type& type);
void CountValue(const Type& type, ModelStats& stats);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_REPORT_H_
