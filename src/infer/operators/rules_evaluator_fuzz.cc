// Fuzzes rules that load with arbitrary operands. It must not crash or hang, and no result may have a
// negative size. At run time, a trace and the rule itself must give the same answer.
//
// The input is the text of a rule file, a zero byte, and bytes that select operands and attributes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dimwise/inference_context.h"
#include "dimwise/rule.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

constexpr size_t kMaxRules = 4;
constexpr int kRounds = 6;

void Require(bool holds, const char* what, const rules::Rule& rule) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s\n", rule.FullName().c_str(), what);
  std::abort();
}

// The selecting bytes, followed by an endless sequence that they determine.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}
  uint32_t Below(uint32_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const uint64_t given = at_ < bytes_.size() ? static_cast<uint8_t>(bytes_[at_++]) : 0;
    return static_cast<uint32_t>((state_ >> 33) + given) % n;
  }
  template <typename T, size_t N>
  const T& Of(const T (&list)[N]) {
    return list[Below(N)];
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  uint64_t state_ = 1;
};

constexpr int64_t kSizes[] = {0, 1, 1, 2, 3, 3, 4, 8, 1 << 20, int64_t{1} << 40, INT64_MAX};
constexpr int64_t kContents[] = {
    -1, 0, 1, 2, 3, -2, 7, INT64_MAX, INT64_MIN, INT64_MIN / 2, -(int64_t{1} << 62)};
constexpr ElementType kElements[] = {ElementType::kF32, ElementType::kF32, ElementType::kI64,
                                     ElementType::kBool, ElementType::kUnknown};

struct Numbers {
  std::vector<int64_t> sizes, contents;
  bool given = true;
};

AttrValue AttributeFor(Choices* choose, rules::AttributeKind kind) {
  AttrValue::Ints ints;
  for (uint32_t n = choose->Below(4); n > 0; --n)
    ints.push_back(choose->Below(2) == 0 ? static_cast<int64_t>(choose->Below(4)) : choose->Of(kContents));
  if (choose->Below(16) == 0) return AttrValue(ints);  // possibly of the wrong kind
  switch (kind) {
    case rules::AttributeKind::kInt:
      return AttrValue(ints.empty() ? 1 : ints[0]);
    case rules::AttributeKind::kInts:
      return AttrValue(ints);
    case rules::AttributeKind::kFloat:
      return AttrValue(0.5 * choose->Below(5));
    case rules::AttributeKind::kFloats:
      return AttrValue(AttrValue::Floats{0.5, 2.0 * choose->Below(3)});
    case rules::AttributeKind::kBool:
      return AttrValue(choose->Below(2) == 0);
    case rules::AttributeKind::kString:
      return AttrValue(std::string(choose->Below(2) == 0 ? "NOTSET" : "other"));
    case rules::AttributeKind::kType:
      return AttrValue(choose->Of(kElements));
    default:
      return AttrValue(ints);
  }
}

// Evaluates a rule at run time on constants: once with traces and once without.
void Evaluate(const rules::Rule& rule, const AttrMap& attrs, size_t results,
              const std::vector<Numbers>& operands) {
  std::vector<RunTimeOperand> views;
  for (const Numbers& n : operands) views.push_back({n.sizes, n.contents, n.given});
  RuleCall warm(rule, attrs, results), fresh(rule, attrs, results);
  const Status first = fresh.Evaluate(views);
  for (int i = 0; i < 4; ++i) {
    const Status again = warm.Evaluate(views);
    Require(first.has_value() == again.has_value(), "a call fails only sometimes", rule);
    if (!first) continue;
    for (size_t r = 0; r < results; ++r) {
      Require(fresh.has_rank(r) == warm.has_rank(r) && std::ranges::equal(fresh.result(r), warm.result(r)),
              "a recording differs", rule);
      for (int64_t size : warm.result(r)) Require(size >= -1, "a size is negative", rule);
    }
  }
}

