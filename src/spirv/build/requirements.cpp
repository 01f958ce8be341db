// SPDX-License-Identifier: Apache-2.0
//
// The puzzle of capabilities (requirements.h): what is needed, and the least that gives it.
//
// The one idea: a need is a list of alternatives in the grammar's capability pool, and equal lists are the same slice, so
// a module of a million instructions has a hundred needs. They are collected in one pass and settled by hand-sized sets.
#include "vireo/spirv/requirements.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "vireo/spirv/grammar_tools.h"
#include "vireo/spirv/instruction.h"
#include "vireo/spirv/operand.h"

namespace vireo::spirv {
namespace {

// What the grammar does not say: capabilities for widths (3, OpTypeInt, OpTypeFloat) and long vectors (OpTypeVector).
struct WidthRow {
  Op opcode;
  Word value;  // of the first operand behind the result; of a vector, the count behind its type
  Capability capability;
};
// Integers and floats of 32 bits, and vectors of up to four, need nothing.
constexpr WidthRow width_rows[] = {
    {Op::OpTypeInt, 8, Capability::Int8},         {Op::OpTypeInt, 16, Capability::Int16},
    {Op::OpTypeInt, 64, Capability::Int64},       {Op::OpTypeFloat, 16, Capability::Float16},
    {Op::OpTypeFloat, 64, Capability::Float64},   {Op::OpTypeVector, 8, Capability::Vector16},
    {Op::OpTypeVector, 16, Capability::Vector16},
};

std::string_view string_of(InstructionView instruction) {
  const char* text = reinterpret_cast<const char*>(instruction.first + 1);
  return {text, strnlen(text, (instruction.word_count - 1u) * sizeof(Word))};
}

/// What a module uses and what it declares. Capabilities are rows of Grammar::enumerants.
class Needs {
 public:
  // One pass, front to back: the decoder has to see types and imports before what hangs on them.
  Needs(Words words, const Grammar& grammar)
      : g_(grammar),
        has_(grammar.enumerants.size(), false),
        seen_list_(grammar.capability_pool.size() + 1, false),
        version_(words.size() > 1 ? Version::from_word(words[1]) : Version{}) {
    if (words.size() < header_word_count) return;
    OperandDecoder decoder(grammar, words[3], words.size());
    for (const InstructionView instruction : Instructions(words)) take(instruction, decoder);
  }

  // Capabilities come first: one that is added may itself be an extension's.
  Requirements settle() {
    choose();
    // A choice that a later one implies was made in vain.
    std::vector<std::uint16_t> kept;
    for (const std::uint16_t row : chosen_) {
      const bool is_implied = std::any_of(chosen_.begin(), chosen_.end(), [&](std::uint16_t other) {
        if (other == row) return false;
        const std::vector<std::uint16_t> implied = implied_capabilities(g_, other);
        return std::binary_search(implied.begin(), implied.end(), row);
      });
      if (!is_implied) kept.push_back(row);
    }
    Requirements missing;
    for (const std::uint16_t row : kept) {
      missing.capabilities.push_back(static_cast<Capability>(g_.enumerants[row].value));
      need_extension(g_.enumerants[row].since, g_.enumerants[row].last, g_.enumerants[row].extensions);
    }
    std::sort(missing.capabilities.begin(), missing.capabilities.end());
    for (const Slice extensions : extension_needs_) {
      // Any of the names will do; where none is declared, the first one in the grammar is taken.
      const auto names = g_.strings(extensions);
      const auto is_there = [&](StringRef name) {
        return std::find(declared_.begin(), declared_.end(), g_.text(name)) != declared_.end();
      };
      if (std::any_of(names.begin(), names.end(), is_there)) continue;
      declared_.push_back(g_.text(names.front()));
      missing.extensions.push_back(g_.text(names.front()));
    }
    std::sort(missing.extensions.begin(), missing.extensions.end());
    return missing;
  }

 private:
  // --- what the words say ---

  // What an instruction uses: its opcode, the one inside it, each enumerant and each bit of a mask. Those that the
  // grammar cannot follow are passed over; they are somebody else's to report.
  void take(InstructionView instruction, OperandDecoder& decoder) {
    const DecodeFault fault = decoder.decode(instruction);
    const InstructionRow* row = decoder.row();
    if (row == nullptr || !is_decodable(fault)) return;
    const auto opcode = static_cast<Op>(instruction.opcode);
    if (opcode == Op::OpCapability) {
      // What is declared is needed by nothing, but may itself come with an extension.
      const EnumerantRow* capability = g_.find_value(g_.capability_kind, instruction.word(1));
      if (capability == nullptr) return;
      declare(static_cast<std::uint16_t>(capability - g_.enumerants.data()));
      need_extension(capability->since, capability->last, capability->extensions);
      return;
    }
    if (opcode == Op::OpExtension) {
      declared_.push_back(string_of(instruction));
      return;
    }
    need(row->capabilities);
    need_extension(row->since, row->last, row->extensions);
    if (const ExtInstRow* ext = decoder.ext_inst()) need(ext->capabilities);
    if (const InstructionRow* inner = decoder.spec_row()) need(inner->capabilities);
    for (const Operand& operand : decoder.operands()) {
      if (operand.shape == OperandShape::ValueEnum) need_enumerant(operand.kind, instruction.word(operand.word));
      if (operand.shape != OperandShape::BitEnum) continue;
      for (Word rest = instruction.word(operand.word); rest != 0; rest &= rest - 1) {
        need_enumerant(operand.kind, rest & (~rest + 1));
      }
    }
    for (const WidthRow& width : width_rows) {
      const std::size_t at = width.opcode == Op::OpTypeVector ? 3 : 2;
      if (opcode != width.opcode || instruction.word(at) != width.value) continue;
      // A float with an encoding of its own has the capabilities of that encoding.
      if (opcode == Op::OpTypeFloat && instruction.word_count > 3) continue;
      if (const EnumerantRow* found = g_.find_value(g_.capability_kind, static_cast<Word>(width.capability))) {
        forced_.push_back(static_cast<std::uint16_t>(found - g_.enumerants.data()));
      }
    }
  }

