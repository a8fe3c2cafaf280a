#include "core/dims/dim_table.h"

#include <algorithm>
#include <string>

#include "core/base/unused_name.h"
#include "core/dims/bounds.h"

namespace dimwise {
namespace {

uint32_t Mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return static_cast<uint32_t>(h >> 32) ^ static_cast<uint32_t>(h);
}

uint32_t HashDims(uint32_t seed, std::span<const Dim> dims) {
  for (Dim d : dims) seed = Mix(seed, static_cast<uint64_t>(d.bits()));
  return seed;
}

uint32_t HashTerms(std::span<const StoredTerm> terms) {
  uint32_t h = 7;
  for (const StoredTerm& t : terms) h = Mix(h, static_cast<uint64_t>(t.coefficient) * 31 + t.product);
  return h;
}

bool IsCommutative(Operation op) {
  return op == Operation::kAdd || op == Operation::kMultiply || op == Operation::kBroadcast;
}

}  // namespace

bool DimTable::Impl::EntryEqual::operator()(uint32_t a, uint32_t b) const {
  if (a == b) return true;
  const Entry &x = impl->entries[a], &y = impl->entries[b];
  if (x.kind != y.kind || x.hash != y.hash || x.count != y.count) return false;
  switch (x.kind) {
    case DimKind::kSum:
      return std::equal(x.terms, x.terms + x.count, y.terms, [](const StoredTerm& s, const StoredTerm& t) {
        return s.coefficient == t.coefficient && s.product == t.product;
      });
    case DimKind::kSymbol: {
      const SymbolEntry &s = *x.symbol, &t = *y.symbol;
      return s.defined && t.defined && s.definition.operation == t.definition.operation &&
             s.definition.tag == t.definition.tag &&
             std::ranges::equal(s.definition.operands, t.definition.operands);
    }
    default:
      return std::equal(x.operands, x.operands + x.count, y.operands);
  }
}

bool DimTable::Impl::ProductEqual::operator()(ProductId a, ProductId b) const {
  const Product &x = impl->products[a], &y = impl->products[b];
  return a == b ||
         (x.hash == y.hash && x.count == y.count && std::equal(x.factors, x.factors + x.count, y.factors));
}

DimTable::Impl::Impl(DimTable* owner)
    : entry_index(64, EntryHash{this}, EntryEqual{this}),
      product_index(64, ProductHash{this}, ProductEqual{this}),
      table(owner) {
  entries.push_back(Entry{DimKind::kConstant, 0, 0, 0, kOne, 1, 0, {nullptr}, nullptr});  // id 0: none
  products.push_back(Product{nullptr, 0, 0});                                             // kOne
}

ProductId DimTable::Impl::InternProduct(std::span<const Dim> sorted_factors) {
  if (sorted_factors.empty()) return kOne;
  const auto candidate = static_cast<ProductId>(products.size());
  products.push_back(Product{sorted_factors.data(), static_cast<uint32_t>(sorted_factors.size()),
                             HashDims(3, sorted_factors)});
  const auto [it, inserted] = product_index.insert(candidate);
  if (!inserted) {
    products.pop_back();
    return *it;
  }
  products[candidate].factors = Copy(sorted_factors);
  return candidate;
}

bool DimTable::Impl::MultiplyProducts(ProductId a, ProductId b, ProductId* result) {
  if (a == kOne || b == kOne) {
    *result = a == kOne ? b : a;
    return true;
  }
  const Product x = products[a], y = products[b];
  if (x.count + y.count > kMaxFactors) return false;
  std::array<Dim, kMaxFactors> factors;
  std::merge(x.factors, x.factors + x.count, y.factors, y.factors + y.count, factors.begin(),
             [](Dim s, Dim t) { return s.id() < t.id(); });
  *result = InternProduct(std::span<const Dim>(factors.data(), x.count + y.count));
  return true;
}

