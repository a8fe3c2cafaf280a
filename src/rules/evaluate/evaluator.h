// Evaluates a compiled rule.
//
// One evaluator serves all uses. Sizes are Dims. At run time all sizes are constant, so arithmetic is on
// integers and the host may be null. During inference, symbolic sizes use the tables and facts of the host.
// Backward inference is a forward evaluation with symbols for unknown operand sizes; the caller merges the
// results with the known results. Only ranks and element types flow from known results to operands here.
//
// Memory: slots, lists and conditions are in buffers that are reused, so that a run allocates nothing once
// they have grown. Results are valid until the next run.
#ifndef DIMWISE_RULES_EVALUATE_EVALUATOR_H_
#define DIMWISE_RULES_EVALUATE_EVALUATOR_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/wide.h"
#include "core/dims/float_step.h"
#include "dimwise/analysis.h"
#include "dimwise/attr_value.h"
#include "dimwise/small_list.h"
#include "rules/compile/code.h"
#include "rules/evaluate/application.h"
#include "rules/evaluate/rule_host.h"
#include "rules/evaluate/unknown.h"

namespace dimwise::rules {

// A list of integers whose length may be unknown.
struct List {
  const Dim* data = nullptr;
  int count = 0;             // -1: unknown
  int min_count = 0;         // if the count is unknown
  Shape shape;               // the shape that the list represents completely, or none
  int max_count = kMaxRank;  // if the count is unknown

  bool known() const { return count >= 0; }
  std::span<const Dim> view() const { return {data, static_cast<size_t>(count < 0 ? 0 : count)}; }
};

inline constexpr Dim kMarked{1};

inline constexpr List kUnknownList{nullptr, -1, 0, {}};

// The sizes of one shape, without heap memory for usual ranks.
using SizeList = internal::SmallList<Dim, 16>;

class Evaluator {
 public:
  // Evaluates the rule. An error is certain. `outcome` is set on success.
  Status Run(const RuleCode& code, const Application& application, RuleHost* host, Outcome* outcome);

  // Evaluates an integer expression of the properties of a rule, without requirements. Returns null if the
  // value is unknown, or if it is not certain which alternative applies. REQUIRES: host is not null, and
  // expression is not kNoExpr.
  Dim RunExpression(const RuleCode& code, const Application& application, RuleHost* host,
                    PropertyExpr expression);

  // Returns the alternatives for operands that are tensors of constants: those whose patterns match and whose
  // case conditions hold.
  std::vector<size_t> FormsOf(const RuleCode& code, const Application& application);

 private:
  static constexpr int64_t kMaxSteps = 200000;

  struct Bool {
    Truth truth = Truth::kMaybe;
    int condition = -1;  // index in conditions_ of the open condition; -1: not expressible
  };
  // Contents of a tensor: integers (booleans are 0 and 1) or floats. A null element means the value is
  // unknown.
  struct Contents {
    ElementType element = ElementType::kUnknown;
    bool known = false;
    bool ranked = false;  // the sizes are known even if the contents are not, as for a large attribute
    std::span<const int64_t> dims;
    std::span<const Dim> integers;
    std::span<const Float> floats;
    bool is_float = false;
    Value floats_of;  // a value whose elements are exactly these floats, in order
    size_t size() const { return is_float ? floats.size() : integers.size(); }
  };
  // A value, in the member for the type of the slot.
  struct SlotValue {
    enum class State : uint8_t { kEmpty, kBusy, kFull } state = State::kEmpty;
    ElementType type = ElementType::kUnknown;
    Bool boolean;
    union {
      Contents contents;
      Dim integer;
      double real;
      List list;
      std::string_view text;
      std::span<const List> lists;
      std::span<const ElementType> types;
      std::span<const double> reals;
      std::span<const Bool> booleans;
      std::span<const std::string_view> texts;
    };
    SlotValue() : contents() {}
    void SetUnknown(ExprType of);
  };

