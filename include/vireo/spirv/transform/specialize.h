// SPDX-License-Identifier: Apache-2.0
//
// Specializer: gives the specialization constants of a module values, again and again.
//
// The module is analysed once. Each specialization then evaluates the constants and writes the result.
//
//   const Result<Specializer> shader = Specializer::read(words, {}, diagnostics);
//   SpecializerMemory memory;  // one for each thread
//   WordBuffer result;
//   const Specialization values[] = {{.spec_id = 3, .bits = 64}};
//   const auto refused = shader->specialize(values, {.prune = true}, memory, result, diagnostics);
//
// A constant that gets a value becomes OpConstant, OpConstantTrue or OpConstantFalse and loses its SpecId. Each
// OpSpecConstantOp and OpSpecConstantComposite becomes a constant when its value is known (fold_spec_constants() in
// vireo/spirv/transform/spec_constants.h states the exceptions). All other specialization
// constants stay as they are. An OpSpecConstantOp whose result is undefined for the values stays too, and is reported as
// a warning: a division by zero, a shift by the width or more, a float beyond the range of an integer type.
//
// Source: specification 2.9, 2.12 (specialization), 3.42.7 (constant-creation instructions, OpSpecConstantOp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vireo/spirv/environment.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/owned.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// A specialization constant that can get a value: a scalar with a SpecId.
struct VIREO_API SpecConstant {
  enum class Kind : std::uint8_t { Bool, Int, Float };
  Word spec_id = 0;
  Word id = 0;                 ///< result id
  Word type = 0;               ///< id of its type
  std::string_view name = {};  ///< its OpName; empty if it has none. Valid as long as the Specializer
  Kind kind = Kind::Bool;
  bool is_signed = false;          ///< for Int
  std::uint32_t width = 1;         ///< in bits, 1 to 64; 1 for Bool
  std::uint64_t default_bits = 0;  ///< zero above the width
};

/// One entry of VkSpecializationMapEntry (Vulkan specification, "Specialization Constants").
struct VIREO_API SpecMapEntry {
  std::uint32_t spec_id = 0;
  std::uint32_t offset = 0;  ///< of the value in the data, in bytes
  std::size_t size = 0;      ///< of the value, in bytes: 4 for a Boolean, otherwise that of its type
};

/// Options of Specializer::read().
struct VIREO_API SpecializerOptions {
  const Grammar* grammar = nullptr;  ///< nullptr: the built-in one; borrowed by the Specializer
  /// Values that break a rule of this environment are refused.
  Environment environment = {};
  FeatureSet features = {};  ///< as for validate()
};

/// Options of Specializer::specialize().
struct VIREO_API SpecializeOptions {
  /// Gives the constants without a value their default values. Nothing in the result can be specialized.
  bool freeze_rest = false;
  /// Folds branches with a known condition, and removes what is unused then: blocks, functions, code, variables, types,
  /// constants, interface entries. Variables of the storage class Output and specialization constants stay.
  bool prune = false;
};

/// Memory of one thread for Specializer::specialize(). It can be used with one Specializer after another; only the first
/// call with each of them allocates memory for its module. Can be moved.
class VIREO_API SpecializerMemory {
 public:
  SpecializerMemory();
  ~SpecializerMemory();
  SpecializerMemory(SpecializerMemory&& other) noexcept;
  SpecializerMemory& operator=(SpecializerMemory&& other) noexcept;

 private:
  friend class Specializer;
  friend class SpecializeCall;
  struct Parts;
  Owned<Parts> parts_;
};

/// A module and its analysis. Several threads can use one object at once, each with its own SpecializerMemory.
/// Copies share the analysis.
class VIREO_API Specializer {
 public:
  /// Analyses a module in host byte order, and copies its words. Errors: the header is invalid; an instruction cannot be
  /// decoded; the module has a layout violation other than an instruction in a wrong section or an id beyond the bound.
  static Result<Specializer> read(Words words, const SpecializerOptions& options, Diagnostics& diagnostics);
  ~Specializer();
  Specializer(const Specializer& other);
  Specializer(Specializer&& other) noexcept;
  Specializer& operator=(Specializer other) noexcept;

