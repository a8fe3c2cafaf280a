// One table defines every property of every element type. The lookup tables by spelling are computed from it
// at compile time, which also proves that each spelling has one meaning.
#include "dimwise/element_type.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace dimwise {
namespace {

constexpr int kNoId = -100;  // the framework does not have the type

struct Row {
  ElementType type;
  int bits;
  int onnx, tensorflow, mxnet;
  std::array<std::string_view, 5> names;  // in the order of TypeSystem
  std::string_view more;                  // other spellings that are parsed, separated by spaces
};

using enum ElementType;

// The width of tf32 is 19 bits, as in MLIR; in memory it takes 32. index has 64 bits. ONNX's 27 and 28 were
// added in IR 14.
// clang-format off
constexpr Row kRows[] = {
    //               bits onnx   tf     mxnet   ours             ONNX              TensorFlow               MXNet       StableHLO            also read
    {kUnknown,       0,   0,     0,     -1,    {"?",             "UNDEFINED",      "DT_INVALID",            "",         ""},                 "unknown"},
    {kF4E2M1FN,      4,   23,    33,    kNoId, {"f4e2m1fn",      "FLOAT4E2M1",     "DT_FLOAT4_E2M1FN",      "",         "f4E2M1FN"},         "float4e2m1 float4_e2m1fn"},
    {kF6E2M3FN,      6,   27,    kNoId, kNoId, {"f6e2m3fn",      "FLOAT6E2M3",     "",                      "",         "f6E2M3FN"},         "float6e2m3 float6_e2m3fn"},
    {kF6E3M2FN,      6,   28,    kNoId, kNoId, {"f6e3m2fn",      "FLOAT6E3M2",     "",                      "",         "f6E3M2FN"},         "float6e3m2 float6_e3m2fn"},
    {kF8E3M4,        8,   kNoId, kNoId, kNoId, {"f8e3m4",        "",               "",                      "",         "f8E3M4"},           "float8_e3m4"},
    {kF8E4M3,        8,   kNoId, kNoId, kNoId, {"f8e4m3",        "",               "",                      "",         "f8E4M3"},           "float8_e4m3"},
    {kF8E4M3FN,      8,   17,    25,    kNoId, {"f8e4m3fn",      "FLOAT8E4M3FN",   "DT_FLOAT8_E4M3FN",      "",         "f8E4M3FN"},         "float8e4m3fn float8_e4m3fn"},
    {kF8E4M3FNUZ,    8,   18,    26,    kNoId, {"f8e4m3fnuz",    "FLOAT8E4M3FNUZ", "DT_FLOAT8_E4M3FNUZ",    "",         "f8E4M3FNUZ"},       "float8e4m3fnuz float8_e4m3fnuz"},
    {kF8E4M3B11FNUZ, 8,   kNoId, 27,    kNoId, {"f8e4m3b11fnuz", "",               "DT_FLOAT8_E4M3B11FNUZ", "",         "f8E4M3B11FNUZ"},    "float8_e4m3b11fnuz"},
    {kF8E5M2,        8,   19,    24,    kNoId, {"f8e5m2",        "FLOAT8E5M2",     "DT_FLOAT8_E5M2",        "",         "f8E5M2"},           "float8e5m2 float8_e5m2"},
    {kF8E5M2FNUZ,    8,   20,    28,    kNoId, {"f8e5m2fnuz",    "FLOAT8E5M2FNUZ", "DT_FLOAT8_E5M2FNUZ",    "",         "f8E5M2FNUZ"},       "float8e5m2fnuz float8_e5m2fnuz"},
    {kF8E8M0FNU,     8,   24,    kNoId, kNoId, {"f8e8m0fnu",     "FLOAT8E8M0",     "",                      "",         "f8E8M0FNU"},        "float8e8m0 float8_e8m0fnu"},
    {kF16,           16,  10,    19,    2,     {"f16",           "FLOAT16",        "DT_HALF",               "float16",  "f16"},              "half"},
    {kBF16,          16,  16,    14,    12,    {"bf16",          "BFLOAT16",       "DT_BFLOAT16",           "bfloat16", "bf16"},             ""},
    {kTF32,          19,  kNoId, kNoId, kNoId, {"tf32",          "",               "",                      "",         "tf32"},             ""},
    {kF32,           32,  1,     1,     0,     {"f32",           "FLOAT",          "DT_FLOAT",              "float32",  "f32"},              "float"},
    {kF64,           64,  11,    2,     1,     {"f64",           "DOUBLE",         "DT_DOUBLE",             "float64",  "f64"},              "double"},
    {kI2,            2,   26,    31,    kNoId, {"i2",            "INT2",           "DT_INT2",               "",         "i2"},               "int2 si2"},
    {kI4,            4,   22,    29,    kNoId, {"i4",            "INT4",           "DT_INT4",               "",         "i4"},               "int4 si4"},
    {kI8,            8,   3,     6,     5,     {"i8",            "INT8",           "DT_INT8",               "int8",     "i8"},               "si8"},
    {kI16,           16,  5,     5,     8,     {"i16",           "INT16",          "DT_INT16",              "int16",    "i16"},              "si16"},
    {kI32,           32,  6,     3,     4,     {"i32",           "INT32",          "DT_INT32",              "int32",    "i32"},              "si32"},
    {kI48,           48,  kNoId, kNoId, kNoId, {"i48",           "",               "",                      "",         ""},                 "int48"},
    {kI64,           64,  7,     9,     6,     {"i64",           "INT64",          "DT_INT64",              "int64",    "i64"},              "si64"},
    {kIndex,         64,  kNoId, kNoId, kNoId, {"index",         "",               "",                      "",         "index"},            ""},
    {kU2,            2,   25,    32,    kNoId, {"u2",            "UINT2",          "DT_UINT2",              "",         "ui2"},              "uint2"},
    {kU4,            4,   21,    30,    kNoId, {"u4",            "UINT4",          "DT_UINT4",              "",         "ui4"},              "uint4"},
    {kU8,            8,   2,     4,     3,     {"u8",            "UINT8",          "DT_UINT8",              "uint8",    "ui8"},              ""},
    {kU16,           16,  4,     17,    9,     {"u16",           "UINT16",         "DT_UINT16",             "uint16",   "ui16"},             ""},
    {kU32,           32,  12,    22,    10,    {"u32",           "UINT32",         "DT_UINT32",             "uint32",   "ui32"},             ""},
    {kU64,           64,  13,    23,    11,    {"u64",           "UINT64",         "DT_UINT64",             "uint64",   "ui64"},             ""},
    {kC64,           64,  14,    8,     kNoId, {"c64",           "COMPLEX64",      "DT_COMPLEX64",          "",         "complex<f32>"},     "complex64"},
    {kC128,          128, 15,    18,    kNoId, {"c128",          "COMPLEX128",     "DT_COMPLEX128",         "",         "complex<f64>"},     "complex128"},
    {kBool,          1,   9,     10,    7,     {"bool",          "BOOL",           "DT_BOOL",               "bool",     "i1"},               ""},
    {kQI2,           2,   kNoId, kNoId, kNoId, {"qi2",           "",               "",                      "",         ""},                 "qint2"},
    {kQI4,           4,   kNoId, kNoId, kNoId, {"qi4",           "",               "",                      "",         ""},                 "qint4"},
    {kQI8,           8,   kNoId, 11,    kNoId, {"qi8",           "",               "DT_QINT8",              "",         ""},                 "qint8"},
    {kQI16,          16,  kNoId, 15,    kNoId, {"qi16",          "",               "DT_QINT16",             "",         ""},                 "qint16"},
    {kQI32,          32,  kNoId, 13,    kNoId, {"qi32",          "",               "DT_QINT32",             "",         ""},                 "qint32"},
    {kQU2,           2,   kNoId, kNoId, kNoId, {"qu2",           "",               "",                      "",         ""},                 "quint2"},
    {kQU4,           4,   kNoId, kNoId, kNoId, {"qu4",           "",               "",                      "",         ""},                 "quint4"},
    {kQU8,           8,   kNoId, 12,    kNoId, {"qu8",           "",               "DT_QUINT8",             "",         ""},                 "quint8"},
    {kQU16,          16,  kNoId, 16,    kNoId, {"qu16",          "",               "DT_QUINT16",            "",         ""},                 "quint16"},
    {kQU32,          32,  kNoId, kNoId, kNoId, {"qu32",          "",               "",                      "",         ""},                 "quint32"},
    {kString,        0,   8,     7,     kNoId, {"string",        "STRING",         "DT_STRING",             "",         ""},                 ""},
    {kResource,      0,   kNoId, 20,    kNoId, {"resource",      "",               "DT_RESOURCE",           "",         ""},                 ""},
    {kVariant,       0,   kNoId, 21,    kNoId, {"variant",       "",               "DT_VARIANT",            "",         ""},                 ""},
    {kToken,         0,   kNoId, kNoId, kNoId, {"token",         "",               "",                      "",         "!stablehlo.token"}, ""},
};
// clang-format on

static_assert(std::size(kRows) == kElementTypeCount);
static_assert(kElementTypeCount <= 64, "an ElementTypeSet is one word");
static_assert(
    [] {
      for (size_t i = 0; i < std::size(kRows); ++i) {
        if (kRows[i].type != static_cast<ElementType>(i)) return false;
      }
      return true;
    }(),
    "the rows stand in the order of the enumerators");

struct Spelling {
  std::string_view text;
  ElementType type = kUnknown;
  constexpr bool operator==(const Spelling&) const = default;
};

template <typename Visit>
constexpr void ForEachSpelling(Visit visit) {
  for (const Row& row : kRows) {
    for (std::string_view name : row.names) {
      if (!name.empty()) visit(Spelling{name, row.type});
    }
    for (std::string_view rest = row.more; !rest.empty();) {
      const size_t length = std::min(rest.find(' '), rest.size());
      visit(Spelling{rest.substr(0, length), row.type});
      rest.remove_prefix(std::min(length + 1, rest.size()));
    }
  }
}

constexpr size_t kSpellingCount = [] {
  size_t count = 0;
  ForEachSpelling([&](Spelling) { ++count; });
  return count;
}();

// Sorted by spelling. A spelling of several frameworks ("bool") has an entry for each.
constexpr std::array<Spelling, kSpellingCount> kSpellings = [] {
  std::array<Spelling, kSpellingCount> spellings;
  size_t next = 0;
  ForEachSpelling([&](Spelling spelling) { spellings[next++] = spelling; });
  std::ranges::sort(spellings, {}, &Spelling::text);
  return spellings;
}();

static_assert(std::ranges::adjacent_find(kSpellings,
                                         [](const Spelling& a, const Spelling& b) {
                                           return a.text == b.text && a.type != b.type;
                                         }) == kSpellings.end(),
              "no spelling has two meanings");

const Row& RowOf(ElementType type) {
  const auto index = static_cast<size_t>(type);
  return kRows[index < std::size(kRows) ? index : 0];
}

int RowNumber(const Row& row, TypeSystem system) {
  switch (system) {
    case TypeSystem::kOnnx:
      return row.onnx;
    case TypeSystem::kTensorFlow:
      return row.tensorflow;
    case TypeSystem::kMxnet:
      return row.mxnet;
    case TypeSystem::kDimwise:
    case TypeSystem::kStableHlo:
      return kNoId;  // these frameworks write names only
  }
  return kNoId;
}

std::optional<ElementType> FindSpelling(std::string_view spelling) {
  const auto* found = std::ranges::lower_bound(kSpellings, spelling, {}, &Spelling::text);
  if (found == kSpellings.end() || found->text != spelling) return std::nullopt;
  return found->type;
}

// Returns the base of "DT_FLOAT_REF" or "float_ref", or empty if it is no reference.
std::string_view StripRef(std::string_view spelling) {
  const bool upper = spelling.starts_with("DT_");
  if (!spelling.ends_with(upper ? "_REF" : "_ref")) return {};
  return spelling.substr(0, spelling.size() - 4);
}

struct NamedSet {
  std::string_view name;
  ElementTypeSet set;
};

constexpr NamedSet kNamedSets[] = {
    {"any", kAnyType},
    {"numeric", kNumericTypes},
    {"real", kRealTypes},
    {"float", kFloatTypes},
    {"int", kIntegerTypes},
    {"signed", kSignedTypes},
    {"unsigned", kUnsignedTypes},
    {"complex", kComplexTypes},
    {"bool", kBoolTypes},
    {"quantized", kQuantizedTypes},
    {"string", kStringTypes},
    {"handle", kHandleTypes},
};

}  // namespace

