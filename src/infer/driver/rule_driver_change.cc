// Changes samples a little, and hides parts of them from inference.
#include <fmt/format.h>

#include <algorithm>

#include "infer/driver/rule_driver_generate.h"

namespace dimwise {
namespace {

SampleOperand* AnyTensor(SampleRandom* random, Sample* sample) {
  std::vector<SampleOperand*> tensors;
  for (SampleOperand& o : sample->operands) {
    if (o.given && o.is_tensor()) tensors.push_back(&o);
  }
  return tensors.empty() ? nullptr : tensors[random->Below(tensors.size())];
}

// Replaces all occurrences of a number by another number, so that equal sizes stay equal.
void ReplaceNumber(SampleRandom* random, Sample* sample) {
  const SampleOperand* o = AnyTensor(random, sample);
  if (o == nullptr || o->sizes.empty()) return;
  const int64_t before = o->sizes[random->Below(o->sizes.size())].number;
  const auto after = static_cast<int64_t>(random->Below(6));
  for (SampleOperand& p : sample->operands) {
    for (std::vector<SampleNumber>* numbers : {&p.sizes, &p.integers}) {
      for (SampleNumber& n : *numbers) {
        if (n.number == before) n = {after, {}};
      }
    }
  }
}

void ChangeAttribute(SampleRandom* random, Sample* sample) {
  if (sample->attrs.empty()) return;
  const AttrEntry entry = sample->attrs.begin()[random->Below(sample->attrs.size())];
  const auto step = static_cast<int64_t>(random->Below(3)) - 1;
  if (const int64_t* n = entry.value.get_if<int64_t>(); n != nullptr && step != 0) {
    sample->attrs.Set(entry.name, *n + step);
  } else if (const auto* list = entry.value.get_if<AttrValue::Ints>();
             list != nullptr && !list->empty() && step != 0) {
    AttrValue::Ints changed = *list;
    changed[random->Below(changed.size())] += step;
    sample->attrs.Set(entry.name, changed);
  } else {
    sample->attrs.Erase(entry.name);
  }
}

void ChangeOperands(const OpDef& def, SampleRandom* random, Sample* sample) {
  std::vector<SampleOperand>& operands = sample->operands;
  if (operands.empty()) return;
  const size_t i = random->Below(operands.size());
  const ArgDef* arg = i < def.inputs.size() ? &def.inputs[i]
                      : def.inputs.empty()  ? nullptr
                                            : &def.inputs.back();
  if (arg == nullptr) return;
  if (arg->variadic) {
    if (operands.size() < 3 + def.inputs.size() && random->OneIn(2)) {
      const SampleOperand copy = operands[i];
      operands.insert(operands.begin() + static_cast<std::ptrdiff_t>(i), copy);
    } else if (operands.size() > 1) {
      operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(i));
    }
  } else if (arg->optional) {
    if (i + 1 == operands.size() && random->OneIn(2)) {
      operands.pop_back();
    } else {
      operands[i] = SampleOperand();
      operands[i].given = false;
    }
  }
}

void ChangeRank(SampleRandom* random, Sample* sample) {
  SampleOperand* one = AnyTensor(random, sample);
  if (one == nullptr) return;
  const bool all = random->OneIn(2), more = random->OneIn(2), at_front = random->OneIn(2);
  const SampleNumber size{static_cast<int64_t>(1 + random->Below(3)), {}};
  const size_t place = random->Below(one->sizes.size() + 1);
  for (SampleOperand& o : sample->operands) {
    if (!o.given || !o.is_tensor() || (!all && &o != one)) continue;
    const auto at = static_cast<std::ptrdiff_t>(std::min(at_front ? 0 : place, o.sizes.size()));
    if (more) {
      o.sizes.insert(o.sizes.begin() + at, size);
    } else if (at < static_cast<std::ptrdiff_t>(o.sizes.size())) {
      o.sizes.erase(o.sizes.begin() + at);
    }
  }
}

void ChangeContents(SampleRandom* random, Sample* sample) {
  SampleOperand* o = AnyTensor(random, sample);
  if (o == nullptr || o->integers.empty()) return;
  SampleNumber& n = o->integers[random->Below(o->integers.size())];
  const int64_t step = random->OneIn(2) ? 1 : -1;
  n = {random->OneIn(3) ? static_cast<int64_t>(random->Below(4)) : n.number + step, {}};
  if (o->element == ElementType::kBool) n.number &= 1;
}

// Gives names to numbers: either one for each occurrence, or one for all that are equal.
class Namer {
 public:
  Namer(SampleRandom* random, Sample* sample) : shared_(random->OneIn(2)), sample_(sample) {}

