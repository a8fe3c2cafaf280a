// Keeps the external data of a model reachable when the model is written into another folder.
//
// ONNX resolves a location relative to the folder of the model. Runtimes reject absolute paths and paths that
// leave this folder. A data file below the new folder thus gets a new location. Any other data file has to be
// copied or linked into the new folder.
#ifndef DIMWISE_FORMATS_ONNX_EXTERNAL_FILES_H_
#define DIMWISE_FORMATS_ONNX_EXTERNAL_FILES_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/atomic_file.h"
#include "formats/onnx/external_data.h"

namespace dimwise {

enum class ExternalData {
  kRelocate,  // changes locations; an error if a data file is not below the folder of the new model
  kCopy,      // copies the data files beside the new model
  kLink,      // creates hard links to the data files beside the new model
  kKeep,      // changes nothing, even if the new model does not find its data
};

class ExternalFiles {
 public:
  // Compares the folders of the model file `source` and the model file `target`, and writes copies under
  // temporary names. A standard stream, `-`, has no folder: its references are neither checked nor changed,
  // except that a model read from a stream must find its data at `target`.
  static Result<ExternalFiles> Prepare(std::string_view model, const std::string& source,
                                       const std::string& target, ExternalData how);

  // The locations that the new model needs instead of the old ones. Empty if none changes.
  const NewLocations& locations() const { return locations_; }

  // Gives the copies and links their names. An existing file is never replaced.
  Status Commit();

 private:
  std::vector<AtomicFile> copies_;
  std::vector<std::pair<std::string, std::string>> links_;  // from, to
  NewLocations locations_;

  friend class ExternalFilesMaker;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_EXTERNAL_FILES_H_
