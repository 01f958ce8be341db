// SPDX-License-Identifier: Apache-2.0
//
// The texts of custom fields, from a table of names.
//
// The one idea: one table serves printing and reading, so every printed name can be read. Its rows come from the
// description (`<vireo-names>`) and from additional texts, such as the names of one chip's firmware, which take
// precedence. A field uses the rows whose kind is a prefix of its name, in any case: CONTROL_REG uses rows of kind
// `control`.
//
//   CustomNames names(model);
//   Printer printer(decoder, {.listener = &names});
//   Assembler assembler(decoder, {.custom = &names, .listener = &names});
//
// A named value is written `@NAME` (`%NAME` for kind `sqe`); others as `0x` and at least three hexadecimal digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/assemble.h"
#include "vireo/isa/model.h"
#include "vireo/isa/print.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::isa {

/// Owns its rows: the model and the texts need not outlive it.
class VIREO_API CustomNames final : public PrintListener, public CustomReader {
 public:
  /// A name for a number in fields whose names begin with `kind`.
  struct Row {
    std::string kind;  ///< lower case
    std::uint64_t value = 0;
    std::string name;
  };

  CustomNames() = default;
  /// With the rows of a description.
  explicit CustomNames(const Model& model);

  /// Adds the rows of a text: lines KIND<TAB>VALUE<TAB>NAME. They precede the description's rows and follow those of
  /// texts added earlier. False if a line is malformed, which is reported with its place.
  bool add(std::string_view text, Diagnostics& diagnostics);

  /// In search order: the first row with a number is printed, the first row with a name is read.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

  void custom(std::string_view field, std::uint64_t value, std::string& text) override;
  /// Reads a name with its mark, optionally followed by `+1` or `+0x1`; or a number.
  void read(std::string_view field, std::string_view text, std::vector<Reading>& readings) override;

 private:
  std::vector<Row> rows_;
  std::size_t added_ = 0;  // number of rows from texts, which come first
};

}  // namespace vireo::isa
