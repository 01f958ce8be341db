// SPDX-License-Identifier: Apache-2.0
//
// The reader: bytes of a file → words in host byte order, and the header.
//
// The reader returns words in host byte order and does not check their meaning. It copies only if the
// file's bytes are big-endian, unaligned or hexadecimal text. The host must be little-endian, which is checked when the
// library is compiled.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The words of a module in host byte order: borrowed from the file's bytes if possible, otherwise owned. words() is
/// valid as long as this object, or the object that it is moved to. If is_borrowed(), the bytes must live as long.
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
  [[nodiscard]] ByteOrder byte_order() const { return order_; }  ///< the byte order of the file
  [[nodiscard]] bool is_borrowed() const { return buffer_.empty(); }

 private:
  WordBuffer buffer_;
  Words view_;
  ByteOrder order_;
};

/// Whether the bytes begin with the magic number in either byte order.
VIREO_API bool looks_like_module(std::string_view bytes);

/// Whether the bytes begin like hexadecimal text: with `0`, `x` or `X`, after blanks, commas and a byte order mark.
VIREO_API bool looks_like_hex_text(std::string_view bytes);

/// Reads a module: binary in either byte order, or hexadecimal text. The text consists of words (`0x07230203 0x10000
/// …`), bytes (`0x3 0x02 0x23 …`) or pairs of digits (`03022307 …`). `bytes` must outlive the result.
/// Errors: `bytes` is empty, the number of bytes is not a multiple of four, or the hexadecimal text is malformed. The
/// header is not checked; read_header() checks it.
VIREO_API Result<ModuleWords> read_module_words(std::string_view bytes, Diagnostics& diagnostics);
template <typename Text>
requires std::is_same_v<Text, std::string>
void read_module_words(const Text&& temporary, Diagnostics& diagnostics) = delete;

/// Reads a module like read_module_words(), for tools that show invalid modules. If the bytes end within a word,
/// reports an error; if the words before it include the whole header, returns them nevertheless.
VIREO_API Result<ModuleWords> read_whole_words(std::string_view bytes, Diagnostics& diagnostics);

/// Reads the header of a module in host byte order (specification 2.3). Errors: fewer than five words, a wrong magic
/// number, or a version word that is not 0x00MMmm00 with MM at least 1. Accepts versions newer than the grammar; see
/// warn_of_newer_version().
VIREO_API Result<Header> read_header(Words words, Diagnostics& diagnostics);

/// Reports a warning if the module's version is newer than the grammar's. Instructions that the grammar does not define
/// may then be valid.
VIREO_API void warn_of_newer_version(const Header& header, const Grammar& grammar, Diagnostics& diagnostics);

}  // namespace vireo::spirv
