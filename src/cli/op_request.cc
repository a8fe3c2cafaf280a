#include "cli/op_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "cli/attr_json.h"
#include "cli/json_value.h"
#include "cli/operator_name.h"
#include "core/base/failure.h"
#include "core/base/names.h"

namespace dimwise {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kExample =
    "a request is written {\"id\": 1, \"op\": \"onnx.Relu\", \"inputs\": [{\"dtype\": \"f32\", \"shape\": "
    "[\"N\"]}]}";
constexpr std::string_view kOperand =
    "an operand is an object such as {\"dtype\": \"f32\", \"shape\": [\"N\", 3]}, or null if it is not "
    "given";
constexpr std::string_view kSize =
    "a dimension is an integer >= 0, null if it is unknown, or a name or expression";
constexpr std::string_view kShape = "a shape is a list of dimensions, or null if the rank is unknown";
constexpr std::string_view kStorage = "a storage is \"dense\", \"row_sparse\" or \"csr\"";
constexpr std::string_view kHandle = "the data behind a handle is a list of {\"dtype\": ..., \"shape\": ...}";
constexpr std::string_view kValue = "contents are a flat list of numbers or booleans";
constexpr std::string_view kDirection = "a direction is \"forward\" or \"both\"";

constexpr auto kRequestFields =
    std::to_array<std::string_view>({"id", "op", "version", "attrs", "attributes", "inputs", "input_names",
                                     "outputs", "direction", "graph_def_version"});
constexpr auto kOperandFields =
    std::to_array<std::string_view>({"dtype", "shape", "storage", "value", "as_shape", "handle"});
constexpr auto kHandleFields = std::to_array<std::string_view>({"dtype", "shape"});

// Prefixes the error of an expression with its position.
Unexpected AtPath(const JsonPath& path, Unexpected error) {
  std::unique_ptr<Diagnostic> diagnostic = std::move(error).Take();
  diagnostic->message = fmt::format("`{}`: {}", path.Text(), diagnostic->message);
  return Unexpected(std::move(diagnostic));
}

class RequestReader {
 public:
  RequestReader(const OpRegistry& registry, Analysis& analysis, bool lenient)
      : registry_(registry), analysis_(analysis), lenient_(lenient) {}

  Result<OpRequest> Read(dom::element json) {
    dom::object fields;
    if (json.get(fields) != simdjson::SUCCESS) {
      Diagnostic diagnostic;
      diagnostic.message = "the line is JSON but not an object; a request is an object";
      diagnostic.help = kExample;
      return Unexpected(std::move(diagnostic));
    }
    DIMWISE_RETURN_IF_ERROR(CheckFields("a request", fields, kRequestFields));
    for (const auto field : fields) DIMWISE_RETURN_IF_ERROR(Take(field.key, field.value));
    DIMWISE_RETURN_IF_ERROR(LookUp());
    DIMWISE_RETURN_IF_ERROR(ReadDirection());
    DIMWISE_RETURN_IF_ERROR(ReadAttributes());
    DIMWISE_RETURN_IF_ERROR(ReadOperands());
    DIMWISE_RETURN_IF_ERROR(ReadNames());
    if (graph_def_version_) {
      DIMWISE_ASSIGN_OR_RETURN(request_.graph_def_version,
                               ReadSmallInt(JsonPath("graph_def_version"), *graph_def_version_,
                                            "a producer version of TensorFlow is an integer such as 1645"));
    }
    DIMWISE_RETURN_IF_ERROR(ReadResults());
    return std::move(request_);
  }

 private:
  using Field = std::optional<dom::element>;

  // A misspelt field would be missing without notice, and the answer wrong.
  Status CheckFields(std::string_view object, const dom::object& fields,
                     std::span<const std::string_view> known) const {
    if (lenient_) return {};
    for (const auto field : fields) {
      if (std::ranges::find(known, field.key) == known.end()) return UnknownField(object, field.key, known);
    }
    return {};
  }

  Status CheckFieldsAt(const JsonPath& path, const dom::object& fields,
                       std::span<const std::string_view> known) const {
    return lenient_ ? Status() : CheckFields(fmt::format("`{}`", path.Text()), fields, known);
  }

