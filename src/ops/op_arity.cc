// Counts the operands and results of a node, and assigns them to arguments.
#include <algorithm>
#include <limits>

#include "dimwise/op_def.h"
#include "fmt/format.h"

namespace dimwise {
namespace {

constexpr size_t kAny = std::numeric_limits<size_t>::max();

size_t AddCounts(size_t a, size_t b) { return b > kAny - a ? kAny : a + b; }

// The number of tensors of an argument: between min and max. `missing` is the attribute that defines the
// number, if the node omits it.
struct Count {
  size_t min = 1;
  size_t max = 1;
  std::string_view missing;
};

// One side of an operator: its inputs or its outputs.
struct Signature {
  const OpDef& def;
  const std::vector<ArgDef>& args;
  std::string_view verb;  // "takes"
  std::string_view noun;  // "input"
};

Signature InputsOf(const OpDef& def) { return {def, def.inputs, "takes", "input"}; }
Signature OutputsOf(const OpDef& def) { return {def, def.outputs, "gives", "output"}; }

template <typename... Args>
Unexpected Error(const OpDef& def, Code code, fmt::format_string<Args...> format, Args&&... args) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.op = def.FullName();
  diagnostic.message = fmt::format(format, std::forward<Args>(args)...);
  return Unexpected(std::move(diagnostic));
}

// Returns the number in a number attribute, or the length of a list of types; nullopt for other kinds.
std::optional<int64_t> NumberIn(const AttrValue& value) {
  if (const int64_t* number = value.get_if<int64_t>()) return *number;
  if (const auto* types = value.get_if<AttrValue::Types>()) return static_cast<int64_t>(types->size());
  return std::nullopt;
}

Count Exactly(int64_t number) { return {static_cast<size_t>(number), static_cast<size_t>(number), {}}; }

Result<Count> CountFromAttr(const Signature& side, const std::string& name, const AttrMap* attrs) {
  const AttrDef* attr = FindAttr(side.def, name);
  if (attr == nullptr)
    return Error(side.def, Code::kBadDefinition, "{} has no attribute '{}'", side.def.FullName(), name);
  const AttrValue* value = attrs == nullptr ? nullptr : attrs->Find(name);
  if (value == nullptr || IsNothing(*value)) {
    return Count{static_cast<size_t>(std::max<int64_t>(attr->minimum.value_or(0), 0)), kAny, name};
  }
  // A value of the declared kind is read without a copy.
  const auto number = NumberIn(*value);
  if (number && *number >= std::max<int64_t>(attr->minimum.value_or(0), 0)) return Exactly(*number);
  Result<AttrValue> read = ReadAttr(*attr, *value);
  if (!read) {
    read.error().op = side.def.FullName();
    return std::move(read).TakeError();
  }
  return Exactly(std::max<int64_t>(NumberIn(*read).value_or(0), 0));
}

Result<Count> CountOf(const Signature& side, const ArgDef& arg, const AttrMap* attrs) {
  if (arg.optional) return Count{0, 1, {}};
  if (arg.variadic) return Count{static_cast<size_t>(std::max<int64_t>(arg.min_count, 0)), kAny, {}};
  if (!arg.number_attr.empty()) return CountFromAttr(side, arg.number_attr, attrs);
  if (!arg.type_list_attr.empty()) return CountFromAttr(side, arg.type_list_attr, attrs);
  return Count{};
}

Result<std::vector<Count>> CountsOf(const Signature& side, const AttrMap* attrs) {
  std::vector<Count> counts;
  counts.reserve(side.args.size());
  for (const ArgDef& arg : side.args) {
    Result<Count> count = CountOf(side, arg, attrs);
    if (!count) return std::move(count).TakeError();
    counts.push_back(*count);
  }
  return counts;
}

// Returns text such as "X, W, B?" or "axis, values[N]".
std::string ArgNames(const std::vector<ArgDef>& args) {
  std::string names;
  for (const ArgDef& arg : args) {
    if (!names.empty()) names += ", ";
    names += arg.name;
    if (arg.optional) names += '?';
    if (arg.variadic) names += arg.min_count == 0 ? '*' : '+';
    const std::string& number = arg.number_attr.empty() ? arg.type_list_attr : arg.number_attr;
    if (!number.empty()) names += '[' + number + ']';
  }
  return names;
}

Unexpected ArityError(const Signature& side, size_t min, size_t max, size_t given) {
  std::string count = fmt::format("{}", min);
  if (max == 0) {
    count = "no";
  } else if (max == kAny) {
    count = min == 0 ? "any number of" : fmt::format("{} or more", min);
  } else if (min != max) {
    count = fmt::format("{} to {}", min, max);
  }
  const std::string names = side.args.empty() ? "" : fmt::format(" ({})", ArgNames(side.args));
  return Error(side.def, Code::kArity, "{} {} {} {}{}{}; {} {} given", side.def.FullName(), side.verb, count,
               side.noun, max == 1 ? "" : "s", names, given == 0 ? "none" : fmt::format("{}", given),
               given < 2 ? "is" : "are");
}

// The minimum and maximum count of a side. Optional arguments before a required argument count as given,
// because operands are identified by position; optional arguments at the end may be omitted.
class Bounds {
 public:
  void Add(const ArgDef& arg, const Count& count) {
    places_ = AddCounts(places_, arg.optional ? 1 : count.min);
    if (count.min > 0) min_ = places_;
    max_ = AddCounts(max_, count.max);
  }
  Status Check(const Signature& side, size_t given) const {
    if (given >= min_ && given <= max_) return {};
    return ArityError(side, min_, max_, given);
  }

