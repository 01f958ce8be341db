// SPDX-License-Identifier: Apache-2.0
//
// Reads directories and lists (inputs.h) without recursion: a tree of any depth needs one vector of names.
#include "cli/common/inputs.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <unordered_map>

#include "cli/common/shared_options.h"
#include "support/printable.h"
#include "support/utf8.h"
#include "vireo/spirv/binary/reader.h"

namespace vireo::cli {
namespace {

using Extensions = std::span<const std::string_view>;

// The files below a directory with one of the extensions, sorted by their bytes, and the directories that could not be
// opened.
struct FoundFiles {
  std::vector<std::string> files;
  std::vector<Input> unread;
};

FoundFiles files_below(std::string_view top, Extensions extensions) {
  const auto is_wanted = [&](std::string_view name) {
    return std::any_of(extensions.begin(), extensions.end(), [&](auto extension) { return name.ends_with(extension); });
  };
  auto [files, unread] = FoundFiles();
  std::vector<std::string> folders{std::string(top)};
  if (folders.back().back() != '/') folders.back() += '/';
  while (!folders.empty()) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    DIR* directory = ::opendir(folder.c_str());
    if (directory == nullptr) {
      unread.push_back({folder, 0, {}, "cannot open '" + folder + "': " + describe_error(errno)});
      continue;
    }
    while (const dirent* entry = ::readdir(directory)) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      const std::string path = folder + std::string(name);
      // Links to folders are not followed: a link to a parent would make the tree infinite. Links to files are read.
      struct stat status {};
      if (::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
        folders.push_back(path + '/');
      } else if (is_wanted(name) && !is_directory(path)) {
        files.push_back(path);
      }
    }
    ::closedir(directory);
  }
  // The order of readdir() depends on the file system; the result must be the same on every machine.
  std::sort(files.begin(), files.end());
  std::ranges::sort(unread, {}, &Input::path);
  return {std::move(files), std::move(unread)};
}

std::string_view output_stem(const Input& input) { return input.is_standard_input() ? "stdin" : stem_of(input.path); }

// ".spv" for the file a/b/c.spv
std::string_view extension_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.substr(stem_of(path).size());
}

// "a/b/" for the file a/b/c.spv below the operand directory.
std::string_view folder_below_root(const Input& input) {
  const std::string_view below = std::string_view(input.path).substr(input.root);
  return below.substr(0, below.rfind('/') + 1);
}

// Expands operands in order, without duplicates; a folder or list is replaced by its contents.
struct Expansion {
  Extensions extensions;
  int standard_in;
  std::vector<RepeatedInput>* repeated;  // null: only equal names are one input
  std::vector<Input> inputs{};
  std::unordered_map<std::string, std::string> seen{};  // the first name

  void add(std::string path, std::size_t root) {
    // If the inputs are converted one by one, `a.spv ./a.spv` only costs time.
    const auto [first, is_new] = seen.try_emplace(repeated == nullptr ? path : file_identity(path), path);
    if (is_new) inputs.push_back({std::move(path), root, {}, {}});
    else if (repeated != nullptr) repeated->push_back({first->second, std::move(path)});
  }

  void refuse(std::string_view operand, std::string problem) {
    inputs.push_back({std::string(operand), 0, {}, std::move(problem)});
  }

  void add_operand(std::string_view operand) {
    const std::string path(operand);
    if (operand == standard_input || !is_directory(path)) return add(path, 0);
    auto [files, unread] = files_below(operand, extensions);
    // An empty folder is an error, because a wrong path is the likely cause.
    if (files.empty() && unread.empty()) {
      std::string wanted;
      for (const std::string_view extension : extensions)
        wanted.append(wanted.empty() ? "*" : " or *").append(extension);
      refuse(operand, "no " + wanted + " file below '" + path + '\'');
    }
    const std::size_t root = path.size() + (path.back() == '/' ? 0 : 1);
    for (std::string& file : files) add(std::move(file), root);
    std::ranges::move(unread, std::back_inserter(inputs));
  }

  void add_list(std::string_view operand) {
    const std::string_view name = operand.substr(1);
    Diagnostics diagnostics;
    const Result<FileBytes> bytes =
        name == standard_input ? read_descriptor(standard_in, "<stdin>", diagnostics) : read_file(name, diagnostics);
    if (!bytes) return refuse(operand, diagnostics.all().front().message);
    for (std::string_view rest = bytes->text().substr(mark_size(bytes->text())); !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      // Lists written on Windows have CR LF. A name that ends in a carriage return can be passed as an argument.
      if (line.ends_with('\r')) line.remove_suffix(1);
      // The system would cut such a name at the NUL and open another file.
      if (line.find('\0') != std::string_view::npos) {
        return refuse(operand, quoted(name) + " contains a NUL; expected one name per line");
      }
      if (!line.empty()) add_operand(line);
    }
  }
};

}  // namespace

