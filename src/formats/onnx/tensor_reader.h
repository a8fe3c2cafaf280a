// Reads a TensorProto: its type, and its contents if they are in the file.
//
// Contents have two encodings. `raw_data` contains the bytes. The lists (`int64_data`, `float_data`, ...) are
// fields of numbers that must be decoded, except floats, whose packed encoding equals the raw bytes. Read
// records the positions of all parts without accessing contents. Contents returns the bytes, as a view if
// possible.
#ifndef DIMWISE_FORMATS_ONNX_TENSOR_READER_H_
#define DIMWISE_FORMATS_ONNX_TENSOR_READER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/lazy_array.h"
#include "dimwise/attr_value.h"
#include "dimwise/graph.h"
#include "formats/protobuf/model_source.h"

namespace dimwise {

// Appends 32-bit floats from their bytes in a file. REQUIRES: the number of bytes is a multiple of 4.
void AppendFloats(std::string_view bytes, std::vector<double>* floats);

class TensorReader {
 public:
  // Longer lists are not decoded, and larger tensors are not copied into attributes.
  static constexpr int64_t kMaxElements = 1024;

  explicit TensorReader(ModelSource& source) : source_(source) {}

  // Reads a tensor; all methods below are about the last one. Returns false if it is damaged.
  bool Read(std::string_view bytes);
  // Reads a SparseTensorProto: the type of the whole tensor without contents. Its name is that of its values.
  bool ReadSparse(std::string_view bytes);

  std::string_view name() const { return name_; }
  ElementType element() const { return element_; }
  // Returns the type. Its shape is unknown if a size is negative, which is reported.
  Type type();
  // Returns whether the tensor contains floats and is so large that no shape depends on it.
  bool is_weight() const {
    return IsFloat(element_) && count_.value_or(INT64_MAX) > ValueTable::kMaxElements;
  }
  // Returns whether the element type is numeric and the sizes are valid.
  bool is_of_numbers() const {
    return !bad_dims_ && element_ != ElementType::kUnknown && element_ != ElementType::kString;
  }
  // Returns whether an attribute stores the contents.
  bool is_small() const { return count_.value_or(INT64_MAX) <= kMaxElements && !is_weight(); }
  // Returns the bytes in little-endian order, as ValueTable::Bytes expects them: a view of the file or of
  // `decoded`. Returns nullopt if the contents are not in the file, not numeric, or too many to decode.
  // Contents that do not fit the sizes are reported.
  std::optional<std::string_view> Contents(std::string* decoded);
  // Returns the contents as a Value. The graph owns decoded contents. Returns none for unknown contents and
  // for weights.
  Value ToValue(Graph& graph);
  // Returns the tensor as the value of an attribute.
  TensorValue ToAttribute();

 private:
  void AddDim(int64_t size) {
    if (rank_ <= kMaxRank) dims_[rank_++] = size;
  }
  bool ReadPackedDims(std::string_view bytes);
  // Stores the current field of the reader. Returns false if it is damaged.
  bool ReadField(WireReader& r);
  std::span<const int64_t> dims() const { return {dims_, rank_}; }
  // Returns whether the contents are in the file, or the tensor is empty.
  bool has_contents() const {
    return !external_ && (raw_.data() != nullptr || list_field_ != 0 || count_ == 0);
  }
  // Computes the shape and the element count from the sizes and the element type.
  void CheckHead();
  // Reports an unknown element type and invalid sizes.
  void ReportBadHead();
  std::optional<std::string_view> Decode(int64_t count, std::string* decoded);
  std::optional<std::string_view> Fitting(std::string_view contents, int64_t bytes);
  void ReportSizes(size_t there, std::string_view unit, int64_t needed);
  Value ToNewValue(Graph& graph);

  ModelSource& source_;
  std::string_view name_;
  int64_t data_type_ = 0;
  ElementType element_ = ElementType::kUnknown;
  // The first rank_ entries are used. An extra entry means that there are too many sizes.
  int64_t dims_[kMaxRank + 1];
  size_t rank_ = 0;
  bool bad_dims_ = false;
  std::optional<int64_t> count_;  // number of elements; none if it is unknown or overflows
  Shape shape_;                   // computed when it is first queried
  std::vector<Dim> sizes_;        // a copy of dims_ as Dims
  // The bytes with the sizes and the element type of the preceding tensor, if it began with them. If the next
  // tensor begins with the same bytes, the members above are reused.
  std::string_view head_;
  bool external_ = false;
  std::string_view raw_;  // null if the field is missing
  // The numbers: one packed list or single numbers, from the field `list_field_`. If both occur, or several
  // lists, the contents are unknown.
  uint32_t list_field_ = 0;
  std::string_view packed_;
  std::vector<uint64_t> single_;
  bool mixed_ = false;
  std::vector<std::string_view> strings_;
  // A cache of small Values by their encoding: the axes and sizes in a graph repeat often.
  struct MadeValue {
    std::string_view stored;
    uint32_t list_field = 0;
    ElementType element = ElementType::kUnknown;
    Shape shape;
    Value value;
  };
  LazyArray<MadeValue, 32> made_;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_TENSOR_READER_H_
