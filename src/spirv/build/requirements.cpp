// SPDX-License-Identifier: Apache-2.0
//
// Missing capabilities and extensions (requirements.h): collects the requirements of a module, and chooses a small set
// that satisfies them.
//
// A need is a list of alternatives in the grammar's capability pool, and equal lists are the same slice.
// So a module of a million instructions has about a hundred needs. One pass collects them; the choice works on small
// sets.
#include "vireo/spirv/build/requirements.h"

#include <algorithm>
#include <compare>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "spirv/build/used_capabilities.h"
#include "spirv/grammar/special_sets.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/spirv/grammar/grammar_tools.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {
namespace {

// Capabilities that the grammar lacks: for widths (3, OpTypeInt, OpTypeFloat) and long vectors (OpTypeVector).
struct WidthRow {
  Op opcode;
  Word value;  // the width, or the number of components
  Capability capability;
};
// Integers and floats of 32 bits, and vectors of up to four components, need no capability.
constexpr WidthRow width_rows[] = {
    {Op::OpTypeInt, 8, Capability::Int8},         {Op::OpTypeInt, 16, Capability::Int16},
    {Op::OpTypeInt, 64, Capability::Int64},       {Op::OpTypeFloat, 16, Capability::Float16},
    {Op::OpTypeFloat, 64, Capability::Float64},   {Op::OpTypeVector, 8, Capability::Vector16},
    {Op::OpTypeVector, 16, Capability::Vector16},
};

// The extension that imports of non-semantic sets need before version 1.6. It is not in the grammar, because the
// extension identifies such sets by their names.
constexpr std::string_view non_semantic_extension = "SPV_KHR_non_semantic_info";

/// The operand that width_rows match; 0 if the width needs no capability.
Word width_of(InstructionView instruction) {
  switch (instruction.opcode) {
    case Op::OpTypeInt: return View<Op::OpTypeInt>(instruction).width();
    case Op::OpTypeFloat: {
      // A float with an encoding needs the capabilities of that encoding instead.
      const View<Op::OpTypeFloat> type(instruction);
      return type.floating_point_encoding() ? 0 : type.width().value;
    }
    case Op::OpTypeVector: return View<Op::OpTypeVector>(instruction).component_count();
    default: return 0;
  }
}

/// Capabilities and extensions that a module needs and declares. Capabilities are rows of Grammar::enumerants.
class Needs {
 public:
  // One pass, front to back: the decoder has to decode types and imports before the instructions that depend on them.
  Needs(Words words, const Grammar& grammar)
      : g_(grammar),
        has_(grammar.enumerants.size(), false),
        seen_list_(grammar.capability_pool.size() + 1, false),
        version_(words.size() > 1 ? Version::from_word(words[1]) : Version{}) {
    if (words.size() < header_word_count) return;
    OperandDecoder decoder(grammar, words[3], words.size());
    for (const InstructionView instruction : Instructions(words)) take(instruction, decoder);
  }

  // Capabilities are chosen first, because a chosen capability may need an extension. Extensions without an alternative
  // are chosen even earlier, so that capabilities that they enable need no further extension.
  Requirements solve() {
    // A declared capability may need an extension.
    for (const std::uint16_t row : declared_rows_) need_extension_of(row);
    const bool is_there = std::ranges::find(declared_, non_semantic_extension) != declared_.end();
    if (is_non_semantic_ && version_ < Version{1, 6} && !is_there) take_extension(non_semantic_extension);
    take_only_extensions();
    choose();
    // Drop each choice that another choice implies.
    std::vector<std::uint16_t> kept;
    for (const std::uint16_t row : chosen_) {
      const bool is_implied = std::any_of(chosen_.begin(), chosen_.end(), [&](std::uint16_t other) {
        if (other == row) return false;
        const std::vector<std::uint16_t> implied = implied_capabilities(g_, other);
        return std::binary_search(implied.begin(), implied.end(), row);
      });
      if (!is_implied) kept.push_back(row);
    }
    for (const std::uint16_t row : kept) {
      missing_.capabilities.push_back(static_cast<Capability>(g_.enumerants[row].value));
      need_extension(g_.enumerants[row].since, g_.enumerants[row].last, g_.enumerants[row].extensions);
    }
    std::sort(missing_.capabilities.begin(), missing_.capabilities.end());
    take_only_extensions();
    choose_extensions();
    std::sort(missing_.extensions.begin(), missing_.extensions.end());
    return std::move(missing_);
  }

