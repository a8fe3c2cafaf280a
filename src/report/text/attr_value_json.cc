#include "report/text/attr_value_json.h"

#include <variant>
#include <vector>

namespace dimwise {
namespace {

class AttrValueWriter {
 public:
  explicit AttrValueWriter(JsonWriter& json) : json_(json) {}

  void operator()(std::monostate) { json_.Null(); }
  void operator()(int64_t number) { json_.Int(number); }
  void operator()(double number) { json_.Double(number); }
  void operator()(bool truth) { json_.Bool(truth); }
  void operator()(const std::string& text) {
    if (text.size() > kMaxWrittenText) return json_.Null();
    json_.String(text);
  }
  void operator()(ElementType type) {
    Tagged("dtype", [&] { Dtype(type); });
  }
  void operator()(const ShapeProto& shape) {
    Tagged("shape", [&] { Sizes(shape); });
  }
  void operator()(const FunctionValue& function) {
    Tagged("func", [&] { json_.String(function.name); });
  }
  void operator()(const TensorValue& tensor) {
    Tagged("tensor", [&] { Tensor(tensor); });
  }
  void operator()(const AttrValue& value) { WriteAttrValue(json_, value); }
  template <typename T>
  void operator()(const std::vector<T>& list) {
    if (list.size() > kMaxWrittenElements) return json_.Null();
    json_.BeginArray();
    for (const auto& element : list) (*this)(static_cast<const T&>(element));
    json_.EndArray();
  }

 private:
  template <typename Write>
  void Tagged(std::string_view tag, const Write& write) {
    json_.BeginObject();
    json_.Key(tag);
    write();
    json_.EndObject();
  }

  void Dtype(ElementType type) {
    if (type == ElementType::kUnknown) return json_.Null();
    json_.String(ToString(type));
  }

  void Sizes(const ShapeProto& shape) {
    if (shape.unknown_rank) return json_.Null();
    json_.BeginArray();
    for (const int64_t size : shape.dims) {
      if (size < 0) {
        json_.Null();
      } else {
        json_.Int(size);
      }
    }
    json_.EndArray();
  }

  void Tensor(const TensorValue& tensor) {
    json_.BeginObject();
    json_.Key("dtype");
    Dtype(tensor.type);
    json_.Key("shape");
    Sizes(tensor.shape);
    std::visit(
        [&]<typename Contents>(const Contents& contents) {
          if constexpr (!std::is_same_v<Contents, std::monostate>) {
            if (contents.size() > kMaxWrittenElements) return;
            json_.Key("values");
            (*this)(contents);
          }
        },
        tensor.contents);
    json_.EndObject();
  }

  JsonWriter& json_;
};

}  // namespace

void WriteAttrValue(JsonWriter& json, const AttrValue& value) {
  // A long list of a file is not decoded.
  if (value.ListSize().value_or(0) > kMaxWrittenElements) return json.Null();
  AttrValueWriter writer(json);
  value.Visit([&](const auto& stored) { writer(stored); });
}

}  // namespace dimwise
