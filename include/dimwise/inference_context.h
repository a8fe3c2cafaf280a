// An InferenceContext represents one operator while its results are inferred. A shape function reads the
// inputs, attributes and contents from it, states requirements, and sets the outputs. It has the methods of
// TensorFlow's class of this name; handles are Dim and Shape, by value.
//
// The effects of a function are a transaction. A merge of two sizes that may be equal, or a requirement that
// may hold, becomes a guard and a checked fact. Run publishes these when the function succeeds and discards
// them when it fails. A Merge that fails also leaves nothing behind, so a function may try another way.
//
//   Status MatMul(InferenceContext* c) {
//     DIMWISE_ASSIGN_OR_RETURN(Shape a, c->WithRank(c->input(0), 2));
//     DIMWISE_ASSIGN_OR_RETURN(Shape b, c->WithRank(c->input(1), 2));
//     DIMWISE_RETURN_IF_ERROR(c->Merge(a[1], b[0]));
//     DIMWISE_ASSIGN_OR_RETURN(Shape y, c->Matrix(a[0], b[1]));
//     c->set_output(0, y);
//     return {};
//   }
//
// With set_known_outputs, the same function infers in both directions. It runs forward with symbols for the
// unknown sizes of the inputs. The results are merged with the known outputs, and the facts then determine
// the symbols.
//
// Invariants:
// 1. Value, ValueKnown, Rank, DebugString and the identity of handles read the handle, never the facts.
// 2. Merge returns one of its arguments, the identical handle, if that argument contains all information.
// 3. Nothing crashes on bad input: a null handle, an index or axis out of range, a negative or huge rank
//    is an error. An optional input that is not given is the null Shape; reading it is no error.
// 4. An unknown size is never a number: two unknowns are equal only if they are the same handle.
// 5. A run that states no facts and has at most eight inputs and outputs allocates nothing on the heap.
//
// Thread safety: as its Analysis: one thread at a time.
#ifndef DIMWISE_INFERENCE_CONTEXT_H_
#define DIMWISE_INFERENCE_CONTEXT_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/attr_value.h"
#include "dimwise/export.h"
#include "dimwise/guard.h"
#include "dimwise/node_description.h"
#include "dimwise/op_def.h"
#include "dimwise/result.h"
#include "dimwise/result_macros.h"
#include "dimwise/small_list.h"
#include "dimwise/tensor_shape.h"

namespace dimwise {

// TensorFlow's names of the handles. A constant is also a Dim.
using DimensionHandle = Dim;
using DimensionOrConstant = Dim;
using ShapeHandle = Shape;

class DIMWISE_API InferenceContext {
 public:
  static constexpr int kUnknownRank = -1;

  // ---- Setup ----
  // Inputs are shape protos, partial shapes, handles (none: not given), or types. There may be fewer contents
  // than inputs; missing contents are unknown. An invalid setup is reported by construction_status and by
  // Run.
  InferenceContext(Analysis& analysis, const NodeDescription& node, std::span<const ShapeProto> inputs,
                   std::span<const dimwise::Value> input_tensors = {},
                   std::span<const Shape> input_tensors_as_shapes = {});
  InferenceContext(Analysis& analysis, const NodeDescription& node,
                   std::span<const PartialTensorShape> inputs,
                   std::span<const dimwise::Value> input_tensors = {},
                   std::span<const Shape> input_tensors_as_shapes = {});
  InferenceContext(Analysis& analysis, const NodeDescription& node, std::span<const Shape> inputs,
                   std::span<const dimwise::Value> input_tensors = {},
                   std::span<const Shape> input_tensors_as_shapes = {});
  InferenceContext(Analysis& analysis, const NodeDescription& node, std::span<const Type> inputs,
                   std::span<const dimwise::Value> input_tensors = {},
                   std::span<const Shape> input_tensors_as_shapes = {});
  // Creates a context without a node; Reset sets the node.
  explicit InferenceContext(Analysis& analysis);
  ~InferenceContext();
  InferenceContext(const InferenceContext&) = delete;
  InferenceContext& operator=(const InferenceContext&) = delete;

