// All that is told about a model that was inferred, as every way of telling it (text, JSON, SARIF) needs it.
#ifndef DIMWISE_REPORT_MODELS_MODEL_REPORT_H_
#define DIMWISE_REPORT_MODELS_MODEL_REPORT_H_

#include <string>
#include <vector>

#include "dimwise/inference.h"
#include "graph/program_names.h"

namespace dimwise {

// How much is known of how many values. A sequence, an optional and a map count by their element.
struct ModelStats {
  size_t nodes = 0;  // with those of sub-graphs
  size_t values = 0;
  size_t ranked = 0;
  size_t constant = 0;  // of the ranked: every size is a number
  size_t symbolic = 0;  // of the ranked: the others
  size_t unknown = 0;   // no rank
};

struct ModelReport {
  // `distinct_values`: whoever made the graph knows that no two values of a region share a name.
  ModelReport(std::string file_name, std::string format_name, const Inference& found,
              bool distinct_values = false);

  const Graph& graph() const { return inference.graph(); }
  DimTable& dims() const { return graph().analysis().dims(); }
  Type type(ValueId value) const { return types_[Index(value)]; }
  // Whether inference came to the value: not inside a branch that is never taken.
  bool reached(ValueId value) const { return reached_[Index(graph().region(value))]; }
  bool has_errors() const;
  // The values that a node reads, as reports call them.
  std::vector<std::string> OperandNames(NodeId node) const;
  // Where a node stands, as the stages of a shape program say it: nothing for the model itself, "loop.body",
  // "unused", "loop.body/unused".
  std::string Within(NodeId node) const;

  const std::string file;    // as the user called it
  const std::string format;  // "onnx"
  const Inference& inference;
  const ProgramNames names;
  ModelStats stats;
  // What is wrong, in the order of the program, each with its file and its node; what is told of the file
  // itself comes first.
  std::vector<Diagnostic> findings;

 private:
  std::vector<bool> reached_;  // by region
  std::vector<Type> types_;    // simplified, which takes a while
};

// Of a graph that was built: it is called by its name where others have a file.
ModelReport ReportOf(const Inference& inference);

// Puts what the reader of the file found before the rest.
void AddReaderFindings(ModelReport& report, std::vector<Diagnostic> findings);

// The nodes at which a shape is lost: no rank is known of a result, although one is of every operand. In the
// order of the program.
std::vector<NodeId> WhereShapesAreLost(const ModelReport& report);

// The tensor whose shape counts for a value: itself, or the element of a sequence, an optional or a map.
const Type& CountedType(const Type& type);
bool HasRank(const Type& type);
void CountValue(const Type& type, ModelStats& stats);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_REPORT_H_
