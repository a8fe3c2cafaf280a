// Compiles the results of an inference into a ShapeProgram.
//
// Stages are built in the order of the tree in which they run. When a stage is built, exactly the guards
// before it are known, and its sizes are simplified by these guards only.
#include "infer/program/program_build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/dims/condition_logic.h"
#include "core/dims/float_step.h"
#include "core/types/known_parts.h"
#include "core/values/contents_text.h"
#include "graph/program_names.h"
#include "infer/engine/guard_pruner.h"
#include "infer/engine/state/program_state.h"
#include "infer/program/program_memory.h"
#include "infer/program/program_plan.h"

namespace dimwise {
namespace {

constexpr uint32_t kBindScope = 0;

uint32_t ShapesScope(uint32_t stage) { return 1 + 2 * stage; }
uint32_t MemoryScope(uint32_t stage) { return 2 + 2 * stage; }

class ProgramBuilder {
 public:
  explicit ProgramBuilder(const Inference& inference)
      : inference_(inference),
        graph_(inference.graph()),
        dims_(graph_.analysis().dims()),
        names_(graph_),
        plan_(inference),
        builder_(dims_) {
    if (plan_.has_several_stages()) {
      facts_.emplace(inference.state());
      for (uint32_t n = 0; n < graph_.node_count(); ++n) facts_->AddGuarantees(NodeId{n});
    }
  }

  std::unique_ptr<const ProgramCode> Build() {
    code_->name = graph_.name();
    NumberStages();
    AddSymbols();
    AddValues();
    FindSources();
    AddGiven();
    Bind();
    BuildStages(kModelGroup);
    code_->instructions.assign(builder_.code().begin(), builder_.code().end());
    code_->table = builder_.table();
    code_->expressions.resize(code_->table.size());
    for (TableIndex index = 0; index < code_->table.size(); ++index) {
      code_->is_constant.push_back(builder_.is_constant(index));
      if (builder_.is_constant(index)) code_->expressions[index] = std::to_string(code_->table[index]);
    }
    for (size_t i = 0; i < code_->values.size(); ++i) code_->value_index.insert({code_->values[i].name, i});
    return std::move(code_);
  }

 private:
  // ---- Numbering ----
  void NumberStages() {
    for (const ProgramPlan::Group& group : plan_.groups()) {
      first_stage_.push_back(static_cast<uint32_t>(code_->stages.size()));
      const auto g = static_cast<GroupId>(first_stage_.size() - 1);
      if (g != kModelGroup && !group.has_stages) continue;
      for (const NodeId start : group.starts) {
        ShapeProgram::Stage& stage = code_->stages.emplace_back();
        stage.where = names_.Prefix(group.region);
        if (stage.where.ends_with('/') && !group.unused) stage.where.pop_back();
        if (group.unused) stage.where += "unused";
        if (start != kNoNode) {
          stage.node = names_.Node(start);
          stage.after = static_cast<int>(code_->stages.size()) - 2;
        } else if (g != kModelGroup) {
          stage.after = static_cast<int>(StageId({group.parent, group.after}));
        }
      }
      if (g == kModelGroup) code_->model_stage_count = code_->stages.size();
    }
    values_of_.resize(code_->stages.size());
    guards_of_.resize(code_->stages.size());
    code_->shapes.resize(code_->stages.size());
    code_->memory.resize(code_->stages.size());
    for (const ResidualGuard& guard : inference_.guards()) {
      guards_of_[StageId(plan_.MomentOf(guard))].push_back(&guard);
    }
  }

  uint32_t StageId(Moment moment) const {
    while (moment.group != kModelGroup && !plan_.groups()[moment.group].has_stages) {
      const ProgramPlan::Group& group = plan_.groups()[moment.group];
      moment = {group.parent, group.after};
    }
    return first_stage_[moment.group] + moment.stage;
  }

  void AddSymbols() {
    for (const ProgramPlan::Symbol& s : plan_.symbols()) {
      ShapeProgram::Symbol& symbol = code_->symbols.emplace_back();
      symbol.name = dims_.NameOf(s.symbol);
      symbol.origin = dims_.GetSymbol(s.symbol).origin;
      symbol.index = builder_.AddInput(s.symbol);
      symbol.of_inputs = s.of_inputs;
      symbol.stage = StageId(s.moment);
      code_->stages[symbol.stage].needs.push_back(static_cast<uint32_t>(code_->symbols.size() - 1));
      symbol_index_[s.symbol] = code_->symbols.size() - 1;
    }
  }