  // ---- Running (evaluator.cc) ----
  Status RunSignature(const CompiledSignature& signature);
  Status RunStatements();
  // Evaluates a required condition. In `all` over a list, elements that no condition expresses are skipped,
  // so the known elements of a list are required although others are unknown.
  Bool Required(NodeId condition);
  Status RunResults(const CompiledSignature& signature);
  Status RunValues(const CompiledSignature& signature);
  Status MakeContents(const CompiledSignature& signature);
  size_t ResultCount(const CompiledSignature& signature, size_t i, size_t flat);
  // Returns the number of operands of an argument, if an attribute defines it and is given.
  std::optional<uint32_t> QueriedCount(const CompiledArgument& argument);
  void BindCount(const CompiledArgument& argument, uint32_t count);
  void StoreContents(size_t result, const Contents& c);
  Status JoinSignatures();
  void JoinRefined(const Type& given, const Type& other, Type* refined);
  void JoinResult(uint32_t role, const Type& other, Type* joined);
  Status CheckAttributes();
  void Begin(const CompiledSignature& signature);
  void Reset();
  Status Fail(Code code, Words words);
  bool failed() const { return failure_.has_value(); }
  Unexpected TakeFailure();
  // Counts a step of work. Returns false if the rule has exceeded its limit.
  bool Step() { return ++steps_ <= kMaxSteps || OutOfSteps(); }
  bool OutOfSteps();

  // ---- Properties (evaluate_property.cc) ----
  const CompiledSignature* OnlySignature(const RuleCode& code);
  Shape ResultShape(uint32_t result);

  // ---- Regions (evaluate_region.cc) ----
  Status RunRegions(const CompiledSignature& signature);

  // ---- Matching (match.cc) ----
  bool AssignOperands(const CompiledSignature& signature);
  bool Feasible(const CompiledSignature& signature);
  Truth CaseCondition(const CompiledSignature& signature);
  void SolveRanks(const CompiledSignature& signature);
  bool SolveRank(const Pattern& pattern, int rank, int* solved);
  int LengthOf(const Item& item);
  Status Match(const CompiledSignature& signature);
  Status MatchType(const CompiledArgument& argument, const Pattern& pattern, const Type& type, uint32_t flat,
                   bool variadic, size_t index);
  const AttrValue* AttributeOf(const TypeVariable& v) const;  // null if it is not given
  Status BindTypeAttributes();
  Status MatchElement(const CompiledArgument& argument, const Pattern& pattern, ElementType element,
                      size_t index);
  Status MatchStorage(const CompiledArgument& argument, const Pattern& pattern, Storage storage);
  void RefineOperand(const Pattern& pattern, uint32_t flat);
  void ForEachKnownResult(const CompiledSignature& signature,
                          FunctionRef<void(const CompiledArgument&, const Type&)> visit);
  bool Decided(const CompiledSignature& signature) const;

  // ---- Sizes (match_sizes.cc) ----
  Status MatchShape(const CompiledArgument& argument, const Pattern& pattern, Shape shape, uint32_t flat,
                    bool variadic, size_t index);
  Status BindSize(const CompiledArgument& argument, const Item& item, Dim size, int axis);
  Status BindList(const CompiledArgument& argument, const Item& item, List list, int axis, size_t index);
  Result<Dim> MergeSizes(Dim a, Dim b, rules::Words words);

  // ---- Results (build_result.cc) ----
  Result<Type> BuildType(const Pattern& pattern, const CompiledArgument& argument, size_t result,
                         size_t index);
  Result<Shape> BuildShape(const Pattern& pattern, const CompiledArgument& argument, size_t result,
                           size_t index);
  ElementType BuildElement(const Pattern& pattern, size_t index);
  std::vector<Dim> OwnSizes(const Type& type);

