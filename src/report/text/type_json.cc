#include "report/text/type_json.h"

#include "core/base/diagnostic_text.h"

namespace dimwise {
namespace {

std::string_view KindName(TypeKind kind) {
  switch (kind) {
    case TypeKind::kSequence:
      return "sequence";
    case TypeKind::kOptional:
      return "optional";
    case TypeKind::kMap:
      return "map";
    case TypeKind::kHandle:
      return "handle";
    case TypeKind::kUnknown:
    case TypeKind::kTensor:
      break;
  }
  return "tensor";
}

void WriteField(JsonWriter& json, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  json.Key(key);
  json.String(text);
}

void WriteTensorFields(JsonWriter& json, DimTable& dims, const Type& type) {
  json.Key("dtype");
  if (type.element == ElementType::kUnknown) {
    json.Null();
  } else {
    json.String(ToString(type.element));
  }
  json.Key("shape");
  WriteShape(json, dims, type.shape);
  if (type.storage.is_known()) WriteField(json, "storage", ToString(type.storage));
}

// Writes a short sequence whose elements have different types: the common type, and each type.
void WriteElements(JsonWriter& json, DimTable& dims, const Container& container) {
  json.Key("element");
  if (container.elements.size() == 1) return WriteType(json, dims, container.elements[0]);
  Type shared = container.elements.empty() ? Type() : Type::Tensor(container.elements[0].element, Shape());
  for (const Type& element : container.elements) {
    if (element.element != shared.element) shared.element = ElementType::kUnknown;
  }
  WriteType(json, dims, shared);
  if (container.elements.empty()) return;
  json.Key("elements");
  json.BeginArray();
  for (const Type& element : container.elements) WriteType(json, dims, element);
  json.EndArray();
}

void WriteContainerFields(JsonWriter& json, DimTable& dims, const Type& type) {
  json.Key("kind");
  json.String(KindName(type.kind));
  if (type.kind == TypeKind::kHandle) {
    WriteTensorFields(json, dims, type);
    json.Key("behind");
    json.BeginArray();
    if (type.container != nullptr) {
      for (const Type& behind : type.container->elements) WriteType(json, dims, behind);
    }
    json.EndArray();
    return;
  }
  const Container nothing;
  const Container& inside = type.container != nullptr ? *type.container : nothing;
  if (type.kind == TypeKind::kMap) WriteField(json, "key", ToString(inside.key));
  if (!inside.length.is_none()) {
    json.Key("length");
    WriteSize(json, dims, inside.length);
  }
  WriteElements(json, dims, inside);
}

void WriteSizeOrNull(JsonWriter& json, DimTable& dims, Dim size) {
  if (size.is_none()) return json.Null();
  WriteSize(json, dims, size);
}

void WriteFloat(JsonWriter& json, DimTable& dims, const Float& number, ElementType type) {
  if (const std::optional<double> constant = number.constant()) {
    return type == ElementType::kF32 ? json.Float(static_cast<float>(*constant)) : json.Double(*constant);
  }
  if (number.numerator.is_none()) return json.Null();
  const std::string numerator = dims.ToString(number.numerator);
  json.String(number.denominator <= 1 ? numerator
                                      : "(" + numerator + ")/" + std::to_string(number.denominator));
}

}  // namespace

void WriteSize(JsonWriter& json, DimTable& dims, Dim size) {
  if (size.is_constant()) return json.Int(size.constant());
  json.String(dims.ToString(size));
}

void WriteShape(JsonWriter& json, DimTable& dims, Shape shape) {
  if (shape.is_none() || !shape.has_rank()) return json.Null();
  json.BeginArray();
  for (const Dim size : shape.dims()) WriteSize(json, dims, size);
  json.EndArray();
}

void WriteTypeFields(JsonWriter& json, DimTable& dims, const Type& type) {
  if (type.kind == TypeKind::kTensor || type.kind == TypeKind::kUnknown) {
    WriteTensorFields(json, dims, type);
  } else {
    WriteContainerFields(json, dims, type);
  }
}

void WriteType(JsonWriter& json, DimTable& dims, const Type& type) {
  json.BeginObject();
  WriteTypeFields(json, dims, type);
  json.EndObject();
}

void WriteContents(JsonWriter& json, DimTable& dims, Value value) {
  json.BeginArray();
  for (int64_t i = 0; i < value.size(); ++i) {
    const Dim integer = value.Integer(i);
    if (IsBool(value.element()) && integer.is_constant()) {
      json.Bool(integer.constant() != 0);
    } else if (!integer.is_none()) {
      WriteSize(json, dims, integer);
    } else {
      WriteFloat(json, dims, value.FloatingPoint(i), value.element());
    }
  }
  json.EndArray();
}

namespace {

// Returns an origin such as "node join (Concat), computed as a - b".
std::string OriginText(const SymbolFacts& symbol) {
  if (symbol.computed.empty()) return symbol.origin;
  return symbol.origin + (symbol.origin.empty() ? "" : ", ") + "computed as " + symbol.computed;
}

}  // namespace

void WriteSymbols(JsonWriter& json, DimTable& dims, std::span<const SymbolFacts> symbols) {
  json.BeginObject();
  for (const SymbolFacts& symbol : symbols) {
    json.Key(symbol.name);
    json.BeginObject();
    if (!symbol.equals.is_none()) {
      json.Key("equals");
      WriteSize(json, dims, symbol.equals);
    } else {
      json.Key("min");
      WriteSizeOrNull(json, dims, symbol.min);
      json.Key("max");
      WriteSizeOrNull(json, dims, symbol.max);
      json.Key("multiple_of");
      json.Int(symbol.congruence.modulus);
      if (symbol.congruence.remainder != 0) {
        json.Key("remainder");
        json.Int(symbol.congruence.remainder);
      }
    }
    if (dims.GetDefinition(symbol.symbol) != nullptr) WriteField(json, "definition", symbol.computed);
    WriteField(json, "origin", OriginText(symbol));
    WriteField(json, "description", symbol.description);
    json.EndObject();
  }
  json.EndObject();
}

void WriteGuard(JsonWriter& json, DimTable& dims, const Guard& guard, std::string_view node,
                std::string_view within, std::span<const std::string> values) {
  json.BeginObject();
  json.Key("require");
  json.String(ToString(dims, guard.condition));
  json.Key("message");
  json.String(guard.message);
  json.Key("node");
  json.String(node);
  if (IsValidityCondition(guard.code)) WriteField(json, "code", CodeName(guard.code));
  WriteField(json, "within", within);
  if (!values.empty()) {
    json.Key("values");
    json.BeginArray();
    for (const std::string& value : values) json.String(value);
    json.EndArray();
  }
  json.EndObject();
}

void WriteDiagnostic(JsonWriter& json, const Diagnostic& diagnostic) {
  json.BeginObject();
  WriteField(json, "severity", NameOf(diagnostic.severity));
  WriteField(json, "code", CodeName(diagnostic.code));
  json.Key("message");
  json.String(diagnostic.message);
  WriteField(json, "node", diagnostic.node);
  WriteField(json, "op", diagnostic.op);
  if (diagnostic.index >= 0) {
    json.Key("index");
    json.Int(diagnostic.index);
  }
  if (!diagnostic.sides.empty()) {
    json.Key("sides");
    json.BeginArray();
    for (const Side& side : diagnostic.sides) {
      json.BeginObject();
      WriteField(json, "role", side.role);
      WriteField(json, "value", side.value);
      WriteField(json, "reason", side.reason);
      json.EndObject();
    }
    json.EndArray();
  }
  json.Key("notes");
  json.BeginArray();
  for (const std::string& note : diagnostic.notes) json.String(note);
  json.EndArray();
  WriteField(json, "help", diagnostic.help);
  json.EndObject();
}

}  // namespace dimwise
