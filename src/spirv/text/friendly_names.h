// SPDX-License-Identifier: Apache-2.0
//
// The names that the disassembler prints for ids.
//
// Most ids are printed as their number, which needs no storage. Each id has 8 bytes (offset and length of
// the name), where zero means its number. The pool contains only other names.
//
// Friendly names match the newest spirv-dis: OpName, OpDecorate BuiltIn or the defining instruction names an id,
// whichever comes first in the file. A name that is in use gets a suffix `_0`, `_1`, ... This search is linear in
// total, because each base name records its last suffix.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// The texts of ids, with `%`. Without names the text of every id is its number.
class IdNames {
 public:
  /// The longest name from OpName or derived, without suffix, in bytes. An id with a longer name is printed as its
  /// number.
  static constexpr std::size_t max_name_bytes = 256;

  struct Place {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;  ///< 0 = the id is printed as its number
  };

  /// No names: every id is printed as its number.
  IdNames() = default;

  /// Friendly names for a module, from one pass. For an invalid module the pass ends where the module cannot be parsed.
  static IdNames friendly(Words module, const Grammar& grammar);

  [[nodiscard]] Place find(Word id) const {
    if (id < dense_count_) return dense_.get()[id];
    if (sparse_.empty()) return {};
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? Place{} : found->second;
  }

  /// Whether every id is printed as its number.
  [[nodiscard]] bool is_empty() const { return pool_.empty(); }

  /// The pool that places refer to; 32 bytes are readable from each place.
  [[nodiscard]] const char* pool() const { return pool_.data(); }

  /// The text of an id with its `%`; allocates a string, so not for the fast path.
  [[nodiscard]] std::string text_of(Word id) const;

 private:
  // Only FriendlyNamer writes the members; all other code reads places and the pool.
  friend class FriendlyNamer;

  struct Free {
    void operator()(Place* p) const { std::free(p); }
  };
  std::unique_ptr<Place, Free> dense_;  // the system zeroes each page at its first use
  std::size_t dense_count_ = 0;
  IdMap<Place> sparse_;  // ids that are far too high for the size of the module
  std::string pool_;
};

}  // namespace vireo::spirv
