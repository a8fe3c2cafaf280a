// Whether contents that depend on the rounding of a machine are computed, per thread. Machines round sin, exp
// and similar functions differently, so inference leaves them unknown. The evaluator
// (infer/engine/evaluator.cc) computes them.
#ifndef DIMWISE_CORE_VALUES_MACHINE_VALUES_H_
#define DIMWISE_CORE_VALUES_MACHINE_VALUES_H_

namespace dimwise {

class MachineValues {
 public:
  // Computes such contents for the lifetime of the object.
  MachineValues() : before_(are_computed_) { are_computed_ = true; }
  ~MachineValues() { are_computed_ = before_; }
  MachineValues(const MachineValues&) = delete;
  MachineValues& operator=(const MachineValues&) = delete;

  static bool are_computed() { return are_computed_; }

 private:
  static inline thread_local bool are_computed_ = false;
  const bool before_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_MACHINE_VALUES_H_
