#include "report/explain/region_origin.h"

#include <algorithm>

#include "infer/engine/engine.h"

namespace dimwise {
namespace {

bool Exists(const ModelReport& report, const SizePlace& place) {
  if (place.value == kNoValue) return false;
  if (place.in_contents) {
    const Value contents = report.inference.contents(place.value);
    return !contents.is_none() && place.index < contents.size();
  }
  const Type type = report.type(place.value);
  return type.is_tensor() && HasRank(type) && place.index >= 0 && place.index < type.shape.rank();
}

class Loops {
 public:
  Loops(const ModelReport& report, NodeId node)
      : graph_(report.graph()),
        report_(report),
        node_(node),
        body_(report.inference.engine().FindRegion(node, "body")) {
    is_loop_ = graph_.op_name(node) == "onnx.Loop";
    is_scan_ = graph_.op_name(node) == "onnx.Scan";
    const AttrMap& attrs = graph_.attrs(graph_.attrs_of(node));
    if (const AttrValue* scanned = attrs.Find("num_scan_inputs"); is_scan_ && scanned != nullptr)
      scanned_ = static_cast<size_t>(AsInt(*scanned).value_or(0));
    // Scans along an axis other than the first are not followed.
    if (attrs.Find("scan_input_axes") != nullptr || attrs.Find("scan_output_axes") != nullptr)
      body_ = kNoRegion;
    first_ = is_loop_ ? 2 : 0;
  }

  std::vector<SizePlace> PlacesOf(SizePlace place) const {
    if (body_ == kNoRegion || (!is_loop_ && !is_scan_)) return {};
    const size_t result = graph_.result_index(place.value);
    const std::span<const ValueId> outputs = graph_.outputs(body_);
    const size_t output = result + (is_loop_ ? 1 : 0);
    if (output >= outputs.size()) return {};
    if (result < states()) {
      const SizePlace begin = At(place, Operand(first_ + result));
      if (Exists(report_, begin) && SizeAt(report_, begin) == SizeAt(report_, place)) return {begin};
      return Existing({begin, At(place, outputs[output])});
    }
    if (place.in_contents) return {};
    if (place.index > 0) return Existing({{outputs[output], false, place.index - 1}});
    return Existing({is_loop_ ? SizePlace{Operand(0), true, 0} : SizePlace{Operand(states()), false, 0}});
  }

  std::optional<SizePlace> PlaceOutsideOf(SizePlace place) const {
    if (body_ == kNoRegion || (!is_loop_ && !is_scan_)) return std::nullopt;
    const std::span<const ValueId> inputs = graph_.inputs(body_);
    const auto input = static_cast<size_t>(std::ranges::find(inputs, place.value) - inputs.begin());
    if (input < first_ || input >= inputs.size()) return std::nullopt;
    SizePlace outside = At(place, Operand(input));
    if (input >= first_ + states()) ++outside.index;
    if (!Exists(report_, outside) || SizeAt(report_, outside) != SizeAt(report_, place)) return std::nullopt;
    return outside;
  }

 private:
  static SizePlace At(SizePlace place, ValueId value) { return {value, place.in_contents, place.index}; }

  ValueId Operand(size_t i) const {
    const std::span<const ValueId> operands = graph_.operands(node_);
    return i < operands.size() ? operands[i] : kNoValue;
  }

  // Returns the number of loop-carried values.
  size_t states() const {
    const size_t count = graph_.operands(node_).size();
    return count < first_ + scanned_ ? 0 : count - first_ - scanned_;
  }

  std::vector<SizePlace> Existing(std::vector<SizePlace> places) const {
    std::erase_if(places, [&](const SizePlace& place) { return !Exists(report_, place); });
    return places;
  }

  const Graph& graph_;
  const ModelReport& report_;
  const NodeId node_;
  RegionId body_;
  bool is_loop_ = false, is_scan_ = false;
  size_t first_ = 0;    // the first loop-carried operand
  size_t scanned_ = 0;  // the number of scanned operands
};

std::vector<SizePlace> PlacesInBranches(const ModelReport& report, NodeId node, const SizePlace& place) {
  const Graph& graph = report.graph();
  const Engine& engine = report.inference.engine();
  const std::optional<bool> taken = engine.TakenBranch(node);
  std::vector<SizePlace> places;
  for (const bool is_then : {true, false}) {
    if (taken && *taken != is_then) continue;
    const RegionId branch = engine.FindRegion(node, is_then ? "then_branch" : "else_branch");
    if (branch == kNoRegion || graph.result_index(place.value) >= graph.outputs(branch).size()) continue;
    const SizePlace inside{graph.outputs(branch)[graph.result_index(place.value)], place.in_contents,
                           place.index};
    if (Exists(report, inside)) places.push_back(inside);
  }
  return places;
}

}  // namespace

std::vector<SizePlace> PlacesInRegions(const ModelReport& report, const SizePlace& place) {
  const NodeId node = report.graph().maker(place.value);
  if (!report.graph().carries_regions(node)) return {};
  if (report.graph().op_name(node) == "onnx.If") return PlacesInBranches(report, node, place);
  return Loops(report, node).PlacesOf(place);
}

std::optional<SizePlace> PlaceOutside(const ModelReport& report, const SizePlace& place) {
  const NodeId node = report.graph().carrier(report.graph().region(place.value));
  if (node == kNoNode) return std::nullopt;
  return Loops(report, node).PlaceOutsideOf(place);
}

}  // namespace dimwise
