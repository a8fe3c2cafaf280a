// Reads a GraphProto with its nested graphs, or the body of a FunctionProto, into a Graph.
//
// Protocol Buffers store nodes before inputs and constants, but reading nodes requires the names of both.
// Therefore the fields of a graph are walked twice. The first walk records all fields except nodes, which it
// skips. The second walk reads each node once.
//
// A name costs one hash and one probe of a compact hash table. Operators and attribute sets
// (attribute_sets.h) are compared by their bytes before they are read. A chain of similar nodes thus reads
// each of them once, and a node allocates nothing.
//
// Nested graphs wait in a queue until the graph around them is complete, so the recursion depth does not
// depend on the data. Each region has its own hash table; lookup proceeds from inner to outer regions.
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

// The version of each imported operator set. "" is the ONNX set, also called "ai.onnx".
using OpsetVersions = tsl::robin_map<std::string_view, int>;

class GraphReader {
 public:
  GraphReader(ModelSource& source, Graph& graph, const OpsetVersions& opsets, int64_t ir_version);

  // Both return false if the file is damaged.
  bool ReadGraph(std::string_view bytes);
  bool ReadFunction(std::string_view bytes);

 private:
  // The names of a region, and the enclosing region.
  struct Scope {
    RegionId region{};
    Scope* around = nullptr;
    int depth = 0;
    NameTable names = {};
    ValueId latest = kNoValue;          // the last result of the last node
    std::vector<ValueId> missing = {};  // used before they were defined
  };
  // A nested graph that is not read yet.
  struct Pending {
    NodeId carrier;
    std::string_view attribute;
    std::string_view bytes;
    Scope* around;
  };
  // All fields of one kind: the bytes from the first to the last of them, including other fields in between.
  struct Fields {
    std::string_view bytes = {};
    uint32_t tag = 0;
    size_t count = 0;

    void Add(std::string_view field) {
      if (count++ == 0) bytes = field;
      bytes = {bytes.data(), static_cast<size_t>(field.data() + field.size() - bytes.data())};
    }
    // Calls each(bytes of the field) until it returns false. REQUIRES: the fields are undamaged.
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
  // The positions of the parts of a graph.
  struct Parts {
    Fields nodes, inputs, outputs, value_infos, initializers, sparse_initializers;
  };
  struct KnownOp {
    std::string_view domain, type, overload;
    OpId id;
  };
  struct ValueInfo {
    std::string_view name, type;
    Type known;  // set if one pass was enough
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
  // Returns the value of that name in the region or around it. Adds a missing value if there is none.
  ValueId Use(Scope& scope, std::string_view name) {
    if (name.empty()) return kNoValue;
    // Most operands are the result of the preceding node.
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
  // Returns the index of a name in the hash table of a region.
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

  // The operands and results of the current node.
  std::vector<ValueId> operands_;
  std::vector<std::string_view> results_;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_GRAPH_READER_H_