  // An operand that is a capability names one, and does not use it.
  void need_enumerant(KindId kind, Word value) {
    const EnumerantRow* row = g_.find_value(kind, value);
    if (row == nullptr || kind == g_.capability_kind) return;
    need(row->capabilities);
    need_extension(row->since, row->last, row->extensions);
  }

  // A slice is 16 bits of place and 16 of length, so both together are its name.
  void need(Slice capabilities) {
    if (capabilities.count == 0) return;
    // Each list stands once in the pool; a shorter one may begin where a longer one does, and is then met later.
    const std::uint32_t key = std::uint32_t{capabilities.first} << 16 | capabilities.count;
    if (seen_list_[capabilities.first] && std::find(keys_.begin(), keys_.end(), key) != keys_.end()) return;
    seen_list_[capabilities.first] = true;
    keys_.push_back(key);
    needs_.push_back(g_.capabilities(capabilities));
  }

  // The version brings it, or one of the extensions does.
  // A version that has dropped it again does not.
  void need_extension(Version since, Version last, Slice extensions) {
    if (extensions.count == 0) return;
    const bool is_in_version = !since.is_none() && version_ >= since && (last.is_none() || version_ <= last);
    if (is_in_version ||
        std::find(extension_needs_.begin(), extension_needs_.end(), extensions) != extension_needs_.end())
      return;
    extension_needs_.push_back(extensions);
  }

  // --- the choice ---

  // has_ always has what its members imply, so a need is met or not at a glance.
  void declare(std::uint16_t row) {
    has_[row] = true;
    for (const std::uint16_t implied : implied_capabilities(g_, row)) has_[implied] = true;
  }
  void choose_one(std::uint16_t row) {
    if (has_[row]) return;
    chosen_.push_back(row);
    declare(row);
  }
  [[nodiscard]] bool is_met(std::span<const std::uint16_t> need) const {
    return std::any_of(need.begin(), need.end(), [&](std::uint16_t row) { return has_[row]; });
  }

  // First what leaves no choice: it may meet other needs by the way. Each further round settles one need or more, and
  // there are no more needs than the grammar has lists, whatever the module is like.
  void choose() {
    for (const std::uint16_t row : forced_) choose_one(row);
    for (const auto need : needs_) {
      if (need.size() == 1) choose_one(need[0]);
    }
    for (;;) {
      std::erase_if(needs_, [&](auto need) { return is_met(need); });
      if (needs_.empty()) return;
      choose_one(best());
    }
  }

  // The capability that meets most needs, implies least, and stands first.
  // The smallest set of all is not looked for: that is set cover, and takes too long to be sure of. Candidates ascend,
  // so the same needs always get the same answer.
  [[nodiscard]] std::uint16_t best() const {
    std::vector<std::uint16_t> candidates;
    for (const auto need : needs_) candidates.insert(candidates.end(), need.begin(), need.end());
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::uint16_t best = candidates.front();
    std::size_t best_met = 0, best_implied = 0;
    for (const std::uint16_t row : candidates) {
      const std::vector<std::uint16_t> implied = implied_capabilities(g_, row);
      const auto gives = [&](std::uint16_t wanted) {
        return wanted == row || std::binary_search(implied.begin(), implied.end(), wanted);
      };
      const auto met = static_cast<std::size_t>(std::count_if(
          needs_.begin(), needs_.end(), [&](auto need) { return std::any_of(need.begin(), need.end(), gives); }));
      if (met < best_met || (met == best_met && implied.size() >= best_implied)) continue;
      best = row, best_met = met, best_implied = implied.size();
    }
    return best;
  }

  const Grammar& g_;
  std::vector<bool> has_;        // by row: declared, chosen or implied
  std::vector<bool> seen_list_;  // by the first of a list
  std::vector<std::uint32_t> keys_;
  std::vector<std::span<const std::uint16_t>> needs_;
  std::vector<std::uint16_t> forced_;  // what width_rows demand
  std::vector<std::uint16_t> chosen_;
  std::vector<Slice> extension_needs_;
  std::vector<std::string_view> declared_;  // extensions; those of the module are borrowed from its words
  Version version_;
};

}  // namespace

Requirements missing_requirements(Words words, const Grammar& grammar) { return Needs(words, grammar).settle(); }

}  // namespace vireo::spirv
