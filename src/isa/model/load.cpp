// SPDX-License-Identifier: Apache-2.0
//
// Loads files into a model: reads imports and runs the stages in order.
//
// The imports of a file are read completely before its declarations. A path is relative to the importing
// file, or else to the folder of the top file. A file that is imported twice is read once; a file imported while it is
// being read is a cycle.
//
// Later stages process all files as one table, so declarations may be in any order and file. The reading order
// determines only the order of rows, and so of leaves and enum values. All stages run despite earlier faults, so that
// all faults are reported at once, unless a file could not be read. Time is linear in the bytes of all files, which are
// limited.
#include "vireo/isa/load.h"
#include "support/printable.h"

#include <algorithm>

#include "isa/model/model_builder.h"
#include "support/io.h"

namespace vireo::isa {
namespace {

// Paths are plain strings, because the user may supply the file reader.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

// Removes `.` and `..` lexically, so that two spellings of a path are one file. Symbolic links are not resolved,
// because a user's file reader may have no file system.
std::string normalized(std::string_view path) {
  std::vector<std::string_view> parts;
  const bool is_absolute = path.starts_with('/');
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") parts.pop_back();
    else parts.push_back(part);
  }
  std::string result = is_absolute ? "/" : "";
  for (const std::string_view part : parts) result.append(result.empty() || result == "/" ? "" : "/").append(part);
  return result;
}

class Loader {
 public:
  explicit Loader(const LoadOptions& options) : options_(options), draft_(result_.files, options.mesa_compat) {}

  LoadedModel run(std::string name, std::string text) {
    top_folder_ = folder_of(name);
    // `files` is a deque, so references to files stay valid while imports are added.
    const FileId file = add(std::move(name), std::move(text));
    read(file);
    // Declarations of an imported file precede those of the importer in every table, as in Mesa.
    for (const FileId id : order_) read_declarations(draft_, id, *documents_[id.index()]);
    // Each stage depends only on the previous one: rows, references, displays, checks. If a file is incomplete, the
    // stages are skipped, because every reference into it would be reported.
    if (is_whole_) {
      resolve(draft_);
      resolve_displays(draft_);
      std::shared_ptr<ModelTexts> texts = draft_.texts;
      result_.model = Model(std::move(draft_.rows), std::move(texts));
      validate(draft_, result_.model);
      validate_assembly(draft_, result_.model);
    }
    for (SourceFile& source : result_.files) source.diagnostics.sort_by_place();
    // Later components rely on a sound model and reject any other.
    if (result_.ok()) result_.model.set_sound();
    return std::move(result_);
  }

 private:
  FileId add(std::string name, std::string text) {
    total_bytes_ += text.size();
    result_.files.push_back({std::move(name), std::move(text), Diagnostics()});
    documents_.push_back(nullptr);
    return FileId(result_.files.size() - 1);
  }

  // Parses a file and reads its imports. The depth of imports, and of this recursion, is limited. Elements are kept,
  // because rows refer to their texts.
  void read(FileId file) {
    SourceFile& source = result_.files[file.index()];
    // The limit is for all files together, because imports multiply input.
    if (total_bytes_ > max_source_bytes) {
      source.diagnostics.error(rule::limit_exceeded, Location::none(),
                               "the description and its imports exceed " + std::to_string(max_source_bytes) + " bytes");
      source.text.clear();
    }
    // `open_` contains the files from the top file to this one. An import of one of them is a cycle.
    open_.push_back(normalized(source.name));
    const XmlElements& document = draft_.texts->documents.emplace_back(
        source.text.empty() && source.diagnostics.has_errors() ? XmlElements()
                                                               : read_xml(source.text, source.diagnostics));
    documents_[file.index()] = &document;
    is_whole_ = is_whole_ && document.is_whole;
    if (!document.elements.empty()) {
      for (std::uint32_t i = document.elements.front().first_child; i != no_element; i = document.elements[i].next) {
        if (document.elements[i].name == "import") read_import(file, document, document.elements[i]);
      }
    }
    known_.push_back(std::move(open_.back()));
    open_.pop_back();
    order_.push_back(file);
  }