std::string twice_from_standard_input(const Invocation& invocation) {
  std::string_view reader;
  std::string problem;
  const auto read = [&](const Option& option) {
    for (const std::string_view file : invocation.options.values(option)) {
      if (file != standard_input) continue;
      if (!reader.empty() && problem.empty()) {
        problem.append("standard input is ")
            .append(reader)
            .append("; expected a file as ")
            .append(option.traits.file_purpose);
      }
      reader = option.traits.file_purpose;
    }
  };
  read(grammar_option);  // it is read first
  for (const Option* option : invocation.command.options) {
    if (!option->traits.file_purpose.empty() && option != &grammar_option) read(*option);
  }
  if (!problem.empty()) return problem;
  for (const Option* option : invocation.command.options) {
    if (option->traits.replaces_inputs && invocation.options.has(*option)) return {};
  }
  if (reader.empty() || !invocation.command.traits.words.empty()) return {};  // operands are names, not inputs
  const std::vector<std::string>& operands = invocation.operands();
  const bool is_input = operands.empty() || std::ranges::any_of(operands, [](const std::string& operand) {
                          return operand == standard_input || operand == "@-";
                        });
  return is_input ? std::string("standard input is ").append(reader).append("; expected files as inputs")
                  : std::string();
}

Result<FileBytes> read_bytes(const Streams& streams, const Input& input, Diagnostics& diagnostics) {
  if (!input.problem.empty()) return diagnostics.error(rule::cannot_read, Location::none(), input.problem);
  if (!input.is_standard_input()) return read_file(input.path, diagnostics);
  say_that_it_reads(streams);
  return read_descriptor(streams.in, input.name(), diagnostics);
}

// A command that waits for input without a word looks like one that hangs.
void say_that_it_reads(const Streams& streams) {
  if (::isatty(streams.in) != 0)
    DescriptorSink(streams.err).write("vireo: reading standard input; Ctrl-D ends it, 'vireo --help' prints help\n");
}

// A file is mapped or read as a whole: views of its lines are valid as long as the bytes.
std::optional<FileBytes> read_input(const Invocation& invocation, std::string_view path, Reporter& reporter) {
  Diagnostics diagnostics(reporter.limit());
  Result<FileBytes> bytes = read_bytes(invocation.streams, {.path = std::string(path)}, diagnostics);
  reporter.add({name_of_input(path), {}}, diagnostics);
  if (!bytes) return std::nullopt;
  return std::move(bytes).value();
}

std::string_view stem_of(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);  // npos + 1 = 0
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? path : path.substr(0, dot);
}

std::string RepeatedInput::text() const {
  return first == again ? quoted(again) + " is given twice" : quoted(again) + " is the same file as " + quoted(first);
}

std::string file_identity(const std::string& path) {
  char* resolved = path == standard_input ? nullptr : ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string identity = resolved;
  std::free(resolved);  // NOLINT(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory): realpath() allocates it
  return identity;
}

bool is_directory(const std::string& path) {
  struct stat status {};
  // If stat() fails, the path is treated as a file: opening it then reports the error once.
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::vector<Input> expand_inputs(std::span<const std::string> operands, std::span<const std::string_view> extensions,
                                 int standard_in, std::vector<RepeatedInput>* repeated) {
  Expansion expansion{extensions, standard_in, repeated};
  if (operands.empty()) expansion.add(std::string(standard_input), 0);
  for (const std::string_view operand : operands) {
    if (operand.starts_with('@')) expansion.add_list(operand);
    else expansion.add_operand(operand);
  }
  return std::move(expansion.inputs);
}

// Names are computed before anything is written: if two inputs would overwrite each other, the call is wrong, not the
// second input.
std::string plan_outputs(std::span<Input> inputs, std::string_view folder, std::string_view extension) {
  std::unordered_map<std::string, const Input*> writers;
  for (Input& input : inputs) {
    if (!input.problem.empty()) continue;
    input.output = folder;
    if (!input.output.ends_with('/')) input.output += '/';
    // Always, so that a new input does not move the outputs of others.
    if (input.root != 0) input.output += folder_below_root(input);
    input.output.append(output_stem(input)).append(extension.empty() ? extension_of(input.path) : extension);
    const auto [other, is_first] = writers.emplace(input.output, &input);
    if (is_first) continue;
    return "'" + other->second->path + "' and '" + input.path + "' would both be written to '" + input.output + "'";
  }
  return {};
}

// A guess from the first bytes. A byte order mark proves text: assembly or hexadecimal.
bool looks_like_assembly(std::string_view bytes) {
  constexpr std::size_t probed = 256;
  constexpr std::string_view blanks = " \t\r\n";
  if (mark_size(bytes) != 0) return !spirv::looks_like_hex_text(bytes);
  const std::string_view head = bytes.substr(0, probed);
  // Words contain zero bytes, texts do not.
  if (head.find('\0') != std::string_view::npos) return false;
  const std::string_view text = head.substr(std::min(head.find_first_not_of(blanks), head.size()));
  if (text.starts_with(';') || text.starts_with('%')) return true;
  return text.size() > 2 && text.starts_with("Op") && text[2] >= 'A' && text[2] <= 'Z';
}

}  // namespace vireo::cli