  // A declaration is unneeded if the others satisfy all requirements. The last one is tried first, because modules
  // declare the capabilities that others depend on first. `used` are capabilities that the grammar does not require.
  Requirements unneeded(std::span<const Capability> used) {
    for (const Capability capability : used) {
      if (const std::uint16_t row = row_of(capability); row != no_row) forced_.push_back(row);
      if (capability == Capability::ImageBasic) kept_ = row_of(capability);
    }
    for (const std::uint16_t& row : forced_) needs_.emplace_back(&row, 1);
    std::erase_if(needs_, [&](auto need) { return !is_met(need); });
    Requirements unneeded;
    for (const std::uint16_t row : drop_capabilities()) {
      unneeded.capabilities.push_back(static_cast<Capability>(g_.enumerants[row].value));
    }
    // The capabilities that stay may need extensions, and so do those that they imply if they are the only ones that meet
    // a need.
    std::erase_if(extension_needs_, [&](Slice need) { return !is_declared(need); });
    for (const std::uint16_t row : declared_rows_) need_extension_of(row);
    for (const std::span<const std::uint16_t> need : needs_) {
      if (need.size() == 1) need_extension_of(need[0]);
    }
    std::erase_if(extension_needs_, [&](Slice need) { return !is_declared(need); });
    unneeded.extensions = drop_extensions();
    return unneeded;
  }

 private:
  // --- needs of the module ---

  // Collects the needs of an instruction: its opcode, the inner opcode, each enumerant and each bit of a mask.
  // Instructions that cannot be decoded are skipped without a report.
  void take(InstructionView instruction, OperandDecoder& decoder) {
    const DecodeFault fault = decoder.decode(instruction);
    const InstructionRow* row = decoder.row();
    if (row == nullptr || !is_decodable(fault)) return;
    if (const auto declaration = as<Op::OpCapability>(instruction)) {
      // A declared capability is not a need.
      const auto number = static_cast<Word>(declaration->capability().value);
      const EnumerantRow* capability = g_.find_value(g_.capability_kind, number);
      if (capability == nullptr) return;
      declared_rows_.push_back(static_cast<std::uint16_t>(capability - g_.enumerants.data()));
      declare(declared_rows_.back());
      return;
    }
    if (const auto extension = as<Op::OpExtension>(instruction)) {
      declared_.push_back(extension->name());
      return;
    }
    const auto import = as<Op::OpExtInstImport>(instruction);
    if (import && is_non_semantic_set(import->name())) is_non_semantic_ = true;
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
    const Word width = width_of(instruction);
    for (const WidthRow& needing : width_rows) {
      if (instruction.opcode != needing.opcode || width != needing.value) continue;
      if (const std::uint16_t found = row_of(needing.capability); found != no_row) forced_.push_back(found);
    }
  }

  // A Capability operand only names a capability; it does not use it.
  void need_enumerant(KindId kind, Word value) {
    const EnumerantRow* row = g_.find_value(kind, value);
    if (row == nullptr || kind == g_.capability_kind) return;
    need(row->capabilities);
    need_extension(row->since, row->last, row->extensions);
  }

  // A slice has a 16-bit position and a 16-bit length; both together are its key.
  void need(Slice capabilities) {
    if (capabilities.count == 0) return;
    // Each list occurs once in the pool. A shorter list may begin where a longer one does, so compare the keys as well.
    const std::uint32_t key = std::uint32_t{capabilities.first} << 16 | capabilities.count;
    if (seen_list_[capabilities.first] && std::find(keys_.begin(), keys_.end(), key) != keys_.end()) return;
    seen_list_[capabilities.first] = true;
    keys_.push_back(key);
    needs_.push_back(g_.capabilities(capabilities));
  }

  // Also false if the feature was removed before this version.
  [[nodiscard]] bool is_in_version(Version since, Version last) const {
    return !since.is_none() && version_ >= since && (last.is_none() || version_ <= last);
  }

  // The feature needs the version or one of the extensions.
  void need_extension(Version since, Version last, Slice extensions) {
    if (extensions.count == 0 || is_in_version(since, last)) return;
    if (std::find(extension_needs_.begin(), extension_needs_.end(), extensions) != extension_needs_.end()) return;
    extension_needs_.push_back(extensions);
  }

  void need_extension_of(std::uint16_t capability) {
    const EnumerantRow& row = g_.enumerants[capability];
    need_extension(row.since, row.last, row.extensions);
  }

  // --- the choice ---

  // has_ is closed under implication, so is_met() needs only a lookup.
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

  // Needs with one alternative come first, because they may also satisfy others. Each further round satisfies at least
  // one need. The number of lists in the grammar bounds the number of needs.
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

  // The cost of a capability; the most significant criterion comes first.
  struct Cost {
    bool is_out_of_reach = false;  // neither the version nor an extension provides it
    bool mixes_kinds = false;      // it makes the module both a shader and a kernel
    bool wants_extension = false;  // it needs an extension that is not declared yet
    std::size_t unmet = 0;         // needs that it does not satisfy
    std::size_t implied = 0;       // further capabilities that it implies
    auto operator<=>(const Cost&) const = default;
  };

