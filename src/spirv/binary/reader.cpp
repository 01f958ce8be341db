// SPDX-License-Identifier: Apache-2.0
//
// Converts bytes to words, and reads the header (specification 2.3; vireo/spirv/binary/reader.h).
//
// The first bytes decide the input format. If they are the magic number in either byte order, the input
// is a binary module. If the first character is `0`, `x` or `X`, the input is hexadecimal text; a byte order mark,
// blanks, commas and NULs before this character are skipped. The first token of the text decides its form:
//
//   0x07230203 0x10000 …    words: a prefix (0x or x) and up to eight digits, if the first token has more than two
//   0x3 0x02 0x23 0x07 …    bytes: a prefix and one or two digits
//   07230203 0001 0000…     a stream: each pair of digits is a byte, blanks between pairs are ignored
//
// In the last two forms the magic number gives the byte order, as in a binary file.
#include "vireo/spirv/binary/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "spirv/rules.h"
#include "support/counted.h"
#include "support/utf8.h"

namespace vireo::spirv {
namespace {

static_assert(host_order == ByteOrder::Little, "words are read in place: a little-endian host is assumed");

// The characters that SPIRV-Tools skips between tokens. Commas are included, so the elements of a C initializer list
// can be read unchanged.
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == ',' || c == '\0';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Copies the word, because the bytes can have any alignment.
Word first_word(std::string_view bytes) {
  Word w = 0;
  std::memcpy(&w, bytes.data(), sizeof w);
  return w;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

// Whether the bytes hold a whole header. If a module is truncated after its header, its complete words can still be
// used.
bool has_header(std::string_view bytes) {
  return looks_like_module(bytes) && bytes.size() >= header_word_count * sizeof(Word);
}

class HexText {
 public:
  /// `accepts_truncated`: if the bytes end within a word, report it, but still return the words before it.
  HexText(std::string_view text, bool accepts_truncated, Diagnostics& diagnostics)
      : text_(text), accepts_truncated_(accepts_truncated), diagnostics_(diagnostics) {}

  Result<ModuleWords> read() {
    const std::size_t begin = mark_size(text_);
    at_ = skip_blanks(text_, begin);
    const bool has_prefix = prefix_length(at_) != 0;
    // The first token decides the form of all tokens; with mixed forms the byte order would be ambiguous.
    const std::size_t first_digits = digits_at(at_ + prefix_length(at_));
    const bool are_words = has_prefix && first_digits > 2;
    if (has_prefix ? !read_tokens(are_words ? 8 : 2) : !read_stream()) {
      return diagnostics_.error(rule::bad_hex_text, Location::in_text(at_, at_ + 1),
                                fmt::format("invalid hexadecimal text at character {}; expected {}", at_ + 1 - begin,
                                            !has_prefix ? "pairs of digits"
                                            : are_words ? "0x and up to 8 digits"
                                                        : "0x and up to 2 digits"));
    }
    // Tokens that are whole words have no byte order. read_header() reports a wrong magic number, as for a binary file.
    if (are_words) return ModuleWords(std::move(words_), ByteOrder::Little);
    return words_from_bytes();
  }

 private:
  Result<ModuleWords> words_from_bytes() {
    if (bytes_.size() % sizeof(Word) != 0) {
      const Reported reported = diagnostics_.error(
          rule::odd_size, Location::none(),
          fmt::format("the hexadecimal text has {}; expected a multiple of 4", counted(bytes_.size(), "byte")));
      if (!accepts_truncated_ || !has_header(bytes_)) return reported;
    }
    WordBuffer words(bytes_.size() / sizeof(Word));
    if (!words.empty()) std::memcpy(words.data(), bytes_.data(), words.size() * sizeof(Word));
    const bool is_swapped = !words.empty() && words[0] == magic_number_swapped;
    if (is_swapped) std::ranges::transform(words, words.begin(), swapped);
    return ModuleWords(std::move(words), is_swapped ? ByteOrder::Big : ByteOrder::Little);
  }

  // The length of the prefix 0x, 0X, x or X at `at`; 0 if there is none.
  [[nodiscard]] std::size_t prefix_length(std::size_t at) const {
    const auto is_x = [this](std::size_t i) { return i < text_.size() && (text_[i] == 'x' || text_[i] == 'X'); };
    if (is_x(at)) return 1;
    return at < text_.size() && text_[at] == '0' && is_x(at + 1) ? 2 : 0;
  }

  [[nodiscard]] std::size_t digits_at(std::size_t at) const {
    std::size_t count = 0;
    while (at + count < text_.size() && hex_digit(text_[at + count]) >= 0) ++count;
    return count;
  }

  Word take_digits(std::size_t count) {
    Word value = 0;
    for (; count != 0; --count, ++at_) value = value << 4 | static_cast<Word>(hex_digit(text_[at_]));
    return value;
  }

  bool read_tokens(std::size_t max_digits) {
    for (at_ = skip_blanks(text_, at_); at_ < text_.size(); at_ = skip_blanks(text_, at_)) {
      const std::size_t prefix = prefix_length(at_);
      const std::size_t digits = digits_at(at_ + prefix);
      if (prefix == 0 || digits == 0 || digits > max_digits) return false;
      at_ += prefix;
      if (max_digits == 8) {
        words_.push_back(take_digits(digits));
      } else {
        bytes_.push_back(static_cast<char>(take_digits(digits)));
      }
    }
    return true;
  }

  bool read_stream() {
    for (at_ = skip_blanks(text_, at_); at_ < text_.size(); at_ = skip_blanks(text_, at_)) {
      if (hex_digit(text_[at_]) < 0 || at_ + 1 >= text_.size() || hex_digit(text_[at_ + 1]) < 0) return false;
      bytes_.push_back(static_cast<char>(take_digits(2)));
    }
    return true;
  }

  std::string_view text_;
  bool accepts_truncated_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  WordBuffer words_;
  std::string bytes_;
};

Reported report_odd_size(std::string_view bytes, Diagnostics& diagnostics) {
  return diagnostics.error(rule::odd_size, Location::none(),
                           fmt::format("the input has {}; expected a multiple of 4", counted(bytes.size(), "byte")));
}

}  // namespace

bool looks_like_hex_text(std::string_view bytes) {
  const std::size_t at = skip_blanks(bytes, mark_size(bytes));
  return at < bytes.size() && (bytes[at] == '0' || bytes[at] == 'x' || bytes[at] == 'X');
}

bool looks_like_module(std::string_view bytes) {
  return bytes.size() >= sizeof(Word) &&
         (first_word(bytes) == magic_number || first_word(bytes) == magic_number_swapped);
}

Result<ModuleWords> read_module_words(std::string_view bytes, Diagnostics& diagnostics) {
  if (bytes.empty())
    return diagnostics.error(rule::empty_module, Location::none(), "the input is empty; expected a SPIR-V module");
  // Checked before the size, because text can have any size. No binary module begins with '0' or 'x': neither is the
  // first byte of the magic number in either byte order.
  if (looks_like_hex_text(bytes)) return HexText(bytes, false, diagnostics).read();
  if (bytes.size() % sizeof(Word) != 0) return report_odd_size(bytes, diagnostics);
  const std::size_t count = bytes.size() / sizeof(Word);
  if (first_word(bytes) == magic_number_swapped) {
    WordBuffer words(count);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    std::ranges::transform(words, words.begin(), swapped);
    return ModuleWords(std::move(words), ByteOrder::Big);
  }
  // Mapped files are page-aligned, so this is the usual case and copies nothing.
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Word) == 0) {
    return ModuleWords(Words{reinterpret_cast<const Word*>(bytes.data()), count}, ByteOrder::Little);
  }
  WordBuffer words(count);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return ModuleWords(std::move(words), ByteOrder::Little);
}

