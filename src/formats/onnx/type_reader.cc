#include "formats/onnx/type_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/characters.h"
#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

// Returns the names in an expression, except those of functions. Returns nothing if a quote is not closed.
std::optional<std::vector<std::string_view>> NamesIn(std::string_view text) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '`') {
      const size_t close = text.find('`', i + 1);
      if (close == std::string_view::npos) return std::nullopt;
      names.push_back(text.substr(i + 1, close - i - 1));
      i = close + 1;
    } else if (BeginsWord(text[i])) {
      const size_t begin = i;
      while (i < text.size() && IsWordPart(text[i])) ++i;
      const std::string_view name = text.substr(begin, i - begin);
      if (name != "min" && name != "max" && name != "broadcast") names.push_back(name);
    } else {
      ++i;
    }
  }
  return names;
}

// Some exporters write these for any unknown size, so two occurrences are not the same size.
bool IsPlaceholder(std::string_view name) { return name.empty() || name == "?" || name == "-1"; }

// Returns whether a text is an expression other than a name or a number. A minus sign without spaces around
// it is part of a name: batch-size.
bool IsExpression(std::string_view text) {
  if (text.size() > kMaxExpression || text.find_first_of("+-*/%(") == std::string_view::npos) return false;
  for (size_t i = text.find('-'); i != std::string_view::npos; i = text.find('-', i + 1)) {
    if (i == 0 || i + 1 == text.size() || text[i - 1] != ' ' || text[i + 1] != ' ') return false;
  }
  DimTable scratch;
  const Result<Dim> parsed = scratch.Parse(text);
  return parsed && parsed->is_expression() && scratch.Kind(*parsed) != DimKind::kSymbol;
}

}  // namespace

size_t TypeReader::Probe(std::string_view bytes, uint32_t hash) {
  by_bytes_.Reserve(1);
  return by_bytes_.Probe(hash, [&](uint32_t i) { return known_[i].bytes == bytes; });
}

void TypeReader::Insert(size_t place, uint32_t hash, const Known& type) {
  by_bytes_.Fill(place, hash, static_cast<uint32_t>(known_.size()));
  known_.push_back(type);
}

bool TypeReader::DeclareNames(std::string_view bytes, std::string_view input, Type* type) {
  const uint32_t hash = hash_(bytes);
  const size_t place = Probe(bytes, hash);
  const uint32_t known = by_bytes_.at(place);
  if (known != NameTable::kNone && known_[known].has_no_names) {
    *type = known_[known].type;
    return true;
  }
  purpose_ = Purpose::kNames;
  value_ = input;
  takes_names_ = false;
  if (!Read(bytes, type)) return false;
  const bool is_whole =
      !takes_names_ && type->is_tensor() && type->element != ElementType::kUnknown && !type->shape.is_none();
  if (!is_whole) {
    *type = Type();
  } else if (known == NameTable::kNone) {
    Insert(place, hash, {bytes, *type, /*has_no_names=*/true});
  }
  return true;
}

bool TypeReader::ReadInput(std::string_view bytes, std::string_view input, Type* type) {
  purpose_ = Purpose::kInput;
  value_ = input;
  return Read(bytes, type);
}

bool TypeReader::ReadClaim(std::string_view bytes, std::string_view value,
                           const std::function<std::string()>& origin, Type* type) {
  const uint32_t hash = hash_(bytes);
  const size_t place = Probe(bytes, hash);
  if (const uint32_t known = by_bytes_.at(place); known != NameTable::kNone) {
    *type = known_[known].type;
    return true;
  }
  purpose_ = Purpose::kClaim;
  value_ = value;
  origin_ = &origin;
  is_of_value_ = false;
  if (!Read(bytes, type)) return false;
  if (!is_of_value_) Insert(place, hash, {bytes, *type});
  return true;
}

