// SPDX-License-Identifier: Apache-2.0
//
// The door for modules: bytes of a file → words in host byte order, and the header.
//
// The one idea: after this door the byte order is settled and the size is a whole number of words; nothing else is
// promised, and nothing was copied unless the file's bytes were swapped, unaligned or hexadecimal text. The host has to be
// little-endian, which is checked when the library is compiled.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The words of a module in host order: borrowed from the bytes where possible, owned otherwise. Movable; words() stays
/// valid while the object (moved or not) and, if borrowed, the bytes live.
class VIREO_API ModuleWords {
 public:
  ModuleWords(Words borrowed, ByteOrder order) : view_(borrowed), order_(order) {}
  ModuleWords(WordBuffer owned, ByteOrder order) : buffer_(std::move(owned)), view_(buffer_), order_(order) {}
  ModuleWords(ModuleWords&&) noexcept = default;  // a moved vector keeps its storage, so view_ stays true
  ModuleWords& operator=(ModuleWords&&) noexcept = default;
  ModuleWords(const ModuleWords&) = delete;
  ModuleWords& operator=(const ModuleWords&) = delete;

  [[nodiscard]] Words words() const& { return view_; }
  void words() const&& = delete;                                 // the words would be gone with the object
  [[nodiscard]] ByteOrder byte_order() const { return order_; }  ///< of the file
  [[nodiscard]] bool is_borrowed() const { return buffer_.empty(); }

 private:
  WordBuffer buffer_;
  Words view_;
  ByteOrder order_;
};

/// Whether the bytes begin like a module: the magic number in either byte order.
VIREO_API bool looks_like_module(std::string_view bytes);

/// Whether the bytes begin like hexadecimal text.
VIREO_API bool looks_like_hex_text(std::string_view bytes);

/// Reads a module: binary in either byte order, or hexadecimal text: `0x07230203 0x10000 …` (words), `0x3 0x02 0x23 …`
/// (bytes) or `03022307 …` (pairs of digits). `bytes` must outlive the result.
/// Errors: nothing there, a size that is no multiple of four, malformed hexadecimal text. Whether the first word is the
/// magic number is for read_header() to say.
VIREO_API Result<ModuleWords> read_module_words(std::string_view bytes, Diagnostics& diagnostics);
template <typename Text>
requires std::is_same_v<Text, std::string>
void read_module_words(const Text&& temporary, Diagnostics& diagnostics) = delete;

/// The same for showing broken modules as far as they go: when the bytes end within a word, that is reported, but the
/// whole words are given all the same, if the header is among them.
VIREO_API Result<ModuleWords> read_whole_words(std::string_view bytes, Diagnostics& diagnostics);

/// Reads the header of a module in host byte order.
/// Errors: fewer than five words, a wrong magic number, a version word that is not 0x00MMmm00 with MM of 1 or more. Later
/// versions than the grammar's pass; warn_of_newer_version() tells of them.
VIREO_API Result<Header> read_header(Words words, Diagnostics& diagnostics);

/// Warns of a module that is newer than the grammar: what the grammar does not know may then be right all the same.
VIREO_API void warn_of_newer_version(const Header& header, const Grammar& grammar, Diagnostics& diagnostics);

}  // namespace vireo::spirv
