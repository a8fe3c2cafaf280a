#include "infer/driver/rule_driver_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/characters.h"
#include "core/values/contents_builder.h"

namespace dimwise {
namespace {

// Converts a size of an example. Its symbols become symbols of the sample.
SampleNumber NumberOf(DimTable& dims, Dim d, Sample* sample) {
  SampleNumber n;
  if (d.is_constant()) {
    n.number = d.constant();
    return n;
  }
  n.text = "?";
  if (d.is_none()) return n;
  for (Dim symbol : dims.SymbolsOf(d)) {
    if (!dims.GetSymbol(symbol).of_user) return n;
  }
  for (Dim symbol : dims.SymbolsOf(d)) sample->symbols.emplace(dims.NameOf(symbol), SampleSymbol());
  n.text = dims.ToString(d);
  return n;
}

void CollectSymbols(DimTable& dims, const Type& type, const std::vector<Dim>& each, Sample* sample) {
  if (type.container != nullptr) {
    for (const Type& t : type.container->elements) CollectSymbols(dims, t, type.container->each, sample);
    return;
  }
  if (type.shape.is_none()) return;
  for (Dim d : type.shape.dims()) {
    if (!d.is_expression()) continue;
    for (Dim symbol : dims.SymbolsOf(d)) {
      if (std::ranges::find(each, symbol) == each.end() && dims.GetSymbol(symbol).of_user)
        sample->symbols.emplace(dims.NameOf(symbol), SampleSymbol());
    }
  }
}

// Returns the type of a container with a symbol replaced by a number.
std::string WithNumbers(std::string_view text, std::string_view symbol, int64_t number) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && IsWordPart(text[end])) ++end;
    if (text.substr(i, end - i) == symbol) {
      out += std::to_string(number);
    } else {
      end = std::max(end, i + 1);
      out += text.substr(i, end - i);
    }
    i = end;
  }
  return out;
}

// Creates the Dims of the operands of a sample, and records the number of each.
class CallBuilder {
 public:
  CallBuilder(Analysis& analysis, const Sample& sample, SampleCall* call) : analysis_(analysis), call_(call) {
    for (const auto& [name, symbol] : sample.symbols) {
      const Dim d = symbol.is_size ? analysis.dims().Symbol(name) : analysis.dims().IntegerSymbol(name);
      call->numbers.emplace(d, symbol.number);
    }
  }

  Result<Dim> Size(const SampleNumber& n) {
    if (n.text.empty()) return Dim(n.number);
    if (n.text != "?") return analysis_.dims().Parse(n.text);
    const Dim d = analysis_.dims().Fresh();
    call_->numbers.emplace(d, n.number);
    return d;
  }

  Status Add(const SampleOperand& o) {
    Type type;
    Value value;
    if (o.given && !o.is_tensor()) {
      Result<Type> parsed = ParseType(analysis_, o.container);
      if (!parsed) return std::move(parsed).TakeError();
      type = *parsed;
    } else if (o.given) {
      Shape shape;
      bool plain = o.rank_visible;
      if (o.rank_visible) {
        std::vector<Dim> dims;
        for (const SampleNumber& n : o.sizes) {
          Result<Dim> d = Size(n);
          if (!d) return std::move(d).TakeError();
          plain = plain && d->is_constant();
          dims.push_back(*d);
        }
        shape = analysis_.shapes().Make(dims);
      } else {
        shape = analysis_.shapes().Unknown();
        std::vector<int64_t>& sizes = call_->shapes[shape];
        for (const SampleNumber& n : o.sizes) sizes.push_back(n.number);
      }
      type = Type::Tensor(o.element_visible ? o.element : ElementType::kUnknown, shape);
      if (plain && o.has_contents && o.contents_visible) {
        ContentsBuilder builder;
        for (const SampleNumber& n : o.integers) {
          if (n.text == "?") {
            builder.AddUnknown();
          } else if (o.element == ElementType::kBool && n.text.empty()) {
            builder.AddBool(n.number != 0);
          } else {
            Result<Dim> d = Size(n);
            if (!d) return std::move(d).TakeError();
            builder.AddInteger(*d);
          }
        }
        for (double f : o.floats) builder.AddFloat(f);
        Type known = type;
        known.element = o.element;
        Result<Value> built = builder.Build(analysis_, known, &call_->bytes.emplace_back());
        if (!built) return std::move(built).TakeError();
        value = *built;
      }
    }
    call_->types.push_back(type);
    call_->values.push_back(value);
    return {};
  }

 private:
  Analysis& analysis_;
  SampleCall* call_;
};

std::string Text(const SampleNumber& n) {
  if (n.text.empty()) return std::to_string(n.number);
  return n.text == "?" ? fmt::format("?:{}", n.number) : n.text;
}

