// An Analysis owns everything that is found out about one program: the tables in which its Dims, Shapes,
// Types and Values are interned, and the facts between them. Handles from one analysis mean nothing in
// another.
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