ElementType TypeReader::ReadElementType(int64_t number, std::string_view value) {
  if (number == 0) return ElementType::kUnknown;
  const std::optional<ElementType> type = ElementTypeOf(number, TypeSystem::kOnnx);
  if (type) return *type;
  is_of_value_ = true;
  if (purpose_ != Purpose::kNames) {
    source_.Report(Severity::kError, Code::kBadModel,
                   fmt::format("'{}' has element type {}, which ONNX does not have", value, number));
  }
  return ElementType::kUnknown;
}

bool TypeReader::Read(std::string_view bytes, Type* type) {
  namespace f = onnx_fields::type;
  if (depth_ == kMaxTypeDepth) {
    source_.Damage(source_.OffsetOf(bytes.data()), "a type",
                   fmt::format("types are nested more than {} deep", kMaxTypeDepth));
    return false;
  }
  ++depth_;
  WireReader r(bytes);
  bool good = true;
  do {
    while (good && r.Take(f::kTensor)) good = ReadTensor(r.bytes(), type);
    if (!r.TakeOther()) continue;
    switch (r.tag()) {
      case f::kSparseTensor:
        good = ReadTensor(r.bytes(), type);
        break;
      case f::kSequence:
        good = ReadSequence(r.bytes(), type);
        break;
      case f::kOptional:
        good = ReadOptional(r.bytes(), type);
        break;
      case f::kMap:
        good = ReadMap(r.bytes(), type);
        break;
      case f::kOpaque:
        *type = Type();
        break;
      default:
        break;
    }
  } while (good && r.NextRound());
  --depth_;
  return good && source_.Whole(r, "a type");
}

bool TypeReader::ReadTensor(std::string_view bytes, Type* type) {
  namespace f = onnx_fields::type;
  ElementType element = ElementType::kUnknown;
  Shape shape;
  bool has_shape = false;
  WireReader r(bytes);
  do {
    while (r.Take(f::kElemType)) element = ReadElementType(r.integer(), value_);
    while (r.Take(f::kShape)) {
      has_shape = true;
      if (!ReadShape(r.bytes(), &shape)) return false;
    }
  } while (r.NextRound());
  if (!has_shape && purpose_ == Purpose::kInput) shape = source_.analysis().shapes().Unknown();
  *type = Type::Tensor(element, shape);
  return source_.Whole(r, "a type");
}

bool TypeReader::ReadSequence(std::string_view bytes, Type* type) {
  std::vector<Dim> each;
  std::vector<Dim>* around = std::exchange(each_, &each);
  Type element;
  WireReader r(bytes);
  bool good = true;
  while (good && r.Next()) {
    if (r.tag() == onnx_fields::type::kElement) good = Read(r.bytes(), &element);
  }
  each_ = around;
  *type = source_.analysis().types().Sequence(element, Dim(), std::move(each));
  return good && source_.Whole(r, "a type");
}

bool TypeReader::ReadOptional(std::string_view bytes, Type* type) {
  Type element;
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() == onnx_fields::type::kElement && !Read(r.bytes(), &element)) return false;
  }
  *type = source_.analysis().types().Optional(element);
  return source_.Whole(r, "a type");
}

bool TypeReader::ReadMap(std::string_view bytes, Type* type) {
  Container map;
  map.kind = TypeKind::kMap;
  std::vector<Dim>* around = std::exchange(each_, &map.each);
  Type element;
  WireReader r(bytes);
  bool good = true;
  while (good && r.Next()) {
    if (r.tag() == onnx_fields::type::kKeyType) map.key = ReadElementType(r.integer(), value_);
    if (r.tag() == onnx_fields::type::kValueType) good = Read(r.bytes(), &element);
  }
  each_ = around;
  map.elements.push_back(element);
  *type = source_.analysis().types().Make(std::move(map));
  return good && source_.Whole(r, "a type");
}

