#include "cli/op_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>

#include "cli/batch_reader.h"
#include "cli/exit_code.h"
#include "cli/operator_name.h"
#include "cli/printing.h"
#include "cli/rule_files.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "cli/whole_number.h"
#include "core/base/failure.h"
#include "core/dims/symbol_walk.h"
#include "dimwise/builtin.h"
#include "infer/context/op_call.h"
#include "infer/context/operand_text.h"
#include "report/operators/op_json.h"
#include "report/operators/op_text.h"

namespace dimwise {
namespace {

constexpr std::string_view kOpFooter =
    R"(An operand is a type such as f32[N, 3, 224, 224]. ? is an unknown size, and f32[*] has an unknown rank. Contents
follow the type: i64[2]={N, -1}. `none` is an optional operand that is not given.

Examples:
  dimwise op onnx.Conv 'f32[N,3,224,224]' 'f32[64,3,7,7]' strides=2,2 pads=3,3,3,3
  dimwise op onnx.Reshape 'f32[N, 4, H]' 'i64[2]={N, -1}'
  dimwise op onnx.MatMul 'f32[B, N, K]' 'f32[K, M]' --format json
  dimwise op onnx.MatMul 'f32[2, 3]' '?[*]' --result 'f32[2, 5]'
  dimwise op my.Double 'f32[N]' --rules my.shape
  echo '{"id": 1, "op": "onnx.Relu", "inputs": [{"shape": ["N", 3]}]}' | dimwise op --batch -
)";

Diagnostic Usage(std::string message, std::string help) {
  return MakeDiagnostic(Code::kBadUsage, std::move(message), std::move(help));
}

Diagnostic Unreadable(std::string message) {
  Diagnostic diagnostic = Usage(std::move(message), {});
  diagnostic.code = Code::kUnreadableFile;
  return diagnostic;
}

// A parsed command line, with the data that the views of an OpCall refer to.
struct TypedCall {
  const OpRegistrationData* op = nullptr;
  std::vector<OpOperand> operands;
  std::deque<std::vector<std::byte>> bytes;
  AttrMap attrs;
  std::vector<Type> results;
};

// Parses all words of the command line. Returns the first error.
Result<TypedCall> ReadWords(const OpRegistry& registry, const OpOptions& options, Analysis& analysis) {
  TypedCall call;
  DIMWISE_ASSIGN_OR_RETURN(call.op,
                           LookUpForCall(registry, FullOperatorName(registry, options.name), options.opset));
  for (const std::string& word : options.words) {
    if (IsAttributeText(word)) {
      DIMWISE_RETURN_IF_ERROR(ParseAttribute(call.op->def, word, &call.attrs));
      continue;
    }
    DIMWISE_ASSIGN_OR_RETURN(OpOperand operand, ParseOperand(analysis, word, &call.bytes.emplace_back()));
    call.operands.push_back(operand);
  }
  for (const std::string& word : options.results) {
    DIMWISE_ASSIGN_OR_RETURN(const OpOperand result,
                             ParseOperand(analysis, word, &call.bytes.emplace_back()));
    call.results.push_back(result.given ? result.type : Type());
  }
  return call;
}

bool Mentions(const DimTable& dims, const std::vector<OpOperand>& operands, Dim symbol) {
  const auto in = [&](Dim d) { return Mentions(dims, d, symbol); };
  for (const OpOperand& operand : operands) {
    if (!operand.type.shape.is_none() && std::ranges::any_of(operand.type.shape.dims(), in)) return true;
    if (operand.value.kind() != ValueKind::kIntegers) continue;
    for (int64_t i = 0; i < operand.value.size(); ++i) {
      if (in(operand.value.Integer(i))) return true;
    }
  }
  return false;
}

Status Assume(const OpOptions& options, const TypedCall& call, Analysis& analysis) {
  DimTable& dims = analysis.dims();
  for (const std::string& text : options.assume) {
    DIMWISE_ASSIGN_OR_RETURN(const Condition condition, ParseCondition(dims, text));
    for (const Clause& clause : condition.clauses) {
      for (const Literal& literal : clause) {
        for (const Dim symbol : dims.SymbolsOf(literal.value)) {
          if (Mentions(dims, call.operands, symbol)) continue;
          return Unexpected(
              Usage(fmt::format("no size is called {}, as in --assume '{}'", dims.ToString(symbol), text),
                    "assumptions can use only the names in the operands"));
        }
      }
    }
    analysis.facts().Assert(condition, FactKind::kGiven, /*owner=*/0);
  }
  return {};
}

class Reporter {
 public:
  Reporter(const OpOptions& options, std::string* out, std::string* err)
      : is_json_(options.format == "json"), out_(*out), err_(*err) {}

  int Fail(const Diagnostic& diagnostic, int exit_code) {
    if (is_json_) {
      Json([&](JsonWriter& json) { WriteOpFailure(json, diagnostic); });
    } else {
      err_ += DiagnosticText(diagnostic, stderr) + "\n";
    }
    return exit_code;
  }

