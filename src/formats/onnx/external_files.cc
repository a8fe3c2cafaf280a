#include "formats/onnx/external_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "core/base/failure.h"
#include "dimwise/result_macros.h"
#include "formats/mapped_file.h"

namespace dimwise {
namespace {

namespace fs = std::filesystem;

// Returns the folder of a file as an absolute path without symbolic links.
fs::path RealFolderOf(const fs::path& file) {
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const fs::path real = fs::weakly_canonical(fs::absolute(folder, error), error);
  return error ? folder.lexically_normal() : real;
}

// Returns whether the location leaves the folder of the model.
bool Leaves(const fs::path& location) {
  return location.is_absolute() || location.empty() || *location.begin() == "..";
}

bool SameFile(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

Result<bool> SameContents(const std::string& a, const std::string& b) {
  DIMWISE_ASSIGN_OR_RETURN(const MappedFile left, MappedFile::Open(a));
  DIMWISE_ASSIGN_OR_RETURN(const MappedFile right, MappedFile::Open(b));
  return std::ranges::equal(left.bytes(), right.bytes());
}

Status LinkFile(const std::string& from, const std::string& to) {
  if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0) return {};
  if (errno == EEXIST && SameFile(from, to)) return {};
  return Failure(Code::kUnreadableFile,
                 fmt::format("cannot link '{}' to '{}': {}", to, from, std::strerror(errno)),
                 "--external-data copy copies the file");
}

}  // namespace

class ExternalFilesMaker {
 public:
  ExternalFilesMaker(const std::string& source, const std::string& target, ExternalData how)
      : source_(source), target_(target), from_(RealFolderOf(source)), to_(RealFolderOf(target)), how_(how) {}

  Result<ExternalFiles> Make(std::string_view model) && {
    std::error_code error;
    const fs::file_status target = fs::status(target_, error);
    const bool to_stream =
        target_ == "-" || (fs::exists(target) && !fs::is_regular_file(target) && !fs::is_directory(target));
    if (how_ == ExternalData::kKeep) return std::move(files_);
    const bool duplicates = how_ == ExternalData::kCopy || how_ == ExternalData::kLink;
    if (to_stream && !duplicates) return std::move(files_);
    if (source_ != "-" && from_ == to_) return std::move(files_);
    for (const std::string& location : ExternalLocations(model)) {
      if (location.starts_with('*')) continue;  // onnxruntime: an address in memory
      if (to_stream || source_ == "-") {
        DIMWISE_RETURN_IF_ERROR(CheckStream(location, to_stream));
      } else if (duplicates) {
        DIMWISE_RETURN_IF_ERROR(Duplicate(location));
      } else {
        DIMWISE_RETURN_IF_ERROR(Relocate(location));
      }
    }
    return std::move(files_);
  }

 private:
  // Returns an error unless the model will find its data although one of its folders is unknown.
  Status CheckStream(const std::string& location, bool to_stream) const {
    std::error_code error;
    if (!to_stream && fs::exists(to_ / location, error)) return {};
    const std::string_view stream = to_stream ? "output" : "input";
    return Failure(
        Code::kNotSupported,
        fmt::format("the model has external data '{}', and standard {} has no folder", location, stream),
        fmt::format("use a file for the {}, or --external-data keep", stream));
  }

  Status Relocate(const std::string& location) {
    if (fs::path(location).is_absolute() || SameFile(from_ / location, to_ / location)) return {};
    const fs::path data = from_ / location;
    const fs::path moved = (RealFolderOf(data) / data.filename()).lexically_relative(to_);
    if (!Leaves(moved)) {
      if (moved != location) files_.locations_[location] = moved.string();
      return {};
    }
    const fs::path folder = fs::path(source_).parent_path();
    return Failure(Code::kNotSupported,
                   fmt::format("'{}' would not find its external data '{}', which is in the folder '{}'",
                               target_, location, folder.empty() ? "." : folder.string()),
                   "write the model into that folder, or use --external-data copy or link; keep leaves the "
                   "locations unchanged");
  }

  Status Duplicate(const std::string& location) {
    const fs::path data = (from_ / location).lexically_normal();
    fs::path moved = fs::path(location).lexically_normal();
    if (Leaves(moved)) {
      moved = data.filename();
      files_.locations_[location] = moved.string();
    }
    const std::string shown = (fs::path(target_).parent_path() / moved).string();
    const auto [it, added] = sources_.insert({moved.string(), data.string()});
    if (!added && it->second != data.string()) return Occupied(shown, "another data file of the model");
    if (!added || SameFile(data, to_ / moved)) return {};
    DIMWISE_ASSIGN_OR_RETURN(const MappedFile contents, MappedFile::Open(data.string()));
    std::error_code error;
    if (fs::exists(to_ / moved, error)) {
      DIMWISE_ASSIGN_OR_RETURN(const bool same, SameContents(data.string(), (to_ / moved).string()));
      return same ? Status() : Occupied(shown, "a file with other contents");
    }
    // The folder of the model itself is not created: a model cannot be written into a missing folder.
    if (fs::is_directory(to_, error)) fs::create_directories((to_ / moved).parent_path(), error);
    if (how_ == ExternalData::kLink) {
      files_.links_.push_back({data.string(), shown});
      return {};
    }
    DIMWISE_ASSIGN_OR_RETURN(AtomicFile copy, AtomicFile::Create(shown));
    DIMWISE_RETURN_IF_ERROR(
        copy.Write({reinterpret_cast<const char*>(contents.bytes().data()), contents.bytes().size()}));
    files_.copies_.push_back(std::move(copy));
    return {};
  }

  static Status Occupied(const std::string& path, std::string_view what) {
    return Failure(Code::kNotSupported,
                   fmt::format("the external data cannot be '{}': there is {}", path, what),
                   "remove that file, or write the model into another folder");
  }

  const std::string& source_;
  const std::string& target_;
  const fs::path from_, to_;
  const ExternalData how_;
  ExternalFiles files_;
  std::map<std::string, std::string> sources_;  // by location in the new folder
};

Result<ExternalFiles> ExternalFiles::Prepare(std::string_view model, const std::string& source,
                                             const std::string& target, ExternalData how) {
  return ExternalFilesMaker(source, target, how).Make(model);
}

Status ExternalFiles::Commit() {
  for (AtomicFile& copy : copies_) DIMWISE_RETURN_IF_ERROR(copy.Commit());
  for (const auto& [from, to] : links_) DIMWISE_RETURN_IF_ERROR(LinkFile(from, to));
  return {};
}

}  // namespace dimwise