  void AddValues() {
    const auto add = [&](ValueId v, bool constant) {
      if (!names_.IsReported(v)) return;
      ShapeProgram::Value& value = code_->values.emplace_back();
      value.name = names_.Value(v);
      value.constant = constant;
      value.stage = constant ? 0 : StageId(plan_.MomentOf(v));
      values_of_[value.stage].push_back({v, code_->values.size() - 1});
    };
    for (uint32_t r = 0; r < graph_.region_count(); ++r) {
      for (const ValueId v : graph_.inputs(RegionId{r})) add(v, false);
      for (const ValueId v : graph_.constants(RegionId{r})) add(v, true);
      for (const NodeId node : graph_.nodes(RegionId{r})) {
        if (!graph_.Has(node)) continue;
        for (const ValueId v : graph_.results(node)) add(v, false);
      }
    }
  }

  // Finds where the caller can read each data-dependent symbol: a size or an element that is exactly the
  // symbol.
  void FindSources() {
    const auto claim = [&](Dim d, ValueId v, int axis, int element) {
      const auto at = symbol_index_.find(d);
      if (at == symbol_index_.end()) return;
      ShapeProgram::Symbol& symbol = code_->symbols[at->second];
      if (!symbol.value.empty() || !names_.IsReported(v)) return;
      symbol.value = names_.Value(v);
      symbol.axis = axis;
      symbol.element = element;
    };
    const auto look = [&](ValueId v) {
      const Type type = inference_.state().type(v);
      if (type.is_tensor() && !type.shape.is_none()) {
        for (int axis = 0; axis < type.shape.rank(); ++axis) claim(type.shape[axis], v, axis, -1);
      }
      const dimwise::Value contents = inference_.contents(v);
      if (contents.is_none() || contents.kind() != ValueKind::kIntegers) return;
      for (int64_t i = 0; i < contents.size(); ++i) claim(contents.Integer(i), v, -1, static_cast<int>(i));
    };
    for (uint32_t v = 0; v < graph_.value_count(); ++v) {
      if (graph_.role(ValueId{v}) == ValueRole::kInput) look(ValueId{v});
    }
    for (uint32_t v = 0; v < graph_.value_count(); ++v) look(ValueId{v});
  }

  // Lists what was given and is not tested: contents, and assumptions about sizes that depend on data, or
  // about symbols in contents, if the program does not contain the symbols.
  void AddGiven() {
    std::vector<Dim> in_contents;
    for (const ValueId input : inference_.inputs_with_contents()) {
      const dimwise::Value contents = inference_.contents(input);
      code_->given.push_back(fmt::format("{} == {}", names_.Value(input), ContentsToString(dims_, contents)));
      if (contents.kind() != ValueKind::kIntegers) continue;
      for (int64_t i = 0; i < contents.size(); ++i) {
        const std::vector<Dim>& symbols = plan_.FreeSymbols(contents.Integer(i));
        in_contents.insert(in_contents.end(), symbols.begin(), symbols.end());
      }
    }
    const auto is_of_contents = [&](const Literal& literal) {
      return std::ranges::any_of(plan_.FreeSymbols(literal.value), [&](Dim symbol) {
        return std::ranges::find(in_contents, symbol) != in_contents.end();
      });
    };
    for (const Assumption& assumption : inference_.assumptions()) {
      if (!assumption.of_data && std::ranges::none_of(assumption.clause, is_of_contents)) continue;
      if (!StageOf(assumption.clause)) code_->given.push_back(ToString(dims_, assumption.clause));
    }
  }

