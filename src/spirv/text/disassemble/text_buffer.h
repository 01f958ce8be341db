// SPDX-License-Identifier: Apache-2.0
//
// TextBuffer: a small buffer between a printer and its sink.
//
// The one idea: writes of up to 32 bytes are one fixed-size copy without a check. `room()` before each operand makes
// sure that this many bytes (and some more) fit; whatever may be longer goes through `long_text`, which looks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "vireo/support/text_writer.h"

namespace vireo::spirv {

class TextBuffer {
 public:
  // A block is large enough that a sink's own cost does not show, small enough to stay in the second-level cache.
  static constexpr std::size_t block = std::size_t{64} << 10;      ///< bytes that are handed on at once
  static constexpr std::size_t most_room = std::size_t{48} << 10;  ///< bytes that room_for() may be asked for
  static constexpr std::size_t slack = 512;                        ///< bytes that fit after room()
  static constexpr std::size_t capacity = block + most_room + slack;
  static constexpr std::size_t short_text = 32;  ///< bytes that `padded` may read and write whatever the length

  explicit TextBuffer(TextSink& sink)
      : sink_(sink), base_(new char[capacity]), limit_(base_.get() + capacity - slack), at(base_.get()) {}

  /// Makes sure that `slack` bytes fit behind `at`.
  void room() {
    if (at > limit_) flush();
  }

  /// Makes sure that `count` bytes fit behind `at` before anything is flushed; at most `most_room`.
  void room_for(std::size_t count) {
    if (at + count > limit_) flush();
  }

  /// Copies text whose storage is readable for 32 bytes from its start; returns the end. 32 bytes, or as many as the text
  /// has, must be writable.
  static char* copied(char* at, const char* text, std::size_t length) {
    std::memcpy(at, text, short_text);
    if (length > short_text) [[unlikely]]
      std::memcpy(at + short_text, text + short_text, length - short_text);
    return at + length;
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

  /// Hands on a block and keeps the begin of the next one, mostly a line; less than a block goes as it is. A file that is
  /// written in whole pages costs the kernel a third less than one whose every other write ends within a page.
  void flush() { hand_on(std::min(static_cast<std::size_t>(at - base_.get()), block)); }
  /// Hands on everything.
  void finish() { hand_on(static_cast<std::size_t>(at - base_.get())); }

  /// Bytes written so far, flushed or not.
  [[nodiscard]] std::uint64_t size() const { return flushed_ + static_cast<std::uint64_t>(at - base_.get()); }
  /// False once the sink has refused a chunk.
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  void hand_on(std::size_t count) {
    // After a refusal the text is thrown away and still counted, so that places in a source map stay right.
    if (count != 0 && ok_) ok_ = sink_.write({base_.get(), count});
    flushed_ += count;
    const auto rest = static_cast<std::size_t>(at - base_.get()) - count;
    std::memmove(base_.get(), base_.get() + count, rest);
    at = base_.get() + rest;
  }

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
