#include "graph/graph_samples_testing.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace dimwise {
namespace {

constexpr size_t kNameSize = 8;

class Sample {
 public:
  Sample(Analysis& analysis, std::string_view name, size_t nodes, size_t values, size_t operands)
      : analysis_(analysis), graph_(std::make_unique<Graph>(analysis)) {
    graph_->set_name(graph_->StoreCopy(name));
    graph_->Reserve(nodes, values, operands, 0);
    std::string names;
    names.reserve(kNameSize * (nodes + values));
    AppendNames('v', values, names);
    AppendNames('n', nodes, names);
    names_ = graph_->StoreCopy(names);
    first_node_name_ = values;
  }

  ValueId Input(const char* type) { return graph_->AddInput(graph_->body(), ValueName(), Parsed(type)); }
  ValueId Weight(const char* type) { return graph_->AddConstant(graph_->body(), ValueName(), Parsed(type)); }
  ValueId Ints(const std::vector<Dim>& numbers) {
    const int64_t sizes[] = {static_cast<int64_t>(numbers.size())};
    const Dim dims[] = {sizes[0]};
    return graph_->AddConstant(graph_->body(), ValueName(),
                               Type::Tensor(ElementType::kI64, analysis_.shapes().Make(dims)),
                               analysis_.values().Integers(ElementType::kI64, sizes, numbers));
  }
  ValueId Scalar(int64_t number) {
    const Dim dims[] = {number};
    return graph_->AddConstant(graph_->body(), ValueName(),
                               Type::Tensor(ElementType::kI64, analysis_.shapes().Scalar()),
                               analysis_.values().Integers(ElementType::kI64, {}, dims));
  }

  OpId UseOp(std::string_view op) { return graph_->UseOp(op, 21); }
  AttrsId Attrs(AttrMap attrs) { return graph_->AddAttrs(std::move(attrs)); }

  ValueId Node(OpId op, std::initializer_list<ValueId> operands, AttrsId attrs = kNoAttrs) {
    const auto position = static_cast<uint32_t>(graph_->node_count());
    const NodeId node = graph_->AddNode(
        graph_->body(),
        {.op = op, .name = NameAt(first_node_name_ + position), .attrs = attrs, .position = position},
        operands, {ValueName()});
    return graph_->results(node)[0];
  }
  ValueId Node(std::string_view op, std::initializer_list<ValueId> operands, AttrMap attrs = {}) {
    return Node(UseOp(op), operands, Attrs(std::move(attrs)));
  }

  std::unique_ptr<Graph> Finish(ValueId output) {
    graph_->AddOutput(graph_->body(), output);
    return std::move(graph_);
  }

 private:
  static void AppendNames(char first, size_t count, std::string& names) {
    for (size_t i = 0; i < count; ++i) {
      names += first;
      const std::string digits = std::to_string(i);
      names.append(kNameSize - 1 - std::min(digits.size(), kNameSize - 1), '0').append(digits);
    }
  }
  std::string_view NameAt(size_t i) const { return names_.substr(kNameSize * i, kNameSize); }
  std::string_view ValueName() const { return NameAt(std::min(graph_->value_count(), first_node_name_ - 1)); }
  Type Parsed(const char* type) { return ParseType(analysis_, type).value(); }

  Analysis& analysis_;
  std::unique_ptr<Graph> graph_;
  std::string_view names_;
  size_t first_node_name_ = 0;
};

// Adds Conv and BatchNormalization.
ValueId ConvNorm(Sample& s, ValueId x, const char* weights, int64_t pad, int64_t stride) {
  const AttrValue::Ints pads(4, pad), strides(2, stride);
  const ValueId conv = s.Node("onnx.Conv", {x, s.Weight(weights)}, {{"pads", pads}, {"strides", strides}});
  const char* channels = "f32[64]";
  return s.Node("onnx.BatchNormalization",
                {conv, s.Weight(channels), s.Weight(channels), s.Weight(channels), s.Weight(channels)},
                {{"epsilon", 1e-5}});
}

// Adds x * weights + bias.
ValueId Linear(Sample& s, ValueId x, const char* weights, const char* bias) {
  return s.Node("onnx.Add", {s.Node("onnx.MatMul", {x, s.Weight(weights)}), s.Weight(bias)});
}

// Returns the size of an axis as a list of one element.
ValueId SizeOf(Sample& s, ValueId x, int64_t axis) {
  const ValueId size = s.Node("onnx.Gather", {s.Node("onnx.Shape", {x}), s.Scalar(axis)}, {{"axis", 0}});
  return s.Node("onnx.Unsqueeze", {size, s.Ints({0})});
}

ValueId Norm(Sample& s, ValueId x) {
  return s.Node("onnx.LayerNormalization", {x, s.Weight("f32[768]"), s.Weight("f32[768]")}, {{"axis", -1}});
}

ValueId EncoderLayer(Sample& s, ValueId h) {
  const ValueId batch = SizeOf(s, h, 0), length = SizeOf(s, h, 1);
  const auto split = [&](std::initializer_list<int64_t> perm) {
    const ValueId x = Linear(s, h, "f32[768, 768]", "f32[768]");
    const ValueId sizes = s.Node("onnx.Concat", {batch, length, s.Ints({12}), s.Ints({64})}, {{"axis", 0}});
    const ValueId heads = s.Node("onnx.Reshape", {x, sizes});
    return s.Node("onnx.Transpose", {heads}, {{"perm", AttrValue::Ints(perm)}});
  };
  const ValueId q = split({0, 2, 1, 3}), k = split({0, 2, 3, 1}), v = split({0, 2, 1, 3});
  const ValueId scores = s.Node("onnx.Div", {s.Node("onnx.MatMul", {q, k}), s.Weight("f32[]")});
  const ValueId weights = s.Node("onnx.Softmax", {scores}, {{"axis", -1}});
  const ValueId mixed = s.Node("onnx.Transpose", {s.Node("onnx.MatMul", {weights, v})},
                               {{"perm", AttrValue::Ints{0, 2, 1, 3}}});
  const ValueId sizes = s.Node("onnx.Concat", {batch, length, s.Ints({768})}, {{"axis", 0}});
  const ValueId joined = Linear(s, s.Node("onnx.Reshape", {mixed, sizes}), "f32[768, 768]", "f32[768]");
  const ValueId attended = Norm(s, s.Node("onnx.Add", {joined, h}));
  const ValueId wide = s.Node("onnx.Gelu", {Linear(s, attended, "f32[768, 3072]", "f32[3072]")});
  const ValueId narrow = Linear(s, wide, "f32[3072, 768]", "f32[768]");
  return Norm(s, s.Node("onnx.Add", {narrow, attended}));
}

}  // namespace

