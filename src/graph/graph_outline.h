// A program in text form, taken apart: what stands where. Names have no meaning yet, and types, attributes
// and contents are pieces of text; build_graph.cc gives them one. Two steps, because a name may stand before
// the statement that defines it, in its own region or in one around it.
#ifndef DIMWISE_GRAPH_GRAPH_OUTLINE_H_
#define DIMWISE_GRAPH_GRAPH_OUTLINE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"

namespace dimwise {

inline constexpr int kMaxRegionDepth = 200;

// A part of the text.
struct Piece {
  uint32_t at = 0;
  uint32_t length = 0;
  bool empty() const { return length == 0; }
};

// How a value or a node is called: `y`, `y%2`, `%1`.
struct Label {
  std::string_view name;
  uint32_t number = 0;
  Piece place;
  bool blank = false;  // `_`
};

struct AttrOutline {
  std::string_view name;
  Piece place;
  Piece value;                // empty: a function's attribute that is required
  AttrValue read;             // what stands there
  bool is_reference = false;  // $of_call, and nothing was read
  std::string_view of_call;
};

struct ValueOutline {
  Label label;
  Piece type, contents;  // empty: not said
  std::vector<AttrOutline> attrs{};
  bool is_constant = false;
};

struct RegionOutline;

struct NodeOutline {
  std::vector<ValueOutline> results, operands;
  std::string_view op;
  std::optional<int> version;
  std::vector<AttrOutline> attrs;
  Label label;  // blank: without a name
  std::vector<Label> after;
  std::vector<RegionOutline> regions;
  Piece place;  // of the operator
};

struct RegionOutline {
  std::string_view name;  // of the graph or function; or the attribute that a node carries it as
  Piece place;
  std::vector<ValueOutline> inputs, constants, missing;
  std::vector<AttrOutline> attrs;  // a function's
  std::vector<NodeOutline> nodes;
  std::vector<Label> outputs;
};

struct OpsetOutline {
  std::string_view set;
  int version = 0;
  Piece place;
};

struct ProgramOutline {
  std::vector<OpsetOutline> opsets;
  std::vector<RegionOutline> functions;
  RegionOutline graph;
};

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_GRAPH_OUTLINE_H_
