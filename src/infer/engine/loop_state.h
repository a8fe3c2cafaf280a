// What is carried from one trip of a loop to the next, and what is left of it after the last.
//
// The body runs with the initial types and contents. Where a size leaves it other than it came in, the size
// is made a symbol, and the body runs again; after a few rounds nothing new changes, and what the body does
// to an arbitrary size is known. Where the number of trips is certain, these have an answer: the size grows
// by the same amount in each trip (initial + trips * amount), or by one that the number of the trip decides
// (loop_growth.h), or as far as a bound, or from the second trip on; it becomes something that does not
// depend on what it was (that, or the initial size if there may be no trip); or a few trips are gone through
// one by one (loop_steps.h). Else it is as much as a trip may add or take, for each of the trips that there
// may be. Contents are treated alike; a size or number that no trip makes less than it was at first, or
// negative, is never less, as the body is told. Of a rank that changes only the last holds: the body runs for
// each of the few trips.
#ifndef DIMWISE_INFER_ENGINE_LOOP_STATE_H_
#define DIMWISE_INFER_ENGINE_LOOP_STATE_H_

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/condition.h"
#include "dimwise/graph.h"
#include "dimwise/inference_context.h"
#include "infer/engine/loop_growth.h"
#include "infer/engine/loop_steps.h"
#include "infer/engine/region_ops.h"
#include "infer/engine/trip_count.h"

namespace dimwise {

class Engine;

// The role of the symbols that stand for the number of a trip.
inline constexpr uint32_t kTripRole = 0x1F000000u;

// How often a body runs.
struct Trips {
  Dim count;             // the number, or a symbol for it
  bool certain = false;  // `count` is what the program says, not an unknown within bounds
  Dim most;              // none: no bound
  int64_t least = 0;
};

// What a body is given: in the order of its parameters.
struct BodyInputs {
  std::vector<Type> types;
  std::vector<Value> contents;
};

class LoopState {
 public:
  LoopState(Engine& engine, RegionId body, InferenceContext* context);

  // A value that is carried; in the order of the body's parameters from `first_parameter`, and of its outputs
  // from `first_output`.
  void Carry(Type type, Value contents);
  // Runs the body until what comes in covers what goes out. The other parameters come before (and after)
  // those carried.
  Status Run(std::vector<Type> before, std::vector<Value> before_contents, std::vector<Type> after,
             size_t first_output, bool certain);

  // Goes through the trips where something that is carried has not the same rank in each, and they are few;
  // `before` tells what comes before what is carried in a trip. The body is left as Run left it.
  Status GoThrough(const Trips& trips, FunctionRef<BodyInputs(Dim trip)> before);

  // What decides whether there is a trip: the first one is made where `start` is 1, each other one where all
  // of the body's `parts` were true that are known.
  void set_conditions(Dim start, std::vector<ValueId> parts) {
    start_ = start;
    parts_ = std::move(parts);
  }

  size_t size() const { return states_.size(); }
  // The number of the trip, from 0, as the body sees it.
  // `limit`, where it is known: in the body its number is less.
  void set_trip(Dim symbol, Dim limit) {
    trip_ = symbol;
    limit_ = limit;
    steps_.set_trip(symbol);
    growth_.set_trip(symbol);
  }
  // After the last trip.
  Type FinalType(size_t state, const Trips& trips);
  Value FinalContents(size_t state, const Trips& trips);
  // The integers and sizes that grow by the same amount in each trip.
  std::vector<LoopCounter> Counters();
  // Requires, outside, what the nodes of the body require of carried values in trips that there are for
  // certain.
  Status RequireInTrips(const Trips& trips);
  // A type as seen from outside: what depends on the trip is unknown there.
  Type Outside(const Type& type);
  // The same of what is collected from all trips: it has the sizes of the first, if there is one.
  Type OfEachTrip(const Type& type, const Trips& trips);

 private:
  // A size or number that is another one when a trip begins with it than at first.
  struct Carried {
    size_t state;
    int axis;  // -1: a number of its contents
    Dim initial, entering, leaving;
  };
  struct State {
    Type initial, entering, leaving;
    Value initial_contents, entering_contents, leaving_contents;
    bool open = false;         // nothing is kept but the element type
    std::optional<Type> last;  // after the last trip, if all of them were gone through
  };

  bool Generalize(size_t state);
  bool AssumeBounds(int changes_left);
  Clause TripIsWithinLimit();
  bool Tell(std::vector<Clause> clauses);
  std::vector<Carried> AllCarried() const;
  std::vector<Clause> BoundsThatHold();
  void AddConditions(std::vector<Clause>* clauses);
  Type WithOwnSizes(size_t state, const Type& type);
  Type WithOwnLength(size_t state, const Type& type);
  Dim SizeSymbol(size_t state, size_t axis);
  Dim ElementSymbol(size_t state, size_t element);
  Dim BoundedSymbol(size_t state, size_t element, int64_t least);
  Dim GeneralizedNumber(size_t state, size_t element, Dim x, Dim y);
  Dim FinalSize(Dim initial, Dim entering, Dim leaving, const Trips& trips, bool is_size);
  Dim AfterTheFirst(Dim initial, Dim last, const Trips& trips);
  Dim AfterAnotherFirst(Dim initial, Dim entering, Dim leaving, const Trips& trips);
  Dim UpToABound(Dim initial, Dim entering, Dim leaving, const Trips& trips);
  bool AddsTheSame(Dim amount);
  bool AddsTheSame(Dim amount, Dim next, ScopeId scope, int cases);
  Dim BoundOfAmount(Dim amount, bool is_upper);
  Dim Within(Dim initial, Dim entering, Dim leaving, const Trips& trips, bool is_size);
  Dim SizeInSteps(Dim initial, Dim entering, const Trips& trips);
  void TakeSteps();
  std::optional<Condition> InTrip(int64_t trip, const Condition& condition);
  bool IsAtLeast(const Trips& trips, int64_t number) const;
  Dim Unknown(Dim entering, bool is_size);

  Engine& engine_;
  const RegionId body_;
  InferenceContext* context_;
  std::vector<State> states_;
  Dim trip_;  // none: the body is not told
  Dim limit_;
  Dim start_;
  std::vector<ValueId> parts_;
  LoopSteps steps_;
  LoopGrowth growth_;
  BodyInputs inputs_;  // of the last run
  size_t first_output_ = 0;
  RegionRuns runs_ = RegionRuns::kMaybe;  // the body
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_LOOP_STATE_H_
