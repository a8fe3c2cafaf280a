// Prints the nodes of a model as a table:
//
//     #  node    op       inputs     outputs
//     0  conv1   Conv     x, w1, b1  y1  f32[N, 64, 112, 112]
//     1  branch  If       c          z   f32[N, 64]
//          then_branch
//     0      r   Relu     y1         t   f32[N, 64]
#ifndef DIMWISE_REPORT_MODELS_MODEL_TABLE_H_
#define DIMWISE_REPORT_MODELS_MODEL_TABLE_H_

#include <string>

#include "report/models/model_report.h"
#include "report/text/text_style.h"

namespace dimwise {

struct TableOptions {
  std::string name;  // of a node or a result: a substring, or a pattern for the whole name with * and ?
  std::string op;    // without the most frequent set of the program: "Sort", "other.Sort"
  bool unknown_only = false;  // nodes with a result of unknown rank or element type
  size_t width = 0;           // of the terminal; 0: unlimited
  Colour colour = Colour::kNever;
};

// Returns the table, or "" if no node passes the filters.
std::string ModelTable(const ModelReport& report, const TableOptions& options);

// Returns whether the whole name matches a pattern with * (any text) and ? (any character).
bool MatchesPattern(std::string_view name, std::string_view pattern);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_TABLE_H_