  void read_import(FileId importer, const XmlElements& document, const XmlElement& element) {
    const XmlAttribute* path = nullptr;
    for (std::uint32_t i = 0; i < element.attribute_count; ++i) {
      const XmlAttribute& attribute = document.attributes[element.first_attribute + i];
      if (attribute.name == "file") path = &attribute;
      else
        draft_.warning(rule::unknown_attribute, {importer, attribute.begin, attribute.end},
                       "attribute " + quoted(attribute.name) + " is not allowed in 'import'");
    }
    // Reported here only: imports are read before an ElementReader exists for the file.
    if (path == nullptr) {
      draft_.error(rule::missing_attribute, {importer, element.begin, element.end},
                   "'import' requires attribute 'file'");
      return;
    }
    const Place where{importer, path->begin, path->end};
    const std::string wanted(path->value);
    const bool is_absolute = wanted.starts_with('/');
    // Search the importer's folder first, as authors expect, and then that of the top file, the only one that Mesa
    // searches.
    std::vector<std::string> candidates{is_absolute ? wanted
                                                    : folder_of(result_.files[importer.index()].name) + wanted};
    if (!is_absolute && candidates.front() != top_folder_ + wanted) candidates.push_back(top_folder_ + wanted);
    for (const std::string& candidate : candidates) {
      const std::string key = normalized(candidate);
      // Mesa's loader recurses forever here. At most max_source_files names are compared.
      if (std::find(open_.begin(), open_.end(), key) != open_.end()) {
        draft_.error(rule::import_cycle, where, quoted(wanted) + " imports itself");
        return;
      }
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) {
        draft_.warning(rule::imported_twice, where, quoted(wanted) + " is already imported; it is read only once");
        return;
      }
      if (open_.size() >= max_element_depth || result_.files.size() >= max_source_files) {
        is_whole_ = false;
        draft_.error(rule::limit_exceeded, where,
                     "the imports exceed " + std::to_string(max_source_files) + " files or the maximum nesting depth");
        return;
      }
      if (std::optional<std::string> text = open(candidate)) {
        read(add(candidate, std::move(*text)));
        return;
      }
    }
    is_whole_ = false;
    draft_.error(rule::cannot_import, where, "cannot read " + quoted(candidates.front()));
  }

  std::optional<std::string> open(const std::string& path) {
    // With a user's reader, the loader does not access the file system.
    if (options_.read) return options_.read(path);
    // The fault is ignored, because the file may be found at the second path. If it is not, the import is reported.
    Diagnostics ignored;
    // An import is a regular file: a device or a pipe could be endless. One byte more than allowed shows that a file is
    // too long.
    const Result<FileBytes> bytes = read_file(path, ignored, {max_source_bytes + 1, true});
    if (!bytes) return std::nullopt;
    return std::string(bytes->text());
  }

  const LoadOptions& options_;
  LoadedModel result_;
  ModelBuilder draft_;
  std::string top_folder_;
  std::size_t total_bytes_ = 0;
  bool is_whole_ = true;                       // all files were found and read completely
  std::vector<const XmlElements*> documents_;  // by file
  std::vector<FileId> order_;                  // imports before importers
  std::vector<std::string> open_;              // files being read, outermost first
  std::vector<std::string> known_;             // files that were read
};

}  // namespace

bool LoadedModel::ok() const { return error_count() == 0; }

std::size_t LoadedModel::error_count() const {
  std::size_t count = 0;
  for (const SourceFile& file : files) count += file.diagnostics.error_count();
  return count;
}

LoadedModel load_model(const std::string& path, const LoadOptions& options) {
  std::string text;
  if (options.read) {
    if (std::optional<std::string> found = options.read(path)) return load_model_text(path, std::move(*found), options);
    LoadedModel failed;
    failed.files.push_back({path, {}, Diagnostics()});
    failed.files.back().diagnostics.error(vireo::rule::cannot_read, Location::none(), "cannot read '" + path + "'");
    return failed;
  }
  LoadedModel failed;
  failed.files.push_back({path, {}, Diagnostics()});
  // The main file may be a pipe. One byte more than allowed shows that it is too long.
  const Result<FileBytes> bytes = read_file(path, failed.files.back().diagnostics, {max_source_bytes + 1, false});
  if (!bytes) return failed;
  return load_model_text(path, std::string(bytes->text()), options);
}

LoadedModel load_model_text(std::string name, std::string text, const LoadOptions& options) {
  return Loader(options).run(std::move(name), std::move(text));
}

}  // namespace vireo::isa
