// Branches that select one of several regions by an index. The results are those of the selected region if
// the index is known, otherwise the join of the results of all regions.
#include <algorithm>
#include <optional>
#include <vector>

#include "core/types/known_parts.h"
#include "infer/engine/control/region_inputs.h"
#include "infer/engine/control/region_rule.h"
#include "infer/engine/control/type_join.h"
#include "infer/error.h"

namespace dimwise {
namespace {

class CasesInference {
 public:
  explicit CasesInference(ControlFlowContext& c) : c_(c), flow_(c.control_flow()), context_(c.context) {}

  Status Run() {
    for (const Graph::Carried& carried : c_.graph().regions_of(c_.node)) {
      if (carried.attribute == flow_.cases) regions_.push_back(carried.region);
    }
    if (regions_.empty()) return MissingRegion(c_, flow_.cases);
    for (const RegionId region : regions_) {
      const size_t outputs = c_.graph().outputs(region).size();
      if (outputs < results()) {
        return Error(Code::kArity, "{} has {} results; one of its {} gives {}", OperatorName(c_), results(),
                     flow_.cases, outputs);
      }
    }
    const std::optional<size_t> selected = Selected();
    const RegionLayout layout{.region = flow_.cases, .takes = {RegionItem::kArgument}, .gives = {}};
    for (size_t i = 0; i < regions_.size(); ++i) {
      const RegionRuns runs = !selected        ? RegionRuns::kMaybe
                              : i == *selected ? RegionRuns::kAlways
                                               : RegionRuns::kNever;
      DIMWISE_RETURN_IF_ERROR(RunRegion(c_, regions_[i], InputsOf(c_, regions_[i], layout, {}), runs));
    }
    const auto fails = [&](RegionId region) { return c_.state.FailsIn(region); };
    if (!selected && std::ranges::all_of(regions_, fails)) {
      return Error(Code::kRequirement, "all branches of {} fail for all sizes", OperatorName(c_));
    }
    for (size_t i = 0; i < results(); ++i) selected ? SetResult(i, *selected) : SetJoinedResult(i);
    return {};
  }

 private:
  size_t results() const { return static_cast<size_t>(context_->num_outputs()); }

  // An index outside selects the last region.
  std::optional<size_t> Selected() {
    const size_t last = regions_.size() - 1;
    if (last == 0) return last;
    const Dim index = OnlyInteger(context_->input_tensor(FirstOperand(c_.state, c_.node, flow_.condition)));
    if (!index.is_constant()) return std::nullopt;
    const bool is_inside = index.constant() >= 0 && static_cast<uint64_t>(index.constant()) <= last;
    return is_inside ? static_cast<size_t>(index.constant()) : last;
  }

  void SetResult(size_t i, size_t selected) {
    const ValueId v = c_.graph().outputs(regions_[selected])[i];
    context_->set_full_output_type(static_cast<int64_t>(i), c_.state.type(v));
    context_->set_output_value(static_cast<int64_t>(i), c_.state.contents(v));
  }

  // Sizes that belong to one region become unknown before the join.
  void SetJoinedResult(size_t i) {
    Type joined;
    for (const RegionId region : regions_) {
      const Type type =
          SeenFromOutside(c_.state, region, c_.state.type(c_.graph().outputs(region)[i]), context_);
      joined = region == regions_.front() ? type : JoinTypes(context_, joined, type);
    }
    if (joined.kind != TypeKind::kUnknown) context_->set_full_output_type(static_cast<int64_t>(i), joined);
  }

  ControlFlowContext& c_;
  const ControlFlow& flow_;
  InferenceContext* const context_;
  std::vector<RegionId> regions_;
};

}  // namespace

Status InferCases(ControlFlowContext& c) { return CasesInference(c).Run(); }

}  // namespace dimwise
