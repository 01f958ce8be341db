// SPDX-License-Identifier: Apache-2.0
//
// TextBuffer: a small buffer between a printer and its sink.
//
// The one idea: writes of up to 32 bytes are one fixed-size copy without a check. `room()` before each operand makes
// sure that this many bytes (and some more) fit; whatever may be longer goes through `long_text`, which looks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "vireo/support/text_writer.h"

namespace vireo::spirv {

class TextBuffer {
 public:
  // Large enough that a sink's own cost does not show, small enough to stay in the second-level cache.
  static constexpr std::size_t capacity = std::size_t{128} << 10;
  static constexpr std::size_t slack = 512;      ///< bytes that fit after room()
  static constexpr std::size_t short_text = 32;  ///< bytes that `padded` may read and write whatever the length

  explicit TextBuffer(TextSink& sink)
      : sink_(sink), base_(new char[capacity]), limit_(base_.get() + capacity - slack), at(base_.get()) {}

  /// Makes sure that `slack` bytes fit behind `at`.
  void room() {
    if (at > limit_) flush();
  }

  /// Makes sure that `count` bytes fit behind `at` before anything is flushed; at most half of the capacity.
  void room_for(std::size_t count) {
    if (at + count > limit_) flush();
  }

  /// Writes text whose storage is readable for 32 bytes from its start (names in padded pools). Needs room().
  // Copying 32 bytes always is two vector moves; copying `length` bytes would be a call or a loop.
  void padded(const char* text, std::size_t length) {
    if (length <= short_text) [[likely]] {
      std::memcpy(at, text, short_text);
      at += length;
    } else {
      long_text({text, length});
    }
  }

  /// Writes a few bytes: a literal of the source. Needs room().
  void text(std::string_view s) {
    if (s.empty()) return;  // a style without a colour has no text, not even an address; literals pay nothing for this
    std::memcpy(at, s.data(), s.size());
    at += s.size();
  }
  void byte(char c) { *at++ = c; }
  void blanks(std::size_t count) {
    // Sixteen are written whatever the count, into the slack.
    if (count > 16) return long_blanks(count);
    std::memcpy(at, "                ", 16);
    at += count;
  }

  /// Writes text of any length and leaves room() behind it.
  void long_text(std::string_view s) {
    while (true) {
      room();
      const std::size_t part = s.size() < slack / 2 ? s.size() : slack / 2;
      std::memcpy(at, s.data(), part);
      at += part;
      s.remove_prefix(part);
      if (s.empty()) break;
    }
    room();
  }

  void flush() {
    const auto length = static_cast<std::size_t>(at - base_.get());
    // After a refusal the text is thrown away and still counted, so that places in a source map stay right.
    if (length != 0 && ok_) ok_ = sink_.write({base_.get(), length});
    flushed_ += length;
    at = base_.get();
  }

  /// Bytes written so far, flushed or not.
  [[nodiscard]] std::uint64_t size() const { return flushed_ + static_cast<std::uint64_t>(at - base_.get()); }
  /// False once the sink has refused a chunk.
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  void long_blanks(std::size_t count) {
    for (; count != 0; --count) {
      room();
      byte(' ');
    }
    room();
  }

  TextSink& sink_;
  std::unique_ptr<char[]> base_;
  char* limit_;
  std::uint64_t flushed_ = 0;
  bool ok_ = true;

 public:
  // Public on purpose: printers of numbers write in place, and a call for each byte would be most of the work.
  char* at;  ///< where the next byte goes; printers of numbers write here and move it
};

}  // namespace vireo::spirv