  std::string Name(int64_t number, bool is_size) {
    if (shared_ && number >= 0) {
      if (const auto it = names_.find(number); it != names_.end()) return it->second;
    }
    std::string name;
    do {
      name = fmt::format("{}{}", is_size ? "n" : "c", ++count_);
    } while (sample_->symbols.contains(name));
    sample_->symbols[name] = {number, is_size};
    if (is_size) names_.try_emplace(number, name);
    return name;
  }

 private:
  bool shared_;
  Sample* sample_;
  std::map<int64_t, std::string> names_;
  int count_ = 0;
};

}  // namespace

void Change(const OpDef& def, const std::vector<Sample>& others, SampleRandom* random, Sample* sample) {
  switch (random->Below(9)) {
    case 0:
    case 1:
      return ReplaceNumber(random, sample);
    case 2: {
      SampleOperand* o = AnyTensor(random, sample);
      if (o != nullptr && !o->sizes.empty())
        o->sizes[random->Below(o->sizes.size())] = {static_cast<int64_t>(random->Below(5)), {}};
      return;
    }
    case 3:
      return ChangeRank(random, sample);
    case 4:
      return ChangeOperands(def, random, sample);
    case 5:
      return ChangeContents(random, sample);
    case 6:
      return ChangeAttribute(random, sample);
    case 7:  // the maximum number of results
      if (!def.outputs.empty() && !def.outputs.back().variadic) {
        sample->results = static_cast<int>(def.outputs.size());
      } else if (!def.outputs.empty()) {
        sample->results = static_cast<int>(def.outputs.size() + random->Below(3));
      }
      return;
    default: {  // an operand of another example
      if (others.empty() || sample->operands.empty()) return;
      const Sample& other = others[random->Below(others.size())];
      const size_t i = random->Below(sample->operands.size());
      if (i >= other.operands.size() || !other.operands[i].is_tensor()) return;
      sample->operands[i] = other.operands[i];
      for (SampleNumber& n : sample->operands[i].sizes) {
        if (!n.text.empty()) n = {static_cast<int64_t>(random->Below(5)), {}};
      }
      for (SampleNumber& n : sample->operands[i].integers) {
        if (!n.text.empty()) n = {static_cast<int64_t>(random->Below(5)), {}};
      }
      return;
    }
  }
}

void Hide(SampleRandom* random, Sample* sample) {
  Namer namer(random, sample);
  const size_t kind = random->Below(6);
  const bool sizes = kind == 0 || kind == 1 || kind == 5, contents = kind != 2 && random->OneIn(2);
  const bool symbols = kind != 1;
  for (SampleOperand& o : sample->operands) {
    if (!o.given || !o.is_tensor()) continue;
    // Contents are given only if the sizes are.
    const bool keep_sizes = o.has_contents && !random->OneIn(4);
    for (SampleNumber& n : o.sizes) {
      if (!sizes || keep_sizes || random->OneIn(4)) continue;
      n.text = symbols || random->OneIn(2) ? namer.Name(n.number, true) : "?";
    }
    for (SampleNumber& n : o.integers) {
      if (!contents || random->OneIn(3)) continue;
      n.text = symbols && o.element != ElementType::kBool ? namer.Name(n.number, false) : "?";
    }
    if ((kind == 2 || kind == 5) && random->OneIn(2)) o.rank_visible = false;
    if ((kind == 3 || kind == 5) && random->OneIn(2)) o.contents_visible = false;
    if ((kind == 4 || kind == 5) && random->OneIn(2)) o.element_visible = false;
    if (kind == 0 && random->OneIn(2)) o.contents_visible = true;
  }
}

}  // namespace dimwise
