// my.Some
func.func @my.Some(%X: tensor<?xindex>, %B: tensor<?xindex>, %B_given: i1) -> (tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %X, %c0 : tensor<?xindex>
  %1 = arith.cmpi eq, %c1, %0 : index
  cf.assert %1, "X of Some needs rank 1"
  %2 = tensor.extract %X[%c0] : tensor<?xindex>
  %3 = tensor.dim %B, %c0 : tensor<?xindex>
  scf.if %B_given {
    %4 = arith.cmpi eq, %c2, %3 : index
    cf.assert %4, "B of Some needs rank 2"
  }
  scf.if %B_given {
    %5 = tensor.extract %B[%c0] : tensor<?xindex>
    %6 = arith.cmpi eq, %2, %5 : index
    cf.assert %6, "B of Some has another n than the other operands"
  }
  %8 = scf.if %B_given -> (index) {
    %7 = tensor.extract %B[%c1] : tensor<?xindex>
    scf.yield %7 : index
  } else {
    scf.yield %c0 : index
  }
  %9 = arith.select %B_given, %8, %2 : index
  %10 = tensor.from_elements %9 : tensor<1xindex>
  %11 = tensor.cast %10 : tensor<1xindex> to tensor<?xindex>
  return %11 : tensor<?xindex>
}
