#include "formats/onnx/tensor_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "core/base/hash_mix.h"
#include "core/types/element_count.h"
#include "core/values/value_bytes.h"
#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

// Returns the field in which onnx.proto stores elements of this type; 0 if they are not numbers.
uint32_t ListOf(ElementType element) {
  namespace f = onnx_fields::tensor;
  switch (element) {
    case ElementType::kF32:
    case ElementType::kC64:
      return f::kFloatData;
    case ElementType::kF64:
    case ElementType::kC128:
      return f::kDoubleData;
    case ElementType::kI64:
      return f::kInt64Data;
    case ElementType::kU32:
    case ElementType::kU64:
      return f::kUint64Data;
    case ElementType::kUnknown:
    case ElementType::kString:
      return 0;
    default:
      return f::kInt32Data;
  }
}

}  // namespace

void AppendFloats(std::string_view bytes, std::vector<double>* floats) {
  floats->reserve(floats->size() + bytes.size() / 4);
  for (size_t at = 0; at < bytes.size(); at += 4) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 4; ++k) {
      bits |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
    }
    floats->push_back(static_cast<double>(std::bit_cast<float>(bits)));
  }
}

bool TensorReader::ReadPackedDims(std::string_view bytes) {
  WireReader list(bytes);
  uint64_t size = 0;
  while (list.NextVarint(&size)) AddDim(static_cast<int64_t>(size));
  return source_.Whole(list, "the sizes of a tensor");
}

void TensorReader::CheckHead() {
  element_ = ElementTypeOf(data_type_, TypeSystem::kOnnx).value_or(ElementType::kUnknown);
  shape_ = Shape();
  bad_dims_ = rank_ > kMaxRank || std::ranges::any_of(dims(), [](int64_t size) { return size < 0; });
  count_ = bad_dims_ ? std::nullopt : ElementCount(dims());
}

bool TensorReader::ReadField(WireReader& r) {
  namespace f = onnx_fields::tensor;
  switch (r.tag()) {
    case f::kDims:
      AddDim(r.integer());
      break;
    case f::kDataType:
      data_type_ = r.integer();
      break;
    case f::kDimsPacked:
      return ReadPackedDims(r.bytes());
    case f::kDataLocation:
      external_ = external_ || r.number() == 1;
      break;
    case f::kStringData:
      if (strings_.size() <= kMaxElements) strings_.push_back(r.bytes());
      break;
    case BytesField(f::kFloatData):
    case BytesField(f::kInt32Data):
    case BytesField(f::kInt64Data):
    case BytesField(f::kDoubleData):
    case BytesField(f::kUint64Data):
      mixed_ = mixed_ || list_field_ != 0;
      list_field_ = NumberOfField(r.tag());
      packed_ = r.bytes();
      break;
    case Fixed32Field(f::kFloatData):
    case VarintField(f::kInt32Data):
    case VarintField(f::kInt64Data):
    case Fixed64Field(f::kDoubleData):
    case VarintField(f::kUint64Data):
      mixed_ =
          mixed_ || packed_.data() != nullptr || (list_field_ != 0 && list_field_ != NumberOfField(r.tag()));
      list_field_ = NumberOfField(r.tag());
      if (single_.size() <= kMaxElements) single_.push_back(r.number());
      break;
    default:
      break;
  }
  return true;
}

void TensorReader::ReportBadHead() {
  if (element_ == ElementType::kUnknown && data_type_ != 0) {
    source_.Report(
        Severity::kError, Code::kBadModel,
        fmt::format("tensor '{}' has element type {}, which ONNX does not have", name_, data_type_));
  }
  if (bad_dims_) {
    source_.Report(Severity::kError, Code::kBadModel,
                   rank_ > kMaxRank ? fmt::format("tensor '{}' has more than {} dimensions", name_, kMaxRank)
                                    : fmt::format("tensor '{}' has a size below zero: [{}]", name_,
                                                  fmt::join(dims(), ", ")));
  }
}

