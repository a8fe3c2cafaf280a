// Counts the heap allocations of a thread. A program that uses this function is linked with a counting
// operator new.
#ifndef DIMWISE_INFER_ALLOCATION_COUNT_TESTING_H_
#define DIMWISE_INFER_ALLOCATION_COUNT_TESTING_H_

namespace dimwise {

long AllocationCount();

}  // namespace dimwise

#endif  // DIMWISE_INFER_ALLOCATION_COUNT_TESTING_H_