  // Reinitializes the context and reuses its memory.
  void Reset(const NodeDescription& node, std::span<const Shape> inputs,
             std::span<const dimwise::Value> input_tensors = {},
             std::span<const Shape> input_tensors_as_shapes = {});
  void Reset(const NodeDescription& node, std::span<const Type> inputs,
             std::span<const dimwise::Value> input_tensors = {},
             std::span<const Shape> input_tensors_as_shapes = {});

  // The two halves of construction, for callers that set each input: PreInputInit, SetInput for each input,
  // PostInputInit. The last one compares the number of inputs with the definition.
  void PreInputInit(const NodeDescription& node, std::span<const dimwise::Value> input_tensors = {},
                    std::span<const Shape> input_tensors_as_shapes = {});
  void PostInputInit();
  const Status& construction_status() const { return construction_status_; }

  // Runs a shape function (of InferenceContext* or InferenceContext&). On success its guards and facts are
  // kept. On failure they are dropped, and the error names the node and its inputs. An exception counts as a
  // failure, except std::bad_alloc.
  template <typename F>
  Status Run(F&& function) {
    if (Status status = BeginRun(); !status) return status;
    auto run = [&]() -> Status {
      if constexpr (std::is_invocable_v<F, InferenceContext*>) {
        return std::forward<F>(function)(this);
      } else {
        return std::forward<F>(function)(*this);
      }
    };
    return EndRun(Call([](void* f) { return (*static_cast<decltype(run)*>(f))(); }, &run));
  }

  // Adds the node, its op, its input shapes and their known contents to the error.
  Status AttachContext(Status status) const;
  Diagnostic AttachContext(Diagnostic diagnostic) const;

  // Returns the origin of unknowns that this context creates: "node conv1 (Conv)".
  std::string Origin() const;

  Analysis& analysis() const { return *analysis_; }
  DimTable& dims() const { return analysis_->dims(); }
  Facts& facts() const { return analysis_->facts(); }
  const NodeDescription& node() const { return node_; }
  const OpDef* op() const { return node_.op; }
  int graph_def_version() const { return node_.graph_def_version; }

  // ---- Inputs ----
  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  // null if the input is not given or does not exist
  Shape input(int64_t i) const { return InRange(i, inputs_) ? inputs_[i].type.shape : Shape(); }
  bool has_input(int64_t i) const { return InRange(i, inputs_) && inputs_[i].given; }
  // Returns the shapes of all tensors of an argument.
  Result<std::vector<Shape>> input(std::string_view name) const;
  // Sets an input. An index past the end appends inputs.
  void SetInput(int64_t i, Shape shape);
  bool MergeInput(int64_t i, Shape shape);  // returns whether the shapes could be merged
  bool RelaxInput(int64_t i, Shape shape);  // returns whether the input changed

  ElementType input_type(int64_t i) const;  // kUnknown if it is not known
  Storage input_storage(int64_t i) const;
  Type full_input_type(int64_t i) const { return InRange(i, inputs_) ? inputs_[i].type : Type(); }
  void SetInput(int64_t i, const Type& type);

  // Returns contents. The request is recorded, so that a caller without the contents can compute them and run
  // again.
  dimwise::Value input_tensor(int64_t i);
  bool requested_input_tensor(int64_t i) const { return InRange(i, inputs_) && inputs_[i].requested_tensor; }
  void set_input_tensors(std::span<const dimwise::Value> tensors);
  // Contents of which only the shape that they list is known, possibly in part.
  bool requested_input_tensor_as_partial_shape(int64_t i) const {
    return InRange(i, inputs_) && inputs_[i].requested_as_shape;
  }
  void set_input_tensors_as_shapes(std::span<const Shape> shapes);
  Result<Shape> input_as_shape(int64_t i) { return MakeShapeFromShapeTensor(i); }

  // ---- Outputs ----
  int num_outputs() const { return static_cast<int>(outputs_.size()); }
  Shape output(int64_t i) const { return InRange(i, outputs_) ? outputs_[i].type.shape : Shape(); }
  Result<std::vector<Shape>> output(std::string_view name) const;
  // Sets an output. An invalid index or a null shape is stored as an error that Run returns.
  void set_output(int64_t i, Shape shape);
  Status set_output(std::string_view name, std::span<const Shape> shapes);
  Status set_output(std::string_view name, std::initializer_list<Shape> shapes) {
    return set_output(name, std::span<const Shape>(shapes.begin(), shapes.size()));
  }

