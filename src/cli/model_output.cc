#include "cli/model_output.h"

#include <tsl/robin_set.h>

#include <CLI/CLI.hpp>

#include "core/types/known_parts.h"
#include "dimwise/graph_text.h"
#include "dimwise/result_macros.h"
#include "formats/atomic_file.h"
#include "formats/declared_names.h"
#include "formats/onnx/external_files.h"

namespace dimwise {
namespace {

ExternalData ExternalDataOf(const std::string& word) {
  if (word == "copy") return ExternalData::kCopy;
  if (word == "link") return ExternalData::kLink;
  return word == "keep" ? ExternalData::kKeep : ExternalData::kRelocate;
}

// Returns the inferred type of an output with the sizes of the declaration that stay, as the ONNX writer
// does.
Type WithDeclaredSizes(Graph& graph, Type inferred, const Type& declared, OutputSizes kept) {
  if (!IsRanked(declared) || declared.shape.rank() != inferred.shape.rank()) return inferred;
  std::vector<Dim> sizes;
  for (int axis = 0; axis < inferred.shape.rank(); ++axis) {
    const Dim found = inferred.shape[axis], claim = declared.shape[axis];
    const bool stays = !found.is_constant() && (kept == OutputSizes::kDeclared || claim.is_expression());
    sizes.push_back(stays ? claim : found);
  }
  inferred.shape = graph.analysis().shapes().Make(sizes);
  return inferred;
}

// Declares the inferred types of a text graph.
void DeclareInferred(Graph& graph, const ModelReport& report, OutputSizes sizes) {
  tsl::robin_set<uint32_t> outputs;
  for (uint32_t r = 0; r < graph.region_count() && sizes != OutputSizes::kInferred; ++r) {
    for (const ValueId output : graph.outputs(RegionId{r})) outputs.insert(Index(output));
  }
  const auto type_of = [&](ValueId value) { return report.type(value); };
  const DeclaredNames names(graph, type_of);
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    const Type type = names.Renamed(type_of(ValueId{v}));
    if (graph.role(ValueId{v}) != ValueRole::kResult || !type.is_tensor() || !IsRanked(type)) continue;
    graph.Declare(ValueId{v}, outputs.contains(v)
                                  ? WithDeclaredSizes(graph, type, graph.declared(ValueId{v}), sizes)
                                  : type);
  }
}

Status WriteOnnxCopy(const OnnxModel& model, const std::function<Type(ValueId)>& type_of, OutputSizes sizes,
                     ExternalFiles files, const std::string& target) {
  DIMWISE_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(target));
  const auto write = [&](std::string_view piece) { return file.Write(piece); };
  if (files.locations().empty()) {
    DIMWISE_RETURN_IF_ERROR(WriteOnnx(model, type_of, write, sizes));
  } else {
    // The weights of such a model are in other files, so its bytes fit into memory.
    std::string bytes;
    const auto append = [&](std::string_view piece) {
      bytes += piece;
      return Status();
    };
    DIMWISE_RETURN_IF_ERROR(WriteOnnx(model, type_of, append, sizes));
    DIMWISE_RETURN_IF_ERROR(WriteWithLocations(bytes, files.locations(), write));
  }
  DIMWISE_RETURN_IF_ERROR(files.Commit());
  return file.Commit();
}

}  // namespace

void AddOutputOptions(CLI::App& command, OutputOptions* options) {
  command
      .add_option(
          "--external-data", options->external_data,
          "copy, link or keep: what happens to files with weights if the model is written into another "
          "folder. Default: the model refers to them at their place, or is not written if ONNX forbids it")
      ->check(CLI::IsMember({"copy", "link", "keep"}))
      ->type_name("HOW");
  command.add_flag("--keep-declared", options->keep_declared,
                   "keep the declared sizes of outputs, except where the inferred size is a number");
}

Status WriteInferred(const InferredModel& model, const std::string& source, const std::string& target,
                     const OutputOptions& options, OutputSizes kept) {
  const ModelReport& report = *model.report;
  const OutputSizes sizes = options.keep_declared ? kept : OutputSizes::kInferred;
  if (model.file->text != nullptr) {
    DeclareInferred(*model.file->text, report, sizes);
    return AtomicFile::WriteWhole(target, ToString(*model.file->text));
  }
  const OnnxModel& onnx = *model.file->onnx;
  const std::string_view bytes(reinterpret_cast<const char*>(onnx.bytes.data()), onnx.bytes.size());
  DIMWISE_ASSIGN_OR_RETURN(
      ExternalFiles files,
      ExternalFiles::Prepare(bytes, source, target, ExternalDataOf(options.external_data)));
  return WriteOnnxCopy(
      onnx, [&](ValueId value) { return report.type(value); }, sizes, std::move(files), target);
}

}  // namespace dimwise
