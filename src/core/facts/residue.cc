#include "core/facts/residue.h"

#include <numeric>

#include "core/base/wide.h"
#include "core/dims/bounds.h"

namespace dimwise {
namespace {

// Returns x with a*x == 1 (mod m). REQUIRES: gcd(a, m) == 1.
int64_t Inverse(int64_t a, int64_t m) {
  Wide old_r = a, r = m, old_s = 1, s = 0;
  while (r != 0) {
    const Wide q = old_r / r;
    std::swap(old_r -= q * r, r);
    std::swap(old_s -= q * s, s);
  }
  return PositiveMod(static_cast<int64_t>(old_s % m), m);
}

Congruence Reduced(Wide modulus, Wide remainder) {
  if (modulus < 0) modulus = -modulus;
  if (!FitsInt64(modulus) || !FitsInt64(remainder)) return {};
  if (modulus == 0) return {0, static_cast<int64_t>(remainder)};
  return {static_cast<int64_t>(modulus),
          PositiveMod(static_cast<int64_t>(remainder), static_cast<int64_t>(modulus))};
}

Wide Gcd(Wide a, Wide b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    const Wide t = a % b;
    a = b;
    b = t;
  }
  return a;
}

Congruence operator+(const Congruence& a, const Congruence& b) {
  return Reduced(Gcd(a.modulus, b.modulus), Wide{a.remainder} + b.remainder);
}

Congruence operator*(const Congruence& a, const Congruence& b) {
  const Wide g =
      Gcd(Gcd(Wide{a.modulus} * b.modulus, Wide{a.modulus} * b.remainder), Wide{b.modulus} * a.remainder);
  return Reduced(g, Wide{a.remainder} * b.remainder);
}

}  // namespace

int64_t PositiveMod(int64_t a, int64_t modulus) {
  const int64_t r = a % modulus;
  return r < 0 ? r + modulus : r;
}

bool Combine(Congruence* a, const Congruence& b) {
  if (a->modulus == 0)
    return b.modulus == 0 ? a->remainder == b.remainder : PositiveMod(a->remainder, b.modulus) == b.remainder;
  if (b.modulus == 0) {
    if (PositiveMod(b.remainder, a->modulus) != a->remainder) return false;
    *a = b;
    return true;
  }
  const int64_t g = std::gcd(a->modulus, b.modulus);
  const Wide difference = Wide{b.remainder} - a->remainder;
  if (difference % g != 0) return false;
  const Wide lcm = Wide{a->modulus} / g * b.modulus;
  if (!FitsInt64(lcm)) {
    if (b.modulus > a->modulus) *a = b;
    return true;
  }
  const int64_t m = b.modulus / g;
  const Wide t = m == 1 ? 0 : (difference / g % m) * Inverse(PositiveMod(a->modulus / g, m), m) % m;
  const Wide r = a->remainder + t * a->modulus;
  const Wide reduced = ((r % lcm) + lcm) % lcm;
  *a = {static_cast<int64_t>(lcm), static_cast<int64_t>(reduced)};
  return true;
}

bool SolveCongruence(const Congruence& given, int64_t scale, int64_t constant, Congruence* x) {
  const Wide target = Wide{given.remainder} - constant;
  if (given.modulus == 0) {
    if (target % scale != 0) return false;
    *x = Reduced(0, target / scale);
    return true;
  }
  const int64_t g = std::gcd(scale, given.modulus);
  if (target % g != 0) return false;
  const int64_t m = given.modulus / g;
  if (m == 1) {
    *x = {};
    return true;
  }
  const int64_t s = PositiveMod(scale / g, m);
  const Wide r = (target / g % m) * Inverse(s, m) % m;
  *x = Reduced(m, r);
  return true;
}

Congruence CongruenceOfSum(DimTable& table, Dim d, const std::function<Congruence(Dim form)>& of_form) {
  if (d.is_constant()) return {0, d.constant()};
  if (d.is_none()) return {};
  Congruence total{0, 0};
  for (size_t i = 0; i < table.TermCount(d); ++i) {
    const Term t = table.GetTerm(d, i);
    Congruence product{0, t.coefficient};
    for (Dim f : t.factors) product = product * of_form(f);
    total = total + product;
  }
  if (table.Kind(d) == DimKind::kSum) {
    const CanonicalForm f = ToCanonicalForm(table, d);
    if (f.form.is_expression()) {
      const Congruence known = of_form(f.form);
      const Congruence whole = Congruence{0, f.scale} * known + Congruence{0, f.constant};
      Combine(&total, whole);
    }
  }
  return total;
}

}  // namespace dimwise
