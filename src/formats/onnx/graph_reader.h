// Reads a GraphProto, with the graphs inside of it, or the body of a FunctionProto into a Graph.
//
// Protocol Buffers write a graph's nodes before its inputs and constants, but nodes are read easiest when the
// names that they use are known. So the fields of a graph are walked twice: the first time all but the nodes
// are noted, which only hops over them, and then the nodes are read, each once. A name costs one hash and one
// probe of a compact table. Operators, and sets of attributes (attribute_sets.h), are told apart by their
// bytes before they are read, so that in a chain of alike nodes each is read once and a node allocates
// nothing.
//
// Graphs inside are put off until the graph around them is complete, in a queue: recursion never follows the
// data. Each region has a table of its own, and a name is looked up outwards.
#ifndef DIMWISE_FORMATS_ONNX_GRAPH_READER_H_
#define DIMWISE_FORMATS_ONNX_GRAPH_READER_H_

#include <tsl/robin_map.h>

#include <deque>
#include <string_view>
#include <vector>

#include "core/base/same_bytes.h"
#include "dimwise/graph.h"
#include "formats/name_table.h"
#include "formats/onnx/attribute_sets.h"

namespace dimwise {

// The version of each operator set that is imported; "" is ONNX's own, also called "ai.onnx".
using OpsetVersions = tsl::robin_map<std::string_view, int>;

class GraphReader {
 public:
  GraphReader(ModelSource& source, Graph& graph, const OpsetVersions& opsets, int64_t ir_version);

  // False where the file is damaged.
  bool ReadGraph(std::string_view bytes);
  bool ReadFunction(std::string_view bytes);

 private:
  // The names of a region, and the region around it.
  struct Scope {
    RegionId region{};
    Scope* around = nullptr;
    int depth = 0;
    NameTable names = {};
    ValueId latest = kNoValue;          // the last result of the last node
    std::vector<ValueId> missing = {};  // used before anybody made them
  };
  // A graph that is still to be read.
  struct Pending {
    NodeId carrier;
    std::string_view attribute;
    std::string_view bytes;
    Scope* around;
  };
  // Fields of one kind: from the first to the last of them, with whatever lies between.
  struct Fields {
    std::string_view bytes = {};
    uint32_t tag = 0;
    size_t count = 0;

    void Add(std::string_view field) {
      if (count++ == 0) bytes = field;
      bytes = {bytes.data(), static_cast<size_t>(field.data() + field.size() - bytes.data())};
    }
    // Calls each(bytes of the field), until it says false. REQUIRES: none of it is damaged.
    template <typename F>
    bool ForEach(F&& each) const {
      WireReader r(bytes);
      do {
        while (r.Take(tag)) {
          if (!each(r.bytes())) return false;
        }
      } while (r.NextRound());
      return true;
    }
  };
  // Where the parts of a graph are.
  struct Parts {
    Fields nodes, inputs, outputs, value_infos, initializers, sparse_initializers;
  };
  struct KnownOp {
    std::string_view domain, type, overload;
    OpId id;
  };
  struct ValueInfo {
    std::string_view name, type;
    Type known;  // where that took no second look
  };

  bool ReadRegion(Scope& scope, std::string_view bytes);
  bool ReadPending();
  bool FindParts(std::string_view bytes, Parts* parts);
  bool ReadValueInfo(std::string_view bytes, ValueInfo* info);
  bool ReadInputs(Scope& scope, const Parts& parts, bool constants_first);
  bool ReadConstants(Scope& scope, const Parts& parts, bool constants_first);
  void AddConstant(Scope& scope, bool constants_first, bool sparse);
  bool ReadNodes(Scope& scope, const Fields& nodes);
  bool ReadNode(Scope& scope, std::string_view bytes, uint32_t position);
  bool ReadClaims(Scope& scope, const Fields& infos);
  bool ReadClaim(const ValueInfo& info, ValueId value);
  bool ReadOutputs(Scope& scope, const Parts& parts);
  bool ReadFunctionAttrs(std::string_view bytes);

  OpId FindOp(std::string_view domain, std::string_view type, std::string_view overload);
  OpId AddOp(std::string_view domain, std::string_view type, std::string_view overload);
  // The value of that name, in the region or around it; one that is missing so far is added.
  ValueId Use(Scope& scope, std::string_view name) {
    if (name.empty()) return kNoValue;
    // Mostly it is the result of the node before.
    if (scope.latest != kNoValue && SameBytes(graph_.name(scope.latest), name)) return scope.latest;
    const uint32_t hash = hash_(name);
    const uint32_t known = scope.names.at(Probe(scope, name, hash));
    return known != NameTable::kNone ? ValueId{known} : UseFromAround(scope, name, hash);
  }
  ValueId UseFromAround(Scope& scope, std::string_view name, uint32_t hash);
  ValueId Find(const Scope& scope, std::string_view name, uint32_t hash) const;
  void Name(Scope& scope, std::string_view name, ValueId value);
  NodeId AddNode(Scope& scope, const Graph::NodeSpec& spec);
  bool MakesMissing(const Scope& scope) const;
  NodeId AddNodeForMissing(Scope& scope, const Graph::NodeSpec& spec);
  void ReportDuplicate(const Graph::NodeSpec& spec, std::string_view value);
  void ReportMissing(Scope& scope);
  void ReportCycles();
  std::string OriginOf(ValueId value) const;
  // The place of a name in the table of a region.
  size_t Probe(const Scope& scope, std::string_view name, uint32_t hash) const {
    return scope.names.Probe(hash, [&](uint32_t id) { return SameBytes(graph_.name(ValueId{id}), name); });
  }

  ModelSource& source_;
  Graph& graph_;
  const OpsetVersions& opsets_;
  const int64_t ir_version_;
  const NameHash hash_;
  TensorReader tensors_;
  TypeReader types_;

  std::deque<Scope> scopes_;
  std::deque<Pending> pending_;
  NameTable op_table_;
  std::vector<KnownOp> ops_;
  AttributeSets attributes_;
  tsl::robin_map<std::string_view, bool> reported_domains_;
  size_t missing_reported_ = 0;

  // Of the node that is being read.
  std::vector<ValueId> operands_;
  std::vector<std::string_view> results_;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_GRAPH_READER_H_
