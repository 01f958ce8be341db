// SPDX-License-Identifier: Apache-2.0
//
// Recorded answers: what a word or a program of an instruction set must print.
//
// The one idea: one JSON object a line, so that a file can be grepped, sorted and cut. Keys that count here:
//
//   gen       generation                        hex      a word, most significant digit first; an array is a program
//   text      the answer, programs with all     options  as in `flags`: -l labels · -q no annotations · -M N max_errors
//             newlines, words without           (flags)  -E name:instruction,… · -n own no-match line · -L own prefix
//   isa       which description, where a file holds several
//
// A `Request` is what all decoders under test understand; disassemblers.h has the decoders.
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

/// How to disassemble. Words are handed to callbacks as hexadecimal text with all digits.
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

/// All lines of a file. `text_key` names the answer; lines without one (null) are left out, as are those that begin with
/// what the recording program printed in place of a word that nothing matches (`raw 0x`).
/// Custom fields print as `0x%03x`, as they did when the answers were recorded.
std::vector<Vector> read_vectors(const std::filesystem::path& file, std::string_view text_key = "text");

/// The descriptions of the repository that have words with their texts beside them, by their names; and those words.
std::vector<std::filesystem::path> teaching_descriptions();
std::filesystem::path vectors_of(std::filesystem::path description);

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file);

/// A word's text, most significant digit first, as bytes, least significant first; appended.
void append_word(std::vector<std::uint8_t>& bytes, std::string_view hex);

}  // namespace vireo::isa