  // ---- Expressions (evaluate_*.cc) ----
  // Constants and evaluated slots are the most frequent reads and need no call.
  Dim Int(NodeId id) {
    const Node& n = code_->nodes[id];
    if (n.op == Op::kConstant) return Dim(n.immediate);
    if (n.op == Op::kSlot && slots_[n.a].state == SlotValue::State::kFull) return slots_[n.a].integer;
    return ComputeInt(n);
  }
  List Ints(NodeId id) {
    const Node& n = code_->nodes[id];
    if (n.op == Op::kSlot && slots_[n.a].state == SlotValue::State::kFull) return slots_[n.a].list;
    return ComputeInts(n);
  }
  Dim ComputeInt(const Node& node);
  List ComputeInts(const Node& node);
  Bool Boolean(NodeId id);
  std::span<const List> Lists(NodeId id);
  std::string_view String(NodeId id);
  double Real(NodeId id);
  std::span<const double> Reals(NodeId id);
  std::span<const std::string_view> Strings(NodeId id);
  ElementType TypeOf(NodeId id);
  std::span<const ElementType> TypesOf(NodeId id);
  template <typename T>
  std::span<const T> SmallList(NodeId id, std::span<const T> SlotValue::*slot,
                               T (Evaluator::*element)(NodeId),
                               std::span<const T> (Evaluator::*list)(NodeId));
  std::vector<Bool> Booleans(NodeId id);
  std::span<const NodeId> Args(const Node& node) const {
    return {code_->args.data() + node.first_arg, node.arg_count};
  }
  const SlotValue& ReadSlot(SlotId id);
  void Store(SlotValue* slot, NodeId id);
  List ListOf(const ShapeProto& shape);
  Contents ContentsOf(const TensorValue& tensor);
  void StoreAttribute(SlotValue* slot, const CompiledAttribute& attribute, size_t index);

  Dim Arithmetic(Op op, Dim a, Dim b);
  Dim Narrowed(Wide r);
  Dim IntBuiltin(const Node& node);
  Dim CountIn(NodeId list);
  Dim Total(List list);
  Dim Product(List list);
  Dim MinOrMax(Dim a, Dim b, bool min);
  Dim CeilDivide(Dim a, Dim b);
  Dim FloorScale(Dim d, double scale);
  List ListBuiltin(const Node& node);
  List NoSuchIndex(int64_t index, int count);  // reports an error
  List Permuted(List list, List order);
  List Without(List list, List indices);
  List Inserted(List list, List indices, Dim element);
  List Updated(List list, List indices, List values);
  List Repeated(Dim element, Dim count);
  Bool BoolBuiltin(const Node& node);
  Bool Compare(Op op, Dim a, Dim b);
  Truth CompareAsGiven(Op op, Dim a, Dim b);  // does not use assumed facts
  Bool And(Bool a, Bool b);
  Bool Or(Bool a, Bool b);
  Bool Negation(Bool a);
  Bool FromLiteral(Truth truth, const Literal& literal);
  Dim JoinInts(Bool condition, Dim a, Dim b);
  List JoinLists(Bool condition, List a, List b);
  List SliceList(List list, Dim from, Dim to, bool to_end);
  Dim Indicator(const Condition& condition);
  Dim UnknownBetween(Dim lo, Dim hi, int64_t least);
  Dim BroadcastSizes(std::span<const Dim> sizes,
                     int axis = 0);  // counted from the last axis, for messages
  std::span<const Dim> DistinctSizes(std::span<const Dim> sizes, bool has_unknown);
  std::span<const Dim> WithoutEqual(std::span<Dim> sizes);
  std::span<const Dim> WithoutSameForms(std::span<Dim> sizes);
  Dim DominantSize(std::span<const Dim> sizes, bool has_unknown);
  void RequireClause(const Clause& clause, Words words, Code code);
  void RequireOneOf(const Clause& either, Words words);
  List BroadcastLists(std::span<const List> lists);
  List ResolveMinusOne(List wanted, List sizes);
  std::optional<int> TakeMinusOne(SizeList* sizes);
  void CancelSizes(SizeList* above, SizeList* below, Words words);
  std::optional<Dim> ExactQuotient(Dim dividend, Dim divisor, Words words);
  // A list whose elements a loop takes.
  struct AnyList {
    ExprType type;
    const void* data;
    int64_t count;  // -1: unknown
  };
  AnyList ReadList(NodeId id);
  void StoreElement(const AnyList& list, int64_t i, SlotValue* slot);
  void ClearInner(const Loop& loop);  // the slots that each round evaluates again
  // Calls `body` for each round of a kFor node whose filter holds. Returns false if the number of rounds, or
  // a filter, is unknown. With `undecided`, rounds with an unknown filter are skipped and counted.
  bool ForEach(const Node& node, FunctionRef<void()> body, int* undecided = nullptr);
  void Fold(const Node& node);  // leaves the state in the slot of the accumulator
  // Fixes a size to its constant where the rule can only continue with a constant.
  Dim Pinned(Dim d) { return d.is_expression() && host_ != nullptr ? host_->Pin(d) : d; }
  void LeaveOpen() {
    if (host_ != nullptr) host_->LeaveOpen();
  }
  // Called if a constant is used by its value, unlike a symbol. The result is then valid for these operands
  // only.
  void LeaveOpenIfNumber(Dim d) {
    if (host_ != nullptr && d.is_expression() && host_->RepresentsNumber(d)) host_->LeaveOpen();
  }
  std::optional<int64_t> Constant(Dim d) const {
    return d.is_constant() ? std::optional(d.constant()) : std::nullopt;
  }
  std::string Text(NodeId id);  // for messages
  std::string Print(Dim d);
  std::string PrintFirst(std::span<const Dim> sizes);
  std::string WordsOf(const CompiledMessage& message);