std::optional<ElementTypeSet> ParseElementTypeSet(std::string_view name) {
  for (const NamedSet& named : kNamedSets) {
    if (named.name == name) return named.set;
  }
  return std::nullopt;
}

std::string ToString(ElementTypeSet set) {
  std::string text;
  const auto add = [&](std::string_view name) {
    if (!text.empty()) text += ", ";
    text += name;
  };
  for (const NamedSet& named : kNamedSets) {
    if (named.set.size() == 1 || !(named.set - set).empty()) continue;
    add(named.name);
    set = set - named.set;
  }
  for (const Row& row : kRows) {
    if (set.Contains(row.type)) add(row.names[0]);
  }
  return text.empty() ? "none" : text;
}

int BitWidth(ElementType type) { return RowOf(type).bits; }

std::string_view ToString(ElementType type) { return RowOf(type).names[0]; }

std::string_view Spelling(ElementType type, TypeSystem system) {
  return RowOf(type).names[static_cast<size_t>(system)];
}

std::optional<ElementType> ParseElementType(std::string_view spelling) {
  if (auto type = FindSpelling(spelling)) return type;
  if (IsTensorFlowRef(spelling)) return FindSpelling(StripRef(spelling));
  return std::nullopt;
}

std::optional<int> NumberOf(ElementType type, TypeSystem system) {
  const int number = RowNumber(RowOf(type), system);
  if (number == kNoId) return std::nullopt;
  return number;
}

