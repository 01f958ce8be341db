// SPDX-License-Identifier: Apache-2.0
//
// The words by which instruction sets are measured, and what they print.
//
// The one idea: words come in two kinds. *Recorded* ones are the test vectors of the descriptions; *changed* ones are the
// same with a few bits flipped in each, no two alike, so that what a printer remembers helps little.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "vireo/isa/isa.h"

namespace vireo::bench {

struct IsaRow {
  std::string_view name;  // of the description, and of its vectors
  std::uint32_t gen;
  std::string_view text_key;
  bool has_custom;   // fields whose text is the caller's
  double reference;  // M instructions/s of Mesa's generated decoder, as its study recorded
};

// clang-format off
inline constexpr std::array<IsaRow, 5> isa_rows = {{
    {"ir3", 600, "decoded", false, 0.384}, {"ir3", 700, "decoded", false, 0.347}, {"ir3", 500, "decoded", false, 0.51},
    {"afuc", 7, "text", true, 3.5},        {"etnaviv", 0, "decoded", false, 0.217},
}};
// clang-format on

/// The text of custom fields, as it was when the answers were recorded.
class CustomFields final : public isa::PrintListener {
 public:
  void custom(std::string_view name, std::uint64_t value, std::string& text) override;
};

isa::PrintOptions options_for(const IsaRow& row, CustomFields& fields);

/// Words, and where they are recorded what they print, a line each.
struct IsaProgram {
  std::string bytes;
  std::string text;
  std::size_t count = 0;
};

/// The vectors of one generation that have an answer, each word once. `folder` has vectors/ and mesa/.
IsaProgram recorded_words(const std::filesystem::path& folder, const IsaRow& row);

/// Words that nothing matches are left out: Mesa's manner keeps their remarks for the next line.
IsaProgram changed_words(const isa::Decoder& decoder, const IsaProgram& program, std::size_t count);

isa::LoadedModel load_row(const std::filesystem::path& folder, const IsaRow& row);

/// What the words of a program print.
std::string text_of(const isa::Decoder& decoder, const isa::PrintOptions& options, std::string_view bytes);

}  // namespace vireo::bench
