// A Type denotes what is known of a value besides its contents: for a tensor, its element type, shape and
// storage, three parts that are known, inferred and asked for apart; for a sequence, an optional, a map or a
// handle, what lies inside.
//
// A container has a length and an element type. A dimension of the element type is a symbol from outside, the
// same for all elements, or an *each*-dimension, which becomes a fresh symbol each time an element is taken
// out. A short sequence keeps a type for each element. A handle has the types of what lies behind it.
//
// Invariants:
//  1. Containers are interned: those with the same contents are one pointer, so == on types compares them
//     whole. Two that differ only in the names of their each-dimensions are two.
//  2. An unknown shape in the type that stands for all elements is each element's own, although it has one
//     handle there: taking an element out makes a new one.
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
  Shape shape;                           // kTensor; none where nothing was said yet
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

// The inside of a container, interned.
struct Container {
  TypeKind kind = TypeKind::kSequence;
  ElementType key = ElementType::kUnknown;  // kMap
  Dim length;                               // kSequence, kMap: how many; none where not known
  std::vector<Type> elements;  // one for all, or one for each of a short sequence; a handle's all
  std::vector<Dim> each;       // the symbols of the element type that are new for each element, by id
  bool operator==(const Container&) const = default;
};

class DIMWISE_API TypeTable {
 public:
  TypeTable();
  ~TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  // The type of that inside, in the one form that it has: a part that the kind does not have is left out;
  // where nothing was said of the element it is unknown (but behind a handle); a sequence of several elements
  // has that length, and if they are alike it has one type for all. REQUIRES: container.kind is neither
  // kUnknown nor kTensor.
  Type Make(Container container);
  Type Sequence(Type element, Dim length = {}, std::vector<Dim> each = {});
  Type Optional(Type element);
  Type Map(ElementType key, Type element);
  Type Handle(std::span<const Type> behind);

  // The type of an element that is taken out, at a place that may be known (-1: it is not). Its
  // each-dimensions are fresh: `fresh(symbol)` makes the new one, with the bounds of the old one, and is
  // asked once for each. Where the place is not known and the elements have several types, it is what these
  // share: `fresh(none)` for a size that differs, an unknown shape where ranks do. Of what is no container,
  // or has no such place: unknown.
  Type TakeElement(DimTable& dims, ShapeTable& shapes, Type container,
                   const std::function<Dim(Dim each)>& fresh, int64_t place = -1);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// `f32[N, 3]`, `f32[*]`, `?[2]` (element type not known), `f32[2, 3] csr`, `seq(f32[N])`, `optional(f32[])`,
// `map(i64, f32[2])`, `handle(f32[2], i32[])`, `?`.
//
// A sequence is `seq(f32[N, k], length=T, each=k)` where its length is known and k is each element's own (or
// `each=(k, m)`), and `seq(f32[2], f32[3])` where each element has its type. A map takes length and each too.
DIMWISE_API std::string ToString(DimTable& dims, const Type& type);

class Analysis;
// Reads the same, with any spelling of an element type. In the element of a sequence or a map, `?` is a size
// of each element's own.
DIMWISE_API Result<Type> ParseType(Analysis& analysis, std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_TYPE_H_
