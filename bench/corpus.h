// SPDX-License-Identifier: Apache-2.0
//
// What is measured: modules made here, from 2 KB to whatever is asked for, and the real ones that may lie outside.
//
// The one idea: a subject is a name and some modules, and is made when it is measured. The made ones depend on nothing
// but their size, so that figures of two machines speak of the same words; the real ones (VIREO_SHARED) are unpacked
// into the build folder on first use, and their absence leaves rows out, never the run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::bench {

/// In the manner of a shader compiler: names, decorations, arithmetic on vectors, structured selections; 3.5 words an
/// instruction. At least `bytes` long, and not much longer.
spirv::WordBuffer shader_like(std::size_t bytes);

/// In the manner of a kernel compiler: mangled names, few types, loads and stores with alignment, lines of debug
/// information, switches.
spirv::WordBuffer kernel_like(std::size_t bytes);

/// `count` ids that all ask for one name: if anything makes the naming of ids quadratic, this does.
spirv::WordBuffer equal_names(std::size_t count);

/// `count` additions in one block: the plainest module there is.
spirv::WordBuffer straight_line(std::size_t count);

struct Subject {
  std::string name;
  std::size_t bytes = 0;  ///< of all modules together, near enough to plan by
  std::function<std::vector<spirv::WordBuffer>()> modules;
};

/// From small to large. `quick` leaves out what takes the peer more than a second or two.
struct SubjectChoice {
  bool quick = false;
};
std::vector<Subject> subjects(SubjectChoice choice);

/// A folder with the unpacked modules of `real`, `large` or `growth`; empty, after a message on standard error, when
/// the archive is not there.
std::filesystem::path unpacked(std::string_view archive);

/// The *.spv files at any depth below a folder, by size.
std::vector<std::filesystem::path> modules_below(const std::filesystem::path& folder);

/// The file whose size is nearest to `bytes`. There must be one.
std::filesystem::path nearest(const std::vector<std::filesystem::path>& files, std::size_t bytes);

/// The words of a file in host byte order; empty when it is no module.
spirv::WordBuffer words_of_file(const std::filesystem::path& path);

/// "2.0 KB", "47 MB".
std::string size_text(std::size_t bytes);

}  // namespace vireo::bench
