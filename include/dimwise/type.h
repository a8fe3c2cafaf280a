// A Type denotes what is known of a value except its contents. A tensor has an element type, a shape and a
// storage, which are inferred separately. A sequence, an optional, a map or a handle has the types of its
// elements.
//
// A container has a length and an element type. A dimension of the element type is either a symbol from
// outside, equal for all elements, or an *each*-dimension. Taking an element out replaces each-dimensions by
// fresh symbols. A short sequence has a type for each element. A handle has the types of the tensors behind
// it.
//
// Invariants:
// 1. Containers are interned: containers with equal contents are one pointer, so == compares whole types.
//    Containers that differ only in the names of their each-dimensions are different.
// 2. An unknown shape in the type of all elements is a different shape for each element, although it is one
//    handle there. Taking an element out creates a new unknown shape.
//
// Thread safety: Type is a value. A TypeTable is owned by one analysis and used by one thread at a time.
#ifndef DIMWISE_TYPE_H_
#define DIMWISE_TYPE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/element_type.h"
#include "dimwise/shape.h"
#include "dimwise/storage.h"

namespace dimwise {

enum class TypeKind : uint8_t { kUnknown, kTensor, kSequence, kOptional, kMap, kHandle };

struct Container;

struct Type {
  Shape shape;                           // kTensor; none if nothing is known
  const Container* container = nullptr;  // the other kinds
  TypeKind kind = TypeKind::kUnknown;
  ElementType element = ElementType::kUnknown;  // kTensor
  Storage storage;                              // kTensor

  static Type Tensor(ElementType element, Shape shape, Storage storage = {}) {
    return {shape, nullptr, TypeKind::kTensor, element, storage};
  }
  bool is_tensor() const { return kind == TypeKind::kTensor; }
  bool operator==(const Type&) const = default;
};

// The interned contents of a container type.
struct Container {
  TypeKind kind = TypeKind::kSequence;
  ElementType key = ElementType::kUnknown;  // kMap
  Dim length;                               // kSequence, kMap: number of elements; none if unknown
  // One type for all elements, or one per element of a short sequence; for a handle, all types behind it.
  std::vector<Type> elements;
  // Each-dimensions: symbols of the element type that are fresh for each element, sorted by ID.
  std::vector<Dim> each;
  bool operator==(const Container&) const = default;
};

class DIMWISE_API TypeTable {
 public:
  TypeTable();
  ~TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  // Returns the canonical type of a container. Parts that the kind does not have are dropped. A missing
  // element type is unknown (except behind a handle). A sequence with a type per element has that length;
  // equal types become one type for all. REQUIRES: container.kind is neither kUnknown nor kTensor.
  Type Make(Container container);
  Type Sequence(Type element, Dim length = {}, std::vector<Dim> each = {});
  Type Optional(Type element);
  Type Map(ElementType key, Type element);
  Type Handle(std::span<const Type> behind);

  // Returns the type of an element at `place`, or at an unknown index (-1). `fresh(symbol)` returns a new
  // symbol for an each-dimension, with the same bounds; it is called once per symbol. If the index is unknown
  // and the elements have different types, the result is their join: `fresh(none)` for a size that differs,
  // an unknown shape for different ranks. The result is unknown if there is no such element or the type is no
  // container.
  Type TakeElement(DimTable& dims, ShapeTable& shapes, Type container,
                   const std::function<Dim(Dim each)>& fresh, int64_t place = -1);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Returns `f32[N, 3]`, `f32[*]`, `?[2]` (unknown element type), `f32[2, 3] csr`, `seq(f32[N])`,
// `optional(f32[])`, `map(i64, f32[2])`, `handle(f32[2], i32[])` or `?`.
//
// A sequence of known length with an each-dimension k is `seq(f32[N, k], length=T, each=k)`; several are
// `each=(k, m)`. A sequence with a type per element is `seq(f32[2], f32[3])`. A map has length and each too.
DIMWISE_API std::string ToString(DimTable& dims, const Type& type);

class Analysis;
// Parses the text of ToString, with any spelling of an element type. In the element of a sequence or a map,
// `?` is an each-dimension.
DIMWISE_API Result<Type> ParseType(Analysis& analysis, std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_TYPE_H_
