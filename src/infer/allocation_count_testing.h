// How often this thread has allocated on the heap. Naming it links a program with an operator new that
// counts.
#ifndef DIMWISE_INFER_ALLOCATION_COUNT_TESTING_H_
#define DIMWISE_INFER_ALLOCATION_COUNT_TESTING_H_

namespace dimwise {

long AllocationCount();

}  // namespace dimwise

#endif  // DIMWISE_INFER_ALLOCATION_COUNT_TESTING_H_
