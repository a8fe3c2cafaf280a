// Looking operators up, and saying what was meant where there is none.
#include "dimwise/op_registry.h"

#include <algorithm>

#include "core/nearest_name.h"
#include "fmt/format.h"
#include "ops/op_registry_state.h"

namespace dimwise {
namespace {

constexpr size_t kShownName = 80;

// A name as a message shows it: whole, unless it is none that anybody would write.
std::string Shown(std::string_view name) {
  return name.size() <= kShownName ? std::string(name) : std::string(name.substr(0, kShownName)) + "...";
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return text;
}

}  // namespace

OpRegistry::OpRegistry() : OpRegistry(std::make_shared<const State>()) {}
OpRegistry::OpRegistry(std::shared_ptr<const State> state) : state_(std::move(state)) {}

std::span<const OpRegistrationData> OpRegistry::Versions(std::string_view full_name) const {
  const auto at = state_->by_name.find(full_name);
  if (at == state_->by_name.end()) return {};
  return std::span(state_->entries).subspan(at->second.first, at->second.count);
}

const OpRegistrationData* OpRegistry::Find(std::string_view full_name, int version) const {
  const std::span<const OpRegistrationData> versions = Versions(full_name);
  for (size_t i = versions.size(); i-- > 0;) {
    const OpDef& def = versions[i].def;
    if (def.since > version) continue;
    return version != kLatest && def.until && *def.until <= version ? nullptr : &versions[i];
  }
  return nullptr;
}

Result<const OpRegistrationData*> OpRegistry::LookUp(std::string_view full_name, int version) const {
  if (const OpRegistrationData* found = Find(full_name, version)) return found;
  const auto versions = Versions(full_name);
  return Unexpected(versions.empty() ? state_->Unknown(full_name) : state_->WrongVersion(versions, version));
}

std::vector<const OpRegistrationData*> OpRegistry::List(std::string_view set) const {
  std::vector<const OpRegistrationData*> newest = List();
  std::erase_if(newest, [set](const OpRegistrationData* entry) { return entry->def.set != set; });
  return newest;
}

std::vector<const OpRegistrationData*> OpRegistry::List() const {
  std::vector<const OpRegistrationData*> newest;
  const auto& entries = state_->entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    const bool last = i + 1 == entries.size() || !SameOperator(entries[i].def, entries[i + 1].def);
    if (last) newest.push_back(&entries[i]);
  }
  return newest;
}

std::vector<std::string_view> OpRegistry::sets() const {
  std::vector<std::string_view> sets;
  for (const OpRegistrationData& entry : state_->entries) {
    if (sets.empty() || sets.back() != entry.def.set) sets.push_back(entry.def.set);
  }
  return sets;
}

size_t OpRegistry::size() const { return state_->entries.size(); }

Diagnostic OpRegistry::State::WrongVersion(std::span<const OpRegistrationData> versions, int version) const {
  const OpDef& first = versions.front().def;
  Diagnostic diagnostic;
  diagnostic.code = Code::kNoSuchVersion;
  diagnostic.op = first.FullName();
  if (version < first.since) {
    diagnostic.message = fmt::format("{} is there since version {} of {}; version {} is asked for",
                                     diagnostic.op, first.since, first.set, version);
    return diagnostic;
  }
  // The last definition that is not too new is gone already.
  const auto next =
      std::ranges::find_if(versions, [version](const auto& entry) { return entry.def.since > version; });
  const OpDef& gone = std::prev(next)->def;
  diagnostic.message = fmt::format("{} is gone since version {} of {}; version {} is asked for",
                                   diagnostic.op, gone.until.value_or(version), gone.set, version);
  diagnostic.help = gone.deprecated;
  if (next != versions.end()) {
    diagnostic.notes.push_back(fmt::format("it is there again since version {}", next->def.since));
  }
  return diagnostic;
}

// Looks for a near name in the set that was named, and for the very name in the others; where there is no
// such set, for the nearest full name.
Diagnostic OpRegistry::State::Unknown(std::string_view full_name) const {
  const size_t dot = full_name.rfind('.');
  const std::string_view set = dot == std::string_view::npos ? "" : full_name.substr(0, dot);
  const std::string_view name = dot == std::string_view::npos ? full_name : full_name.substr(dot + 1);

  std::vector<std::string_view> in_set;
  std::vector<std::string_view> all;
  std::vector<std::string> elsewhere;
  for (size_t i = 0; i < names.size(); ++i) {
    const OpDef& def = entries[by_name.find(names[i])->second.first].def;
    all.push_back(names[i]);
    if (def.set == set) in_set.push_back(def.name);
    if (def.set != set && def.name == name) elsewhere.push_back(names[i]);
  }

  Diagnostic diagnostic;
  diagnostic.code = Code::kUnknownOperator;
  diagnostic.message =
      fmt::format("there is no operator {}", full_name.empty() ? "without a name" : Shown(full_name));
  if (set.empty()) {
    diagnostic.message += "; an operator is named with its set, as onnx.Relu";
  } else if (in_set.empty()) {
    diagnostic.message += fmt::format(", nor a set {}", Shown(set));
  }
  if (const std::string_view near = NearestName(name, in_set); !near.empty()) {
    diagnostic.help = fmt::format("did you mean {}.{}?", set, near);
    if (!elsewhere.empty()) diagnostic.notes.push_back(fmt::format("{} is another one", Listed(elsewhere)));
  } else if (!elsewhere.empty()) {
    diagnostic.help = fmt::format("did you mean {}?", Listed(elsewhere));
  } else if (const std::string_view nearest = NearestName(full_name, all);
             in_set.empty() && !nearest.empty()) {
    diagnostic.help = fmt::format("did you mean {}?", nearest);
  }
  return diagnostic;
}

}  // namespace dimwise