  // ---- Inputs ----
  void Bind() {
    builder_.SetScopes({kBindScope});
    struct Axis {
      ValueId value;
      int axis;
      Dim size;
      TableIndex index;
      bool done = false;
    };
    std::vector<Axis> axes;
    for (const ValueId input : graph_.inputs(graph_.body())) {
      const Type type = inference_.state().type(input);
      if (!type.is_tensor() || type.shape.is_none()) continue;
      for (int axis = 0; axis < type.shape.rank(); ++axis) {
        const TableIndex index = builder_.AddInput(Dim());
        axes.push_back({input, axis, type.shape[axis], index});
        code_->input_sizes.push_back({names_.Value(input), axis, dims_.ToString(type.shape[axis]), index});
      }
    }
    code_->bind.begin = builder_.position();
    std::vector<Dim> bound;
    const auto is_bound = [&](Dim s) { return std::ranges::find(bound, s) != bound.end(); };
    const auto bind = [&](Dim symbol, TableIndex from) {
      builder_.Copy(code_->symbols[symbol_index_[symbol]].index, from);
      bound.push_back(symbol);
    };
    for (Axis& axis : axes) {
      if (!symbol_index_.contains(axis.size) || is_bound(axis.size)) continue;
      bind(axis.size, axis.index);
      axis.done = true;
    }
    for (Axis& axis : axes) {  // 2*N + 1, if no size is N itself
      if (!axis.size.is_expression() || dims_.SymbolsOf(axis.size).size() != 1) continue;
      const Dim symbol = dims_.SymbolsOf(axis.size)[0], form = dims_.WithoutConstant(axis.size);
      const std::optional<Dim> factor = dims_.DivideExactly(form, symbol);
      if (is_bound(symbol) || !symbol_index_.contains(symbol) || !factor || !factor->is_constant()) continue;
      const TableIndex shifted =
          builder_.Emit(IntegerOp::kSubtract, axis.index, builder_.Constant(dims_.ConstantTerm(axis.size)));
      bind(symbol, builder_.Emit(IntegerOp::kFloorDivide, shifted, builder_.Constant(factor->constant())));
    }
    for (const Axis& axis : axes) {
      if (axis.done || std::ranges::any_of(plan_.FreeSymbols(axis.size), std::not_fn(is_bound))) continue;
      const std::string size = dims_.ToString(axis.size), name = names_.Value(axis.value);
      const uint32_t number =
          AddGuard({fmt::format("size of {} along axis {} == {}", name, axis.axis, size),
                    fmt::format("input '{}' has another size than {} along axis {}", name, size, axis.axis),
                    "", "", ShapeProgram::GuardKind::kInput, 0});
      builder_.NeedEqual(axis.index, *builder_.Compute(axis.size), number);
    }
    code_->bind.end = builder_.position();
  }

  // ---- Guards ----
  uint32_t AddGuard(ShapeProgram::Guard guard) {
    code_->guards.push_back(std::move(guard));
    return static_cast<uint32_t>(code_->guards.size());
  }

  void Need(const Clause& clause, std::string message, ShapeProgram::GuardKind kind, uint32_t stage,
            NodeId node = kNoNode) {
    const uint32_t number =
        AddGuard({ToString(dims_, clause), std::move(message), node == kNoNode ? "" : names_.Node(node),
                  node == kNoNode ? "" : std::string(ShortName(graph_.op_name(node))), kind, stage});
    builder_.Need(clause, number);
  }

  // Requires that the sizes set by the caller are not negative.
  void NeedSizes(uint32_t stage) {
    for (const uint32_t s : code_->stages[stage].needs) {
      const Dim symbol = plan_.symbols()[s].symbol;
      if (dims_.GetSymbol(symbol).min < 0) continue;
      const Clause at_least_0{AtLeast(dims_, symbol, 0)}, at_least_1{AtLeast(dims_, symbol, 1)};
      if (std::ranges::any_of(assumed_,
                              [&](const Clause& c) { return c == at_least_0 || c == at_least_1; })) {
        continue;
      }
      // Not simplified: a literal that holds for every size would be removed.
      Need(at_least_0, "a size is never negative", ShapeProgram::GuardKind::kInput, stage);
    }
  }

  // Returns the stage at which all symbols of a clause are known; none if the program does not contain one of
  // them, or no stage knows all.
  std::optional<uint32_t> StageOf(const Clause& clause) {
    uint32_t last = 0;
    for (const Literal& literal : clause) {
      for (const Dim symbol : plan_.FreeSymbols(literal.value)) {
        const auto at = symbol_index_.find(symbol);
        if (at == symbol_index_.end()) return std::nullopt;
        const uint32_t stage = code_->symbols[at->second].stage;
        const bool is_nested = std::max(stage, last) >= code_->model_stage_count;
        if (is_nested && std::min(stage, last) != 0 && stage != last) return std::nullopt;
        last = std::max(stage, last);
      }
    }
    return last;
  }

  // Includes assumptions that no shape depends on: they simplify the peak of activations.
  void NeedAssumptions(uint32_t stage) {
    for (const Assumption& assumption : inference_.assumptions()) {
      if (StageOf(assumption.clause) != stage) continue;
      assumed_.push_back(assumption.clause);
      Need(assumption.clause, assumption.message(), ShapeProgram::GuardKind::kAssumption, stage,
           assumption.node);
    }
  }

