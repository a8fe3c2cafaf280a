#include "infer/functions/axes.h"

#include "infer/error.h"

namespace dimwise {

Status ReadAxes(InferenceContext* c, int input, int rank, bool once, AxisSet* axes) {
  IntegerList list;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, input, "axes", &list));
  axes->given = list.given;
  axes->count = list.length;
  axes->known = list.AllConstant();
  if (!axes->known) return {};
  for (const Dim element : list.elements) {
    DIMWISE_ASSIGN_OR_RETURN(const int axis, ReadAxis(c, element.constant(), rank));
    if (once && axes->has[static_cast<size_t>(axis)]) {
      return Error(Code::kContents, "{} names axis {} twice in axes {}", OpName(c), axis, ToText(c, list));
    }
    axes->has.set(static_cast<size_t>(axis));
    axes->order.push_back(axis);
  }
  return {};
}

}  // namespace dimwise