bool TensorReader::Read(std::string_view bytes) {
  namespace f = onnx_fields::tensor;
  name_ = {};
  external_ = mixed_ = false;
  raw_ = packed_ = {};
  list_field_ = 0;
  single_.clear();
  strings_.clear();

  WireReader r(bytes);
  if (!head_.empty() && bytes.starts_with(head_)) {
    r = WireReader(bytes.substr(head_.size()));
  } else {
    rank_ = 0;
    data_type_ = 0;
    while (r.Take(f::kDims)) AddDim(r.integer());
    if (r.Take(f::kDataType)) data_type_ = r.integer();
    head_ = {bytes.data(), static_cast<size_t>(r.whole().end() - bytes.data())};
    CheckHead();
  }
  const size_t rank = rank_;
  const int64_t data_type = data_type_;
  do {
    if (r.Take(f::kName)) name_ = r.bytes();
    if (r.Take(f::kRawData)) raw_ = r.bytes();
    while (r.Take(f::kExternalData)) external_ = true;
    if (!r.TakeOther()) continue;
    if (!ReadField(r)) return false;
  } while (r.NextRound());
  if (!source_.Whole(r, "a tensor")) return false;

  if (rank_ != rank || data_type_ != data_type) {
    head_ = {};
    CheckHead();
  }
  ReportBadHead();
  return true;
}

bool TensorReader::ReadSparse(std::string_view bytes) {
  namespace f = onnx_fields::sparse_tensor;
  std::string_view values;
  WireReader first(bytes);
  while (first.Next()) {
    if (first.tag() == f::kValues) values = first.bytes();
  }
  if (!source_.Whole(first, "a sparse tensor") || !Read(values)) return false;
  external_ = true;  // contents are not read
  head_ = {};
  rank_ = 0;
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() == f::kDims) AddDim(r.integer());
    if (r.tag() == f::kDimsPacked && !ReadPackedDims(r.bytes())) return false;
  }
  CheckHead();
  if (bad_dims_) {
    source_.Report(Severity::kError, Code::kBadModel,
                   fmt::format("sparse tensor '{}' has sizes that no tensor has", name_));
  }
  return true;
}

Type TensorReader::type() {
  ShapeTable& shapes = source_.analysis().shapes();
  if (bad_dims_) return Type::Tensor(element_, shapes.Unknown());
  if (shape_.is_none()) {
    sizes_.assign(dims_, dims_ + rank_);
    shape_ = shapes.Make(sizes_);
  }
  return Type::Tensor(element_, shape_);
}

void TensorReader::ReportSizes(size_t there, std::string_view unit, int64_t needed) {
  source_.Report(Severity::kError, Code::kBadModel,
                 fmt::format("tensor '{}' has {} {}, and {}[{}] needs {}", name_, there, unit,
                             ToString(element_), fmt::join(dims(), ", "), needed));
}

// A tensor without contents is valid: its weights may have been removed.
std::optional<std::string_view> TensorReader::Fitting(std::string_view contents, int64_t bytes) {
  if (contents.size() == static_cast<uint64_t>(bytes)) return contents;
  if (!contents.empty()) ReportSizes(contents.size(), "bytes", bytes);
  return std::nullopt;
}

std::optional<std::string_view> TensorReader::Contents(std::string* decoded) {
  if (!count_ || !has_contents()) return std::nullopt;
  const std::optional<int64_t> bytes = ByteSize(element_, *count_);
  if (!bytes) return std::nullopt;
  if (raw_.data() != nullptr) return Fitting(raw_, *bytes);
  if (*count_ == 0) return std::string_view();
  if (mixed_ || list_field_ != ListOf(element_)) return std::nullopt;
  const bool fixed =
      list_field_ == onnx_fields::tensor::kFloatData || list_field_ == onnx_fields::tensor::kDoubleData;
  if (packed_.data() != nullptr && fixed) return Fitting(packed_, *bytes);
  return *count_ <= kMaxElements ? Decode(*count_, decoded) : std::nullopt;
}

