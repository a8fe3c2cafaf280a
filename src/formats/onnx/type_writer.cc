#include "formats/onnx/type_writer.h"

#include <algorithm>
#include <optional>
#include <span>

#include "formats/onnx/onnx_fields.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

// Returns the fields of a Dimension that contain its value; empty if it has none.
std::string WriteSize(DimTable& dims, Dim size, std::span<const Dim> each) {
  namespace f = onnx_fields::shape;
  std::string out;
  if (size.is_none() || std::ranges::find(each, size) != each.end()) return out;
  if (size.is_constant()) {
    if (size.constant() >= 0) {
      AppendVarintField(out, NumberOfField(f::kDimValue), static_cast<uint64_t>(size.constant()));
    }
    return out;
  }
  const std::string text =
      dims.Kind(size) == DimKind::kSymbol ? std::string(dims.NameOf(size)) : dims.ToString(size);
  AppendBytesField(out, NumberOfField(f::kDimParam), text);
  return out;
}

std::string WriteShape(DimTable& dims, Shape shape, std::span<const Dim> each) {
  std::string out;
  for (const Dim size : shape.dims()) {
    AppendBytesField(out, NumberOfField(onnx_fields::shape::kDim), WriteSize(dims, size, each));
  }
  return out;
}

bool HasShape(const Type& type) { return !type.shape.is_none() && type.shape.has_rank(); }

std::string WriteTensor(DimTable& dims, const Type& type, std::span<const Dim> each) {
  namespace f = onnx_fields::type;
  std::string out;
  const auto element = static_cast<uint64_t>(NumberOf(type.element, TypeSystem::kOnnx).value_or(0));
  AppendVarintField(out, NumberOfField(f::kElemType), element);
  if (HasShape(type)) AppendBytesField(out, NumberOfField(f::kShape), WriteShape(dims, type.shape, each));
  return out;
}

// Returns the element type of a container. If the element types differ, it is what they share: the element
// type of the tensors, and their rank with the sizes that are not among `own`.
Type ElementOf(const Container& container, std::vector<Dim>* own) {
  Type type = container.elements[0];
  if (!type.is_tensor()) return type;
  for (const Type& other : container.elements) {
    if (!HasShape(other) || !HasShape(type) || other.shape.rank() != type.shape.rank()) {
      type.shape = Shape();
      return type;
    }
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      if (other.shape[axis] != type.shape[axis]) own->push_back(type.shape[axis]);
    }
  }
  return type;
}

// Returns the field of the TypeProto for this kind of type.
std::string WriteKind(DimTable& dims, const Type& type, std::span<const Dim> each) {
  namespace f = onnx_fields::type;
  std::string inside, out;
  const auto write_inside = [&](uint32_t tag) {
    std::vector<Dim> both(each.begin(), each.end());
    both.insert(both.end(), type.container->each.begin(), type.container->each.end());
    const Type element = ElementOf(*type.container, &both);
    AppendBytesField(inside, NumberOfField(tag), WriteKind(dims, element, both));
  };
  switch (type.kind) {
    case TypeKind::kTensor:
      AppendBytesField(out, NumberOfField(f::kTensor), WriteTensor(dims, type, each));
      break;
    case TypeKind::kSequence:
      write_inside(f::kElement);
      AppendBytesField(out, NumberOfField(f::kSequence), inside);
      break;
    case TypeKind::kOptional:
      write_inside(f::kElement);
      AppendBytesField(out, NumberOfField(f::kOptional), inside);
      break;
    case TypeKind::kMap:
      AppendVarintField(inside, NumberOfField(f::kKeyType),
                        static_cast<uint64_t>(NumberOf(type.container->key, TypeSystem::kOnnx).value_or(0)));
      write_inside(f::kValueType);
      AppendBytesField(out, NumberOfField(f::kMap), inside);
      break;
    case TypeKind::kHandle:
    case TypeKind::kUnknown:
      break;
  }
  return out;
}

// ---- Rewriting an existing type ----

class TypeRewriter {
 public:
  TypeRewriter(DimTable& dims, Precedence precedence) : dims_(dims), precedence_(precedence) {}

  std::string Rewrite(std::string_view old, const Type& type) {
    namespace f = onnx_fields::type;
    std::string out;
    bool written = false;
    Walk(old, [&](WireReader& r) {
      const bool tensor = r.tag() == f::kTensor || r.tag() == f::kSparseTensor;
      const bool other =
          r.tag() == f::kSequence || r.tag() == f::kOptional || r.tag() == f::kMap || r.tag() == f::kOpaque;
      if (tensor && type.is_tensor()) {
        written = true;
        Append(out, r, RewriteTensor(r.bytes(), type));
      } else if ((r.tag() == f::kSequence && type.kind == TypeKind::kSequence) ||
                 (r.tag() == f::kOptional && type.kind == TypeKind::kOptional)) {
        written = true;
        Append(out, r, RewriteContainer(r.bytes(), *type.container));
      } else if ((tensor || other) && precedence_ != Precedence::kDeclared && r.tag() != f::kOpaque) {
        // The file has another kind of type; the new one is written below.
      } else {
        written = written || tensor || other;
        out += r.whole();
      }
    });
    return written ? out : WriteKind(dims_, type, each_) + out;
  }

