// SPDX-License-Identifier: Apache-2.0
//
// Recorded answers: the text that a word or a program of an instruction set must print.
//
// One JSON object on each line, so that a file can be searched, sorted and cut. The keys:
//
//   gen       generation                        hex      a word, most significant digit first; an array is a program
//   text      the answer, programs with all     options  as in `flags`: -l labels · -q no annotations · -M N max_errors
//             newlines, words without           (flags)  -E name:instruction,… · -n own no-match line · -L own prefix
//   isa       the description, if a file has several
//
// All decoders under test take a `Request`; disassemblers.h declares the decoders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vireo::isa {

/// How to disassemble. Callbacks get words as hexadecimal text with all digits.
struct Request {
  std::uint32_t gen = 0;
  bool errors = true;
  unsigned max_errors = 0;
  bool labels = false;
  std::vector<std::pair<std::string, std::size_t>> entrypoints = {};
  std::function<std::string(std::string_view field, std::uint64_t value)> custom = {};
  std::function<std::string(const std::string& word)> no_match = {};
  std::function<std::string(std::size_t at, const std::string& word)> before = {};
  std::function<std::string(std::size_t at, const std::string& word)> after = {};
};

struct Vector {
  std::string where;  ///< file:line
  std::string isa;
  std::vector<std::uint8_t> bytes;
  Request request;
  std::string text;  ///< with all newlines
};

/// Reads all lines of a file. `text_key` names the answer. Lines without one (null) are skipped, and so are those that
/// begin with the recording program's text for a word without a match (`raw 0x`). Custom fields print as `0x%03x`, as
/// they did when the answers were recorded.
std::vector<Vector> read_vectors(const std::filesystem::path& file, std::string_view text_key = "text");

/// The descriptions of the repository that have recorded words and texts in the same folder; and the file of those
/// words.
std::vector<std::filesystem::path> teaching_descriptions();
std::filesystem::path vectors_of(std::filesystem::path description);

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file);

/// Appends a word, given as text with the most significant digit first, as bytes, least significant first.
void append_word(std::vector<std::uint8_t>& bytes, std::string_view hex);

}  // namespace vireo::isa
