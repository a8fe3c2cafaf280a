// An Analysis owns what inference derives about one program: the tables that intern its Dims, Shapes, Types
// and Values, and the facts about its sizes. Handles of one analysis are invalid in another.
//
// Thread safety: an analysis is used by one thread at a time; distinct analyses are independent.
#ifndef DIMWISE_ANALYSIS_H_
#define DIMWISE_ANALYSIS_H_

#include "dimwise/dim.h"
#include "dimwise/facts.h"
#include "dimwise/shape.h"
#include "dimwise/type.h"
#include "dimwise/value.h"

namespace dimwise {

class Analysis {
 public:
  DimTable& dims() { return dims_; }
  ShapeTable& shapes() { return shapes_; }
  TypeTable& types() { return types_; }
  ValueTable& values() { return values_; }
  Facts& facts() { return facts_; }

 private:
  DimTable dims_;
  ShapeTable shapes_;
  TypeTable types_;
  ValueTable values_;
  Facts facts_{dims_};
};

}  // namespace dimwise

#endif  // DIMWISE_ANALYSIS_H_
