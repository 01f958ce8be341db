// SPDX-License-Identifier: Apache-2.0
//
// The measured modules: synthetic ones of any size from 2 KB, and real ones outside the repository.
//
// A subject is a name and a function that creates its modules, called when it is measured. Synthetic
// modules depend only on their size, so results of two machines are for the same words. Real modules (VIREO_SHARED) are
// unpacked into the build folder on first use; if they are absent, their rows are omitted.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::bench {

/// Imitates a shader compiler: names, decorations, arithmetic on vectors, structured selections; 3.5 words per
/// instruction. At least `bytes` long, and not much longer.
spirv::WordBuffer shader_like(std::size_t bytes);

/// Imitates a kernel compiler: mangled names, few types, loads and stores with alignment, debug lines, switches.
spirv::WordBuffer kernel_like(std::size_t bytes);

/// `count` ids with the same OpName: reveals a quadratic assignment of friendly names.
spirv::WordBuffer equal_names(std::size_t count);

/// `count` additions in one block: the simplest module.
spirv::WordBuffer straight_line(std::size_t count);

struct Subject {
  std::string name;
  std::size_t bytes = 0;  ///< approximate size of all modules together
  std::function<std::vector<spirv::WordBuffer>()> modules;
};

/// The subjects, from small to large. `quick` omits those that take the peer more than a second or two.
struct SubjectChoice {
  bool quick = false;
};
std::vector<Subject> subjects(SubjectChoice choice);

/// The folder with the unpacked modules of `real`, `large` or `growth`. Empty if the archive is missing, which is
/// reported on standard error.
std::filesystem::path unpacked(std::string_view archive);

/// The *.spv files at any depth below a folder, by size.
std::vector<std::filesystem::path> modules_below(const std::filesystem::path& folder);

/// The file whose size is nearest to `bytes`. `files` must not be empty.
std::filesystem::path nearest(const std::vector<std::filesystem::path>& files, std::size_t bytes);

/// The words of a file in host byte order; empty if it is not a module.
spirv::WordBuffer words_of_file(const std::filesystem::path& path);

/// "2.0 KB", "47 MB".
std::string size_text(std::size_t bytes);

}  // namespace vireo::bench
