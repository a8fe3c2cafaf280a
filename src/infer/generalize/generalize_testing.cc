#include "infer/generalize/generalize_testing.h"

#include <fmt/format.h>

#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

struct ParsedProgram {
  Analysis analysis;
  std::unique_ptr<Graph> graph;
};

const GeneralizeCase kGeneralizeCases[] = {
    // Programs without constants to change, or whose constants only broadcast.
    {"x: f32[1, 4]", "x[0]=batch", "const b: f32[1, 4]\ny = onnx.Add(x, b)\nreturn y", "nothing\n"},
    {"x: f32[1, 4]", "x[0]=batch",
     "const s: i64[2] = {1, 4}\nm = onnx.ConstantOfShape(s)\ny = onnx.Add(x, m)\nreturn y", "nothing\n"},
    // Reshape: 0 copies a size and -1 takes the rest. If both are used, the size is computed.
    {"x: f32[1, 16, 32]", "x[0]=batch",
     "const s: i64[4] = {1, -1, 4, 8}\ny = onnx.Reshape(x, s) @r\nreturn y",
     "r s: [1, -1, 4, 8] -> [0, -1, 4, 8]\n"},
    {"x: f32[16, 1, 4]", "x[1]=batch",
     "const s: i64[2] = {1, 4}\nt = onnx.ReduceSum(x; keepdims=0)\n"
     "const u: i64[4] = {2, 8, 1, 4}\ny = onnx.Reshape(x, u) @r\nreturn y, t",
     "r u: [2, 8, 1, 4] -> [2, 8, -1, 4]\n"},
    {"x: f32[16, 1, 4]", "x[1]=batch", "const u: i64[4] = {2, -1, 1, 4}\ny = onnx.Reshape(x, u) @r\nreturn y",
     "r u: [2, -1, 1, 4] -> [2, -1, batch, 4]\n"},
    {"x: f32[1, 4]", "x[0]=batch",
     "const u: i64[2] = {1, 4}\ny = onnx.Reshape(x, u; allowzero=1) @r\nreturn y",
     "r u: [1, 4] -> [-1, 4]\n"},
    {"x: f32[1, 4]", "x[0]=batch", "y = onnx.Reshape@1(x; shape=[1, 2, 2]) @r\nreturn y",
     "r shape: [1, 2, 2] -> [0, 2, 2]\n"},
    {"x: f32[1, 4]", "x[0]=batch", "y = onnx.Slice@1(x; starts=[0, 1], ends=[1, 3]) @s\nreturn y",
     "s ends: [1, 3] -> [9223372036854775807, 3]\n"},
    // Attention with the sequence first: the batch becomes a factor of the heads, and is split off again on
    // the side where it was.
    {"x: f32[16, 1, 32]", "x[1]=batch",
     "const h: i64[3] = {16, 4, 8}\nconst s: i64[4] = {1, 4, 16, 8}\nconst f: i64[2] = {16, 32}\n"
     "const u: i64[3] = {16, 1, 32}\nconst w: f32[32, 32]\n"
     "q = onnx.Reshape(x, h) @q\nt = onnx.Transpose(q; perm=[1, 0, 2])\nr = onnx.Reshape(t, s) @r\n"
     "p = onnx.Transpose(r; perm=[2, 0, 1, 3])\ne = onnx.Reshape(p, f) @e\ng = onnx.MatMul(e, w)\n"
     "o = onnx.Reshape(g, u) @o\ny = onnx.Add(o, x)\nreturn y",
     "q h: [16, 4, 8] -> [16, -1, 8]\nr s: [1, 4, 16, 8] -> [-1, 4, 16, 8]\n"
     "e f: [16, 32] -> [-1, 32]\no u: [16, 1, 32] -> [16, -1, 32]\n"},
    // Both axes become symbols; one size is a 2 that also occurs elsewhere.
    {"x: f32[16, 2, 32]", "x[0]=seq x[1]=batch",
     "const h: i64[3] = {16, 8, 8}\nconst s: i64[4] = {2, 4, 16, 8}\nconst f: i64[2] = {32, 32}\n"
     "const u: i64[3] = {16, 2, 32}\nq = onnx.Reshape(x, h) @q\nt = onnx.Transpose(q; perm=[1, 0, 2])\n"
     "r = onnx.Reshape(t, s) @r\np = onnx.Transpose(r; perm=[2, 0, 1, 3])\ne = onnx.Reshape(p, f) @e\n"
     "o = onnx.Reshape(e, u) @o\ny = onnx.Add(o, x)\nreturn y",
     "q h: [16, 8, 8] -> [0, -1, 8]\nr s: [2, 4, 16, 8] -> [-1, 4, seq, 8]\n"
     "e f: [32, 32] -> [-1, 32]\no u: [16, 2, 32] -> [-1, batch, 32]\n"},
    // Tokens of all samples, each of which becomes a sequence of length 1.
    {"x: f32[1, 16, 32]", "x[0]=batch",
     "const f: i64[2] = {16, 32}\nconst u: i64[3] = {16, 1, 32}\ne = onnx.Reshape(x, f) @e\n"
     "y = onnx.Reshape(e, u) @o\nreturn y",
     "e f: [16, 32] -> [-1, 32]\no u: [16, 1, 32] -> [0, 1, 32]\n"},
    // The symbol has to join the other neighbour.
    {"x: f32[16, 1, 32]", "x[1]=batch",
     "const h: i64[3] = {16, 4, 8}\nconst w: f32[1, 4, 8]\nq = onnx.Reshape(x, h) @q\n"
     "y = onnx.Mul(q, w)\nreturn y",
     "q h: [16, 4, 8] -> [-1, 4, 8]\n"},
    // Sizes that are quotients are computed.
    {"x: f32[1, 4, 30]", "x[2]=width",
     "const w: f32[4, 4, 3]\nconst s: i64[4] = {1, 2, 2, 15}\n"
     "c = onnx.Conv(x, w; strides=[2], pads=[1, 1])\nconst z: i64[4] = {1, 2, 2, 15}\n"
     "r = onnx.Reshape(c, s) @r\nm = onnx.ConstantOfShape(z) @m\ny = onnx.Concat(m, r; axis=0)\nreturn y",
     "r s: [1, 2, 2, 15] -> [1, 2, 2, -1]\nm z: [1, 2, 2, 15] -> [1, 2, 2, (width + 1)//2]\n"},
    // The operand of the second Reshape gets the symbol only by the first change.
    {"x: f32[1, 6]", "x[0]=batch",
     "const a: i64[3] = {1, 2, 3}\nconst b: i64[2] = {1, 6}\np = onnx.Reshape(x, a) @p\ny = onnx.Reshape(p, "
     "b) @q\nreturn y",
     "p a: [1, 2, 3] -> [0, 2, 3]\nq b: [1, 6] -> [0, 6]\n"},
    // A node whose sizes are computed is not changed.
    {"x: f32[5, 1, 4]", "x[1]=batch",
     "s = onnx.Shape(x)\nconst i0: i64[1] = {0}\nconst i1: i64[1] = {1}\nconst w: i64[1] = {4}\n"
     "a = onnx.Gather(s, i0)\nb = onnx.Gather(s, i1)\nm = onnx.Mul(a, b)\nt = onnx.Concat(m, w; axis=0)\n"
     "y = onnx.Reshape(x, t) @r\nreturn y",
     "nothing\n"},
    // Sizes that must equal the symbol.
    {"x: f32[1, 6, 4]", "x[0]=batch",
     "const s: i64[3] = {1, 1, 4}\nc = onnx.ConstantOfShape(s) @c\ny = onnx.Concat(c, x; axis=1)\nreturn y",
     "c s: [1, 1, 4] -> [batch, 1, 4]\n"},
    {"x: f32[1, 6, 4]", "x[0]=batch", "const t: f32[1, 1, 4]\ny = onnx.Concat(t, x; axis=1) @j\nreturn y",
     "j t expanded: [1, 1, 4] -> [batch, 1, 4]\n"},
    {"x: f32[1, 6, 4]", "x[0]=batch",
     "const t: f32[1, 1, 4]\nconst n: i64[3] = {1, 2, 1}\nu = onnx.Tile(t, n) @u\ny = onnx.Concat(u, x; "
     "axis=1)\nreturn y",
     "u n: [1, 2, 1] -> [batch, 2, 1]\n"},
    {"x: f32[5, 1, 4]", "x[1]=batch",
     "const w: f32[1, 32, 4]\nconst r: f32[1, 32, 8]\nconst h: f32[1, 1, 8]\nconst c: f32[1, 1, 8]\n"
     "y, _, _ = onnx.LSTM(x, w, r, _, _, h, c; hidden_size=8) @lstm\nreturn y",
     "lstm h expanded: [1, 1, 8] -> [1, batch, 8]\nlstm c expanded: [1, 1, 8] -> [1, batch, 8]\n"},
    // Sizes that could be 1, but equal the old size of the symbol.
    {"x: f32[1, 6, 4]", "x[1]=seq",
     "const t: f32[1, 64, 4]\nconst a: i64[1] = {0}\nconst e: i64[1] = {6}\nconst x1: i64[1] = {1}\n"
     "p = onnx.Slice(t, a, e, x1) @p\ny = onnx.Add(x, p)\nreturn y",
     "p e: [6] -> [seq]\n"},
    {"x: f32[1, 6]", "x[1]=seq",
     "const z: i64[] = {0}\nconst n: i64[] = {6}\nconst o: i64[] = {1}\nr = onnx.Range(z, n, o) @r\n"
     "f = onnx.Cast(r; to=1)\ny = onnx.Add(x, f)\nreturn y",
     "r n: [6] -> [seq]\n"},
    // A Slice of a whole axis.
    {"x: f32[1, 6]", "x[0]=batch",
     "const a: i64[1] = {0}\nconst e: i64[1] = {1}\ny = onnx.Slice(x, a, e) @s\nreturn y",
     "s e: [1] -> [9223372036854775807]\n"},
    // A Resize that keeps an axis.
    {"x: f32[1, 3, 8, 8]", "x[0]=batch x[2]=height",
     "const s: i64[4] = {1, 3, 16, 8}\ny = onnx.Resize(x, _, _, s) @r\nreturn y",
     "r s: [1, 3, 16, 8] -> [batch, 3, 16, 8]\n"},
    // A Resize to the sizes of other features, and another back to those of the image.
    {"x: f32[1, 3, 32, 32]", "x[2]=height x[3]=width",
     "const w: f32[3, 3, 1, 1]\nconst s: i64[4] = {1, 3, 16, 16}\nconst t: i64[4] = {1, 3, 32, 32}\n"
     "a = onnx.Conv(x, w; strides=[2, 2])\nb = onnx.Conv(a, w; strides=[2, 2])\n"
     "r = onnx.Resize(b, _, _, s) @r\nz = onnx.Add(a, r)\ny = onnx.Resize(z, _, _, t) @o\nreturn y",
     "r s: [1, 3, 16, 16] -> [1, 3, (height + 1)//2, (width + 1)//2]\n"
     "o t: [1, 3, 32, 32] -> [1, 3, height, width]\n"},
    // Rejected programs.
    {"x: f32[1, 6], y: f32[1, 2]", "x[0]=batch", "z = onnx.Concat(x, y; axis=1) @j\nreturn z",
     "error[DW0102]: inputs of Concat has 1 on axis 0, where the other operands have batch\n"
     "  --> node 'j' (#0)\n"
     "   |  inputs[0]  'x' f32[batch, 6]\n"
     "   |  inputs[1]  'y' f32[1, 2]\n"
     "  note: input y[0] is 1, but must be batch too\n"
     "  help: add --input 'y[0]=batch'\n"},
    {"x: f32[1, 6]", "x[1]=width", "const w: f32[6, 2]\ny = onnx.MatMul(x, w) @m\nreturn y",
     "error[DW0103]: MatMul multiplies width columns by 6 rows; the two must be equal\n"
     "  --> node 'm' (#0)\n"
     "   |  A  'x' f32[1, width]\n"
     "   |  B  'w' f32[6, 2]\n"
     "  note: 6 is axis 0 of the constant 'w', which must not change\n"
     "  help: the model is fixed to this size here; export it with other sizes\n"},
    // A weight is not repeated, although its size would allow it.
    {"x: f32[6, 1]", "x[1]=width",
     "const a: i64[1] = {0}\nconst w: f32[1, 3]\nu = onnx.Unsqueeze(x, a)\ny = onnx.MatMul(u, w) @m\nreturn "
     "y",
     "error[DW0103]: MatMul multiplies width columns by 1 rows; the two must be equal\n"
     "  --> node 'm' (#1)\n"
     "   |  A  'u' f32[1, 6, width]\n"
     "   |  B  'w' f32[1, 3]\n"
     "  note: 1 is axis 0 of the constant 'w', which must not change\n"
     "  note: 1 is axis 0 of the constant 'a', which must not change\n"
     "  help: the model is fixed to this size here; export it with other sizes\n"},
    {"x: f32[1, 6]", "x[0]=batch", "const z: i64[] = {0}\ny = onnx.Gather(x, z) @g\nreturn y",
     "error[DW0005]: it takes one element of axis 0 of 'x', which had one and would have batch\n"
     "  --> node 'g' (#0)\n"
     "  help: all other elements would be lost here; export the model with other sizes\n"},
    {"x: f32[1, 3]", "x[0]=batch",
     "const f: i64[1] = {-1}\nconst p: i64[1, 3] = {0, 1, 2}\nu = onnx.Reshape(x, f)\n"
     "y = onnx.Gather(u, p) @g\nreturn y",
     "error[DW0005]: it takes 3 elements of axis 0 of 'u', which had as many and would have 3*batch\n"
     "  --> node 'g' (#1)\n"
     "  help: all other elements would be lost here; export the model with other sizes\n"},
};

}  // namespace

std::span<const GeneralizeCase> GeneralizeCases() { return kGeneralizeCases; }

std::string ProgramText(std::string_view inputs, std::string_view body) {
  return fmt::format("opset onnx 17\ngraph g({}) {{\n{}\n}}\n", inputs, body);
}

LoadProgram Loader(const std::string& text) {
  return [text]() -> Result<LoadedProgram> {
    auto program = std::make_shared<ParsedProgram>();
    auto graph = ParseGraph(program->analysis, text, "g");
    if (!graph) return std::move(graph).TakeError();
    program->graph = std::move(*graph);
    return LoadedProgram{program, program->graph.get()};
  };
}

std::vector<InputSymbol> Symbols(const Graph& graph, std::string_view words) {
  std::vector<InputSymbol> symbols;
  for (const ValueId input : graph.inputs(graph.body())) {
    const Shape shape = graph.declared(input).shape;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const std::string place = fmt::format("{}[{}]=", graph.name(input), axis);
      const size_t at = words.find(place);
      if (at == std::string_view::npos) continue;
      const std::string_view name = words.substr(at + place.size());
      symbols.push_back({input, axis, std::string(name.substr(0, name.find(' '))), shape[axis].constant()});
    }
  }
  return symbols;
}

}  // namespace dimwise
