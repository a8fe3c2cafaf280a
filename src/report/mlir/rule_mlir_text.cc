// Emits lines of MLIR: definitions, regions, constants, and the texts of rejected values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/mlir/rule_mlir_emitter.h"
#include "report/mlir/rule_mlir_functions.h"
#include "rules/language/print.h"

namespace dimwise {

using rules::ExprType;

namespace {

// Returns the text as a string literal of MLIR.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      out += fmt::format("\\{:02X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string MlirEmitter::Define(std::string_view operation) {
  std::string name = fmt::format("%{}", next_++);
  Put(fmt::format("{} = {}", name, operation));
  return name;
}

std::string MlirEmitter::Call(std::string_view function, std::vector<std::string> arguments) {
  module_.functions.emplace(function);
  hazard_ = true;
  return Define(fmt::format("func.call @dimwise.{}({}) : {}", function, fmt::join(arguments, ", "),
                            FindMlirFunction(function)->type));
}

void MlirEmitter::Assert(const MlirValue& condition, std::string_view message) {
  if (condition.constant && *condition.constant != 0) return;
  Put(fmt::format("cf.assert {}, {}", Index(condition), Quoted(message)));
  hazard_ = true;
}

MlirEmitter::Block MlirEmitter::Capture(FunctionRef<MlirValue()> emit) {
  std::vector<Line> lines;
  std::swap(lines, lines_);
  const int depth = std::exchange(depth_, 0);
  const bool hazard = std::exchange(hazard_, false);
  scopes_.push_back({});
  Block block;
  block.value = emit();
  scopes_.pop_back();
  std::swap(lines, lines_);
  block.lines = std::move(lines);
  block.hazard = std::exchange(hazard_, hazard);
  depth_ = depth;
  return block;
}

void MlirEmitter::PutBlock(const Block& block, int deeper) {
  for (const Line& line : block.lines) lines_.push_back({line.depth + depth_ + deeper, line.text});
  hazard_ |= block.hazard;
}

void MlirEmitter::EmitUnder(const MlirValue& condition, FunctionRef<void()> emit) {
  if (condition.constant) {
    if (*condition.constant != 0) emit();
    return;
  }
  const Block block = Capture([&] {
    emit();
    return Truth(true);
  });
  if (block.lines.empty()) return;
  Put(fmt::format("scf.if {} {{", Index(condition)));
  PutBlock(block, 1);
  Put("}");
}

std::string MlirEmitter::Argument(int group, int place, std::string_view name, std::string_view type) {
  module_.arguments[{group, place}] = fmt::format("%{}: {}", name, type);
  return fmt::format("%{}", name);
}

std::string MlirEmitter::Constant(int64_t n) {
  std::string& name = constants_[n];
  if (name.empty()) name = n < 0 ? fmt::format("%cm{}", -static_cast<uint64_t>(n)) : fmt::format("%c{}", n);
  return name;
}

std::string MlirEmitter::Index(const MlirValue& v) {
  if (!v.constant) return v.name;
  if (v.type != ExprType::kBool) return Constant(*v.constant);
  (*v.constant != 0 ? uses_true_ : uses_false_) = true;
  return *v.constant != 0 ? "%true" : "%false";
}

std::string MlirEmitter::Tensor(const MlirValue& v) {
  if (!v.counted) return v.name;
  std::vector<std::string> names;
  for (const MlirValue& e : v.elements) names.push_back(Index(e));
  const std::string_view element = v.type == ExprType::kBools ? "i1" : "index";
  const std::string type = fmt::format("tensor<{}x{}>", names.size(), element);
  const std::string exact = Define(
      fmt::format("tensor.from_elements {}{}: {}", fmt::join(names, ", "), names.empty() ? "" : " ", type));
  return Define(fmt::format("tensor.cast {} : {} to tensor<?x{}>", exact, type, element));
}

MlirValue MlirEmitter::Number(int64_t n) const {
  MlirValue v;
  v.constant = n;
  return v;
}

MlirValue MlirEmitter::Truth(bool b) const {
  MlirValue v;
  v.type = ExprType::kBool;
  v.constant = b ? 1 : 0;
  return v;
}

MlirValue MlirEmitter::Named(std::string name, ExprType type) const {
  MlirValue v;
  v.type = type;
  v.name = std::move(name);
  return v;
}

MlirValue MlirEmitter::Counted(std::vector<MlirValue> elements, ExprType type) const {
  MlirValue v;
  v.type = type;
  v.counted = true;
  v.elements = std::move(elements);
  return v;
}

MlirValue MlirEmitter::Missing(NodeId at, ExprType type) const {
  MlirValue v;
  v.type = type;
  v.missing = Written(at);
  v.missing_at = at;
  return v;
}

std::string MlirEmitter::Written(NodeId at) const {
  const rules::Expr* e = at == kNone ? nullptr : code_.written[at];
  return e == nullptr ? "a part of it" : rules::Print(*e);
}

MlirValue MlirEmitter::Refuse(std::string what, std::string_view why) {
  if (!refusal_)
    refusal_ = {std::move(what), std::string(why), top_ == kNone ? nullptr : code_.written[top_]};
  return Number(0);
}

MlirValue MlirEmitter::Refuse(NodeId at, std::string_view why) { return Refuse(Written(at), why); }

std::string MlirEmitter::TakeText() const {
  std::string out;
  if (uses_true_) out += "  %true = arith.constant true\n";
  if (uses_false_) out += "  %false = arith.constant false\n";
  for (const auto& [n, name] : constants_) out += fmt::format("  {} = arith.constant {} : index\n", name, n);
  for (const Line& line : lines_)
    out += std::string(static_cast<size_t>(2 * line.depth), ' ') + line.text + "\n";
  return out;
}

}  // namespace dimwise
