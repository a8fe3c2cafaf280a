// Reads any bytes as an ONNX model. If they are accepted, the model is written with inferred types and must
// read back as the same graph.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "dimwise/onnx.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

// Returns each use of a value, in order, by name.
std::string UsesOf(const dimwise::Graph& graph) {
  std::string out;
  for (uint32_t i = 0; i < graph.node_count(); ++i) {
    const dimwise::NodeId node{i};
    out += graph.op_name(node);
    for (const dimwise::ValueId v : graph.operands(node)) {
      out += ' ';
      if (v != dimwise::kNoValue) out += graph.name(v);
    }
    out += '\n';
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  dimwise::Analysis analysis;
  dimwise::LooksLikeOnnx(bytes);
  const auto model = dimwise::ReadOnnx(bytes, analysis);
  if (!model) return 0;

  const dimwise::Type type = *ParseType(analysis, "f32[N, (H + 1)//2, 3]");
  std::string written;
  Require(WriteOnnx(
              **model, [&](dimwise::ValueId) { return type; },
              [&](std::string_view piece) {
                written += piece;
                return dimwise::Status();
              })
              .has_value());
  dimwise::Analysis other;
  const auto again = dimwise::ReadOnnx(std::as_bytes(std::span(written)), other);
  Require(again.has_value());
  Require((*again)->graph.node_count() == (*model)->graph.node_count());
  Require((*again)->graph.value_count() == (*model)->graph.value_count());
  Require(UsesOf((*again)->graph) == UsesOf((*model)->graph));
  return 0;
}
