#include "report/models/finding_filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/failure.h"
#include "core/base/nearest_name.h"

namespace dimwise {
namespace {

Diagnostic Incomplete(const ModelReport& report, NodeId node) {
  const Graph& graph = report.graph();
  std::vector<std::string> lost;
  for (const ValueId v : graph.results(node)) {
    if (!graph.name(v).empty() && !HasRank(CountedType(report.type(v)))) {
      lost.push_back("'" + report.names.Value(v) + "'");
    }
  }
  Diagnostic finding =
      MakeDiagnostic(Code::kUnknownShape, fmt::format("the rank of {} is unknown", fmt::join(lost, ", ")));
  finding.node = report.names.Node(node);
  finding.op = ShortName(graph.op_name(node));
  finding.index = graph.position(node);
  finding.source.file = report.file;
  for (const ValueId v : graph.operands(node)) {
    if (v == kNoValue) continue;
    finding.sides.push_back(
        {"", fmt::format("'{}' {}", graph.name(v), ToString(report.dims(), report.type(v))), ""});
  }
  return finding;
}

}  // namespace

bool MeansCode(std::string_view word, Code code) {
  if (word.starts_with("DW") && word.size() > 2 && word.size() <= 6 && CodeName(code).starts_with(word))
    return true;
  const CodeInfo* info = DescribeCode(code);
  return info != nullptr && info->name == word;
}

Status CheckCodeWords(const std::vector<std::string>& words, std::string_view where) {
  for (const std::string& word : words) {
    if (std::ranges::any_of(AllCodes(), [&](const CodeInfo& c) { return MeansCode(word, c.code); })) continue;
    std::vector<std::string> names;
    for (const CodeInfo& code : AllCodes()) {
      names.push_back(CodeName(code.code));
      names.emplace_back(code.name);
    }
    const std::string_view near =
        NearestName(word, std::vector<std::string_view>(names.begin(), names.end()));
    Diagnostic diagnostic =
        MakeDiagnostic(Code::kBadUsage, fmt::format("{}: there is no code {}", where, word));
    diagnostic.help =
        near.empty() ? "`dimwise explain --codes` lists them" : fmt::format("did you mean {}?", near);
    return Unexpected(std::move(diagnostic));
  }
  return {};
}

bool FindingFilter::Passes(Code code) const {
  const auto means = [&](const std::string& word) { return MeansCode(word, code); };
  return (select.empty() || std::ranges::any_of(select, means)) && std::ranges::none_of(ignore, means);
}

std::vector<Diagnostic> WhatIsWrong(const ModelReport& report, const FindingFilter& filter,
                                    const FindingRequirements& required) {
  std::vector<Diagnostic> wrong = report.findings;
  for (Diagnostic& finding : wrong) {
    if (required.declarations && finding.code == Code::kDeclaredType) finding.severity = Severity::kError;
  }
  if (required.complete) {
    for (const NodeId node : WhereShapesAreLost(report)) wrong.push_back(Incomplete(report, node));
  }
  std::erase_if(wrong, [&](const Diagnostic& finding) { return !filter.Passes(finding.code); });
  return wrong;
}

}  // namespace dimwise
