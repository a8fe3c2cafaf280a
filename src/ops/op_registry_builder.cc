// Builds registries. Each added definition is checked by itself and for duplicates; overlapping versions are
// found at the end.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "dimwise/op_registry.h"
#include "fmt/format.h"
#include "ops/op_registry_state.h"

namespace dimwise {
namespace {

using Key = std::tuple<std::string, std::string, int>;

Key KeyOf(const OpDef& def) { return {def.set, def.name, def.since}; }

std::string NameAndVersion(const OpDef& def) {
  return fmt::format("{} since version {}", def.FullName(), def.since);
}

Diagnostic Finding(const OpDef& def, Code code, std::string message) {
  Diagnostic finding;
  finding.code = code;
  finding.op = def.FullName();
  finding.message = std::move(message);
  return finding;
}

Diagnostic Duplicate(const OpDef& first, const OpDef& second) {
  const bool same = OpDefEqual(first, second);
  Diagnostic finding =
      Finding(second, Code::kDuplicateDefinition,
              fmt::format("{} is defined twice{}", NameAndVersion(second), same ? ", identically" : ""));
  finding.sides = {{"first", ToString(first), first.doc}, {"second", ToString(second), second.doc}};
  return finding;
}

}  // namespace

struct OpRegistryBuilder::State {
  struct Entry {
    OpRegistrationData data;
    LazyRegistration make;  // empty if `data` is complete
  };
  TraitShapeFn from_traits;
  std::map<Key, Entry> entries;  // in the order of a registry
  std::vector<Diagnostic> findings;
  std::vector<std::string> overridden;

  bool Complete(const OpDef& def, ShapeFn* fn) {
    if (*fn || def.outputs.empty()) return true;
    if (!def.traits.ShapeTrait()) {
      findings.push_back(
          Finding(def, Code::kBadDefinition,
                  fmt::format("{}: its results are undefined; it needs a shape function or a trait",
                              def.FullName())));
      return false;
    }
    if (from_traits) *fn = from_traits(def);
    return true;
  }

  // Adds a definition without errors of its own.
  void Add(OpDef def, ShapeFn fn) {
    if (Complete(def, &fn)) Put({{std::move(def), std::move(fn)}, nullptr});
  }

  void Put(Entry entry) {
    const auto [at, is_new] = entries.try_emplace(KeyOf(entry.data.def));
    if (is_new) {
      at->second = std::move(entry);
    } else {
      findings.push_back(Duplicate(at->second.data.def, entry.data.def));
    }
  }

