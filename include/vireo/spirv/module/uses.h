// SPDX-License-Identifier: Apache-2.0
//
// Uses: where a module uses each id.
//
// Every instruction is decoded by the grammar, so the uses include all id operands. These include parameters of masks,
// operands of extended instructions, and operands of the opcode inside OpSpecConstantOp. A definition is not a use.
//
//   const Uses uses = Uses::read(module);
//   for (const Use& use : uses.of(id)) … module.instruction(use.instruction).word(use.word) == id …
//
// Accepts invalid modules: undecoded() lists the instructions that do not match the grammar; their operands before the
// fault are uses. Memory: eight bytes for each use, four for each id. Reading is linear, except that the uses of ids
// far above the number of words are sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/module/module.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// The kind of a use, by the class of the using instruction (Grammar::printing_classes).
enum class UseKind : std::uint8_t {
  Operand,     ///< in all other instructions: types, constants, functions
  ResultType,  ///< as the result type of an instruction
  Mode,        ///< in entry points, execution modes and the memory model
  Debug,       ///< in names, lines and sources, which do not affect the semantics of the module
  Annotation,  ///< in decorations and their groups
};

/// One use of an id: an operand.
struct VIREO_API Use {
  InstructionIndex instruction;
  std::uint16_t word = 0;  ///< index of the operand's word within the instruction
  UseKind kind = UseKind::Operand;
  friend constexpr bool operator==(Use, Use) = default;
};
static_assert(sizeof(Use) == 8);

/// An instruction that could not be decoded completely, and the reason.
struct VIREO_API UndecodedRow {
  InstructionIndex instruction;
  DecodeFault fault = DecodeFault::None;
};

/// The uses of each id of a module.
class VIREO_API Uses {
 public:
  /// Decodes all instructions of a module. The result does not borrow the module.
  static Uses read(const Module& module);
  /// Reads only the uses of functions, of variables outside functions, of decoration groups and of results of
  /// OpSampledImage. Call graphs and interfaces need only these, which are a small part of all uses. Some uses of other
  /// ids may be included.
  static Uses read_some(const Module& module);

  /// The uses of an id, in the order of the words. Valid as long as this object.
  [[nodiscard]] std::span<const Use> of(Word id) const;
  [[nodiscard]] std::size_t count() const { return uses_.size(); }
  [[nodiscard]] std::span<const UndecodedRow> undecoded() const;
  /// Allocated bytes.
  [[nodiscard]] std::size_t memory() const {
    return uses_.capacity() * sizeof(Use) + begins_.capacity() * sizeof(std::uint32_t) +
           far_ids_.capacity() * sizeof(Word) + undecoded_.capacity() * sizeof(UndecodedRow);
  }

 private:
  friend class UseReader;
  [[nodiscard]] std::span<const Use> find_far(Word id) const;

  std::vector<std::uint32_t> begins_;  // by id: index of its first use; one entry more than ids
  std::vector<Use> uses_;              // by id, then in the order of the words
  std::vector<Word> far_ids_;          // the ids of the last uses_, which have no entry in begins_; ascending
  std::vector<UndecodedRow> undecoded_;
};

}  // namespace vireo::spirv
