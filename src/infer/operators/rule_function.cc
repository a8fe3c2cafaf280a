#include "infer/operators/rule_function.h"

#include <memory>

#include "infer/operators/rule_both_ways.h"
#include "infer/operators/rule_run.h"

namespace dimwise {
namespace {

// If a rule is applied `over` existing outputs, sets only the parts that it defines.
void SetOutput(const rules::Rule& rule, int64_t i, Type type, bool over, InferenceContext* context) {
  if (type.kind == TypeKind::kUnknown) return;
  if (over) {
    const Type before = context->full_output_type(i);
    if (!rule.Fills(rules::Part::kShape) && before.is_tensor()) type.shape = before.shape;
    if (!rule.Fills(rules::Part::kType)) type.element = before.element;
    if (!rule.Fills(rules::Part::kStorage)) type.storage = before.storage;
  }
  context->set_full_output_type(i, type);
}

void SetOutputs(const rules::Rule& rule, const rules::Outcome& outcome, bool over,
                InferenceContext* context) {
  for (int i = 0; i < context->num_outputs(); ++i) {
    const auto k = static_cast<size_t>(i);
    SetOutput(rule, i, outcome.results[k], over, context);
    if (outcome.results[k].kind != TypeKind::kUnknown && outcome.contents[k] != Value())
      context->set_output_value(i, outcome.contents[k]);
  }
}

// Evaluates the rule for operands without a trace.
Status ApplyWithoutTrace(const rules::Rule& rule, int version, bool over, ContextHost* host,
                         RuleScratch* scratch, InferenceContext* context) {
  if (Status s =
          rules::Bind(*rule.code, context->attrs(), rule.name, rule.HasOnnxNumbers(), &scratch->attributes);
      !s)
    return s;
  if (scratch->attributes_of_parts.size() < rule.more.size())
    scratch->attributes_of_parts.resize(rule.more.size());
  for (size_t i = 0; i < rule.more.size(); ++i) {
    if (Status s = rules::Bind(*rule.more[i].code, context->attrs(), rule.name, rule.HasOnnxNumbers(),
                               &scratch->attributes_of_parts[i]);
        !s)
      return s;
  }
  rules::Application application;
  application.op = rule.name;
  application.operands = scratch->operands;
  application.attributes = &scratch->attributes;
  application.version = version;
  application.result_count = context->num_outputs();
  application.after_error = context->node().after_error;
  if (context->refines_inputs()) {
    if (Status s = RunBothWays(rule, application, scratch, context); !s) return s;
    SetOutputs(rule, scratch->outcome, over, context);
    return {};
  }
  if (Status s = RunParts(rule, application, host, scratch); !s) return s;
  SetOutputs(rule, scratch->outcome, over, context);
  if (MayUseTrace(rule) && !application.after_error && context->guards().empty() &&
      context->constraints().empty()) {
    scratch->traces.Learn(*rule.code, application, context->attrs(), scratch->outcome, *host,
                          &scratch->evaluator);
  }
  return {};
}

void ReadOperands(InferenceContext* context, std::vector<rules::Operand>* operands) {
  const bool both_ways = context->refines_inputs();
  operands->resize(static_cast<size_t>(context->num_inputs()));
  int64_t i = 0;
  for (rules::Operand& o : *operands) {
    o.given = context->has_input(i);
    o.type = !o.given ? Type() : both_ways ? context->refined_input_type(i) : context->full_input_type(i);
    o.value = o.given ? context->input_tensor(i) : Value();
    ++i;
  }
}

Status ApplyWith(RuleScratch* scratch, const rules::Rule& rule, bool over, InferenceContext* context) {
  ReadOperands(context, &scratch->operands);
  const int version = rule.VersionFor(context->node().version);
  ContextHost host(context);
  if (MayUseTrace(rule) && !context->refines_inputs() && !context->node().after_error) {
    rules::Outcome& outcome = scratch->outcome;
    outcome.results.resize(static_cast<size_t>(context->num_outputs()));
    outcome.contents.resize(outcome.results.size());
    if (scratch->traces.Apply(*rule.code, scratch->operands, context->attrs(), version, host, outcome.results,
                              outcome.contents)) {
      ++scratch->answers_by_traces;
      SetOutputs(rule, outcome, over, context);
      return {};
    }
  }
  return ApplyWithoutTrace(rule, version, over, &host, scratch, context);
}

Status Apply(const rules::Rule& rule, bool over, InferenceContext* context) {
  if (rule.code->regions.empty()) return ApplyWith(&RuleScratch::OfThread(), rule, over, context);
  // Inside a region, other rules run before this one has finished, so it needs its own buffers.
  const auto own = std::make_unique<RuleScratch>();
  return ApplyWith(own.get(), rule, over, context);
}

}  // namespace

Status ApplyRule(const rules::Rule& rule, InferenceContext* context) {
  return Apply(rule, /*over=*/false, context);
}

Status ApplyRuleOver(const rules::Rule& rule, InferenceContext* context) {
  return Apply(rule, /*over=*/true, context);
}

bool MayUseTrace(const rules::Rule& rule) { return rule.more.empty() && rule.code->regions.empty(); }

uint64_t AnswersByTraces() { return RuleScratch::OfThread().answers_by_traces; }

void ForgetTraces() { RuleScratch::OfThread().traces = rules::TraceCache(); }

ShapeFn ShapeFunctionOf(const rules::Rule& rule) { return RuleShapeFn{&rule}; }

}  // namespace dimwise