  [[nodiscard]] Cost cost_of(std::uint16_t row) const {
    const std::vector<std::uint16_t> implied = implied_capabilities(g_, row);
    const auto gives = [&](std::uint16_t wanted) {
      return wanted == row || std::binary_search(implied.begin(), implied.end(), wanted);
    };
    const EnumerantRow& capability = g_.enumerants[row];
    Cost cost;
    if (!is_in_version(capability.since, capability.last)) {
      cost.is_out_of_reach = capability.extensions.count == 0;
      cost.wants_extension = !is_declared(capability.extensions);
    }
    // If the module is both a shader and a kernel, or neither yet, it can take either. Only kernels use Addresses, but
    // it does not imply Kernel.
    const bool is_shader = has(Capability::Shader);
    const bool is_kernel = has(Capability::Kernel) || has(Capability::Addresses);
    if (is_shader != is_kernel) {
      cost.mixes_kinds = is_kernel ? gives(row_of(Capability::Shader))
                                   : gives(row_of(Capability::Kernel)) || gives(row_of(Capability::Addresses));
    }
    cost.unmet = static_cast<std::size_t>(std::count_if(
        needs_.begin(), needs_.end(), [&](auto need) { return std::none_of(need.begin(), need.end(), gives); }));
    cost.implied = implied.size();
    return cost;
  }

  // Returns the capability with the lowest cost; if several have it, the first. This is a greedy choice: finding the
  // smallest set is the set cover problem, which is NP-hard. Candidates ascend, so the result is deterministic.
  [[nodiscard]] std::uint16_t best() const {
    std::vector<std::uint16_t> candidates;
    for (const auto need : needs_) candidates.insert(candidates.end(), need.begin(), need.end());
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::uint16_t best = candidates.front();
    Cost least = cost_of(best);
    for (const std::uint16_t row : std::span(candidates).subspan(1)) {
      const Cost cost = cost_of(row);
      if (cost < least) best = row, least = cost;
    }
    return best;
  }

  // --- unneeded declarations ---

  // Removes the unneeded capabilities from declared_rows_ and returns them. A repeated capability is returned
  // once for its repetitions, and once more if its first declaration is unneeded, too.
  std::vector<std::uint16_t> drop_capabilities() {
    std::vector<std::uint32_t> providers(g_.enumerants.size());  // by row: declarations that give the capability
    const auto add_provider = [&](std::uint16_t row, bool is_added) {
      const auto change = [&](std::uint16_t given) { is_added ? ++providers[given] : --providers[given]; };
      change(row);
      for (const std::uint16_t implied : implied_capabilities(g_, row)) change(implied);
    };
    std::vector<std::uint16_t> dropped, kept;
    std::vector<std::uint32_t> counts(g_.enumerants.size());  // by row: declarations of the capability itself
    for (const std::uint16_t row : std::exchange(declared_rows_, {})) {
      ++counts[row];
      if (counts[row] == 1) declared_rows_.push_back(row);
      if (counts[row] == 2) dropped.push_back(row);
    }
    for (const std::uint16_t row : declared_rows_) add_provider(row, true);
    const auto is_provided = [&](std::span<const std::uint16_t> need) {
      return std::any_of(need.begin(), need.end(), [&](std::uint16_t row) { return providers[row] != 0; });
    };
    for (auto row = declared_rows_.rbegin(); row != declared_rows_.rend(); ++row) {
      add_provider(*row, false);
      if (*row != kept_ && std::all_of(needs_.begin(), needs_.end(), is_provided)) {
        dropped.push_back(*row);
      } else {
        add_provider(*row, true);
        kept.push_back(*row);
      }
    }
    declared_rows_ = std::move(kept);
    return dropped;
  }

  // The extensions of the module without which the others satisfy all requirements, each once. The last one is tried
  // first.
  std::vector<std::string_view> drop_extensions() {
    std::set<std::string_view> in_grammar = {non_semantic_extension};
    const auto add_names = [&](const auto& rows) {
      for (const auto& row : rows) {
        for (const StringRef name : g_.strings(row.extensions)) in_grammar.insert(g_.text(name));
      }
    };
    add_names(g_.instructions);
    add_names(g_.enumerants);
    std::vector<std::string_view> dropped, order;
    std::set<std::string_view> declared;
    for (const std::string_view name : declared_) {
      if (!in_grammar.contains(name)) continue;
      if (declared.insert(name).second) order.push_back(name);
      else if (std::find(dropped.begin(), dropped.end(), name) == dropped.end()) dropped.push_back(name);
    }
    const auto is_satisfied = [&](Slice need) {
      const auto names = g_.strings(need);
      return std::any_of(names.begin(), names.end(), [&](StringRef name) { return declared.contains(g_.text(name)); });
    };
    const bool needs_non_semantic = is_non_semantic_ && version_ < Version{1, 6};
    for (auto name = order.rbegin(); name != order.rend(); ++name) {
      declared.erase(*name);
      const bool is_unneeded = !(needs_non_semantic && *name == non_semantic_extension) &&
                               std::all_of(extension_needs_.begin(), extension_needs_.end(), is_satisfied);
      if (!is_unneeded) declared.insert(*name);
      else dropped.push_back(*name);
    }
    return dropped;
  }

