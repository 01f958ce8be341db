// SPDX-License-Identifier: Apache-2.0
//
// ModuleDiff: what two modules have in common, and what differs.
//
//   const Result<ModuleDiff> diff = ModuleDiff::compare(before, after, {}, diagnostics);
//   if (diff && !diff->is_equal()) write_diff_text(*diff, {.before_name = "a.spv", .after_name = "b.spv"}, sink);
//
// Modules are compared by meaning. Ids are compared by their definitions, not by their numbers. The order
// of instructions outside functions, of functions, and of the blocks of a function has no meaning and is ignored.
//
// The header counts, except the bound. OpLine and OpNoLine outside functions count only for the definitions that they
// apply to.
//
// A difference is minimal for small changes. For large ones it is always complete, but it may list more than necessary.
//
// Source: specification 2.2 (ids), 2.4 (logical layout), 2.16.1 (order of blocks).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"
#include "vireo/support/owned.h"
#include "vireo/support/result.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// Differences that do not count.
struct VIREO_API DiffOptions {
  const Grammar* grammar = nullptr;  ///< nullptr = the built-in one; borrowed as long as the ModuleDiff
  /// Names and debug information, as strip() removes them with `names` and `debug`, and the generator in the header.
  bool ignore_debug = false;
  bool ignore_set_binding = false;  ///< the decorations DescriptorSet and Binding
  bool ignore_location = false;     ///< the decoration Location
};

enum class ChangeKind : std::uint8_t {
  Removed,  ///< the instruction is only in the first module
  Added,    ///< the instruction is only in the second module
  Changed,  ///< the instruction has other operands, or was replaced
  Moved,    ///< the instruction has another place in its function; its operands may differ, too
};

/// One difference. The indexes are those of ModuleDiff::before() and after().
struct VIREO_API ModuleChange {
  ChangeKind kind = ChangeKind::Changed;
  InstructionIndex before;  ///< none for Added
  InstructionIndex after;   ///< none for Removed
};

/// An id of the first module, and the id of the second one that corresponds to it.
struct VIREO_API IdPair {
  Word before = 0;
  Word after = 0;
};

/// The result of a comparison. Immutable: any number of threads may read it.
class VIREO_API ModuleDiff {
 public:
  /// Compares two modules in host byte order, which may be invalid. The words are borrowed as long as the ModuleDiff.
  /// Errors: a module has no header, or an instruction cannot be decoded. Near-linear in the words.
  static Result<ModuleDiff> compare(Words before, Words after, const DiffOptions& options, Diagnostics& diagnostics);
  ModuleDiff(ModuleDiff&&) noexcept;
  ModuleDiff& operator=(ModuleDiff&&) noexcept;
  ~ModuleDiff();

  /// Whether there is no difference, neither in the header nor in an instruction.
  [[nodiscard]] bool is_equal() const;
  /// In the order of the text: that of the first module. Additions are where they are in the second module.
  [[nodiscard]] std::span<const ModuleChange> changes() const;
  /// Whether the versions of SPIR-V differ.
  [[nodiscard]] bool version_differs() const;
  /// Whether the schemas in the headers differ. The specification reserves them; they are 0.
  [[nodiscard]] bool schema_differs() const;
  /// Whether the generators differ. Always false with DiffOptions::ignore_debug.
  [[nodiscard]] bool generator_differs() const;

  /// The modules that were compared: the arguments of compare(), or what is left without debug information.
  [[nodiscard]] Words before() const;
  [[nodiscard]] Words after() const;
  /// The ids that correspond to each other, ascending by the id in the first module. If the modules are equal, some
  /// pairs may be interchangeable with others. Near-linear in the ids.
  [[nodiscard]] std::vector<IdPair> id_pairs() const;

 private:
  struct Data;
  friend class DiffPrinter;
  explicit ModuleDiff(Data* data);

  Owned<Data> data_;
};

/// Options of the functions below.
struct VIREO_API DiffTextOptions {
  std::string before_name = "before";  ///< for the first lines: names of files
  std::string after_name = "after";
  std::uint32_t context = 3;  ///< unchanged lines around each change
  bool header = true;         ///< writes differences of the header
  bool color = false;         ///< ANSI escapes
  /// The name of an id of a module, with its `%`; empty: the names of the disassembler. For modules from a text.
  Function<std::string(Word id)> name_of_id_before = {};
  Function<std::string(Word id)> name_of_id_after = {};
};

/// Writes the differences in the unified format of diff. A line is an instruction; line numbers are those of the
/// disassembly with its header, in which a line feed in a string counts as no line. Corresponding ids have the names of
/// the first module. Writes nothing if the modules are equal. Returns whether the sink accepted all text.
VIREO_API bool write_diff_text(const ModuleDiff& diff, const DiffTextOptions& options, TextSink& sink);

/// Writes one JSON document (docs/diff.md). Returns whether the sink accepted all text.
VIREO_API bool write_diff_json(const ModuleDiff& diff, const DiffTextOptions& options, TextSink& sink);

}  // namespace vireo::spirv
