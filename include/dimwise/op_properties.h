// OpProperties holds what a rule declares about an operator beside the shapes of its results (docs/rules.md,
// "Properties"). The analyses read these declarations, so they contain no name of an operator.
//
// Operands and results are given by the index of their argument in OpDef::inputs and OpDef::outputs. A
// variadic argument covers several operands of a node: FlatRangeOf (op_def.h) returns which.
//
// An expression is an index into the expressions of the rule. EvaluateProperty
// (infer/operators/rule_function.h) computes expressions for the operands and attributes of one call.
//
// Thread safety: values; distinct objects may be used from distinct threads.
#ifndef DIMWISE_OP_PROPERTIES_H_
#define DIMWISE_OP_PROPERTIES_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dimwise {

using PropertyExpr = int32_t;
inline constexpr PropertyExpr kNoExpr = -1;

using ArgIndex = int16_t;
inline constexpr ArgIndex kNoArg = -1;

// What an operator computes, for analyses that follow values through it. Every kind has one result,
// elementwise after broadcasting unless stated otherwise.
enum class Computation : uint8_t {
  kNothingSpecial,
  kIdentity,  // the operand
  kCast,      // the operand in the element type of the result
  kNot,
  kAnd,
  kOr,
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kAdd,
  kSubtract,
  kMultiply,
  kAbsolute,
  kPositivePart,  // max(x, 0)
  kMaximum,       // of all operands
  kMinimum,       // of all operands
  kClamp,         // x, low, high; an absent bound does not limit
  kSelect,        // condition, then, otherwise
  kConstant,      // no operands: the contents of a constant result
  kConcat,        // the operands one after another along the axis `concat_axis`
};

// A part of a call that determines a data-dependent size. Attributes always count.
struct SizeSource {
  enum class Part : uint8_t {
    kShape,       // the sizes of an operand, not its elements
    kElements,    // the elements of an operand, with its sizes
    kTrueCount,   // the number of true (or nonzero) elements, among the first `expr` elements if given
    kExpression,  // the value of an integer expression
  };
  Part part = Part::kElements;
  ArgIndex operand = kNoArg;    // not for kExpression
  PropertyExpr expr = kNoExpr;  // kExpression, kTrueCount
  bool operator==(const SizeSource&) const = default;
};

// The elements of `indices` index an axis of `data`. An index outside makes the operator fail.
struct IndexUse {
  ArgIndex data = kNoArg, indices = kNoArg;  // operands
  PropertyExpr axis = kNoExpr;               // from 0
  bool tuples = false;    // the last axis of `indices` holds tuples; element k of a tuple indexes axis + k
  bool negative = false;  // an index below 0 counts from the end
  bool slices = false;    // each index takes a whole slice of `data`; the slices are the result
  bool operator==(const IndexUse&) const = default;
};

// The origin of the elements of a result. With several operands: any of them.
struct ElementSource {
  enum class Kind : uint8_t {
    kSame,      // each element of the operand once, in the same order (row by row)
    kPermuted,  // each element of the operand once
    kAll,       // only elements of the operand; each of them at least once if the result is not empty
    kSome,      // only elements of the operand
    kAtMost,    // elements that are at most the greatest element of the operand
    kAtLeast,   // elements that are at least the least element of the operand
    kSums,      // sums of `count` elements of the operand
  };
  Kind kind = Kind::kSome;
  ArgIndex result = 0;
  std::vector<ArgIndex> operands;
  PropertyExpr count = kNoExpr;  // kSums
  bool operator==(const ElementSource&) const = default;
};

// An interval of the elements of a result. Either end may be missing.
struct ElementBounds {
  ArgIndex result = 0;
  PropertyExpr low = kNoExpr, high = kNoExpr;
  bool exact = false;  // both ends are elements of the result if it is not empty
  bool operator==(const ElementBounds&) const = default;
};

// Row k of the result [rank, count] holds the index along axis k of each element of `operand` that is not 0.
struct ElementIndices {
  ArgIndex result = 0, operand = kNoArg;
  bool operator==(const ElementIndices&) const = default;
};

// ---- Control flow ----

// A value that a region takes as an input or gives as an output, or that a node gives as a result. All values
// of one kind are adjacent and in the same order everywhere.
enum class RegionItem : uint8_t {
  kTrip,       // one value: the number of the trip, `first` + trip * `step`
  kCondition,  // one value. As an output: whether another trip follows. As an input: true
  kState,      // values that a trip passes to the next trip; after the last trip, the results
  kElement,    // slices of the scanned operands; of a map, elements of the sequences
  kStacked,    // values of each trip, stacked along an axis outside
  kForwarded,  // values that the condition region passes to the body, and to the results after the last trip
  kArgument,   // operands that the regions take unchanged
};

struct RegionLayout {
  std::string region;  // the attribute that holds the region; empty: there is none
  std::vector<RegionItem> takes, gives;
  bool operator==(const RegionLayout&) const = default;
};

