// Looks up operators, and suggests names for unknown operators.
#include "dimwise/op_registry.h"

#include <algorithm>

#include "core/base/nearest_name.h"
#include "fmt/format.h"
#include "ops/op_registry_state.h"

namespace dimwise {
namespace {

constexpr size_t kShownName = 80;

// Returns a name for a message, truncated if it is unusually long.
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

const OpRegistrationData* OpRegistry::State::Complete(size_t i) const {
  if (makers[i]) {
    std::call_once(made[i], [&] {
      OpRegistrationData whole = makers[i]();
      OpRegistrationData& entry = entries[i];
      OpDef& def = entry.def;  // other threads may read set, name, since and until
      def.doc = std::move(whole.def.doc);
      def.deprecated = std::move(whole.def.deprecated);
      def.inputs = std::move(whole.def.inputs);
      def.outputs = std::move(whole.def.outputs);
      def.attrs = std::move(whole.def.attrs);
      def.traits = whole.def.traits;
      def.stateful = whole.def.stateful;
      def.commutative = whole.def.commutative;
      def.properties = std::move(whole.def.properties);
      entry.rule = whole.rule;
      entry.shape_fn = std::move(whole.shape_fn);
    });
  }
  return &entries[i];
}

std::span<const OpRegistrationData> OpRegistry::State::Complete(Range range) const {
  for (size_t i = range.first; i < range.first + range.count; ++i) Complete(i);
  return std::span<const OpRegistrationData>(entries).subspan(range.first, range.count);
}

std::vector<const OpRegistrationData*> OpRegistry::State::Newest(
    FunctionRef<bool(const OpDef&)> wanted) const {
  std::vector<const OpRegistrationData*> newest;
  for (size_t i = 0; i < entries.size(); ++i) {
    const bool last = i + 1 == entries.size() || !SameOperator(entries[i].def, entries[i + 1].def);
    if (last && wanted(entries[i].def)) newest.push_back(Complete(i));
  }
  return newest;
}

std::span<const OpRegistrationData> OpRegistry::Versions(std::string_view full_name) const {
  const auto at = state_->by_name.find(full_name);
  return at == state_->by_name.end() ? std::span<const OpRegistrationData>() : state_->Complete(at->second);
}

const OpRegistrationData* OpRegistry::Find(std::string_view full_name, int version) const {
  const auto at = state_->by_name.find(full_name);
  if (at == state_->by_name.end()) return nullptr;
  const State::Range range = at->second;
  for (size_t i = range.first + range.count; i-- > range.first;) {
    const OpDef& def = state_->entries[i].def;
    if (def.since > version) continue;
    return version != kLatest && def.until && *def.until <= version ? nullptr : state_->Complete(i);
  }
  return nullptr;
}

Result<const OpRegistrationData*> OpRegistry::LookUp(std::string_view full_name, int version) const {
  if (const OpRegistrationData* found = Find(full_name, version)) return found;
  const auto versions = Versions(full_name);
  return Unexpected(versions.empty() ? state_->Unknown(full_name) : state_->WrongVersion(versions, version));
}

std::vector<const OpRegistrationData*> OpRegistry::List(std::string_view set) const {
  return state_->Newest([set](const OpDef& def) { return def.set == set; });
}

std::vector<const OpRegistrationData*> OpRegistry::List() const {
  return state_->Newest([](const OpDef&) { return true; });
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
    diagnostic.message = fmt::format("{} exists since version {} of {}; version {} is requested",
                                     diagnostic.op, first.since, first.set, version);
    return diagnostic;
  }
  // The last definition up to this version has been removed.
  const auto next =
      std::ranges::find_if(versions, [version](const auto& entry) { return entry.def.since > version; });
  const OpDef& gone = std::prev(next)->def;
  diagnostic.message = fmt::format("{} was removed in version {} of {}; version {} is requested",
                                   diagnostic.op, gone.until.value_or(version), gone.set, version);
  diagnostic.help = gone.deprecated;
  if (next != versions.end()) {
    diagnostic.notes.push_back(fmt::format("it exists again since version {}", next->def.since));
  }
  return diagnostic;
}

std::vector<std::string> OpRegistry::State::WithNearestName(std::string_view name) const {
  std::vector<std::string_view> all;
  for (const OpRegistrationData& entry : entries) all.push_back(entry.def.name);
  const std::string_view near = NearestName(name, all);
  std::vector<std::string> found;
  for (const std::string& full : names) {
    if (!near.empty() && entries[by_name.find(full)->second.first].def.name == near) found.push_back(full);
  }
  std::ranges::stable_sort(found, {}, &std::string::size);  // the shortest first
  return found;
}

// Searches for a similar name in the given set, and for the same name in other sets. If there is no such set,
// searches for the most similar full name.
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
  std::ranges::stable_sort(elsewhere, {}, &std::string::size);  // the shortest first

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
  } else if (const std::vector<std::string> similar = WithNearestName(name);
             set.empty() && !similar.empty()) {
    diagnostic.help = fmt::format("did you mean {}?", Listed(similar));
  } else if (const std::string_view nearest = NearestName(full_name, all);
             in_set.empty() && !nearest.empty()) {
    diagnostic.help = fmt::format("did you mean {}?", nearest);
  } else if (!set.empty() && !name.empty()) {
    diagnostic.help = "declare it in a rule file and load the file with `--rules FILE.shape`";
  }
  return diagnostic;
}

}  // namespace dimwise