std::unique_ptr<Graph> ChainSample(Analysis& analysis, size_t nodes, bool symbolic) {
  Sample s(analysis, "chain", nodes, nodes + 2, nodes + nodes / 2);
  ValueId h = s.Input(symbolic ? "f32[N, 64, 56, 56]" : "f32[8, 64, 56, 56]");
  const ValueId scale = s.Weight("f32[64, 1, 1]");
  const OpId relu = s.UseOp("onnx.Relu"), add = s.UseOp("onnx.Add"), sigmoid = s.UseOp("onnx.Sigmoid"),
             mul = s.UseOp("onnx.Mul");
  for (size_t i = 0; i < nodes; ++i) {
    h = i % 4 == 0   ? s.Node(relu, {h})
        : i % 4 == 1 ? s.Node(add, {h, scale})
        : i % 4 == 2 ? s.Node(sigmoid, {h})
                     : s.Node(mul, {h, scale});
  }
  return s.Finish(h);
}

std::unique_ptr<Graph> ConvNetSample(Analysis& analysis, size_t blocks, bool symbolic) {
  const size_t nodes = 7 + 7 * blocks;
  Sample s(analysis, "convnet", nodes, 16 + 17 * blocks, 24 + 18 * blocks);
  const ValueId x = s.Input(symbolic ? "f32[N, 3, H, W]" : "f32[8, 3, 224, 224]");
  ValueId h = s.Node("onnx.Relu", {ConvNorm(s, x, "f32[64, 3, 7, 7]", 3, 2)});
  h = s.Node("onnx.MaxPool", {h},
             {{"kernel_shape", AttrValue::Ints{3, 3}},
              {"pads", AttrValue::Ints(4, 1)},
              {"strides", AttrValue::Ints{2, 2}}});
  for (size_t i = 0; i < blocks; ++i) {
    const ValueId inner = s.Node("onnx.Relu", {ConvNorm(s, h, "f32[64, 64, 3, 3]", 1, 1)});
    h = s.Node("onnx.Relu", {s.Node("onnx.Add", {ConvNorm(s, inner, "f32[64, 64, 3, 3]", 1, 1), h})});
  }
  h = s.Node("onnx.Flatten", {s.Node("onnx.GlobalAveragePool", {h})}, {{"axis", 1}});
  return s.Finish(
      s.Node("onnx.Gemm", {h, s.Weight("f32[1000, 64]"), s.Weight("f32[1000]")}, {{"transB", 1}}));
}

std::unique_ptr<Graph> TransformerSample(Analysis& analysis, size_t layers, bool symbolic) {
  Sample s(analysis, "transformer", 2 + 39 * layers, 8 + 70 * layers, 8 + 80 * layers);
  const ValueId ids = s.Input(symbolic ? "i64[B, S]" : "i64[8, 128]");
  ValueId h = Norm(s, s.Node("onnx.Gather", {s.Weight("f32[30522, 768]"), ids}, {{"axis", 0}}));
  for (size_t i = 0; i < layers; ++i) h = EncoderLayer(s, h);
  return s.Finish(h);
}

std::unique_ptr<Graph> RandomDagSample(Analysis& analysis, size_t nodes, bool symbolic, unsigned seed) {
  Sample s(analysis, "dag", nodes, nodes + 1, 2 * nodes);
  std::mt19937 random(seed);
  std::vector<ValueId> values = {s.Input(symbolic ? "f32[N, 64]" : "f32[8, 64]")};
  values.reserve(nodes + 1);
  const auto pick = [&] {
    const size_t recent = std::min<size_t>(values.size(), 32);
    const size_t back = random() % 8 == 0 ? random() % values.size() : random() % recent;
    return values[values.size() - 1 - back];
  };
  const OpId unary[] = {s.UseOp("onnx.Relu"), s.UseOp("onnx.Tanh"), s.UseOp("onnx.Sqrt")};
  const OpId binary[] = {s.UseOp("onnx.Add"), s.UseOp("onnx.Mul"), s.UseOp("onnx.Sub")};
  for (size_t i = 0; i < nodes; ++i) {
    const ValueId a = pick(), b = pick();
    values.push_back(i % 2 == 0 ? s.Node(unary[random() % 3], {a}) : s.Node(binary[random() % 3], {a, b}));
  }
  return s.Finish(values.back());
}

}  // namespace dimwise
