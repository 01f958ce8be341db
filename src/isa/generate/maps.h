// SPDX-License-Identifier: Apache-2.0
//
// `<encode>` and its maps: what a description says about the structures of its user.
//
// The one idea: a map is an expression of the user's language, over `src`, the structure at hand, `s`, the user's state, and
// `p`, the params. It is text for the user's compiler and nothing else: it is looked up by the exact name of a field, put
// between parentheses, and never taken apart. What could break out of its parentheses is refused. docs/isa-tools.md.
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

  /// Reports types and maps that cannot stand in a function: brackets that do not match, a statement, a directive.
  std::optional<Reported> refusal(Diagnostics& diagnostics) const;

  /// The map of a field of this name, the leaf's own or its nearest ancestor's; null: nobody has one.
  [[nodiscard]] const EncodeMap* find(const Bitset& leaf, NameId field) const;
  /// A map between parentheses.
  [[nodiscard]] static std::string expression(const EncodeMap& map);
  /// Whether something can be assigned to it: a path of names, members and indices that starts at `src`.
  [[nodiscard]] static bool is_place(const EncodeMap& map);

  /// Whether users have a structure for a root: it has an encode type.
  [[nodiscard]] static bool has_type(const Bitset& root) { return root.has_encode && !root.encode_type.empty(); }
  [[nodiscard]] static bool is_pointer(const Bitset& root) { return root.encode_type.ends_with('*'); }
  [[nodiscard]] static std::string type(const Bitset& root);
  /// "uint8_t src", as a parameter is declared.
  [[nodiscard]] static std::string declaration(const Bitset& root);

  /// Of several leaves the user's own function says which it is; where there is one, nobody is asked.
  [[nodiscard]] bool has_choice(const Bitset& root) const { return model_.leaves(root).size() > 1; }
  /// `add.f` with the prefix `OPC_` → "OPC_ADD_F".
  [[nodiscard]] std::string case_label(const Bitset& leaf) const;
  /// "ir3_pack_multisrc_case": a function of the user's, for a root.
  [[nodiscard]] std::string users_function(const Bitset& root, std::string_view what) const;
  /// `#reg-gpr` → "reg_gpr".
  [[nodiscard]] std::string plain_name(const Bitset& bitset) const;

  /// Inner names of params that some map mentions as `p->NAME`, in the order of their names.
  [[nodiscard]] const std::set<std::string>& params() const { return params_; }
  [[nodiscard]] std::string params_type() const;

  /// The interface's remark on what users have to provide: functions, in the order of the roots.
  [[nodiscard]] std::string labels_enum() const;

 private:
  void find_params();

  const Model& model_;
  const GenerateOptions& options_;
  std::set<std::string> params_;
};

}  // namespace vireo::isa::generate