Dim DimTable::Impl::InternAtom(DimKind kind, std::span<const Dim> operands) {
  const auto candidate = static_cast<uint32_t>(entries.size());
  Entry e{kind,
          0,
          static_cast<uint32_t>(operands.size()),
          HashDims(static_cast<uint32_t>(kind) + 11, operands),
          kOne,
          1,
          0,
          {nullptr},
          nullptr};
  e.operands = operands.data();
  entries.push_back(e);
  const auto [it, inserted] = entry_index.insert(candidate);
  if (!inserted) {
    entries.pop_back();
    return Dim::OfExpression(*it);
  }
  std::vector<Dim> symbols_in;
  int depth = 0;
  uint32_t weight = 1;
  for (Dim d : operands) {
    weight += Weight(d);
    if (!d.is_expression()) continue;
    depth = std::max<int>(depth, At(d).depth);
    symbols_in.insert(symbols_in.end(), At(d).symbols, At(d).symbols + At(d).symbol_count);
  }
  std::ranges::sort(symbols_in, {}, &Dim::id);
  symbols_in.erase(std::unique(symbols_in.begin(), symbols_in.end()), symbols_in.end());
  const Dim self = Dim::OfExpression(candidate);
  const Dim* stored = Copy(operands);
  const ProductId alone = InternProduct(std::span<const Dim>(&self, 1));
  Entry& entry = entries[candidate];
  entry.operands = stored;
  entry.depth = static_cast<uint8_t>(depth + 1);
  entry.weight = weight;
  entry.product = alone;
  entry.symbols = Copy(std::span<const Dim>(symbols_in));
  entry.symbol_count = static_cast<uint32_t>(symbols_in.size());
  return self;
}

Dim DimTable::Impl::NewSymbol(std::unique_ptr<SymbolEntry> symbol) {
  const auto id = static_cast<uint32_t>(entries.size());
  const Dim self = Dim::OfExpression(id);
  Entry e{DimKind::kSymbol,
          0,
          0,
          Mix(5, id),
          InternProduct(std::span<const Dim>(&self, 1)),
          1,
          1,
          {nullptr},
          Copy(std::span<const Dim>(&self, 1))};
  e.symbol = symbol.get();
  entries.push_back(e);
  symbols.push_back(std::move(symbol));
  return self;
}

Dim DimTable::Impl::Intern(const Sum& sum) {
  if (sum.overflow) return Dim();
  if (sum.is_constant()) return ConstantOrNone(sum.constant_term());
  if (sum.count == 1 && sum.terms[0].coefficient == 1 && products[sum.terms[0].product].count == 1) {
    return products[sum.terms[0].product].factors[0];
  }
  if (sum.count > kMaxTerms) return Dim();
  uint32_t weight = 0;
  for (const StoredTerm& t : sum.view()) {
    ++weight;
    for (uint32_t i = 0; i < products[t.product].count; ++i)
      weight += At(products[t.product].factors[i]).weight;
  }
  if (weight > kMaxWeight) return Dim();
  const auto candidate = static_cast<uint32_t>(entries.size());
  Entry e{DimKind::kSum, 0, sum.count, HashTerms(sum.view()), kOne, 1, 0, {nullptr}, nullptr};
  e.terms = sum.terms.data();
  entries.push_back(e);
  const auto [it, inserted] = entry_index.insert(candidate);
  if (!inserted) {
    entries.pop_back();
    return Dim::OfExpression(*it);
  }
  std::vector<Dim> symbols_in;
  int depth = 0;
  for (const StoredTerm& t : sum.view()) {
    for (uint32_t i = 0; i < products[t.product].count; ++i) {
      const Entry& f = At(products[t.product].factors[i]);
      depth = std::max<int>(depth, f.depth);
      symbols_in.insert(symbols_in.end(), f.symbols, f.symbols + f.symbol_count);
    }
  }
  std::ranges::sort(symbols_in, {}, &Dim::id);
  symbols_in.erase(std::unique(symbols_in.begin(), symbols_in.end()), symbols_in.end());
  Entry& entry = entries[candidate];
  entry.terms = Copy(sum.view());
  entry.depth = static_cast<uint8_t>(depth);
  entry.weight = weight;
  entry.symbols = Copy(std::span<const Dim>(symbols_in));
  entry.symbol_count = static_cast<uint32_t>(symbols_in.size());
  return Dim::OfExpression(candidate);
}

