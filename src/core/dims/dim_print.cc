// Prints expressions in the form that a person would write. The normal form has only sums, products,
// floordiv, max(0, t) and broadcast. Printing restores `min`, `max` and `%` where this makes the text
// shorter:
//     a + max(0, b - a)            ->  max(b, a)
//     a - max(0, a - b)            ->  min(a, b)
//     max(0, p) - max(0, p - 8)    ->  min(max(p, 0), 8)
//     2 + max(0, p) - max(0, p - 8)  ->  min(max(p + 2, 2), 10)
//     N*a - N*max(0, a - b)        ->  N*min(a, b)
//     p - d*floordiv(p, d)         ->  p % d
//     p - floordiv(p + 3, 4)       ->  3*p//4
#include <algorithm>
#include <array>
#include <span>

#include "core/base/names.h"
#include "core/base/wide.h"
#include "core/dims/dim_table.h"
#include "core/dims/float_step.h"

namespace dimwise {
namespace {

// The binding strength of a printed text: a sum, a product (or // or %), or a name or call.
enum class Binding : uint8_t { kSum, kProduct, kTight };

// Limits of the cache of printed texts: the number of expressions, and the length of each text.
constexpr size_t kMaxKept = 4096, kMaxKeptText = 256;

struct Text {
  std::string text;
  Binding binding;
};

// A term of the printed sum.
struct Piece {
  int64_t coefficient;
  Text text;  // of the product; empty for the constant
};

std::string Parenthesized(const Text& t, Binding at_least) {
  return t.binding < at_least ? "(" + t.text + ")" : t.text;
}

Text JoinPieces(std::vector<Piece> pieces) {
  // Put a positive term first: M - N instead of -N + M.
  const auto positive = std::ranges::find_if(pieces, [](const Piece& p) { return p.coefficient > 0; });
  if (pieces[0].coefficient < 0 && positive != pieces.end())
    std::rotate(pieces.begin(), positive, positive + 1);
  std::string text;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& p = pieces[i];
    const bool negative = p.coefficient < 0;
    const uint64_t magnitude =
        negative ? uint64_t{0} - static_cast<uint64_t>(p.coefficient) : static_cast<uint64_t>(p.coefficient);
    if (i == 0) {
      text += negative ? "-" : "";
    } else if (p.coefficient == INT64_MIN) {
      text += " + -";  // the magnitude of INT64_MIN does not fit int64_t and would not parse
    } else {
      text += negative ? " - " : " + ";
    }
    if (p.text.text.empty()) {
      text += std::to_string(magnitude);
    } else if (magnitude != 1) {
      text += std::to_string(magnitude) + "*" + p.text.text;
    } else {
      text += i == 0 && negative ? Parenthesized(p.text, Binding::kTight) : p.text.text;
    }
  }
  if (pieces.size() > 1 || pieces[0].coefficient < 0) return {text, Binding::kSum};
  return {text, pieces[0].coefficient == 1 ? pieces[0].text.binding : Binding::kProduct};
}

class DimPrinter {
 public:
  explicit DimPrinter(DimTable& table) : table_(table) {}

  Text Print(Dim d) {
    if (d.is_none()) return {"none", Binding::kTight};
    if (d.is_constant())
      return {std::to_string(d.constant()), d.constant() < 0 ? Binding::kSum : Binding::kTight};
    if (table_.Kind(d) == DimKind::kSymbol) return PrintAtom(d);
    auto& printed = table_.impl().printed;
    if (const auto it = printed.find(d.id()); it != printed.end())
      return {it->second.text, Binding{it->second.binding}};
    Text text = PrintSum(d);
    if (printed.size() < kMaxKept && text.text.size() <= kMaxKeptText)
      printed.insert({d.id(), {text.text, static_cast<uint8_t>(text.binding)}});
    return text;
  }

 private:
  struct OrderedTerm {
    int64_t coefficient;
    std::vector<Dim> factors;
  };

