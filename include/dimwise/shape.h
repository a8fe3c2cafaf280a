// A Shape denotes what is known of a tensor's list of sizes: the list itself, or a variable for an unknown
// list, with a range of ranks.
//
// A Shape is a handle of 8 bytes to immutable data in a ShapeTable. Lists are interned: two Shapes with the
// same Dims are the same handle. An unknown shape has identity: it is equal only to itself.
//
// Invariants:
// 1. The same handle means equal. Different handles of known rank have a Dim with different bits; query Facts
//    to find out whether they are equal.
// 2. A rank is at most kMaxRank.
// 3. The span of dims() is valid as long as the table.
//
// Thread safety: Shape is a value. A ShapeTable is owned by one analysis and used by one thread at a time.
#ifndef DIMWISE_SHAPE_H_
#define DIMWISE_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "dimwise/dim.h"

namespace dimwise {

inline constexpr int kMaxRank = 254;

// The data of a Shape; access it through Shape.
struct ShapeData {
  int32_t rank = -1;  // -1: unknown
  int32_t min_rank = 0;
  int32_t max_rank = kMaxRank;
  bool constant = false;  // every size is a constant
  uint32_t id = 0;        // order of creation in its table
  const Dim* dims = nullptr;
};

class Shape {
 public:
  // No shape: the null handle.
  constexpr Shape() = default;
  explicit constexpr Shape(const ShapeData* data) : data_(data) {}

  constexpr bool is_none() const { return data_ == nullptr; }
  // REQUIRES below: not none.
  bool has_rank() const { return data_->rank >= 0; }
  int rank() const { return data_->rank; }  // -1: unknown
  int min_rank() const { return data_->min_rank; }
  int max_rank() const { return data_->max_rank; }
  bool is_constant() const { return data_->constant; }
  std::span<const Dim> dims() const {
    return {data_->dims, has_rank() ? static_cast<size_t>(data_->rank) : 0};
  }
  Dim operator[](int axis) const { return data_->dims[axis]; }
  uint32_t id() const { return data_->id; }

  constexpr bool operator==(const Shape&) const = default;

 private:
  const ShapeData* data_ = nullptr;
};
static_assert(sizeof(Shape) == 8);

class DIMWISE_API ShapeTable {
 public:
  ShapeTable();
  ~ShapeTable();
  ShapeTable(const ShapeTable&) = delete;
  ShapeTable& operator=(const ShapeTable&) = delete;

  // Returns the shape with these sizes. Returns none if there are more than kMaxRank sizes or a size is none.
  // Returning an existing shape allocates nothing.
  Shape Make(std::span<const Dim> dims);
  Shape Make(std::initializer_list<Dim> dims) {
    return Make(std::span<const Dim>(dims.begin(), dims.size()));
  }
  Shape Scalar() const;

  // Returns a new unknown shape, or the existing one with this key, which keeps its original ranks. Ranks are
  // clamped to 0..kMaxRank. An unknown shape with a single possible rank is still an unknown shape.
  Shape Unknown(int min_rank = 0, int max_rank = kMaxRank);
  Shape Unknown(SymbolKey key, int min_rank = 0, int max_rank = kMaxRank);

  // Returns the number of shapes.
  size_t size() const;
  // Returns the number of calls of Unknown, whether or not they created a shape.
  uint64_t unknown_count() const { return unknown_count_; }

 private:
  uint64_t unknown_count_ = 0;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Returns `[N, 3, (H + 1)//2]`, `[]`, `[*]` for an unknown rank, or `none`.
DIMWISE_API std::string ToString(DimTable& dims, Shape shape);
// Parses the text of ToString except `none`. Each `?` is a new unknown size, each `*` a new unknown shape.
DIMWISE_API Result<Shape> ParseShape(DimTable& dims, ShapeTable& shapes, std::string_view text);

}  // namespace dimwise

template <>
struct std::hash<dimwise::Shape> {
  size_t operator()(dimwise::Shape s) const noexcept {
    return s.is_none() ? 0 : static_cast<size_t>(s.id() * uint64_t{0x9E3779B97F4A7C15u});
  }
};

#endif  // DIMWISE_SHAPE_H_
