// Converts a patch of a graph to edits of its ONNX file.
#ifndef DIMWISE_FORMATS_ONNX_PATCH_WRITER_H_
#define DIMWISE_FORMATS_ONNX_PATCH_WRITER_H_

#include "formats/onnx/onnx_editor.h"
#include "formats/onnx/onnx_patch.h"

namespace dimwise {

// REQUIRES: the patch was made for the graph of `model`.
OnnxEdits WritePatch(const OnnxModel& model, const Patch& patch);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_PATCH_WRITER_H_
