// my.Pair: Pairs up rows.
func.func @my.Pair(%X: tensor<?xindex>, %Y: tensor<?xindex>) -> (tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c100 = arith.constant 100 : index
  %0 = tensor.dim %X, %c0 : tensor<?xindex>
  %1 = arith.cmpi eq, %c2, %0 : index
  cf.assert %1, "X of Pair needs rank 2"
  %2 = tensor.extract %X[%c0] : tensor<?xindex>
  %3 = arith.floordivsi %2, %c2 : index
  %4 = arith.muli %3, %c2 : index
  %5 = arith.subi %2, %4 : index
  %6 = arith.cmpi eq, %5, %c0 : index
  cf.assert %6, "X of Pair has a size that is not 2 times a number"
  %7 = arith.floordivsi %2, %c2 : index
  %8 = tensor.extract %X[%c1] : tensor<?xindex>
  %9 = tensor.dim %Y, %c0 : tensor<?xindex>
  %10 = arith.cmpi eq, %c2, %9 : index
  cf.assert %10, "Y of Pair needs rank 2"
  %11 = tensor.extract %Y[%c0] : tensor<?xindex>
  %12 = tensor.extract %Y[%c1] : tensor<?xindex>
  %13 = arith.cmpi eq, %8, %12 : index
  cf.assert %13, "Y of Pair has another k than the other operands"
  %14 = arith.cmpi slt, %7, %c100 : index
  cf.assert %14, "{n} are too many"
  %15 = arith.addi %7, %11 : index
  %16 = tensor.from_elements %15, %8 : tensor<2xindex>
  %17 = tensor.cast %16 : tensor<2xindex> to tensor<?xindex>
  %18 = func.call @dimwise.sizes(%17) : (tensor<?xindex>) -> i1
  cf.assert %18, "Z of Pair would have a size that is negative"
  return %17 : tensor<?xindex>
}

func.func private @dimwise.sizes(%list: tensor<?xindex>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %true) -> (i1) {
    %e = tensor.extract %list[%i] : tensor<?xindex>
    %size = arith.cmpi sge, %e, %c0 : index
    %next = arith.andi %acc, %size : i1
    scf.yield %next : i1
  }
  return %r : i1
}
