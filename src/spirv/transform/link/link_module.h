// SPDX-License-Identifier: Apache-2.0
//
// LinkModule: a module to link, and what the linker finds out about it.
//
// The words stay where they are. One pass decodes them and keeps a bit for each word that is an id. So ids
// can be replaced while words are copied, and nothing is decoded twice.
//
// Source: specification 2.13 (linkage), 3.20 (LinkageAttributes).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/grammar/opcode_families.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/id_map.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The number of a class of equal declarations, over all modules.
using ClassNumber = std::uint32_t;
inline constexpr ClassNumber no_class = ~ClassNumber{0};

/// A function or variable with LinkageAttributes.
struct LinkSymbol {
  std::string_view name;
  LinkageType linkage = LinkageType::Export;
  Word id = 0;
  InstructionIndex definition;  ///< OpFunction or a variable
  InstructionIndex decoration;
  bool is_function = false;
  bool is_built_in = false;  ///< has the decoration BuiltIn

  [[nodiscard]] bool is_import() const { return linkage == LinkageType::Import; }
};

/// An instruction of one of the modules.
struct LinkPlace {
  std::uint32_t module = 0;
  InstructionIndex instruction;
};

/// A table by instruction, id or number, for few entries.
template <typename Value>
using SparseTable = IdMap<Value>;

class LinkModule {
 public:
  /// The words are borrowed. `number` is the index of the input.
  LinkModule(const LinkInput& input, std::uint32_t number, const Grammar& grammar);
  LinkModule(const LinkModule&) = delete;  // facts refer to the module

  /// Decodes the instructions and reads the symbols. Reports what prevents that.
  std::optional<Reported> read(Diagnostics& diagnostics);

  const std::uint32_t number;
  const std::string name;
  const Module module;
  const Facts facts;
  /// In the order of their decorations.
  std::vector<LinkSymbol> symbols;

  // --- results of the steps of the linker ---
  std::vector<ClassNumber> classes;        ///< by instruction before the functions; no_class: equals no other
  std::vector<ClassNumber> loose_classes;  ///< the same without names of structures; empty until needed
  std::vector<bool> is_removed;            ///< by instruction: not written
  SparseTable<LinkPlace> replaced;         ///< by instruction: the definition in its place
  SparseTable<InstructionIndex> casts;     ///< by id of a called import: its own OpFunction, if pointers differ

  [[nodiscard]] ClassNumber class_of(InstructionIndex i) const {
    return i.index() < classes.size() ? classes[i.index()] : no_class;
  }
  [[nodiscard]] ClassNumber class_of(Word id) const { return class_of(module.definition(id)); }

  /// Calls take(offset) for each word that is an id, in ascending order; `begin`, `end` and the offset are in words from
  /// the start of the module.
  template <typename Take>
  void for_each_id(std::size_t begin, std::size_t end, Take&& take) const {
    for (std::size_t block = begin / 64; block * 64 < end; ++block) {
      std::uint64_t bits = id_bits_[block];
      if (block * 64 < begin) bits &= ~std::uint64_t{0} << (begin % 64);
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t at = block * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        if (at >= end) return;
        take(at);
      }
    }
  }
  /// The same for an instruction: take(word), with the index of the word within the instruction.
  template <typename Take>
  void for_each_id(InstructionView view, Take&& take) const {
    const std::size_t begin = view.offset;
    for_each_id(begin, begin + view.word_count, [&](std::size_t at) { take(static_cast<std::uint16_t>(at - begin)); });
  }

  /// The instructions of a section. Line information before the first global belongs to the globals.
  [[nodiscard]] InstructionRange section(Section section) const;

  /// The location of an instruction, in this input.
  [[nodiscard]] Location location_of(InstructionIndex i) const;
  /// The location of the whole input.
  [[nodiscard]] Location location() const;

  void remove_function(Word id);

 private:
  void read_symbols();
  std::uint32_t globals_begin_ = 0;
  std::vector<std::uint64_t> id_bits_;  // by word, 64 in each element
};

}  // namespace vireo::spirv
