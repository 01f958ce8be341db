// SPDX-License-Identifier: Apache-2.0
//
// The peer: SPIRV-Tools' library, if Debian's package spirv-tools was installed when CMake ran.
//
// Only peer.cpp uses the library. The rest of bench/ calls a few plain functions, and can ask whether
// there is a peer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/word.h"

namespace vireo::bench {

/// How a text writes ids. Numbers are printed as they are and kept when the text is assembled.
enum class Ids { Named, Numbers };

}  // namespace vireo::bench

namespace vireo::bench::peer {

bool is_linked();

/// A result of the peer, in its own memory, which the destructor frees, so no copy is timed.
class Text {
 public:
  explicit Text(void* handle) : handle_(handle) {}
  ~Text();
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  [[nodiscard]] bool ok() const { return handle_ != nullptr; }
  [[nodiscard]] std::string_view view() const;

 private:
  void* handle_;
};

class Binary {
 public:
  explicit Binary(void* handle) : handle_(handle) {}
  ~Binary();
  Binary(const Binary&) = delete;
  Binary& operator=(const Binary&) = delete;
  [[nodiscard]] bool ok() const { return handle_ != nullptr; }
  [[nodiscard]] spirv::Words words() const;

 private:
  void* handle_;
};

/// With header comments and indentation, as its program prints by default.
Text disassemble(spirv::Words words, Ids ids);
Binary assemble(std::string_view text, Ids ids);

/// The number of operands that the peer's parser reports, result and type included; 0 after a fault.
std::size_t count_operands(spirv::Words words);

/// Specializes with the passes that set default values, freeze and fold constants, remove dead branches and dead code;
/// empty after a fault.
std::vector<std::uint32_t> specialize(spirv::Words words, std::span<const spirv::Specialization> values);

/// Whether the peer's validator accepts the module, by the universal rules.
bool is_valid(spirv::Words words);

/// Builds the optimizer's module with its use lists, runs no pass, and writes the module: the fixed cost of any pass.
/// Without validation. Returns the number of words written; 0 after a fault.
std::size_t rebuilt_size(spirv::Words words);

}  // namespace vireo::bench::peer
