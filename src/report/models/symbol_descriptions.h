// Describes the symbols that inference created: "the number of boxes that NonMaxSuppression 'nms' keeps", or
// "the size of 'y' along axis 0, from Reshape 'r'". Operators declare the text (`property unknown`).
#ifndef DIMWISE_REPORT_MODELS_SYMBOL_DESCRIPTIONS_H_
#define DIMWISE_REPORT_MODELS_SYMBOL_DESCRIPTIONS_H_

#include <tsl/robin_map.h>

#include <string>

#include "report/models/model_report.h"

namespace dimwise {

class SymbolDescriptions {
 public:
  // `report` has to outlive the descriptions.
  explicit SymbolDescriptions(const ModelReport& report) : report_(report) {}

  // Returns "" for a symbol of the user, for one that represents a computation, and for one that is no size
  // of a result.
  std::string Of(Dim symbol);

 private:
  // The first size of a result that contains a symbol.
  struct Mention {
    ValueId value = kNoValue;
    int axis = 0;
    bool is_whole = false;  // the size is the symbol itself
  };
  void FindMentions();
  bool IsInOperands(NodeId node, Dim symbol) const;

  const ModelReport& report_;
  tsl::robin_map<Dim, Mention, std::hash<Dim>> mentions_;
  bool searched_ = false;
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_SYMBOL_DESCRIPTIONS_H_
