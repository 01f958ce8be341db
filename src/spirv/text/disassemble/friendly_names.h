// SPDX-License-Identifier: Apache-2.0
//
// Names for ids: what the disassembler prints for them.
//
// The one idea: most ids are called by their number, and a number needs no storage. So a name is 8 bytes (where, how
// long) beside the id, zero meaning "its number", and only real names occupy the pool.
//
// Friendly names follow the newest spirv-dis: the first of OpName, OpDecorate BuiltIn and the defining instruction to
// come in file order names an id; a name that is taken gets `_0`, `_1`, ... Here that search is linear in total: each base
// name remembers the suffix it has come to.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/instruction.h"
#include "vireo/spirv/word.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// The texts of ids, `%` included. Without names every id is its number.
class IdNames {
 public:
  /// Longest name, given or derived, before any suffix; an id with a longer one is called by its number. Unit: bytes.
  static constexpr std::size_t max_name_bytes = 256;

  struct Place {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;  ///< 0 = the id's number
  };

  /// Numbers for all.
  IdNames() = default;

  /// Friendly names for a module, from one pass over it. Works on broken modules: goes as far as they go.
  static IdNames friendly(Words module, const Grammar& grammar);

  [[nodiscard]] Place find(Word id) const {
    if (id < dense_count_) return dense_.get()[id];
    if (sparse_.empty()) return {};
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? Place{} : found->second;
  }

  /// Whether every id is called by its number.
  [[nodiscard]] bool is_empty() const { return pool_.empty(); }

  /// The pool that places point into; 32 bytes are readable from each.
  [[nodiscard]] const char* pool() const { return pool_.data(); }

  /// The text of an id with its `%`, for those who are not in a hurry.
  [[nodiscard]] std::string text_of(Word id) const;

 private:
  // Only the namer writes; all others see places and the pool.
  friend class FriendlyNamer;

  struct Free {
    void operator()(Place* p) const { std::free(p); }
  };
  std::unique_ptr<Place, Free> dense_;  // zeroed lazily by the system
  std::size_t dense_count_ = 0;
  IdMap<Place> sparse_;  // ids far beyond what the module's size explains
  std::string pool_;
};

}  // namespace vireo::spirv
