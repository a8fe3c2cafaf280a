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
#include "formats/protobuf/model_source.h"

namespace dimwise {

// Deeper types and longer expressions are not read.
inline constexpr int kMaxTypeDepth = 32;
inline constexpr size_t kMaxExpression = 4096;

class TypeReader {
 public:
  explicit TypeReader(ModelSource& source) : source_(source), hash_(reinterpret_cast<uintptr_t>(this)) {}

  // Reads the type of an input in two passes. DeclareNames is called for all inputs before ReadInput is
  // called for any. An unnamed dimension, which becomes x_d0, thus never collides with a name in the file.
  //
  // A dimension is an expression (past + seq) if each of its names is also the name of another dimension, or
  // if it has a single name (past + 1). Any other text is a name.
  //
  // DeclareNames returns the type if one pass suffices: it has no names, or its bytes were read before.
  // Otherwise it returns an unknown type.
  bool DeclareNames(std::string_view bytes, std::string_view input, Type* type);
  bool ReadInput(std::string_view bytes, std::string_view input, Type* type);

  // Reads the type that a file claims for a value. A dimension may be an expression of existing symbols in
  // our syntax. Any other text is the name of a symbol. `origin` is called for new symbols only. Claims with
  // the same bytes are read once.
  bool ReadClaim(std::string_view bytes, std::string_view value, const std::function<std::string()>& origin,
                 Type* type);

  // Returns the element type with that number in onnx.proto. Reports a finding if there is none.
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
  // Returns the dimension of a claim as an expression, or none if it is not an expression.
  Dim Expression(std::string_view text);

  struct Known {
    std::string_view bytes;
    Type type;
    bool has_no_names = false;
  };
  // Returns the index of a type in the hash table, which has room for a new entry.
  size_t Probe(std::string_view bytes, uint32_t hash);
  void Insert(size_t place, uint32_t hash, const Known& type);

  ModelSource& source_;
  const NameHash hash_;
  NameTable by_bytes_;
  std::vector<Known> known_;  // types that do not depend on the value
  Purpose purpose_ = Purpose::kClaim;
  std::string_view value_;  // the value whose type is read
  const std::function<std::string()>* origin_ = nullptr;
  int depth_ = 0;
  bool takes_names_ = false;          // whether the type uses names
  bool is_of_value_ = false;          // whether the type has a size or a finding of its own value
  std::vector<Dim> sizes_;            // of the current shape
  std::vector<Dim>* each_ = nullptr;  // in a sequence or map: the sizes that differ between elements
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_TYPE_READER_H_
