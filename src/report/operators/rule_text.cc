#include "report/operators/rule_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "graph/program_names.h"

namespace dimwise {
namespace {

// Returns the text with each line indented.
std::string Indented(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) out += fmt::format("{}{}", indent, line);
    out += '\n';
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string Titled(std::string_view title, const std::string& lines) {
  return lines.empty() ? "" : fmt::format("{}\n{}", title, lines);
}

std::string SignatureLines(const RuleDocument& document) {
  std::string out;
  for (const RuleDocument::Signature& s : document.signatures) {
    const std::string_view before = !s.part.empty() ? std::string_view(s.part)
                                    : out.empty()   ? ShortName(document.name)
                                                    : "|";
    out += Indented(fmt::format("{}{}{}", before, out.empty() && s.part.empty() ? "" : " ", s.text), "  ");
  }
  for (const std::string& type : document.types) out += fmt::format("  {}\n", type);
  return out;
}

std::string LimitsText(const RuleDocument::Attr& a) {
  std::string out;
  for (const std::string& value : a.allowed) out += (out.empty() ? "one of " : ", ") + value;
  const auto add = [&](const std::string& bound, std::string_view words) {
    if (!bound.empty()) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", words, bound);
  };
  add(a.minimum, "at least");
  add(a.maximum, "at most");
  return out;
}

std::string AttributeLines(const std::vector<RuleDocument::Attr>& attributes) {
  size_t name_width = 0, kind_width = 0, default_width = 0;
  std::vector<std::string> defaults;
  for (const RuleDocument::Attr& a : attributes) {
    defaults.push_back(!a.otherwise.empty() ? "= " + a.otherwise : a.optional ? "optional" : "required");
    name_width = std::max(name_width, a.name.size());
    kind_width = std::max(kind_width, a.kind.size());
    default_width = std::max(default_width, defaults.back().size());
  }
  std::string out;
  for (size_t i = 0; i < attributes.size(); ++i) {
    const RuleDocument::Attr& a = attributes[i];
    std::string line = fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}", a.name, name_width, a.kind, kind_width,
                                   defaults[i], default_width, LimitsText(a));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string ConditionLines(const std::vector<RuleDocument::Condition>& conditions) {
  std::string out;
  for (const RuleDocument::Condition& condition : conditions) {
    out += fmt::format("  {}\n", condition.text);
    if (!condition.message.empty()) out += fmt::format("    else: {}\n", condition.message);
  }
  return out;
}

std::string VersionLine(const std::vector<RuleDocument::Version>& versions) {
  std::string out;
  for (const RuleDocument::Version& v : versions) {
    out += out.empty() ? "  " : ", ";
    out += v.until == 0 ? fmt::format("since {}", v.since) : fmt::format("{} to {}", v.since, v.until - 1);
    if (versions.size() > 1 && v.is_shown) out += " (shown)";
  }
  return out.empty() ? "" : out + "\n";
}

}  // namespace

std::string ToString(const RuleDocument& document) {
  std::string sub_graphs, regions, contents, functions, examples;
  for (const RuleDocument::SubGraph& g : document.sub_graphs)
    sub_graphs +=
        fmt::format("  {}({}) -> ({})\n", g.attribute, fmt::join(g.takes, ", "), fmt::join(g.gives, ", "));
  for (const std::string& region : document.regions) regions += fmt::format("  {}\n", region);
  for (const RuleDocument::Contents& c : document.contents)
    contents += fmt::format("  {} = {}\n", c.result, c.expression);
  for (const RuleDocument::Fn& f : document.functions)
    functions += fmt::format("  {}\n{}", f.signature, Indented(f.doc, "    "));
  for (const RuleDocument::Example& e : document.examples)
    examples += fmt::format("  {}{}-> {}\n", e.call, e.call.empty() ? "" : " ", e.result);
  std::string out = document.name + "\n" + Indented(document.doc, "  ");
  for (const std::string& part :
       {Titled("signature", SignatureLines(document)),
        Titled("attributes", AttributeLines(document.attributes)), Titled("sub-graphs", sub_graphs),
        Titled("regions", regions), Titled("requires", ConditionLines(document.requirements)),
        Titled("assumes", ConditionLines(document.assumptions)),
        Titled("ensures", ConditionLines(document.guarantees)), Titled("contents", contents),
        Titled("functions", functions), Titled("versions", VersionLine(document.versions)),
        Titled("examples", examples)}) {
    if (!part.empty()) out += "\n" + part;
  }
  if (document.file.empty()) return out + "\nThis operator is implemented in C++, not as a rule.\n";
  return out + fmt::format("\nsource\n  {}:{}\n", document.file, document.line);
}

}  // namespace dimwise
