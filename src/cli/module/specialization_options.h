// SPDX-License-Identifier: Apache-2.0
//
// The options that give specialization constants values: --set, --set-name and --values.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/common/command.h"
#include "support/io.h"
#include "vireo/spirv/transform/specialize.h"

namespace vireo::cli {

inline constexpr TextOption set_option("--set=ID=VALUE", "value of the constant with a SpecId; may be repeated",
                                       "ID is a SpecId (3=64, 7=true, 2=1.5, 4=0xff) or the id of the constant "
                                       "(%12=64).");
inline constexpr TextOption set_name_option("--set-name=NAME=VALUE",
                                            "value of the constant with a name; may be repeated");
inline constexpr TextOption values_option("--values=FILE", "values from a JSON object",
                                          "A key is an ID as of --set, or a name: {\"3\": 64, \"scale\": 1.5}. --set "
                                          "and --set-name take precedence. '-' is standard input.",
                                          {.file_purpose = "the values"});

/// The values of these options. They refer to texts of the invocation, which must outlive them.
class ChosenSpecialization {
 public:
  /// Reads the options and the file of --values, whose syntax is checked; its values depend on the module. Returns an
  /// exit status; unless it is `fine`, the problem has been reported.
  int load(const Invocation& invocation);

  [[nodiscard]] bool is_empty() const { return settings_.empty() && !json_; }
  /// The values for the constants of a module. Reports each value that does not fit.
  [[nodiscard]] Result<std::vector<spirv::Specialization>> values(const spirv::Specializer& specializer,
                                                                  Diagnostics& diagnostics) const;

 private:
  // An option --set or --set-name: "3=64".
  struct Setting {
    bool is_name = false;
    std::string_view constant, value;
  };
  int read_file(const Invocation& invocation);

  std::vector<Setting> settings_;
  std::optional<FileBytes> json_;
};

}  // namespace vireo::cli
