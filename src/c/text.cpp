// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: grammars, words, the assembler and the disassembler.
//
// This file only translates. A table maps flags to options of the library; results become handles.
#include <optional>
#include <span>

#include "c/handles.h"
#include "c/style_flags.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::c {
namespace {

using spirv::DisassembleOptions;

/// Maps a flag to an option and the value that it sets: false for options that are true by default.
struct StyleRow {
  std::uint32_t flag;
  bool DisassembleOptions::*option;
  bool value;
};

// clang-format off
constexpr StyleRow style_rows[] = {
    {VIREO_NO_HEADER,           &DisassembleOptions::header,              false},
    {VIREO_NO_INDENT,           &DisassembleOptions::indent,              false},
    {VIREO_RAW_IDS,             &DisassembleOptions::friendly_names,      false},
    {VIREO_SHOW_RAW_IDS,        &DisassembleOptions::show_raw_ids,        true},
    {VIREO_OFFSETS,             &DisassembleOptions::offsets,             true},
    {VIREO_COMMENTS,            &DisassembleOptions::comments,            true},
    {VIREO_NESTED_INDENT,       &DisassembleOptions::nested_indent,       true},
    {VIREO_REORDER_BLOCKS,      &DisassembleOptions::reorder_blocks,      true},
    {VIREO_ANNOTATE,            &DisassembleOptions::annotate,            true},
    {VIREO_COLOR,               &DisassembleOptions::color,               true},
    {VIREO_ESCAPE_STRINGS,      &DisassembleOptions::escape_strings,      true},
    {VIREO_HANDLE_UNKNOWN,      &DisassembleOptions::handle_unknown,      true},
    {VIREO_STOP_AT_FIRST_ERROR, &DisassembleOptions::stop_at_first_error, true},
};
// clang-format on

/// Unknown flags are rejected, because a caller with a newer header expects their effect.
constexpr std::uint32_t known_style_flags() {
  std::uint32_t known = VIREO_JSON;
  for (const StyleRow& row : style_rows) known |= row.flag;
  return known;
}

constexpr std::uint32_t known_assemble_flags = VIREO_PRESERVE_NUMERIC_IDS | VIREO_EXACT;

/// Whether both version numbers fit in a byte, as in the version word of a header.
bool is_version(const vireo_assemble_options& options) {
  return options.major_version <= 0xFF && options.minor_version <= 0xFF;
}

}  // namespace

std::optional<spirv::DisassembleOptions> style_of_flags(std::uint32_t flags) {
  if ((flags & ~known_style_flags()) != 0) return std::nullopt;
  DisassembleOptions style;
  for (const StyleRow& row : style_rows) {
    if ((flags & row.flag) != 0) style.*row.option = row.value;
  }
  return style;
}

}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;

// --- grammars -----------------------------------------------------------------------------------------------------------

// The loader copies the base, so the base may be destroyed before the result.
vireo_status vireo_grammar_load(vireo_string name, const char* json, std::size_t size, const vireo_grammar* base,
                                vireo_diagnostics* diagnostics, vireo_grammar** out) {
  return create(out, is_span(name.data, name.size) && is_span(json, size), diagnostics, [&](Diagnostics& found) {
    // A call loads one document. To load several, pass each result as the base of the next call.
    const spirv::GrammarFile file{from_c(name), from_c({json, size}), {}};
    return spirv::load_grammar({&file, 1}, &grammar_of(base), found);
  });
}

void vireo_grammar_destroy(vireo_grammar* grammar) { delete grammar; }

// Lookups read immutable rows and allocate no memory, so they need no guard. Without a match, the output is an empty
// name or 0, and the status is VIREO_NO_MATCH, because 0 is also the value of OpNop.
vireo_status vireo_opcode_name(const vireo_grammar* grammar, std::uint32_t opcode, vireo_string* out) {
  if (out == nullptr) return VIREO_BAD_ARGUMENT;
  const spirv::Grammar& rows = grammar_of(grammar);
  const spirv::InstructionRow* row = rows.find_opcode(opcode);
  *out = to_c(row == nullptr ? "" : rows.text(row->name));
  return row == nullptr ? VIREO_NO_MATCH : VIREO_OK;
}

vireo_status vireo_kind_name(const vireo_grammar* grammar, std::uint32_t kind, vireo_string* out) {
  const spirv::Grammar& rows = grammar_of(grammar);
  if (out == nullptr || kind >= rows.kinds.size()) return VIREO_BAD_ARGUMENT;
  *out = to_c(rows.text(rows.kinds[kind].name));
  return VIREO_OK;
}

