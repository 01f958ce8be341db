// SPDX-License-Identifier: Apache-2.0
//
// Where text goes: sinks for bytes, and the styles a token of text can have.
//
// The one idea: the library writes chunks into a sink it was given and never into a stream of its own. Printers work in
// a small buffer and hand full chunks over, so a 100 MB disassembly never exists in memory unless the user wants it to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vireo/support/api.h"

namespace vireo {

/// What a piece of printed text is. Drives colours (ANSI), token lists and highlighting.
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

/// Takes text, chunk by chunk.
class VIREO_API TextSink {
 public:
  virtual ~TextSink();  // not inline, so that one library has the type and all share it

  /// Takes one chunk; it is only valid during the call. Returns false when the sink can take no more (disk full):
  /// the printer then stops early.
  virtual bool write(std::string_view chunk) = 0;

  /// Called once before the first chunk, by printers that can estimate: about `bytes` will come at most.
  virtual void expect(std::uint64_t /*bytes*/) {}
};

/// Collects everything in a string.
class VIREO_API StringSink final : public TextSink {
 public:
  bool write(std::string_view chunk) override {
    text_.append(chunk);
    return true;
  }
  void expect(std::uint64_t bytes) override;  // not inline, so that one library has the type

  [[nodiscard]] const std::string& text() const& { return text_; }
  [[nodiscard]] std::string&& text() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace vireo