  Text PrintSum(Dim d) {
    std::vector<OrderedTerm> terms = Ordered(d);
    if (std::optional<Text> call = AsCall(d, terms)) return *call;
    if (std::optional<Text> product = AsProduct(d, terms)) return *product;
    return JoinPieces(Pieces(d, std::move(terms)));
  }

  // Returns the whole sum as one call.
  std::optional<Text> AsCall(Dim d, const std::vector<OrderedTerm>& terms) {
    std::optional<Text> call = AsClamp(d, terms);
    return call ? call : AsMinOrMax(d, terms);
  }

  // Returns the whole sum as common factors times one call.
  std::optional<Text> AsProduct(Dim d, const std::vector<OrderedTerm>& terms) {
    if (terms.size() < 2) return std::nullopt;
    std::vector<Dim> shared;
    std::vector<OrderedTerm> rest = terms;
    for (const Dim factor : terms[0].factors) {
      const auto has_it = [&](const OrderedTerm& t) {
        return std::ranges::find(t.factors, factor) != t.factors.end();
      };
      if (!std::ranges::all_of(rest, has_it)) continue;
      for (OrderedTerm& t : rest) t.factors.erase(std::ranges::find(t.factors, factor));
      shared.push_back(factor);
    }
    Dim product = 1;
    for (const Dim factor : shared) product = table_.Multiply(product, factor);
    const std::optional<Dim> quotient = shared.empty() ? std::nullopt : table_.DivideExactly(d, product);
    if (!quotient || table_.Multiply(*quotient, product) != d) return std::nullopt;
    const std::optional<Text> call = AsCall(*quotient, Ordered(*quotient));
    if (!call) return std::nullopt;
    return Text{PrintProduct(shared, /*with_coefficient=*/true).text + "*" + call->text, Binding::kProduct};
  }

  std::vector<OrderedTerm> Ordered(Dim d) {
    if (d == Dim(0)) return {};
    if (!d.is_expression()) return {{d.constant(), {}}};
    std::vector<OrderedTerm> terms;
    SortedTerm one;
    for (const SortedTerm& t : table_.impl().SortedTerms(d, &one))
      terms.push_back({t.coefficient, {t.factors.begin(), t.factors.end()}});
    return terms;
  }

  // Returns the whole sum as one min or max, if that is not longer than a sum with max(t, 0).
  std::optional<Text> AsMinOrMax(Dim d, const std::vector<OrderedTerm>& terms) {
    for (const OrderedTerm& t : terms) {
      if (t.factors.size() != 1 || table_.Kind(t.factors[0]) != DimKind::kMaxZero) continue;
      const Dim inner = table_.Operands(t.factors[0])[0];
      const Dim rest = table_.Subtract(d, table_.Multiply(t.coefficient, t.factors[0]));
      const Dim other = table_.Add(rest, table_.Multiply(t.coefficient, inner));
      if (rest == Dim(0) && t.coefficient != 1) continue;
      // Near the cap on the size of sums or numbers, an operation may return a symbol. Then the step cannot
      // be reversed.
      if (table_.Subtract(other, rest) != table_.Multiply(t.coefficient, inner)) continue;
      if (!std::ranges::includes(table_.SymbolsOf(d), table_.SymbolsOf(other), {}, &Dim::id, &Dim::id))
        continue;
      if (rest != Dim(0) && table_.TermCount(other) > table_.TermCount(inner)) continue;
      // Print the expression before the constant; print two expressions in the structural order.
      const bool other_first = rest.is_constant() || (!other.is_constant() && table_.Order(other, rest) < 0);
      const Dim first = other_first ? other : rest, second = other_first ? rest : other;
      const char* name = t.coefficient > 0 ? "max(" : "min(";
      return Text{name + Print(first).text + ", " + Print(second).text + ")", Binding::kTight};
    }
    return std::nullopt;
  }