vireo_status vireo_enumerant_name(const vireo_grammar* grammar, std::uint32_t kind, std::uint32_t value,
                                  vireo_string* out) {
  const spirv::Grammar& rows = grammar_of(grammar);
  if (out == nullptr || kind >= rows.kinds.size()) return VIREO_BAD_ARGUMENT;
  // Kinds for ids and literals have no enumerants.
  const bool has_any = rows.kinds[kind].enumerants.count != 0;
  const spirv::EnumerantRow* row = has_any ? rows.find_value(spirv::KindId(kind), value) : nullptr;
  *out = to_c(row == nullptr ? "" : rows.text(row->name));
  return row == nullptr ? VIREO_NO_MATCH : VIREO_OK;
}

vireo_status vireo_find_opcode(const vireo_grammar* grammar, vireo_string name, std::uint32_t* out) {
  if (out == nullptr || !is_span(name.data, name.size)) return VIREO_BAD_ARGUMENT;
  const spirv::InstructionRow* row = grammar_of(grammar).find_instruction(from_c(name));
  *out = row == nullptr ? 0 : static_cast<std::uint32_t>(row->opcode);
  return row == nullptr ? VIREO_NO_MATCH : VIREO_OK;
}

vireo_status vireo_find_enumerant(const vireo_grammar* grammar, vireo_string kind, vireo_string name,
                                  std::uint32_t* out) {
  if (out == nullptr || !is_span(kind.data, kind.size) || !is_span(name.data, name.size)) return VIREO_BAD_ARGUMENT;
  const spirv::Grammar& rows = grammar_of(grammar);
  const spirv::KindId id = rows.find_kind(from_c(kind));
  const spirv::EnumerantRow* row = id.is_none() ? nullptr : rows.find_enumerant(id, from_c(name));
  *out = row == nullptr ? 0 : row->value;
  return row == nullptr ? VIREO_NO_MATCH : VIREO_OK;
}

// --- words --------------------------------------------------------------------------------------------------------------

void vireo_words_destroy(vireo_words* words) { delete words; }
const std::uint32_t* vireo_words_data(const vireo_words* words) {
  return words == nullptr ? nullptr : words->words.data();
}
std::size_t vireo_words_count(const vireo_words* words) { return words == nullptr ? 0 : words->words.size(); }

// The words are always copied, so they are aligned, in host order, and independent of the caller's buffer.
vireo_status vireo_words_read(const void* bytes, std::size_t size, vireo_diagnostics* diagnostics, vireo_words** out) {
  return create(out, is_span(bytes, size), [&] {
    Diagnostics found;
    const auto read = spirv::read_module_words(from_c({static_cast<const char*>(bytes), size}), found);
    add(diagnostics, found);
    if (!read) return VIREO_REPORTED;
    const spirv::Words words = read->words();
    *out = new vireo_words{{words.begin(), words.end()}};
    return VIREO_OK;
  });
}

// --- text ⇄ words -------------------------------------------------------------------------------------------------------

// Zeros in the options are the defaults of the library. The text has no file name, so diagnostics have an empty source.
vireo_status vireo_assemble(const char* text, std::size_t size, const vireo_assemble_options* options,
                            vireo_diagnostics* diagnostics, vireo_words** out) {
  const vireo_assemble_options asked = options == nullptr ? vireo_assemble_options{} : *options;
  return create(
      out, is_span(text, size) && (asked.flags & ~known_assemble_flags) == 0 && is_version(asked), diagnostics,
      [&](Diagnostics& found) {
        const spirv::AssembleOptions translated{
            .grammar = &grammar_of(asked.grammar),
            .version = {static_cast<std::uint8_t>(asked.major_version), static_cast<std::uint8_t>(asked.minor_version)},
            .preserve_numeric_ids = (asked.flags & VIREO_PRESERVE_NUMERIC_IDS) != 0,
            .exact = (asked.flags & VIREO_EXACT) != 0};
        return spirv::assemble({"", from_c({text, size})}, translated, found);
      });
}

// The text is written in chunks while instructions are decoded. So a caller may have received text even if the status
// is VIREO_REPORTED.
vireo_status vireo_disassemble(const std::uint32_t* words, std::size_t count, const vireo_grammar* grammar,
                               std::uint32_t flags, vireo_write write, void* user, vireo_diagnostics* diagnostics) {
  std::optional<DisassembleOptions> style = style_of_flags(flags);
  if (!is_span(words, count) || write == nullptr || !style) return VIREO_BAD_ARGUMENT;
  style->grammar = &grammar_of(grammar);
  return write_to(write, user, diagnostics, [&](TextSink& sink, Diagnostics& found) {
    if ((flags & VIREO_JSON) != 0) spirv::disassemble_to_json({words, count}, *style, sink, found);
    else spirv::disassemble({words, count}, *style, sink, found);
  });
}
