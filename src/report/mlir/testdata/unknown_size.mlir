// my.Some
func.func @my.Some(%X: tensor<?xindex>, %all: index) -> (tensor<?xindex>) {
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %X, %c0 : tensor<?xindex>
  %1 = arith.cmpi eq, %c1, %0 : index
  cf.assert %1, "X of Some needs rank 1"
  %2 = tensor.extract %X[%c0] : tensor<?xindex>
  %3 = arith.cmpi ne, %all, %c0 : index
  %4 = scf.if %3 -> (index) {
    scf.yield %2 : index
  } else {
    cf.assert %false, "not known here: unknown(0, n)"
    scf.yield %c0 : index
  }
  %5 = tensor.from_elements %4 : tensor<1xindex>
  %6 = tensor.cast %5 : tensor<1xindex> to tensor<?xindex>
  %7 = func.call @dimwise.sizes(%6) : (tensor<?xindex>) -> i1
  cf.assert %7, "Y of Some would have a size that is negative"
  return %6 : tensor<?xindex>
}