// How a node runs its regions. The values of enclosing regions are invariant. If a region is missing, or an
// attribute is no graph, the results are unknown.
//
// kBranch: exactly one region runs, once. A condition that is true selects `if_true`. With `cases`, the
//     condition is the index of a region; an index outside selects the last one.
// kLoop: the loop ends before a trip if `limit` trips were made (if given), or if the condition is false. The
//     condition is the operand `condition` (absent: true) before the first trip, and an output of the body
//     later. A `condition_region` computes it from the state instead; it runs once more than the body. If
//     there is no trip, the state has its initial values and stacked results are empty.
// kScan: one trip for each index along the scanned axes, which have equal sizes.
// kMap: the body runs for each element of the operands that are sequences; the results are sequences of the
//     same length.
struct ControlFlow {
  enum class Kind : uint8_t { kNone, kBranch, kLoop, kScan, kMap };
  Kind kind = Kind::kNone;

  // Operands.
  ArgIndex condition = kNoArg;  // kBranch, kLoop
  ArgIndex limit = kNoArg;      // kLoop: the loop ends when first + trip * step reaches it
  ArgIndex first = kNoArg;      // kLoop: the number of the first trip; absent: 0
  ArgIndex step = kNoArg;       // kLoop: the difference of successive trip numbers; absent: 1
  ArgIndex state = kNoArg;      // initial values; the first of several if variadic
  ArgIndex scanned = kNoArg;    // kScan, kMap
  ArgIndex arguments = kNoArg;  // operands for RegionItem::kArgument
  ArgIndex lengths = kNoArg;    // kScan: trips of each sample of a batch; shapes do not depend on it

  // The state and the scanned operands may be one variadic argument: this number of last operands is scanned.
  PropertyExpr scanned_count = kNoExpr;
  PropertyExpr most_trips = kNoExpr;  // kLoop: a limit of trips from attributes

  // Attributes: a list of integers, one for each scanned operand or stacked result. An absent list means 0s.
  std::string axes, result_axes;  // the axis that is scanned, or on which results are stacked
  std::string directions;         // not 0: from the last to the first

  bool batched = false;        // a first axis of all operands and results is a batch
  bool pads_to_limit = false;  // stacked results are as long as the limit of trips, not as the trips

  RegionLayout if_true, if_false;  // kBranch; without a layout they take nothing and give the results
  std::string cases;               // kBranch: an attribute with a list of regions, in place of the two
  RegionLayout body;
  RegionLayout condition_region;
  std::vector<RegionItem> results;
  bool operator==(const ControlFlow&) const = default;
};

// ---- What `generalize` may rewrite ----

// An operand (argument index) or an attribute.
struct NumbersAt {
  ArgIndex operand = kNoArg;
  std::string attribute;
  bool given() const { return operand != kNoArg || !attribute.empty(); }
  bool operator==(const NumbersAt&) const = default;
};

// An operand or attribute whose numbers decide sizes of the first result.
struct SizesUse {
  enum class Kind : uint8_t {
    kDecides,  // by a formula
    kReshape,  // they are the sizes of the result; -1 is what is left, 0 copies an axis of `data`
    kResize,   // they are the sizes of the result along `axes` (absent: all axes), whatever `data` has
    kSlice,    // they are the ends of slices along `axes` (absent: the first axes), which begin at `starts`
  };
  Kind kind = Kind::kDecides;
  NumbersAt sizes;
  ArgIndex data = kNoArg;
  NumbersAt starts, axes;
  PropertyExpr zero_copies = kNoExpr;  // kReshape: 0 copies an axis only if this is not 0
  bool operator==(const SizesUse&) const = default;
};

struct OpProperties {
  bool random = false;       // two calls with the same operands may give different results
  bool commutative = false;  // the first two operands may be exchanged
  std::string mirrored;      // "set.Name": this operator on the operands in reverse order (Less and Greater)
  Computation computes = Computation::kNothingSpecial;
  PropertyExpr concat_axis = kNoExpr;  // kConcat

  std::vector<SizeSource> size_sources;  // empty: all operands determine a data-dependent size
  std::vector<IndexUse> indexes;
  std::vector<ElementSource> element_sources;
  std::vector<ElementBounds> element_bounds;
  std::vector<ElementIndices> element_indices;

  // What a data-dependent size counts: "the number of boxes that {node} keeps", where {node} is the call.
  std::string unknown;

  ControlFlow control_flow;
  PropertyExpr multiply_adds = kNoExpr;

  std::vector<SizesUse> sizes;
  std::vector<ArgIndex> repeats;  // operands that may be repeated along an axis of size 1

  bool operator==(const OpProperties&) const = default;

  // The source of the elements of a result, or null.
  const ElementSource* SourceOf(ArgIndex result) const {
    const auto it = std::ranges::find(element_sources, result, &ElementSource::result);
    return it == element_sources.end() ? nullptr : &*it;
  }
  const ElementBounds* BoundsOf(ArgIndex result) const {
    const auto it = std::ranges::find(element_bounds, result, &ElementBounds::result);
    return it == element_bounds.end() ? nullptr : &*it;
  }
};

}  // namespace dimwise

#endif  // DIMWISE_OP_PROPERTIES_H_
