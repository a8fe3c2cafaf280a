// A Graph denotes a program: nodes that compute values from values.
//
// It consists of arrays with typed 32-bit IDs. A value is an input, a constant, the result of a node, or
// *missing* (used but not computed). A region is a list of nodes with its own inputs and outputs. The body of
// the graph is a region, and so is each subgraph of a node: a branch, or the body of a loop. Its nodes can
// use the values of the enclosing regions. A function is a separate graph, called by its name as an operator.
//
// Types and contents in a graph are handles of its analysis. They are what the program states: inputs,
// constants and declarations. Results of inference are stored by the engines.
//
//   Analysis analysis;
//   Graph graph(analysis);
//   ValueId x = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N, 784]"));
//   NodeId relu = graph.AddNode(graph.body(), {.op = graph.UseOp("onnx.Relu", 14), .name = "r"}, {x}, {"y"});
//   graph.AddOutput(graph.body(), graph.results(relu)[0]);
//
// graph_text.h parses and prints graphs.
//
// Invariants:
// 1. IDs are never reused. A removed node stays as a dead node without operands; its op and results can
//    still be read.
// 2. Every use of a value as an operand is in its list of uses exactly once.
// 3. Cycles are allowed, as old-style loops need them; Order() reports where it cuts them.
// 4. Names are views of memory that the caller keeps alive (the file), or of copies made by StoreCopy.
// 5. An ID passed to a reading function, as in name(node), must exist: these functions do not test it.
//
// Thread safety: as its analysis: one thread at a time.
#ifndef DIMWISE_GRAPH_H_
#define DIMWISE_GRAPH_H_

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/attr_value.h"
#include "dimwise/export.h"
#include "dimwise/large_vector.h"
#include "dimwise/result.h"

namespace dimwise {

enum class NodeId : uint32_t {};
enum class ValueId : uint32_t {};
enum class RegionId : uint32_t {};
enum class OpId : uint32_t {};     // an operator in a certain version
enum class AttrsId : uint32_t {};  // a set of attributes, shared by nodes with equal attributes

inline constexpr NodeId kNoNode{UINT32_MAX};
inline constexpr ValueId kNoValue{UINT32_MAX};  // as an operand: not given
inline constexpr RegionId kNoRegion{UINT32_MAX};
inline constexpr AttrsId kNoAttrs{0};  // the empty set

template <typename Id>
requires std::is_enum_v<Id>
constexpr uint32_t Index(Id id) { return static_cast<uint32_t>(id); }

enum class ValueRole : uint8_t { kMissing, kInput, kConstant, kResult };

class DIMWISE_API Graph {
 public:
  explicit Graph(Analysis& analysis);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Analysis& analysis() const { return *analysis_; }
  std::string_view name() const { return name_; }
  void set_name(std::string_view name) { name_ = name; }
  // Copies a text; the copy lives as long as the graph.
  std::string_view StoreCopy(std::string_view text);

  // ---- Operators and attributes, shared by nodes ----
  struct Op {
    std::string_view name;  // "onnx.Conv"
    int version = 0;        // of the operator set; 0: not stated
  };
  OpId UseOp(std::string_view full_name, int version);  // returns the same ID for equal arguments
  const Op& op(OpId id) const { return ops_[Index(id)]; }
  size_t op_count() const { return ops_.size(); }
  AttrsId AddAttrs(AttrMap attrs);     // returns the same ID for equal sets
  AttrsId AddOwnAttrs(AttrMap attrs);  // skips the search for an equal set
  const AttrMap& attrs(AttrsId id) const {
    if (attrs_[Index(id)].is_pending) MakeAttrs(id);
    return attrs_[Index(id)].map;
  }
  // A set of one tensor attribute that is stored as a handle. The AttrMap is created on demand: the
  // attributes of most Constants of a file are never read.
  struct TensorAttr {
    std::string_view attribute;  // empty: no such attribute
    Type type;                   // all sizes are known
    Value contents;              // none if unknown
  };
  AttrsId AddTensorAttr(const TensorAttr& tensor);
  const TensorAttr& tensor_attr(AttrsId id) const { return attrs_[Index(id)].tensor; }