  int Answer(Analysis& analysis, const OpAnswer& answer) {
    if (is_json_) {
      Json([&](JsonWriter& json) { WriteOpAnswer(json, analysis, answer); });
    } else {
      out_ += OpAnswerText(analysis, answer, ColourOf(stdout));
    }
    return kDone;
  }

 private:
  template <typename F>
  void Json(const F& write) {
    JsonWriter json(&out_);
    json.BeginObject();
    json.Key("id");
    json.Null();
    write(json);
    json.EndObject();
    out_ += '\n';
  }

  const bool is_json_;
  std::string& out_;
  std::string& err_;
};

int RunBatchOf(const OpRegistry& registry, const OpOptions& options, Reporter& reporter) {
  if (!options.name.empty()) {
    return reporter.Fail(
        Usage(fmt::format("--batch reads requests from '{}', but the operator '{}' is given too",
                          options.batch, options.name),
              "give either --batch or an operator"),
        kCouldNotDo);
  }
  int input = STDIN_FILENO;
  if (options.batch != "-") {
    input = ::open(options.batch.c_str(), O_RDONLY | O_CLOEXEC);
    if (input < 0) {
      return reporter.Fail(
          Unreadable(fmt::format("cannot open '{}': {}", options.batch, std::strerror(errno))), kCouldNotDo);
    }
  }
  std::string error;
  const bool done = RunBatch(registry, options.lenient, input, STDOUT_FILENO, &error);
  if (input != STDIN_FILENO) ::close(input);
  return done ? kDone : reporter.Fail(Unreadable(fmt::format("{}: {}", options.batch, error)), kCouldNotDo);
}

}  // namespace

int RunOp(const OpRegistry& registry, const OpOptions& options, std::string* out, std::string* err) {
  Reporter reporter(options, out, err);
  if (!options.batch.empty()) return RunBatchOf(registry, options, reporter);
  if (options.name.empty()) {
    return reporter.Fail(Usage("no operator is given", "for example: dimwise op onnx.Relu 'f32[N, 3]'"),
                         kCouldNotDo);
  }
  Analysis analysis;
  Result<TypedCall> typed = ReadWords(registry, options, analysis);
  if (!typed)
    return reporter.Fail(typed.error(), typed.error().code == Code::kBadAttribute ? kFound : kCouldNotDo);
  if (Status status = Assume(options, *typed, analysis); !status)
    return reporter.Fail(status.error(), kCouldNotDo);

  OpCall call;
  call.version = options.opset;
  call.op = typed->op;
  call.operands = typed->operands;
  call.attrs = &typed->attrs;
  call.version = options.opset;
  call.num_outputs = options.outputs;
  call.both = !typed->results.empty();
  call.known_outputs = typed->results;
  const Result<OpAnswer> answer = CallOp(analysis, call);
  if (!answer) return reporter.Fail(answer.error(), kFound);
  return reporter.Answer(analysis, *answer);
}

void AddOpCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<OpOptions>();
  CLI::App* op = app.add_subcommand("op", "infer a single operator without a model");
  op->formatter(std::make_shared<UsageFormatter>(
      "dimwise op NAME OPERAND... [attr=value...]\n       dimwise op --batch FILE|-"));
  op->add_option("NAME", options->name, "the operator, such as onnx.Conv");
  op->allow_extras();  // the words that follow; an option with many values would split [N,3]
  op->add_option("--opset", options->opset, "the version of the operator set (default: the newest)")
      ->check(WholeNumber());
  op->add_option("--outputs", options->outputs,
                 "the number of results, if the operator does not determine it")
      ->check(WholeNumber());
  op->add_option("--assume", options->assume, "facts about the symbols: 'N >= 1, N % 8 == 0'")
      ->allow_extra_args(false);
  op->add_option("--result", options->results,
                 "the known type of a result, in order; operands are then inferred too")
      ->allow_extra_args(false)
      ->type_name("TYPE");
  AddRulesOption(*op, &options->rules);
  op->add_option("--format", options->format, "human, or json (the format of --batch)")
      ->check(CLI::IsMember({"human", "json"}));
  op->add_option("--batch", options->batch,
                 "read requests from a file or - (standard input), one JSON object per line");
  op->add_flag("--lenient", options->lenient, "with --batch: ignore unknown fields of a request");
  op->footer(std::string(kOpFooter));
  op->callback([op, options, exit_code] {
    options->words = op->remaining();
    for (const std::string& word : options->words) {
      if (word.starts_with('-')) throw CLI::ExtrasError("op", {word});
    }
    std::string out, err;
    const std::optional<OpRegistry> registry = WithRuleFiles(BuiltinRegistry(), options->rules, &err);
    Print(stderr, err);  // before the first answer of a batch
    err.clear();
    *exit_code = registry ? RunOp(*registry, *options, &out, &err) : kCouldNotDo;
    Print(stdout, out);
    Print(stderr, err);
  });
}

}  // namespace dimwise
