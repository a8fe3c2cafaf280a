// The syntax tree of a program in text form. Names are not resolved; types, attributes and contents are
// pieces of text. build_graph.cc resolves them in a second step, because a name may be used before its
// definition, in its own region or an enclosing one.
#ifndef DIMWISE_GRAPH_GRAPH_OUTLINE_H_
#define DIMWISE_GRAPH_GRAPH_OUTLINE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"

namespace dimwise {

inline constexpr int kMaxRegionDepth = 200;

// A range of the text.
struct Piece {
  uint32_t at = 0;
  uint32_t length = 0;
  bool empty() const { return length == 0; }
};

// The name of a value or a node: `y`, `y%2`, `%1`.
struct Label {
  std::string_view name;
  uint32_t number = 0;
  Piece text_range;
  bool blank = false;  // `_`
};

struct AttrOutline {
  std::string_view name;
  Piece text_range;
  Piece value;                // empty: a required attribute of a function
  AttrValue read;             // the parsed value
  bool is_reference = false;  // $of_call; nothing is parsed
  std::string_view of_call;
};

struct ValueOutline {
  Label label;
  Piece type, contents;  // empty if not given
  std::vector<AttrOutline> attrs{};
  bool is_constant = false;
};

struct RegionOutline;

struct NodeOutline {
  std::vector<ValueOutline> results, operands;
  std::string_view op;
  std::optional<int> version;
  std::vector<AttrOutline> attrs;
  Label label;  // blank if it has no name
  std::vector<Label> after;
  std::vector<RegionOutline> regions;
  Piece text_range;  // of the operator
};

struct RegionOutline {
  std::string_view name;  // of the graph or function; for a nested region, the attribute of its node
  Piece text_range;
  std::vector<ValueOutline> inputs, constants, missing;
  std::vector<AttrOutline> attrs;  // of a function
  std::vector<NodeOutline> nodes;
  std::vector<Label> outputs;
};

struct OpsetOutline {
  std::string_view set;
  int version = 0;
  Piece text_range;
};

struct ProgramOutline {
  std::vector<OpsetOutline> opsets;
  std::vector<RegionOutline> functions;
  RegionOutline graph;
};

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_GRAPH_OUTLINE_H_
