// SPDX-License-Identifier: Apache-2.0
//
// Checks a grammar document (grammar_tools.h).
//
// Loading finds all errors; the lints in this file find suspicious contents. They check only the
// document itself, not its base.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <unordered_set>

#include "spirv/grammar/grammar_rules.h"
#include "spirv/grammar/load/compact.h"
#include "spirv/grammar/load/describe_text.h"
#include "spirv/grammar/load/load.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv {
namespace {

class Linter {
 public:
  explicit Linter(LoadedDescription& loaded) : grammar_(loaded.description), faults_(loaded.faults) {}

  /// Lints that need only the description. Extended instructions are not checked: their documents have neither
  /// versions nor classes.
  void run() {
    classes_.insert(grammar_.printing_classes.begin(), grammar_.printing_classes.end());
    for (const InstructionDescription& row : grammar_.instructions) {
      if (!is_from_document(row.origin)) continue;
      availability(row.name, row.availability, row.origin);
      if (is_unreachable(row.availability)) report_unreachable(row.name, row.origin);
      // A document without a list of classes predates such lists, or extends a core grammar that has one.
      const bool is_known = row.printing_class.empty() || classes_.contains(row.printing_class);
      if (!is_known && !classes_.empty()) {
        faults_.warning(rule::grammar_unknown_class, row.origin,
                        fmt::format("class '{}' of '{}' is not listed", row.printing_class, row.name));
      }
    }
    for (const KindDescription& row : grammar_.kinds) kind(row);
    for (const SetDescription& set : grammar_.sets) {
      for (const KindDescription& row : set.kinds) kind(row);
    }
  }

  /// Takes rows, since only rows contain resolved capabilities.
  void capability_cycles(const Grammar& rows) {
    for (const KindDescription& row : grammar_.kinds) {
      if (row.name != "Capability") continue;
      for (const EnumerantDescription& capability : row.enumerants) {
        if (!is_from_document(capability.origin)) continue;
        const EnumerantRow* found = rows.find_value(rows.capability_kind, capability.value);
        if (found == nullptr) continue;
        const auto index = static_cast<std::uint16_t>(found - rows.enumerants.data());
        const std::vector<std::uint16_t> implied = implied_capabilities(rows, index);
        // The closure contains the capability itself only if there is a cycle.
        if (!std::binary_search(implied.begin(), implied.end(), index)) continue;
        faults_.warning(rule::grammar_capability_cycle, capability.origin,
                        fmt::format("capability '{}' implies itself", capability.name));
      }
    }
  }

 private:
  // Rows of the base have no document and are not checked.
  static bool is_from_document(Origin origin) { return origin.document != Origin::no_document; }

  void kind(const KindDescription& row) {
    // If no enumerant of a kind has a requirement, the requirements are those of the instructions that use the kind.
    const bool is_gated = std::any_of(row.enumerants.begin(), row.enumerants.end(),
                                      [](const EnumerantDescription& e) { return !is_unreachable(e.availability); });
    for (const EnumerantDescription& enumerant : row.enumerants) {
      if (!is_from_document(enumerant.origin)) continue;
      availability(enumerant.name, enumerant.availability, enumerant.origin);
      // `None` of a mask needs no capability, as it selects nothing.
      const bool is_no_bit = row.category == Category::BitEnum && enumerant.value == 0;
      if (is_gated && !is_no_bit && is_unreachable(enumerant.availability))
        report_unreachable(enumerant.name, enumerant.origin);
      // Readers split a mask into single bits (specification 3, masks), so a name for several bits is never used.
      if (row.category == Category::BitEnum && std::popcount(enumerant.value) > 1) {
        faults_.warning(rule::grammar_mask_bits, enumerant.origin,
                        fmt::format("'{}' of the mask {} has the value {:#x}, which is more than one bit",
                                    enumerant.name, row.name, enumerant.value));
      }
    }
  }

  void availability(const std::string& name, const Availability& row, Origin origin) {
    if (!row.last.is_none() && row.last < row.since) {
      faults_.warning(rule::grammar_versions, origin,
                      fmt::format("'{}' ends with version {}, before it begins with {}", name, text_of(row.last),
                                  text_of(row.since)));
    }
  }

  // The version "None" means that an item is available only through an extension or a capability (unified1 grammar, key
  // `version`). If it has neither, no module can use the item. A provisional row may still lack both.
  static bool is_unreachable(const Availability& row) {
    return row.since.is_none() && row.extensions.empty() && row.capabilities.empty() && !row.is_provisional;
  }
  void report_unreachable(const std::string& name, Origin origin) {
    faults_.warning(rule::grammar_unreachable, origin,
                    fmt::format("'{}' is in no version, and no extension or capability enables it", name));
  }

  const GrammarDescription& grammar_;
  GrammarFaults& faults_;
  std::unordered_set<std::string> classes_;
};

}  // namespace

bool check_grammar(const GrammarFile& file, const Grammar* base, Diagnostics& diagnostics) {
  LoadedDescription loaded = load_descriptions({&file, 1}, base, diagnostics);
  // Without the document, only the base could be checked, which would be misleading.
  if (loaded.faults.has_syntax_error()) return false;
  Linter linter(loaded);
  linter.run();
  // compact() finds the errors that involve several rows. If it fails, implied capabilities cannot be computed.
  if (const Owned<GrammarData::Rows> rows = compact(loaded.description, loaded.faults)) {
    linter.capability_cycles(rows->view());
  }
  return !loaded.faults.first_error();
}

}  // namespace vireo::spirv
