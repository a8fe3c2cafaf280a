#include "dimwise/type.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <deque>

#include "core/base/hash_mix.h"

namespace dimwise {
namespace {

uint64_t HashType(uint64_t hash, const Type& type) {
  hash = HashMix(hash, uint64_t{static_cast<uint8_t>(type.kind)} << 16 |
                           uint64_t{static_cast<uint8_t>(type.element)} << 8 | type.storage.bits());
  if (!type.shape.is_none()) hash = HashMix(hash, type.shape.id());
  return HashMix(hash, reinterpret_cast<uintptr_t>(type.container));
}

struct ContainerHash {
  size_t operator()(const Container* c) const {
    uint64_t hash = HashMix(static_cast<uint64_t>(c->kind), static_cast<uint64_t>(c->key));
    hash = HashMix(hash, static_cast<uint64_t>(c->length.bits()));
    for (const Type& element : c->elements) hash = HashType(hash, element);
    for (Dim d : c->each) hash = HashMix(hash, static_cast<uint64_t>(d.bits()));
    return static_cast<size_t>(hash);
  }
};

struct ContainerEqual {
  bool operator()(const Container* a, const Container* b) const { return a == b || *a == *b; }
};

bool HasLength(TypeKind kind) { return kind == TypeKind::kSequence || kind == TypeKind::kMap; }

// Returns whether one type applies to all elements.
bool HasSharedElementType(const Container& c) { return HasLength(c.kind) && c.elements.size() == 1; }

struct Renamed {
  Dim from, to;
};

// Renames symbols in types and optionally replaces unknown shapes by new ones.
class Renaming {
 public:
  Renaming(DimTable& dims, ShapeTable& shapes, TypeTable& types, std::vector<Renamed> symbols)
      : dims_(dims), shapes_(shapes), types_(types), symbols_(std::move(symbols)) {
    for (const Renamed& r : symbols_) known_[r.from] = r.to;
  }

  Type Of(Type type, bool new_unknowns) {
    if (type.container != nullptr) return OfContainer(*type.container, new_unknowns);
    if (!type.shape.is_none()) type.shape = Of(type.shape, new_unknowns);
    return type;
  }

 private:
  Type OfContainer(Container inside, bool new_unknowns) {
    // An each-dimension of an inner container hides an outer symbol.
    const auto hidden = [&](const Renamed& r) {
      return std::ranges::find(inside.each, r.from) != inside.each.end();
    };
    inside.length = Of(inside.length);
    // If one type applies to all elements, its unknown shapes are renewed when an element is taken out.
    const bool renew = new_unknowns && !HasSharedElementType(inside);
    if (std::ranges::any_of(symbols_, hidden)) {
      std::vector<Renamed> visible = symbols_;
      std::erase_if(visible, hidden);
      Renaming inner(dims_, shapes_, types_, std::move(visible));
      for (Type& element : inside.elements) element = inner.Of(element, renew);
    } else {
      for (Type& element : inside.elements) element = Of(element, renew);
    }
    return types_.Make(std::move(inside));
  }

  Shape Of(Shape shape, bool new_unknowns) {
    if (!shape.has_rank()) {
      if (!new_unknowns) return shape;
      const auto [it, added] = unknowns_.try_emplace(shape);
      if (added) it.value() = shapes_.Unknown(shape.min_rank(), shape.max_rank());
      return it.value();
    }
    if (shape.is_constant()) return shape;
    std::vector<Dim> sizes;
    for (Dim d : shape.dims()) sizes.push_back(Of(d));
    return shapes_.Make(sizes);
  }

  Dim Of(Dim d) {
    if (!d.is_expression() || symbols_.empty()) return d;
    RenameDefined(d);
    return Substitute(d);
  }

  Dim Substitute(Dim d) {
    return dims_.Substitute(d, [&](Dim atom) {
      const auto it = known_.find(atom);
      return it == known_.end() ? Dim() : it->second;
    });
  }

  // A defined symbol with a renamed operand becomes a new symbol. Definitions are renamed from the oldest to
  // the newest, because chains of definitions have any length and an operand is older than its symbol.
  void RenameDefined(Dim d) {
    std::vector<Dim> pending(dims_.SymbolsOf(d).begin(), dims_.SymbolsOf(d).end()), defined;
    while (!pending.empty()) {
      const Dim symbol = pending.back();
      pending.pop_back();
      const Definition* definition = dims_.GetDefinition(symbol);
      if (definition == nullptr || !known_.try_emplace(symbol).second) continue;
      defined.push_back(symbol);
      for (Dim operand : definition->operands) {
        const std::span<const Dim> inside = dims_.SymbolsOf(operand);
        pending.insert(pending.end(), inside.begin(), inside.end());
      }
    }
    std::ranges::sort(defined, {}, &Dim::id);
    for (Dim symbol : defined) {
      const Definition definition = *dims_.GetDefinition(symbol);
      std::vector<Dim> operands;
      for (Dim operand : definition.operands) operands.push_back(Substitute(operand));
      if (std::ranges::equal(operands, definition.operands)) continue;
      const SymbolInfo info = dims_.GetSymbol(symbol);
      known_[symbol] = dims_.Defined({definition.operation, definition.tag, operands}, info.min, info.max);
    }
  }