  // ---- Building ----
  static constexpr uint32_t kAsAdded = UINT32_MAX;  // a position: the index among the nodes of the region
  struct NodeSpec {
    OpId op{};
    std::string_view name{};
    AttrsId attrs = kNoAttrs;
    // The index or line of the node in the file. Reports identify a node without a name by it.
    uint32_t position = kAsAdded;
  };

  // Reserves memory for these total numbers, so that adding moves nothing. Constants are values too.
  void Reserve(size_t nodes, size_t values, size_t operands, size_t constants);

  RegionId body() const { return RegionId{0}; }
  // Adds a region that is an attribute of the node. Returns kNoRegion if there is no such node.
  RegionId AddRegion(NodeId carrier, std::string_view attribute);

  ValueId AddInput(RegionId region, std::string_view name, Type type = {});
  ValueId AddConstant(RegionId region, std::string_view name, Type type, Value contents = {});
  // Adds a value that no node computes yet.
  ValueId AddValue(RegionId region, std::string_view name);
  void AddOutput(RegionId region, ValueId value);

  // Adds a node and new values for its results. IDs that do not exist are recorded as mistakes; such an
  // operand counts as not given.
  NodeId AddNode(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands,
                 std::span<const std::string_view> results);
  NodeId AddNode(RegionId region, const NodeSpec& spec, std::initializer_list<ValueId> operands,
                 std::initializer_list<std::string_view> results) {
    return AddNode(region, spec, std::span(operands.begin(), operands.size()),
                   std::span(results.begin(), results.size()));
  }
  // Adds a node whose results are existing missing values; they move to the region of the node. A value that
  // is not missing, or does not exist, is replaced by a new value of the same name.
  NodeId AddNodeFor(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands,
                    std::span<const ValueId> results);

  // The uses of IDs that do not exist: regions, operators, attributes, operands and outputs. An ID of another
  // graph is not detected if this graph has the same ID. Inference and the solver report mistakes as errors;
  // the refiner reports them as errors of the node.
  struct Mistake {
    NodeId node = kNoNode;  // none for an output or a region
    Diagnostic diagnostic;
  };
  std::span<const Mistake> mistakes() const { return mistakes_; }

  // Records the type that the file states for a value: a claim for a result (kResult), the type for an input.
  void Declare(ValueId value, Type type);
  void SetContents(ValueId value, Value contents);
  // Records that the file contains a default for an input, which its caller may override.
  void SetDefault(ValueId input);
  // Sets attributes of an input or a constant, such as MXNet's `__shape__` of a variable. Fails for a result.
  Status SetAttrs(ValueId value, AttrsId attrs);
  void AddControlEdge(NodeId before, NodeId after);

  // Adds a function of the program by its full name ("my.domain.Gelu"); if the name exists, the first
  // function stays. The body has the inputs and outputs; function_attrs lists the attributes.
  Graph* AddFunction(std::string_view full_name);
  const Graph* FindFunction(std::string_view full_name) const;
  struct FunctionAttr {
    std::string_view name;
    const AttrValue* otherwise = nullptr;  // null: the attribute is required
  };
  std::vector<FunctionAttr> function_attrs;
  // Inside a function: the node's attribute has the value of the call's attribute.
  void ReferToAttr(NodeId node, std::string_view attribute, std::string_view of_call);

  // ---- Editing. Returns an error for an ID that does not exist. ----
  Status SetOperand(NodeId node, size_t i, ValueId value);
  Status AppendOperand(NodeId node, ValueId value);
  Status SetAttrs(NodeId node, AttrsId attrs);
  Status RemoveNode(NodeId node);  // with all nodes inside its regions; the results become missing

  // ---- Reading ----
  size_t node_count() const { return nodes_.size(); }  // includes dead nodes
  size_t value_count() const { return values_.size(); }
  size_t region_count() const { return regions_.size(); }
  bool Has(NodeId node) const { return Index(node) < nodes_.size() && !nodes_[Index(node)].dead; }
  bool Has(ValueId value) const { return Index(value) < values_.size(); }

