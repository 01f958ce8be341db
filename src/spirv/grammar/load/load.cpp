// SPDX-License-Identifier: Apache-2.0
//
// Loads grammar documents: reads each one, merges them in order, and makes rows (grammar_loader.h).
#include "vireo/spirv/grammar/grammar_loader.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/grammar/grammar_rules.h"
#include "spirv/grammar/load/compact.h"
#include "spirv/grammar/load/description.h"
#include "spirv/grammar/load/faults.h"
#include "spirv/grammar/load/load.h"
#include "spirv/grammar/load/load_json.h"
#include "spirv/grammar/special_sets.h"
#include "support/json.h"

namespace vireo::spirv {
namespace {

// Determines the name of a set. The sources are, in this order: the caller, the document, the known name for a Khronos
// file name, and NAME in the file name. File names come last, because users rename files.
std::string name_of_set(const GrammarFile& file, const GrammarDocument& document) {
  if (!file.set_name.empty()) return std::string(file.set_name);
  if (!document.name.empty()) return document.name;
  const std::string_view name = document_of_file_name(file.name);
  const SpecialSet* known = find_special_set(name);
  return std::string(known == nullptr ? name : known->import_name);
}

// The type of a document depends on its contents, not on its file name (docs/grammar.md, "What a document does").
void merge_document(GrammarDescription& base, const GrammarFile& file, GrammarDocument&& document,
                    GrammarFaults& faults) {
  GrammarDescription& content = document.content;
  if (document.is_whole_core()) {
    // Sets have their own documents (JSON schema, `extinst.*.grammar.json`); a core document contains none.
    content.sets = std::move(base.sets);
    base = std::move(content);
    fit_sets_to_core(base);
    return;
  }
  std::string name = name_of_set(file, document);
  // Without instructions, the name decides: a set may be empty, and an extension of the core may add enumerants only.
  const bool is_core = document.extends_core() && (!content.instructions.empty() || name.empty());
  if (is_core) {
    overlay_core(base, std::move(content));
    return;
  }
  if (name.empty() || name.size() > 0xFFFF) {
    faults.error_at_key(rule::grammar_missing_key, document.origin, "name",
                        "nothing says under which name the set is imported",
                        "name the file extinst.NAME.grammar.json, or add the key 'name'");
    return;
  }
  // Look up by import name, so that a set loaded under a built-in set's name is handled like that set.
  const SpecialSet* known = find_special_set_by_import_name(name);
  SetDescription set;
  set.match = match_of_import_name(name);
  // SPV_KHR_non_semantic_info defines non-semantic sets by a prefix; documents do not mark them.
  set.is_non_semantic = is_non_semantic_set(name);
  set.prints_numbers = known != nullptr && known->prints_numbers;
  set.name = std::move(name);
  set.instructions = std::move(content.instructions);
  set.kinds = std::move(content.kinds);
  set.incomplete = std::move(content.incomplete);
  set.origin = document.origin;
  overlay_set(base, std::move(set));
}

}  // namespace

LoadedDescription load_descriptions(std::span<const GrammarFile> files, const Grammar* base, Diagnostics& diagnostics) {
  LoadedDescription result(diagnostics);
  if (base != nullptr) result.description = describe(*base);
  for (const GrammarFile& file : files) {
    JsonFault fault;
    std::optional<JsonDocument> json = JsonDocument::parse(file.text, fault);
    if (!json) {
      result.faults.syntax_error(file.name, fault);
      continue;
    }
    // The document is kept for the JSON paths of later faults, including those of compact().
    const JsonDocument& stored = result.documents.emplace_back(std::move(*json));
    GrammarDocument document = read_document(stored, result.faults.add_document(file.name, stored), result.faults);
    merge_document(result.description, file, std::move(document), result.faults);
  }
  return result;
}

Result<GrammarData> load_grammar(std::span<const GrammarFile> files, const Grammar* base, Diagnostics& diagnostics) {
  // Origin has 16 bits for the document; one value is reserved.
  if (files.size() >= Origin::no_document) {
    return diagnostics.error(rule::grammar_limit, {}, "more than 65534 grammar documents at once");
  }
  LoadedDescription loaded = load_descriptions(files, base, diagnostics);
  // After most faults, compact() still runs, to find further faults. It does not run if a whole document is missing.
  if (loaded.faults.has_syntax_error()) return *loaded.faults.first_error();
  Owned<GrammarData::Rows> rows = compact(loaded.description, loaded.faults);
  if (loaded.faults.first_error()) return *loaded.faults.first_error();
  return GrammarData(std::move(rows));
}

}  // namespace vireo::spirv