Dim DimTable::Impl::Find(const Sum& sum) {
  if (sum.overflow || sum.count > kMaxTerms) return Dim();
  if (sum.is_constant()) return ConstantOrNone(sum.constant_term());
  if (sum.count == 1 && sum.terms[0].coefficient == 1 && products[sum.terms[0].product].count == 1) {
    return products[sum.terms[0].product].factors[0];
  }
  const auto candidate = static_cast<uint32_t>(entries.size());
  Entry e{DimKind::kSum, 0, sum.count, HashTerms(sum.view()), kOne, 1, 0, {nullptr}, nullptr};
  e.terms = sum.terms.data();
  entries.push_back(e);
  const auto it = entry_index.find(candidate);
  const Dim found = it == entry_index.end() ? Dim() : Dim::OfExpression(*it);
  entries.pop_back();
  return found;
}

DimTable::DimTable() : impl_(std::make_unique<Impl>(this)) {}
DimTable::~DimTable() = default;

Dim DimTable::Symbol(std::string_view name, std::string_view origin) {
  const Dim d = IntegerSymbol(name, origin);
  SymbolInfo& info = impl_->At(d).symbol->info;
  if (info.min < 0) {  // what was found of it as any integer is forgotten
    impl_->sampled.Clear();
    impl_->bounded_by_origin.Clear();
    info.min = 0;
  }
  return d;
}

Dim DimTable::NamelessSymbol(std::string_view name, std::string_view origin) {
  const auto is_taken = [&](std::string_view other) { return FindSymbol(other).has_value(); };
  const Dim d = Symbol(UnusedName(name, is_taken), origin);
  impl_->At(d).symbol->info.is_nameless = true;
  return d;
}

Dim DimTable::IntegerSymbol(std::string_view name, std::string_view origin) {
  if (const auto it = impl_->names.find(name); it != impl_->names.end()) {
    SymbolInfo& info = impl_->entries[it->second].symbol->info;
    if (info.of_user) {
      if (info.origin.empty()) info.origin = impl_->CopyText(origin);
      return Dim::OfExpression(it->second);
    }
    info.name = {};  // one of ours holds the name: the user's goes first, ours gets another when asked
    impl_->names.erase(name);
    impl_->printed.clear();
  }
  auto symbol = std::make_unique<SymbolEntry>();
  symbol->info.name = impl_->CopyText(name);
  symbol->info.of_user = true;
  symbol->info.order = impl_->user_symbols++;
  symbol->info.origin = impl_->CopyText(origin);
  const std::string_view stored = symbol->info.name;
  const Dim d = impl_->NewSymbol(std::move(symbol));
  impl_->names.emplace(stored, d.id());
  return d;
}

Dim DimTable::Fresh(SymbolKey key, int64_t min, int64_t max, std::string_view origin) {
  ++fresh_count_;
  if (const auto it = impl_->keys.find(key); it != impl_->keys.end()) return Dim::OfExpression(it->second);
  const Dim d = Fresh(min, max, origin);
  impl_->At(d).symbol->key = key;
  impl_->At(d).symbol->keyed = true;
  impl_->keys.emplace(key, d.id());
  return d;
}

Dim DimTable::Fresh(int64_t min, int64_t max, std::string_view origin) {
  ++fresh_count_;
  auto symbol = std::make_unique<SymbolEntry>();
  symbol->info.order = static_cast<uint32_t>(impl_->entries.size());
  symbol->info.min = min;
  symbol->info.max = max;
  symbol->info.origin = impl_->CopyText(origin);
  return impl_->NewSymbol(std::move(symbol));
}

