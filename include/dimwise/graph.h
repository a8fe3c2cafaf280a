// A Graph denotes a program: nodes that compute values out of values.
//
// It is arrays with typed 32-bit ids. A value is an input, a constant, a node's result, or *missing* (used,
// but nobody computes it). A region is a list of nodes with inputs and outputs of its own: the graph's body
// is one, and so is each sub-graph that a node carries (a branch, the body of a loop); its nodes see the
// values of the regions around it. A function is a graph of its own, called by its name as an operator. Types
// and contents in a graph are handles of the analysis that it was made with; they are what the program says
// (inputs, constants, declarations), not what inference finds, which is kept by the engines.
//
//   Analysis analysis;
//   Graph graph(analysis);
//   ValueId x = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N, 784]"));
//   NodeId relu = graph.AddNode(graph.body(), {.op = graph.UseOp("onnx.Relu", 14), .name = "r"}, {x}, {"y"});
//   graph.AddOutput(graph.body(), graph.results(relu)[0]);
//
// graph_text.h reads and writes it as text.
//
// Invariants:
//  1. Ids are never reused. What is removed stays as a dead node, whose operands are none; asking for its op
//     or results is still safe.
//  2. Every use of a value as an operand is in its list of uses exactly once.
//  3. A cycle may be made, as old-style loops need; Order() then says where it was cut.
//  4. Names are views of what the caller keeps alive as long as the graph (the file), or of copies made by
//     Keep.
//  5. Where an argument is an id that has to exist, as in name(node), it does: these are not checked.
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
enum class OpId : uint32_t {};     // a distinct operator in a distinct version
enum class AttrsId : uint32_t {};  // a set of attributes, shared by the nodes that have the same

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
  // A copy of a text that lives as long as the graph.
  std::string_view Keep(std::string_view text);

  // ---- Operators and attributes, once for all nodes that share them ----
  struct Op {
    std::string_view name;  // "onnx.Conv"
    int version = 0;        // of the operator set; 0: not said
  };
  OpId UseOp(std::string_view full_name, int version);  // the one of that name and version
  const Op& op(OpId id) const { return ops_[Index(id)]; }
  size_t op_count() const { return ops_.size(); }
  AttrsId AddAttrs(AttrMap attrs);     // the same for equal ones
  AttrsId AddOwnAttrs(AttrMap attrs);  // for who knows that there are none equal
  const AttrMap& attrs(AttrsId id) const {
    if (attrs_[Index(id)].is_pending) MakeAttrs(id);
    return attrs_[Index(id)].map;
  }
  // A set of one attribute, a tensor that is a handle already: most of a file's Constants are never asked for
  // their attributes, which are made of it when they are.
  struct TensorAttr {
    std::string_view attribute;  // empty: there is none
    Type type;                   // of known sizes
    Value contents;              // none where they are not known
  };
  AttrsId AddTensorAttr(const TensorAttr& tensor);
  const TensorAttr& tensor_attr(AttrsId id) const { return attrs_[Index(id)].tensor; }

  // ---- Building ----
  static constexpr uint32_t kAsAdded = UINT32_MAX;  // a position: the place among the nodes of the region
  struct NodeSpec {
    OpId op{};
    std::string_view name{};
    AttrsId attrs = kNoAttrs;
    // In the file: the node's index, or a line. Reports call a node without a name by it.
    uint32_t position = kAsAdded;
  };

  // Room for so many in all, so that adding them moves nothing; constants are values too.
  void Reserve(size_t nodes, size_t values, size_t operands, size_t constants);

  RegionId body() const { return RegionId{0}; }
  // A region that a node carries, as its attribute of that name; kNoRegion where there is no such node.
  RegionId AddRegion(NodeId carrier, std::string_view attribute);

  ValueId AddInput(RegionId region, std::string_view name, Type type = {});
  ValueId AddConstant(RegionId region, std::string_view name, Type type, Value contents = {});
  // A value that nobody computes yet.
  ValueId AddValue(RegionId region, std::string_view name);
  void AddOutput(RegionId region, ValueId value);

  // A node whose results are new values of these names. An id that does not exist is left out and told among
  // the mistakes: of an operand, it is not given then.
  NodeId AddNode(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands,
                 std::span<const std::string_view> results);
  NodeId AddNode(RegionId region, const NodeSpec& spec, std::initializer_list<ValueId> operands,
                 std::initializer_list<std::string_view> results) {
    return AddNode(region, spec, std::span(operands.begin(), operands.size()),
                   std::span(results.begin(), results.size()));
  }
  // A node whose results are values that were added before; they become values of its region. One that is not
  // missing, or does not exist, is replaced by a new value of that name.
  NodeId AddNodeFor(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands,
                    std::span<const ValueId> results);

  // What was built with ids that do not exist: of regions, operators, attributes, operands and outputs. A
  // value of another graph is not told from one of this that has its number. Inference and the solver report
  // them as errors, the refiner as those of the node.
  struct Mistake {
    NodeId node = kNoNode;  // none: of an output or a region
    Diagnostic diagnostic;
  };
  std::span<const Mistake> mistakes() const { return mistakes_; }

  // What the file says of a value besides: a claim, not a fact (kResult), or the type of an input.
  void Declare(ValueId value, Type type);
  void SetContents(ValueId value, Value contents);
  // Attributes of an input or a constant, such as MXNet's `__shape__` of a variable. A result has none of its
  // own.
  Status SetAttrs(ValueId value, AttrsId attrs);
  void AddControlEdge(NodeId before, NodeId after);

  // A function of the program by its full name ("my.domain.Gelu"); the first one of a name stays. Its inputs
  // and outputs are those of the body, its attributes those that nodes refer to.
  Graph* AddFunction(std::string_view full_name);
  const Graph* FindFunction(std::string_view full_name) const;
  struct FunctionAttr {
    std::string_view name;
    const AttrValue* otherwise = nullptr;  // null: required
  };
  std::vector<FunctionAttr> function_attrs;
  // Inside a function: the node's attribute is that of the call.
  void ReferToAttr(NodeId node, std::string_view attribute, std::string_view of_call);

  // ---- Editing: errors for ids that do not exist ----
  Status SetOperand(NodeId node, size_t i, ValueId value);
  Status AppendOperand(NodeId node, ValueId value);
  Status SetAttrs(NodeId node, AttrsId attrs);
  Status RemoveNode(NodeId node);  // with all nodes inside its regions; their results become missing

  // ---- Reading ----
  size_t node_count() const { return nodes_.size(); }  // dead ones among them
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
  std::span<const NodeId> control_inputs(NodeId node) const;  // removed ones among them

  std::string_view name(ValueId value) const {
    return {values_[Index(value)].name, values_[Index(value)].name_size};
  }
  ValueRole role(ValueId value) const { return static_cast<ValueRole>(values_[Index(value)].role); }
  NodeId maker(ValueId value) const { return values_[Index(value)].maker; }
  uint32_t result_index(ValueId value) const { return values_[Index(value)].result_index; }
  RegionId region(ValueId value) const { return values_[Index(value)].region; }
  // What was said of it: an unknown Type and no contents where nothing was.
  Type declared(ValueId value) const;
  Value contents(ValueId value) const;
  AttrsId attrs_of(ValueId value) const;

  // Whether a node has it as an operand.
  bool is_used(ValueId value) const { return values_[Index(value)].first_use != UINT32_MAX; }
  // Calls visit(NodeId, operand index) for each use of a value as an operand, latest first.
  template <typename F>
  void ForEachUse(ValueId value, F&& visit) const {
    for (uint32_t u = values_[Index(value)].first_use; u != UINT32_MAX; u = uses_[u].next) {
      visit(uses_[u].node, u - nodes_[Index(uses_[u].node)].first_operand);
    }
  }

  std::span<const ValueId> inputs(RegionId region) const { return regions_[Index(region)].inputs; }
  std::span<const ValueId> outputs(RegionId region) const { return regions_[Index(region)].outputs; }
  std::span<const ValueId> constants(RegionId region) const { return regions_[Index(region)].constants; }
  // The nodes as they were added, dead ones among them.
  std::span<const NodeId> nodes(RegionId region) const { return regions_[Index(region)].nodes; }
  NodeId carrier(RegionId region) const { return regions_[Index(region)].carrier; }
  std::string_view attribute(RegionId region) const { return regions_[Index(region)].attribute; }
  RegionId parent(RegionId region) const;  // kNoRegion of the body
  const std::vector<std::unique_ptr<Graph>>& functions() const { return functions_; }

  // The live nodes of a region so that makers come before users, in the order of adding where that is one.
  // What nodes inside a region use counts as operands of the node that carries it. `cut` gets, for each cut
  // of a cycle, the node on it that comes before the maker of one of its operands: one that has other
  // operands from outside the cycle, if there is any, as the Merge of an old-style loop; also a node that
  // uses its own result.
  std::vector<NodeId> Order(RegionId region, std::vector<NodeId>* cut = nullptr) const;
  // Whether the order of adding is such an order for every region, as it is for most files, and nothing was
  // removed.
  bool in_order() const { return in_order_; }
  // The results of nodes that no node uses; a node without results counts as one.
  size_t unused_results() const { return unused_results_; }

 private:
  // Names are taken apart: as views they would leave gaps.
  struct Node {
    const char* name = nullptr;
    uint32_t name_size = 0;
    OpId op{};
    AttrsId attrs{};
    uint32_t first_operand = 0, operand_count = 0;
    uint32_t first_result = 0;
    uint32_t result_count : 30 = 0;
    uint32_t dead : 1 = 0;
    uint32_t moved : 1 = 0;  // its operands have room up to the next power of two
    RegionId region{};
    uint32_t position = 0;
    uint32_t carries = UINT32_MAX;  // into carried_
  };
  struct ValueEntry {
    const char* name = nullptr;
    uint32_t name_size = 0;
    NodeId maker = kNoNode;
    uint32_t result_index : 30 = 0;
    uint32_t role : 2 = 0;  // a ValueRole
    uint32_t first_use = UINT32_MAX;
    uint32_t said = UINT32_MAX;  // into said_
    RegionId region{};
  };
  struct AttrSet {
    mutable AttrMap map;
    TensorAttr tensor;
    mutable bool is_pending = false;  // the map is still to be made of the tensor
  };
  struct Use {
    NodeId node = kNoNode;
    uint32_t next = UINT32_MAX, previous = UINT32_MAX;
  };
  struct Said {
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
  Said& Say(ValueId value);
  void MakeAttrs(AttrsId id) const;
  std::span<const AttrReference> AttrReferences(NodeId node) const;
  void AddOperandSlot(ValueId value);
  // Whether one node stands before another of that region, or before the node that carries that one; false
  // also where that is too far to look.
  bool ComesFirst(NodeId before, RegionId in, NodeId node) const;
  // Whether the order of adding stays one when a node of that region uses the value.
  bool KeepsOrder(RegionId in, NodeId node, ValueId value) const;
  NodeId BeginNode(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands, size_t results);
  // Notes that something is of an id that does not exist: "operand 1 is value", 99.
  [[gnu::cold]] void NoteMissing(NodeId node, std::string_view what, uint32_t id);
  // Enters the slot of an operand, which says of which node it is, into the uses of the value.
  void Enter(ValueId value, uint32_t slot);
  // The same of a slot that says nothing yet, if it holds a value.
  void Link(uint32_t slot, NodeId node);
  void Unlink(uint32_t slot);
  bool IsUnusedResult(const ValueEntry& v) const {
    return v.role == static_cast<uint32_t>(ValueRole::kResult) && v.first_use == UINT32_MAX;
  }
  // The region, or the body where there is no such one.
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
  LargeVector<Use> uses_;  // beside operands_
  LargeVector<ValueId> results_;
  LargeVector<Said> said_;
  std::vector<Region> regions_;
  std::vector<std::vector<Carried>> carried_;
  std::vector<std::unique_ptr<Graph>> functions_;
  bool in_order_ = true;
  bool has_attr_references_ = false;
  size_t unused_results_ = 0;
  std::vector<Mistake> mistakes_;

  struct Tables;  // looked up by name or seldom asked
  std::unique_ptr<Tables> tables_;
};

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_H_
