#include "infer/operators/rule_run.h"

namespace dimwise {
namespace {

// Copies one part of a type.
void Take(rules::Part part, const Type& from, Type* to) {
  if (from.kind == TypeKind::kUnknown) return;
  if (to->kind == TypeKind::kUnknown) *to = Type::Tensor(ElementType::kUnknown, from.shape);
  if (part == rules::Part::kAll || part == rules::Part::kShape) to->shape = from.shape;
  if (part == rules::Part::kAll || part == rules::Part::kType) to->element = from.element;
  if (part == rules::Part::kStorage) to->storage = from.storage;
}

}  // namespace

Status RunParts(const rules::Rule& rule, const rules::Application& application, ContextHost* host,
                RuleScratch* scratch) {
  rules::Outcome& outcome = scratch->outcome;
  if (Status s = scratch->evaluator.Run(*rule.code, application, host, &outcome); !s) return s;
  for (size_t i = 0; i < rule.more.size(); ++i) {
    const rules::RulePart& more = rule.more[i];
    rules::Application of_part = application;
    of_part.attributes = &scratch->attributes_of_parts[i];
    host->BeginPart(i + 1);
    Status status = scratch->evaluator.Run(*more.code, of_part, host, &scratch->part);
    host->BeginPart(0);
    if (!status) return status;
    for (size_t k = 0; k < outcome.results.size(); ++k)
      Take(more.part, scratch->part.results[k], &outcome.results[k]);
    for (size_t k = 0; k < outcome.refined.size(); ++k) {
      Type& refined = outcome.refined[k];
      if (scratch->part.refined[k].kind == TypeKind::kUnknown) continue;
      if (refined.kind == TypeKind::kUnknown) refined = application.operands[k].type;
      Take(more.part, scratch->part.refined[k], &refined);
    }
    for (size_t k = 0; k < outcome.contents.size(); ++k) {
      if (outcome.contents[k] == Value()) outcome.contents[k] = scratch->part.contents[k];
    }
  }
  return {};
}

}  // namespace dimwise
