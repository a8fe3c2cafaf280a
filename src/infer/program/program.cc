#include "dimwise/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "infer/program/program_build.h"

namespace dimwise {

ShapeProgram::ShapeProgram(const Inference& inference) : code_(BuildProgram(inference)) {}
ShapeProgram::~ShapeProgram() = default;
ShapeProgram::ShapeProgram(ShapeProgram&&) noexcept = default;
ShapeProgram& ShapeProgram::operator=(ShapeProgram&&) noexcept = default;

const std::vector<ShapeProgram::Symbol>& ShapeProgram::symbols() const { return code_->symbols; }
const std::vector<ShapeProgram::InputSize>& ShapeProgram::input_sizes() const { return code_->input_sizes; }
const std::vector<std::string>& ShapeProgram::given() const { return code_->given; }
const std::vector<ShapeProgram::Guard>& ShapeProgram::guards() const { return code_->guards; }
const std::vector<ShapeProgram::Value>& ShapeProgram::values() const { return code_->values; }
std::span<const uint32_t> ShapeProgram::axes() const { return code_->axes; }
const std::vector<ShapeProgram::Stage>& ShapeProgram::stages() const { return code_->stages; }
size_t ShapeProgram::model_stage_count() const { return code_->model_stage_count; }
const ShapeProgram::Peak& ShapeProgram::peak() const { return code_->peak; }
size_t ShapeProgram::table_size() const { return code_->table.size(); }
const std::vector<std::string>& ShapeProgram::expressions() const { return code_->expressions; }

std::span<const uint32_t> ShapeProgram::ShapeOf(const Value& value) const {
  return axes().subspan(value.first, value.rank < 0 ? 0 : static_cast<size_t>(value.rank));
}

const ShapeProgram::Symbol* ShapeProgram::FindSymbol(std::string_view name) const {
  const auto at = std::ranges::find(symbols(), name, &Symbol::name);
  return at == symbols().end() ? nullptr : &*at;
}

const ShapeProgram::Value* ShapeProgram::FindValue(std::string_view name) const {
  const auto at = code_->value_index.find(std::string(name));
  return at == code_->value_index.end() ? nullptr : &values()[at->second];
}

std::vector<int64_t> ShapeProgram::NewTable() const { return code_->table; }

int ShapeProgram::BindInputs(std::span<int64_t> table) const {
  return RunIntegerCode(code_->Code(code_->bind), table.data());
}
int ShapeProgram::Run(size_t stage, std::span<int64_t> table) const {
  return RunIntegerCode(code_->Code(code_->shapes[stage]), table.data());
}
int ShapeProgram::RunMemory(size_t stage, std::span<int64_t> table) const {
  return RunIntegerCode(code_->Code(code_->memory[stage]), table.data());
}

std::string_view NegativeCodeText(int code) {
  switch (code) {
    case kOverflow:
      return "a number exceeds 64 bits";
    case kDividesByZero:
      return "a size is divided by 0";
    case kCannotBroadcast:
      return "two broadcast sizes differ, and neither is 1";
    default:
      return "unknown code";
  }
}

std::string ShapeProgram::Message(int code) const {
  if (code == kRanThrough) return "all guards hold";
  if (code < 0 || static_cast<size_t>(code) > guards().size()) return std::string(NegativeCodeText(code));
  const Guard& guard = guards()[static_cast<size_t>(code) - 1];
  const std::string node = guard.node.empty() ? "" : fmt::format(" ({} '{}')", guard.op, guard.node);
  return fmt::format("{} does not hold: {}{}", guard.require, guard.message, node);
}

}  // namespace dimwise
