// SPDX-License-Identifier: Apache-2.0
//
// TextBuffer: a small buffer between a printer and its sink.
//
// A write of up to 32 bytes is one fixed-size copy without a check. A call of `room()` before each
// operand reserves space for several such writes. Longer texts go through `long_text`, which checks the space.
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
  // A block is large enough to make the cost of the sink negligible and small enough to stay in the second-level cache.
  static constexpr std::size_t block = std::size_t{64} << 10;      ///< bytes that are written to the sink at once
  static constexpr std::size_t most_room = std::size_t{48} << 10;  ///< maximum argument of room_for(), in bytes
  static constexpr std::size_t slack = 512;                        ///< bytes that fit after room()
  static constexpr std::size_t capacity = block + most_room + slack;
  static constexpr std::size_t short_text = 32;  ///< `padded` always reads and writes at least this many bytes

  explicit TextBuffer(TextSink& sink)
      : sink_(sink), base_(new char[capacity]), limit_(base_.get() + capacity - slack), at(base_.get()) {}

  /// Ensures that `slack` bytes fit after `at`.
  void room() {
    if (at > limit_) flush();
  }

  /// Ensures that `count` bytes fit after `at` without a flush. `count` is at most `most_room`.
  void room_for(std::size_t count) {
    if (at + count > limit_) flush();
  }

  /// Copies text whose storage is readable for 32 bytes from its start; returns the end. At least 32 bytes must be
  /// writable, or the length of the text if it is longer.
  static char* copied(char* at, const char* text, std::size_t length) {
    std::memcpy(at, text, short_text);
    if (length > short_text) [[unlikely]]
      std::memcpy(at + short_text, text + short_text, length - short_text);
    return at + length;
  }

  /// Writes text whose storage is readable for 32 bytes from its start (names in padded pools). Needs room(). A copy of
  /// a constant 32 bytes is two vector moves; a copy of `length` bytes would be a call or a loop.
  void padded(const char* text, std::size_t length) {
    if (length <= short_text) [[likely]] {
      std::memcpy(at, text, short_text);
      at += length;
    } else {
      long_text({text, length});
    }
  }

  /// Writes a few bytes: a string literal of the source. Needs room().
  void text(std::string_view s) {
    if (s.empty()) return;  // without a colour, the pointer is null; literals make this test free
    std::memcpy(at, s.data(), s.size());
    at += s.size();
  }
  void byte(char c) { *at++ = c; }
  void blanks(std::size_t count) {
    // Always writes sixteen bytes, within the slack.
    if (count > 16) return long_blanks(count);
    std::memcpy(at, "                ", 16);
    at += count;
  }

  /// Writes text of any length and reserves slack after it.
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

  /// Writes a full block to the sink and keeps the rest, usually part of a line; if there is less than a block, writes
  /// all. Writing whole pages costs the kernel a third less than writes that end within a page.
  void flush() { hand_on(std::min(static_cast<std::size_t>(at - base_.get()), block)); }
  /// Writes everything to the sink.
  void finish() { hand_on(static_cast<std::size_t>(at - base_.get())); }

  /// Bytes written so far, flushed or not.
  [[nodiscard]] std::uint64_t size() const { return flushed_ + static_cast<std::uint64_t>(at - base_.get()); }
  /// False once the sink has refused a write.
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  void hand_on(std::size_t count) {
    // After a refusal the text is discarded but still counted, so that source map positions remain correct.
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
  // `at` is public on purpose: functions that print numbers write in place, because a call for each byte would dominate
  // the cost.
  char* at;  ///< where the next byte goes; functions that print numbers write here and advance it
};

}  // namespace vireo::spirv