  OpId op_of(NodeId node) const { return nodes_[Index(node)].op; }
  std::string_view op_name(NodeId node) const { return op(op_of(node)).name; }
  AttrsId attrs_of(NodeId node) const { return nodes_[Index(node)].attrs; }
  std::string_view name(NodeId node) const {
    return {nodes_[Index(node)].name, nodes_[Index(node)].name_size};
  }
  uint32_t position(NodeId node) const { return nodes_[Index(node)].position; }
  RegionId region(NodeId node) const { return nodes_[Index(node)].region; }
  std::span<const ValueId> operands(NodeId node) const {
    const Node& n = nodes_[Index(node)];
    return {operands_.data() + n.first_operand, n.operand_count};
  }
  std::span<const ValueId> results(NodeId node) const {
    const Node& n = nodes_[Index(node)];
    return {results_.data() + n.first_result, n.result_count};
  }
  struct Carried {
    std::string_view attribute;
    RegionId region;
  };
  std::span<const Carried> regions_of(NodeId node) const;
  bool carries_regions(NodeId node) const { return nodes_[Index(node)].carries != UINT32_MAX; }
  struct AttrReference {
    std::string_view attribute, of_call;
  };
  std::span<const AttrReference> attr_references(NodeId node) const {
    return has_attr_references_ ? AttrReferences(node) : std::span<const AttrReference>();
  }
  std::span<const NodeId> control_inputs(NodeId node) const;  // includes removed nodes

  std::string_view name(ValueId value) const {
    return {values_[Index(value)].name, values_[Index(value)].name_size};
  }
  ValueRole role(ValueId value) const { return static_cast<ValueRole>(values_[Index(value)].role); }
  NodeId maker(ValueId value) const { return values_[Index(value)].maker; }
  uint32_t result_index(ValueId value) const { return values_[Index(value)].result_index; }
  RegionId region(ValueId value) const { return values_[Index(value)].region; }
  // Returns the declared type; an unknown Type if nothing was declared.
  Type declared(ValueId value) const;
  Value contents(ValueId value) const;
  AttrsId attrs_of(ValueId value) const;
  bool has_default(ValueId input) const;

  // Returns whether a node has the value as an operand.
  bool is_used(ValueId value) const { return values_[Index(value)].first_use != UINT32_MAX; }
  // Calls visit(NodeId, operand index) for each use of a value as an operand, last use first.
  template <typename F>
  void ForEachUse(ValueId value, F&& visit) const {
    for (uint32_t u = values_[Index(value)].first_use; u != UINT32_MAX; u = uses_[u].next) {
      visit(uses_[u].node, u - nodes_[Index(uses_[u].node)].first_operand);
    }
  }

  std::span<const ValueId> inputs(RegionId region) const { return regions_[Index(region)].inputs; }
  std::span<const ValueId> outputs(RegionId region) const { return regions_[Index(region)].outputs; }
  std::span<const ValueId> constants(RegionId region) const { return regions_[Index(region)].constants; }
  // Returns the nodes in insertion order, including dead ones.
  std::span<const NodeId> nodes(RegionId region) const { return regions_[Index(region)].nodes; }
  NodeId carrier(RegionId region) const { return regions_[Index(region)].carrier; }
  std::string_view attribute(RegionId region) const { return regions_[Index(region)].attribute; }
  RegionId parent(RegionId region) const;  // kNoRegion for the body
  const std::vector<std::unique_ptr<Graph>>& functions() const { return functions_; }

  // Returns the live nodes of a region in topological order, or in insertion order if that is topological.
  // Values used inside a nested region count as operands of the node that carries it. A cycle is cut at a
  // node that comes before the maker of one of its operands; `cut` receives these nodes. A node with other
  // operands from outside the cycle is preferred, such as the Merge of an old-style loop. A node that uses
  // its own result is also cut.
  std::vector<NodeId> Order(RegionId region, std::vector<NodeId>* cut = nullptr) const;
  // Returns whether insertion order is topological in every region and nothing was removed. This holds for
  // most files.
  bool in_order() const { return in_order_; }
  // Returns the number of results that no node uses; a node without results counts as one.
  size_t unused_results() const { return unused_results_; }

