// An InferenceContext denotes one operator with what is known of its operands, while its results are being
// worked out. A shape function reads the inputs, attributes and contents from it, says what must hold, and
// sets the outputs. It has the abilities and the names of TensorFlow's class; handles are Dim and Shape, by
// value.
//
// What the function learns is a transaction. A merge of two sizes that may be equal, or a requirement that
// may hold, becomes a check and a checked fact; Run publishes them when the function succeeds and forgets
// them when it fails. A single Merge that fails leaves nothing behind either, so a function may try and go
// another way.
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
// With set_known_outputs the same function runs in both directions: it goes forward with the unknown sizes of
// the inputs as symbols, what it finds is merged with what is known of the outputs, and the facts solve.
//
// Invariants:
//  1. Value, ValueKnown, Rank, DebugString and the identity of handles read the handle, never the facts.
//  2. Merge returns the very handle that it was given where that one already says everything.
//  3. Nothing crashes on bad input: a null handle, an index or axis out of range, a negative or huge rank
//     is an error. An input that is not given (an optional one) is the null Shape; asking for it is no error.
//  4. An unknown size is never a number: two unknowns are the same only if they are the same handle.
//  5. Without facts to state and within eight inputs and outputs, nothing is allocated on the heap.
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
#include "dimwise/check.h"
#include "dimwise/export.h"
#include "dimwise/node_description.h"
#include "dimwise/op_def.h"
#include "dimwise/result.h"
#include "dimwise/result_macros.h"
#include "dimwise/small_list.h"
#include "dimwise/tensor_shape.h"

namespace dimwise {

// TensorFlow's names of the handles. A constant is a Dim by itself.
using DimensionHandle = Dim;
using DimensionOrConstant = Dim;
using ShapeHandle = Shape;

class DIMWISE_API InferenceContext {
 public:
  static constexpr int kUnknownRank = -1;

  // ---- Set up ----
  // Inputs are shape protos, partial shapes, handles (none: not given), or types. Contents may be fewer
  // than the inputs; the rest is not known. What is wrong with the set-up is in construction_status, and
  // Run says it too.
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
  // Without a node; Reset gives it one.
  explicit InferenceContext(Analysis& analysis);
  ~InferenceContext();
  InferenceContext(const InferenceContext&) = delete;
  InferenceContext& operator=(const InferenceContext&) = delete;

  // As if constructed anew, in the memory that is there.
  void Reset(const NodeDescription& node, std::span<const Shape> inputs,
             std::span<const dimwise::Value> input_tensors = {},
             std::span<const Shape> input_tensors_as_shapes = {});
  void Reset(const NodeDescription& node, std::span<const Type> inputs,
             std::span<const dimwise::Value> input_tensors = {},
             std::span<const Shape> input_tensors_as_shapes = {});

  // The two halves of construction, for who fills the inputs by hand: PreInputInit, SetInput for each,
  // PostInputInit, which holds the number of inputs to the definition.
  void PreInputInit(const NodeDescription& node, std::span<const dimwise::Value> input_tensors = {},
                    std::span<const Shape> input_tensors_as_shapes = {});
  void PostInputInit();
  const Status& construction_status() const { return construction_status_; }

  // Runs a shape function (of InferenceContext* or InferenceContext&). On success its checks and facts are
  // kept, on failure they are dropped and the error names the node and its inputs. An exception is a failure
  // too, except that memory runs out.
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

  // The error with the node, its op, its input shapes and what is known of their contents.
  Status AttachContext(Status status) const;
  Diagnostic AttachContext(Diagnostic diagnostic) const;

  // "node conv1 (Conv)": where unknowns made here come from.
  std::string Origin() const;

  Analysis& analysis() const { return *analysis_; }
  DimTable& dims() const { return analysis_->dims(); }
  Facts& facts() const { return analysis_->facts(); }
  const NodeDescription& node() const { return node_; }
  const OpDef* op() const { return node_.op; }
  int graph_def_version() const { return node_.graph_def_version; }

  // ---- Inputs ----
  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  // The null handle where it is not given or there is no such input.
  Shape input(int64_t i) const { return InRange(i, inputs_) ? inputs_[i].type.shape : Shape(); }
  bool has_input(int64_t i) const { return InRange(i, inputs_) && inputs_[i].given; }
  // The shapes of an argument, one for each of its tensors.
  Result<std::vector<Shape>> input(std::string_view name) const;
  // Past the end it makes the inputs more.
  void SetInput(int64_t i, Shape shape);
  bool MergeInput(int64_t i, Shape shape);  // whether they could be merged
  bool RelaxInput(int64_t i, Shape shape);  // whether the input changed

