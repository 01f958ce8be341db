// SPDX-License-Identifier: Apache-2.0
//
// Files → model: the order of the stages, and imports.
//
// The one idea: a file's imports are read completely before anything of the file itself. A path is relative to the file
// that says it, or else to the folder of the top file; a file that is named twice is read once; a file that is named
// while it is being read is a cycle.
//
// isaspec 1.1. Later stages see all files as one table of rows, so declarations may stand in any order and in any file;
// only the order of rows, which leaves and values keep, comes from the order of reading. All stages run whatever the
// earlier ones found, unless a file could not be read: a reader gets every fault at once, and each once. Time is linear
// in the bytes read, which are bounded for all files together.
#include "vireo/isa/load.h"
#include "support/printable.h"

#include <algorithm>

#include "isa/model/draft.h"
#include "support/io.h"

namespace vireo::isa {
namespace {

// Paths are taken as texts: the reader of files may be the user's own, for an archive or a test.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

// Without `.` and `..` where that can be told from the text: two spellings of one file are one file.
// Links are not followed: whether two paths are one file is then a question for the file system, and a reader of the
// caller's own has none.
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
    // A deque keeps files where they are while imports add to it; rows and diagnostics refer to them by number.
    const FileId file = add(std::move(name), std::move(text));
    read(file);
    // Imports were read first, as there: bitsets of an imported file come before those of the importer in every table.
    for (const FileId id : order_) read_declarations(draft_, id, *documents_[id.index()]);
    // Each stage needs the one before it and nothing behind it: rows, references between rows, displays; then checks
    // that may trust all references.
    // Where something could not be read, whatever refers to it would be a fault as well: one slip makes one report.
    if (is_whole_) {
      resolve(draft_);
      resolve_displays(draft_);
      std::shared_ptr<ModelTexts> texts = draft_.texts;
      result_.model = Model(std::move(draft_.rows), std::move(texts));
      validate(draft_, result_.model);
      validate_assembly(draft_, result_.model);
    }
    for (SourceFile& source : result_.files) source.diagnostics.sort_by_place();
    // The last word: rooms below trust a sound model blindly, and refuse any other.
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

  // Parses a file, then reads what it imports. The recursion is as deep as imports are nested, which is bounded.
  // Elements are kept after reading: rows point into their texts, which spares a copy of every name and display.
  void read(FileId file) {
    SourceFile& source = result_.files[file.index()];
    // Of all files together, since imports could otherwise multiply what one file may say.
    if (total_bytes_ > max_source_bytes) {
      source.diagnostics.error(rule::limit_exceeded, Location::none(),
                               "more than " + std::to_string(max_source_bytes) + " bytes of XML");
      source.text.clear();
    }
    // The way from the top file to this one: a file that meets its own name here imports itself.
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
                       "attribute " + quoted(attribute.name) + " has no meaning in 'import'");
    }
    // An import without a file is reported here and nowhere else: declarations do not look at imports again.
    // Unlike other elements, imports are read before the declarations of their file, with no ElementReader at hand.
    if (path == nullptr) {
      draft_.error(rule::missing_attribute, {importer, element.begin, element.end},
                   "expected attribute 'file' of 'import'");
      return;
    }
    const Place where{importer, path->begin, path->end};
    const std::string wanted(path->value);
    const bool is_absolute = wanted.starts_with('/');
    // Mesa looks beside the top file only, also for what an imported file imports. Beside the importer is what its
    // author means; the folder of the top file is the second try, so both kinds of trees are read.
    std::vector<std::string> candidates{is_absolute ? wanted
                                                    : folder_of(result_.files[importer.index()].name) + wanted};
    if (!is_absolute && candidates.front() != top_folder_ + wanted) candidates.push_back(top_folder_ + wanted);
    for (const std::string& candidate : candidates) {
      const std::string key = normalized(candidate);
      // Mesa recurses without an end here. At most max_source_files names are compared.
      if (std::find(open_.begin(), open_.end(), key) != open_.end()) {
        draft_.error(rule::import_cycle, where, quoted(wanted) + " imports itself");
        return;
      }
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) {
        draft_.warning(rule::imported_twice, where, quoted(wanted) + " was imported before; it is read once");
        return;
      }
      if (open_.size() >= max_element_depth || result_.files.size() >= max_source_files) {
        is_whole_ = false;
        draft_.error(rule::limit_exceeded, where,
                     "more than " + std::to_string(max_source_files) + " files, or imports nested too deeply");
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
    // The caller's own reader, for archives and tests; none of its names is taken for a file of ours.
    if (options_.read) return options_.read(path);
    // A file that is not there may be found at the second place. What is reported in the end is the import.
    Diagnostics ignored;
    const Result<FileBytes> bytes = read_file(path, ignored);
    if (!bytes) return std::nullopt;
    return std::string(bytes->text().substr(0, max_source_bytes + 1));
  }

  const LoadOptions& options_;
  LoadedModel result_;
  Draft draft_;
  std::string top_folder_;
  std::size_t total_bytes_ = 0;
  bool is_whole_ = true;                       // all files were there and could be read to their ends
  std::vector<const XmlElements*> documents_;  // by file
  std::vector<FileId> order_;                  // in which declarations count: imports before importers
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
  const Result<FileBytes> bytes = read_file(path, failed.files.back().diagnostics);
  if (!bytes) return failed;
  // One byte more than is allowed: enough to see that there are too many.
  return load_model_text(path, std::string(bytes->text().substr(0, max_source_bytes + 1)), options);
}

LoadedModel load_model_text(std::string name, std::string text, const LoadOptions& options) {
  return Loader(options).run(std::move(name), std::move(text));
}

}  // namespace vireo::isa
