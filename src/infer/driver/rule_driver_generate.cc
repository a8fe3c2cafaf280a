#include "infer/driver/rule_driver_generate.h"

#include <fmt/format.h>

#include <algorithm>

namespace dimwise {
namespace {

// Makes a call from the patterns of a case: names become symbols, lists have a length of 0 to 3.
class PatternReader {
 public:
  PatternReader(const rules::RuleCode& code, SampleRandom* random, Sample* sample)
      : code_(code), random_(random), sample_(sample) {
    types_.assign(code.type_variables.size(), ElementType::kUnknown);
  }

  SampleOperand Read(const rules::Pattern& p) {
    SampleOperand o;
    if (p.kind == rules::PatternKind::kTensor || p.kind == rules::PatternKind::kAnything) {
      o.element = Element(p);
      for (const rules::Item& item : p.items) Add(item, &o.sizes);
      if (p.items.empty() && (!p.has_shape || p.unknown_shape || p.kind == rules::PatternKind::kAnything)) {
        for (size_t n = random_->Below(4); n > 0; --n) o.sizes.push_back({2, {}});
      }
    } else {
      o.container = Text(p);
    }
    return o;
  }

 private:
  ElementType Element(const rules::Pattern& p) {
    if (p.fixed != ElementType::kUnknown) return p.fixed;
    uint64_t allowed = p.allowed;
    if (p.type_variable != rules::kNone) {
      const ElementType bound = types_[p.type_variable];
      if (bound != ElementType::kUnknown && !p.each_element) return bound;
      allowed = code_.type_variables[p.type_variable].allowed;
    }
    constexpr ElementType kUsual[] = {ElementType::kF32,  ElementType::kI64, ElementType::kF16,
                                      ElementType::kI32,  ElementType::kU8,  ElementType::kI8,
                                      ElementType::kBool, ElementType::kF64, ElementType::kString};
    std::vector<ElementType> possible;
    for (ElementType e : kUsual) {
      if (allowed == 0 || ElementTypeSet::FromBits(allowed).Contains(e)) possible.push_back(e);
    }
    if (possible.empty()) possible.push_back(static_cast<ElementType>(std::countr_zero(allowed)));
    const ElementType e = possible[random_->OneIn(2) ? 0 : random_->Below(possible.size())];
    if (p.type_variable != rules::kNone) types_[p.type_variable] = e;
    return e;
  }

  void Add(const rules::Item& item, std::vector<SampleNumber>* sizes) {
    const std::string name = Name(item);
    if (item.kind == rules::ItemKind::kList) {
      auto [length, is_new] = lengths_.try_emplace(name, 0);
      if (is_new || name.empty()) length->second = random_->Below(4);
      for (size_t i = 0; i < length->second; ++i)
        sizes->push_back(name.empty() ? SampleNumber{2, {}} : Symbol(fmt::format("{}{}", name, i), item));
    } else if (!name.empty()) {
      sizes->push_back(Symbol(name, item));
    } else if (item.expr != rules::kNone && code_.nodes[item.expr].op == rules::Op::kConstant) {
      sizes->push_back({code_.nodes[item.expr].immediate, {}});
    } else {
      sizes->push_back({static_cast<int64_t>(1 + random_->Below(4)), {}});
    }
  }

  // Returns the name that an item binds or uses; empty for a computed item and for one that differs between
  // operands.
  std::string Name(const rules::Item& item) const {
    if (item.each) return {};
    if (item.binds != rules::kNone) return code_.slots[item.binds].name;
    if (item.expr == rules::kNone || code_.nodes[item.expr].op != rules::Op::kSlot) return {};
    const rules::Slot& slot = code_.slots[code_.nodes[item.expr].a];
    return slot.code == rules::kNone && slot.attribute == rules::kNone ? slot.name : std::string();
  }

  SampleNumber Symbol(const std::string& name, const rules::Item& item) {
    sample_->symbols.emplace(name, SampleSymbol());
    if (item.factor == 1 && item.offset == 0) return {0, name};
    return {0, fmt::format("{}*{} + {}", item.factor, name, item.offset)};
  }

  std::string Text(const rules::Pattern& p) {
    if (p.kind == rules::PatternKind::kTensor || p.kind == rules::PatternKind::kAnything) {
      return fmt::format("{}[{}]", ToString(Element(p)),
                         p.items.empty()     ? "*"
                         : random_->OneIn(2) ? "2"
                                             : "2, 3");
    }
    std::string inside;
    for (const rules::Pattern& q : p.inside) inside += (inside.empty() ? "" : ", ") + Text(q);
    if (p.kind == rules::PatternKind::kMap) {
      return fmt::format("map({}, {})", ToString(p.key == ElementType::kUnknown ? ElementType::kI64 : p.key),
                         inside);
    }
    return fmt::format("{}({})",
                       p.kind == rules::PatternKind::kSequence   ? "seq"
                       : p.kind == rules::PatternKind::kOptional ? "optional"
                                                                 : "handle",
                       inside);
  }

