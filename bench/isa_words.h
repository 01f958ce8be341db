// SPDX-License-Identifier: Apache-2.0
//
// The words for the measurement of instruction sets, and their texts.
//
// There are two kinds of words. *Recorded* words are the test vectors of the descriptions. *Changed*
// words are the same with a few bits flipped in each, all different, so that a printer's cache helps little.
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
  std::string_view name;  // of the description and of its vectors
  std::uint32_t gen;
  std::string_view text_key;
  bool has_custom;   // has custom fields
  double reference;  // million instructions per second of Mesa's generated decoder, as recorded in its study
};

// clang-format off
inline constexpr std::array<IsaRow, 5> isa_rows = {{
    {"ir3", 600, "decoded", false, 0.384}, {"ir3", 700, "decoded", false, 0.347}, {"ir3", 500, "decoded", false, 0.51},
    {"afuc", 7, "text", true, 3.5},        {"etnaviv", 0, "decoded", false, 0.217},
}};
// clang-format on

/// Prints custom fields as they were when the vectors were recorded.
class CustomFields final : public isa::PrintListener {
 public:
  void custom(std::string_view name, std::uint64_t value, std::string& text) override;
};

isa::PrintOptions options_for(const IsaRow& row, CustomFields& fields);

/// Words and, if they are recorded, their texts, one line each.
struct IsaProgram {
  std::string bytes;
  std::string text;
  std::size_t count = 0;
};

/// The vectors of one generation that have a text. `folder` contains vectors/ and mesa/.
IsaProgram recorded_words(const std::filesystem::path& folder, const IsaRow& row);

/// Changed words. Words that no instruction matches are omitted: with Mesa's compatibility their faults are printed on
/// the next line.
IsaProgram changed_words(const isa::Decoder& decoder, const IsaProgram& program, std::size_t count);

isa::LoadedModel load_row(const std::filesystem::path& folder, const IsaRow& row);

/// The text of a program.
std::string text_of(const isa::Decoder& decoder, const isa::PrintOptions& options, std::string_view bytes);

}  // namespace vireo::bench
