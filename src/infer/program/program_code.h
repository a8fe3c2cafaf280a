// The implementation of a ShapeProgram: its contents and its instructions.
#ifndef DIMWISE_INFER_PROGRAM_PROGRAM_CODE_H_
#define DIMWISE_INFER_PROGRAM_PROGRAM_CODE_H_

#include <tsl/robin_map.h>

#include <map>

#include "core/dims/integer_code.h"
#include "dimwise/program.h"

namespace dimwise {

struct CodeRange {
  size_t begin = 0, end = 0;
};

struct ProgramCode {
  std::string name;  // of the model
  std::vector<ShapeProgram::Symbol> symbols;
  std::vector<ShapeProgram::InputSize> input_sizes;
  std::vector<std::string> given;
  std::vector<ShapeProgram::Guard> guards;
  std::vector<ShapeProgram::Value> values;
  std::vector<uint32_t> axes;
  std::vector<ShapeProgram::Stage> stages;
  size_t model_stage_count = 0;
  ShapeProgram::Peak peak;
  std::vector<std::string> expressions;             // by table index
  std::map<std::string, std::string> definitions;   // definitions of symbols, in Python
  tsl::robin_map<std::string, size_t> value_index;  // by name

  std::vector<Instruction> instructions;
  std::vector<int64_t> table;     // the initial table with the constants
  std::vector<bool> is_constant;  // by table index
  CodeRange bind;
  std::vector<CodeRange> shapes, memory;  // by stage

  std::span<const Instruction> Code(CodeRange range) const {
    return std::span(instructions).subspan(range.begin, range.end - range.begin);
  }
};

// Returns the text of a negative code: "a number does not fit 64 bits".
std::string_view NegativeCodeText(int code);

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PROGRAM_CODE_H_
