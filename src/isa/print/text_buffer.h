// SPDX-License-Identifier: Apache-2.0
//
// The buffer that text is printed into.
//
// The one idea: pieces of text are short, so a copy of a fixed number of bytes is cheaper than one of the right number.
// There are always `slack` bytes behind the end to write into.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace vireo::isa {

class TextBuffer {
 public:
  static constexpr std::size_t slack = 64;

  TextBuffer() : data_(new char[initial]), end_(data_.get()), limit_(data_.get() + initial - slack) {}

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - data_.get()); }
  [[nodiscard]] std::string_view text() const { return {data_.get(), size()}; }
  void clear() { end_ = data_.get(); }
  void truncate(std::size_t size) { end_ = data_.get() + size; }

  void append(std::string_view text) {
    if (text.empty()) return;  // its data may be null
    if (text.size() > static_cast<std::size_t>(limit_ - end_)) [[unlikely]]
      grow(text.size());
    std::memcpy(end_, text.data(), text.size());
    end_ += text.size();
  }
  /// Appends the first `size` bytes of a place of `capacity` bytes: the copy is of all of them.
  template <std::size_t capacity>
  void append_fixed(const char* text, std::size_t size) {
    static_assert(capacity <= slack);
    if (end_ >= limit_) [[unlikely]]
      grow(1);
    std::memcpy(end_, text, capacity);
    end_ += size;
  }
  void append(char c) {
    if (end_ == limit_) [[unlikely]]
      grow(1);
    *end_++ = c;
  }
  void pad(std::size_t count) {
    if (count > static_cast<std::size_t>(limit_ - end_)) [[unlikely]]
      grow(count);
    std::memset(end_, ' ', count);
    end_ += count;
  }
  /// Room for `slack` characters; the writer says with advance() where it stopped.
  [[nodiscard]] char* room() {
    if (end_ >= limit_) [[unlikely]]
      grow(1);
    return end_;
  }
  void advance(const char* end) { end_ = data_.get() + (end - data_.get()); }

 private:
  static constexpr std::size_t initial = std::size_t{1} << 17;

  void grow(std::size_t more) {
    const std::size_t used = size();
    const std::size_t capacity = (used + more) * 2 + slack;
    std::unique_ptr<char[]> larger(new char[capacity]);
    std::memcpy(larger.get(), data_.get(), used);
    data_ = std::move(larger);
    end_ = data_.get() + used;
    limit_ = data_.get() + capacity - slack;
  }

  std::unique_ptr<char[]> data_;
  char* end_;
  char* limit_;  // slack bytes before the end of the memory
};

}  // namespace vireo::isa
