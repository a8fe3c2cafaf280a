#include <algorithm>

#include "dimwise/op_def.h"
#include "fmt/format.h"
#include "ops/op_def_parser.h"

namespace dimwise {
namespace {

Diagnostic Finding(const OpDef& def, std::string message) {
  Diagnostic finding;
  finding.code = Code::kBadDefinition;
  finding.op = def.FullName();
  finding.message = std::move(message);
  return finding;
}

// Resolves names when all attributes are known, so that their order does not matter.
void Resolve(OpDef* def) {
  for (auto* args : {&def->inputs, &def->outputs}) {
    for (ArgDef& arg : *args) {
      // The minimum of a count of tensors is 1, as in TensorFlow, unless the definition states another one.
      const auto count_from_one = [def](std::string_view name, std::string_view kind) {
        const auto attr = std::ranges::find(def->attrs, name, &AttrDef::name);
        if (attr == def->attrs.end() || attr->kind != kind) return false;
        if (!attr->minimum) attr->minimum = 1;
        return true;
      };
      if (!arg.number_attr.empty()) count_from_one(arg.number_attr, "int");
      if (!arg.type_attr.empty() && count_from_one(arg.type_attr, "list(type)")) {
        arg.type_list_attr = std::move(arg.type_attr);
        arg.type_attr.clear();
      }
    }
  }
}

}  // namespace

OpDefBuilder::OpDefBuilder(std::string_view full_name) {
  const size_t dot = full_name.rfind('.');
  if (dot == std::string_view::npos) {
    def_.name = full_name;
  } else {
    def_.set = full_name.substr(0, dot);
    def_.name = full_name.substr(dot + 1);
  }
}

OpDefBuilder& OpDefBuilder::Input(std::string_view spec, std::string_view doc) {
  ArgDef& arg = def_.inputs.emplace_back();
  arg.doc = doc;
  if (const auto error = ParseArgSpec(spec, &arg)) {
    findings_.push_back(
        Finding(def_, fmt::format("{}: input \"{}\": {}", def_.FullName(), spec, error->message)));
    def_.inputs.pop_back();
  }
  return *this;
}

OpDefBuilder& OpDefBuilder::Output(std::string_view spec, std::string_view doc) {
  ArgDef& arg = def_.outputs.emplace_back();
  arg.doc = doc;
  if (const auto error = ParseArgSpec(spec, &arg)) {
    findings_.push_back(
        Finding(def_, fmt::format("{}: output \"{}\": {}", def_.FullName(), spec, error->message)));
    def_.outputs.pop_back();
  }
  return *this;
}

OpDefBuilder& OpDefBuilder::Attr(std::string_view spec, std::string_view doc) {
  AttrDef& attr = def_.attrs.emplace_back();
  attr.doc = doc;
  if (const auto error = ParseAttrSpec(spec, &attr)) {
    findings_.push_back(
        Finding(def_, fmt::format("{}: attribute \"{}\": {}", def_.FullName(), spec, error->message)));
    def_.attrs.pop_back();
  }
  return *this;
}

OpDefBuilder& OpDefBuilder::Trait(Traits traits) {
  def_.traits = def_.traits | traits;
  return *this;
}

OpDefBuilder& OpDefBuilder::Since(int version) {
  def_.since = version;
  return *this;
}

OpDefBuilder& OpDefBuilder::Until(int version) {
  def_.until = version;
  return *this;
}

OpDefBuilder& OpDefBuilder::Deprecated(std::string_view instead) {
  def_.deprecated = instead;
  return *this;
}

OpDefBuilder& OpDefBuilder::Stateful() {
  def_.stateful = true;
  return *this;
}

OpDefBuilder& OpDefBuilder::Commutative() {
  def_.commutative = true;
  return *this;
}

OpDefBuilder& OpDefBuilder::Doc(std::string_view line) {
  def_.doc = line;
  return *this;
}

OpDef OpDefBuilder::Finish(std::vector<Diagnostic>* findings) const {
  OpDef def = def_;
  Resolve(&def);
  findings->insert(findings->end(), findings_.begin(), findings_.end());
  // A spec with an error is missing in the definition, so further errors may only be its consequences.
  if (findings_.empty()) {
    std::vector<Diagnostic> lint = LintOpDef(def);
    std::ranges::move(lint, std::back_inserter(*findings));
  }
  return def;
}

Result<OpDef> OpDefBuilder::Build() const {
  std::vector<Diagnostic> findings;
  OpDef def = Finish(&findings);
  if (!findings.empty()) return Unexpected(std::move(findings.front()));
  return def;
}

}  // namespace dimwise
