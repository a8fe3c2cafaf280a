// The list operations of the rule language. An exported rule contains the functions that it calls.

func.func private @dimwise.sum(%list: tensor<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (index) {
    %e = tensor.extract %list[%i] : tensor<?xindex>
    %next = arith.addi %acc, %e : index
    scf.yield %next : index
  }
  return %r : index
}

func.func private @dimwise.product(%list: tensor<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c1) -> (index) {
    %e = tensor.extract %list[%i] : tensor<?xindex>
    %next = arith.muli %acc, %e : index
    scf.yield %next : index
  }
  return %r : index
}

func.func private @dimwise.min(%list: tensor<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %some = arith.cmpi sgt, %n, %c0 : index
  cf.assert %some, "the smallest or largest of an empty list"
  %first = tensor.extract %list[%c0] : tensor<?xindex>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%acc = %first) -> (index) {
    %e = tensor.extract %list[%i] : tensor<?xindex>
    %next = arith.minsi %acc, %e : index
    scf.yield %next : index
  }
  return %r : index
}

func.func private @dimwise.max(%list: tensor<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %some = arith.cmpi sgt, %n, %c0 : index
  cf.assert %some, "the smallest or largest of an empty list"
  %first = tensor.extract %list[%c0] : tensor<?xindex>
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%acc = %first) -> (index) {
    %e = tensor.extract %list[%i] : tensor<?xindex>
    %next = arith.maxsi %acc, %e : index
    scf.yield %next : index
  }
  return %r : index
}

func.func private @dimwise.at(%list: tensor<?xindex>, %place: index) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %from_end = arith.cmpi slt, %place, %c0 : index
  %counted = arith.addi %place, %n : index
  %i = arith.select %from_end, %counted, %place : index
  %begun = arith.cmpi sge, %i, %c0 : index
  %ended = arith.cmpi slt, %i, %n : index
  %inside = arith.andi %begun, %ended : i1
  cf.assert %inside, "a place outside of a list"
  %e = tensor.extract %list[%i] : tensor<?xindex>
  return %e : index
}

