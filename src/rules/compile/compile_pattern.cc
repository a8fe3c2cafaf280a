// Compiles patterns: the names that they bind, and the expressions that they compute.
#include <fmt/format.h>

#include <algorithm>

#include "dimwise/result_macros.h"
#include "rules/compile/compiler.h"
#include "rules/language/type_names.h"

namespace dimwise::rules {
namespace {

// Collects all names in an expression.
void NamesIn(const Expr& e, std::vector<const Expr*>* names) {
  if (e.kind == ExprKind::kName) names->push_back(&e);
  for (const ExprPtr& c : e.children) {
    if (c != nullptr) NamesIn(*c, names);
  }
}

// Matches factor*name + offset, in any order, with integer constants.
bool AffineIn(const Expr& e, const std::string& name, int64_t* factor, int64_t* offset) {
  if (e.kind == ExprKind::kName) {
    *factor = e.text == name ? 1 : 0;
    *offset = 0;
    return e.text == name;
  }
  if (e.kind == ExprKind::kInteger) {
    *factor = 0;
    *offset = e.integer;
    return true;
  }
  if (e.kind != ExprKind::kBinary) return false;
  int64_t f1, o1, f2, o2;
  if (!AffineIn(*e.children[0], name, &f1, &o1) || !AffineIn(*e.children[1], name, &f2, &o2)) return false;
  if (e.text == "+" || e.text == "-") {
    const int64_t sign = e.text == "+" ? 1 : -1;
    *factor = f1 + sign * f2;
    *offset = o1 + sign * o2;
    return true;
  }
  if (e.text != "*" || (f1 != 0 && f2 != 0)) return false;
  *factor = f1 * o2 + f2 * o1;
  *offset = o1 * o2;
  return true;
}

}  // namespace

Status Compiler::DeclareName(Position at, const std::string& name, ExprType type, uint32_t optional_operand) {
  const auto it = names_.find(name);
  if (it == names_.end()) {
    names_[name] = Name{NameKind::kSlot, NewSlot(name, type), type, optional_operand, kNone};
    return {};
  }
  Name& known = it->second;
  if (known.kind != NameKind::kSlot || code_.slots[known.index].attribute != kNone)
    return {};  // an attribute or operand: used, not bound
  if (known.type != type) {
    return Fail(at, Code::kRuleType,
                fmt::format("'{}' is {} here and {} elsewhere", name, NameOf(type), NameOf(known.type)));
  }
  if (optional_operand != known.absent_with) known.absent_with = kNone;  // another operand binds it too
  return {};
}

// Returns whether the pattern is a variable for a whole type: a bare name that is no type and no class. In a
// declaration of element types only, it is not.
bool Compiler::IsWholeType(const TypePattern& p) const {
  return part_ != Part::kType && p.kind == PatternKind::kTensor && !p.has_shape && !p.each_element &&
         p.element != nullptr && p.element->kind == ExprKind::kName && !TypeSetNamed(p.element->text);
}

namespace {

// Parses a storage name of the rule language; ParseStorage also accepts MXNet's names.
std::optional<Storage> StorageNamed(std::string_view name) {
  const std::optional<Storage> storage = ParseStorage(name);
  return storage && storage->is_known() && ToString(*storage) == name ? storage : std::nullopt;
}

}  // namespace

Status Compiler::DeclareStorage(const TypePattern& pattern) {
  const std::string& name = pattern.storage;
  if (name.empty() || StorageNamed(name)) return {};
  const Name variable{NameKind::kStorageVariable, static_cast<uint32_t>(code_.storage_variables.size()),
                      ExprType::kType, kNone, kNone};
  const auto [it, inserted] = names_.emplace(name, variable);
  if (inserted) {
    code_.storage_variables.push_back({name, {}});
  } else if (it->second.kind != NameKind::kStorageVariable) {
    return Fail(pattern.storage_at, Code::kRuleName,
                fmt::format("'{}' is no storage: it has another meaning in this operator", name),
                "a storage is dense, row_sparse, csr, or a name of its own");
  }
  return {};
}

Status Compiler::CompileStorage(const TypePattern& pattern, Pattern* out) {
  if (pattern.storage.empty()) return {};
  if (const std::optional<Storage> storage = StorageNamed(pattern.storage)) {
    out->storage = *storage;
    return {};
  }
  const auto it = names_.find(pattern.storage);
  if (it == names_.end() || it->second.kind != NameKind::kStorageVariable) {
    Expr e;
    e.at = pattern.storage_at;
    e.text = pattern.storage;
    return UnknownName(e, "storage", {"dense", "row_sparse", "csr"});
  }
  out->storage_variable = it->second.index;
  return {};
}

// Compiles `S: dense | csr`.
Status Compiler::CompileStorages(const Statement& s, uint32_t variable) {
  for (size_t i = 0; i < s.words.size(); ++i) {
    const std::optional<Storage> storage = StorageNamed(s.words[i]);
    if (!storage) {
      Expr e;
      e.at = s.words_at[i];
      e.text = s.words[i];
      return UnknownName(e, "storage", {"dense", "row_sparse", "csr"});
    }
    code_.storage_variables[variable].allowed.push_back(*storage);
  }
  return {};
}

// Declares a variable for element types. If an attribute has this name, both are the same: the attribute may
// be absent, because the operands determine it.
void Compiler::DeclareTypeVariable(const std::string& name, bool each, bool whole) {
  TypeVariable v;
  v.name = name;
  v.whole = whole;
  if (const auto known = names_.find(name); known != names_.end()) {
    const SlotId slot = known->second.index;
    v.attribute = code_.slots[slot].attribute;
    code_.attributes[v.attribute].optional = true;
    code_.types_are_attributes = true;
    if (each) v.each_slot = slot;
  } else if (each) {
    v.each_slot = NewSlot(name, ExprType::kTypes);
  }
  names_[name] = Name{NameKind::kTypeVariable, static_cast<uint32_t>(code_.type_variables.size()),
                      ExprType::kType, kNone, kNone};
  code_.type_variables.push_back(std::move(v));
}

Status Compiler::DeclareItems(const TypePattern& pattern, const std::set<std::string, std::less<>>& taken,
                              uint32_t optional_operand, bool variadic) {
  if (pattern.element != nullptr && pattern.element->kind == ExprKind::kName) {
    const std::string& name = pattern.element->text;
    const ExprType type = pattern.each_element ? ExprType::kTypes : ExprType::kType;
    const auto known = names_.find(name);
    const bool is_attribute = known != names_.end() && known->second.kind == NameKind::kSlot &&
                              known->second.type == type &&
                              code_.slots[known->second.index].attribute != kNone;
    if (is_attribute || (!taken.contains(name) && known == names_.end() && !TypeSetNamed(name)))
      DeclareTypeVariable(name, pattern.each_element, IsWholeType(pattern));
  }
  if (pattern.key != nullptr && pattern.key->kind == ExprKind::kName && !names_.contains(pattern.key->text) &&
      !TypeSetNamed(pattern.key->text)) {
    names_[pattern.key->text] =
        Name{NameKind::kTypeVariable, static_cast<uint32_t>(code_.type_variables.size()), ExprType::kType,
             kNone, kNone};
    code_.type_variables.push_back({pattern.key->text, 0, kNone});
  }
  if (pattern.length != nullptr && pattern.length->kind == ExprKind::kName &&
      !taken.contains(pattern.length->text)) {
    DIMWISE_RETURN_IF_ERROR(DeclareName(pattern.at, pattern.length->text, ExprType::kInt, optional_operand));
  }
  DIMWISE_RETURN_IF_ERROR(DeclareStorage(pattern));
  for (const ShapeItem& item : pattern.shape) {
    if (item.each && !variadic)
      return Fail(item.at, Code::kRuleType, "'each' is allowed only in a variadic operand",
                  "write name+ or name* for the operand");
    if (item.expr == nullptr) continue;
    if (item.kind == ItemKind::kList) {
      if (item.expr->kind == ExprKind::kName && !taken.contains(item.expr->text)) {
        DIMWISE_RETURN_IF_ERROR(DeclareName(
            item.at, item.expr->text, item.each ? ExprType::kLists : ExprType::kInts, optional_operand));
      }
      continue;
    }
    std::vector<const Expr*> names;
    NamesIn(*item.expr, &names);
    std::vector<std::string> fresh;
    for (const Expr* n : names) {
      if (!taken.contains(n->text) && !names_.contains(n->text) &&
          std::ranges::find(fresh, n->text) == fresh.end())
        fresh.push_back(n->text);
    }
    if (fresh.size() > 1)
      return Fail(item.at, Code::kRuleName,
                  fmt::format("a size binds one new name; '{}' and '{}' are both new", fresh[0], fresh[1]));
    if (item.expr->kind == ExprKind::kName && !taken.contains(item.expr->text)) {
      DIMWISE_RETURN_IF_ERROR(DeclareName(item.at, item.expr->text,
                                          item.each ? ExprType::kInts : ExprType::kInt, optional_operand));
    } else if (fresh.size() == 1) {
      int64_t factor, offset;
      if (!AffineIn(*item.expr, fresh[0], &factor, &offset) || factor <= 0) {
        return Fail(item.at, Code::kRuleName, fmt::format("'{}' cannot be computed from this size", fresh[0]),
                    "a size that binds a name is the name, or like 4*h or 2*p + 1");
      }
      DIMWISE_RETURN_IF_ERROR(DeclareName(item.at, fresh[0], ExprType::kInt, optional_operand));
    }
  }
  for (const TypePattern& inside : pattern.inside)
    DIMWISE_RETURN_IF_ERROR(DeclareItems(inside, taken, optional_operand, variadic));
  return {};
}

Status Compiler::DeclarePatternNames(const Operator& op) {
  // `let` statements are compiled later, but patterns must not bind their names.
  std::set<std::string, std::less<>> taken;
  for (const Statement* s : statements_) {
    if (s->kind == StatementKind::kLet) taken.insert(s->name);
  }
  for (const Signature& s : op.signatures) {
    for (uint32_t i = 0; i < s.operands.size(); ++i) {
      const Argument& a = s.operands[i];
      const bool variadic = a.arity == Arity::kOneOrMore || a.arity == Arity::kAnyNumber;
      DIMWISE_RETURN_IF_ERROR(
          DeclareItems(a.pattern, taken, a.arity == Arity::kOptional ? i : kNone, variadic));
    }
    DIMWISE_RETURN_IF_ERROR(DeclareRegions(op, taken));
    // A type variable of a result must also occur in an operand or attribute, or it stays unknown.
    for (const Argument& a : s.results) {
      const TypePattern* p = &a.pattern;
      while (!p->inside.empty() && p->element == nullptr) p = &p->inside[0];
      if (p->element != nullptr && p->element->kind == ExprKind::kName &&
          !names_.contains(p->element->text) && !taken.contains(p->element->text) &&
          !TypeSetNamed(p->element->text)) {
        names_[p->element->text] =
            Name{NameKind::kTypeVariable, static_cast<uint32_t>(code_.type_variables.size()), ExprType::kType,
                 kNone, kNone};
        code_.type_variables.push_back({p->element->text, 0, kNone});
      }
    }
  }
  return {};
}

Result<CompiledSignature> Compiler::CompileSignature(const Signature& s) {
  CompiledSignature out;
  const auto compile = [&](const Argument& a, bool result) -> Result<CompiledArgument> {
    const bool variadic = a.arity == Arity::kOneOrMore || a.arity == Arity::kAnyNumber;
    CompiledArgument c;
    c.name = a.name;
    c.arity = a.arity;
    DIMWISE_ASSIGN_OR_RETURN(c.count, CompileCount(a));
    if (!result && c.count != kNone)
      code_.attributes[code_.slots[code_.nodes[c.count].a].attribute].optional = true;
    const size_t before = given_.size();
    if (!result && a.arity == Arity::kOptional)
      given_.push_back(a.name);  // inside its own pattern it is given
    Result<Pattern> p = CompilePattern(a.pattern, result, variadic);
    given_.resize(before);
    if (!p) return std::move(p).TakeError();
    c.pattern = std::move(*p);
    return c;
  };
  for (const Argument& a : s.operands) {
    DIMWISE_ASSIGN_OR_RETURN(CompiledArgument c, compile(a, false));
    out.operands.push_back(std::move(c));
  }
  for (const Argument& a : s.results) {
    DIMWISE_ASSIGN_OR_RETURN(CompiledArgument c, compile(a, true));
    out.results.push_back(std::move(c));
  }
  if (s.when != nullptr) {
    DIMWISE_ASSIGN_OR_RETURN(out.when, ExpressionOf(*s.when, ExprType::kBool));
  }
  return out;
}

// Compiles x{N}: N is known before any operand is matched.
// Compiles the attribute that defines the number of an argument: an integer, or a list of types. It may be
// absent, because the operands determine it.
Result<NodeId> Compiler::CompileCount(const Argument& a) {
  if (a.count.empty()) return kNone;
  const auto it = names_.find(a.count);
  SlotId slot = kNone;
  if (it != names_.end() && it->second.kind == NameKind::kSlot) slot = it->second.index;
  if (it != names_.end() && it->second.kind == NameKind::kTypeVariable)
    slot = code_.type_variables[it->second.index].each_slot;
  const bool is_count =
      slot != kNone && code_.slots[slot].attribute != kNone &&
      (code_.slots[slot].type == ExprType::kInt || code_.slots[slot].type == ExprType::kTypes);
  if (!is_count || it->second.attribute != kNone) {
    return Fail(a.count_at, Code::kRuleName,
                fmt::format("'{}' is no attribute that defines the number of '{}'", a.count, a.name),
                fmt::format("for example: ({}{{N}}: T[...s]; N: int in 0..)", a.name));
  }
  Node n;
  n.op = Op::kSlot;
  n.a = slot;
  n.type = code_.slots[slot].type;
  return Add(n);
}

Status Compiler::CompileElement(const TypePattern& pattern, bool result, Pattern* out) {
  out->each_element = pattern.each_element;
  if (pattern.element == nullptr) return {};
  const Expr& e = *pattern.element;
  if (e.kind == ExprKind::kName) {
    if (const auto it = names_.find(e.text);
        it != names_.end() && it->second.kind == NameKind::kTypeVariable) {
      out->type_variable = it->second.index;
      return {};
    }
    if (!names_.contains(e.text)) {
      if (const std::optional<ElementType> t = TypeNamed(e.text)) {
        out->fixed = *t;
        return {};
      }
      if (const std::optional<ElementTypeSet> set = TypeSetNamed(e.text); set && !result) {
        out->allowed = set->bits();
        return {};
      }
    }
  }
  if (pattern.each_element) {
    DIMWISE_ASSIGN_OR_RETURN(out->element, ExpressionOf(e, ExprType::kTypes));
    return {};
  }
  DIMWISE_ASSIGN_OR_RETURN(out->element, ExpressionOf(e, ExprType::kType));
  return {};
}

Result<Pattern> Compiler::CompilePattern(const TypePattern& pattern, bool result, bool variadic) {
  Pattern out;
  out.kind = pattern.kind;
  out.has_shape = pattern.has_shape;
  out.unknown_shape = pattern.unknown_shape;
  if (IsWholeType(pattern)) {
    const auto it = names_.find(pattern.element->text);
    if (it != names_.end() && it->second.kind == NameKind::kTypeVariable &&
        code_.type_variables[it->second.index].whole) {
      out.kind = PatternKind::kAnything;
      out.whole = it->second.index;
      return out;
    }
  }
  if (pattern.length != nullptr && result) {
    DIMWISE_ASSIGN_OR_RETURN(out.length, ExpressionOf(*pattern.length, ExprType::kInt));
  } else if (pattern.length != nullptr) {
    const auto it =
        pattern.length->kind == ExprKind::kName ? names_.find(pattern.length->text) : names_.end();
    if (it == names_.end() || it->second.kind != NameKind::kSlot ||
        code_.slots[it->second.index].code != kNone) {
      return Fail(pattern.length->at, Code::kRuleName, "the length of an operand is a new name",
                  "for example: seq(T[...s], length=n)");
    }
    out.length_binds = it->second.index;
  }
  DIMWISE_RETURN_IF_ERROR(CompileElement(pattern, result, &out));
  DIMWISE_RETURN_IF_ERROR(CompileStorage(pattern, &out));
  if (pattern.key != nullptr && pattern.key->kind == ExprKind::kName) {
    if (const auto it = names_.find(pattern.key->text);
        it != names_.end() && it->second.kind == NameKind::kTypeVariable) {
      out.key_variable = it->second.index;
    } else if (const std::optional<ElementType> t = TypeNamed(pattern.key->text)) {
      out.key = *t;
    }
  }
  int open_lists = 0;
  for (const ShapeItem& item : pattern.shape) {
    DIMWISE_ASSIGN_OR_RETURN(Item compiled, CompileItem(item, result, variadic));
    if (!result && compiled.kind == ItemKind::kList && compiled.length == kNone && compiled.expr == kNone &&
        ++open_lists > 1) {
      return Fail(item.at, Code::kRuleSyntax, "a pattern with two lists needs the length of one of them",
                  "write ...name{length}");
    }
    (compiled.kind == ItemKind::kList ? out.list_items : out.size_items) += 1;
    out.items.push_back(compiled);
  }
  for (const TypePattern& inside : pattern.inside) {
    DIMWISE_ASSIGN_OR_RETURN(Pattern p, CompilePattern(inside, result, variadic));
    out.inside.push_back(std::move(p));
  }
  return out;
}

Result<Item> Compiler::CompileItem(const ShapeItem& item, bool result, bool) {
  Item out;
  out.kind = item.kind;
  out.each = item.each;
  if (item.length != nullptr) {
    DIMWISE_ASSIGN_OR_RETURN(out.length, ExpressionOf(*item.length, ExprType::kInt));
  }
  if (item.expr == nullptr) {
    if (result && item.kind == ItemKind::kList)
      return Fail(item.at, Code::kRuleSyntax, "a result must define its sizes",
                  "write T[*] for an unknown shape");
    return out;
  }
  const bool list = item.kind == ItemKind::kList;
  const ExprType type = list        ? (item.each ? ExprType::kLists : ExprType::kInts)
                        : item.each ? ExprType::kInts
                                    : ExprType::kInt;
  if (!result) {
    // A name of a slot without code is bound here; any other expression is computed and compared.
    std::vector<const Expr*> names;
    NamesIn(*item.expr, &names);
    for (const Expr* n : names) {
      const auto it = names_.find(n->text);
      if (it == names_.end() || it->second.kind != NameKind::kSlot) continue;
      const Slot& slot = code_.slots[it->second.index];
      if (slot.code != kNone || slot.attribute != kNone) continue;
      if (item.expr->kind == ExprKind::kName) {
        out.binds = it->second.index;
        return out;
      }
      if (!list && AffineIn(*item.expr, n->text, &out.factor, &out.offset) && out.factor > 0) {
        out.binds = it->second.index;
        return out;
      }
      out.factor = 1;
      out.offset = 0;
    }
  }
  DIMWISE_ASSIGN_OR_RETURN(out.expr, ExpressionOf(*item.expr, type));
  return out;
}

}  // namespace dimwise::rules