  // Returns an error for each definition that is valid beyond the start of the next one.
  std::vector<Diagnostic> Overlaps() const {
    std::vector<Diagnostic> found;
    const OpDef* before = nullptr;
    for (const auto& [key, entry] : entries) {
      const OpDef& def = entry.data.def;
      if (before != nullptr && SameOperator(*before, def) && before->until && *before->until > def.since) {
        found.push_back(Finding(def, Code::kBadDefinition,
                                fmt::format("{} is valid until version {}, but version {} redefines it",
                                            NameAndVersion(*before), *before->until, def.since)));
      }
      before = &def;
    }
    return found;
  }
};

OpRegistryBuilder::OpRegistryBuilder(TraitShapeFn from_traits) : state_(std::make_unique<State>()) {
  state_->from_traits = std::move(from_traits);
}
OpRegistryBuilder::~OpRegistryBuilder() = default;
OpRegistryBuilder::OpRegistryBuilder(OpRegistryBuilder&&) noexcept = default;
OpRegistryBuilder& OpRegistryBuilder::operator=(OpRegistryBuilder&&) noexcept = default;

OpRegistryBuilder& OpRegistryBuilder::Register(OpDef def, ShapeFn fn) {
  std::vector<Diagnostic> lint = LintOpDef(def);
  if (lint.empty()) {
    state_->Add(std::move(def), std::move(fn));
  } else {
    std::ranges::move(lint, std::back_inserter(state_->findings));
  }
  return *this;
}

OpRegistryBuilder& OpRegistryBuilder::Register(const OpDefBuilder& builder, ShapeFn fn) {
  std::vector<Diagnostic> findings;
  OpDef def = builder.Finish(&findings);
  if (findings.empty()) {
    state_->Add(std::move(def), std::move(fn));
  } else {
    std::ranges::move(findings, std::back_inserter(state_->findings));
  }
  return *this;
}

OpRegistryBuilder& OpRegistryBuilder::RegisterLazily(OpDef header, LazyRegistration make) {
  state_->Put({{std::move(header), nullptr}, std::move(make)});
  return *this;
}

OpRegistryBuilder& OpRegistryBuilder::Override(OpDef def, ShapeFn fn, const rules::Rule* rule) {
  const size_t findings = state_->findings.size();
  std::string name = NameAndVersion(def);
  auto old = state_->entries.extract(KeyOf(def));
  const Key key = KeyOf(def);
  Register(std::move(def), std::move(fn));
  if (const auto at = state_->entries.find(key); at != state_->entries.end()) at->second.data.rule = rule;
  if (old.empty()) return *this;
  if (state_->findings.size() > findings) {
    state_->entries.insert(std::move(old));
  } else {
    state_->overridden.push_back(std::move(name));
  }
  return *this;
}

OpRegistryBuilder& OpRegistryBuilder::Include(const OpRegistry& other) {
  const OpRegistry::State& from = *other.state_;
  for (size_t i = 0; i < from.entries.size(); ++i) {
    const OpDef& def = from.entries[i].def;
    if (!from.makers[i]) {
      state_->Add(def, from.entries[i].shape_fn);
      continue;
    }
    OpDef header;
    header.set = def.set;
    header.name = def.name;
    header.since = def.since;
    header.until = def.until;
    RegisterLazily(std::move(header), from.makers[i]);
  }
  return *this;
}

const std::vector<Diagnostic>& OpRegistryBuilder::findings() const { return state_->findings; }
const std::vector<std::string>& OpRegistryBuilder::overridden() const { return state_->overridden; }

std::vector<Diagnostic> OpRegistryBuilder::Lint() const {
  std::vector<Diagnostic> all = state_->findings;
  std::ranges::move(state_->Overlaps(), std::back_inserter(all));
  return all;
}

Result<OpRegistry> OpRegistryBuilder::Build() const& { return BuildFrom(std::as_const(state_->entries)); }

Result<OpRegistry> OpRegistryBuilder::Build() && { return BuildFrom(state_->entries); }

// Moves the entries out of a mutable map, and copies them out of a const map.
template <typename Entries>
Result<OpRegistry> OpRegistryBuilder::BuildFrom(Entries& entries) const {
  std::vector<Diagnostic> wrong = Lint();
  if (!wrong.empty()) {
    Diagnostic& first = wrong.front();
    for (size_t i = 1; i < wrong.size(); ++i) first.notes.push_back("also wrong: " + wrong[i].message);
    return Unexpected(std::move(first));
  }
  auto state = std::make_shared<OpRegistry::State>();
  state->entries.reserve(entries.size());
  state->makers.reserve(entries.size());
  for (auto& [key, entry] : entries) {
    const bool same = !state->entries.empty() && SameOperator(state->entries.back().def, entry.data.def);
    if (!same) state->names.push_back(entry.data.def.FullName());
    state->entries.push_back(std::move(entry.data));
    state->makers.push_back(std::move(entry.make));
  }
  state->made = std::make_unique<std::once_flag[]>(state->entries.size());
  // From here on the names are not moved, so views of them stay valid.
  size_t name = 0;
  for (size_t i = 0; i < state->entries.size(); ++i) {
    const bool same = i > 0 && SameOperator(state->entries[i - 1].def, state->entries[i].def);
    if (i > 0 && !same) ++name;
    auto& range = state->by_name[state->names[name]];
    if (!same) range.first = static_cast<uint32_t>(i);
    ++range.count;
  }
  return OpRegistry(std::shared_ptr<const OpRegistry::State>(std::move(state)));
}

}  // namespace dimwise
