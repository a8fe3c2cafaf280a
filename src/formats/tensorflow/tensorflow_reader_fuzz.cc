// Reads any bytes as a GraphDef. Whatever is accepted must be a graph whose nodes have existing operands.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "dimwise/builtin.h"
#include "dimwise/tensorflow.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  dimwise::Analysis analysis;
  dimwise::LooksLikeGraphDef(bytes);
  const auto model = dimwise::ReadGraphDef(bytes, analysis, dimwise::BuiltinRegistry());
  if (!model) return 0;
  const dimwise::Graph& graph = (*model)->graph;
  for (uint32_t i = 0; i < graph.node_count(); ++i) {
    for (const dimwise::ValueId v : graph.operands(dimwise::NodeId{i})) {
      if (v != dimwise::kNoValue && !graph.Has(v)) std::abort();
    }
  }
  return 0;
}
