// Creates shape functions from the traits of a definition, by writing the traits as a rule.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "dimwise/inference_context.h"
#include "dimwise/shape_functions.h"
#include "infer/operators/rule_function.h"
#include "rules/compile/library.h"

namespace dimwise {
namespace {

class RuleOfTraits {
 public:
  explicit RuleOfTraits(const OpDef& def) : def_(def), trait_(*def.traits.ShapeTrait()) {}

  // "set s\nop `Add`(`A`: T[...s0], `B`: T[...s1]) -> (`C`: T[...broadcast(s0, s1)])\n"
  std::string Text() {
    std::string operands, results;
    for (size_t i = 0; i < def_.inputs.size(); ++i) {
      const ArgDef& arg = def_.inputs[i];
      operands += fmt::format("{}{}: {}", i > 0 ? ", " : "", Name(arg), OperandPattern(arg, i));
    }
    for (const ArgDef& arg : def_.outputs)
      results += fmt::format("{}{}: {}{}", results.empty() ? "" : ", ", Name(arg), ResultElement(arg),
                             ResultShape());
    return fmt::format("set {}\nop `{}`({}{}) -> ({})\n", def_.set, def_.name, operands, attributes_,
                       results);
  }

 private:
  bool OneElementType() const {
    return trait_ == Trait::kElementwise || def_.traits.Has(Trait::kSameElementType);
  }

  std::string Name(const ArgDef& arg) {
    if (!arg.number_attr.empty()) Declare(arg.number_attr, "int");
    return fmt::format("`{}`{}", arg.name,
                       arg.optional                  ? "?"
                       : !arg.number_attr.empty()    ? fmt::format("{{`{}`}}", arg.number_attr)
                       : !arg.type_list_attr.empty() ? "*"
                       : !arg.variadic               ? ""
                       : arg.min_count == 0          ? "*"
                                                     : "+");
  }

  static bool IsRow(const ArgDef& arg) {
    return arg.variadic || !arg.number_attr.empty() || !arg.type_list_attr.empty();
  }

  std::string OperandPattern(const ArgDef& arg, size_t i) const {
    const std::string element = OneElementType()                    ? "T"
                                : arg.type != ElementType::kUnknown ? std::string(ToString(arg.type))
                                : !arg.type_attr.empty()            ? fmt::format("`{}`", arg.type_attr)
                                                                    : "_";
    switch (trait_) {
      case Trait::kElementwise:
      case Trait::kSameShape:
        return element + "[...s]";
      case Trait::kLikeFirst:
        if (i == 0) return element + "[...s]";
        break;
      case Trait::kBroadcast:
        return fmt::format("{}[...{}s{}]", element, IsRow(arg) ? "each " : "", i);
      default:
        break;
    }
    return element + "[*]";
  }

  std::string ResultElement(const ArgDef& arg) {
    if (OneElementType()) return "T";
    if (arg.type != ElementType::kUnknown) return std::string(ToString(arg.type));
    if (arg.type_attr.empty()) return "_";
    const bool of_operand =
        std::ranges::any_of(def_.inputs, [&](const ArgDef& a) { return a.type_attr == arg.type_attr; });
    if (!of_operand) Declare(arg.type_attr, "type");
    return fmt::format("`{}`", arg.type_attr);
  }

  std::string ResultShape() const {
    switch (trait_) {
      case Trait::kElementwise:
      case Trait::kSameShape:
      case Trait::kLikeFirst:
        return "[...s]";
      case Trait::kScalarResults:
        return "[]";
      case Trait::kBroadcast: {
        std::string all;
        for (size_t i = 0; i < def_.inputs.size(); ++i) {
          const ArgDef& arg = def_.inputs[i];
          all += fmt::format(", {}", IsRow(arg) ? fmt::format("broadcast(s{})", i)
                                     : arg.optional
                                         ? fmt::format("(if given(`{}`) then s{} else [])", arg.name, i)
                                         : fmt::format("s{}", i));
        }
        return fmt::format("[...broadcast([]{})]", all);
      }
      default:
        return "[*]";
    }
  }

  void Declare(const std::string& attribute, std::string_view kind) {
    const std::string declared = fmt::format("`{}`: {}", attribute, kind);
    if (attributes_.find(declared) != std::string::npos) return;
    const AttrDef* def = FindAttr(def_, attribute);
    attributes_ += fmt::format("{}{}", attributes_.empty() ? "; " : ", ", declared);
    if (def != nullptr && def->default_value)
      attributes_ += fmt::format(" = {}", ToString(*def->default_value));
  }

  const OpDef& def_;
  const Trait trait_;
  std::string attributes_;
};

}  // namespace

ShapeFn FunctionOfTraits(const OpDef& def) {
  if (!def.traits.ShapeTrait()) return nullptr;
  const auto library = std::make_shared<rules::RuleLibrary>();
  std::vector<Diagnostic> mistakes = library->Load(RuleOfTraits(def).Text(), "traits");
  if (!mistakes.empty()) {
    return [mistake = mistakes[0]](InferenceContext*) -> Status { return Unexpected(mistake); };
  }
  // The function keeps the library alive.
  return [library](InferenceContext* context) { return ApplyRule(library->rules()[0], context); };
}

}  // namespace dimwise
