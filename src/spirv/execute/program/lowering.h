// SPDX-License-Identifier: Apache-2.0
//
// Lowering: makes the Program of an entry point from a module.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spirv/execute/program/program.h"
#include "spirv/execute/program/type_cells.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// Reads a valid module; the facts have the values of specialization constants. Reports each instruction that the
/// executor does not support.
Result<Program> lower(const Facts& facts, const EntryPointRow& entry, Diagnostics& diagnostics);

/// What the lowering of functions needs of the module.
class Lowering {
 public:
  Lowering(const Facts& facts, Diagnostics& diagnostics);

  Result<Program> run(const EntryPointRow& entry);

 private:
  friend class FunctionLowering;

  /// The cells of a constant or of a variable of the module; none if the id is neither.
  CellRef module_value(Word id);
  void add_constant(Word id, CellRef cells);
  void add_variable(Word id);
  std::uint32_t function_index(Word id);
  std::uint32_t shape_index(const PlacedType& type, InstructionIndex source);
  CellRef take_module_cells(std::uint32_t count);
  /// Whether objects of a storage class have an explicit layout.
  [[nodiscard]] bool is_explicit(StorageClass storage, Word type) const;
  /// Whether a type is an array whose elements are descriptors: an array of blocks.
  [[nodiscard]] bool is_descriptor_array(const PlacedType& type) const;
  /// The descriptors of an array of arrays; 0 if the outermost array has no length.
  [[nodiscard]] std::uint64_t descriptor_count(Word type) const;
  void measure_stack();
  void read_group_size(Word function);
  void unsupported(InstructionIndex source, std::string_view what);

  const Facts& facts_;
  const Module& module_;
  const Types& types_;
  const Constants& constants_;
  const Decorations& decorations_;
  Diagnostics& diagnostics_;
  TypeCells cells_;
  Program program_;
  std::unordered_map<Word, CellRef> values_;           // of the module, by id
  std::unordered_map<Word, std::uint32_t> functions_;  // by id; lowered in this order
  std::vector<Word> waiting_;                          // functions that are not lowered yet
  std::map<PlacedType, std::uint32_t> shapes_;
  std::optional<Reported> failure_;
  std::set<std::string> unsupported_;  // what has been reported
};

}  // namespace vireo::spirv