  bool damaged() const { return damaged_; }

 private:
  template <typename F>
  void Walk(std::string_view message, F&& visit) {
    WireReader r(message);
    while (r.Next()) visit(r);
    damaged_ = damaged_ || r.damage() != nullptr;
  }

  // Copies a field with new contents, or unchanged if the contents are equal.
  static void Append(std::string& out, const WireReader& r, const std::string& contents) {
    if (contents == r.bytes()) {
      out += r.whole();
    } else {
      AppendBytesField(out, NumberOfField(r.tag()), contents);
    }
  }

  std::string RewriteContainer(std::string_view old, const Container& container) {
    const size_t before = each_.size();
    each_.insert(each_.end(), container.each.begin(), container.each.end());
    const Type element = ElementOf(container, &each_);
    std::string out;
    Walk(old, [&](WireReader& r) {
      if (r.tag() == onnx_fields::type::kElement) {
        Append(out, r, Rewrite(r.bytes(), element));
      } else {
        out += r.whole();
      }
    });
    each_.resize(before);
    return out;
  }

  std::string RewriteTensor(std::string_view old, const Type& type) {
    namespace f = onnx_fields::type;
    const auto number = static_cast<uint64_t>(NumberOf(type.element, TypeSystem::kOnnx).value_or(0));
    std::string out;
    bool has_element = false, has_shape = false;
    Walk(old, [&](WireReader& r) {
      has_element = has_element || r.tag() == f::kElemType;
      has_shape = has_shape || r.tag() == f::kShape;
      if (r.tag() == f::kElemType && r.number() != number &&
          (r.number() == 0 || precedence_ != Precedence::kDeclared)) {
        AppendVarintField(out, NumberOfField(f::kElemType), number);
      } else if (r.tag() == f::kShape && HasShape(type)) {
        Append(out, r, RewriteShape(r.bytes(), type.shape));
      } else {
        out += r.whole();
      }
    });
    if (!has_element) AppendVarintField(out, NumberOfField(f::kElemType), number);
    if (!has_shape && HasShape(type)) {
      AppendBytesField(out, NumberOfField(f::kShape), WriteShape(dims_, type.shape, each_));
    }
    return out;
  }

  std::string RewriteShape(std::string_view old, Shape shape) {
    namespace f = onnx_fields::shape;
    int rank = 0;
    Walk(old, [&](WireReader& r) { rank += r.tag() == f::kDim ? 1 : 0; });
    if (rank != shape.rank()) return WriteShape(dims_, shape, each_);
    std::string out;
    int axis = 0;
    Walk(old, [&](WireReader& r) {
      if (r.tag() == f::kDim) {
        Append(out, r, RewriteDimension(r.bytes(), shape[axis++]));
      } else {
        out += r.whole();
      }
    });
    return out;
  }

  std::string RewriteDimension(std::string_view old, Dim size) {
    namespace f = onnx_fields::shape;
    const std::string value = WriteSize(dims_, size, each_);
    std::string rest;
    std::string_view old_value;
    bool is_number = false, is_name = false;
    Walk(old, [&](WireReader& r) {
      if (r.tag() == f::kDimValue || r.tag() == f::kDimParam) {
        old_value = r.whole();
        is_number = r.tag() == f::kDimValue;
        is_name = r.tag() == f::kDimParam && !r.bytes().empty();
      } else {
        rest += r.whole();
      }
    });
    const bool keep = value.empty() || old_value == value ||
                      (!size.is_constant() && ((precedence_ == Precedence::kDeclared && is_number) ||
                                               (precedence_ != Precedence::kInferred && is_name)));
    return keep ? std::string(old) : value + rest;
  }

  DimTable& dims_;
  const Precedence precedence_;
  bool damaged_ = false;
  std::vector<Dim> each_;  // sizes that differ between elements of the enclosing containers
};

}  // namespace

bool CanWriteType(const Type& type) {
  switch (type.kind) {
    case TypeKind::kTensor:
      return NumberOf(type.element, TypeSystem::kOnnx).value_or(0) != 0;
    case TypeKind::kSequence:
    case TypeKind::kOptional:
    case TypeKind::kMap: {
      const Container& inside = *type.container;
      if (type.kind == TypeKind::kMap && NumberOf(inside.key, TypeSystem::kOnnx).value_or(0) == 0)
        return false;
      if (inside.elements.empty() || !CanWriteType(inside.elements[0])) return false;
      // ONNX has one type for all elements of a sequence: only tensors of one element type can be merged.
      return inside.elements.size() == 1 || std::ranges::all_of(inside.elements, [&](const Type& t) {
               return t.is_tensor() && t.element == inside.elements[0].element;
             });
    }
    case TypeKind::kHandle:
    case TypeKind::kUnknown:
      return false;
  }
  return false;
}

std::string WriteType(DimTable& dims, const Type& type) { return WriteKind(dims, type, {}); }

std::optional<std::string> RewriteType(DimTable& dims, std::string_view old, const Type& type,
                                       Precedence precedence) {
  TypeRewriter rewriter(dims, precedence);
  std::string out = rewriter.Rewrite(old, type);
  if (rewriter.damaged()) return std::nullopt;
  return out;
}

}  // namespace dimwise