  Status Take(std::string_view key, dom::element value) {
    if (value.is_null()) return {};
    if (key == "op") op_ = value;
    if (key == "version") version_ = value;
    if (key == "attrs" || key == "attributes") {
      if (attrs_ && attrs_key_ != key) {
        return Failure(Code::kBadRequest, "`attrs` and `attributes` are two names of one field; give one");
      }
      attrs_ = value;
      attrs_key_ = key;
    }
    if (key == "inputs") inputs_ = value;
    if (key == "input_names") names_ = value;
    if (key == "outputs") outputs_ = value;
    if (key == "direction") direction_ = value;
    if (key == "graph_def_version") graph_def_version_ = value;
    return {};
  }

  Status LookUp() {
    if (!op_) {
      Diagnostic diagnostic;
      diagnostic.message = "the request has no `op`";
      diagnostic.help = kExample;
      return Unexpected(std::move(diagnostic));
    }
    DIMWISE_ASSIGN_OR_RETURN(
        const std::string_view name,
        ReadText(JsonPath("op"), *op_, "the name of an operator is a string such as \"onnx.Conv\""));
    if (version_) {
      DIMWISE_ASSIGN_OR_RETURN(request_.version,
                               ReadSmallInt(JsonPath("version"), *version_,
                                            "a version of an operator set is an integer such as 13"));
    }
    DIMWISE_ASSIGN_OR_RETURN(request_.op, LookUpForCall(registry_, name, request_.version));
    return {};
  }

  Status ReadDirection() {
    if (!direction_) return {};
    DIMWISE_ASSIGN_OR_RETURN(const std::string_view word,
                             ReadText(JsonPath("direction"), *direction_, kDirection));
    if (word != "forward" && word != "both") {
      return WrongValue(JsonPath("direction"), *direction_, kDirection);
    }
    request_.both = word == "both";
    return {};
  }

  // Forward inference uses only the number of the given results.
  Status ReadResults() {
    if (!outputs_) return {};
    const JsonPath path("outputs");
    DIMWISE_ASSIGN_OR_RETURN(const dom::array outputs, ReadList(path, *outputs_, "the results are a list"));
    const auto count = static_cast<int>(outputs.size());
    if (!request_.both) {
      request_.num_outputs = count;
      return {};
    }
    for (const dom::element output : outputs) {
      OpOperand result;
      if (!output.is_null()) {
        DIMWISE_RETURN_IF_ERROR(ReadOperand(path.Element(request_.known_outputs.size()), output, &result));
      }
      request_.known_outputs.push_back(result.type);
    }
    // Every result is inferred, even if the request does not mention it.
    int needed = 0;
    for (const ArgDef& arg : request_.op->def.outputs) needed += arg.optional || arg.variadic ? 0 : 1;
    if (count >= std::max(needed, 1)) request_.num_outputs = count;
    return {};
  }

  Status ReadAttributes() {
    if (!attrs_) return {};
    const JsonPath path(attrs_key_);
    DIMWISE_ASSIGN_OR_RETURN(
        const dom::object attrs,
        ReadObject(path, *attrs_, "attributes are an object with a field for each attribute"));
    for (const auto attr : attrs) {
      if (FindAttr(request_.op->def, attr.key) == nullptr) continue;
      DIMWISE_ASSIGN_OR_RETURN(AttrValue value, ReadAttrJson(path.Field(attr.key), attr.value));
      request_.attrs.Set(std::string(attr.key), std::move(value));
    }
    return {};
  }

  Status ReadNames() {
    if (!names_) return {};
    const JsonPath path("input_names");
    constexpr std::string_view kNames = "names of operands are a list of strings";
    DIMWISE_ASSIGN_OR_RETURN(const dom::array names, ReadList(path, *names_, kNames));
    for (const dom::element name : names) {
      const JsonPath at = path.Element(request_.operand_names.size());
      std::string_view text;
      if (!name.is_null()) {
        DIMWISE_ASSIGN_OR_RETURN(text, ReadText(at, name, kNames));
      }
      request_.operand_names.push_back(text);
    }
    return {};
  }

