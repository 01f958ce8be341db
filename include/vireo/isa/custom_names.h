// SPDX-License-Identifier: Apache-2.0
//
// The texts of custom fields, from a table of names.
//
// The one idea: one table serves both directions, so that what is printed is read again. Its rows come from the description
// (`<vireo-names>`) and from texts such as the firmware of one chip has beside it; the latter go before. A field takes the
// rows whose kind its name begins with, whatever the case: CONTROL_REG those of kind `control`.
//
//   CustomNames names(model);
//   Printer printer(decoder, {.listener = &names});
//   Assembler assembler(decoder, {.custom = &names, .listener = &names});
//
// A value with a name is written `@NAME`, of kind `sqe` `%NAME`; another one as `0x` and at least three hexadecimal digits.
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

/// Owns its rows: neither the model nor the texts need to outlive it.
class VIREO_API CustomNames final : public PrintListener, public CustomReader {
 public:
  /// A name for a number, of fields whose names begin with `kind`.
  struct Row {
    std::string kind;  ///< lower case
    std::uint64_t value = 0;
    std::string name;
  };

  CustomNames() = default;
  /// With the rows of a description.
  explicit CustomNames(const Model& model);

  /// Adds the rows of a text: lines KIND<TAB>VALUE<TAB>NAME. They go before the description's, and behind those of texts
  /// that were added earlier. False when a line is none, which is reported with its place.
  bool add(std::string_view text, Diagnostics& diagnostics);

  /// In the order in which they are searched: the first row of a number is printed, the first of a name is read.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

  void custom(std::string_view field, std::uint64_t value, std::string& text) override;
  /// A name with its mark, behind it perhaps `+1` or `+0x1`; or a number.
  void read(std::string_view field, std::string_view text, std::vector<Reading>& readings) override;

 private:
  std::vector<Row> rows_;
  std::size_t added_ = 0;  // rows of texts, which stand first
};

}  // namespace vireo::isa