  ElementType output_type(int64_t i) const;
  void set_output_type(int64_t i, ElementType type);
  Storage output_storage(int64_t i) const;
  void set_output_storage(int64_t i, Storage storage);
  Type full_output_type(int64_t i) const { return InRange(i, outputs_) ? outputs_[i].type : Type(); }
  void set_full_output_type(int64_t i, const Type& type);
  dimwise::Value output_value(int64_t i) const {
    return InRange(i, outputs_) ? outputs_[i].value : dimwise::Value();
  }
  void set_output_value(int64_t i, dimwise::Value value);

  // ---- Both directions ----
  // Sets what is already known of the outputs: an unknown type for an unknown output, or fewer types than
  // outputs. Until the next Reset, Run merges the results of the function with it; sizes that may be equal
  // become guards and facts. A rule also infers its inputs: ranks, element types and storages are in
  // refined_input_type, and sizes follow by facts().Simplify. A C++ function runs forward only: facts alone
  // refine its inputs.
  void set_known_outputs(std::span<const Type> types);
  bool refines_inputs() const { return refines_inputs_; }
  std::span<const Type> known_outputs() const { return known_outputs_; }
  // For the shape function: refines the type of an input.
  void RefineInput(int64_t i, const Type& type);
  Type refined_input_type(int64_t i) const;
  // Merges the inferred type of an output with what is known of it.
  Status MergeKnownOutput(int64_t i, Type* found);

  // ---- Queries without side effects ----
  // Returns whether a shape function would succeed here. kNo: it fails in every run. kYes: it succeeds
  // without guards. kMaybe: success depends on guards, or on sizes being at least 1. Facts, guards and
  // outputs stay unchanged, and no messages are built.
  template <typename F>
  Truth WouldSucceed(F&& function) {
    if (!construction_status_) return Truth::kNo;
    const PendingQuery query = BeginQuery();
    if constexpr (std::is_invocable_v<F, InferenceContext*>) {
      return EndQuery(query, Finish(std::forward<F>(function)(this)));
    } else {
      return EndQuery(query, Finish(std::forward<F>(function)(*this)));
    }
  }
  // For the shape function: whether this run is a query whose effects are discarded.
  bool is_query() const { return in_query_; }
  // Like WouldSucceed, for a part of a function that returns a Status and sets no outputs.
  template <typename F>
  Truth WouldHold(F&& steps) {
    const PendingQuery query = BeginQuery();
    return EndQuery(query, steps());
  }

  // ---- Attributes ----
  const AttrMap& attrs() const;
  // Returns the node's attribute, else the default of the definition, else null.
  const AttrValue* FindAttr(std::string_view name) const;
  // T: int64_t, double, bool, std::string_view, std::string, ElementType, ShapeProto, const TensorValue*,
  // const FunctionValue*, const AttrValue*, std::span<const int64_t>, or a std::vector of the plain ones.
  // Pointers and views live as long as the attributes and this context.
  template <typename T>
  Result<T> GetAttr(std::string_view name) {
    T out{};
    if (Status status = ReadAttr(name, &out); !status) return std::move(status).TakeError();
    return out;
  }
  // Like GetAttr, but returns `otherwise` if there is neither an attribute nor a default.
  template <typename T>
  Result<T> GetAttrOr(std::string_view name, T otherwise) {
    return FindAttr(name) == nullptr ? Result<T>(std::move(otherwise)) : GetAttr<T>(name);
  }

  // ---- Reading handles ----
  // Returns the size of an axis; negative axes count from the end. Returns an unknown size if the rank is
  // unknown.
  Result<DimensionHandle> Dim(Shape shape, int64_t axis);
  static int Rank(Shape shape) { return shape.is_none() ? kUnknownRank : shape.rank(); }
  static bool RankKnown(Shape shape) { return !shape.is_none() && shape.has_rank(); }
  static std::optional<int64_t> Value(DimensionOrConstant dim) {
    return dim.is_constant() ? std::optional(dim.constant()) : std::nullopt;
  }
  static bool ValueKnown(DimensionOrConstant dim) { return dim.is_constant(); }
  static bool FullyDefined(Shape shape) { return !shape.is_none() && shape.is_constant(); }
  // Returns the product of the sizes.
  Result<DimensionHandle> NumElements(Shape shape);