  DimTable& dims_;
  ShapeTable& shapes_;
  TypeTable& types_;
  std::vector<Renamed> symbols_;
  tsl::robin_map<Dim, Dim> known_;  // the new symbol; none: unchanged
  tsl::robin_map<Shape, Shape> unknowns_;
};

// Returns the join of the types; a size that differs becomes `fresh` of none. REQUIRES: there is at least one
// type.
Type Shared(ShapeTable& shapes, std::span<const Type> types, const std::function<Dim(Dim each)>& fresh) {
  Type shared = types[0];
  for (const Type& type : types) {
    if (type.kind != shared.kind || type.container != shared.container) return {};
    if (type.element != shared.element) shared.element = ElementType::kUnknown;
    if (type.storage != shared.storage) shared.storage = Storage::Unknown();
  }
  if (std::ranges::all_of(types, [&](const Type& t) { return t.shape == shared.shape; })) return shared;
  int min_rank = kMaxRank, max_rank = 0;
  for (const Type& type : types) {
    min_rank = std::min(min_rank, type.shape.is_none() ? 0 : type.shape.min_rank());
    max_rank = std::max(max_rank, type.shape.is_none() ? kMaxRank : type.shape.max_rank());
  }
  if (min_rank != max_rank) {
    shared.shape = shapes.Unknown(min_rank, max_rank);
    return shared;
  }
  std::vector<Dim> sizes;
  for (int axis = 0; axis < min_rank; ++axis) {
    const Dim first = types[0].shape[axis];
    const bool same = std::ranges::all_of(types, [&](const Type& t) { return t.shape[axis] == first; });
    sizes.push_back(same ? first : fresh(Dim()));
  }
  shared.shape = shapes.Make(sizes);
  return shared;
}

}  // namespace

struct TypeTable::Impl {
  std::deque<Container> containers;
  tsl::robin_set<const Container*, ContainerHash, ContainerEqual> index;
};

TypeTable::TypeTable() : impl_(std::make_unique<Impl>()) {}
TypeTable::~TypeTable() = default;

Type TypeTable::Make(Container container) {
  std::vector<Type>& elements = container.elements;
  if (elements.empty() && container.kind != TypeKind::kHandle) elements.emplace_back();
  if (container.kind == TypeKind::kSequence && elements.size() > 1) {
    container.length = static_cast<int64_t>(elements.size());
    if (std::ranges::count(elements, elements[0]) == std::ssize(elements)) elements.resize(1);
  }
  if (container.kind == TypeKind::kOptional || container.kind == TypeKind::kMap) elements.resize(1);
  if (container.kind != TypeKind::kMap) container.key = ElementType::kUnknown;
  if (!HasLength(container.kind)) {
    container.length = Dim();
    container.each.clear();
  }
  std::ranges::sort(container.each, {}, &Dim::bits);
  container.each.erase(std::unique(container.each.begin(), container.each.end()), container.each.end());

  Type type;
  type.kind = container.kind;
  const auto found = impl_->index.find(&container);
  if (found != impl_->index.end()) {
    type.container = *found;
  } else {
    type.container = &impl_->containers.emplace_back(std::move(container));
    impl_->index.insert(type.container);
  }
  return type;
}

Type TypeTable::Sequence(Type element, Dim length, std::vector<Dim> each) {
  return Make({TypeKind::kSequence, ElementType::kUnknown, length, {element}, std::move(each)});
}

Type TypeTable::Optional(Type element) {
  return Make({TypeKind::kOptional, ElementType::kUnknown, {}, {element}, {}});
}

Type TypeTable::Map(ElementType key, Type element) { return Make({TypeKind::kMap, key, {}, {element}, {}}); }

Type TypeTable::Handle(std::span<const Type> behind) {
  return Make({TypeKind::kHandle, ElementType::kUnknown, {}, {behind.begin(), behind.end()}, {}});
}

Type TypeTable::TakeElement(DimTable& dims, ShapeTable& shapes, Type container,
                            const std::function<Dim(Dim each)>& fresh, int64_t place) {
  if (container.container == nullptr) return {};
  const Container& inside = *container.container;
  const std::vector<Type>& elements = inside.elements;
  if (elements.empty()) return {};
  const int64_t count = HasSharedElementType(inside)
                            ? (inside.length.is_constant() ? inside.length.constant() : INT64_MAX)
                            : std::ssize(elements);
  if (place >= count) return {};
  Type element = elements[0];
  if (elements.size() > 1) {
    element = place >= 0 ? elements[static_cast<size_t>(place)] : Shared(shapes, elements, fresh);
  }
  std::vector<Renamed> symbols;
  for (Dim symbol : inside.each) symbols.push_back({symbol, fresh(symbol)});
  return Renaming(dims, shapes, *this, std::move(symbols)).Of(element, HasSharedElementType(inside));
}

}  // namespace dimwise