  // Returns the whole sum as min(max(p + c, c), k + c). Its normal form is c + max(0, p) - max(0, p - k).
  std::optional<Text> AsClamp(Dim d, std::span<const OrderedTerm> terms) {
    const bool has_offset = !terms.empty() && terms.back().factors.empty();
    const Dim c = has_offset ? terms.back().coefficient : 0;
    if (has_offset) terms = terms.first(terms.size() - 1);
    if (terms.size() != 2 || Wide{terms[0].coefficient} + terms[1].coefficient != 0) return std::nullopt;
    for (const OrderedTerm& t : terms) {
      if (t.factors.size() != 1 || table_.Kind(t.factors[0]) != DimKind::kMaxZero) return std::nullopt;
    }
    const size_t first = terms[0].coefficient > 0 ? 0 : 1;
    const OrderedTerm &up = terms[first], &down = terms[1 - first];
    const Dim apart = table_.Subtract(table_.Operands(up.factors[0])[0], table_.Operands(down.factors[0])[0]);
    const Dim k = table_.Multiply(up.coefficient, apart);
    if (!k.is_constant() || k.constant() <= 0) return std::nullopt;
    const Dim unclamped = table_.Add(c, table_.Multiply(up.coefficient, up.factors[0])),
              most = table_.Add(c, k);
    if (table_.Min(unclamped, most) != d) return std::nullopt;
    return Text{"min(" + Print(unclamped).text + ", " + Print(most).text + ")", Binding::kTight};
  }

  // Splits d, whose terms are `terms`, into printed pieces.
  std::vector<Piece> Pieces(Dim d, std::vector<OrderedTerm> terms) {
    // Removes each piece that `take` finds in d, until it finds none.
    const auto take_all = [&](auto take, std::vector<Piece>* taken) {
      for (size_t i = 0; i < terms.size();) {
        std::optional<Piece> piece = take(&d, terms[i++]);
        if (!piece) continue;
        taken->push_back(std::move(*piece));
        terms = Ordered(d);
        i = 0;
      }
    };
    std::vector<Piece> mods, pieces;
    take_all([&](Dim* from, const OrderedTerm& t) { return TakeMod(from, t); }, &mods);
    take_all([&](Dim* from, const OrderedTerm& t) { return TakeOpposite(from, t); }, &pieces);
    take_all([&](Dim* from, const OrderedTerm& t) { return TakeClamp(from, t); }, &pieces);
    int64_t constant = 0;
    for (const OrderedTerm& t : terms) {
      if (t.factors.empty()) {
        constant = t.coefficient;
      } else {
        pieces.push_back({t.coefficient, PrintProduct(t.factors, t.coefficient != 1 && t.coefficient != -1)});
      }
    }
    for (Piece& m : mods) pieces.push_back(std::move(m));
    if (constant != 0 || pieces.empty()) pieces.push_back({constant, {"", Binding::kTight}});
    return pieces;
  }

  // Returns the floordiv(p, d) of a term d*floordiv(p, d) (times a number), or none.
  Dim QuotientOf(const OrderedTerm& t) const {
    if (t.factors.size() == 1 && table_.Kind(t.factors[0]) == DimKind::kFloorDiv &&
        table_.Operands(t.factors[0])[1].is_constant()) {
      return t.factors[0];
    }
    if (t.factors.size() != 2) return Dim();
    for (size_t i = 0; i < 2; ++i) {
      const Dim f = t.factors[i];
      if (table_.Kind(f) == DimKind::kFloorDiv && table_.Operands(f)[1] == t.factors[1 - i]) return f;
    }
    return Dim();
  }