void Apply(const rules::Rule& rule, Choices* choose) {
  Analysis analysis;
  std::vector<Type> types;
  std::vector<Value> values;
  std::vector<Numbers> numbers;
  bool only_numbers = true;
  const rules::CompiledSignature& signature = rule.code->signatures[0];
  for (const rules::CompiledArgument& a : signature.operands) {
    const bool variadic = a.arity == rules::Arity::kOneOrMore || a.arity == rules::Arity::kAnyNumber;
    for (uint32_t n = variadic ? choose->Below(4) : 1; n > 0; --n) {
      Numbers& one = numbers.emplace_back();
      types.emplace_back();
      values.emplace_back();
      const uint32_t kind = choose->Below(16);
      if (kind == 0) {
        one.given = false;
        continue;
      }
      const ElementType element = choose->Of(kElements);
      if (kind == 1) {
        types.back() =
            Type::Tensor(element, analysis.shapes().Unknown(0, static_cast<int>(choose->Below(5))));
        only_numbers = false;
        continue;
      }
      std::vector<Dim> dims, contents;
      const size_t items = a.pattern.items.size();
      const size_t rank = choose->Below(3) == 0 ? choose->Below(5) : items + choose->Below(2);
      const bool symbolic = kind < 6;
      for (size_t i = 0; i < rank; ++i) {
        const int64_t size = choose->Of(kSizes);
        one.sizes.push_back(size);
        dims.push_back(symbolic && choose->Below(2) == 0
                           ? analysis.dims().Symbol(choose->Below(2) == 0 ? "N" : "M")
                           : Dim(size));
      }
      if (rank <= 1 && choose->Below(2) == 0) {
        const int64_t count = rank == 0 ? 1 : static_cast<int64_t>(choose->Below(5));
        if (rank == 1) dims[0] = one.sizes[0] = count;
        for (int64_t i = 0; i < count; ++i) {
          one.contents.push_back(choose->Of(kContents));
          contents.push_back(symbolic && choose->Below(3) == 0 ? analysis.dims().IntegerSymbol("K")
                                                               : Dim(one.contents.back()));
        }
        values.back() = analysis.values().Integers(ElementType::kI64, one.sizes, contents);
      }
      types.back() =
          Type::Tensor(contents.empty() ? element : ElementType::kI64, analysis.shapes().Make(dims));
      only_numbers &= !symbolic;
    }
  }
  AttrMap attrs;
  for (const rules::CompiledAttribute& a : rule.code->attributes) {
    if (choose->Below(4) != 0) attrs.Set(a.name, AttributeFor(choose, a.kind));
  }
  const OpDef def = DefinitionOf(rule);
  const size_t results = signature.results.size() + choose->Below(2);
  NodeDescription node;
  node.op = &def;
  node.attrs = &attrs;
  node.num_outputs = static_cast<int>(results);
  node.owner = choose->Below(2);
  InferenceContext context(analysis, node, std::span<const Type>(types), values);
  const Status status = context.Run([&](InferenceContext* c) { return ApplyRule(rule, c); });
  for (size_t i = 0; status && i < results; ++i) {
    const Type type = context.full_output_type(static_cast<int64_t>(i));
    if (!type.is_tensor() || type.shape.is_none()) continue;
    for (Dim d : type.shape.dims())
      Require(!d.is_none() && (!d.is_constant() || d.constant() >= 0), "a size is negative", rule);
  }
  if (only_numbers) Evaluate(rule, attrs, results, numbers);
}

}  // namespace
}  // namespace dimwise

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view text = input.substr(0, input.find('\0'));
  dimwise::rules::RuleLibrary library;
  if (!library.Load("set fuzz\n" + std::string(text), "fuzz.shape").empty()) return 0;
  dimwise::Choices choose(input.substr(std::min(text.size() + 1, input.size())));
  for (size_t i = 0; i < library.rules().size() && i < dimwise::kMaxRules; ++i) {
    for (int round = 0; round < dimwise::kRounds; ++round) dimwise::Apply(library.rules()[i], &choose);
  }
  return 0;
}
