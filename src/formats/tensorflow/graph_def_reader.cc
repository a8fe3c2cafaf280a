// Reads a GraphDef: versions, the library of functions, and the nodes.
#include <fmt/format.h>

#include <limits>

#include "dimwise/tensorflow.h"
#include "formats/tensorflow/graph_def_nodes.h"
#include "formats/tensorflow/tensorflow_fields.h"

namespace dimwise {
namespace {

std::string_view CharsOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// An argument or a result of a function.
struct FunctionArgument {
  std::string_view name;
  ElementType element = ElementType::kUnknown;
  bool is_list = false;  // an attribute states how many there are
};

struct FunctionParts {
  std::string_view name;
  std::vector<FunctionArgument> inputs, outputs;
  std::vector<std::string_view> nodes;
  tsl::robin_map<std::string_view, std::string_view> returns;  // the value behind each result
};

bool ReadArgument(ModelSource& source, std::string_view bytes, std::vector<FunctionArgument>* arguments) {
  namespace f = tensorflow_fields::argument;
  FunctionArgument argument;
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() == f::kName) argument.name = r.bytes();
    if (r.tag() == f::kType) {
      const int64_t number = IsTensorFlowRef(r.integer()) ? r.integer() - 100 : r.integer();
      argument.element = ElementTypeOf(number, TypeSystem::kTensorFlow).value_or(ElementType::kUnknown);
    }
    if (r.tag() == f::kNumberAttr || r.tag() == f::kTypeListAttr) argument.is_list = !r.bytes().empty();
  }
  arguments->push_back(argument);
  return source.Whole(r, "an argument of a function");
}

bool ReadSignature(ModelSource& source, std::string_view bytes, FunctionParts* parts) {
  namespace f = tensorflow_fields::signature;
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() == f::kName) parts->name = r.bytes();
    if (r.tag() == f::kInput && !ReadArgument(source, r.bytes(), &parts->inputs)) return false;
    if (r.tag() == f::kOutput && !ReadArgument(source, r.bytes(), &parts->outputs)) return false;
  }
  return source.Whole(r, "the signature of a function");
}

bool ReadFunctionParts(ModelSource& source, std::string_view bytes, FunctionParts* parts) {
  namespace f = tensorflow_fields::function;
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() == f::kSignature && !ReadSignature(source, r.bytes(), parts)) return false;
    if (r.tag() == f::kNode) parts->nodes.push_back(r.bytes());
    if (r.tag() != f::kReturn) continue;
    std::string_view key, value;
    WireReader entry(r.bytes());
    while (entry.Next()) {
      if (entry.tag() == tensorflow_fields::map_entry::kKey) key = entry.bytes();
      if (entry.tag() == tensorflow_fields::map_entry::kValue) value = entry.bytes();
    }
    if (!source.Whole(entry, "a result of a function")) return false;
    parts->returns.insert({key, value});
  }
  return source.Whole(r, "a function");
}

bool ReadLibrary(ModelSource& source, std::string_view bytes, std::vector<FunctionParts>* functions) {
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() != tensorflow_fields::library::kFunction) continue;
    if (!ReadFunctionParts(source, r.bytes(), &functions->emplace_back())) return false;
  }
  return source.Whole(r, "the library of functions");
}

// Returns whether the number of arguments and results is part of the signature.
bool HasFixedArity(const FunctionParts& function) {
  const auto is_list = [](const FunctionArgument& a) { return a.is_list; };
  return std::ranges::none_of(function.inputs, is_list) && std::ranges::none_of(function.outputs, is_list);
}

bool AddFunctionBody(ModelSource& source, const FunctionParts& parts, const OpRegistry& registry,
                     const TensorFlowFunctions& functions, TensorFlowModel& model) {
  Graph* const body = model.graph.AddFunction(fmt::format("tensorflow.{}", parts.name));
  GraphDefNodes nodes(source, registry, functions, model.producer, *body);
  for (const FunctionArgument& input : parts.inputs)
    nodes.AddArgument(input.name, Type::Tensor(input.element, Shape()));
  for (const std::string_view node : parts.nodes) {
    if (!nodes.Read(node)) return false;
  }
  nodes.Connect();
  for (const FunctionArgument& output : parts.outputs) {
    const auto returned = parts.returns.find(output.name);
    const ValueId value = nodes.Find(returned == parts.returns.end() ? output.name : returned->second);
    if (value != kNoValue) {
      body->AddOutput(body->body(), value);
      continue;
    }
    source.Report(
        Severity::kError, Code::kMissingValue,
        fmt::format("function '{}' computes no value for its result '{}'", parts.name, output.name));
    body->AddOutput(body->body(), body->AddValue(body->body(), output.name));
  }
  return true;
}

int ReadProducer(std::string_view bytes) {
  WireReader r(bytes);
  int64_t producer = 0;
  while (r.Next()) {
    if (r.tag() == tensorflow_fields::versions::kProducer) producer = r.integer();
  }
  return producer > 0 && producer <= std::numeric_limits<int>::max() ? static_cast<int>(producer) : 0;
}

}  // namespace

bool LooksLikeGraphDef(std::span<const std::byte> bytes) {
  // The first field is a node, which begins with its name, and then has its operator.
  namespace f = tensorflow_fields;
  WireReader r(CharsOf(bytes));
  if (!r.Next() || r.tag() != f::graph::kNode) return false;
  bool has_name = false, has_op = false;
  WireReader node(r.bytes());
  while (node.Next()) {
    if (node.tag() == f::node::kName) has_name = !node.bytes().empty() && !node.bytes().starts_with('\n');
    if (node.tag() == f::node::kOp) has_op = !node.bytes().empty();
  }
  return has_name && has_op && node.damage() == nullptr;
}

Result<std::unique_ptr<TensorFlowModel>> ReadGraphDef(std::span<const std::byte> bytes, Analysis& analysis,
                                                      const OpRegistry& registry) {
  namespace f = tensorflow_fields::graph;
  auto model = std::make_unique<TensorFlowModel>(analysis);
  ModelSource source("TensorFlow", CharsOf(bytes), analysis, model->findings);
  const auto damaged = [&] { return Unexpected(std::move(*source.damage())); };
  std::vector<std::string_view> nodes;
  std::vector<FunctionParts> library;
  WireReader r(CharsOf(bytes));
  while (r.Next()) {
    if (r.tag() == f::kNode) nodes.push_back(r.bytes());
    if (r.tag() == f::kVersions) model->producer = ReadProducer(r.bytes());
    if (r.tag() == f::kLibrary && !ReadLibrary(source, r.bytes(), &library)) return damaged();
  }
  if (!source.Whole(r, "the graph")) return damaged();
  TensorFlowFunctions functions;
  for (const FunctionParts& function : library) {
    if (HasFixedArity(function)) functions.insert({function.name, function.outputs.size()});
  }
  for (const FunctionParts& function : library) {
    if (HasFixedArity(function) && !AddFunctionBody(source, function, registry, functions, *model))
      return damaged();
  }
  GraphDefNodes reader(source, registry, functions, model->producer, model->graph);
  for (const std::string_view node : nodes) {
    if (!reader.Read(node)) return damaged();
  }
  reader.Connect();
  reader.AddUnusedAsOutputs();
  source.FinishFindings();
  return model;
}

}  // namespace dimwise
