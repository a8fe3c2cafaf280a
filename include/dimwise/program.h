// A ShapeProgram denotes what is left of shape inference when a model runs: from the sizes of its inputs to
// every size, every check and every number of bytes.
//
//   const ShapeProgram program(inference);
//   std::vector<int64_t> table = program.NewTable();
//   table[program.FindSymbol("N")->place] = 8;
//   if (const int code = program.Run(0, table); code != 0) std::puts(program.Message(code).c_str());
//   int64_t rows = program.Size(*program.FindValue("y"), /*axis=*/0, table);
//
// The program works on a table of integers that belongs to the caller. First come the symbols, then the sizes
// of the inputs, then one place for each distinct expression of the model; a shape is a list of places, a
// view of the table. NewTable has the constants in place.
//
// Stages. Stage 0 needs the symbols of the inputs. A size that only data decides (how many elements are not
// zero) is a symbol that the run time fills in when it learns it; the stage that needs it comes next. Stages
// of the model itself are numbered from 0 in the order in which they run. What may run never, or more than
// once, has stages of its own behind them: those of a branch or of a loop's body run when the run time gets
// there (`where`), after the stage `after`; so do those of nodes whose results nobody uses. Within a stage
// checks come before whatever was simplified by them, in the order of the program.
//
// Run answers 0; or k > 0, the first check that failed, as checks()[k - 1]; or a negative code, for what
// cannot be computed in 64 bits (ToString says which). Nothing wraps. After a code other than 0 what the
// stage computes is not to be used.
//
// Invariants:
//  1. A program is immutable and owns all that it says; it outlives the inference, the graph and the
//  analysis.
//  2. Run allocates nothing, and writes to the table only. Sizes in the table may be any 64-bit integers.
//
// Thread safety: any number of threads may use one program, each with its own table.
#ifndef DIMWISE_PROGRAM_H_
#define DIMWISE_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/inference.h"

namespace dimwise {

struct ProgramCode;

class DIMWISE_API ShapeProgram {
 public:
  // REQUIRES: the inference has run. What it found wrong is no part of the program: where it reports an
  // error, every run of the model fails.
  explicit ShapeProgram(const Inference& inference);
  ~ShapeProgram();
  ShapeProgram(ShapeProgram&&) noexcept;
  ShapeProgram& operator=(ShapeProgram&&) noexcept;

  // ---- What it says ----
  struct Symbol {
    std::string name;
    std::string origin;     // "input x, axis 0", "node nz (NonZero)"
    uint32_t place = 0;     // in the table
    bool of_inputs = true;  // as against filled in while the model runs
    uint32_t stage = 0;     // the first that needs it
    // Where it can be read: the size of that value along the axis, or the element of its contents. An empty
    // name: it only shows in expressions.
    std::string value;
    int axis = -1, element = -1;
  };
  // Symbols of the inputs, then those that data decides, in the order in which they are needed.
  const std::vector<Symbol>& symbols() const;

  // A size of an input, for BindInputs.
  struct InputSize {
    std::string value;
    int axis = 0;
    std::string expression;  // what the model says it is: "N", "3"
    uint32_t place = 0;
  };
  const std::vector<InputSize>& input_sizes() const;

  enum class CheckKind : uint8_t {
    kInput,       // sizes of inputs agree with each other and with the model
    kAssumption,  // what was taken for granted: N >= 1, and what the user said
    kModel,       // what operators require
  };
  struct Check {
    std::string require;   // "N == M or N == 1"
    std::string message;   // the author's
    std::string node, op;  // empty where it is none
    CheckKind kind = CheckKind::kModel;
    uint32_t stage = 0;
  };
  const std::vector<Check>& checks() const;

  struct Value {
    std::string name;  // "y", "loop.body/y"
    ElementType element = ElementType::kUnknown;
    int rank = -1;                  // -1: not known, or no tensor
    uint32_t first = 0;             // of its places in axes()
    uint32_t stage = 0;             // after which its sizes are there
    std::optional<uint32_t> bytes;  // the place of its size in bytes, which RunMemory computes
    bool constant = false;          // a weight of the model
  };
  const std::vector<Value>& values() const;
  // Places of the table; the shape of a value is `rank` of them from `first`.
  std::span<const uint32_t> axes() const;
  std::span<const uint32_t> ShapeOf(const Value& value) const;

  struct Stage {
    std::string where;            // empty: the model itself; "loop.body"; "unused" and "loop.body/unused"
    std::string node;             // whose sizes it waits for; empty for the first of its place
    std::vector<uint32_t> needs;  // indices of symbols that are filled in before it runs
    int after = -1;               // the stage that runs before it
  };
  const std::vector<Stage>& stages() const;
  size_t model_stage_count() const;  // the stages of the model itself

  // The most bytes of activations (inputs and results that are still used) that are there at the same time
  // when nodes run in the order of the program.
  struct Peak {
    std::string expression;         // "4*N*S", "max(4*N, 6*S)"; empty where it would be too long
    std::optional<uint32_t> place;  // after RunMemory of the last stage of the model
    std::string node;               // at which it is reached, where that is one for all sizes
    size_t candidates = 0;          // the expressions of which it is the largest
    size_t not_counted = 0;         // values whose bytes are not known
  };
  const Peak& peak() const;

  size_t table_size() const;
  const Symbol* FindSymbol(std::string_view name) const;
  const Value* FindValue(std::string_view name) const;
  // The expression at each place, as text; empty for the places of inputs and of intermediate results.
  const std::vector<std::string>& expressions() const;

  // ---- Running it ----
  std::vector<int64_t> NewTable() const;
  // REQUIRES for all that follows: the table is one of table_size() numbers that began as NewTable.
  //
  // Fills the symbols of the inputs from their sizes, and checks that those agree. Not needed where the
  // symbols themselves are known.
  int BindInputs(std::span<int64_t> table) const;
  // REQUIRES: `stage` is one, `stages()[stage].after` has run, and what it needs is filled in.
  int Run(size_t stage, std::span<int64_t> table) const;
  // The bytes of the values of a stage, after Run; of the last stage of the model, also the peak.
  int RunMemory(size_t stage, std::span<int64_t> table) const;
  int64_t Size(const Value& value, int axis, std::span<const int64_t> table) const {
    return table[ShapeOf(value)[static_cast<size_t>(axis)]];
  }
  // What a code means: "S <= 512 does not hold: ... (Gather 'position')".
  std::string Message(int code) const;

  // For the writers of the library.
  const ProgramCode& code() const { return *code_; }

 private:
  std::unique_ptr<const ProgramCode> code_;
};

}  // namespace dimwise

#endif  // DIMWISE_PROGRAM_H_
