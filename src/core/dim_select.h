#ifndef DIMWISE_CORE_DIM_SELECT_H_
#define DIMWISE_CORE_DIM_SELECT_H_

#include "dimwise/dim.h"

namespace dimwise {

// 1 where t >= 0, else 0, as DimTable::Select understands it.
Dim OneIfNotNegative(DimTable& table, Dim t);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIM_SELECT_H_
