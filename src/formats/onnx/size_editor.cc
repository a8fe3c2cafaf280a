#include "formats/onnx/size_editor.h"

#include "dimwise/dim.h"
#include "formats/onnx/onnx_fields.h"
#include "formats/onnx/type_reader.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

class SizeEditor {
 public:
  explicit SizeEditor(const EditSize& edit) : edit_(edit) {}

  std::string Type(std::string_view old, int depth) {
    namespace f = onnx_fields::type;
    return Rewritten(old, [&](const WireReader& r) -> std::optional<std::string> {
      if (r.tag() == f::kTensor || r.tag() == f::kSparseTensor) return Tensor(r.bytes(), depth);
      if (depth == kMaxTypeDepth) return std::nullopt;
      if (r.tag() == f::kSequence || r.tag() == f::kOptional) return Inside(r.bytes(), f::kElement, depth);
      if (r.tag() == f::kMap) return Inside(r.bytes(), f::kValueType, depth);
      return std::nullopt;
    });
  }

  bool changed() const { return changed_ && !damaged_; }

 private:
  // Returns the message with the contents that `contents_of` returns for its fields. Fields without new
  // contents are copied.
  template <typename F>
  std::string Rewritten(std::string_view message, const F& contents_of) {
    std::string out;
    WireReader r(message);
    while (r.Next()) {
      const std::optional<std::string> contents = contents_of(r);
      if (!contents || *contents == r.bytes()) {
        out += r.whole();
      } else {
        AppendBytesField(out, NumberOfField(r.tag()), *contents);
      }
    }
    damaged_ = damaged_ || r.damage() != nullptr;
    return out;
  }

  std::string Inside(std::string_view container, uint32_t tag, int depth) {
    return Rewritten(container, [&](const WireReader& r) -> std::optional<std::string> {
      if (r.tag() != tag) return std::nullopt;
      return Type(r.bytes(), depth + 1);
    });
  }

  std::string Tensor(std::string_view tensor, int depth) {
    return Rewritten(tensor, [&](const WireReader& r) -> std::optional<std::string> {
      if (r.tag() != onnx_fields::type::kShape) return std::nullopt;
      int axis = 0;
      return Rewritten(r.bytes(), [&](const WireReader& d) -> std::optional<std::string> {
        if (d.tag() != onnx_fields::shape::kDim) return std::nullopt;
        return Dimension(d.bytes(), depth == 0 ? axis++ : -1);
      });
    });
  }

  std::string Dimension(std::string_view old, int axis) {
    namespace f = onnx_fields::shape;
    std::string rest;
    std::string_view param;
    WireReader r(old);
    while (r.Next()) {
      if (r.tag() != f::kDimValue && r.tag() != f::kDimParam) rest += r.whole();
      if (r.tag() == f::kDimValue) param = {};  // of several fields the last one is used
      if (r.tag() == f::kDimParam) param = r.bytes();
    }
    damaged_ = damaged_ || r.damage() != nullptr;
    const std::optional<WrittenSize> size = edit_(param, axis);
    if (!size) return std::string(old);
    changed_ = true;
    std::string out;
    if (const int64_t* number = std::get_if<int64_t>(&*size)) {
      AppendVarintField(out, NumberOfField(f::kDimValue), static_cast<uint64_t>(*number));
    } else if (const std::string& text = std::get<std::string>(*size); !text.empty()) {
      AppendBytesField(out, NumberOfField(f::kDimParam), text);
    }
    return out + rest;
  }

  const EditSize& edit_;
  bool changed_ = false;
  bool damaged_ = false;
};

}  // namespace

std::optional<std::string> EditSizes(std::string_view type, const EditSize& edit) {
  SizeEditor editor(edit);
  std::string edited = editor.Type(type, 0);
  if (!editor.changed()) return std::nullopt;
  return edited;
}

std::optional<WrittenSize> WithNumbers(std::string_view param, const SymbolNumbers& numbers) {
  if (param.empty()) return std::nullopt;
  if (const auto it = numbers.find(param); it != numbers.end()) return it->second;
  if (param.size() > kMaxExpression) return std::nullopt;
  DimTable dims;
  const Result<Dim> old = dims.Parse(param);
  if (!old || !old->is_expression() || dims.Kind(*old) == DimKind::kSymbol) return std::nullopt;
  const Dim size = dims.Substitute(*old, [&](Dim atom) {
    if (dims.Kind(atom) != DimKind::kSymbol) return Dim();
    const auto it = numbers.find(dims.NameOf(atom));
    return it == numbers.end() ? Dim() : Dim(it->second);
  });
  if (size == *old || size.is_none()) return std::nullopt;
  if (!size.is_constant()) {
    return dims.Kind(size) == DimKind::kSymbol ? std::string(dims.NameOf(size)) : dims.ToString(size);
  }
  if (size.constant() < 0) return std::nullopt;
  return size.constant();
}

}  // namespace dimwise
