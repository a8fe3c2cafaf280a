#include "formats/tensorflow/attr_value_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "core/types/element_count.h"
#include "formats/tensorflow/tensorflow_fields.h"

namespace dimwise {
namespace {

// Longer lists of numbers are not decoded: no shape depends on them.
constexpr size_t kMaxNumbers = 4096;
// Functions in attributes have attributes; more levels than this are no program.
constexpr int kMaxDepth = 16;

ElementType TypeOfNumber(uint64_t number) {
  const auto n = static_cast<int64_t>(number);
  const int64_t base = IsTensorFlowRef(n) ? n - 100 : n;
  return ElementTypeOf(base, TypeSystem::kTensorFlow).value_or(ElementType::kUnknown);
}

double FloatOfBits(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

// Calls take(bits of a number) for each number of a list: packed, or the current field of the reader. `width`
// is the number of bytes of each, or 0 for varints.
template <typename Take>
bool ForEachNumber(ModelSource& source, const WireReader& r, size_t width, Take take) {
  if ((r.tag() & 7) != 2) {
    take(r.number());
    return true;
  }
  WireReader list(r.bytes());
  uint64_t number = 0;
  if (width == 0) {
    while (list.NextVarint(&number)) take(number);
    return source.Whole(list, "a list of numbers");
  }
  for (size_t i = 0; i + width <= r.bytes().size(); i += width) {
    number = 0;
    for (size_t k = width; k-- > 0;) number = number << 8 | static_cast<unsigned char>(r.bytes()[i + k]);
    take(number);
  }
  return true;
}

class AttrReader {
 public:
  explicit AttrReader(ModelSource& source) : source_(source) {}

  bool ReadEntry(std::string_view bytes, TensorFlowAttr* attr) {
    namespace f = tensorflow_fields::map_entry;
    std::string_view value;
    WireReader r(bytes);
    while (r.Next()) {
      if (r.tag() == f::kKey) attr->name = r.bytes();
      if (r.tag() == f::kValue) value = r.bytes();
    }
    return source_.Whole(r, "an attribute") && ReadValue(value, attr);
  }

  bool ReadShape(std::string_view bytes, ShapeProto* shape) {
    namespace f = tensorflow_fields::shape;
    *shape = {};
    WireReader r(bytes);
    while (r.Next()) {
      if (r.tag() == f::kUnknownRank) shape->unknown_rank = r.number() != 0;
      if (r.tag() != f::kDim) continue;
      int64_t size = 0;
      WireReader dim(r.bytes());
      while (dim.Next()) {
        if (dim.tag() == f::kDimSize) size = dim.integer();
      }
      if (!source_.Whole(dim, "a shape")) return false;
      shape->dims.push_back(size);
    }
    if (shape->unknown_rank) shape->dims.clear();
    return source_.Whole(r, "a shape");
  }

 private:
  bool ReadValue(std::string_view bytes, TensorFlowAttr* attr) {
    namespace f = tensorflow_fields::attr;
    WireReader r(bytes);
    while (r.Next()) {
      switch (r.tag()) {
        case f::kString:
          attr->value = r.bytes();
          break;
        case f::kInt:
          attr->value = r.integer();
          break;
        case f::kFloat:
          attr->value = FloatOfBits(r.number());
          break;
        case f::kBool:
          attr->value = r.number() != 0;
          break;
        case f::kType:
          attr->value = TypeOfNumber(r.number());
          break;
        case f::kShape: {
          ShapeProto shape;
          if (!ReadShape(r.bytes(), &shape)) return false;
          attr->value = std::move(shape);
          break;
        }
        case f::kTensor:
          attr->tensor = r.bytes();
          break;
        case f::kPlaceholder:
          attr->of_call = r.bytes();
          break;
        case f::kFunction: {
          FunctionValue function;
          if (!ReadFunction(r.bytes(), &function)) return false;
          attr->value = std::move(function);
          break;
        }
        case f::kList:
          if (!ReadList(r.bytes(), attr)) return false;
          break;
        default:
          break;
      }
    }
    return source_.Whole(r, "the value of an attribute");
  }

  bool ReadFunction(std::string_view bytes, FunctionValue* function) {
    namespace f = tensorflow_fields::name_attrs;
    if (++depth_ > kMaxDepth) {
      source_.Damage(source_.OffsetOf(bytes.data()), "an attribute", "functions are nested too deeply");
      return false;
    }
    WireReader r(bytes);
    while (r.Next()) {
      if (r.tag() == f::kName) function->name = r.bytes();
      if (r.tag() != f::kAttr) continue;
      TensorFlowAttr attr;
      if (!ReadEntry(r.bytes(), &attr)) return false;
      function->attrs.Set(std::string(attr.name), std::move(attr.value));
    }
    --depth_;
    return source_.Whole(r, "a function in an attribute");
  }

  bool ReadList(std::string_view bytes, TensorFlowAttr* attr) {
    namespace f = tensorflow_fields::list;
    std::vector<AttrValue> elements;
    const auto add = [&](AttrValue value) { elements.push_back(std::move(value)); };
    WireReader r(bytes);
    while (r.Next()) {
      bool whole = true;
      switch (NumberOfField(r.tag())) {
        case f::kString:
          add(r.bytes());
          break;
        case f::kInt:
          whole = ForEachNumber(source_, r, 0, [&](uint64_t n) { add(static_cast<int64_t>(n)); });
          break;
        case f::kFloat:
          whole = ForEachNumber(source_, r, 4, [&](uint64_t n) { add(FloatOfBits(n)); });
          break;
        case f::kBool:
          whole = ForEachNumber(source_, r, 0, [&](uint64_t n) { add(n != 0); });
          break;
        case f::kType:
          whole = ForEachNumber(source_, r, 0, [&](uint64_t n) { add(TypeOfNumber(n)); });
          break;
        case f::kShape: {
          ShapeProto shape;
          whole = ReadShape(r.bytes(), &shape);
          add(std::move(shape));
          break;
        }
        case f::kFunction: {
          FunctionValue function;
          whole = ReadFunction(r.bytes(), &function);
          add(std::move(function));
          break;
        }
        default:
          break;
      }
      if (!whole) return false;
    }
    attr->value = AttrValue::List(std::move(elements));
    return source_.Whole(r, "a list in an attribute");
  }

  ModelSource& source_;
  int depth_ = 0;
};

}  // namespace

bool ReadAttrEntry(ModelSource& source, std::string_view bytes, TensorFlowAttr* attr) {
  return AttrReader(source).ReadEntry(bytes, attr);
}

// ---- Tensors ----

bool TensorProtoReader::ReadNumbers(uint32_t field, const WireReader& r) {
  namespace f = tensorflow_fields::tensor;
  const size_t width = field == f::kFloats ? 4 : field == f::kDoubles ? 8 : 0;
  return ForEachNumber(source_, r, width, [&](uint64_t number) {
    if (numbers_.size() <= kMaxNumbers) numbers_.push_back(number);
  });
}

bool TensorProtoReader::Read(std::string_view bytes) {
  namespace f = tensorflow_fields::tensor;
  element_ = ElementType::kUnknown;
  shape_ = {};
  content_ = {};
  numbers_.clear();
  WireReader r(bytes);
  while (r.Next()) {
    switch (r.tag()) {
      case f::kType:
        element_ = TypeOfNumber(r.number());
        continue;
      case f::kShape:
        if (!AttrReader(source_).ReadShape(r.bytes(), &shape_)) return false;
        continue;
      case f::kContent:
        content_ = r.bytes();
        continue;
      default:
        break;
    }
    switch (const uint32_t field = NumberOfField(r.tag())) {
      case f::kFloats:
      case f::kDoubles:
      case f::kInts:
      case f::kInt64s:
      case f::kBools:
      case f::kHalfs:
      case f::kUint32s:
      case f::kUint64s:
        if (!ReadNumbers(field, r)) return false;
        break;
      default:
        break;
    }
  }
  return source_.Whole(r, "a tensor");
}

Type TensorProtoReader::TypeOf(std::string_view name) {
  const bool is_bad = shape_.unknown_rank || shape_.dims.size() > static_cast<size_t>(kMaxRank) ||
                      std::ranges::any_of(shape_.dims, [](int64_t size) { return size < 0; });
  if (is_bad) {
    source_.Report(
        Severity::kError, Code::kBadModel,
        fmt::format("the constant '{}' has no valid sizes: [{}]", name, fmt::join(shape_.dims, ", ")));
    shape_ = {.unknown_rank = true, .dims = {}};
    return Type::Tensor(element_, source_.analysis().shapes().Unknown());
  }
  const std::vector<Dim> sizes(shape_.dims.begin(), shape_.dims.end());
  return Type::Tensor(element_, source_.analysis().shapes().Make(sizes));
}

Value TensorProtoReader::ToValue(Graph& graph) {
  const std::optional<int64_t> count = shape_.unknown_rank ? std::nullopt : ElementCount(shape_.dims);
  const size_t width = static_cast<size_t>(BitWidth(element_)) / 8;
  if (!count || width == 0 || width > 8 || element_ == ElementType::kString) return Value();
  ValueTable& values = source_.analysis().values();
  if (content_.size() == static_cast<uint64_t>(*count) * width && content_.size() > 0)
    return values.Bytes(element_, shape_.dims, std::as_bytes(std::span(content_)));
  std::string elements;
  for (size_t i = 0; i + width <= content_.size() && content_.size() <= 8; i += width)
    elements += content_.substr(i, width);
  for (const uint64_t number : numbers_) {
    for (size_t i = 0; i < width; ++i) elements += static_cast<char>(number >> (8 * i) & 0xff);
  }
  return Repeated(graph, elements, width, *count);
}

// Returns contents whose last given element repeats.
Value TensorProtoReader::Repeated(Graph& graph, const std::string& elements, size_t width, int64_t count) {
  ValueTable& values = source_.analysis().values();
  const auto given = static_cast<int64_t>(elements.size() / width);
  const auto bytes_of = [&](std::string_view text) {
    return std::as_bytes(std::span(graph.StoreCopy(text)));
  };
  if (given == 0 || given > count) return count == 0 ? values.Bytes(element_, shape_.dims, {}) : Value();
  if (given == 1 && count > ValueTable::kMaxElements)
    return values.Every(values.Bytes(element_, {}, bytes_of(elements)));
  if (count > static_cast<int64_t>(kMaxNumbers)) return Value();
  std::string all = elements;
  for (int64_t i = given; i < count; ++i) all += elements.substr(elements.size() - width);
  return values.Bytes(element_, shape_.dims, bytes_of(all));
}

}  // namespace dimwise
