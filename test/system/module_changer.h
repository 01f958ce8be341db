// SPDX-License-Identifier: Apache-2.0
//
// ModuleChanger: copies of a module with exactly one difference, of a chosen kind.
//
// The result need not be valid, but it can be decoded, and its ids mean what they mean in the module.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"

namespace vireo::system_test {

class ModuleChanger {
 public:
  struct Kind {
    std::string_view name;
    std::optional<spirv::WordBuffer> (ModuleChanger::*change)();
  };
  static const std::vector<Kind> kinds;

  /// The words are borrowed.
  ModuleChanger(spirv::Words words, std::uint64_t seed);

  /// None: the module has no instruction for this kind of change.
  std::optional<spirv::WordBuffer> change(const Kind& kind) { return (this->*kind.change)(); }

 private:
  using Predicate = std::function<bool(std::uint32_t)>;

  std::optional<spirv::WordBuffer> change_operand();
  std::optional<spirv::WordBuffer> change_literal();
  std::optional<spirv::WordBuffer> add_instruction();
  std::optional<spirv::WordBuffer> remove_instruction();
  std::optional<spirv::WordBuffer> move_instruction();
  std::optional<spirv::WordBuffer> change_decoration();
  std::optional<spirv::WordBuffer> remove_decoration();
  std::optional<spirv::WordBuffer> change_name();
  std::optional<spirv::WordBuffer> change_type();
  std::optional<spirv::WordBuffer> change_entry_point();

  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(random_() % count); }
  std::optional<std::uint32_t> pick(const Predicate& is_candidate);
  /// An instruction of a block that is no label, phi, variable, merge, terminator, line or debug information.
  [[nodiscard]] bool is_ordinary(std::uint32_t i) const;
  /// Another id of the same type or the same opcode, that is visible wherever the first one is.
  spirv::Word another_id(spirv::Word id);
  spirv::WordBuffer with_word(std::uint32_t i, std::size_t word, spirv::Word value) const;
  /// The module without the instruction, then with `inserted` before `at`.
  spirv::WordBuffer rebuilt(std::optional<std::uint32_t> removed, std::optional<std::uint32_t> at,
                            spirv::Words inserted) const;
  /// A word of an instruction with an operand of the kind; 0: none.
  std::size_t pick_word(std::uint32_t i, bool is_id);

  spirv::Words words_;
  spirv::Module module_;
  std::vector<bool> is_id_, is_number_;  // by offset: an id that is used; a literal number
  std::mt19937_64 random_;
};

}  // namespace vireo::system_test
