#include "infer/generalize/attempt.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/failure.h"
#include "dimwise/result_macros.h"
#include "graph/program_names.h"
#include "infer/engine/guard_list.h"
#include "infer/operators/node_properties.h"

namespace dimwise {
namespace {

// Gives the sides of a rule's error the names of the operands, and drops their contents, which are not
// relevant here.
void NameSides(const Graph& graph, NodeId node, std::vector<Side>& sides) {
  std::vector<ValueId> given;
  for (const ValueId v : graph.operands(node)) {
    if (v != kNoValue) given.push_back(v);
  }
  if (sides.size() != given.size()) return;
  for (size_t i = 0; i < given.size(); ++i) {
    std::string& value = sides[i].value;
    value = fmt::format("'{}' {}", graph.name(given[i]), value.substr(0, value.find(" = ")));
  }
}

}  // namespace

std::string NodeText(const Graph& graph, NodeId node) {
  const std::string_view name = graph.name(node);
  return name.empty() ? fmt::format("{} #{}", ShortName(graph.op_name(node)), graph.position(node))
                      : fmt::format("{} '{}'", ShortName(graph.op_name(node)), name);
}

Result<std::unique_ptr<Attempt>> Attempt::Load(const LoadProgram& load, std::span<const InputSymbol> symbols,
                                               std::span<const SizeChange> changes) {
  std::unique_ptr<Attempt> attempt(new Attempt());
  DIMWISE_ASSIGN_OR_RETURN(attempt->program_, load());
  Graph& graph = *attempt->program_.graph;
  ForEachInOrder(graph, [&](NodeId node) { attempt->order_.push_back(node); });
  attempt->symbols_.assign(symbols.begin(), symbols.end());
  for (const InputSymbol& symbol : symbols) {
    Type type = graph.declared(symbol.input);
    std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
    sizes[static_cast<size_t>(symbol.axis)] = attempt->dims().Symbol(
        symbol.symbol, fmt::format("input {}, axis {}", graph.name(symbol.input), symbol.axis));
    type.shape = graph.analysis().shapes().Make(sizes);
    graph.Declare(symbol.input, type);
  }
  for (const SizeChange& change : changes) attempt->Apply(change);
  return attempt;
}

std::vector<Condition> Attempt::Assumptions() const {
  std::vector<Condition> all;
  for (const InputSymbol& symbol : symbols_) {
    if (symbol.is_trial) continue;
    all.push_back({{Clause{AtLeast(dims(), dims().Symbol(symbol.symbol), Dim(symbol.was + 1))}}});
  }
  return all;
}

Result<std::unique_ptr<Attempt>> Attempt::Make(const LoadProgram& load, const OpRegistry& registry,
                                               std::span<const InputSymbol> symbols,
                                               std::span<const SizeChange> changes) {
  DIMWISE_ASSIGN_OR_RETURN(std::unique_ptr<Attempt> attempt, Load(load, symbols, changes));
  attempt->registry_ = &registry;
  attempt->inference_ = std::make_unique<Inference>(attempt->graph(), registry);
  for (const Condition& condition : attempt->Assumptions()) attempt->inference_->Assume(condition);
  attempt->inference_->Run();
  attempt->state_ = &attempt->inference_->state();
  return attempt;
}

Result<std::unique_ptr<Attempt>> Attempt::Begin(const LoadProgram& load, const OpRegistry& registry,
                                                std::span<const InputSymbol> symbols,
                                                std::span<const SizeChange> changes) {
  DIMWISE_ASSIGN_OR_RETURN(std::unique_ptr<Attempt> attempt, Load(load, symbols, changes));
  attempt->registry_ = &registry;
  EngineOptions options;
  options.assume_not_empty = true;
  options.use_facts_of_dead_nodes = false;
  attempt->own_engine_ = std::make_unique<Engine>(attempt->graph(), registry, options);
  for (const Condition& condition : attempt->Assumptions()) attempt->own_engine_->Assume(condition);
  attempt->own_engine_->SetUp();
  attempt->state_ = &attempt->own_engine_->state();
  return attempt;
}

void Attempt::Change(const SizeChange& change) {
  Apply(change);
  own_engine_->SetUp();
}

void Attempt::Visit(NodeId node) { own_engine_->Visit(node); }

void Attempt::Apply(const SizeChange& change) {
  Graph& graph = *program_.graph;
  std::vector<Dim> elements;
  for (const std::string& text : change.elements) {
    const Result<Dim> element = dims().Parse(text);
    elements.push_back(element ? *element : Dim());
  }
  if (change.kind == SizeChange::Kind::kAttribute) {
    AttrMap attrs = graph.attrs(graph.attrs_of(change.node));
    AttrValue::Ints numbers;
    for (const Dim element : elements) numbers.push_back(element.is_constant() ? element.constant() : 0);
    attrs.Set(change.attribute, AttrValue(std::move(numbers)));
    static_cast<void>(graph.SetAttrs(change.node, graph.AddAttrs(std::move(attrs))));
    return;
  }
  const ValueId old = graph.operands(change.node)[change.operand];
  const RegionId region = graph.region(change.node);
  const std::string_view name = graph.name(old);
  ValueId value = kNoValue;
  if (change.kind == SizeChange::Kind::kExpand) {
    value = graph.AddConstant(region, name, Type::Tensor(change.element, analysis().shapes().Make(elements)));
  } else {
    std::vector<int64_t> sizes;
    if (change.rank == 1) sizes.push_back(static_cast<int64_t>(elements.size()));
    const std::vector<Dim> shape(sizes.begin(), sizes.end());
    value = graph.AddConstant(region, name, Type::Tensor(change.element, analysis().shapes().Make(shape)),
                              analysis().values().Integers(change.element, sizes, elements));
  }
  static_cast<void>(graph.SetOperand(change.node, change.operand, value));
}

Dim Attempt::AsBefore(Dim size) const {
  return dims().Substitute(size, [&](Dim atom) {
    if (dims().Kind(atom) != DimKind::kSymbol) return Dim();
    const std::string_view name = dims().NameOf(atom);
    const auto it = std::ranges::find(symbols_, name, &InputSymbol::symbol);
    return it == symbols_.end() ? Dim() : Dim(it->was);
  });
}

bool Attempt::Mentions(Dim size) const { return size.is_expression() && AsBefore(size) != size; }

Dim Attempt::Solved(std::string_view symbol) const {
  return analysis().facts().Simplify(dims().Symbol(symbol), state_->scope(graph().body()),
                                     FactFilter::kEverything,
                                     /*solve=*/true);
}

bool Attempt::HasError(NodeId node) const {
  const NodeEffects* effects = state_->effects_of(node);
  return effects != nullptr && std::ranges::any_of(effects->findings, [](const Diagnostic& d) {
           return d.severity == Severity::kError;
         });
}

const OpDef* Attempt::Definition(NodeId node) const {
  const OpRegistrationData* op = FindRegistration(*registry_, graph(), node);
  return op == nullptr ? nullptr : &op->def;
}

ValueId Attempt::Operand(NodeId node, ArgIndex argument) const {
  const int operand = OperandAt(node, argument);
  return operand < 0 ? kNoValue : graph().operands(node)[static_cast<size_t>(operand)];
}

int Attempt::OperandAt(NodeId node, ArgIndex argument) const {
  const OpDef* def = Definition(node);
  return def == nullptr ? -1 : FindOperand(*def, graph(), node, argument);
}

Dim Attempt::EvaluateProperty(NodeId node, PropertyExpr expr) const {
  const OpRegistrationData* op = FindRegistration(*registry_, graph(), node);
  if (op == nullptr) return Dim();
  return EvaluateNodeProperty(*op, graph(), node, expr, state_->scope(graph().region(node)),
                              {[&](ValueId v) { return type(v); }, [&](ValueId v) { return contents(v); }});
}

// Returns whether a clause about the symbols is false at every size that is tried.
bool Attempt::HoldsNowhere(const Clause& clause) const {
  if (std::ranges::none_of(clause, [&](const Literal& l) { return Mentions(l.value); })) return false;
  for (const int64_t more : {1, 2, 3, 7, 96, 4096}) {
    Clause there = clause;
    for (Literal& literal : there) {
      literal.value = dims().Substitute(literal.value, [&](Dim atom) {
        if (dims().Kind(atom) != DimKind::kSymbol) return Dim();
        const auto it = std::ranges::find(symbols_, dims().NameOf(atom), &InputSymbol::symbol);
        return it == symbols_.end() || it->is_trial ? Dim()
                                                    : Dim(it->was + more * std::max<int64_t>(it->was, 1));
      });
    }
    if (!Normalize(dims(), there).empty()) return false;
  }
  return true;
}

std::vector<Attempt::Problem> Attempt::Problems(const Attempt* baseline) const {
  std::vector<Problem> problems;
  const auto add = [&](size_t position, NodeId node, Diagnostic diagnostic) {
    diagnostic.node =
        graph().name(node).empty() ? fmt::format("#{}", graph().position(node)) : graph().name(node);
    diagnostic.op = ShortName(graph().op_name(node));
    diagnostic.index = graph().position(node);
    NameSides(graph(), node, diagnostic.sides);
    problems.push_back({position, node, std::move(diagnostic)});
  };
  for (size_t position = 0; position < order_.size(); ++position) {
    const NodeId node = order_[position];
    if (!HasError(node) || (baseline != nullptr && baseline->HasError(node))) continue;
    const std::vector<Diagnostic>& findings = state_->effects_of(node)->findings;
    add(position, node,
        *std::ranges::find(findings, Severity::kError, [](const Diagnostic& d) { return d.severity; }));
  }
  for (const ResidualGuard& guard : inference_->guards()) {
    if (std::ranges::none_of(guard.condition.clauses, [&](const Clause& c) { return HoldsNowhere(c); }))
      continue;
    Diagnostic diagnostic = MakeDiagnostic(guard.code, guard.message);
    const auto position = std::ranges::find(order_, guard.node);
    add(static_cast<size_t>(position - order_.begin()), guard.node, std::move(diagnostic));
  }
  std::ranges::stable_sort(problems, {}, &Problem::position);
  return problems;
}

}  // namespace dimwise