// Converts each number of the list to the bytes of an element. A number contains several elements if they are
// smaller than a byte.
std::optional<std::string_view> TensorReader::Decode(int64_t count, std::string* decoded) {
  if (packed_.data() != nullptr) {
    WireReader list(packed_);
    uint64_t number = 0;
    while (single_.size() <= kMaxElements && list.NextVarint(&number)) single_.push_back(number);
    if (list.damage() != nullptr) return std::nullopt;
  }
  const int bits = BitWidth(element_);
  const bool complex = element_ == ElementType::kC64 || element_ == ElementType::kC128;
  const int parts = complex ? 2 : 1;
  const int bytes_each = element_ == ElementType::kBool ? 1 : std::max(bits / 8 / parts, 1);
  const int64_t needed =
      bits >= 8 || element_ == ElementType::kBool ? count * parts : ByteSize(element_, count).value_or(-1);
  if (static_cast<int64_t>(single_.size()) != needed) {
    ReportSizes(single_.size(), "numbers", needed);
    return std::nullopt;
  }
  decoded->clear();
  decoded->reserve(static_cast<size_t>(needed * bytes_each));
  for (const uint64_t number : single_) {
    char bytes[8];
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>(number >> (8 * i));
    decoded->append(bytes, static_cast<size_t>(bytes_each));
  }
  return *decoded;
}

Value TensorReader::ToValue(Graph& graph) {
  constexpr size_t kMaxStored = 64;
  if (!has_contents()) return Value();
  const bool is_raw = raw_.data() != nullptr;
  const std::string_view stored = is_raw ? raw_ : packed_;
  const uint32_t list_field = is_raw ? 0 : list_field_;
  const bool may_recur =
      !shape_.is_none() && !mixed_ && single_.empty() && !stored.empty() && stored.size() <= kMaxStored;
  if (!may_recur) return ToNewValue(graph);
  const uint64_t hash = HashBytes(stored, shape_.id(), static_cast<uint64_t>(element_));
  MadeValue& made = made_[hash & (made_.size() - 1)];
  if (made.stored != stored || made.list_field != list_field || made.element != element_ ||
      made.shape != shape_) {
    const Value value = ToNewValue(graph);
    if (value.is_none()) return value;
    made = {stored, list_field, element_, shape_, value};
  }
  return made.value;
}

Value TensorReader::ToNewValue(Graph& graph) {
  std::string decoded;
  std::optional<std::string_view> contents = Contents(&decoded);
  if (!contents || is_weight()) return Value();
  if (contents->data() == decoded.data() && !decoded.empty()) contents = graph.StoreCopy(decoded);
  const auto* bytes = reinterpret_cast<const std::byte*>(contents->data());
  return source_.analysis().values().Bytes(element_, dims(), {bytes, contents->size()});
}

TensorValue TensorReader::ToAttribute() {
  TensorValue value;
  value.type = element_;
  value.shape.unknown_rank = bad_dims_;
  if (!bad_dims_) value.shape.dims.assign(dims_, dims_ + rank_);
  if (!is_small()) return value;
  if (element_ == ElementType::kString) {
    if (strings_.size() == static_cast<size_t>(*count_)) {
      value.contents = std::vector<std::string>(strings_.begin(), strings_.end());
    }
    return value;
  }
  std::string decoded;
  const std::optional<std::string_view> contents = Contents(&decoded);
  if (!contents) return value;
  if (element_ == ElementType::kF32) {
    std::vector<double> floats;
    AppendFloats(*contents, &floats);
    value.contents = std::move(floats);
    return value;
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(contents->data());
  const auto numbers = [&]<typename T>(std::vector<T> list, auto read) {
    list.reserve(static_cast<size_t>(*count_));
    for (int64_t i = 0; i < *count_; ++i) {
      const std::optional<T> number = read(element_, bytes, i);
      if (!number) return;
      list.push_back(*number);
    }
    value.contents = std::move(list);
  };
  if (IsFloat(element_)) {
    numbers(std::vector<double>(), ReadFloat);
  } else {
    numbers(std::vector<int64_t>(), ReadInteger);
  }
  return value;
}

}  // namespace dimwise
