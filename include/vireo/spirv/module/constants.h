// SPDX-License-Identifier: Apache-2.0
//
// Constants: the value of each constant of a module, if it can be computed.
//
// A constant is declared before it is used, so one pass in the order of declaration can evaluate all
// constants. The operands of an OpSpecConstantOp already have their values. Each value has a status: known; dependent
// on specialization, with the default as its value; or unknown.
//
//   const Constants constants = Constants::read(module, types, decorations);
//   if (std::optional<std::uint64_t> length = constants.as_u64(array.length)) …
//
// Accepts invalid modules: an ill-formed constant is Unknown. An undefined result is Unknown too: a division by zero, a
// shift by the width or more, a float that is out of the range of an integer type.
//
// Source: specification 3.42.7, "Constant-Creation Instructions", with OpSpecConstantOp; 2.9 (specialization).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vireo/spirv/module/declaration_table.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/id.h"

namespace vireo::spirv {

using ConstantIndex = Id<struct ConstantTag, std::uint32_t>;  ///< index into Constants::rows()

/// The kind of a constant.
enum class ConstantKind : std::uint8_t {
  None,  ///< not a constant: the row that row() and of() return if there is no constant
  Bool,
  Int,
  Float,
  Null,       ///< a constant of any type whose scalars are all zero or false
  Composite,  ///< has parts
  Repeated,   ///< all parts are equal, and only one is stored (OpConstantCompositeReplicateEXT)
  Undef,      ///< OpUndef in the section of globals
  Other,      ///< any other constant: samplers, pipes, function pointers, constants that only a newer grammar defines
};

/// The status of a value, from certain to unknown. A composite has the highest enumerator among its parts.
enum class ConstantStatus : std::uint8_t {
  Known,          ///< specialization cannot change the value
  SpecDependent,  ///< specialization can change the value; it is the default, or computed from defaults
  Unknown,
};

/// One constant. If `id` is 0, no instruction defines it: it is a part of a composite that was evaluated.
struct VIREO_API ConstantRow {
  Word id = 0;
  InstructionIndex instruction;  ///< none if `id` is 0
  TypeIndex type;                ///< none if the result type is not a declared type
  ConstantKind kind = ConstantKind::None;
  ConstantStatus status = ConstantStatus::Unknown;
  bool is_spec = false;  ///< the opcode is OpSpecConstant…
  /// A composite that OpSelect chose: the status of the condition. Its parts are at most as reliable, although their own
  /// rows do not show it.
  ConstantStatus choice = ConstantStatus::Known;
  /// A scalar: its bits, zero above the width; if the type is wider than 64 bits, the lowest 64. Bool: 0 or 1.
  /// Composite and Repeated: an internal position, which Constants::parts() decodes.
  std::uint64_t bits = 0;

  [[nodiscard]] constexpr bool has_parts() const {
    return kind == ConstantKind::Composite || kind == ConstantKind::Repeated;
  }
  [[nodiscard]] constexpr std::uint32_t part_count() const {
    return has_parts() ? static_cast<std::uint32_t>(bits >> 32) : 0;
  }
  [[nodiscard]] constexpr bool is_scalar() const { return kind >= ConstantKind::Bool && kind <= ConstantKind::Float; }
};

static_assert(sizeof(ConstantRow) == 24);

/// A value for all specialization constants with this SpecId.
struct VIREO_API Specialization {
  Word spec_id = 0;
  std::uint64_t bits = 0;  ///< the bits of the value; bits above the width of the constant's type are ignored
};

/// The values of specialization constants.
struct VIREO_API ConstantOptions {
  enum class Defaults : std::uint8_t {
    Depend,  ///< specialization constants without an entry in `specializations` are SpecDependent
    Freeze,  ///< specialization constants without an entry in `specializations` are Known, with their defaults
  };
  std::span<const Specialization> specializations = {};  ///< if several have the same SpecId, the last one applies
  Defaults defaults = Defaults::Depend;
};

/// The values that a query accepts.
enum class ValueUse : std::uint8_t {
  Known,      ///< only values that specialization cannot change
  OrDefault,  ///< also values that specialization can change
};

/// The constants of a module, evaluated.
class VIREO_API Constants {
 public:
  /// Evaluates all constants of a module. The module and its types must outlive the result and must not move;
  /// `decorations` and `options` are borrowed during the call. Linear in the words: evaluation creates at most eight
  /// parts for each word of the module, plus 4,096. A constant that would need more parts is Unknown.
  static Constants read(const Module& module, const Types& types, const Decorations& decorations,
                        const ConstantOptions& options = {});
  static Constants read(const Module&& temporary, const Types& types, const Decorations& decorations,
                        const ConstantOptions& options = {}) = delete;

  /// Evaluates the constants of the same module again, with other options. `decorations` must be those of read(). Reuses
  /// memory; allocates more only if the new values need more parts, or if `options.specializations` is not ascending by
  /// SpecId.
  void evaluate(const Decorations& decorations, const ConstantOptions& options);

  /// All constants in the order of declaration. Parts without an instruction precede the constant whose evaluation
  /// created them.
  [[nodiscard]] std::span<const ConstantRow> rows() const;
  [[nodiscard]] const ConstantRow& row(ConstantIndex i) const { return i.is_none() ? nothing() : rows_[i.index()]; }
  [[nodiscard]] ConstantIndex index_of(Word id) const { return by_id_.get(id); }
  /// The constant with this id; nullptr if the id is not a constant.
  [[nodiscard]] const ConstantRow* find(Word id) const {
    const ConstantIndex i = index_of(id);
    return i.is_none() ? nullptr : &rows_[i.index()];
  }
  /// The constant with this id; a row of kind None if the id is not a constant.
  [[nodiscard]] const ConstantRow& of(Word id) const { return row(index_of(id)); }

  /// The parts of a Composite, or the single part of a Repeated. If a part is not a constant, its index is none().
  [[nodiscard]] std::span<const ConstantIndex> parts(const ConstantRow& constant) const;

  // The values of scalar constants, also of kind Null. Each function returns std::nullopt if the constant has another
  // type or `use` does not accept its status. The same applies to a value out of the range of the result: as_u64 of -1,
  // as_i64 of 2^63. The signedness of the integer type determines the value.
  [[nodiscard]] std::optional<std::uint64_t> as_u64(Word id, ValueUse use = ValueUse::Known) const;
  [[nodiscard]] std::optional<std::int64_t> as_i64(Word id, ValueUse use = ValueUse::Known) const;
  [[nodiscard]] std::optional<bool> as_bool(Word id, ValueUse use = ValueUse::Known) const;
  /// The exact value of a float of 16, 32 or 64 bits, also of BFloat16.
  [[nodiscard]] std::optional<double> as_double(Word id, ValueUse use = ValueUse::Known) const;
  /// The words of the literal of OpConstant or OpSpecConstant, of any width, low-order word first. Borrowed from the
  /// module's words; empty for all other constants.
  [[nodiscard]] Words literal(const ConstantRow& constant) const;

  /// Allocated bytes.
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class ConstantReader;
  Constants(const Module& module, const Types& types) : module_(&module), types_(&types), by_id_(module) {}
  static const ConstantRow& nothing();
  [[nodiscard]] const ConstantRow* usable(Word id, TypeKind kind, ValueUse use) const;

  const Module* module_;
  const Types* types_;
  std::vector<ConstantRow> rows_;
  std::vector<ConstantIndex> parts_;
  DeclarationTable<ConstantIndex> by_id_;
  std::vector<ConstantIndex> path_;  // memory of evaluation
};

}  // namespace vireo::spirv