namespace {

// ONNX's numbers are looked up for every tensor of a file.
constexpr std::array<ElementType, 64> kByOnnxNumber = [] {
  std::array<ElementType, 64> types{};
  for (const Row& row : kRows) {
    if (row.onnx != kNoId) types[static_cast<size_t>(row.onnx)] = row.type;
  }
  return types;
}();

}  // namespace

std::optional<ElementType> ElementTypeOf(int64_t number, TypeSystem system) {
  if (number == kNoId) return std::nullopt;
  if (system == TypeSystem::kOnnx && number > 0 && number < static_cast<int64_t>(kByOnnxNumber.size())) {
    const ElementType type = kByOnnxNumber[static_cast<size_t>(number)];
    return type == kUnknown ? std::nullopt : std::optional(type);
  }
  if (system == TypeSystem::kTensorFlow && IsTensorFlowRef(number)) number -= 100;
  for (const Row& row : kRows) {
    if (RowNumber(row, system) == number) return row.type;
  }
  return std::nullopt;
}

bool IsTensorFlowRef(std::string_view spelling) {
  const auto type = FindSpelling(StripRef(spelling));
  return type && *type != kUnknown && RowOf(*type).tensorflow != kNoId;
}

std::optional<ElementType> IntegerBehind(ElementType quantized) {
  if (!IsQuantized(quantized)) return std::nullopt;
  return FindSpelling(ToString(quantized).substr(1));
}

std::optional<ElementType> QuantizedOver(ElementType integer) {
  for (const Row& row : kRows) {
    if (IsQuantized(row.type) && row.names[0].substr(1) == ToString(integer)) return row.type;
  }
  return std::nullopt;
}

}  // namespace dimwise