func.func private @dimwise.slice(%list: tensor<?xindex>, %from: index, %to: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %from_end = arith.cmpi slt, %from, %c0 : index
  %from_counted = arith.addi %from, %n : index
  %from_any = arith.select %from_end, %from_counted, %from : index
  %from_low = arith.maxsi %from_any, %c0 : index
  %a = arith.minsi %from_low, %n : index
  %to_end = arith.cmpi slt, %to, %c0 : index
  %to_counted = arith.addi %to, %n : index
  %to_any = arith.select %to_end, %to_counted, %to : index
  %to_low = arith.maxsi %to_any, %a : index
  %b = arith.minsi %to_low, %n : index
  %count = arith.subi %b, %a : index
  %r = tensor.generate %count {
  ^bb0(%i: index):
    %k = arith.addi %a, %i : index
    %e = tensor.extract %list[%k] : tensor<?xindex>
    tensor.yield %e : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

func.func private @dimwise.concat(%a: tensor<?xindex>, %b: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xindex>
  %m = tensor.dim %b, %c0 : tensor<?xindex>
  %count = arith.addi %n, %m : index
  %r = tensor.generate %count {
  ^bb0(%i: index):
    %first = arith.cmpi slt, %i, %n : index
    %e = scf.if %first -> (index) {
      %x = tensor.extract %a[%i] : tensor<?xindex>
      scf.yield %x : index
    } else {
      %k = arith.subi %i, %n : index
      %x = tensor.extract %b[%k] : tensor<?xindex>
      scf.yield %x : index
    }
    tensor.yield %e : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

func.func private @dimwise.equal(%a: tensor<?xindex>, %b: tensor<?xindex>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %n = tensor.dim %a, %c0 : tensor<?xindex>
  %m = tensor.dim %b, %c0 : tensor<?xindex>
  %long = arith.cmpi eq, %n, %m : index
  %r = scf.if %long -> (i1) {
    %all = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %long) -> (i1) {
      %x = tensor.extract %a[%i] : tensor<?xindex>
      %y = tensor.extract %b[%i] : tensor<?xindex>
      %same = arith.cmpi eq, %x, %y : index
      %next = arith.andi %acc, %same : i1
      scf.yield %next : i1
    }
    scf.yield %all : i1
  } else {
    scf.yield %false : i1
  }
  return %r : i1
}

func.func private @dimwise.count(%list: tensor<?xindex>, %x: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (index) {
    %e = tensor.extract %list[%i] : tensor<?xindex>
    %same = arith.cmpi eq, %e, %x : index
    %more = arith.addi %acc, %c1 : index
    %next = arith.select %same, %more, %acc : index
    scf.yield %next : index
  }
  return %r : index
}

func.func private @dimwise.contains(%list: tensor<?xindex>, %x: index) -> i1 {
  %c0 = arith.constant 0 : index
  %count = func.call @dimwise.count(%list, %x) : (tensor<?xindex>, index) -> index
  %r = arith.cmpi sgt, %count, %c0 : index
  return %r : i1
}

func.func private @dimwise.index_of(%list: tensor<?xindex>, %x: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> (index) {
    %e = tensor.extract %list[%i] : tensor<?xindex>
    %same = arith.cmpi eq, %e, %x : index
    %open = arith.cmpi slt, %acc, %c0 : index
    %first = arith.andi %same, %open : i1
    %next = arith.select %first, %i, %acc : index
    scf.yield %next : index
  }
  return %r : index
}

func.func private @dimwise.permute(%list: tensor<?xindex>, %order: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %count = tensor.dim %order, %c0 : tensor<?xindex>
  scf.for %i = %c0 to %count step %c1 {
    %k = tensor.extract %order[%i] : tensor<?xindex>
    %begun = arith.cmpi sge, %k, %c0 : index
    %ended = arith.cmpi slt, %k, %n : index
    %inside = arith.andi %begun, %ended : i1
    cf.assert %inside, "a place outside of a list"
  }
  %r = tensor.generate %count {
  ^bb0(%i: index):
    %k = tensor.extract %order[%i] : tensor<?xindex>
    %e = tensor.extract %list[%k] : tensor<?xindex>
    tensor.yield %e : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

func.func private @dimwise.reverse(%list: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %last = arith.subi %n, %c1 : index
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.subi %last, %i : index
    %e = tensor.extract %list[%k] : tensor<?xindex>
    tensor.yield %e : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

func.func private @dimwise.range(%from: index, %to: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %room = arith.subi %to, %from : index
  %n = arith.maxsi %room, %c0 : index
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %e = arith.addi %from, %i : index
    tensor.yield %e : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

func.func private @dimwise.repeat(%x: index, %n: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %some = arith.cmpi sge, %n, %c0 : index
  cf.assert %some, "a list of less than no elements"
  %r = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %x : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

func.func private @dimwise.in_range(%places: tensor<?xindex>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %count = tensor.dim %places, %c0 : tensor<?xindex>
  %r = scf.for %i = %c0 to %count step %c1 iter_args(%acc = %true) -> (i1) {
    %k = tensor.extract %places[%i] : tensor<?xindex>
    %begun = arith.cmpi sge, %k, %c0 : index
    %ended = arith.cmpi slt, %k, %n : index
    %inside = arith.andi %begun, %ended : i1
    %next = arith.andi %acc, %inside : i1
    scf.yield %next : i1
  }
  return %r : i1
}

func.func private @dimwise.distinct(%list: tensor<?xindex>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %true) -> (i1) {
    %x = tensor.extract %list[%i] : tensor<?xindex>
    %count = func.call @dimwise.count(%list, %x) : (tensor<?xindex>, index) -> index
    %once = arith.cmpi eq, %count, %c1 : index
    %next = arith.andi %acc, %once : i1
    scf.yield %next : i1
  }
  return %r : i1
}

func.func private @dimwise.is_permutation(%list: tensor<?xindex>, %n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %count = tensor.dim %list, %c0 : tensor<?xindex>
  %long = arith.cmpi eq, %count, %n : index
  %inside = func.call @dimwise.in_range(%list, %n) : (tensor<?xindex>, index) -> i1
  %once = func.call @dimwise.distinct(%list) : (tensor<?xindex>) -> i1
  %a = arith.andi %long, %inside : i1
  %r = arith.andi %a, %once : i1
  return %r : i1
}

func.func private @dimwise.remove(%list: tensor<?xindex>, %places: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %inside = func.call @dimwise.in_range(%places, %n) : (tensor<?xindex>, index) -> i1
  cf.assert %inside, "a place outside of a list"
  %room = func.call @dimwise.repeat(%c0, %n) : (index, index) -> tensor<?xindex>
  %all, %count = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %room, %k = %c0) -> (tensor<?xindex>, index) {
    %gone = func.call @dimwise.contains(%places, %i) : (tensor<?xindex>, index) -> i1
    %next, %next_k = scf.if %gone -> (tensor<?xindex>, index) {
      scf.yield %acc, %k : tensor<?xindex>, index
    } else {
      %e = tensor.extract %list[%i] : tensor<?xindex>
      %put = tensor.insert %e into %acc[%k] : tensor<?xindex>
      %more = arith.addi %k, %c1 : index
      scf.yield %put, %more : tensor<?xindex>, index
    }
    scf.yield %next, %next_k : tensor<?xindex>, index
  }
  %r = tensor.extract_slice %all[0] [%count] [1] : tensor<?xindex> to tensor<?xindex>
  return %r : tensor<?xindex>
}

func.func private @dimwise.insert(%list: tensor<?xindex>, %places: tensor<?xindex>, %x: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %m = tensor.dim %places, %c0 : tensor<?xindex>
  %total = arith.addi %n, %m : index
  %inside = func.call @dimwise.in_range(%places, %total) : (tensor<?xindex>, index) -> i1
  %once = func.call @dimwise.distinct(%places) : (tensor<?xindex>) -> i1
  %good = arith.andi %inside, %once : i1
  cf.assert %good, "a place outside of a list, or twice"
  %room = func.call @dimwise.repeat(%x, %total) : (index, index) -> tensor<?xindex>
  %all, %used = scf.for %i = %c0 to %total step %c1 iter_args(%acc = %room, %k = %c0) -> (tensor<?xindex>, index) {
    %here = func.call @dimwise.contains(%places, %i) : (tensor<?xindex>, index) -> i1
    %next, %next_k = scf.if %here -> (tensor<?xindex>, index) {
      scf.yield %acc, %k : tensor<?xindex>, index
    } else {
      %e = tensor.extract %list[%k] : tensor<?xindex>
      %put = tensor.insert %e into %acc[%i] : tensor<?xindex>
      %more = arith.addi %k, %c1 : index
      scf.yield %put, %more : tensor<?xindex>, index
    }
    scf.yield %next, %next_k : tensor<?xindex>, index
  }
  return %all : tensor<?xindex>
}

func.func private @dimwise.update(%list: tensor<?xindex>, %places: tensor<?xindex>, %values: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %m = tensor.dim %places, %c0 : tensor<?xindex>
  %given = tensor.dim %values, %c0 : tensor<?xindex>
  %inside = func.call @dimwise.in_range(%places, %n) : (tensor<?xindex>, index) -> i1
  %enough = arith.cmpi sle, %m, %given : index
  %good = arith.andi %inside, %enough : i1
  cf.assert %good, "a place outside of a list, or without a value"
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%acc = %list) -> (tensor<?xindex>) {
    %k = tensor.extract %places[%i] : tensor<?xindex>
    %e = tensor.extract %values[%i] : tensor<?xindex>
    %put = tensor.insert %e into %acc[%k] : tensor<?xindex>
    scf.yield %put : tensor<?xindex>
  }
  return %r : tensor<?xindex>
}

func.func private @dimwise.broadcast(%a: index, %b: index) -> index {
  %c1 = arith.constant 1 : index
  %a_one = arith.cmpi eq, %a, %c1 : index
  %b_one = arith.cmpi eq, %b, %c1 : index
  %same = arith.cmpi eq, %a, %b : index
  %one = arith.ori %a_one, %b_one : i1
  %good = arith.ori %one, %same : i1
  cf.assert %good, "two sizes that are broadcast must be equal, or one of them 1"
  %r = arith.select %a_one, %b, %a : index
  return %r : index
}

func.func private @dimwise.resolve_minus_one(%wanted: tensor<?xindex>, %sizes: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %open = arith.constant -1 : index
  %n = tensor.dim %wanted, %c0 : tensor<?xindex>
  %opens = func.call @dimwise.count(%wanted, %open) : (tensor<?xindex>, index) -> index
  %one = arith.cmpi sle, %opens, %c1 : index
  cf.assert %one, "more than one -1 in a shape"
  %all = func.call @dimwise.product(%sizes) : (tensor<?xindex>) -> index
  %product = func.call @dimwise.product(%wanted) : (tensor<?xindex>) -> index
  %exact = arith.cmpi eq, %opens, %c0 : index
  %r = scf.if %exact -> (tensor<?xindex>) {
    %same = arith.cmpi eq, %product, %all : index
    cf.assert %same, "a shape with another number of elements"
    scf.yield %wanted : tensor<?xindex>
  } else {
    %others = arith.subi %c0, %product : index
    %divides = arith.cmpi ne, %others, %c0 : index
    cf.assert %divides, "a -1 beside a size of 0"
    %size = arith.divsi %all, %others : index
    %back = arith.muli %size, %others : index
    %same = arith.cmpi eq, %back, %all : index
    cf.assert %same, "a shape with another number of elements"
    %place = func.call @dimwise.index_of(%wanted, %open) : (tensor<?xindex>, index) -> index
    %filled = tensor.insert %size into %wanted[%place] : tensor<?xindex>
    scf.yield %filled : tensor<?xindex>
  }
  return %r : tensor<?xindex>
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