  /// In the order of declaration. Valid as long as this object.
  [[nodiscard]] std::span<const SpecConstant> constants() const;
  // The first constant with this SpecId, id or name; nullptr if there is none. Logarithmic.
  [[nodiscard]] const SpecConstant* find_spec_id(Word spec_id) const;
  [[nodiscard]] const SpecConstant* find_id(Word id) const;
  [[nodiscard]] const SpecConstant* find_name(std::string_view name) const;

  /// A value from texts. `constant` is a SpecId ("3"), an id ("%12") or a name. `value` is `true`, `false`, or a number
  /// as in assembly text (number.h). Errors: no such constant, with the nearest one; a name that constants with
  /// several SpecIds have; the value does not fit its type.
  [[nodiscard]] Result<Specialization> parse_value(std::string_view constant, std::string_view value,
                                                   Diagnostics& diagnostics) const;
  /// The same for a constant with this name, which may look like a number.
  [[nodiscard]] Result<Specialization> parse_named_value(std::string_view name, std::string_view value,
                                                         Diagnostics& diagnostics) const;
  /// Values from a JSON object, whose keys are those of parse_value(): `{"3": 64, "%12": true, "scale": 1.5}`. A string
  /// is a value as in parse_value(). Errors: as there; a text that is no JSON object, with a location in `json`. The errors
  /// of a value have its JSON path.
  [[nodiscard]] Result<std::vector<Specialization>> parse_values(std::string_view json, Diagnostics& diagnostics) const;
  /// Values in the layout of VkSpecializationInfo, appended to `values`. As in Vulkan, an entry whose SpecId the module
  /// lacks has no effect. Errors: an entry is outside of the data, or its size is not that of the constant.
  [[nodiscard]] std::optional<Reported> read_map(std::span<const SpecMapEntry> entries, std::span<const std::byte> data,
                                                 std::vector<Specialization>& values, Diagnostics& diagnostics) const;

  /// Writes the specialized module to `result`. If several values have the same SpecId, the last one applies. Returns
  /// the proof of an error, and leaves `result` unchanged, for: a SpecId that the module lacks,
  /// with the nearest one; a value with bits above the width of its type (for a signed integer, copies of the sign are
  /// permitted); a value with which the module breaks a rule that it did not break before, such as an array of length 0;
  /// no fresh id is left.
  ///
  /// From the second call with the same memory on, memory is allocated only if a call needs more than all calls before
  /// it, or reports something. Values on which a rule can depend, other than array lengths, indexes and workgroup sizes,
  /// are an exception: the validator then checks the result, unless these values are those of the last call. Linear in
  /// the words; near-linear in the values.
  [[nodiscard]] std::optional<Reported> specialize(std::span<const Specialization> values,
                                                   const SpecializeOptions& options, SpecializerMemory& memory,
                                                   WordBuffer& result, Diagnostics& diagnostics) const;

 private:
  friend class SpecializerMemory;
  friend class SpecializeCall;
  struct Data;
  struct SharedData;
  explicit Specializer(SharedData* shared);
  template <typename Value>
  [[nodiscard]] std::span<const std::uint32_t> find_all(const std::vector<std::uint32_t>& sorted,
                                                        Value SpecConstant::*member, const Value& value) const;
  [[nodiscard]] Result<Specialization> value_in(const SpecConstant& constant, std::string_view value,
                                                Diagnostics& diagnostics) const;
  [[nodiscard]] std::optional<Reported> check_value(const Specialization& value, Diagnostics& diagnostics) const;
  // Without `spec_id`, suggests a name that is similar to `name`.
  Reported report_unknown(std::string_view what, std::optional<Word> spec_id, std::string_view name,
                          Diagnostics& diagnostics) const;
  Owned<const SharedData> shared_;  // memories own the data too, so that a memory recognises it
  const Data* data_;
};

}  // namespace vireo::spirv