  Status ReadOperands() {
    if (!inputs_) return {};
    const JsonPath path("inputs");
    DIMWISE_ASSIGN_OR_RETURN(const dom::array inputs, ReadList(path, *inputs_, "operands are a list"));
    request_.operands.reserve(inputs.size());
    for (const dom::element input : inputs) {
      OpOperand operand;
      operand.given = !input.is_null();
      if (operand.given) {
        DIMWISE_RETURN_IF_ERROR(ReadOperand(path.Element(request_.operands.size()), input, &operand));
      }
      request_.operands.push_back(operand);
    }
    return {};
  }

  Status ReadOperand(const JsonPath& path, dom::element json, OpOperand* operand) {
    DIMWISE_ASSIGN_OR_RETURN(const dom::object fields, ReadObject(path, json, kOperand));
    DIMWISE_RETURN_IF_ERROR(CheckFieldsAt(path, fields, kOperandFields));
    Field value, as_shape, handle;
    operand->type.kind = TypeKind::kTensor;
    for (const auto field : fields) {
      if (field.value.is_null()) continue;
      const JsonPath at = path.Field(field.key);
      if (field.key == "dtype") {
        DIMWISE_ASSIGN_OR_RETURN(operand->type.element, ReadDtype(at, field.value));
      } else if (field.key == "shape") {
        DIMWISE_ASSIGN_OR_RETURN(operand->type.shape, ReadShape(at, field.value));
      } else if (field.key == "storage") {
        DIMWISE_ASSIGN_OR_RETURN(operand->type.storage, ReadStorage(at, field.value));
      } else if (field.key == "value") {
        value = field.value;
      } else if (field.key == "as_shape") {
        as_shape = field.value;
      } else if (field.key == "handle") {
        handle = field.value;
      }
    }
    if (operand->type.shape.is_none()) operand->type.shape = analysis_.shapes().Unknown();
    if (value) {
      DIMWISE_RETURN_IF_ERROR(ReadContents(path.Field("value"), *value, operand));
    }
    if (as_shape) {
      DIMWISE_ASSIGN_OR_RETURN(operand->as_shape, ReadShape(path.Field("as_shape"), *as_shape));
    }
    if (handle) {
      DIMWISE_RETURN_IF_ERROR(ReadHandle(path.Field("handle"), *handle, operand));
    }
    return {};
  }

  Result<Storage> ReadStorage(const JsonPath& path, dom::element json) const {
    DIMWISE_ASSIGN_OR_RETURN(const std::string_view text, ReadText(path, json, kStorage));
    if (const std::optional<Storage> storage = ParseStorage(text)) return *storage;
    return WrongValue(path, json, kStorage);
  }

  Result<Shape> ReadShape(const JsonPath& path, dom::element json) {
    DIMWISE_ASSIGN_OR_RETURN(const dom::array list, ReadList(path, json, kShape));
    sizes_.clear();
    for (const dom::element size : list) {
      if (sizes_.size() == kMaxRank) {
        return Failure(Code::kOutOfRange,
                       fmt::format("`{}` has more than {} dimensions", path.Text(), kMaxRank));
      }
      DIMWISE_ASSIGN_OR_RETURN(const Dim dim, ReadSize(path.Element(sizes_.size()), size));
      sizes_.push_back(dim);
    }
    return analysis_.shapes().Make(sizes_);
  }

  Result<Dim> ReadSize(const JsonPath& path, dom::element json) {
    int64_t number = 0;
    if (json.get(number) == simdjson::SUCCESS) {
      if (number >= 0) return Dim(number);
      return WrongValue(path, json, kSize, Code::kNegativeSize);
    }
    if (json.is_null()) return analysis_.dims().Fresh();
    if (json.is_uint64()) return WrongValue(path, json, "a size has at most 63 bits", Code::kOverflow);
    std::string_view text;
    if (json.get(text) != simdjson::SUCCESS) return WrongValue(path, json, kSize);
    DIMWISE_ASSIGN_OR_RETURN(const Dim dim, ReadExpression(path, json, text));
    if (dim.is_constant() && dim.constant() < 0) return WrongValue(path, json, kSize, Code::kNegativeSize);
    return dim;
  }

  Result<Dim> ReadExpression(const JsonPath& path, dom::element json, std::string_view text) {
    if (IsBareName(text)) return analysis_.dims().Symbol(text);
    Result<Dim> dim = analysis_.dims().Parse(text);
    if (!dim) return AtPath(path, std::move(dim).TakeError());
    if (dim->is_none()) return WrongValue(path, json, "the number does not fit 64 bits", Code::kOverflow);
    return dim;
  }