  // ---- Contents (contents.cc) ----
  Contents Tensor(NodeId id);
  // Returns the scalar that every element of a tensor equals; the tensor may be too large for contents.
  Contents EveryElement(NodeId id);
  Value EveryValue(const Contents& scalar, const Type& type);
  Contents TensorBuiltin(const Node& node);
  // Returns whether the node is the contents of an operand or an attribute, not computed from them. Computed
  // contents may be known for one number but not for another.
  bool IsGivenTensor(NodeId id) const {
    const Node& n = code_->nodes[id];
    return n.op == Op::kContents || (n.op == Op::kSlot && code_->slots[n.a].attribute != kNone);
  }
  Contents FromValue(const Value& value, const Type& type);
  Value ToValue(const Contents& contents, const Type& type);
  Contents PartOf(const Operand& operand);
  Contents Elements(NodeId tensor);
  Dim OneOf(Dim a, Dim b);
  Dim Chosen(Dim which, Dim a, Dim b);
  Contents MakeInts(ElementType element, std::span<const int64_t> dims, std::vector<Dim> elements);
  Contents MakeFloats(ElementType element, std::span<const int64_t> dims, std::vector<Float> elements);
  std::vector<Contents> TensorsOf(NodeId id);
  std::optional<std::vector<int64_t>> ConstantsOf(List list);

  // ---- Contents moved (contents_moves.cc) ----
  struct SliceLists {
    List starts, ends, axes, steps;
  };
  Contents Reindex(const Contents& a, std::span<const int64_t> dims, const std::vector<size_t>& from);
  Contents Gather(const Contents& data, const Contents& at, Dim axis);
  Contents Concat(std::span<const Contents> parts, Dim axis);
  std::vector<Contents> Split(const Contents& data, std::span<const int64_t> parts, Dim axis);
  Contents Stack(std::vector<Contents> parts, Dim axis);
  std::vector<Contents> Unstack(const Contents& data, Dim axis);
  Contents Slice(const Contents& data, const SliceLists& lists);
  Contents Transpose(const Contents& data, List order);
  Contents Reshape(Contents data, List sizes);
  Contents Expand(const Contents& data, List sizes);
  Contents Filled(List sizes, const Contents& number);
  Contents Tile(const Contents& data, List times);

  // ---- Contents that only the evaluator computes (contents_machine.cc) ----
  Contents MachineContents(Builtin builtin, const Contents& a);
  Contents TopContents(const Contents& a, Dim count, Dim axis, Bool largest, bool indices);