  // If the term is the second half of k*p - k*d*floordiv(p, d) in *d, removes both and returns k*(p % d).
  std::optional<Piece> TakeMod(Dim* d, const OrderedTerm& t) {
    const Dim quotient = QuotientOf(t);
    if (quotient.is_none() || t.coefficient == INT64_MIN) return std::nullopt;
    if (std::optional<Piece> piece = TakeModOfQuotient(d, t, quotient)) return piece;
    const Dim p = table_.Operands(quotient)[0], divisor = table_.Operands(quotient)[1];
    if (table_.TermCount(p) + 1 > table_.TermCount(*d)) return std::nullopt;
    const int64_t unit = divisor.is_constant() ? divisor.constant() : 1;
    if (t.coefficient % unit != 0) return std::nullopt;
    return TakeRemainder(d, -(t.coefficient / unit), p, divisor);
  }

  // Removes k*(p % divisor) from *d, if this shortens *d by all terms of the remainder.
  std::optional<Piece> TakeRemainder(Dim* d, int64_t k, Dim p, Dim divisor) {
    const Dim mod = table_.Multiply(k, table_.Mod(p, divisor)), rest = table_.Subtract(*d, mod);
    if (table_.Add(rest, mod) != *d) return std::nullopt;
    if (table_.TermCount(rest) + table_.TermCount(p) + 1 > table_.TermCount(*d)) return std::nullopt;
    *d = rest;
    std::string text =
        Parenthesized(Print(p), Binding::kTight) + " % " + Parenthesized(Print(divisor), Binding::kTight);
    if (k != 1 && k != -1) text = "(" + text + ")";
    return Piece{k, {std::move(text), Binding::kProduct}};
  }

  // Handles a p that is itself a floor division, which the normal form has combined: floordiv(floordiv(q, 8),
  // 4) is floordiv(q, 32).
  std::optional<Piece> TakeModOfQuotient(Dim* d, const OrderedTerm& t, Dim quotient) {
    const Dim whole = table_.Operands(quotient)[1];
    if (t.factors.size() != 1 || !whole.is_constant()) return std::nullopt;
    for (size_t i = 0; i < table_.TermCount(*d); ++i) {
      const Term other = table_.GetTerm(*d, i);
      if (other.factors.size() != 1 || table_.Kind(other.factors[0]) != DimKind::kFloorDiv) continue;
      const Dim p = other.factors[0], inner = table_.Operands(p)[1];
      if (!inner.is_constant() || p == quotient || whole.constant() % inner.constant() != 0) continue;
      const int64_t m = whole.constant() / inner.constant(), k = other.coefficient;
      if (Wide{k} * m != -Wide{t.coefficient} || table_.FloorDivide(p, m) != quotient) continue;
      if (std::optional<Piece> piece = TakeRemainder(d, k, p, m)) return piece;
    }
    return std::nullopt;
  }

  // If the term is the second half of k*x - k*floordiv(x + 3, 4) in *d, removes both and returns k*(3*x//4).
  // Both have the same normal form.
  std::optional<Piece> TakeOpposite(Dim* d, const OrderedTerm& t) {
    if (table_.TermCount(*d) < 2 || t.factors.size() != 1 ||
        table_.Kind(t.factors[0]) != DimKind::kFloorDiv || t.coefficient == INT64_MIN)
      return std::nullopt;
    const Dim p = table_.Operands(t.factors[0])[0], divisor = table_.Operands(t.factors[0])[1];
    if (!divisor.is_constant()) return std::nullopt;
    Dim whole = 0;
    for (size_t i = 0; i < table_.TermCount(p); ++i) {
      const Term term = table_.GetTerm(p, i);
      if (term.factors.empty()) continue;
      Dim product = 1;
      for (const Dim f : term.factors) product = table_.Multiply(product, f);
      whole = table_.Add(whole, product);
    }
    const int64_t k = -t.coefficient;
    const Dim opposite = table_.Subtract(whole, t.factors[0]),
              rest = table_.Subtract(*d, table_.Multiply(k, opposite));
    if (table_.TermCount(rest) + table_.TermCount(whole) + 1 > table_.TermCount(*d)) return std::nullopt;
    const Dim numerator =
        table_.Add(table_.Subtract(table_.Multiply(divisor, whole), p), divisor.constant() - 1);
    if (table_.FloorDivide(numerator, divisor) != opposite ||
        table_.Add(rest, table_.Multiply(k, opposite)) != *d)
      return std::nullopt;
    *d = rest;
    Text text = PrintQuotient(numerator, divisor);
    if (k != 1 && k != -1) text.text = "(" + text.text + ")";
    return Piece{k, std::move(text)};
  }

