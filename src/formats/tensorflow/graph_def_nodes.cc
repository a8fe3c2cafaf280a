#include "formats/tensorflow/graph_def_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/base/nearest_name.h"
#include "formats/tensorflow/tensorflow_fields.h"

namespace dimwise {
namespace {

constexpr std::string_view kSet = "tensorflow.";
// The limit on missing inputs that get a suggestion, because each takes a search for the nearest name.
constexpr size_t kMaxNameSearches = 16;
// More results than any operator has; a file may state any number.
constexpr size_t kMaxResults = 1 << 16;

// Returns the function that a node calls, for the operators that only call.
std::string_view CalledFunction(std::string_view op, const AttrMap& attrs) {
  if (op != "PartitionedCall" && op != "StatefulPartitionedCall") return {};
  const AttrValue* f = attrs.Find("f");
  const FunctionValue* function = f == nullptr ? nullptr : f->get_if<FunctionValue>();
  return function == nullptr ? std::string_view() : std::string_view(function->name);
}

std::optional<size_t> ToNumber(std::string_view text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string_view GraphDefNodes::ResultName(std::string_view node, size_t index) {
  return graph_.StoreCopy(fmt::format("{}:{}", node, index));
}

void GraphDefNodes::AddArgument(std::string_view name, Type type) {
  arguments_.insert({name, graph_.AddInput(graph_.body(), name, type)});
}

bool GraphDefNodes::Read(std::string_view bytes) {
  namespace f = tensorflow_fields::node;
  PendingNode node;
  node.position = position_++;
  std::vector<AttrEntry> attrs;
  std::string_view tensor;
  WireReader r(bytes);
  while (r.Next()) {
    switch (r.tag()) {
      case f::kName:
        node.name = r.bytes();
        break;
      case f::kOp:
        node.op = r.bytes();
        break;
      case f::kInput:
        if (!r.bytes().starts_with('^')) node.inputs.push_back(r.bytes());
        break;
      case f::kAttr: {
        TensorFlowAttr attr;
        if (!ReadAttrEntry(source_, r.bytes(), &attr)) return false;
        // Names that begin with an underscore are notes of TensorFlow's own passes.
        if (attr.name.starts_with('_')) break;
        if (!attr.of_call.empty()) node.of_call.emplace_back(attr.name, attr.of_call);
        if (attr.tensor.data() != nullptr && attr.name == "value") tensor = attr.tensor;
        if (attr.tensor.data() == nullptr && attr.of_call.empty())
          attrs.push_back({std::string(attr.name), std::move(attr.value)});
        break;
      }
      default:
        break;
    }
  }
  if (!source_.Whole(r, "a node")) return false;
  const auto [same, is_new] = by_name_.insert({node.name, nodes_.size()});
  if (!is_new) {
    source_.Report(Severity::kError, Code::kDuplicateName,
                   fmt::format("two nodes have the name '{}'; the first one is used", node.name));
    return true;
  }
  const AttrMap map = AttrMap::Of(std::move(attrs));
  if (node.op == "Placeholder" || node.op == "PlaceholderV2") {
    AddPlaceholder(node, map);
  } else if (node.op == "Const" && tensor.data() != nullptr) {
    AddConstant(node, tensor);
  } else {
    AddResults(node, map);
  }
  nodes_.push_back(std::move(node));
  return source_.damage() == std::nullopt;
}

Type GraphDefNodes::TypeOfShape(std::string_view node, ElementType element, const ShapeProto& shape) {
  Analysis& analysis = source_.analysis();
  if (shape.unknown_rank || shape.dims.size() > static_cast<size_t>(kMaxRank))
    return Type::Tensor(element, Shape());
  std::vector<Dim> sizes;
  for (size_t axis = 0; axis < shape.dims.size(); ++axis) {
    const int64_t size = shape.dims[axis];
    sizes.push_back(size >= 0
                        ? Dim(size)
                        : analysis.dims().NamelessSymbol(fmt::format("{}_d{}", node, axis),
                                                         fmt::format("input {}:0, axis {}", node, axis)));
  }
  return Type::Tensor(element, analysis.shapes().Make(sizes));
}

void GraphDefNodes::AddPlaceholder(PendingNode& node, const AttrMap& attrs) {
  const AttrValue* dtype = attrs.Find("dtype");
  const AttrValue* shape = attrs.Find("shape");
  const ElementType* element = dtype == nullptr ? nullptr : dtype->get_if<ElementType>();
  const ShapeProto* proto = shape == nullptr ? nullptr : shape->get_if<ShapeProto>();
  // Before version 24 of the graph, a placeholder without a shape was stored as a scalar.
  const bool is_unknown = proto == nullptr || (proto->dims.empty() && producer_ < 24);
  const ElementType type = element == nullptr ? ElementType::kUnknown : *element;
  node.results.push_back(
      graph_.AddInput(graph_.body(), ResultName(node.name, 0),
                      is_unknown ? Type::Tensor(type, Shape()) : TypeOfShape(node.name, type, *proto)));
  node.result_names.push_back({"output", 0, 1});
  node.is_value = true;
}

void GraphDefNodes::AddConstant(PendingNode& node, std::string_view tensor) {
  TensorProtoReader reader(source_);
  if (!reader.Read(tensor)) return;
  const Type type = reader.TypeOf(node.name);
  node.results.push_back(
      graph_.AddConstant(graph_.body(), ResultName(node.name, 0), type, reader.ToValue(graph_)));
  node.result_names.push_back({"output", 0, 1});
  node.is_value = true;
}

// Sets the operator and the attributes of a node, and adds its results.
void GraphDefNodes::AddResults(PendingNode& node, const AttrMap& attrs) {
  const std::string_view callee = functions_.contains(node.op) ? node.op : CalledFunction(node.op, attrs);
  size_t count = 1;
  if (const auto function = functions_.find(callee); function != functions_.end()) {
    node.id = graph_.UseOp(fmt::format("{}{}", kSet, callee), 0);
    count = function->second;
  } else {
    const std::string name = fmt::format("{}{}", kSet, node.op);
    node.id = graph_.UseOp(name, producer_);
    if (const OpRegistrationData* op =
            registry_.Find(name, producer_ == 0 ? OpRegistry::kLatest : producer_)) {
      if (Result<NameRangeMap> ranges = OutputRanges(op->def, attrs)) {
        node.result_names.assign(ranges->begin(), ranges->end());
        count = std::min(ranges->total(), kMaxResults);
      }
    }
  }
  AttrMap plain = attrs;
  for (const AttrEntry& attr : attrs) {
    const FunctionValue* function = attr.value.get_if<FunctionValue>();
    if (function == nullptr) continue;
    const auto known = functions_.find(function->name);
    if (known != functions_.end() && function->name != callee)
      node.regions.emplace_back(graph_.StoreCopy(attr.name), known->first);
    plain.Erase(attr.name);
  }
  node.attrs = plain.empty() ? kNoAttrs : graph_.AddAttrs(std::move(plain));
  for (size_t i = 0; i < count; ++i)
    node.results.push_back(graph_.AddValue(graph_.body(), ResultName(node.name, i)));
}

ValueId GraphDefNodes::Find(std::string_view input) {
  if (const auto argument = arguments_.find(input); argument != arguments_.end()) return argument->second;
  const std::string_view name = input.substr(0, input.find(':'));
  if (const auto argument = arguments_.find(name); argument != arguments_.end()) return argument->second;
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return kNoValue;
  const PendingNode& node = nodes_[found->second];
  std::string_view rest = name.size() == input.size() ? "0" : input.substr(name.size() + 1);
  size_t first = 0;
  if (const size_t colon = rest.find(':'); colon != std::string_view::npos) {
    const auto range = std::ranges::find(node.result_names, rest.substr(0, colon), &NameRange::name);
    if (range != node.result_names.end()) first = range->begin;
    rest.remove_prefix(colon + 1);
  }
  const std::optional<size_t> index = ToNumber(rest);
  return index && first + *index < node.results.size() ? node.results[first + *index] : kNoValue;
}

void GraphDefNodes::Connect() {
  size_t missing = 0;
  for (const PendingNode& node : nodes_) {
    if (node.is_value) continue;
    std::vector<ValueId> operands;
    for (const std::string_view input : node.inputs) {
      operands.push_back(Find(input));
      if (operands.back() != kNoValue) continue;
      Diagnostic finding;
      finding.code = Code::kMissingValue;
      finding.node = node.name;
      finding.op = node.op;
      finding.message = fmt::format("node '{}' has the input '{}', which no node computes", node.name, input);
      if (missing++ < kMaxNameSearches) {
        std::vector<std::string_view> names;
        for (const PendingNode& other : nodes_) names.push_back(other.name);
        const std::string_view nearest = NearestName(input.substr(0, input.find(':')), names);
        if (!nearest.empty()) finding.help = fmt::format("did you mean '{}'?", nearest);
      }
      source_.Report(std::move(finding));
    }
    const Graph::NodeSpec spec{
        .op = node.id, .name = node.name, .attrs = node.attrs, .position = node.position};
    const NodeId id = graph_.AddNodeFor(graph_.body(), spec, operands, node.results);
    for (const auto& [attribute, of_call] : node.of_call) graph_.ReferToAttr(id, attribute, of_call);
    AddRegions(id, node, operands);
  }
}

// Adds a region for each function in an attribute. It has one node, which calls the function.
void GraphDefNodes::AddRegions(NodeId carrier, const PendingNode& node, std::span<const ValueId> operands) {
  const bool has_condition =
      node.op == "If" || node.op == "StatelessIf" || node.op == "Case" || node.op == "StatelessCase";
  for (const auto& [attribute, function] : node.regions) {
    const RegionId region = graph_.AddRegion(carrier, attribute);
    std::vector<ValueId> arguments, results;
    for (size_t i = has_condition ? 1 : 0; i < operands.size(); ++i)
      arguments.push_back(graph_.AddInput(region, graph_.StoreCopy(fmt::format("argument:{}", i))));
    for (size_t i = 0; i < functions_.at(function); ++i)
      results.push_back(graph_.AddValue(region, graph_.StoreCopy(fmt::format("result:{}", i))));
    const Graph::NodeSpec call{.op = graph_.UseOp(fmt::format("{}{}", kSet, function), 0), .name = "call"};
    graph_.AddNodeFor(region, call, arguments, results);
    for (const ValueId result : results) graph_.AddOutput(region, result);
  }
}

void GraphDefNodes::AddUnusedAsOutputs() {
  for (const PendingNode& node : nodes_) {
    for (const ValueId result : node.results) {
      if (graph_.role(result) == ValueRole::kResult && !graph_.is_used(result))
        graph_.AddOutput(graph_.body(), result);
    }
  }
}

}  // namespace dimwise
