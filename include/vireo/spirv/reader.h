// SPDX-License-Identifier: Apache-2.0
//
// The reader: bytes of a file → words in host byte order, and the header.
//
// The one idea: the reader returns whole words in host byte order and checks nothing else. It copies only if the
// file's bytes are swapped, unaligned or hexadecimal text. The host must be little-endian, which is checked when the
// library is compiled.
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

/// The words of a module in host order: borrowed from the bytes if possible, owned otherwise. Movable. words() stays
/// valid as long as the object (moved or not) and, if borrowed, the bytes.
class VIREO_API ModuleWords {
 public:
  ModuleWords(Words borrowed, ByteOrder order) : view_(borrowed), order_(order) {}
  ModuleWords(WordBuffer owned, ByteOrder order) : buffer_(std::move(owned)), view_(buffer_), order_(order) {}
  ModuleWords(ModuleWords&&) noexcept = default;  // a moved vector keeps its storage, so view_ stays valid
  ModuleWords& operator=(ModuleWords&&) noexcept = default;
  ModuleWords(const ModuleWords&) = delete;
  ModuleWords& operator=(const ModuleWords&) = delete;

  [[nodiscard]] Words words() const& { return view_; }
  void words() const&& = delete;                                 // the words would dangle
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

/// Reads a module: binary in either byte order, or hexadecimal text: `0x07230203 0x10000 …` (words), `0x3 0x02 0x23
/// …` (bytes) or `03022307 …` (pairs of digits). `bytes` must outlive the result.
/// Errors: no bytes, a size that is not a multiple of four, malformed hexadecimal text. The magic number is not
/// checked here; read_header() does that.
VIREO_API Result<ModuleWords> read_module_words(std::string_view bytes, Diagnostics& diagnostics);
template <typename Text>
requires std::is_same_v<Text, std::string>
void read_module_words(const Text&& temporary, Diagnostics& diagnostics) = delete;

/// The same for tools that show invalid modules. If the bytes end within a word, this is reported, but the whole
/// words are returned nevertheless if they include the header.
VIREO_API Result<ModuleWords> read_whole_words(std::string_view bytes, Diagnostics& diagnostics);

/// Reads the header of a module in host byte order.
/// Errors: fewer than five words, a wrong magic number, a version word that is not 0x00MMmm00 with MM of 1 or more.
/// Versions later than the grammar's are accepted; see warn_of_newer_version().
VIREO_API Result<Header> read_header(Words words, Diagnostics& diagnostics);

/// Warns if a module is newer than the grammar: instructions unknown to the grammar may then be valid.
VIREO_API void warn_of_newer_version(const Header& header, const Grammar& grammar, Diagnostics& diagnostics);

}  // namespace vireo::spirv