 private:
  size_t min_ = 0;
  size_t max_ = 0;
  size_t places_ = 0;
};

Status CheckCounts(const Signature& side, const std::vector<Count>& counts, size_t given) {
  Bounds bounds;
  for (size_t i = 0; i < counts.size(); ++i) bounds.Add(side.args[i], counts[i]);
  return bounds.Check(side, given);
}

// Called for each node, so it allocates nothing unless there is an error.
Status CheckSide(const Signature& side, size_t given, const AttrMap* attrs) {
  Bounds bounds;
  for (const ArgDef& arg : side.args) {
    Result<Count> count = CountOf(side, arg, attrs);
    if (!count) return std::move(count).TakeError();
    bounds.Add(arg, *count);
  }
  return bounds.Check(side, given);
}

// Sets missing attributes to their defaults. Used if the number of tensors is unknown, or if several
// attributes are missing.
void TakeDefaults(const Signature& side, std::vector<Count>* counts) {
  for (Count& count : *counts) {
    if (count.missing.empty()) continue;
    const AttrDef* attr = FindAttr(side.def, count.missing);
    if (!attr->default_value) continue;
    const auto value = ReadAttr(*attr, *attr->default_value);
    if (!value) continue;
    count = Exactly(std::max<int64_t>(NumberIn(*value).value_or(0), 0));
  }
}

std::vector<std::string_view> MissingIn(const std::vector<Count>& counts) {
  std::vector<std::string_view> missing;
  for (const Count& count : counts) {
    if (!count.missing.empty() && std::ranges::find(missing, count.missing) == missing.end()) {
      missing.push_back(count.missing);
    }
  }
  return missing;
}

// Distributes the remaining tensors among the open arguments: those of the only missing attribute, or the
// variadic argument.
Status ShareRest(const Signature& side, size_t given, std::vector<Count>* counts) {
  size_t taken = 0;
  size_t open = 0;
  const bool by_attr = !MissingIn(*counts).empty();
  for (const Count& count : *counts) {
    const bool is_open = by_attr ? !count.missing.empty() : count.max == kAny;
    open += is_open ? 1 : 0;
    if (!is_open) taken = AddCounts(taken, count.max == kAny ? count.min : count.max);
  }
  if (open == 0) return {};
  const size_t rest = given > taken ? given - taken : 0;
  if (rest % open != 0) {
    return Error(side.def, Code::kArity, "{} {} {}s ({}), as many for each {}; {} are given",
                 side.def.FullName(), side.verb, side.noun, ArgNames(side.args), MissingIn(*counts).front(),
                 given);
  }
  for (Count& count : *counts) {
    const bool is_open = by_attr ? !count.missing.empty() : count.max == kAny;
    if (is_open) count = Count{rest / open, rest / open, {}};
  }
  return {};
}

Result<NameRangeMap> RangesOf(const Signature& side, const AttrMap& attrs, std::optional<size_t> given) {
  auto counts = CountsOf(side, &attrs);
  if (!counts) return std::move(counts).TakeError();
  if (given) {
    if (Status status = CheckCounts(side, *counts, *given); !status) return std::move(status).TakeError();
  }
  if (!given || MissingIn(*counts).size() > 1) TakeDefaults(side, &*counts);
  const std::vector<std::string_view> missing = MissingIn(*counts);
  if (missing.size() > (given ? 1 : 0)) {
    return Error(side.def, Code::kMissingAttribute,
                 "{} needs attribute '{}' to assign its {}s to arguments ({})", side.def.FullName(),
                 missing.front(), side.noun, ArgNames(side.args));
  }
  if (given) {
    if (Status status = ShareRest(side, *given, &*counts); !status) return std::move(status).TakeError();
    // The defaults may contradict the number of tensors of the node.
    if (Status status = CheckCounts(side, *counts, *given); !status) return std::move(status).TakeError();
  }
  std::vector<NameRange> ranges;
  ranges.reserve(side.args.size());
  size_t at = 0;
  for (size_t i = 0; i < side.args.size(); ++i) {
    const Count& count = (*counts)[i];
    const size_t end =
        std::min(AddCounts(at, count.max == kAny ? count.min : count.max), given.value_or(kAny));
    ranges.push_back({side.args[i].name, at, end});
    at = end;
  }
  return NameRangeMap(std::move(ranges));
}

}  // namespace