bool TypeReader::ReadShape(std::string_view bytes, Shape* shape) {
  sizes_.clear();
  bool known = true;
  WireReader r(bytes);
  do {
    while (known && r.Take(onnx_fields::shape::kDim)) {
      known = sizes_.size() < kMaxRank;
      Dim size;
      if (known && !ReadDimension(r.bytes(), sizes_.size(), &size)) return false;
      sizes_.push_back(size);
    }
  } while (known && r.NextRound());
  if (!source_.Whole(r, "a shape")) return false;
  if (purpose_ == Purpose::kNames && (takes_names_ || !known)) return true;
  if (!known) {
    is_of_value_ = true;
    source_.Report(Severity::kError, Code::kBadModel,
                   fmt::format("'{}' has more than {} dimensions", value_, kMaxRank));
  }
  *shape = known ? source_.analysis().shapes().Make(sizes_) : source_.analysis().shapes().Unknown();
  return true;
}

bool TypeReader::ReadDimension(std::string_view bytes, size_t axis, Dim* size) {
  WireReader r(bytes);
  bool named = false;
  *size = Dim();
  do {
    while (r.Take(onnx_fields::shape::kDimValue)) {
      *size = r.integer() >= 0 ? Dim(r.integer()) : Dim();
      if (r.integer() < 0 && purpose_ != Purpose::kNames) {
        source_.Report(
            Severity::kWarning, Code::kBadModel,
            fmt::format("axis {} of '{}' has the size {}; it counts as unknown", axis, value_, r.integer()));
      }
      named = false;
    }
    while (r.Take(onnx_fields::shape::kDimParam)) {
      named = !IsPlaceholder(r.bytes());
      *size = named ? Named(r.bytes(), axis) : Dim();
    }
  } while (r.NextRound());
  if (size->is_none() && !named) *size = Unnamed(axis);
  return source_.Whole(r, "a dimension");
}

Dim TypeReader::Named(std::string_view text, size_t axis) {
  takes_names_ = true;
  DimTable& dims = source_.analysis().dims();
  if (purpose_ == Purpose::kInput && dims.FindSymbol(text)) return dims.Symbol(text);
  if (purpose_ != Purpose::kClaim) {
    const std::string origin = fmt::format("input {}, axis {}", value_, axis);
    if (!IsExpression(text)) return dims.Symbol(text, origin);
    if (purpose_ == Purpose::kNames) return Dim();  // the names of all inputs are declared first
    const std::optional<std::vector<std::string_view>> names = NamesIn(text);
    const bool of_one = names && names->size() == 1 && text.find(' ') != std::string_view::npos;
    if (of_one) dims.Symbol(names->front(), origin);
    if (const Dim expression = Expression(text); !expression.is_none()) return expression;
    return dims.Symbol(text, origin);
  }
  if (const std::optional<Dim> known = dims.FindSymbol(text)) return dims.Symbol(text);
  if (const Dim expression = Expression(text); !expression.is_none()) return expression;
  return dims.Symbol(text, (*origin_)());
}

Dim TypeReader::Unnamed(size_t axis) {
  takes_names_ = is_of_value_ = true;
  DimTable& dims = source_.analysis().dims();
  if (purpose_ == Purpose::kNames) return 0;
  if (purpose_ == Purpose::kClaim || each_ != nullptr) {
    const Dim own = dims.Fresh(0, INT64_MAX, {});
    if (each_ != nullptr) each_->push_back(own);
    return own;
  }
  return dims.NamelessSymbol(fmt::format("{}_d{}", value_, axis),
                             fmt::format("input {}, axis {}", value_, axis));
}

Dim TypeReader::Expression(std::string_view text) {
  DimTable& dims = source_.analysis().dims();
  if (text.size() > kMaxExpression) return Dim();
  const std::optional<std::vector<std::string_view>> names = NamesIn(text);
  const auto is_known = [&](std::string_view name) { return dims.FindSymbol(name).has_value(); };
  if (!names || names->empty() || !std::ranges::all_of(*names, is_known))
    return Dim();  // it declares no symbols
  const Result<Dim> parsed = dims.Parse(text);
  return parsed ? *parsed : Dim();
}

}  // namespace dimwise