  std::string DebugString(Shape shape) const;
  std::string DebugString(DimensionHandle dim) const;
  static std::string DebugString(const PartialTensorShape& shape);
  std::string DebugString() const;  // the node, its inputs and outputs

  // ---- Required shapes ----
  Result<Shape> WithRank(Shape shape, int64_t rank);
  Result<Shape> WithRankAtLeast(Shape shape, int64_t rank);
  Result<Shape> WithRankAtMost(Shape shape, int64_t rank);
  Result<DimensionHandle> WithValue(DimensionHandle dim, int64_t value);

  // Meet: both handles describe the same size or shape. Sizes that may be equal are recorded as equal; an
  // error changes nothing. For two different unknown shapes, only the equality of ranks is recorded.
  Result<DimensionHandle> Merge(DimensionHandle a, DimensionHandle b);
  Result<Shape> Merge(Shape a, Shape b);
  // Merges `prefix` with the first sizes of `shape`; returns both, merged.
  Result<std::pair<Shape, Shape>> MergePrefix(Shape shape, Shape prefix);
  // Query whether a merge would succeed, without side effects.
  Truth CanMerge(DimensionHandle a, DimensionHandle b);
  Truth CanMerge(Shape a, Shape b);
  Result<ElementType> MergeElementTypes(ElementType a, ElementType b) const;

  // Join: one of the handles describes the size or shape; returns what both have in common. If one handle is
  // null, returns the other.
  DimensionHandle Relax(DimensionHandle before, DimensionHandle now);
  Shape Relax(Shape before, Shape now);

  // ---- Shapes derived from shapes ----
  static constexpr int64_t kEnd = INT64_MAX;
  // Returns the axes start, start + stride, ... before end; negative positions count from the end.
  Result<Shape> Subshape(Shape shape, int64_t start, int64_t end = kEnd, int64_t stride = 1);
  Result<Shape> Concatenate(Shape first, Shape second);
  Result<Shape> ReplaceDim(Shape shape, int64_t axis, DimensionOrConstant dim);

  Result<Shape> MakeShape(std::span<const DimensionOrConstant> dims);
  Result<Shape> MakeShape(std::initializer_list<DimensionOrConstant> dims) {
    return MakeShape(std::span<const DimensionOrConstant>(dims.begin(), dims.size()));
  }
  Shape UnknownShape(int min_rank = 0, int max_rank = kMaxRank);
  Result<Shape> UnknownShapeOfRank(int64_t rank);
  Shape Scalar();
  Result<Shape> Vector(DimensionOrConstant dim) { return MakeShape({dim}); }
  Result<Shape> Matrix(DimensionOrConstant rows, DimensionOrConstant columns) {
    return MakeShape({rows, columns});
  }
  Result<DimensionHandle> MakeDim(DimensionOrConstant size);
  DimensionHandle UnknownDim() { return UnknownDim(0, INT64_MAX); }
  DimensionHandle UnknownDim(int64_t min, int64_t max = INT64_MAX);

  Result<Shape> MakeShapeFromShapeProto(const ShapeProto& proto);
  Result<Shape> MakeShapeFromPartialTensorShape(const PartialTensorShape& shape);
  Result<Shape> MakeShapeFromTensorShape(const TensorShape& shape);
  ShapeProto ShapeHandleToProto(Shape shape) const;

  // ---- Shapes and sizes derived from contents ----
  // Returns the shape that the contents of an input list. The element -1, or an element that may be negative,
  // is an unknown size.
  Result<Shape> MakeShapeFromShapeTensor(int64_t input);
  Result<Shape> MakeShapeFromTensor(dimwise::Value contents, Shape shape_of_tensor);
  // Like MakeShapeFromShapeTensor, but a scalar input is allowed: -1 or an unknown scalar gives an unknown
  // shape.
  Result<Shape> MakeShapeFromShapeTensorTreatScalarAsUnknownShape(int64_t input);
  // Returns the integer in a scalar of element type i32 or i64.
  Result<DimensionHandle> GetScalarFromTensor(dimwise::Value contents);
  // Returns the size in a scalar input, or an unknown size if it is not known.
  Result<DimensionHandle> MakeDimForScalarInput(int64_t input);
  // Like MakeDimForScalarInput, for an axis that may count from the end of a tensor of this rank
  // (kUnknownRank if unknown).
  Result<DimensionHandle> MakeDimForScalarInputWithNegativeIndexing(int64_t input, int rank);

