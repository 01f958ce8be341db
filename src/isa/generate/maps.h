// SPDX-License-Identifier: Apache-2.0
//
// The maps in `<encode>`, with which a description accesses structures of the user's program.
//
// A map is an expression in the user's language over `src`, the current structure, `s`, the user's state,
// and `p`, the params. The generator finds a map by the exact name of its field, and copies it in parentheses without
// parsing it. A text that could break out of the parentheses is rejected. docs/isa-tools.md.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/generate.h"

namespace vireo::isa::generate {

class Maps {
 public:
  Maps(const Model& model, const GenerateOptions& options) : model_(model), options_(options) { find_params(); }

  /// Reports types and maps that are invalid within a function: unbalanced brackets, a statement, a directive.
  std::optional<Reported> refusal(Diagnostics& diagnostics) const;

  /// The map of a field of this name: the leaf's own, or its nearest ancestor's; null if there is none.
  [[nodiscard]] const EncodeMap* find(const Bitset& leaf, NameId field) const;
  /// Returns the text of a map in parentheses.
  [[nodiscard]] static std::string expression(const EncodeMap& map);
  /// Whether the map is assignable: a path of names, members and indices that starts at `src`.
  [[nodiscard]] static bool is_place(const EncodeMap& map);

  /// Whether the root has an encode type, which names the user's structure.
  [[nodiscard]] static bool has_type(const Bitset& root) { return root.has_encode && !root.encode_type.empty(); }
  [[nodiscard]] static bool is_pointer(const Bitset& root) { return root.encode_type.ends_with('*'); }
  [[nodiscard]] static std::string type(const Bitset& root);
  /// "uint8_t src": the declaration of the parameter.
  [[nodiscard]] static std::string declaration(const Bitset& root);

  /// Whether the root has several leaves. Then a user function selects the leaf.
  [[nodiscard]] bool has_choice(const Bitset& root) const { return model_.leaves(root).size() > 1; }
  /// `add.f` with the prefix `OPC_` → "OPC_ADD_F".
  [[nodiscard]] std::string case_label(const Bitset& leaf) const;
  /// "ir3_pack_multisrc_case": the name of a user function for a root.
  [[nodiscard]] std::string users_function(const Bitset& root, std::string_view what) const;
  /// `#reg-gpr` → "reg_gpr".
  [[nodiscard]] std::string plain_name(const Bitset& bitset) const;

  /// Inner names of params that some map mentions as `p->NAME`, sorted by name.
  [[nodiscard]] const std::set<std::string>& params() const { return params_; }
  [[nodiscard]] std::string params_type() const;

  /// The enums of case labels, in the order of the roots.
  [[nodiscard]] std::string labels_enum() const;

 private:
  void find_params();

  const Model& model_;
  const GenerateOptions& options_;
  std::set<std::string> params_;
};

}  // namespace vireo::isa::generate