  // Reads contents: a list, or a number as a list of one element. A string is an expression if integers are
  // expected.
  Status ReadContents(const JsonPath& path, dom::element json, OpOperand* operand) {
    contents_.Clear();
    dom::array list;
    if (json.get(list) != simdjson::SUCCESS) {
      DIMWISE_RETURN_IF_ERROR(AddElement(path, json, operand->type.element));
    } else {
      for (const dom::element element : list) {
        DIMWISE_RETURN_IF_ERROR(AddElement(path.Element(contents_.size()), element, operand->type.element));
      }
    }
    Result<Value> value = contents_.Build(analysis_, operand->type, &request_.bytes.emplace_back());
    if (!value) return AtPath(path, std::move(value).TakeError());
    operand->value = *value;
    return {};
  }

  Status AddElement(const JsonPath& path, dom::element json, ElementType type) {
    switch (json.type()) {
      case dom::element_type::INT64:
        contents_.AddInteger(json.get_int64().value_unsafe());
        return {};
      case dom::element_type::UINT64:  // past INT64_MAX, which a Dim cannot hold
        if (IsFloat(type)) {
          contents_.AddFloat(static_cast<double>(json.get_uint64().value_unsafe()));
        } else {
          contents_.AddInteger(Dim());
        }
        return {};
      case dom::element_type::DOUBLE:
        contents_.AddFloat(json.get_double().value_unsafe());
        return {};
      case dom::element_type::BOOL:
        contents_.AddBool(json.get_bool().value_unsafe());
        return {};
      case dom::element_type::NULL_VALUE:
        contents_.AddUnknown();
        return {};
      case dom::element_type::STRING: {
        if (!IsInteger(type)) {
          contents_.AddText();
          return {};
        }
        DIMWISE_ASSIGN_OR_RETURN(const Dim dim, ReadExpression(path, json, json.get_string().value_unsafe()));
        contents_.AddInteger(dim);
        return {};
      }
      case dom::element_type::ARRAY:
      case dom::element_type::OBJECT:
        break;
    }
    return WrongValue(path, json, kValue);
  }

  Status ReadHandle(const JsonPath& path, dom::element json, OpOperand* operand) {
    DIMWISE_ASSIGN_OR_RETURN(const dom::array list, ReadList(path, json, kHandle));
    std::vector<Type> behind;
    for (const dom::element element : list) {
      const JsonPath at = path.Element(behind.size());
      DIMWISE_ASSIGN_OR_RETURN(const dom::object fields, ReadObject(at, element, kHandle));
      DIMWISE_RETURN_IF_ERROR(CheckFieldsAt(at, fields, kHandleFields));
      Type type = Type::Tensor(ElementType::kUnknown, Shape());
      for (const auto field : fields) {
        if (field.value.is_null()) continue;
        if (field.key == "dtype") {
          DIMWISE_ASSIGN_OR_RETURN(type.element, ReadDtype(at.Field(field.key), field.value));
        } else if (field.key == "shape") {
          DIMWISE_ASSIGN_OR_RETURN(type.shape, ReadShape(at.Field(field.key), field.value));
        }
      }
      if (type.shape.is_none()) type.shape = analysis_.shapes().Unknown();
      behind.push_back(type);
    }
    // A handle keeps its own shape, usually a scalar, beside the types behind it.
    operand->type.container = analysis_.types().Handle(behind).container;
    operand->type.kind = TypeKind::kHandle;
    if (operand->type.element == ElementType::kUnknown) operand->type.element = ElementType::kResource;
    return {};
  }

  const OpRegistry& registry_;
  Analysis& analysis_;
  OpRequest request_;
  const bool lenient_;
  std::string_view attrs_key_;  // "attrs" or "attributes", as in the request
  Field op_, version_, attrs_, inputs_, names_, outputs_, direction_, graph_def_version_;
  std::vector<Dim> sizes_;
  ContentsBuilder contents_;
};

}  // namespace

Result<OpRequest> ReadOpRequest(dom::element json, const OpRegistry& registry, Analysis& analysis,
                                bool lenient) {
  return RequestReader(registry, analysis, lenient).Read(json);
}

}  // namespace dimwise