  ElementType input_type(int64_t i) const;  // kUnknown where it is not known
  Storage input_storage(int64_t i) const;
  Type full_input_type(int64_t i) const { return InRange(i, inputs_) ? inputs_[i].type : Type(); }
  void SetInput(int64_t i, const Type& type);

  // Contents; asking is recorded, so that who has them not ready can find them and run again.
  dimwise::Value input_tensor(int64_t i);
  bool requested_input_tensor(int64_t i) const { return InRange(i, inputs_) && inputs_[i].requested_tensor; }
  void set_input_tensors(std::span<const dimwise::Value> tensors);
  // Contents known as a shape only: a list of sizes, or that it is one.
  bool requested_input_tensor_as_partial_shape(int64_t i) const {
    return InRange(i, inputs_) && inputs_[i].requested_as_shape;
  }
  void set_input_tensors_as_shapes(std::span<const Shape> shapes);
  Result<Shape> input_as_shape(int64_t i) { return MakeShapeFromShapeTensor(i); }

  // ---- Outputs ----
  int num_outputs() const { return static_cast<int>(outputs_.size()); }
  Shape output(int64_t i) const { return InRange(i, outputs_) ? outputs_[i].type.shape : Shape(); }
  Result<std::vector<Shape>> output(std::string_view name) const;
  // An index out of range or a null shape is kept as an error, which Run answers.
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
  // What is known of the outputs beforehand, an unknown type where nothing is; there may be fewer than
  // outputs. After it, until the next Reset, Run merges what the function finds with it (sizes that may be
  // equal become checks and facts), and a function made from a rule says what follows for the inputs: ranks,
  // element types and storage are in refined_input_type; sizes follow from the facts, so a size of an input
  // is facts().Simplify of it. A function in C++ runs forward: its inputs are refined by the facts alone.
  void set_known_outputs(std::span<const Type> types);
  bool asks_about_inputs() const { return asks_about_inputs_; }
  std::span<const Type> known_outputs() const { return known_outputs_; }
  // For the function: an input is also this, which says more.
  void RefineInput(int64_t i, const Type& type);
  Type refined_input_type(int64_t i) const;
  // Merges what was found of an output with what is known of it.
  Status MergeKnownOutput(int64_t i, Type* found);

  // ---- Questions without a trace ----
  // Whether a shape function would succeed here. kNo: it fails in every run; kYes: it succeeds and leaves
  // nothing to check; kMaybe: that depends on its checks, or on sizes being at least 1. Facts, checks and
  // outputs stay as they are, and no words are made for anyone to read.
  template <typename F>
  Truth WouldSucceed(F&& function) {
    if (!construction_status_) return Truth::kNo;
    const Question question = BeginQuestion();
    if constexpr (std::is_invocable_v<F, InferenceContext*>) {
      return EndQuestion(question, Finish(std::forward<F>(function)(this)));
    } else {
      return EndQuestion(question, Finish(std::forward<F>(function)(*this)));
    }
  }
  // For the function: nobody may see that it ran.
  bool is_question() const { return asking_; }
  // The same of a part of a function, which answers a Status and sets no outputs.
  template <typename F>
  Truth WouldHold(F&& steps) {
    const Question question = BeginQuestion();
    return EndQuestion(question, steps());
  }

  // ---- Attributes ----
  const AttrMap& attrs() const;
  // The node's attribute, or the default of the definition; null where there is neither.
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
  // The same, or `otherwise` where there is neither an attribute nor a default.
  template <typename T>
  Result<T> GetAttrOr(std::string_view name, T otherwise) {
    return FindAttr(name) == nullptr ? Result<T>(std::move(otherwise)) : GetAttr<T>(name);
  }

