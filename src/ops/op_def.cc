#include "dimwise/op_def.h"

#include <algorithm>
#include <array>

#include "core/base/hash_mix.h"
#include "fmt/format.h"

namespace dimwise {
namespace {

struct TraitName {
  Trait trait;
  std::string_view name;
  bool implies_shapes;
};
constexpr std::array kTraits = {
    TraitName{Trait::kElementwise, "elementwise", true},
    TraitName{Trait::kSameShape, "same-shape", true},
    TraitName{Trait::kBroadcast, "broadcast", true},
    TraitName{Trait::kLikeFirst, "like-first", true},
    TraitName{Trait::kScalarResults, "scalar-results", true},
    TraitName{Trait::kRuntimeResults, "runtime-results", true},
    TraitName{Trait::kSameElementType, "same-element-type", false},
};

bool ArgEqual(const ArgDef& a, const ArgDef& b) {
  ArgDef undocumented = a;
  undocumented.doc = b.doc;
  return undocumented == b;
}

uint64_t HashArg(const ArgDef& arg) {
  uint64_t hash = HashText(arg.name);
  for (const std::string* text : {&arg.type_attr, &arg.type_list_attr, &arg.number_attr}) {
    hash = HashMix(hash, HashText(*text));
  }
  hash = HashMix(hash, static_cast<uint64_t>(arg.type));
  for (const bool flag : {arg.any_type, arg.optional, arg.variadic, arg.homogeneous, arg.is_ref}) {
    hash = HashMix(hash, flag ? 1 : 0);
  }
  return HashMix(hash, HashNumber(arg.min_count));
}

std::string Joined(const auto& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + ToString(item);
  return text;
}

}  // namespace

std::optional<Trait> Traits::ShapeTrait() const {
  std::optional<Trait> found;
  for (const TraitName& entry : kTraits) {
    if (!entry.implies_shapes || !Has(entry.trait)) continue;
    if (found) return std::nullopt;
    found = entry.trait;
  }
  return found;
}

std::string_view ToString(Trait trait) {
  const auto entry = std::ranges::find(kTraits, trait, &TraitName::trait);
  return entry == kTraits.end() ? "unknown trait" : entry->name;
}

std::string OpDef::FullName() const { return set.empty() ? name : set + "." + name; }

bool OpDefEqual(const OpDef& a, const OpDef& b) {
  return a.set == b.set && a.name == b.name && a.since == b.since && a.until == b.until &&
         a.deprecated == b.deprecated && std::ranges::equal(a.inputs, b.inputs, ArgEqual) &&
         std::ranges::equal(a.outputs, b.outputs, ArgEqual) && AttrDefsEqual(a.attrs, b.attrs) &&
         a.traits == b.traits && a.stateful == b.stateful && a.commutative == b.commutative;
}

uint64_t HashOf(const OpDef& def) {
  uint64_t hash = HashMix(HashText(def.set), HashText(def.name));
  hash = HashMix(hash, HashNumber(int64_t{def.since}));
  hash = HashMix(hash, def.until ? HashNumber(int64_t{*def.until}) : 0);
  hash = HashMix(hash, HashText(def.deprecated));
  for (const auto* args : {&def.inputs, &def.outputs}) {
    hash = HashMix(hash, args->size());
    for (const ArgDef& arg : *args) hash = HashMix(hash, HashArg(arg));
  }
  hash = HashMix(hash, HashOf(def.attrs));
  return HashMix(hash,
                 def.traits.bits() | (def.stateful ? 1u << 16 : 0u) | (def.commutative ? 1u << 17 : 0u));
}

std::string ToString(const ArgDef& arg) {
  std::string text = arg.name;
  if (arg.optional) text += '?';
  if (arg.variadic) text += arg.min_count == 0 ? '*' : '+';
  text += ": ";
  if (!arg.homogeneous) text += "each ";
  std::string type(ToString(arg.type));
  if (!arg.type_attr.empty()) type = arg.type_attr;
  if (!arg.type_list_attr.empty()) type = arg.type_list_attr;
  if (arg.any_type) type = "any";
  if (!arg.number_attr.empty()) type = arg.number_attr + " * " + type;
  return text + (arg.is_ref ? fmt::format("Ref({})", type) : type);
}

std::string ToString(const OpDef& def) {
  return fmt::format("{}({}{}{}) -> ({})", def.FullName(), Joined(def.inputs), def.attrs.empty() ? "" : "; ",
                     Joined(def.attrs), Joined(def.outputs));
}

}  // namespace dimwise