Dim DimTable::Defined(const Definition& definition, int64_t min, int64_t max) {
  std::vector<Dim> operands(definition.operands.begin(), definition.operands.end());
  for (Dim d : operands) {
    if (d.is_none()) return Dim();
  }
  if (IsCommutative(definition.operation)) std::ranges::sort(operands, {}, &Dim::bits);
  auto symbol = std::make_unique<SymbolEntry>();
  symbol->defined = true;
  symbol->definition = {definition.operation, definition.tag, operands};
  const auto candidate = static_cast<uint32_t>(impl_->entries.size());
  Entry probe{DimKind::kSymbol,
              0,
              0,
              HashDims(static_cast<uint32_t>(definition.operation) * 131 + definition.tag + 17, operands),
              kOne,
              1,
              1,
              {nullptr},
              nullptr};
  probe.symbol = symbol.get();
  impl_->entries.push_back(probe);
  const auto found = impl_->entry_index.find(candidate);
  impl_->entries.pop_back();
  if (found != impl_->entry_index.end()) return Dim::OfExpression(*found);

  const Interval bounds = IntrinsicBounds(*this, symbol->definition).Intersect(Interval::FromInt64(min, max));
  symbol->definition.operands = {impl_->Copy(std::span<const Dim>(operands)), operands.size()};
  symbol->info.order = candidate;
  symbol->info.min =
      bounds.lo <= INT64_MIN ? INT64_MIN : static_cast<int64_t>(std::min<Wide>(bounds.lo, INT64_MAX));
  symbol->info.max =
      bounds.hi >= INT64_MAX ? INT64_MAX : static_cast<int64_t>(std::max<Wide>(bounds.hi, INT64_MIN));
  const Dim d = impl_->NewSymbol(std::move(symbol));
  impl_->entries[d.id()].hash = probe.hash;
  impl_->entry_index.insert(d.id());
  return d;
}

std::optional<Dim> DimTable::FindSymbol(std::string_view name) const {
  const auto it = impl_->names.find(name);
  if (it == impl_->names.end()) return std::nullopt;
  return Dim::OfExpression(it->second);
}

std::string_view DimTable::NameOf(Dim symbol) {
  SymbolInfo& info = impl_->At(symbol).symbol->info;
  while (info.name.empty()) {
    const std::string name = "u" + std::to_string(impl_->next_made_up_name++);
    if (impl_->names.contains(name)) continue;
    info.name = impl_->CopyText(name);
    impl_->names.emplace(info.name, symbol.id());
  }
  return info.name;
}

DimKind DimTable::Kind(Dim d) const { return d.is_expression() ? impl_->At(d).kind : DimKind::kConstant; }

size_t DimTable::TermCount(Dim d) const {
  if (!d.is_expression()) return d == Dim(0) || d.is_none() ? 0 : 1;
  return impl_->At(d).kind == DimKind::kSum ? impl_->At(d).count : 1;
}

Term DimTable::GetTerm(Dim d, size_t i) const {
  StoredTerm one;
  const StoredTerm t = impl_->Terms(d, &one)[i];
  const Product& p = impl_->products[t.product];
  return {t.coefficient, {p.factors, p.count}};
}

std::span<const Dim> DimTable::Operands(Dim atom) const {
  if (!impl_->IsAtom(atom) || impl_->At(atom).kind == DimKind::kSymbol) return {};
  return {impl_->At(atom).operands, impl_->At(atom).count};
}

SymbolInfo DimTable::GetSymbol(Dim symbol) const { return impl_->At(symbol).symbol->info; }

const Definition* DimTable::GetDefinition(Dim symbol) const {
  if (Kind(symbol) != DimKind::kSymbol || !impl_->At(symbol).symbol->defined) return nullptr;
  return &impl_->At(symbol).symbol->definition;
}

const SymbolKey* DimTable::KeyOf(Dim symbol) const {
  if (Kind(symbol) != DimKind::kSymbol) return nullptr;
  const SymbolEntry& entry = *impl_->At(symbol).symbol;
  return entry.keyed ? &entry.key : nullptr;
}

std::span<const Dim> DimTable::SymbolsOf(Dim d) const {
  if (!d.is_expression()) return {};
  return {impl_->At(d).symbols, impl_->At(d).symbol_count};
}

int DimTable::Depth(Dim d) const { return d.is_expression() ? impl_->At(d).depth : 0; }

int64_t DimTable::ConstantTerm(Dim d) const {
  if (d.is_constant()) return d.constant();
  if (Kind(d) != DimKind::kSum) return 0;
  const StoredTerm& first = impl_->At(d).terms[0];
  return first.product == kOne ? first.coefficient : 0;
}

Dim DimTable::WithoutConstant(Dim d) {
  if (d.is_constant()) return 0;
  if (ConstantTerm(d) == 0) return d;
  Impl::Sum sum;
  impl_->AddScaled(&sum, d, 1);
  sum.Add(kOne, -Wide{ConstantTerm(d)});
  return impl_->Intern(sum);
}

size_t DimTable::size() const { return impl_->entries.size() - 1; }

}  // namespace dimwise