const NameRange* NameRangeMap::Find(std::string_view name) const {
  const auto at = std::ranges::find(ranges_, name, &NameRange::name);
  return at == ranges_.end() ? nullptr : &*at;
}

Status CheckArity(const OpDef& def, size_t n_inputs, const AttrMap* attrs) {
  return CheckSide(InputsOf(def), n_inputs, attrs);
}

Status CheckResultCount(const OpDef& def, size_t n_outputs, const AttrMap* attrs) {
  return CheckSide(OutputsOf(def), n_outputs, attrs);
}

Result<NameRangeMap> InputRanges(const OpDef& def, const AttrMap& attrs, std::optional<size_t> n_inputs) {
  return RangesOf(InputsOf(def), attrs, n_inputs);
}

Result<NameRangeMap> OutputRanges(const OpDef& def, const AttrMap& attrs, std::optional<size_t> n_outputs) {
  return RangesOf(OutputsOf(def), attrs, n_outputs);
}

FlatRange FlatRangeOf(const std::vector<ArgDef>& args, ArgIndex index, size_t count) {
  const auto is_several = [](const ArgDef& a) {
    return a.variadic || !a.number_attr.empty() || !a.type_list_attr.empty();
  };
  const auto at = static_cast<size_t>(index);
  if (index < 0 || at >= args.size()) return {};
  const auto variadic = static_cast<size_t>(std::ranges::find_if(args, is_several) - args.begin());
  FlatRange range{at, at + 1};
  if (variadic < args.size()) {
    const size_t after = args.size() - variadic - 1;
    const size_t end = std::max(variadic, count - std::min(count, after));
    if (at == variadic) range.end = end;
    if (at > variadic) range = {end + at - variadic - 1, end + at - variadic};
  }
  return range.end <= count ? range : FlatRange();
}

}  // namespace dimwise
