// my.Grow
// by is s where it is not written
// mode is "add" where it is not written
// strings: 0 "add", 1 "same", -1 any other
func.func @my.Grow(%X: tensor<?xindex>, %by: tensor<?xindex>, %by_given: i1, %mode: index) -> (tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %0 = arith.cmpi eq, %mode, %c0 : index
  %10 = scf.if %0 -> (tensor<?xindex>) {
    %1 = scf.if %by_given -> (tensor<?xindex>) {
      scf.yield %by : tensor<?xindex>
    } else {
      scf.yield %X : tensor<?xindex>
    }
    %2 = tensor.dim %X, %c0 : tensor<?xindex>
    %3 = tensor.dim %1, %c0 : tensor<?xindex>
    %4 = arith.minsi %2, %3 : index
    %9 = tensor.generate %4 {
    ^bb0(%5: index):
      %6 = tensor.extract %X[%5] : tensor<?xindex>
      %7 = tensor.extract %1[%5] : tensor<?xindex>
      %8 = arith.addi %6, %7 : index
      tensor.yield %8 : index
    } : tensor<?xindex>
    scf.yield %9 : tensor<?xindex>
  } else {
    scf.yield %X : tensor<?xindex>
  }
  %11 = func.call @dimwise.sizes(%10) : (tensor<?xindex>) -> i1
  cf.assert %11, "Y of Grow would have a size that is negative"
  return %10 : tensor<?xindex>
}