  // ---- Arithmetic on sizes ----
  // A result that is negative or overflows in every run is an error. A result that may be negative is a
  // guard.
  Result<DimensionHandle> Divide(DimensionHandle a, DimensionOrConstant b, bool evenly_divisible);
  Result<DimensionHandle> Add(DimensionHandle a, DimensionOrConstant b);
  Result<DimensionHandle> Subtract(DimensionHandle a, DimensionOrConstant b);
  Result<DimensionHandle> Multiply(DimensionHandle a, DimensionOrConstant b);
  Result<DimensionHandle> Min(DimensionHandle a, DimensionOrConstant b);
  Result<DimensionHandle> Max(DimensionHandle a, DimensionOrConstant b);

  // ---- Conditions ----
  // Require a condition. If it is false in every run, the result is an error with this message. If it may be
  // false, it becomes a guard and a checked fact.
  Status Require(const Literal& literal, Message message, Code code = Code::kRequirement);
  Status Require(const Clause& clause, Message message, Code code = Code::kRequirement);
  Status Require(const Condition& condition, Message message, Code code = Code::kRequirement);
  // State a condition that the operator guarantees: a given fact.
  void Ensure(const Literal& literal);
  void Ensure(const Clause& clause);
  void Ensure(const Condition& condition);
  // Returns the guards for run time, in insertion order.
  std::span<const Guard> guards() const { return guards_; }
  // Returns the constraints that a successful run has published. The owner of the node retracts them before
  // the node runs again.
  std::span<const ConstraintId> constraints() const { return pending_constraints_; }
  // Returns the scope for queries of Facts. It includes the facts of this run.
  ScopeId scope() const { return has_pending_scope_ ? pending_scope_ : node_.scope; }
  // Queries without side effects.
  Truth Equal(DimensionHandle a, DimensionHandle b) const;
  Truth AtLeast(DimensionHandle a, DimensionHandle b) const;

  // ---- Types behind handles ----
  // Returns the shapes and element types of the tensors behind a resource, or null if nothing is known.
  const std::vector<Type>* input_handle_shapes_and_types(int64_t i) const;
  const std::vector<Type>* output_handle_shapes_and_types(int64_t i) const;
  void set_input_handle_shapes_and_types(int64_t i, std::span<const Type> behind);
  void set_output_handle_shapes_and_types(int64_t i, std::span<const Type> behind);
  // Merge `behind` into the known types and return whether anything changed. Element types must agree (an
  // unknown type is replaced); shapes that cannot be merged stay unchanged.
  bool MergeInputHandleShapesAndTypes(int64_t i, std::span<const Type> behind);
  bool MergeOutputHandleShapesAndTypes(int64_t i, std::span<const Type> behind);
  // Like the functions above, but shapes are relaxed.
  bool RelaxInputHandleShapesAndMergeTypes(int64_t i, std::span<const Type> behind);
  bool RelaxOutputHandleShapesAndMergeTypes(int64_t i, std::span<const Type> behind);

 private:
  struct InputSlot {
    Type type;
    dimwise::Value value;
    Shape as_shape;
    bool given = false;
    bool requested_tensor = false;
    bool requested_as_shape = false;
  };
  struct OutputSlot {
    Type type;
    dimwise::Value value;
  };
  // A position in a transaction, to roll back to.
  struct Savepoint {
    size_t guards = 0;
    size_t constraints = 0;
  };

  template <typename List>
  static bool InRange(int64_t i, const List& list) {
    return i >= 0 && static_cast<uint64_t>(i) < list.size();
  }