  void NeedGuards(uint32_t stage) {
    for (const ResidualGuard* guard : guards_of_[stage]) {
      const auto kind = IsValidityCondition(guard->code) ? ShapeProgram::GuardKind::kValidity
                                                         : ShapeProgram::GuardKind::kModel;
      const uint32_t number =
          AddGuard({ToString(dims_, guard->condition), guard->message, names_.Node(guard->node),
                    std::string(ShortName(graph_.op_name(guard->node))), kind, stage});
      for (const Clause& clause : guard->condition.clauses) {
        for (const Literal& literal : clause) Define(literal.value);
        builder_.Need(clause, number);
        if (facts_ && !IsNever(clause)) facts_->AddIfNew(clause, inference_.state().ScopeOf(guard->node));
      }
    }
  }

  // ---- Stages ----
  std::vector<uint32_t> ScopesInSight(GroupId group, uint32_t stage, bool memory) const {
    std::vector<uint32_t> scopes;
    if (group != kModelGroup) {
      scopes = ScopesInSight(plan_.groups()[group].parent, plan_.groups()[group].after, memory);
    }
    for (uint32_t s = 0; s <= stage; ++s) {
      scopes.push_back(ShapesScope(StageId({group, s})));
      if (memory) scopes.push_back(MemoryScope(StageId({group, s})));
    }
    return scopes;
  }

  void BuildStages(GroupId group) {
    const auto count = static_cast<uint32_t>(plan_.groups()[group].starts.size());
    for (uint32_t s = 0; s < count; ++s) {
      const uint32_t stage = StageId({group, s});
      builder_.SetScopes(ScopesInSight(group, s, /*memory=*/false));
      code_->shapes[stage].begin = builder_.position();
      NeedAssumptions(stage);
      NeedSizes(stage);
      NeedGuards(stage);
      for (const auto& [v, index] : values_of_[stage]) BuildShape(v, code_->values[index]);
      code_->shapes[stage].end = builder_.position();
      builder_.SetScopes(ScopesInSight(group, s, /*memory=*/true));
      code_->memory[stage].begin = builder_.position();
      for (const auto& [v, index] : values_of_[stage]) BuildBytes(v, code_->values[index]);
      if (stage + 1 == code_->model_stage_count) BuildPeak();
      code_->memory[stage].end = builder_.position();
      for (GroupId inner = 1; inner < plan_.groups().size(); ++inner) {
        const ProgramPlan::Group& g = plan_.groups()[inner];
        if (g.has_stages && inner != group && g.parent == group && g.after == s) BuildStages(inner);
      }
    }
  }

  Type TypeOf(ValueId v) {
    if (!facts_) return inference_.type(v);
    if (const auto at = types_.find(Index(v)); at != types_.end()) return at->second;
    Type type = inference_.state().type(v);
    if (IsRanked(type) && !type.shape.is_constant()) {
      std::vector<Dim> sizes;
      for (const Dim d : type.shape.dims()) {
        sizes.push_back(facts_->Simplify(d, inference_.scope(graph_.region(v))));
      }
      type.shape = graph_.analysis().shapes().Make(sizes);
    }
    types_[Index(v)] = type;
    return type;
  }

  // Stores the definitions of the defined symbols in an expression, including nested ones.
  void Define(Dim d) {
    std::vector<Dim> pending{d};
    while (!pending.empty()) {
      const Dim e = pending.back();
      pending.pop_back();
      if (!e.is_expression()) continue;
      for (const Dim symbol : dims_.SymbolsOf(e)) {
        const Definition* definition = dims_.GetDefinition(symbol);
        if (definition == nullptr || symbol_index_.contains(symbol)) continue;
        // A real number has no name: the definition of an integer contains it.
        if (!IsReal(dims_, symbol) &&
            !code_->definitions.insert({std::string(dims_.NameOf(symbol)), DefinitionText(*definition)})
                 .second)
          continue;
        pending.insert(pending.end(), definition->operands.begin(), definition->operands.end());
      }
    }
  }

  std::string DefinitionText(const Definition& definition) {
    std::vector<std::string> x;
    for (const Dim operand : definition.operands) x.push_back(dims_.ToString(operand));
    switch (definition.operation) {
      case Operation::kAdd:
        return fmt::format("{} + {}", x[0], x[1]);
      case Operation::kMultiply:
        return fmt::format("({})*({})", x[0], x[1]);
      case Operation::kFloorDiv:
        return fmt::format("({})//({})", x[0], x[1]);
      case Operation::kMaxZero:
        return fmt::format("max(0, {})", x[0]);
      case Operation::kBroadcast:
        return fmt::format("broadcast({})", fmt::join(x, ", "));
      case Operation::kSelect:
        return fmt::format("{1} if {0} != 0 else {2}", x[0], x[1], x[2]);
      case Operation::kFloat:
        return FloatStepText(dims_, definition);
    }
    return {};
  }

