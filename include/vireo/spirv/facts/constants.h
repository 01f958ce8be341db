// SPDX-License-Identifier: Apache-2.0
//
// Constants: the value of each constant of a module, as far as it can be known.
//
// The one idea: a constant is declared before it is used, so one pass in the order of declaration can evaluate them all:
// the operands of an OpSpecConstantOp have their values already. A value says how far it may be trusted: it is known, it
// depends on specialization (and what stands there is the default), or nobody can tell.
//
//   const Constants constants = Constants::read(module, types, decorations);
//   if (std::optional<std::uint64_t> length = constants.as_u64(array.length)) …
//
// Total on broken input: what does not fit is Unknown, and so is what the specification leaves undefined (a division by
// zero, a shift by the width or more, a float that fits no integer).
//
// Source: specification 3.42.7, "Constant-Creation Instructions", with OpSpecConstantOp; 2.9 (specialization).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vireo/spirv/detail/declaration_table.h"
#include "vireo/spirv/facts/decorations.h"
#include "vireo/spirv/facts/types.h"
#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/id.h"

namespace vireo::spirv {

using ConstantIndex = Id<struct ConstantTag, std::uint32_t>;  ///< index into Constants::rows()

/// What a constant is made of.
enum class ConstantKind : std::uint8_t {
  None,  ///< no constant at all: of the row that stands for "no such constant"
  Bool,
  Int,
  Float,
  Null,       ///< of any type: all of its scalars are zero or false
  Composite,  ///< has parts
  Repeated,   ///< one part stands for all of them (OpConstantCompositeReplicateEXT)
  Undef,      ///< OpUndef among the globals
  Other,      ///< samplers, pipes, pointers to functions, what a newer grammar brings; and what cannot be evaluated
};

/// How far a value may be trusted. Of a composite: as far as the least of its parts.
enum class ConstantStatus : std::uint8_t {
  Known,
  SpecDependent,  ///< the value is the default, or computed from defaults
  Unknown,
};

/// One constant, or a part of an evaluated one that no instruction defines (`id` 0).
struct VIREO_API ConstantRow {
  Word id = 0;
  InstructionIndex instruction;  ///< none of a part
  TypeIndex type;                ///< none when the result type is no type
  ConstantKind kind = ConstantKind::None;
  ConstantStatus status = ConstantStatus::Unknown;
  bool is_spec = false;  ///< defined by one of the OpSpecConstant… instructions
  /// Of a scalar: its bits, zero above the width; of wider types the lowest 64. Bool: 0 or 1. Of Composite and Repeated:
  /// where its parts stand, which Constants::parts() knows.
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

/// A value for all specialization constants with a SpecId.
struct VIREO_API Specialization {
  Word spec_id = 0;
  std::uint64_t bits = 0;  ///< as wide as the constant's type; what is above its width is ignored
};

/// What specialization constants are worth.
struct VIREO_API ConstantOptions {
  enum class Defaults : std::uint8_t {
    Depend,  ///< constants that are not specialized here are SpecDependent
    Freeze,  ///< their defaults are their values
  };
  std::span<const Specialization> specializations = {};  ///< the last one of a SpecId counts
  Defaults defaults = Defaults::Depend;
};

/// Which values a question wants.
enum class ValueUse : std::uint8_t {
  Known,      ///< only those that nothing can change
  OrDefault,  ///< those that specialization may change, too
};

/// The constants of a module, evaluated.
class VIREO_API Constants {
 public:
  /// Evaluates all constants of a module. The module and its types must outlive the result and stay in their places.
  /// Linear: evaluation makes at most as many parts as the module has words, and 4,096 more. A constant that would need
  /// more is Unknown.
  static Constants read(const Module& module, const Types& types, const Decorations& decorations,
                        const ConstantOptions& options = {});
  static Constants read(const Module&& temporary, const Types& types, const Decorations& decorations,
                        const ConstantOptions& options = {}) = delete;

  /// In the order of declaration, parts of evaluated ones in between.
  [[nodiscard]] std::span<const ConstantRow> rows() const { return rows_; }
  [[nodiscard]] const ConstantRow& row(ConstantIndex i) const { return i.is_none() ? nothing() : rows_[i.index()]; }
  [[nodiscard]] ConstantIndex index_of(Word id) const { return by_id_.get(id); }
  /// The constant with an id; nullptr when the id is none.
  [[nodiscard]] const ConstantRow* find(Word id) const {
    const ConstantIndex i = index_of(id);
    return i.is_none() ? nullptr : &rows_[i.index()];
  }
  /// The same, with a row of kind None instead of nullptr.
  [[nodiscard]] const ConstantRow& of(Word id) const { return row(index_of(id)); }

  /// The parts of Composite, one by one, and the one of Repeated; none where no constant stands.
  [[nodiscard]] std::span<const ConstantIndex> parts(const ConstantRow& constant) const {
    if (!constant.has_parts()) return {};
    return std::span(parts_).subspan(static_cast<std::uint32_t>(constant.bits), constant.part_count());
  }

  // Integers (Null included). Nothing for other types, for values that are not known enough, and for numbers that the
  // result cannot hold: as_u64 of -1, as_i64 of 2^63. The type's signedness says what the bits mean.
  [[nodiscard]] std::optional<std::uint64_t> as_u64(Word id, ValueUse use = ValueUse::Known) const;
  [[nodiscard]] std::optional<std::int64_t> as_i64(Word id, ValueUse use = ValueUse::Known) const;
  [[nodiscard]] std::optional<bool> as_bool(Word id, ValueUse use = ValueUse::Known) const;
  /// A float of 16, 32 or 64 bits (bfloat16 included), exactly.
  [[nodiscard]] std::optional<double> as_double(Word id, ValueUse use = ValueUse::Known) const;
  /// The words of the literal that OpConstant or OpSpecConstant states, lowest first, of any width. Borrowed from the
  /// module's words; empty for all other constants.
  [[nodiscard]] Words literal(const ConstantRow& constant) const;

  /// Bytes that are held.
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
};

}  // namespace vireo::spirv
