// SPDX-License-Identifier: Apache-2.0
//
// ModuleText: a module as lines of assembly, for tests that rewrite modules.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vireo::spirv::test {

struct AssemblyLine {
  std::string id;  ///< "%color"; empty: no result
  std::string opcode;
  std::vector<std::string> operands;  ///< without the result; a string with its quotes

  friend bool operator==(const AssemblyLine&, const AssemblyLine&) = default;
};

class ModuleText {
 public:
  /// Reads assembly text with one instruction per line. Comment lines are kept before all instructions.
  explicit ModuleText(std::string_view text);
  [[nodiscard]] std::string text() const;

  std::vector<AssemblyLine> lines;

  /// The instruction with this result; nullptr if there is none. Valid until `lines` changes.
  [[nodiscard]] AssemblyLine* find(std::string_view id);
  /// The index of the first line with this opcode; none if there is none.
  [[nodiscard]] std::optional<std::size_t> index_of(std::string_view opcode) const;
  [[nodiscard]] std::optional<std::size_t> index_of_id(std::string_view id) const;
  /// The declaration of this type; nullptr if there is none. Valid until `lines` changes.
  [[nodiscard]] const AssemblyLine* find_type(std::string_view opcode, const std::vector<std::string>& operands) const;
  [[nodiscard]] bool has(std::string_view opcode) const { return index_of(opcode).has_value(); }
  /// Declares a capability or an extension, unless the module has it.
  void add_capability(std::string_view name);
  void add_extension(std::string_view name);
  /// A new id: "%form_array1".
  std::string new_id(std::string_view stem);

 private:
  std::string comments_;
  std::size_t ids_ = 0;
};

}  // namespace vireo::spirv::test