  TableIndex IndexOf(Dim d) {
    Define(d);
    const std::optional<TableIndex> index = builder_.Compute(d);
    if (code_->expressions.size() <= *index) code_->expressions.resize(*index + 1);
    if (code_->expressions[*index].empty()) code_->expressions[*index] = dims_.ToString(d);
    return *index;
  }

  void BuildShape(ValueId v, ShapeProgram::Value& value) {
    const Type type = TypeOf(v);
    if (!type.is_tensor()) return;
    value.element = type.element;
    if (type.shape.is_none() || !type.shape.has_rank()) return;
    value.rank = type.shape.rank();
    const auto [at, is_new] = shapes_.insert({type.shape, static_cast<uint32_t>(code_->axes.size())});
    value.first = at->second;
    // Recomputed even if another stage has the same shape: that stage may not have run.
    for (const Dim d : type.shape.dims()) {
      const TableIndex index = IndexOf(d);
      if (is_new) code_->axes.push_back(index);
    }
  }

  void BuildBytes(ValueId v, ShapeProgram::Value& value) {
    const Dim bytes = BytesOf(dims_, TypeOf(v));
    if (!bytes.is_none()) value.bytes = IndexOf(bytes);
  }

  void BuildPeak() {
    const MemoryPeak peak = PeakOf(
        inference_, [&](ValueId v) { return TypeOf(v); }, [&](Dim d) { return plan_.IsKnownToModel(d); });
    code_->peak.not_counted = peak.not_counted;
    if (peak.candidates.empty()) {
      code_->peak.index = PeakAlong(peak.schedule);
      return;
    }
    for (const PeakCandidate& candidate : peak.candidates) {
      const TableIndex index = IndexOf(candidate.bytes);
      std::optional<TableIndex>& most = code_->peak.index;
      most = most && *most != index ? builder_.Emit(IntegerOp::kMax, *most, index) : index;
      code_->peak.expression += (code_->peak.expression.empty() ? "" : ", ") + candidate.text;
    }
    if (peak.candidates.size() > 1) code_->peak.expression = "max(" + code_->peak.expression + ")";
    code_->peak.candidates = peak.candidates.size();
    if (peak.candidates.size() == 1 && peak.candidates[0].node != kNoNode) {
      code_->peak.node = names_.Node(peak.candidates[0].node);
    }
  }

  // Emits the live bytes along the schedule, and their maximum.
  TableIndex PeakAlong(const std::vector<MemoryStep>& schedule) {
    TableIndex live = builder_.Constant(0), most = live;
    for (const MemoryStep& step : schedule) {
      for (const Dim d : step.begins) live = builder_.Emit(IntegerOp::kAdd, live, IndexOf(d));
      if (step.ends.empty()) continue;
      most = builder_.Emit(IntegerOp::kMax, most, live);
      for (const Dim d : step.ends) live = builder_.Emit(IntegerOp::kSubtract, live, IndexOf(d));
    }
    return builder_.Emit(IntegerOp::kMax, most, live);
  }

  const Inference& inference_;
  const Graph& graph_;
  DimTable& dims_;
  const ProgramNames names_;
  ProgramPlan plan_;
  IntegerCodeBuilder builder_;
  std::optional<GuardPruner> facts_;  // if there are several stages
  std::unique_ptr<ProgramCode> code_ = std::make_unique<ProgramCode>();
  std::vector<uint32_t> first_stage_;                               // by group
  std::vector<std::vector<std::pair<ValueId, size_t>>> values_of_;  // by stage: with their indices in values
  std::vector<std::vector<const ResidualGuard*>> guards_of_;        // by stage
  tsl::robin_map<Dim, size_t, std::hash<Dim>> symbol_index_;
  tsl::robin_map<Shape, uint32_t, std::hash<Shape>> shapes_;  // index of their axes
  tsl::robin_map<uint32_t, Type> types_;                      // by value
  std::vector<Clause> assumed_;
};

}  // namespace

std::unique_ptr<const ProgramCode> BuildProgram(const Inference& inference) {
  return ProgramBuilder(inference).Build();
}

}  // namespace dimwise
