// SPDX-License-Identifier: Apache-2.0
//
// Text sinks, and the styles of tokens.
//
// A printer writes chunks of text to a sink that the caller provides. It buffers only a small part of the
// text, so a disassembly of 100 MB need not be in memory at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vireo/support/api.h"
#include "vireo/support/cpp20.h"

namespace vireo {

/// The kind of a token of printed text, for ANSI colours and syntax highlighting.
enum class TokenStyle : std::uint8_t {
  Plain,         ///< punctuation and blanks
  Opcode,        ///< OpLoad
  ResultId,      ///< the id that an instruction defines
  Id,            ///< an id that an instruction uses
  Number,        ///< literal number
  String,        ///< content of a literal string
  Enumerant,     ///< value enumerant or mask
  ExtendedName,  ///< name of an extended instruction, or of the opcode inside OpSpecConstantOp
  Comment,       ///< from `;` to the end of the line
};

/// Receives text in chunks.
class VIREO_API TextSink {
 public:
  virtual ~TextSink();  // not inline: anchors the vtable in libvireo, so that all libraries share one type

  /// Receives one chunk, which is valid only during the call. Returns false if the sink cannot accept more (the disk is
  /// full); the printer then stops.
  virtual bool write(std::string_view chunk) = 0;

  /// A printer that can estimate the size of its text calls this once, before the first chunk. `bytes` is an
  /// approximate upper limit.
  virtual void expect(std::uint64_t /*bytes*/) {}
};

/// Collects all chunks in a string, which it owns.
class VIREO_API StringSink final : public TextSink {
 public:
  bool write(std::string_view chunk) override {
    text_.append(chunk);
    return true;
  }
  void expect(std::uint64_t bytes) override;  // not inline: anchors the vtable in libvireo

  [[nodiscard]] const std::string& text() const& { return text_; }
  [[nodiscard]] std::string&& text() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace vireo
