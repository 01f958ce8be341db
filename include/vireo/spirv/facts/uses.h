// SPDX-License-Identifier: Apache-2.0
//
// Uses: where each id of a module is used.
//
// The one idea: every instruction is matched with the grammar once, and what is found is sorted by id, by counting. So all
// operands are found that the grammar knows: those of masks' parameters, of extended instructions, of the opcode inside
// OpSpecConstantOp. A definition is no use.
//
//   const Uses uses = Uses::read(module);
//   for (const Use& use : uses.of(id)) … module.instruction(use.instruction).word(use.word) == id …
//
// Total on broken input: an instruction that does not match the grammar is listed, and gives the uses in front of the
// fault. Eight bytes a use, four an id; linear but for ids far beyond what the module's size explains, which are sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "vireo/spirv/module.h"
#include "vireo/spirv/operand.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// What an id is used for, as far as the using instruction's class says (the grammar's printing classes).
enum class UseKind : std::uint8_t {
  Operand,     ///< of types, constants, code
  ResultType,  ///< as the type of a result
  Mode,        ///< by entry points, execution modes and the memory model
  Debug,       ///< by names, lines and sources: no meaning is lost when these go
  Annotation,  ///< by decorations and their groups
};

/// One operand that is an id.
struct VIREO_API Use {
  InstructionIndex instruction;
  std::uint16_t word = 0;  ///< index within the instruction
  UseKind kind = UseKind::Operand;
  friend constexpr bool operator==(Use, Use) = default;
};
static_assert(sizeof(Use) == 8);

/// An instruction that could not be decoded to its end.
struct VIREO_API UndecodedRow {
  InstructionIndex instruction;
  DecodeFault fault = DecodeFault::None;
};

/// Every use of every id.
class VIREO_API Uses {
 public:
  /// Decodes all instructions of a module. Nothing of the module is borrowed.
  static Uses read(const Module& module);
  /// The same for some ids only: functions, variables outside of functions, groups of decorations, and images that are
  /// combined with samplers. Call graphs and interfaces are made of these, a small part of all uses. Other ids have no
  /// uses here, and no memory is held for them.
  static Uses read_some(const Module& module);

  /// The uses of an id, in the order of the words.
  [[nodiscard]] std::span<const Use> of(Word id) const {
    if (id + std::size_t{1} < begins_.size()) [[likely]] {
      return {uses_.get() + begins_[id], begins_[id + 1] - begins_[id]};
    }
    return find_sparse(id);
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::span<const UndecodedRow> undecoded() const { return undecoded_; }
  /// Bytes that are held.
  [[nodiscard]] std::size_t memory() const {
    return count_ * sizeof(Use) + begins_.capacity() * sizeof(std::uint32_t) + sparse_.capacity() * sizeof(SparseRow) +
           undecoded_.capacity() * sizeof(UndecodedRow);
  }

 private:
  friend class UseReader;
  // An id without a place in begins_: one far beyond the others, or one of the few whose uses were asked for.
  struct SparseRow {
    Word id;
    std::uint32_t first, end;  // in uses_
  };
  struct Free {
    void operator()(Use* uses) const { ::operator delete(uses); }
  };
  [[nodiscard]] std::span<const Use> find_sparse(Word id) const;

  std::vector<std::uint32_t> begins_;  // by id: first of its uses; one more than there are ids
  // By id, then in the order of the words; those of sparse ids behind the others. Each is written once, into memory that
  // nobody cleared.
  std::unique_ptr<Use[], Free> uses_;
  std::size_t count_ = 0;
  std::vector<SparseRow> sparse_;  // ascending by id
  std::vector<UndecodedRow> undecoded_;
};

}  // namespace vireo::spirv