  const rules::RuleCode& code_;
  SampleRandom* random_;
  Sample* sample_;
  std::vector<ElementType> types_;
  std::map<std::string, size_t> lengths_;
};

uint64_t HashOfName(std::string_view name) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

}  // namespace

SampleMaker::SampleMaker(const rules::Rule& rule, const OpDef& def, uint64_t seed)
    : rule_(rule), def_(def), random_(seed ^ HashOfName(fmt::format("{} {}", rule.FullName(), rule.since))) {
  for (const std::string_view example : ExamplesOf(rule)) {
    Analysis analysis;
    const Result<ExampleCall> call = ParseExampleCall(analysis, rule, example.substr(0, example.find("->")));
    if (!call) continue;
    if (Result<Sample> sample = SampleOf(analysis, *call)) examples_.push_back(*std::move(sample));
  }
}

int64_t SampleMaker::Size() {
  constexpr int64_t kSizes[] = {1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 12, 0};
  return kSizes[random_.Below(std::size(kSizes))];
}

Sample SampleMaker::FromPatterns() {
  Sample sample;
  if (!examples_.empty()) {
    const Sample& like = examples_[random_.Below(examples_.size())];
    sample.attrs = like.attrs;
    sample.version = like.version;
    sample.results = like.results;
  } else {
    sample.results = 0;
    for (const ArgDef& a : def_.outputs) sample.results += a.optional ? 0 : 1;
    for (const rules::CompiledAttribute& a : rule_.code->attributes) {
      if (a.optional || a.otherwise != rules::kNone) continue;
      if (!a.allowed.empty()) {
        sample.attrs.Set(a.name, a.allowed[random_.Below(a.allowed.size())]);
      } else if (a.kind == rules::AttributeKind::kInt) {
        sample.attrs.Set(a.name, static_cast<int64_t>(random_.Below(3)));
      } else if (a.kind == rules::AttributeKind::kInts) {
        sample.attrs.Set(a.name,
                         AttrValue::Ints(1 + random_.Below(2), static_cast<int64_t>(random_.Below(3))));
      } else if (a.kind == rules::AttributeKind::kType) {
        sample.attrs.Set(a.name, ElementType::kF32);
      }
    }
  }
  const rules::CompiledSignature& form = rule_.code->signatures[random_.Below(rule_.code->signatures.size())];
  PatternReader reader(*rule_.code, &random_, &sample);
  for (const rules::CompiledArgument& a : form.operands) {
    size_t count = 1;
    if (a.arity == rules::Arity::kOneOrMore) count = 1 + random_.Below(3);
    if (a.arity == rules::Arity::kAnyNumber) count = random_.Below(4);
    for (; count > 0; --count) {
      SampleOperand o = reader.Read(a.pattern);
      if (a.arity == rules::Arity::kOptional && random_.OneIn(2)) {
        o = SampleOperand();
        o.given = false;
      }
      sample.operands.push_back(std::move(o));
    }
  }
  while (!sample.operands.empty() && !sample.operands.back().given && random_.OneIn(2))
    sample.operands.pop_back();
  return sample;
}

void SampleMaker::FillContents(SampleOperand* o) {
  if (!o->given || !o->is_tensor()) return;
  int64_t count = 1;
  for (const SampleNumber& n : o->sizes)
    count = std::min<int64_t>(count * std::min<int64_t>(n.number, 100), 100);
  const auto wanted = static_cast<size_t>(count);
  const bool is_float = IsFloat(o->element),
             is_int = IsInteger(o->element) || o->element == ElementType::kBool;
  if (!o->has_contents && (!is_int || count > 8)) return;
  if (count > 8 && (is_float ? o->floats.size() : o->integers.size()) != wanted) {
    o->has_contents = false;
    o->integers.clear();
    o->floats.clear();
    return;
  }
  if (!o->has_contents) {
    o->has_contents = true;
    o->contents_visible = false;
  }
  o->integers.resize(is_float ? 0 : std::min(o->integers.size(), wanted));
  o->floats.resize(is_float ? std::min(o->floats.size(), wanted) : 0);
  while (is_float && o->floats.size() < wanted)
    o->floats.push_back(0.5 * static_cast<double>(random_.Below(5)));
  while (!is_float && o->integers.size() < wanted) {
    const auto number = o->element == ElementType::kBool
                            ? static_cast<int64_t>(random_.Below(2))
                            : static_cast<int64_t>(random_.Below(5)) - (IsSigned(o->element) ? 1 : 0);
    o->integers.push_back({number, {}});
  }
}

void SampleMaker::FillNumbers(Sample* sample) {
  for (auto& [name, symbol] : sample->symbols) symbol.number = Size();
  for (size_t i = 0; i < sample->operands.size(); ++i) {
    SampleOperand& o = sample->operands[i];
    for (SampleNumber& n : o.sizes) {
      if (n.text == "?") n.number = Size();
    }
    for (SampleNumber& n : o.integers) {
      if (n.text == "?")
        n.number = o.element == ElementType::kBool ? static_cast<int64_t>(random_.Below(2))
                                                   : static_cast<int64_t>(random_.Below(5)) - 1;
    }
    if (o.rank_visible || !o.given || !o.is_tensor() || !o.sizes.empty()) continue;
    // An operand of unknown rank gets the sizes that it has in another example, or random ones.
    const Sample& other = examples_[random_.Below(examples_.size())];
    if (i < other.operands.size() && other.operands[i].rank_visible && other.operands[i].is_tensor() &&
        !random_.OneIn(3)) {
      for (const SampleNumber& n : other.operands[i].sizes)
        o.sizes.push_back({n.text.empty() ? n.number : Size(), {}});
    } else {
      for (size_t n = random_.Below(5); n > 0; --n) o.sizes.push_back({Size(), {}});
    }
  }
}

Sample SampleMaker::Next() {
  for (int attempt = 0;; ++attempt) {
    Sample sample =
        examples_.empty() || random_.OneIn(3) ? FromPatterns() : examples_[random_.Below(examples_.size())];
    FillNumbers(&sample);
    if (!Renumber(&sample) && attempt < 8) continue;
    if (random_.OneIn(2)) Change(def_, examples_, &random_, &sample);
    if (random_.OneIn(4)) Change(def_, examples_, &random_, &sample);
    for (SampleOperand& o : sample.operands) FillContents(&o);
    if (!random_.OneIn(4)) Hide(&random_, &sample);
    if (Renumber(&sample) || attempt >= 8) return sample;
  }
}

}  // namespace dimwise
