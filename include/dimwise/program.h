// A ShapeProgram computes at run time what inference left open. From the sizes of the inputs it computes
// every size, every guard and the bytes of every value.
//
//   const ShapeProgram program(inference);
//   std::vector<int64_t> table = program.NewTable();
//   table[program.FindSymbol("N")->index] = 8;
//   if (const int code = program.Run(0, table); code != 0) std::puts(program.Message(code).c_str());
//   int64_t rows = program.Size(*program.FindValue("y"), /*axis=*/0, table);
//
// The program works on a table of integers that belongs to the caller. The table holds the symbols, then the
// sizes of the inputs, then one entry for each distinct expression of the model. A shape is a list of indices
// into the table. NewTable returns a table with the constants set.
//
// Stages. Stage 0 needs only the symbols of the inputs. A data-dependent size, such as the number of nonzero
// elements, is a symbol that the caller sets when the size is known. The stage that needs this symbol comes
// next. Stages of the model itself are numbered from 0 in execution order. Separate stages follow for code
// that may not run, or may run more than once: branches, loop bodies, and nodes with unused results. Such a
// stage runs when execution reaches its code (`where`), after the stage `after`. Within a stage, a guard
// comes before the expressions that were simplified by it, in program order.
//
// Run returns 0; or k > 0 if the guard guards()[k - 1] failed first; or a negative code if a number cannot be
// computed in 64 bits. Message describes the code. Nothing wraps. After a code other than 0, the results of
// the stage are invalid.
//
// Invariants:
// 1. A program is immutable and owns all its data; it may outlive the inference, the graph and the analysis.
// 2. Run allocates nothing and writes only to the table. Sizes in the table may be any 64-bit integers.
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
  // REQUIRES: the inference has run. The program does not contain its findings: if it reports an error, every
  // run of the model fails.
  explicit ShapeProgram(const Inference& inference);
  ~ShapeProgram();
  ShapeProgram(ShapeProgram&&) noexcept;
  ShapeProgram& operator=(ShapeProgram&&) noexcept;

  // ---- Contents ----
  struct Symbol {
    std::string name;
    std::string origin;     // "input x, axis 0", "node nz (NonZero)"
    uint32_t index = 0;     // index in the table
    bool of_inputs = true;  // otherwise the caller sets it while the model runs
    uint32_t stage = 0;     // the first stage that needs it
    // The source of its value: the size of that value along the axis, or an element of its contents. If the
    // name is empty, the symbol occurs only in expressions.
    std::string value;
    int axis = -1, element = -1;
  };
  // Returns the symbols of the inputs, then the data-dependent symbols in the order in which they are needed.
  const std::vector<Symbol>& symbols() const;

  // A size of an input, for BindInputs.
  struct InputSize {
    std::string value;
    int axis = 0;
    std::string expression;  // as declared by the model: "N", "3"
    uint32_t index = 0;
  };
  const std::vector<InputSize>& input_sizes() const;

  // What inference was given and the program does not test: contents of inputs, "hw == {224, 224}", and sizes
  // that depend on data and occur nowhere in the program, "u2 == 3". The program is valid only for runs in
  // which they hold.
  const std::vector<std::string>& given() const;

  enum class GuardKind : uint8_t {
    kInput,       // sizes of inputs agree with each other and with the model
    kAssumption,  // an assumption: N >= 1, or one by the user
    kModel,       // a requirement of an operator
    kValidity,    // the sizes are valid only where it holds (DW0114); the model may run elsewhere, too
  };
  struct Guard {
    std::string require;   // "N == M or N == 1"
    std::string message;   // by the author of the rule
    std::string node, op;  // empty if there is none
    GuardKind kind = GuardKind::kModel;
    uint32_t stage = 0;
  };
  const std::vector<Guard>& guards() const;

  struct Value {
    std::string name;  // "y", "loop.body/y"
    ElementType element = ElementType::kUnknown;
    int rank = -1;                  // -1: unknown, or no tensor
    uint32_t first = 0;             // index of its first size in axes()
    uint32_t stage = 0;             // the stage that computes its sizes
    std::optional<uint32_t> bytes;  // table index of its size in bytes, which RunMemory computes
    bool constant = false;          // a weight of the model
  };
  const std::vector<Value>& values() const;
  // Table indices; the shape of a value has `rank` of them, starting at `first`.
  std::span<const uint32_t> axes() const;
  std::span<const uint32_t> ShapeOf(const Value& value) const;

  struct Stage {
    std::string where;  // empty: the model itself; "loop.body"; "unused" and "loop.body/unused"
    std::string node;   // the node that determines its data-dependent sizes; empty for a first stage
    std::vector<uint32_t> needs;  // indices of symbols that must be set before it runs
    int after = -1;               // the stage that must run before it
  };
  const std::vector<Stage>& stages() const;
  size_t model_stage_count() const;  // the stages of the model itself

  // The peak memory of activations: the largest sum of bytes of inputs and results in use at one time,
  // without weights. Nodes run in program order.
  struct Peak {
    std::string expression;         // "4*N*S", "max(4*N, 6*S)"; empty for a maximum of too many sums
    std::optional<uint32_t> index;  // set after RunMemory of the last stage of the model
    std::string node;               // the node where it is reached, if that node is the same for all sizes
    size_t candidates = 0;          // number of sums in the expression
    size_t not_counted = 0;         // values of unknown size
  };
  const Peak& peak() const;

  size_t table_size() const;
  const Symbol* FindSymbol(std::string_view name) const;
  const Value* FindValue(std::string_view name) const;
  // Returns the text of the expression at each table index; empty for inputs and intermediate results.
  const std::vector<std::string>& expressions() const;

  // ---- Running it ----
  std::vector<int64_t> NewTable() const;
  // REQUIRES below: the table was created by NewTable and still has table_size() numbers.
  //
  // Computes the symbols of the inputs from their sizes, and compares sizes that must agree. It is not needed
  // if the symbols are set directly.
  int BindInputs(std::span<int64_t> table) const;
  // REQUIRES: `stage` is valid, `stages()[stage].after` has run, and the symbols that the stage needs are
  // set.
  int Run(size_t stage, std::span<int64_t> table) const;
  // Computes the bytes of the values of a stage, after Run. For the last stage of the model, also computes
  // the peak.
  int RunMemory(size_t stage, std::span<int64_t> table) const;
  int64_t Size(const Value& value, int axis, std::span<const int64_t> table) const {
    return table[ShapeOf(value)[static_cast<size_t>(axis)]];
  }
  // Returns the text of a code: "S <= 512 does not hold: ... (Gather 'position')".
  std::string Message(int code) const;

  // For the writers of the library.
  const ProgramCode& code() const { return *code_; }

 private:
  std::unique_ptr<const ProgramCode> code_;
};

}  // namespace dimwise

#endif  // DIMWISE_PROGRAM_H_
