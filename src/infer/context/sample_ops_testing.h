// A few operators of the set `test`, each of which shows one thing that an answer can say, so that tests of
// reports and of the command line do not depend on the words of real operators.
#ifndef DIMWISE_INFER_CONTEXT_SAMPLE_OPS_TESTING_H_
#define DIMWISE_INFER_CONTEXT_SAMPLE_OPS_TESTING_H_

#include "dimwise/op_registry.h"

namespace dimwise {

// test.Same(X) -> (Y)             as X, with its contents and storage
// test.Join(A, B, C?) -> (Y)      all of one shape: equalities and checks
// test.Half(X; by: int = 2)       the last axis divided: expressions; by = 0 is an error
// test.Some(X) -> (Y)             a size made up by the operator, at most that of X
// test.Cut(X) -> (Y)              the last axis less 3, which must not be negative
// test.ShapeOf(X) -> (Y)          contents in the answer
// test.Read(S; to?: type)         a shape from contents
// test.Behind(H) -> (Y)           what lies behind a handle
// test.Split(X; n: int) -> (Ys)   as many results as an attribute says
// test.Echo(; ...) -> ()          attributes of all kinds, and version 7 without `old`
const OpRegistry& SampleRegistry();

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_SAMPLE_OPS_TESTING_H_
