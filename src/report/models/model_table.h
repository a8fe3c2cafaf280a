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
#include "report/models/node_selection.h"
#include "report/text/text_style.h"

namespace dimwise {

struct TableOptions {
  NodeFilter filter;
  size_t width = 0;  // of the terminal; 0: unlimited
  Colour colour = Colour::kNever;
};

// Returns the table, or "" if no node passes the filters.
std::string ModelTable(const ModelReport& report, const TableOptions& options);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_TABLE_H_