Result<ModuleWords> read_whole_words(std::string_view bytes, Diagnostics& diagnostics) {
  if (looks_like_hex_text(bytes)) return HexText(bytes, true, diagnostics).read();
  const std::size_t rest = bytes.size() % sizeof(Word);
  if (rest == 0 || !has_header(bytes)) return read_module_words(bytes, diagnostics);
  report_odd_size(bytes, diagnostics);
  return read_module_words(bytes.substr(0, bytes.size() - rest), diagnostics);
}

Result<Header> read_header(Words words, Diagnostics& diagnostics) {
  if (words.empty())
    return diagnostics.error(rule::empty_module, Location::none(), "the input is empty; expected a SPIR-V module");
  // Checked before the length: for a file that is not a module, "ends within its header" would be misleading.
  if (words[0] != magic_number) {
    return diagnostics.error(rule::bad_magic, Location::in_words(0, 1, 0),
                             fmt::format("the magic number is 0x{:08x}; expected 0x{:08x}", words[0], magic_number));
  }
  if (words.size() < header_word_count) {
    return diagnostics.error(rule::truncated_header, Location::in_words(0, words.size(), 0),
                             fmt::format("the module ends within its header: it has {}; expected at least {}",
                                         counted(words.size(), "word"), header_word_count));
  }
  const Header header{words[1], words[2], words[3], words[4]};
  // Specification 2.3, table 1: the high and the low byte are 0. Unknown later minor versions are accepted; see
  // warn_of_newer_version().
  if ((header.version_word & 0xFF0000FF) != 0 || header.version().major == 0) {
    return diagnostics.error(rule::bad_version, Location::in_words(1, 2, 0),
                             fmt::format("the version word is 0x{:08x}; expected 0x00MMmm00", header.version_word));
  }
  return header;
}

void warn_of_newer_version(const Header& header, const Grammar& grammar, Diagnostics& diagnostics) {
  const Version newest{grammar.major_version, grammar.minor_version};
  const Version found = header.version();
  if (found <= newest) return;
  diagnostics.warning(rule::newer_version, Location::in_words(1, 2, 0),
                      fmt::format("the module is SPIR-V {}.{}, but the grammar is SPIR-V {}.{}", found.major,
                                  found.minor, newest.major, newest.minor));
}

}  // namespace vireo::spirv