std::string Text(const SampleOperand& o) {
  if (!o.given) return "none";
  if (!o.is_tensor()) return o.container;
  std::string text =
      fmt::format("{}{}[{}", o.element_visible ? "" : "?:", ToString(o.element), o.rank_visible ? "" : "*:");
  for (size_t i = 0; i < o.sizes.size(); ++i) {
    text += i > 0 ? ", " : "";
    text += o.rank_visible ? Text(o.sizes[i]) : std::to_string(o.sizes[i].number);
  }
  text += "]";
  if (!o.has_contents) return text;
  text += o.contents_visible ? "={" : "=?:{";
  bool first = true;
  for (const SampleNumber& n : o.integers) {
    text += first ? "" : ", ";
    text += o.contents_visible ? Text(n) : std::to_string(n.number);
    first = false;
  }
  for (double f : o.floats) {
    text += fmt::format("{}{}", first ? "" : ", ", f);
    first = false;
  }
  return text + "}";
}

}  // namespace

Result<Sample> SampleOf(Analysis& analysis, const ExampleCall& call) {
  DimTable& dims = analysis.dims();
  Sample sample;
  sample.attrs = call.attrs;
  sample.version = call.version;
  sample.results = call.results;
  for (const OpOperand& o : call.operands) {
    SampleOperand& s = sample.operands.emplace_back();
    s.given = o.given;
    if (!o.given) continue;
    if (!o.type.is_tensor()) {
      CollectSymbols(dims, o.type, {}, &sample);
      s.container = ToString(dims, o.type);
      continue;
    }
    s.element = o.type.element;
    s.element_visible = s.element != ElementType::kUnknown;
    if (!s.element_visible) s.element = ElementType::kF32;
    s.rank_visible = !o.type.shape.is_none() && o.type.shape.has_rank();
    if (s.rank_visible) {
      for (Dim d : o.type.shape.dims()) s.sizes.push_back(NumberOf(dims, d, &sample));
    }
    if (o.value.is_none()) continue;
    s.has_contents = true;
    for (int64_t i = 0; i < o.value.size() && i < ValueTable::kMaxElements; ++i) {
      const std::optional<double> f = o.value.FloatingPoint(i).constant();
      if (f && IsFloat(s.element)) {
        s.floats.push_back(*f);
      } else {
        s.integers.push_back(NumberOf(dims, o.value.Integer(i), &sample));
      }
    }
    if (IsFloat(s.element) &&
        s.floats.size() < static_cast<size_t>(o.value.size())) {  // some are not numbers
      s.has_contents = false;
      s.integers.clear();
      s.floats.clear();
    }
  }
  return sample;
}

bool Renumber(Sample* sample) {
  DimTable dims;
  std::unordered_map<Dim, int64_t> numbers;
  for (const auto& [name, symbol] : sample->symbols) numbers.emplace(dims.Symbol(name), symbol.number);
  std::set<std::string, std::less<>> used;
  const auto renumber = [&](SampleNumber* n, bool is_size) {
    if (!n->text.empty() && n->text != "?") {
      const Result<Dim> d = dims.Parse(n->text);
      if (!d) return false;
      for (Dim symbol : dims.SymbolsOf(*d)) used.emplace(dims.NameOf(symbol));
      const std::optional<int64_t> number = dims.Evaluate(*d, [&](Dim symbol) {
        const auto it = numbers.find(symbol);
        return it == numbers.end() ? std::nullopt : std::optional(it->second);
      });
      if (!number) return false;
      n->number = *number;
    }
    return !is_size || n->number >= 0;
  };
  for (SampleOperand& o : sample->operands) {
    for (SampleNumber& n : o.sizes) {
      if (!renumber(&n, true)) return false;
    }
    for (SampleNumber& n : o.integers) {
      if (!renumber(&n, false)) return false;
    }
    for (const auto& [name, symbol] : sample->symbols) {
      if (WithNumbers(o.container, name, symbol.number) != o.container) used.insert(name);
    }
  }
  std::erase_if(sample->symbols, [&](const auto& entry) { return !used.contains(entry.first); });
  return true;
}

Result<SampleCall> MakeCall(Analysis& analysis, const Sample& sample) {
  SampleCall call;
  CallBuilder teller(analysis, sample, &call);
  for (const SampleOperand& o : sample.operands) {
    if (Status s = teller.Add(o); !s) return std::move(s).TakeError();
  }
  return call;
}

Sample WithNumbers(const Sample& sample) {
  Sample partial = sample;
  for (SampleOperand& o : partial.operands) {
    o.element_visible = o.rank_visible = o.contents_visible = true;
    for (SampleNumber& n : o.sizes) n.text.clear();
    for (SampleNumber& n : o.integers) n.text.clear();
    for (const auto& [name, symbol] : sample.symbols)
      o.container = WithNumbers(o.container, name, symbol.number);
  }
  partial.symbols.clear();
  return partial;
}

std::string ToString(const Sample& sample) {
  std::string text;
  for (const SampleOperand& o : sample.operands) text += (text.empty() ? "" : "; ") + Text(o);
  for (const AttrEntry& a : sample.attrs) {
    text += fmt::format("{}{}={}", text.empty() ? "" : "; ", a.name, ToString(a.value));
  }
  bool first = true;
  for (const auto& [name, symbol] : sample.symbols) {
    text += fmt::format("{}{} = {}", first ? " where " : " and ", name, symbol.number);
    first = false;
  }
  return text;
}

}  // namespace dimwise
