// Parses and prints types:
//
//     type      = "?" | element shape [storage]
//               | "seq" "(" type {"," type} options ")"      | "optional" "(" type ")"
//               | "map" "(" element "," type options ")"     | "handle" "(" [type {"," type}] ")"
//     options   = ["," "length" "=" size] ["," "each" "=" (name | "(" name {"," name} ")")]
#include <fmt/format.h>

#include "core/types/shape_text.h"
#include "dimwise/analysis.h"

namespace dimwise {
namespace {

constexpr int kMaxTypeNesting = 32;

constexpr std::string_view kTypeHelp =
    "a type is written f32[N, 3], f32[*], ?[2], f32[2, 3] csr, seq(f32[N]), optional(f32[]), map(i64, "
    "f32[2]), "
    "handle(f32[2]) or ?";

std::string_view KindName(TypeKind kind) {
  switch (kind) {
    case TypeKind::kSequence:
      return "seq";
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
  return "?";
}

TypeKind KindOfName(std::string_view name) {
  for (TypeKind kind : {TypeKind::kSequence, TypeKind::kOptional, TypeKind::kMap, TypeKind::kHandle}) {
    if (KindName(kind) == name) return kind;
  }
  return TypeKind::kUnknown;
}

class TypeParser {
 public:
  TypeParser(Analysis& analysis, std::string_view text) : analysis_(analysis), cursor_(text) {}

  Result<Type> ParseAll() {
    Result<Type> type = ReadType(nullptr);
    if (type && !cursor_.AtEnd()) {
      return cursor_.Fail(fmt::format("unexpected '{}' after the type", cursor_.Peek()), kTypeHelp);
    }
    return type;
  }

 private:
  // Parses a type. Adds the symbols created for `?` to *each, the each-dimensions of the innermost enclosing
  // sequence or map.
  Result<Type> ReadType(std::vector<Dim>* each) {
    cursor_.SkipSpace();
    TextCursor start = cursor_;
    const std::string_view word = cursor_.TakeWord();
    const bool called = cursor_.Peek() == '(';
    if (called && KindOfName(word) != TypeKind::kUnknown) {
      if (nesting_ == kMaxTypeNesting) {
        return start.Fail(fmt::format("the types are nested more than {} deep", kMaxTypeNesting), {});
      }
      ++nesting_;
      Result<Type> type = ReadContainer(KindOfName(word), each);
      --nesting_;
      return type;
    }
    if (word.empty()) return start.FailWithout("a type", kTypeHelp);
    if (called) return start.Fail(fmt::format("'{}' is no kind of type", word), kTypeHelp);
    if (KindOfName(word) != TypeKind::kUnknown) return cursor_.FailWithout("'('", kTypeHelp);
    if (word == "?" && cursor_.Peek() != '[') return Type();
    return ReadTensor(start, word, each);
  }

  Result<ElementType> ReadElementType(const TextCursor& start, std::string_view word) {
    if (std::optional<ElementType> element = ParseElementType(word)) return *element;
    return start.Fail(fmt::format("'{}' is no element type", word),
                      "an element type is f32, i64, bool, string and so on, in any framework's spelling");
  }

  Result<Type> ReadTensor(const TextCursor& start, std::string_view word, std::vector<Dim>* each) {
    Result<ElementType> element = ReadElementType(start, word);
    if (!element) return std::move(element).TakeError();
    if (cursor_.Peek() != '[') {
      const std::string_view name = ToString(*element);
      return start.Fail(fmt::format("'{}' has no shape", word),
                        fmt::format("write {0}[] for a scalar, {0}[*] for an unknown rank", name));
    }
    Result<Shape> shape = ReadShape(analysis_.dims(), analysis_.shapes(), cursor_, each);
    if (!shape) return std::move(shape).TakeError();
    cursor_.SkipSpace();
    TextCursor before = cursor_;
    const std::string_view storage_word = cursor_.TakeWord();
    if (storage_word.empty()) return Type::Tensor(*element, *shape);
    const std::optional<Storage> storage = ParseStorage(storage_word);
    if (!storage) {
      return before.Fail(fmt::format("'{}' is no storage", storage_word),
                         "a storage is dense, row_sparse or csr");
    }
    return Type::Tensor(*element, *shape, *storage);
  }

  // Parses a container after its '('.
  Result<Type> ReadContainer(TypeKind kind, std::vector<Dim>* outer_each) {
    const bool has_options = kind == TypeKind::kSequence || kind == TypeKind::kMap;
    const bool has_several = kind == TypeKind::kSequence || kind == TypeKind::kHandle;
    Container inside;
    inside.kind = kind;
    cursor_.Take('(');
    if (kind == TypeKind::kMap) {
      if (Status status = ReadKey(inside); !status) return std::move(status).TakeError();
    }
    bool more = kind != TypeKind::kHandle || cursor_.Peek() != ')';
    while (more) {
      Result<Type> element = ReadType(has_options ? &inside.each : outer_each);
      if (!element) return element;
      inside.elements.push_back(*element);
      more = (has_several || has_options) && cursor_.Take(',');
      if (more && has_options && (!has_several || AtOption())) {
        if (Status status = ReadOptions(inside); !status) return std::move(status).TakeError();
        more = false;
      }
    }
    if (!cursor_.Take(')')) return cursor_.FailWithout("')'", kTypeHelp);
    return analysis_.types().Make(std::move(inside));
  }

  Status ReadKey(Container& inside) {
    cursor_.SkipSpace();
    TextCursor start = cursor_;
    const std::string_view word = cursor_.TakeWord();
    if (word.empty()) return start.FailWithout("the element type of the keys", kTypeHelp);
    Result<ElementType> key = ReadElementType(start, word);
    if (!key) return std::move(key).TakeError();
    inside.key = *key;
    if (!cursor_.Take(',')) return cursor_.FailWithout("','", kTypeHelp);
    return {};
  }

  bool AtOption() const {
    TextCursor ahead = cursor_;
    ahead.TakeWord();
    return ahead.Peek() == '=';
  }

  Status ReadOptions(Container& inside) {
    do {
      cursor_.SkipSpace();
      TextCursor start = cursor_;
      const std::string_view word = cursor_.TakeWord();
      if ((word != "length" && word != "each") || !cursor_.Take('=')) {
        return start.FailWithout("'length=' or 'each='", kTypeHelp);
      }
      cursor_.SkipSpace();
      if (Status status = word == "length" ? ReadLength(inside) : ReadEach(inside); !status) return status;
    } while (cursor_.Take(','));
    return {};
  }

  Status ReadLength(Container& inside) {
    const TextCursor start = cursor_;
    const std::string_view piece = cursor_.TakeSize();
    if (piece == "?") return {};
    Result<Dim> length = analysis_.dims().Parse(piece);
    if (!length) return cursor_.FailInside(std::move(length).error());
    if (length->is_none()) return start.Fail("the length is too large", {}, Code::kOverflow);
    if (length->is_constant() && length->constant() < 0) {
      return start.Fail(fmt::format("{} is no length", length->constant()), "a length is 0 or more",
                        Code::kNegativeSize);
    }
    const auto count = static_cast<int64_t>(inside.elements.size());
    if (count > 1 && *length != Dim(count)) {
      return start.Fail(fmt::format("a sequence with {} types has that length, not {}", count, piece), {});
    }
    inside.length = *length;
    return {};
  }

  Status ReadEach(Container& inside) {
    const TextCursor start = cursor_;
    std::string_view names = cursor_.TakeSize();
    if (names.starts_with('(') && names.ends_with(')')) names = names.substr(1, names.size() - 2);
    TextCursor list(names);
    do {
      const std::string_view name = list.TakeSize();
      Result<Dim> symbol = analysis_.dims().Parse(name);
      if (!symbol) return cursor_.FailInside(std::move(symbol).error());
      if (analysis_.dims().Kind(*symbol) != DimKind::kSymbol) {
        return start.Fail(fmt::format("'{}' is no name", name),
                          "each= takes the names of sizes: each=k, each=(k, m)");
      }
      inside.each.push_back(*symbol);
    } while (list.Take(','));
    if (!list.AtEnd()) return start.Fail(fmt::format("unexpected '{}' in each=", list.Peek()), kTypeHelp);
    return {};
  }

  Analysis& analysis_;
  TextCursor cursor_;
  int nesting_ = 0;
};

}  // namespace

std::string ToString(DimTable& dims, const Type& type) {
  if (type.is_tensor()) {
    std::string text(ToString(type.element));
    text += type.shape.is_none() ? "[*]" : ToString(dims, type.shape);
    if (type.storage.is_known()) text.append(" ").append(ToString(type.storage));
    return text;
  }
  if (type.container == nullptr) return "?";
  const Container& inside = *type.container;
  std::string parts;
  const auto add = [&](std::string_view part) { parts.append(parts.empty() ? "" : ", ").append(part); };
  if (inside.kind == TypeKind::kMap) add(ToString(inside.key));
  for (const Type& element : inside.elements) add(ToString(dims, element));
  if (!inside.length.is_none() && inside.elements.size() == 1) add("length=" + dims.ToString(inside.length));
  if (!inside.each.empty()) {
    std::string names;
    for (Dim symbol : inside.each) names.append(names.empty() ? "" : ", ").append(dims.ToString(symbol));
    add(inside.each.size() == 1 ? "each=" + names : "each=(" + names + ")");
  }
  return fmt::format("{}({})", KindName(inside.kind), parts);
}

Result<Type> ParseType(Analysis& analysis, std::string_view text) {
  return TypeParser(analysis, text).ParseAll();
}

}  // namespace dimwise