  void CountOutputs();
  void FailConstruction(Diagnostic diagnostic);
  // Records an error of a function that cannot return it; Run returns the first.
  void Misuse(Code code, std::string message);
  Status BeginRun();
  Status EndRun(Status status);
  Status Call(Status (*run)(void*), void* function);  // converts an exception to a Status
  Status RequireSizes(Shape shape);
  Status MergeKnownOutputs();
  Status Finish(Status status);  // after the function: misuse, known outputs, sizes of results

  struct PendingQuery {
    Savepoint before;
    std::vector<OutputSlot> outputs;
    std::vector<Type> refined_inputs;
    uint32_t next_role = 0;
    bool misused = false;
    bool was_in_query = false;  // nested inside another query
  };
  PendingQuery BeginQuery();
  Truth EndQuery(const PendingQuery& query, const Status& status);
  SymbolKey NextKey(int64_t min, int64_t max);

  Savepoint Save() const { return {guards_.size(), pending_constraints_.size()}; }
  void GoBack(Savepoint savepoint);
  void AssertPending(const Clause& clause, FactKind kind);
  void DropPending();
  // The error of a requirement that is false.
  Unexpected Fail(Truth without_assumed, Message message, Code code) const;
  void RecordGuard(Condition condition, Message message, Code code);

  Result<Shape> MergeUnknown(Shape a, Shape b);
  Result<DimensionHandle> AsSize(DimensionHandle result, Message message);
  Result<Shape> ShapeFromInput(int64_t input, Shape shape_of_tensor);
  bool UpdateHandle(Type* type, std::span<const Type> behind, bool relax);
  std::string InputName(int64_t i) const;
  std::string OutputName(int64_t i) const;

  Status ReadAttr(std::string_view name, int64_t* out);
  Status ReadAttr(std::string_view name, double* out);
  Status ReadAttr(std::string_view name, bool* out);
  Status ReadAttr(std::string_view name, std::string_view* out);
  Status ReadAttr(std::string_view name, std::string* out);
  Status ReadAttr(std::string_view name, ElementType* out);
  Status ReadAttr(std::string_view name, ShapeProto* out);
  Status ReadAttr(std::string_view name, const TensorValue** out);
  Status ReadAttr(std::string_view name, const FunctionValue** out);
  Status ReadAttr(std::string_view name, const AttrValue** out);
  Status ReadAttr(std::string_view name, std::span<const int64_t>* out);
  Status ReadAttr(std::string_view name, std::vector<int64_t>* out);
  Status ReadAttr(std::string_view name, std::vector<double>* out);
  Status ReadAttr(std::string_view name, std::vector<bool>* out);
  Status ReadAttr(std::string_view name, std::vector<std::string>* out);
  Status ReadAttr(std::string_view name, std::vector<ElementType>* out);
  Status ReadAttr(std::string_view name, std::vector<ShapeProto>* out);

  // Separates the roles of unknowns created here from those of axes.
  static constexpr uint32_t kFreshRole = 0x80000000u;

  Analysis* analysis_;
  NodeDescription node_;
  internal::SmallList<InputSlot, 8> inputs_;
  internal::SmallList<OutputSlot, 8> outputs_;
  std::span<const dimwise::Value> given_tensors_;  // until PostInputInit
  std::span<const Shape> given_tensors_as_shapes_;
  Status construction_status_;
  Status misuse_;
  mutable std::optional<NameRangeMap> input_ranges_;  // created on demand
  mutable std::optional<NameRangeMap> output_ranges_;
  std::vector<std::unique_ptr<AttrValue::Ints>> converted_ints_;
  bool refines_inputs_ = false;
  bool in_query_ = false;  // inside a query: effects are discarded
  std::vector<Type> known_outputs_;
  std::vector<Type> refined_inputs_;  // by input, once an input is refined; unknown if it is not

  std::vector<Guard> guards_;
  std::vector<ConstraintId> pending_constraints_;
  ScopeId pending_scope_ = ScopeId::kRoot;
  bool has_pending_scope_ = false;
  bool has_run_ = false;
  uint32_t next_role_ = 0;   // number of unknowns created so far
  uint32_t first_role_ = 0;  // at the start of the run
};

}  // namespace dimwise

#endif  // DIMWISE_INFERENCE_CONTEXT_H_
