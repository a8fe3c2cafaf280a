// Reads a TypeProto as a Type.
#ifndef DIMWISE_FORMATS_ONNX_TYPE_READER_H_
#define DIMWISE_FORMATS_ONNX_TYPE_READER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/type.h"
#include "formats/name_table.h"
#include "formats/onnx/model_source.h"

namespace dimwise {

// What lies deeper in a type, or is a longer expression, is not read.
inline constexpr int kMaxTypeDepth = 32;
inline constexpr size_t kMaxExpression = 4096;

class TypeReader {
 public:
  explicit TypeReader(ModelSource& source) : source_(source), hash_(reinterpret_cast<uintptr_t>(this)) {}

  // The type of an input. All names of all inputs are declared first, so that a dimension without a name,
  // which is called x_d0, never meets one of that name. A dimension is an expression (past + seq) where all
  // of its names are those of other dimensions too, or it has one name only (past + 1); any other text is a
  // name. A type without any is read at once, and the same bytes are read once; what takes a second look is
  // left as a type that is not known.
  bool DeclareNames(std::string_view bytes, std::string_view input, Type* type);
  bool ReadInput(std::string_view bytes, std::string_view input, Type* type);

  // What a file claims of a value. A dimension may be an expression over symbols that exist, as we write
  // them; any other text is a symbol's name, whose origin is `origin()`, asked where the symbol is new. Most
  // claims repeat the bytes of others, and those are read once.
  bool ReadClaim(std::string_view bytes, std::string_view value, const std::function<std::string()>& origin,
                 Type* type);

  // The element type of that number in onnx.proto; a finding where there is none.
  ElementType ReadElementType(int64_t number, std::string_view value);

 private:
  enum class Purpose { kNames, kInput, kClaim };

  bool Read(std::string_view bytes, Type* type);
  bool ReadTensor(std::string_view bytes, Type* type);
  bool ReadSequence(std::string_view bytes, Type* type);
  bool ReadOptional(std::string_view bytes, Type* type);
  bool ReadMap(std::string_view bytes, Type* type);
  bool ReadShape(std::string_view bytes, Shape* shape);
  bool ReadDimension(std::string_view bytes, size_t axis, Dim* size);
  Dim Named(std::string_view text, size_t axis);
  Dim Unnamed(size_t axis);
  // The dimension that a claim states as an expression; none where it is no such thing.
  Dim Expression(std::string_view text);

  struct Known {
    std::string_view bytes;
    Type type;
    bool has_no_names = false;
  };
  // The place of a type in the table of those that were read; there is room for one.
  size_t Probe(std::string_view bytes, uint32_t hash);
  void Keep(size_t place, uint32_t hash, const Known& type);

  ModelSource& source_;
  const NameHash hash_;
  NameTable by_bytes_;
  std::vector<Known> known_;  // types that mean the same of any value
  Purpose purpose_ = Purpose::kClaim;
  std::string_view value_;  // whose type it is
  const std::function<std::string()>* origin_ = nullptr;
  int depth_ = 0;
  bool takes_names_ = false;          // of others, or one of its own
  bool is_of_value_ = false;          // it has a size, or led to a finding, that is this value's own
  std::vector<Dim> sizes_;            // of the shape that is being read
  std::vector<Dim>* each_ = nullptr;  // inside a sequence or a map: the sizes that are each element's own
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_TYPE_READER_H_