 private:
  // Pointer and size are separate members: a string_view would leave padding.
  struct Node {
    const char* name = nullptr;
    uint32_t name_size = 0;
    OpId op{};
    AttrsId attrs{};
    uint32_t first_operand = 0, operand_count = 0;
    uint32_t first_result = 0;
    uint32_t result_count : 30 = 0;
    uint32_t dead : 1 = 0;
    uint32_t moved : 1 = 0;  // the operands have capacity up to the next power of two
    RegionId region{};
    uint32_t position = 0;
    uint32_t carries = UINT32_MAX;  // index in carried_
  };
  struct ValueEntry {
    const char* name = nullptr;
    uint32_t name_size = 0;
    NodeId maker = kNoNode;
    uint32_t result_index : 30 = 0;
    uint32_t role : 2 = 0;  // a ValueRole
    uint32_t first_use = UINT32_MAX;
    uint32_t declaration = UINT32_MAX;  // index in declarations_
    RegionId region{};
  };
  struct AttrSet {
    mutable AttrMap map;
    TensorAttr tensor;
    mutable bool is_pending = false;  // the map is not yet created from the tensor
  };
  struct Use {
    NodeId node = kNoNode;
    uint32_t next = UINT32_MAX, previous = UINT32_MAX;
  };
  struct Declaration {
    Type type;
    Value contents;
  };
  struct Region {
    NodeId carrier = kNoNode;
    std::string_view attribute;
    std::vector<ValueId> inputs, outputs, constants;
    std::vector<NodeId> nodes;
  };

  ValueId NewValue(RegionId region, std::string_view name, ValueRole role, NodeId maker = kNoNode,
                   size_t result_index = 0);
  Declaration& DeclarationOf(ValueId value);
  void MakeAttrs(AttrsId id) const;
  std::span<const AttrReference> AttrReferences(NodeId node) const;
  void AddOperandSlot(ValueId value);
  // Returns whether a node comes before another node of region `in`, or before the node that carries `in`.
  // Also returns false if the search would be too long.
  bool ComesFirst(NodeId before, RegionId in, NodeId node) const;
  // Returns whether insertion order stays topological if this node uses the value.
  bool KeepsOrder(RegionId in, NodeId node, ValueId value) const;
  NodeId BeginNode(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands, size_t results);
  // Records the use of an ID that does not exist: "operand 1 is value", 99.
  [[gnu::cold]] void NoteMissing(NodeId node, std::string_view what, uint32_t id);
  // Adds the operand slot to the uses of the value.
  void Enter(ValueId value, uint32_t slot);
  // Sets the node of a new slot and adds it to the uses of its value, if it has one.
  void Link(uint32_t slot, NodeId node);
  void Unlink(uint32_t slot);
  bool IsUnusedResult(const ValueEntry& v) const {
    return v.role == static_cast<uint32_t>(ValueRole::kResult) && v.first_use == UINT32_MAX;
  }
  // Returns the region, or the body if it does not exist.
  RegionId Existing(RegionId region) {
    if (region == body() || Index(region) < regions_.size()) return region;
    NoteMissing(kNoNode, "something is added to region", Index(region));
    return body();
  }

  Analysis* analysis_;
  std::string_view name_;
  std::vector<Op> ops_;
  std::deque<AttrSet> attrs_;
  LargeVector<Node> nodes_;
  LargeVector<ValueEntry> values_;
  LargeVector<ValueId> operands_;
  LargeVector<Use> uses_;  // parallel to operands_
  LargeVector<ValueId> results_;
  LargeVector<Declaration> declarations_;
  std::vector<Region> regions_;
  std::vector<std::vector<Carried>> carried_;
  std::vector<std::unique_ptr<Graph>> functions_;
  bool in_order_ = true;
  bool has_attr_references_ = false;
  size_t unused_results_ = 0;
  std::vector<Mistake> mistakes_;

  struct Tables;  // looked up by name, or rarely used
  std::unique_ptr<Tables> tables_;
};

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_H_