  // ---- Arithmetic on contents (contents_arithmetic.cc) ----
  Contents Elementwise(Builtin builtin, const Contents& a, const Contents& b);
  Contents Unary(Builtin builtin, const Contents& a);
  Contents Choose(const Contents& c, const Contents& a, const Contents& b);
  Contents Reduce(Builtin builtin, const Contents& a, List axes, List sizes);
  Contents CastTo(const Contents& c, ElementType to);
  Dim Within(ElementType element, Dim d);
  Dim OneIfAtMost(Dim a, Dim b);
  Dim OneIfEqual(Dim a, Dim b);
  Dim ElementInt(Builtin builtin, Dim a, Dim b);
  Dim CompareFloats(Builtin builtin, const Float& a, const Float& b);
  Dim IntegerOf(ElementType to, const Float& f);
  Float FloatOf(ElementType to, Dim d);
  Float ElementFloat(Builtin builtin, ElementType format, const Float& a, const Float& b);
  Float SymbolicFloat(Builtin builtin, const Float& a, const Float& b);
  Float UnaryFloat(Builtin builtin, ElementType format, const Float& f);

  // ---- Numbers that a machine rounds (contents_float_steps.cc) ----
  Dim RealOf(ElementType format, const Float& f);
  Dim StepResult(FloatStep step, Dim a, Dim b = Dim());
  Float BinaryByStep(Builtin builtin, ElementType format, const Float& a, const Float& b);
  Float UnaryByStep(Builtin builtin, ElementType format, const Float& f);
  Float CastByStep(ElementType from, ElementType to, const Float& f);
  Dim FloorOfProduct(ElementType format, Dim size, double scale);
  Dim Bounded(Dim d, Dim low, Dim high);

  // Evaluates a branch that may not be taken: a failure in it is unknown, not an error, and it adds no
  // requirements.
  template <typename F>
  auto Branch(F&& evaluate) {
    const bool before = probing_;
    probing_ = true;
    auto result = evaluate();
    probing_ = before;
    // Discard what was computed as a query: it is computed again, with effects, where it is used.
    if (!before) {
      for (SlotId s : probed_) slots_[s].state = SlotValue::State::kEmpty;
      probed_.clear();
    }
    return result;
  }

  // Evaluates `if`: one branch, or the join of both if the condition is open.
  template <typename Read, typename Join>
  auto OneWayOrBoth(const Node& n, Read&& read, Join&& join) {
    const Bool condition = Decide(n.a);
    if (condition.truth != Truth::kMaybe) return read(condition.truth == Truth::kYes ? n.b : n.c);
    LeaveOpen();
    return Branch([&] {
      const auto a = read(n.b);
      return join(condition, a, read(n.c));
    });
  }

  // Joins two lists element by element.
  template <typename T, typename Join>
  std::span<const T> JoinAll(std::span<const T> a, std::span<const T> b, Join&& join) {
    if (IsUnknown(a) || IsUnknown(b) || a.size() != b.size()) return UnknownList<T>();
    std::vector<T> all;
    for (size_t i = 0; i < a.size(); ++i) all.push_back(join(a[i], b[i]));
    return StoreAll(all);
  }
  // Queries do not use guards of other nodes. Otherwise a value decided by such a guard could be its subject,
  // and the guard would disappear. A requirement that holds only by guards of others is therefore required
  // again. If such a guard decides between two branches, this node adds an equivalent guard.
  template <typename Formula>
  Truth Query(const Formula& formula) {
    const Truth truth = host_->Query(formula, FactFilter::kWithoutChecked);
    if (truth == Truth::kMaybe || filter_ != FactFilter::kWithoutAssumed) return truth;
    return host_->Query(formula, filter_) == truth ? truth : Truth::kMaybe;
  }
  bool Holds(const Literal& literal) { return Query(literal) == Truth::kYes; }
  template <typename Formula>
  Truth QueryToDecide(const Formula& formula) {
    const Truth truth = Query(formula);
    const bool query_others =
        choice_ != Choice::kNotMade && filter_ != FactFilter::kWithoutAssumed && !probing_;
    return truth == Truth::kMaybe && query_others ? QueryOthers(formula) : truth;
  }
  Truth QueryOthers(const Literal& literal);
  Truth QueryOthers(const Clause& clause);
  // Decides a condition that determines a number of sizes, without assumed facts.
  Truth DecideAsGiven(NodeId condition);
  // Uses an answer that depends on guards of others, if an equivalent guard can be added here; else returns
  // maybe.
  Truth RestOn(const Literal& literal, Truth truth);
  bool LeaveGuard(const Clause& clause);  // adds a guard for the deciding clause