  // ---- Reading handles ----
  // The size of an axis; negative ones count from the end. Of an unknown rank: an unknown size.
  Result<DimensionHandle> Dim(Shape shape, int64_t axis);
  static int Rank(Shape shape) { return shape.is_none() ? kUnknownRank : shape.rank(); }
  static bool RankKnown(Shape shape) { return !shape.is_none() && shape.has_rank(); }
  static std::optional<int64_t> Value(DimensionOrConstant dim) {
    return dim.is_constant() ? std::optional(dim.constant()) : std::nullopt;
  }
  static bool ValueKnown(DimensionOrConstant dim) { return dim.is_constant(); }
  static bool FullyDefined(Shape shape) { return !shape.is_none() && shape.is_constant(); }
  // The product of the sizes.
  Result<DimensionHandle> NumElements(Shape shape);

  std::string DebugString(Shape shape) const;
  std::string DebugString(DimensionHandle dim) const;
  static std::string DebugString(const PartialTensorShape& shape);
  std::string DebugString() const;  // the node, its inputs and outputs

  // ---- Shapes that must be so ----
  Result<Shape> WithRank(Shape shape, int64_t rank);
  Result<Shape> WithRankAtLeast(Shape shape, int64_t rank);
  Result<Shape> WithRankAtMost(Shape shape, int64_t rank);
  Result<DimensionHandle> WithValue(DimensionHandle dim, int64_t value);

  // Both are true. Sizes that may be equal are recorded as equal; an error leaves nothing behind. The
  // equality of two different unknown shapes is not recorded, only their ranks are.
  Result<DimensionHandle> Merge(DimensionHandle a, DimensionHandle b);
  Result<Shape> Merge(Shape a, Shape b);
  // The first sizes of `shape` are those of `prefix`; gives both, merged.
  Result<std::pair<Shape, Shape>> MergePrefix(Shape shape, Shape prefix);
  // Whether they could be merged: only asks.
  Truth CanMerge(DimensionHandle a, DimensionHandle b);
  Truth CanMerge(Shape a, Shape b);
  Result<ElementType> MergeElementTypes(ElementType a, ElementType b) const;

  // One of them is true: what both share. Null handles give the other.
  DimensionHandle Relax(DimensionHandle before, DimensionHandle now);
  Shape Relax(Shape before, Shape now);

  // ---- Shapes out of shapes ----
  static constexpr int64_t kEnd = INT64_MAX;
  // The axes start, start + stride, ... before end; negative ones count from the end.
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

  // ---- Shapes and sizes out of contents ----
  // The shape that an input's contents are; -1 is an unknown size, and so is what may be negative.
  Result<Shape> MakeShapeFromShapeTensor(int64_t input);
  Result<Shape> MakeShapeFromTensor(dimwise::Value contents, Shape shape_of_tensor);
  // The same, where a scalar input is allowed: -1 is an unknown shape, and so is what is not known.
  Result<Shape> MakeShapeFromShapeTensorTreatScalarAsUnknownShape(int64_t input);
  // The integer that a scalar holds, of element type i32 or i64.
  Result<DimensionHandle> GetScalarFromTensor(dimwise::Value contents);
  // The size that a scalar input is; one that is not known is an unknown size.
  Result<DimensionHandle> MakeDimForScalarInput(int64_t input);
  // The same for an axis, which may count from the end of a tensor of that rank (kUnknownRank: not known).
  Result<DimensionHandle> MakeDimForScalarInputWithNegativeIndexing(int64_t input, int rank);

  // ---- Arithmetic on sizes ----
  // A result that is negative or overflows in every run is an error; one that may be negative is a check.
  Result<DimensionHandle> Divide(DimensionHandle a, DimensionOrConstant b, bool evenly_divisible);
  Result<DimensionHandle> Add(DimensionHandle a, DimensionOrConstant b);
  Result<DimensionHandle> Subtract(DimensionHandle a, DimensionOrConstant b);
  Result<DimensionHandle> Multiply(DimensionHandle a, DimensionOrConstant b);
  Result<DimensionHandle> Min(DimensionHandle a, DimensionOrConstant b);
  Result<DimensionHandle> Max(DimensionHandle a, DimensionOrConstant b);