  // If the term is the first half of c*max(0, p) - c*max(0, p - k) in *d, removes both and returns
  // c*min(max(p, 0), k).
  std::optional<Piece> TakeClamp(Dim* d, const OrderedTerm& t) {
    if (t.factors.size() != 1 || table_.Kind(t.factors[0]) != DimKind::kMaxZero || t.coefficient == INT64_MIN)
      return std::nullopt;
    const Dim p = table_.Operands(t.factors[0])[0];
    for (size_t i = 0; i < table_.TermCount(*d); ++i) {
      const Term other = table_.GetTerm(*d, i);
      if (other.coefficient != -t.coefficient || other.factors.size() != 1 ||
          table_.Kind(other.factors[0]) != DimKind::kMaxZero)
        continue;
      const Dim k = table_.Subtract(p, table_.Operands(other.factors[0])[0]);
      if (!k.is_constant() || k.constant() <= 0) continue;
      const Dim clamp = table_.Min(t.factors[0], k), taken = table_.Multiply(t.coefficient, clamp);
      if (clamp != table_.Subtract(t.factors[0], other.factors[0])) continue;
      *d = table_.Subtract(*d, taken);
      return Piece{t.coefficient,
                   {"min(" + PrintAtom(t.factors[0]).text + ", " + Print(k).text + ")", Binding::kTight}};
    }
    return std::nullopt;
  }

  // Prints p // divisor. A product of plain factors needs no parentheses: 2*N//3 is parsed as (2*N)//3.
  Text PrintQuotient(Dim p, Dim divisor) {
    const Text numerator = Print(p);
    const bool plain = numerator.text.find_first_of("/%") == std::string::npos;
    return {Parenthesized(numerator, plain ? Binding::kProduct : Binding::kTight) + "//" +
                Parenthesized(Print(divisor), Binding::kTight),
            Binding::kProduct};
  }

  Text PrintProduct(const std::vector<Dim>& factors, bool with_coefficient) {
    if (factors.size() == 1 && !with_coefficient) return PrintAtom(factors[0]);
    std::string text;
    for (Dim f : factors) {
      if (!text.empty()) text += "*";
      text += Parenthesized(PrintAtom(f), Binding::kTight);
    }
    return {text, Binding::kProduct};
  }

  Text PrintAtom(Dim d) {
    const std::span<const Dim> x = table_.Operands(d);
    switch (table_.Kind(d)) {
      case DimKind::kSymbol:
        if (IsReal(table_, d)) return {FloatStepText(table_, *table_.GetDefinition(d)), Binding::kTight};
        return {QuoteName(table_.NameOf(d)), Binding::kTight};
      case DimKind::kFloorDiv:
        return PrintQuotient(x[0], x[1]);
      case DimKind::kMaxZero:
        return {"max(" + Print(x[0]).text + ", 0)", Binding::kTight};
      default: {
        const std::span<const Dim> sorted = table_.impl().SortedOperands(d);
        std::string text = table_.Kind(d) == DimKind::kConflict ? "conflict(" : "broadcast(";
        for (size_t i = 0; i < sorted.size(); ++i) text += (i > 0 ? ", " : "") + Print(sorted[i]).text;
        return {text + ")", Binding::kTight};
      }
    }
  }

  DimTable& table_;
};

}  // namespace

std::string DimTable::ToString(Dim d) { return DimPrinter(*this).Print(d).text; }

}  // namespace dimwise
