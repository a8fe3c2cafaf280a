// Shrinks a sample that shows a disagreement, one step at a time, while the kind of disagreement stays the
// same.
#include <algorithm>
#include <functional>

#include "infer/driver/rule_driver.h"
#include "infer/driver/rule_driver_generate.h"

namespace dimwise {
namespace {

constexpr int kMaxTries = 600;

class Shrinker {
 public:
  Shrinker(const rules::Rule& rule, const OpDef& def, DriverFailure failure)
      : rule_(rule), def_(def), best_(std::move(failure)) {}

  DriverFailure Run() {
    for (bool smaller = true; smaller && tries_ < kMaxTries;) {
      smaller = DropOperands() || DropAttributes() || TellMore() || DropAxes() || LowerNumbers();
    }
    return std::move(best_);
  }

 private:
  // Applies a change and keeps it if the sample still disagrees.
  bool Try(const std::function<void(Sample*)>& change) {
    if (tries_ >= kMaxTries) return false;
    Sample sample = best_.sample;
    change(&sample);
    if (!Renumber(&sample) || sample == best_.sample) return false;
    for (const SampleOperand& o : sample.operands) {
      if (!o.has_contents) continue;
      size_t count = 1;
      for (const SampleNumber& n : o.sizes) count *= static_cast<size_t>(n.number);
      if (count != std::max(o.integers.size(), o.floats.size())) return false;
    }
    ++tries_;
    Comparison c = Compare(rule_, def_, sample);
    if (!c.disagreement || c.disagreement->kind != best_.disagreement.kind) return false;
    best_ = {std::move(sample), *std::move(c.disagreement)};
    return true;
  }

  bool DropOperands() {
    bool any = false;
    for (size_t i = best_.sample.operands.size(); i-- > 0;) {
      const bool dropped =
          Try([&](Sample* s) { s->operands.erase(s->operands.begin() + static_cast<std::ptrdiff_t>(i)); }) ||
          Try([&](Sample* s) {
            s->operands[i] = SampleOperand();
            s->operands[i].given = false;
          });
      any = any || dropped;
    }
    return any | Try([](Sample* s) { s->results = 1; });
  }

  bool DropAttributes() {
    bool any = false;
    for (size_t i = best_.sample.attrs.size(); i-- > 0;) {
      const std::string name = best_.sample.attrs.begin()[i].name;
      any = Try([&](Sample* s) { s->attrs.Erase(name); }) || any;
    }
    return any;
  }

  bool TellMore() {
    bool any = false;
    for (size_t i = 0; i < best_.sample.operands.size(); ++i) {
      const auto operand = [i](Sample* s) -> SampleOperand& { return s->operands[i]; };
      any = Try([&](Sample* s) { operand(s).element_visible = true; }) || any;
      any = Try([&](Sample* s) { operand(s).rank_visible = true; }) || any;
      any = Try([&](Sample* s) { operand(s).contents_visible = true; }) || any;
      any = Try([&](Sample* s) {
              operand(s).has_contents = false;
              operand(s).contents_visible = true;
              operand(s).integers.clear();
              operand(s).floats.clear();
            }) ||
            any;
      for (auto list : {&SampleOperand::sizes, &SampleOperand::integers}) {
        for (size_t k = 0; k < (best_.sample.operands[i].*list).size(); ++k)
          any = Try([&](Sample* s) { (operand(s).*list)[k].text.clear(); }) || any;
      }
    }
    return any;
  }

  bool DropAxes() {
    bool any = false;
    size_t ranks = 0;
    for (const SampleOperand& o : best_.sample.operands) ranks = std::max(ranks, o.sizes.size());
    const auto erase = [](SampleOperand& o, size_t axis) {
      if (axis < o.sizes.size()) o.sizes.erase(o.sizes.begin() + static_cast<std::ptrdiff_t>(axis));
    };
    for (size_t axis = ranks; axis-- > 0;) {
      any = Try([&](Sample* s) {
              for (SampleOperand& o : s->operands) erase(o, axis);
            }) ||
            any;
      for (size_t i = 0; i < best_.sample.operands.size(); ++i)
        any = Try([&](Sample* s) { erase(s->operands[i], axis); }) || any;
    }
    // Remove an element of a vector together with its size.
    for (size_t i = 0; i < best_.sample.operands.size(); ++i) {
      for (size_t k = best_.sample.operands[i].integers.size(); k-- > 0;) {
        any = Try([&](Sample* s) {
                SampleOperand& o = s->operands[i];
                if (o.sizes.size() != 1) return;
                o.integers.erase(o.integers.begin() + static_cast<std::ptrdiff_t>(k));
                o.sizes[0].number -= 1;
              }) ||
              any;
      }
    }
    return any;
  }

  // Lowers a number towards 0. The values 1 and 2 come early, because they are easier to read.
  bool Lower(int64_t now, const std::function<void(Sample*, int64_t)>& set) {
    for (const int64_t number : {int64_t{0}, int64_t{1}, int64_t{2}, now - 1}) {
      if (number < 0 || number >= now) continue;
      if (Try([&](Sample* s) { set(s, number); })) return true;
    }
    return false;
  }

  bool LowerNumbers() {
    bool any = false;
    std::vector<std::string> names;
    for (const auto& [name, symbol] : best_.sample.symbols) names.push_back(name);
    for (const std::string& name : names) {
      const auto it = best_.sample.symbols.find(name);
      if (it != best_.sample.symbols.end())
        any = Lower(it->second.number, [&](Sample* s, int64_t n) { s->symbols[name].number = n; }) || any;
    }
    for (size_t i = 0; i < best_.sample.operands.size(); ++i) {
      for (auto list : {&SampleOperand::sizes, &SampleOperand::integers}) {
        for (size_t k = 0; k < (best_.sample.operands[i].*list).size(); ++k) {
          const SampleNumber before = (best_.sample.operands[i].*list)[k];
          if (!before.text.empty() && before.text != "?") continue;
          const auto one = [&](Sample* s, int64_t n) { (s->operands[i].*list)[k].number = n; };
          const auto equal_ones = [&](Sample* s, int64_t n) {
            for (SampleOperand& o : s->operands) {
              for (SampleNumber& m : o.sizes) m.number = m.number == before.number ? n : m.number;
              for (SampleNumber& m : o.integers) m.number = m.number == before.number ? n : m.number;
            }
          };
          any = Lower(before.number, one) || Lower(before.number, equal_ones) || any;
        }
      }
    }
    return any;
  }

  const rules::Rule& rule_;
  const OpDef& def_;
  DriverFailure best_;
  int tries_ = 0;
};

}  // namespace

DriverFailure Shrink(const rules::Rule& rule, const OpDef& def, DriverFailure failure) {
  return Shrinker(rule, def, std::move(failure)).Run();
}

}  // namespace dimwise