  // ---- Conditions ----
  // Must hold: false in every run is an error in these words, perhaps is a check and a checked fact.
  Status Require(const Literal& literal, Message message, Code code = Code::kRequirement);
  Status Require(const Clause& clause, Message message, Code code = Code::kRequirement);
  Status Require(const Condition& condition, Message message, Code code = Code::kRequirement);
  // Holds by what the operator does: a given fact.
  void Ensure(const Literal& literal);
  void Ensure(const Clause& clause);
  void Ensure(const Condition& condition);
  // What is left for run time, in the order of asking.
  std::span<const Check> checks() const { return checks_; }
  // What a run that succeeded has published; whoever keeps the node takes them back before it runs again.
  std::span<const ConstraintId> constraints() const { return pending_constraints_; }
  // The scope to ask Facts about: with what this run has learned so far.
  ScopeId scope() const { return has_pending_scope_ ? pending_scope_ : node_.scope; }
  // Questions, with no trace.
  Truth Equal(DimensionHandle a, DimensionHandle b) const;
  Truth AtLeast(DimensionHandle a, DimensionHandle b) const;

  // ---- What lies behind handles ----
  // The tensors behind a resource, each with shape and element type; null where nothing is known.
  const std::vector<Type>* input_handle_shapes_and_types(int64_t i) const;
  const std::vector<Type>* output_handle_shapes_and_types(int64_t i) const;
  void set_input_handle_shapes_and_types(int64_t i, std::span<const Type> behind);
  void set_output_handle_shapes_and_types(int64_t i, std::span<const Type> behind);
  // Merges what is known with these: element types must agree (an unknown one takes the other's), shapes that
  // cannot be merged stay as they are. Answers whether anything changed.
  bool MergeInputHandleShapesAndTypes(int64_t i, std::span<const Type> behind);
  bool MergeOutputHandleShapesAndTypes(int64_t i, std::span<const Type> behind);
  // The same with shapes relaxed.
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
  // How far a transaction has come, to go back to.
  struct Savepoint {
    size_t checks = 0;
    size_t constraints = 0;
  };

  template <typename List>
  static bool InRange(int64_t i, const List& list) {
    return i >= 0 && static_cast<uint64_t>(i) < list.size();
  }

  void CountOutputs();
  void FailConstruction(Diagnostic diagnostic);
  void Misuse(Code code, std::string message);  // an error without a way to return it: Run answers the first
  Status BeginRun();
  Status EndRun(Status status);
  Status Call(Status (*run)(void*), void* function);  // what it answers, or what it throws
  Status RequireSizes(Shape shape);
  Status MergeKnownOutputs();
  Status Finish(Status status);  // what follows a function: its misuse, known outputs, sizes of its results

  struct Question {
    Savepoint before;
    std::vector<OutputSlot> outputs;
    std::vector<Type> refined_inputs;
    uint32_t next_role = 0;
    bool misused = false;
    bool asked = false;  // within another question
  };
  Question BeginQuestion();
  Truth EndQuestion(const Question& question, const Status& status);
  SymbolKey NextKey(int64_t min, int64_t max);

  Savepoint Save() const { return {checks_.size(), pending_constraints_.size()}; }
  void GoBack(Savepoint savepoint);
  void AssertPending(const Clause& clause, FactKind kind);
  void DropPending();
  Unexpected Fail(Truth without_assumed, Message message, Code code) const;  // a requirement that is false
  void RecordCheck(Condition condition, Message message, Code code);

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

  // Roles of the unknowns made here are apart from those of axes.
  static constexpr uint32_t kFreshRole = 0x80000000u;

  Analysis* analysis_;
  NodeDescription node_;
  internal::SmallList<InputSlot, 8> inputs_;
  internal::SmallList<OutputSlot, 8> outputs_;
  std::span<const dimwise::Value> given_tensors_;  // until PostInputInit
  std::span<const Shape> given_tensors_as_shapes_;
  Status construction_status_;
  Status misuse_;
  mutable std::optional<NameRangeMap> input_ranges_;  // when first asked for
  mutable std::optional<NameRangeMap> output_ranges_;
  std::vector<std::unique_ptr<AttrValue::Ints>> converted_ints_;
  bool asks_about_inputs_ = false;
  bool asking_ = false;  // a question without a trace
  std::vector<Type> known_outputs_;
  std::vector<Type> refined_inputs_;  // by input, once one is refined; unknown where it is not

  std::vector<Check> checks_;
  std::vector<ConstraintId> pending_constraints_;
  ScopeId pending_scope_ = ScopeId::kRoot;
  bool has_pending_scope_ = false;
  bool has_run_ = false;
  uint32_t next_role_ = 0;   // the number of unknowns made so far
  uint32_t first_role_ = 0;  // of the run
};

}  // namespace dimwise

#endif  // DIMWISE_INFERENCE_CONTEXT_H_
