// SPDX-License-Identifier: Apache-2.0
//
// The texts of custom fields, from a table of names.
//
// The printer and the assembler use one table, so every printed name can be assembled. Its rows come from
// the description (`<vireo-names>`) and from additional texts, such as the names of one chip's firmware. Rows of
// additional texts take precedence. A field uses the rows whose kind is a prefix of its name, ignoring case:
// CONTROL_REG uses rows of kind `control`.
//
//   CustomNames names(model);
//   Printer printer(decoder, {.listener = &names});
//   Assembler assembler(decoder, {.custom = &names, .listener = &names});
//
// A value with a name is written as `@NAME` (`%NAME` for kind `sqe`), any other value as `0x` and at least three
// hexadecimal digits.
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

/// A table of names for the values of custom fields. Owns its rows and borrows nothing.
class VIREO_API CustomNames final : public PrintListener, public CustomReader {
 public:
  /// A name for a number in fields whose names begin with `kind`.
  struct Row {
    std::string kind;  ///< lower case
    std::uint64_t value = 0;
    std::string name;
  };

  CustomNames() = default;
  /// A table with the rows of a description.
  explicit CustomNames(const Model& model);

  /// Adds the rows of a text: lines KIND<TAB>VALUE<TAB>NAME. They precede the description's rows and follow the rows of
  /// texts added earlier. Reports malformed lines with byte ranges of `text`. Returns false if `diagnostics` contains
  /// errors, also earlier ones.
  bool add(std::string_view text, Diagnostics& diagnostics);

  /// The rows in search order: a value is printed with its first row, and a name is read with its first row.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

  void custom(std::string_view field, std::uint64_t value, std::string& text) override;
  /// Reads a name with its `@` or `%`, optionally followed by an offset (`+1` or `+0x1`), or a number.
  void read(std::string_view field, std::string_view text, std::vector<Reading>& readings) override;

 private:
  std::vector<Row> rows_;
  std::size_t added_ = 0;  // number of rows from texts, which come first
};

}  // namespace vireo::isa
