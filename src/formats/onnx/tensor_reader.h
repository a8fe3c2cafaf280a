// Reads a TensorProto: its type, and its contents where they lie in the file.
//
// Contents come in two ways: `raw_data` are the bytes as they are; the lists (`int64_data`, `float_data`,
// ...) are fields whose numbers have to be decoded, but for floats, which lie packed just as raw bytes would.
// So a tensor is read in two steps: Read notes where things are and touches no contents, and Contents answers
// bytes, as a view wherever it can.
#ifndef DIMWISE_FORMATS_ONNX_TENSOR_READER_H_
#define DIMWISE_FORMATS_ONNX_TENSOR_READER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/lazy_array.h"
#include "dimwise/attr_value.h"
#include "dimwise/graph.h"
#include "formats/onnx/model_source.h"

namespace dimwise {

// Floats of 32 bits as they lie in a file. REQUIRES: their number of bytes is a multiple of 4.
void AppendFloats(std::string_view bytes, std::vector<double>* floats);

class TensorReader {
 public:
  // Lists with more numbers are not decoded, larger attributes not copied.
  static constexpr int64_t kMaxElements = 1024;

  explicit TensorReader(ModelSource& source) : source_(source) {}

  // What is said below is of the tensor that was read last.
  bool Read(std::string_view bytes);
  // A SparseTensorProto: the type of the whole, no contents. Its name is that of its values.
  bool ReadSparse(std::string_view bytes);

  std::string_view name() const { return name_; }
  ElementType element() const { return element_; }
  // Not a type with a shape where a size is below zero, which is reported.
  Type type();
  // Floats, and so many that no shape depends on them: their contents matter to nobody.
  bool is_weight() const {
    return IsFloat(element_) && count_.value_or(INT64_MAX) > ValueTable::kMaxElements;
  }
  // Whether it has an element type of numbers, and sizes.
  bool is_of_numbers() const {
    return !bad_dims_ && element_ != ElementType::kUnknown && element_ != ElementType::kString;
  }
  // Whether an attribute holds its contents.
  bool is_small() const { return count_.value_or(INT64_MAX) <= kMaxElements && !is_weight(); }
  // Little-endian, as ValueTable::Bytes wants them: a view of the file, or of `decoded`. nullopt where they
  // are not known: not in the file, no numbers, too many to decode. A number of bytes or elements that does
  // not fit the sizes is reported.
  std::optional<std::string_view> Contents(std::string* decoded);
  // The Value of the contents; decoded ones are kept with the graph. None where they are not known, and of
  // weights.
  Value ToValue(Graph& graph);
  // For an attribute.
  TensorValue ToAttribute();

 private:
  void AddDim(int64_t size) {
    if (rank_ <= kMaxRank) dims_[rank_++] = size;
  }
  bool ReadPackedDims(std::string_view bytes);
  std::span<const int64_t> dims() const { return {dims_, rank_}; }
  // Whether something of its elements stands in the file, or there are none.
  bool has_contents() const {
    return !external_ && (raw_.data() != nullptr || list_field_ != 0 || count_ == 0);
  }
  // What follows from the sizes and the element type, when they are complete.
  void CheckHead();
  std::optional<std::string_view> Decode(int64_t count, std::string* decoded);
  std::optional<std::string_view> Fitting(std::string_view contents, int64_t bytes);
  void ReportSizes(size_t there, std::string_view unit, int64_t needed);
  Value ToNewValue(Graph& graph);

  ModelSource& source_;
  std::string_view name_;
  int64_t data_type_ = 0;
  ElementType element_ = ElementType::kUnknown;
  // The first rank_ of them; one more than there may be says that there are too many.
  int64_t dims_[kMaxRank + 1];
  size_t rank_ = 0;
  bool bad_dims_ = false;
  std::optional<int64_t> count_;  // of the elements; none where it is not known, or past all numbers
  Shape shape_;                   // once it was asked for
  std::vector<Dim> sizes_;        // the same as dims_, as a shape wants them
  // The bytes with the sizes and the element type of the tensor before, where it began with them: mostly the
  // next one begins alike, and all of the above holds for it too.
  std::string_view head_;
  bool external_ = false;
  std::string_view raw_;  // null where the field did not come
  // The numbers: one packed list, or single ones, from the field `list_field_`. Where both came, or several
  // lists, they are not known.
  uint32_t list_field_ = 0;
  std::string_view packed_;
  std::vector<uint64_t> single_;
  bool mixed_ = false;
  std::vector<std::string_view> strings_;
  // Small values that were made, by what they were made of: a graph has the same few axes and sizes many
  // times.
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
