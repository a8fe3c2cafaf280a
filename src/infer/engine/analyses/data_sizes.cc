#include "infer/engine/analyses/data_sizes.h"

#include <algorithm>

#include "core/base/hash_mix.h"
#include "core/types/known_parts.h"
#include "infer/engine/analyses/property_values.h"
#include "infer/engine/analyses/size_namer.h"

namespace dimwise {
namespace {

constexpr uint64_t kSharedSizePath = 0x7368617265640000u;

// The first word of a key, which determines the meaning of the other words.
enum KeyTag : uint64_t {
  kKeyOfTrueCount,  // region, number of the mask
  kKeyOfSources,    // region, operator and attributes, declared sources
  kKeyOfElements,   // region, operator and attributes, elements of all operands
  kKeyOfOperands,   // region, operator and attributes, value IDs of all operands
};
// The first word of a source, or of a part of it.
enum SourceTag : uint64_t { kSourceShape, kSourceNumber, kSourceValue, kSourceExpression, kSourceCount };

}  // namespace

UnknownOwners::Owner UnknownOwners::OwnerOf(std::span<const uint64_t> key, NodeId node) {
  const uint32_t number = keys_.NumberOf(key);
  if (number > owners_.size()) owners_.push_back({node, keys_of_first_[Index(node)]++});
  return owners_[number - 1];
}

// ---- Shared unknowns ----

void DataSizes::Describe(NodeId node, NodeDescription* description) {
  if (!MayShareUnknowns(node, *description)) return;
  described_ = node;
  identity_.reset();
  description->shared_unknowns = this;
  // Declared sources are evaluated now: while the rule runs, no other expression can be evaluated.
  if (!state_.operators.Resolve(node).properties->size_sources.empty()) Identity();
}

UnknownIdentity DataSizes::Identity() {
  if (identity_) return *identity_;
  BuildKey(described_);
  const UnknownOwners::Owner owner = owners_->OwnerOf(key_, described_);
  const uint64_t id = uint64_t{Index(owner.first)} << 32 | owner.ordinal;
  const OwnerId caller = state_.site.owner;
  identity_ = {HashMix(HashMix(kSharedSizePath, state_.site.path), id),
               caller != 0 ? caller : Index(owner.first) + 1};
  return *identity_;
}

bool DataSizes::MayShareUnknowns(NodeId node, const NodeDescription& description) const {
  const OpDef* def = description.op;
  return state_.options.analyses.data_dependent_sizes && state_.hooks == nullptr && !state_.has_cuts &&
         def != nullptr && !def->stateful && !def->properties.random && !graph_.operands(node).empty() &&
         !graph_.carries_regions(node) && graph_.attr_references(node).empty();
}

void DataSizes::BuildKey(NodeId node) {
  const std::vector<SizeSource>& sources = state_.operators.Resolve(node).properties->size_sources;
  const uint64_t region = Index(graph_.region(node));
  const uint64_t op = uint64_t{Index(graph_.op_of(node))} << 32 | Index(graph_.attrs_of(node));
  const std::span<const ValueId> operands = graph_.operands(node);
  if (sources.empty()) {
    key_ = {kKeyOfOperands, region, op};
    for (const ValueId v : operands) key_.push_back(Index(v));
    return;
  }
  std::vector<Dim> expressions;
  for (const SizeSource& source : sources)
    expressions.push_back(PropertyValue(state_, node, source.expr, ResultTypes::kUnknown));
  if (const ValueId mask = OnlyCountedMask(node, sources, expressions); mask != kNoValue) {
    key_ = {kKeyOfTrueCount, region, static_cast<uint64_t>(numbering_.NumberOfCountedMask(mask))};
    return;
  }
  key_ = {kKeyOfSources, region, op};
  if (AppendSources(node, sources, expressions)) return;
  key_ = {kKeyOfElements, region, op};
  for (const ValueId v : operands) AppendElements(v);
}

// Returns the mask if the number of its true elements alone determines the size, whatever the operator is;
// kNoValue otherwise.
ValueId DataSizes::OnlyCountedMask(NodeId node, std::span<const SizeSource> sources,
                                   std::span<const Dim> expressions) const {
  if (!numbering_.is_on()) return kNoValue;
  ValueId mask = kNoValue;
  for (size_t i = 0; i < sources.size(); ++i) {
    const bool is_zero = sources[i].part == SizeSource::Part::kExpression && expressions[i] == Dim(0);
    if (is_zero) continue;
    if (sources[i].part != SizeSource::Part::kTrueCount || mask != kNoValue) return kNoValue;
    mask = OnlyOperandOf(state_, node, sources[i].operand);
    if (mask == kNoValue) return kNoValue;
    if (sources[i].expr != kNoExpr && !HasAtMost(mask, expressions[i])) return kNoValue;
  }
  return mask;
}

// Returns whether a tensor has at most this number of elements, whatever the sizes are.
bool DataSizes::HasAtMost(ValueId value, Dim number) const {
  const Type type = state_.type(value);
  if (!IsRanked(type) || number.is_none()) return false;
  DimTable& dims = state_.analysis.dims();
  Dim count = 1;
  for (const Dim size : type.shape.dims()) count = dims.Multiply(count, size);
  const Dim more = dims.Subtract(number, count);
  return more.is_constant() && more.constant() >= 0;
}

// Returns false if an expression is unknown; then the key does not determine the sizes.
bool DataSizes::AppendSources(NodeId node, std::span<const SizeSource> sources,
                              std::span<const Dim> expressions) {
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].part == SizeSource::Part::kExpression) {
      if (expressions[i].is_none()) return false;
      if (expressions[i] == Dim(0)) continue;
      key_.insert(key_.end(), {kSourceExpression, static_cast<uint64_t>(expressions[i].bits())});
      continue;
    }
    if (sources[i].expr != kNoExpr) {  // only the first elements count
      if (expressions[i].is_none()) return false;
      key_.insert(key_.end(), {kSourceExpression, static_cast<uint64_t>(expressions[i].bits())});
    }
    const std::span<const ValueId> operands = OperandsOf(state_, node, sources[i].operand);
    key_.insert(key_.end(), {kSourceCount, operands.size()});
    for (const ValueId v : operands) {
      const Type type = v == kNoValue ? Type() : state_.type(v);
      const bool has_shape = type.is_tensor() && !type.shape.is_none();
      if (sources[i].part == SizeSource::Part::kShape && has_shape) {
        key_.insert(key_.end(), {kSourceShape, type.shape.id()});
      } else {
        // With other sources, the order of the elements of a mask may matter too.
        AppendElements(v);
      }
    }
  }
  return true;
}

