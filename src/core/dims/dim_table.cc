#include "core/dims/dim_table.h"

#include <algorithm>
#include <string>

#include "core/base/unused_name.h"
#include "core/dims/bounds.h"
#include "dimwise/small_list.h"

namespace dimwise {
namespace {

uint32_t MixTo32(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return static_cast<uint32_t>(h >> 32) ^ static_cast<uint32_t>(h);
}

uint32_t HashDims(uint32_t seed, std::span<const Dim> dims) {
  for (Dim d : dims) seed = MixTo32(seed, static_cast<uint64_t>(d.bits()));
  return seed;
}

uint32_t HashTerms(std::span<const StoredTerm> terms) {
  uint32_t h = 7;
  for (const StoredTerm& t : terms) h = MixTo32(h, static_cast<uint64_t>(t.coefficient) * 31 + t.product);
  return h;
}

bool IsCommutative(Operation op) {
  return op == Operation::kAdd || op == Operation::kMultiply || op == Operation::kBroadcast;
}

}  // namespace

DimTable::Impl::Impl(DimTable* owner) : table(owner) {
  constexpr size_t kFew = 31;  // capacity allocated at construction
  entries.reserve(kFew + 1);
  products.reserve(kFew + 1);
  entry_index.Reserve(kFew);
  product_index.Reserve(kFew);
  entries.push_back(
      Entry{DimKind::kConstant, 0, 0, kOne, 1, 0, {nullptr}, nullptr, {nullptr}});  // ID 0: none
  products.push_back(Product{nullptr, 0});                                          // kOne
}

size_t DimTable::Impl::Probe(uint32_t hash, std::span<const StoredTerm> terms) const {
  return entry_index.Probe(hash, [&](uint32_t id) {
    const Entry& e = entries[id];
    return e.kind == DimKind::kSum && e.count == terms.size() &&
           std::equal(terms.begin(), terms.end(), e.terms, [](const StoredTerm& s, const StoredTerm& t) {
             return s.coefficient == t.coefficient && s.product == t.product;
           });
  });
}

size_t DimTable::Impl::Probe(uint32_t hash, DimKind kind, std::span<const Dim> operands) const {
  return entry_index.Probe(hash, [&](uint32_t id) {
    const Entry& e = entries[id];
    return e.kind == kind && e.count == operands.size() &&
           std::equal(operands.begin(), operands.end(), e.operands);
  });
}

std::span<const Dim> DimTable::Impl::SymbolsOf(std::span<const Dim> atoms) {
  // The list is usually short and already sorted.
  internal::SmallList<Dim, 32> found;
  for (const Dim atom : atoms) {
    if (!atom.is_expression()) continue;
    for (const Dim symbol : std::span(At(atom).symbols, At(atom).symbol_count)) found.push_back(symbol);
  }
  std::ranges::sort(found, {}, &Dim::id);
  const auto count = static_cast<size_t>(std::unique(found.begin(), found.end()) - found.begin());
  return {Copy(std::span<const Dim>(found.begin(), count)), count};
}

ProductId DimTable::Impl::InternProduct(std::span<const Dim> sorted_factors) {
  if (sorted_factors.empty()) return kOne;
  const uint32_t hash = HashDims(3, sorted_factors);
  product_index.Reserve(1);
  const size_t place = product_index.Probe(hash, [&](ProductId id) {
    const Product& p = products[id];
    return p.count == sorted_factors.size() &&
           std::equal(sorted_factors.begin(), sorted_factors.end(), p.factors);
  });
  if (const ProductId known = product_index.at(place); known != HashIndex::kNone) return known;
  const auto id = static_cast<ProductId>(products.size());
  products.push_back(Product{Copy(sorted_factors), static_cast<uint32_t>(sorted_factors.size())});
  product_index.Fill(place, hash, id);
  return id;
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
  const uint32_t hash = HashDims(static_cast<uint32_t>(kind) + 11, operands);
  entry_index.Reserve(1);
  const size_t place = Probe(hash, kind, operands);
  if (const uint32_t known = entry_index.at(place); known != HashIndex::kNone)
    return Dim::OfExpression(known);
  int depth = 0;
  uint32_t weight = 1;
  for (Dim d : operands) {
    weight += Weight(d);
    if (d.is_expression()) depth = std::max<int>(depth, At(d).depth);
  }
  const auto id = static_cast<uint32_t>(entries.size());
  const Dim self = Dim::OfExpression(id);
  const std::span<const Dim> symbols_in = SymbolsOf(operands);
  Entry e{kind,
          static_cast<uint8_t>(depth + 1),
          static_cast<uint32_t>(operands.size()),
          InternProduct(std::span<const Dim>(&self, 1)),
          weight,
          static_cast<uint32_t>(symbols_in.size()),
          {nullptr},
          symbols_in.data(),
          {nullptr}};
  e.operands = Copy(operands);
  entries.push_back(e);
  entry_index.Fill(place, hash, id);
  SortOverDefinitions(self);
  return self;
}

Dim DimTable::Impl::NewSymbol(std::unique_ptr<SymbolEntry> symbol) {
  const auto id = static_cast<uint32_t>(entries.size());
  const Dim self = Dim::OfExpression(id);
  Entry e{DimKind::kSymbol,
          0,
          0,
          InternProduct(std::span<const Dim>(&self, 1)),
          1,
          1,
          {nullptr},
          Copy(std::span<const Dim>(&self, 1)),
          {nullptr}};
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
  const uint32_t hash = HashTerms(sum.view());
  entry_index.Reserve(1);
  const size_t place = Probe(hash, sum.view());
  if (const uint32_t known = entry_index.at(place); known != HashIndex::kNone)
    return Dim::OfExpression(known);
  uint32_t weight = 0;
  int depth = 0;
  internal::SmallList<Dim, 32> atoms;
  for (const StoredTerm& t : sum.view()) {
    ++weight;
    for (const Dim factor : std::span(products[t.product].factors, products[t.product].count)) {
      weight += At(factor).weight;
      depth = std::max<int>(depth, At(factor).depth);
      atoms.push_back(factor);
    }
  }
  if (weight > kMaxWeight) return Dim();
  const auto id = static_cast<uint32_t>(entries.size());
  const std::span<const Dim> symbols_in = SymbolsOf(atoms);
  Entry e{DimKind::kSum, static_cast<uint8_t>(depth),
          sum.count,     kOne,
          weight,        static_cast<uint32_t>(symbols_in.size()),
          {nullptr},     symbols_in.data(),
          {nullptr}};
  e.terms = Copy(sum.view());
  entries.push_back(e);
  entry_index.Fill(place, hash, id);
  SortOverDefinitions(Dim::OfExpression(id));
  return Dim::OfExpression(id);
}

Dim DimTable::Impl::Find(const Sum& sum) {
  if (sum.overflow || sum.count > kMaxTerms) return Dim();
  if (sum.is_constant()) return ConstantOrNone(sum.constant_term());
  if (sum.count == 1 && sum.terms[0].coefficient == 1 && products[sum.terms[0].product].count == 1) {
    return products[sum.terms[0].product].factors[0];
  }
  const uint32_t known = entry_index.at(Probe(HashTerms(sum.view()), sum.view()));
  return known == HashIndex::kNone ? Dim() : Dim::OfExpression(known);
}

DimTable::DimTable() : impl_(std::make_unique<Impl>(this)) {}
DimTable::~DimTable() = default;

Dim DimTable::Symbol(std::string_view name, std::string_view origin) {
  const Dim d = IntegerSymbol(name, origin);
  SymbolInfo& info = impl_->At(d).symbol->info;
  if (info.min < 0) {  // values and bounds cached for any integer are invalid now
    impl_->sampled.Clear();
    impl_->intrinsic_bounds.clear();
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
    info.name = {};  // a generated symbol has this name; it is renamed on demand
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
  const uint32_t hash =
      HashDims(static_cast<uint32_t>(definition.operation) * 131 + definition.tag + 17, operands);
  const auto find = [&] {
    return impl_->entry_index.Probe(hash, [&](uint32_t id) {
      const Entry& e = impl_->entries[id];
      if (e.kind != DimKind::kSymbol) return false;
      const Definition& known = e.symbol->definition;
      return known.operation == definition.operation && known.tag == definition.tag &&
             std::ranges::equal(known.operands, operands);
    });
  };
  if (const uint32_t known = impl_->entry_index.at(find()); known != HashIndex::kNone)
    return Dim::OfExpression(known);

  auto symbol = std::make_unique<SymbolEntry>();
  symbol->defined = true;
  for (const Dim d : operands) {
    for (const Dim s : SymbolsOf(d))
      symbol->definition_depth = std::max(symbol->definition_depth, impl_->At(s).symbol->definition_depth);
  }
  // The number of float steps in a definition is limited, so their nesting does not count.
  if (definition.operation != Operation::kFloat || symbol->definition_depth == 0) ++symbol->definition_depth;
  symbol->definition = {definition.operation, definition.tag, operands};
  symbol->info.order = static_cast<uint32_t>(impl_->entries.size());
  const Interval bounds = IntrinsicBounds(*this, symbol->definition).Intersect(Interval::FromInt64(min, max));
  symbol->definition.operands = {impl_->Copy(std::span<const Dim>(operands)), operands.size()};
  symbol->info.min =
      bounds.lo <= INT64_MIN ? INT64_MIN : static_cast<int64_t>(std::min<Wide>(bounds.lo, INT64_MAX));
  symbol->info.max =
      bounds.hi >= INT64_MAX ? INT64_MAX : static_cast<int64_t>(std::max<Wide>(bounds.hi, INT64_MIN));
  const Dim d = impl_->NewSymbol(std::move(symbol));
  impl_->entry_index.Reserve(1);
  impl_->entry_index.Fill(find(), hash, d.id());
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

uint32_t DimTable::DefinitionDepth(Dim symbol) const { return impl_->At(symbol).symbol->definition_depth; }

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
