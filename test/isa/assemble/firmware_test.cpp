// SPDX-License-Identifier: Apache-2.0
//
// A complete disassembler built with the library's callbacks: it prints firmware of Adreno's command processor exactly.
//
// The description contains only instructions. Callbacks add the rest of a firmware file: names of
// registers for fields of type custom, a literal for a word that is not an instruction, names of packets as entry
// points, a comment after an instruction. The layout of a file:
//
//   word 0               always 0
//   a section            word 0: version · word 1, low half: position of its jump table in the section
//   its jump table       128 words: the address of the handler of packet n
//   the next sections    generation 7 only: each begins at the end of a jump table. Words after the last are literals
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "isa/support/disassemblers.h"
#include "isa/vectors/vectors.h"
#include "outside.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t jump_table_words = 128;
constexpr std::string_view section_names[] = {"SQE", "BV", "LPAC"};

std::string formatted(const char* format, unsigned value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Names by kind ("control", "sqe", "pipe", "pm4") and number.
class RegisterNames {
 public:
  explicit RegisterNames(const fs::path& file) {
    std::ifstream stream(file);
    std::string kind;
    std::string number;
    std::string name;
    while (stream >> kind >> number >> name)
      names_[kind][static_cast<unsigned>(std::stoul(number, nullptr, 16))] = name;
  }
  /// Empty if it has no name.
  [[nodiscard]] std::string find(const std::string& kind, unsigned number) const {
    const auto of_kind = names_.find(kind);
    if (of_kind == names_.end()) return "";
    const auto found = of_kind->second.find(number);
    return found == of_kind->second.end() ? "" : found->second;
  }

 private:
  std::map<std::string, std::map<unsigned, std::string>> names_;
};

/// The only registers of the graphics core that the recorded files name.
std::string core_register(unsigned number) {
  if (number == 0x830) return "CP_SQE_INSTR_BASE";
  if (number == 0x883) return "CP_SCRATCH[0].REG";
  return "";
}

struct FirmwareFile {
  std::uint32_t gen;
  std::vector<std::uint32_t> words;
  const RegisterNames& names;
};

/// `mov DST, IMMEDIATE << SHIFT`: the comment names the register that the following code addresses.
std::string comment_on(std::uint32_t word, const FirmwareFile& firmware) {
  if (word >> 27 != (firmware.gen >= 7 ? 0b01110u : 0b10001u)) return "";
  const std::uint32_t shift = (word >> 21) & 0x1F;
  const std::uint32_t value = (word & 0xFFFF) << shift;
  const bool to_address = ((word >> 16) & 0x1F) == 0x1D;
  if (to_address) {
    const std::string name = firmware.names.find("pipe", value >> 24);
    return name.empty() ? "" : "\t; |" + name;
  }
  const std::string name = core_register(value);
  return name.empty() ? "" : "\t; " + name;
}

Request section_request(const FirmwareFile& firmware, std::span<const std::uint32_t> section, std::size_t jump_table) {
  Request request{.gen = firmware.gen, .errors = false, .labels = true};
  request.custom = [&firmware](std::string_view field, std::uint64_t value) {
    const bool is_control = field == "CONTROLREG";
    const auto number = static_cast<unsigned>(value);
    const std::string name = firmware.names.find(is_control ? "control" : "sqe", number);
    return name.empty() ? formatted("0x%03x", number) : (is_control ? "@" : "%") + name;
  };
  const std::string where_the_table_is = formatted("%08x", section[1]);
  request.no_match = [where_the_table_is](const std::string& word) {
    return word == where_the_table_is ? std::string("[#jumptbl]\n") : "[" + word + "]\n";
  };
  request.after = [&firmware](std::size_t, const std::string& word) {
    return comment_on(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)), firmware);
  };
  for (unsigned packet = 0; packet < jump_table_words; ++packet) {
    std::string name = firmware.names.find("pm4", packet);
    if (name.empty()) name = "UNKN" + std::to_string(packet);
    request.entrypoints.emplace_back(std::move(name), section[jump_table + packet]);
  }
  return request;
}

std::vector<std::uint8_t> as_bytes(std::span<const std::uint32_t> words) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t word : words) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
  }
  return bytes;
}

std::string listing(const FirmwareFile& firmware, const Disassembler& disassembler) {
  std::string text = formatted("; a%uxx microcode\n", firmware.gen);
  text += formatted("; Version: %08x\n\n", firmware.words[1]);
  std::span<const std::uint32_t> rest = std::span(firmware.words).subspan(1);
  for (std::size_t i = 0; rest.size() > 1; ++i) {
    const std::string name(section_names[i]);
    if (i > 0) text += "\n.section " + name + "\n;\n; " + name + " microcode:\n;\n";
    const std::size_t jump_table = rest[1] & 0xFFFF;
    text += disassembler.run(as_bytes(rest.first(jump_table)), section_request(firmware, rest, jump_table));
    if (firmware.gen >= 7 && jump_table % 32 == 0) text += ".align 32\n";
    text += "jumptbl:\n.jumptbl\n";
    rest = rest.subspan(jump_table + jump_table_words);
  }
  for (const std::uint32_t word : rest) text += formatted("[%08x]\n", word);
  return text;
}

struct Pair {
  std::string_view name;
  std::uint32_t gen;
  std::string_view registers;
};

constexpr Pair pairs[] = {{"afuc_test", 6, "regs-6ee.tsv"}, {"afuc_test_a7xx", 7, "regs-730.tsv"}};

TEST(Firmware, listing_equals_the_recorded_one) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const fs::path folder = *shared / "isa/vectors/afuc";
  for (const Pair& pair : pairs) {
    const RegisterNames names(folder / pair.registers);
    const std::vector<std::uint8_t> bytes = read_bytes(folder / (std::string(pair.name) + ".fw"));
    FirmwareFile firmware{pair.gen, {}, names};
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      firmware.words.push_back(bytes[i] | std::uint32_t{bytes[i + 1]} << 8 | std::uint32_t{bytes[i + 2]} << 16 |
                               std::uint32_t{bytes[i + 3]} << 24);
    }
    const std::vector<std::uint8_t> wanted = read_bytes(folder / (std::string(pair.name) + ".asm"));
    for (const Disassembler& disassembler : all_disassemblers_of(*shared / "isa/mesa/afuc.xml", Manner::Mesa))
      EXPECT_EQ(listing(firmware, disassembler), std::string(wanted.begin(), wanted.end())) << disassembler.name;
  }
}

}  // namespace
}  // namespace vireo::isa