void DataSizes::AppendElements(ValueId value) {
  if (numbering_.is_on()) {
    key_.insert(key_.end(), {kSourceNumber, static_cast<uint64_t>(numbering_.NumberOf(value))});
  } else {
    key_.insert(key_.end(), {kSourceValue, Index(value)});
  }
}

// ---- Sizes that unknown integers determine ----

bool DataSizes::MayNameSizes(NodeId node, const InferenceContext& context) const {
  return state_.options.analyses.data_dependent_sizes && state_.options.program_is_fixed &&
         state_.options.contents && state_.hooks == nullptr && state_.site.owner == 0 && !state_.has_cuts &&
         state_.operators.Resolve(node).may_trace && state_.RunsAtMostOnce(graph_.region(node)) &&
         context.guards().empty();
}

std::vector<DataSizes::UnknownSize> DataSizes::UnknownSizesOf(const InferenceContext& context,
                                                              size_t results) {
  std::vector<UnknownSize> sizes;
  for (size_t i = 0; i < results; ++i) {
    const Type type = context.full_output_type(static_cast<int64_t>(i));
    for (int axis = 0; IsRanked(type) && axis < type.shape.rank(); ++axis) {
      if (SizeNamer::IsOwn(context, type.shape[axis])) sizes.push_back({i, axis, type.shape[axis], Dim()});
    }
  }
  return sizes;
}

void DataSizes::RefineSizes(NodeId node, InferenceContext* context) {
  if (!MayNameSizes(node, *context)) return;
  const size_t count = graph_.results(node).size();
  std::vector<UnknownSize> unknown = UnknownSizesOf(*context, count);
  if (unknown.empty()) return;
  std::vector<Type> types(count);
  std::vector<Value> contents(count);
  IntegerSearch search(state_, numbering_);
  if (!search.Evaluate(node, types, contents)) return;
  for (UnknownSize& size : unknown) {
    const Type& type = types[size.result];
    if (IsRanked(type) && size.axis < type.shape.rank()) size.expression = type.shape[size.axis];
  }
  for (const auto& [integer, limit] : search.limits())
    context->Ensure(AtMost(state_.analysis.dims(), integer, limit));
  SizeNamer namer(context, search.limits(), [&](Dim integer) { return sizes_read_.contains(integer); });
  // Sizes that are just an integer come first: they show that the integer is a size, so an expression in it
  // may be one too.
  std::stable_partition(unknown.begin(), unknown.end(),
                        [&](const UnknownSize& size) { return namer.IsUnknownInteger(size.expression); });
  for (const UnknownSize& size : unknown) {
    if (namer.IsUnknownInteger(size.expression)) {
      namer.AddSize(size.expression);
      if (graph_.region(node) == graph_.body()) sizes_read_.insert(size.expression);
    }
    const Dim named = namer.Name(size.expression, size.own);
    if (named.is_none()) continue;
    Type type = context->full_output_type(static_cast<int64_t>(size.result));
    std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
    sizes[static_cast<size_t>(size.axis)] = named;
    type.shape = state_.analysis.shapes().Make(sizes);
    context->set_full_output_type(static_cast<int64_t>(size.result), type);
  }
}

}  // namespace dimwise
