// Finds all errors of a single definition. Each finding names the argument or attribute and both sides of the
// conflict.
#include <algorithm>
#include <set>

#include "core/base/characters.h"
#include "dimwise/op_def.h"
#include "fmt/format.h"

namespace dimwise {
namespace {

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

bool IsWord(std::string_view text) {
  if (text.empty() || !BeginsWord(text[0])) return false;
  return std::ranges::all_of(text, IsWordPart);
}

// Returns whether all parts between separators satisfy `fits`.
template <typename Fits>
bool AllParts(std::string_view text, char separator, Fits fits) {
  for (;;) {
    const size_t end = text.find(separator);
    if (!fits(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool IsCamelCase(std::string_view word) {
  const size_t first = word.find_first_not_of('_');
  return IsWord(word) && first != std::string_view::npos && IsUpper(word[first]);
}

bool IsOpName(std::string_view set, std::string_view name) {
  if (set == "tensorflow") return AllParts(name, '>', IsCamelCase);
  if (set == "onnx" || set.starts_with("ai.onnx.")) return IsCamelCase(name);
  return IsWord(name);
}

bool IsKind(std::string_view kind) {
  if (kind == "graph" || kind == "list(graph)") return true;
  const auto known = ParseAttrKind(kind);
  return known && *known != AttrKind::kNothing && *known != AttrKind::kList;
}

class Linter {
 public:
  explicit Linter(const OpDef& def) : def_(def) {}

  std::vector<Diagnostic> Run() && {
    CheckNames();
    CheckVersions();
    for (const AttrDef& attr : def_.attrs) CheckAttr(attr);
    CheckArgs(def_.inputs, "input");
    CheckArgs(def_.outputs, "output");
    CheckTraits();
    return std::move(findings_);
  }

 private:
  template <typename... Args>
  void Find(fmt::format_string<Args...> format, Args&&... args) {
    Diagnostic& finding = findings_.emplace_back();
    finding.code = Code::kBadDefinition;
    finding.op = def_.FullName();
    finding.message = fmt::format("{}: {}", finding.op, fmt::format(format, std::forward<Args>(args)...));
  }

  void CheckNames() {
    if (def_.set.empty()) {
      Find("the name has no set in front of it, as in onnx.{}", def_.name.empty() ? "Relu" : def_.name);
    } else if (!AllParts(def_.set, '.', IsWord)) {
      Find("'{}' is no name for a set: words joined by dots", def_.set);
    }
    if (!IsOpName(def_.set, def_.name)) {
      const bool camel = IsWord(def_.name);
      Find("'{}' is no name for an operator of {}: {}", def_.name, def_.set.empty() ? "a set" : def_.set,
           camel ? "it begins with a capital letter" : "a word of letters, digits and underscores");
    }
    std::set<std::string_view> attrs;
    for (const AttrDef& attr : def_.attrs) {
      if (!attrs.insert(attr.name).second) Find("there are two attributes '{}'", attr.name);
    }
    for (const auto& [args, role] : {std::pair(&def_.inputs, "input"), std::pair(&def_.outputs, "output")}) {
      std::set<std::string_view> names;
      for (const ArgDef& arg : *args) {
        if (!names.insert(arg.name).second) Find("there are two {}s '{}'", role, arg.name);
        if (attrs.contains(arg.name)) Find("'{}' is both an attribute and an {}", arg.name, role);
      }
    }
  }

  void CheckVersions() {
    if (def_.since < 1) Find("versions begin at 1; it is valid since {}", def_.since);
    if (def_.until && *def_.until <= def_.since) {
      Find("it is valid since version {} and until {}, which is no later version", def_.since, *def_.until);
    }
  }

  void CheckAttr(const AttrDef& attr) {
    if (!IsWord(attr.name)) Find("'{}' is no name for an attribute", attr.name);
    const bool is_list = attr.kind.starts_with("list(");
    const bool is_type = attr.kind == "type" || attr.kind == "list(type)";
    if (is_type && ParseElementType(attr.name)) {
      Find("attribute '{}' has the name of an element type, so that an argument could mean either",
           attr.name);
    }
    if (!IsKind(attr.kind)) {
      Find("attribute '{}' is of kind '{}', which does not exist", attr.name, attr.kind);
      return;
    }
    if (attr.or_single && attr.kind != "list(int)") {
      Find("attribute '{}' of kind {} cannot be given as one int", attr.name, attr.kind);
    }
    if (attr.minimum && attr.kind != "int" && !is_list) {
      Find("attribute '{}' of kind {} cannot have a minimum; an int or a list can", attr.name, attr.kind);
    }
    if (attr.minimum && is_list && *attr.minimum < 0) {
      Find("attribute '{}' is a list of at least {} elements; a negative minimum has no effect", attr.name,
           *attr.minimum);
    }
    if (!attr.allowed_types.empty() && !is_type) {
      Find("attribute '{}' of kind {} cannot be one of some types", attr.name, attr.kind);
    }
    if (!attr.allowed_strings.empty() && attr.kind != "string" && attr.kind != "list(string)") {
      Find("attribute '{}' of kind {} cannot be one of some strings", attr.name, attr.kind);
    }
    if (std::set<std::string_view> seen; !std::ranges::all_of(
            attr.allowed_strings, [&seen](const std::string& text) { return seen.insert(text).second; })) {
      Find("attribute '{}' allows a string twice", attr.name);
    }
    if (attr.default_value) CheckDefault(attr);
  }

  void CheckDefault(const AttrDef& attr) {
    if (attr.required) Find("attribute '{}' is required and has a default", attr.name);
    if (attr.kind == "graph" || attr.kind == "list(graph)") {
      Find("attribute '{}' of kind {} cannot have a default", attr.name, attr.kind);
      return;
    }
    // Text may represent a number in a file, but not in a definition.
    const bool takes_text =
        attr.kind.find("string") != std::string::npos || attr.kind.find("type") != std::string::npos;
    if (attr.default_value->kind() == AttrKind::kString && !takes_text) {
      Find("the default of attribute '{}' is {}, which is not of kind {}", attr.name,
           ToString(*attr.default_value), attr.kind);
      return;
    }
    if (const auto read = ReadAttr(attr, *attr.default_value); !read) {
      Find("the default of {}", read.error().message);
    }
  }

  void CheckArgs(const std::vector<ArgDef>& args, std::string_view role) {
    std::string_view variadic;
    std::string_view row;
    for (const ArgDef& arg : args) {
      if (!IsWord(arg.name)) Find("'{}' is no name for an {}", arg.name, role);
      CheckArgType(arg, role);
      CheckArgCount(arg, role);
      if ((arg.variadic && !variadic.empty()) || (arg.optional && !row.empty())) {
        Find("{} '{}' follows '{}', which takes any number, so the assignment is ambiguous", role, arg.name,
             arg.variadic ? variadic : row);
      }
      if (arg.variadic) variadic = arg.name;
      if (arg.variadic || !arg.number_attr.empty() || !arg.type_list_attr.empty()) row = arg.name;
    }
  }

  void CheckArgType(const ArgDef& arg, std::string_view role) {
    const int ways = (arg.type != ElementType::kUnknown) + !arg.type_attr.empty() +
                     !arg.type_list_attr.empty() + arg.any_type;
    if (ways == 0) Find("{} '{}' has no type", role, arg.name);
    if (ways > 1) Find("{} '{}' has more than one type", role, arg.name);
    CheckReference(arg.type_attr, "type", arg, role);
    CheckReference(arg.type_list_attr, "list(type)", arg, role);
    if (arg.is_ref && (arg.any_type || !arg.type_list_attr.empty())) {
      Find("{} '{}' is a reference to no type in particular", role, arg.name);
    }
  }

  void CheckArgCount(const ArgDef& arg, std::string_view role) {
    const int ways = arg.optional + arg.variadic + !arg.number_attr.empty() + !arg.type_list_attr.empty();
    if (ways > 1) {
      Find(
          "the number of tensors of {} '{}' is defined in more than one way: optional, variadic, a number "
          "or a list of types",
          role, arg.name);
    }
    if (arg.variadic && arg.min_count < 0)
      Find("{} '{}' has a minimum count of {}", role, arg.name, arg.min_count);
    if (!arg.homogeneous && !arg.variadic && arg.number_attr.empty())
      Find("{} '{}' is one tensor, and 'each' is for several", role, arg.name);
    if (const AttrDef* number = CheckReference(arg.number_attr, "int", arg, role)) {
      if (number->minimum.value_or(-1) < 0) {
        Find("attribute '{}' is the number of tensors of {} '{}', and needs a minimum of 0 or more",
             number->name, role, arg.name);
      }
    }
  }

  // Returns the attribute that an argument refers to; null if there is none of the right kind.
  const AttrDef* CheckReference(const std::string& name, std::string_view kind, const ArgDef& arg,
                                std::string_view role) {
    if (name.empty()) return nullptr;
    const AttrDef* attr = FindAttr(def_, name);
    if (attr == nullptr) {
      Find("{} '{}' refers to '{}', which is no attribute{}", role, arg.name, name,
           kind == "type" ? ", nor an element type" : "");
      return nullptr;
    }
    if (attr->kind == kind) return attr;
    Find("{} '{}' needs attribute '{}' to be of kind {}; it is of kind {}", role, arg.name, name, kind,
         attr->kind);
    return nullptr;
  }

  void CheckTraits() {
    std::vector<std::string_view> shape_traits;
    for (uint16_t bit = 1; bit < static_cast<uint16_t>(Trait::kSameElementType);
         bit = static_cast<uint16_t>(bit << 1)) {
      const auto trait = static_cast<Trait>(bit);
      if (def_.traits.Has(trait)) shape_traits.push_back(ToString(trait));
    }
    if (shape_traits.size() > 1) {
      Find("traits {} and {} both define the shapes of the results", shape_traits[0], shape_traits[1]);
    }
    const bool like_operands = def_.traits.Has(Trait::kElementwise) || def_.traits.Has(Trait::kSameShape) ||
                               def_.traits.Has(Trait::kBroadcast) || def_.traits.Has(Trait::kLikeFirst);
    if (like_operands && def_.inputs.empty())
      Find("trait {} needs operands; there are none", shape_traits[0]);
    const bool one_operand = def_.inputs.empty() || (def_.inputs.size() == 1 && !def_.inputs[0].variadic &&
                                                     def_.inputs[0].number_attr.empty());
    if (def_.commutative && one_operand) Find("it is commutative, but has fewer than two operands");
  }

  const OpDef& def_;
  std::vector<Diagnostic> findings_;
};

}  // namespace

std::vector<Diagnostic> LintOpDef(const OpDef& def) { return Linter(def).Run(); }

Status ValidateOpDef(const OpDef& def) {
  std::vector<Diagnostic> findings = LintOpDef(def);
  if (findings.empty()) return {};
  return Unexpected(std::move(findings.front()));
}

}  // namespace dimwise