  // The use of a condition's answer. kIfYes: only a yes has an effect.
  enum class Choice : uint8_t { kNotMade, kIfYes, kEither };
  // Evaluates a condition that selects between two branches.
  Bool Decide(NodeId condition, Choice choice = Choice::kEither) {
    const Choice before = std::exchange(choice_, choice);
    const Bool result = Boolean(condition);
    choice_ = before;
    return result;
  }

  // Evaluates an expression that determines a number of sizes or selects an answer.
  template <typename F>
  auto AsGiven(F&& evaluate) {
    const FactFilter before = filter_;
    filter_ = FactFilter::kWithoutAssumed;
    auto result = evaluate();
    filter_ = before;
    return result;
  }

  // ---- Storage, until the next run ----
  std::byte* NewBytes(size_t n);
  Dim* NewDims(size_t n) { return reinterpret_cast<Dim*>(NewBytes(n * sizeof(Dim))); }
  // Allocates a list of maximum length, whose elements can be marked before they are set.
  Dim* NewMarks(int n) {
    Dim* data = NewDims(static_cast<size_t>(n));
    std::fill(data, data + n, Dim());
    return data;
  }
  List Store(std::span<const Dim> dims);
  template <typename T>
  std::span<const T> StoreAll(const std::vector<T>& items) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(Dim));
    T* own = reinterpret_cast<T*>(NewBytes(items.size() * sizeof(T)));
    std::uninitialized_copy(items.begin(), items.end(), own);
    return {own, items.size()};
  }

  // Returns the values of an `each` name so far, with its value at this index.
  template <typename T>
  std::span<const T> WithOneMore(std::span<const T> before, size_t index, T here) {
    const size_t size = std::max(index + 1, before.size());
    T* all = reinterpret_cast<T*>(NewBytes(size * sizeof(T)));
    for (size_t i = 0; i < size; ++i)
      ::new (static_cast<void*>(all + i)) T(i == index ? here : i < before.size() ? before[i] : T());
    return {all, size};
  }
  const RuleCode* code_ = nullptr;
  const Application* application_ = nullptr;
  RuleHost* host_ = nullptr;
  Outcome* outcome_ = nullptr;
  std::vector<const CompiledSignature*> feasible_;
  std::vector<SlotValue> slots_;
  std::vector<ElementType> type_variables_;
  std::vector<const CompiledArgument*> absent_counts_;
  std::vector<Type> whole_types_;  // of type variables for whole types
  std::vector<Storage> storage_variables_;
  std::vector<std::pair<uint32_t, uint32_t>> operand_ranges_;  // flat first and count, by argument
  std::vector<int> lengths_;                                   // of list slots while ranks are solved; -1
  std::vector<Condition> conditions_;
  std::optional<Diagnostic> failure_;
  int64_t steps_ = 0;
  bool AlwaysProbes() const { return application_->only_ranks || application_->after_error; }

  bool probing_ = false;  // inside a query: no requirements and no final errors
  bool making_contents_ = false;
  Choice choice_ = Choice::kNotMade;
  FactFilter filter_ =
      FactFilter::kWithoutChecked;     // assumed facts may simplify, but not decide a rank or a choice
  std::vector<SlotId> probed_;         // slots evaluated inside a query
  uint32_t unknowns_ = 0;              // number of unknown(...) evaluated so far
  std::vector<Dim> own_;               // symbols created in this run; each element has its own
  std::vector<ShapeData> own_shapes_;  // of the results, if there is no host
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t block_ = 0, used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> large_;  // allocations that do not fit a block
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_EVALUATOR_H_