  // The row of a capability that the grammar lacks.
  static constexpr std::uint16_t no_row = 0xFFFF;
  [[nodiscard]] std::uint16_t row_of(Capability capability) const {
    const EnumerantRow* row = g_.find_value(g_.capability_kind, static_cast<Word>(capability));
    return row == nullptr ? no_row : static_cast<std::uint16_t>(row - g_.enumerants.data());
  }
  [[nodiscard]] bool has(Capability capability) const {
    const std::uint16_t row = row_of(capability);
    return row != no_row && has_[row];
  }

  // --- extensions ---

  // Whether one of the extensions is declared.
  [[nodiscard]] bool is_declared(Slice extensions) const {
    const auto names = g_.strings(extensions);
    return std::any_of(names.begin(), names.end(), [&](StringRef name) {
      return std::find(declared_.begin(), declared_.end(), g_.text(name)) != declared_.end();
    });
  }
  void take_extension(std::string_view name) {
    declared_.push_back(name);
    missing_.extensions.push_back(name);
  }

  // Needs with one alternative come first, because they may also satisfy others.
  void take_only_extensions() {
    for (const Slice need : extension_needs_) {
      if (need.count == 1 && !is_declared(need)) take_extension(g_.text(g_.strings(need).front()));
    }
  }

  // Returns how widely the extension is adopted, from its prefix: by Khronos, by several vendors, or by one vendor.
  static int class_of(std::string_view extension) {
    return extension.starts_with("SPV_KHR_") ? 0 : extension.starts_with("SPV_EXT_") ? 1 : 2;
  }

  // Chooses the extension that satisfies most needs, then the more widely ratified one, then the first in the grammar.
  void choose_extensions() {
    std::sort(extension_needs_.begin(), extension_needs_.end(),
              [](Slice a, Slice b) { return std::tie(a.first, a.count) < std::tie(b.first, b.count); });
    for (;;) {
      std::erase_if(extension_needs_, [&](Slice need) { return is_declared(need); });
      if (extension_needs_.empty()) return;
      std::string_view best;
      std::size_t most = 0;
      for (const Slice need : extension_needs_) {
        for (const StringRef candidate : g_.strings(need)) {
          const std::string_view name = g_.text(candidate);
          const std::size_t met = needs_that_name(name);
          if (met > most || (met == most && class_of(name) < class_of(best))) best = name, most = met;
        }
      }
      take_extension(best);
    }
  }
  [[nodiscard]] std::size_t needs_that_name(std::string_view extension) const {
    return static_cast<std::size_t>(std::count_if(extension_needs_.begin(), extension_needs_.end(), [&](Slice need) {
      const auto names = g_.strings(need);
      return std::any_of(names.begin(), names.end(), [&](StringRef name) { return g_.text(name) == extension; });
    }));
  }

  const Grammar& g_;
  std::vector<std::uint16_t> declared_rows_;  // capabilities, in the order of the module
  std::vector<bool> has_;                     // by row: declared, chosen or implied
  std::vector<bool> seen_list_;               // by first position of a list
  std::vector<std::uint32_t> keys_;
  std::vector<std::span<const std::uint16_t>> needs_;
  std::vector<std::uint16_t> forced_;  // required by width_rows, or used
  std::uint16_t kept_ = no_row;        // ImageBasic: OpenCL requires it also if ImageReadWrite implies it
  std::vector<std::uint16_t> chosen_;
  std::vector<Slice> extension_needs_;
  std::vector<std::string_view> declared_;  // extensions; those of the module are borrowed from its words
  bool is_non_semantic_ = false;            // the module imports a non-semantic set
  Version version_;
  Requirements missing_;
};

}  // namespace

Requirements unneeded_declarations(Words words, const Grammar& grammar) {
  return Needs(words, grammar).unneeded(used_capabilities(Module::read(words, grammar)));
}
Requirements missing_requirements(Words words, const Grammar& grammar) { return Needs(words, grammar).solve(); }

}  // namespace vireo::spirv
