// SPDX-License-Identifier: Apache-2.0
//
// Generates the .inc files from grammar rows; see emit_tables.h. A file contains one table, and a line one row,
// followed by the row's name.
#include "spirv/grammar/emit/emit_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/grammar/row_names.h"

namespace vireo::spirv {
namespace {

std::string ref(StringRef s) { return fmt::format("{{{}, {}}}", s.offset, s.length); }
std::string slice(Slice s) { return fmt::format("{{{}, {}}}", s.first, s.count); }
std::string version(Version v) { return fmt::format("{{{}, {}}}", v.major, v.minor); }

// A default-constructed id is none(), so none() is printed as {}.
std::string set_id(ExtInstSetId set) { return set.is_none() ? "{}" : fmt::format("S({})", set.raw); }

/// A string literal. All bytes except printable ASCII become escapes of three octal digits, which never merge with a
/// following digit. `?` is also escaped, because `??` begins a trigraph in older dialects, and compilers warn about it.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out.append({'\\', c});
    else if (byte < 0x20 || byte >= 0x7F || c == '?') fmt::format_to(std::back_inserter(out), "\\{:03o}", byte);
    else out.push_back(c);
  }
  return out.append("\"");
}

// One function for each table, in the order of builtin.cpp. Each begins a file and prints its rows.
class TableWriter {
 public:
  TableWriter(const Grammar& grammar, const GeneratedBanner& banner) : grammar_(grammar), banner_(banner) {}

  std::vector<GeneratedFile> run() {
    scalars();
    instructions();
    operands();
    kinds();
    enumerants();
    sets();
    pools();
    names();
    chars();
    return std::move(files_);
  }

 private:
  void begin(std::string_view name, std::string_view what) {
    // One table per file: a new grammar changes only the files of changed tables.
    files_.push_back({fmt::format("src/spirv/grammar/generated/{}.inc", name), banner_lines(banner_, what)});
  }
  template <typename... Args>
  // Appends a line to the current file.
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(files_.back().text), format, std::forward<Args>(args)...);
    files_.back().text.push_back('\n');
  }
  [[nodiscard]] std::string_view text(StringRef s) const { return grammar_.text(s); }

  template <typename T>
  // Prints a table of plain numbers, which need no comments; many numbers on a line keep the file and its diffs short.
  void numbers(std::span<const T> values, std::string_view format, std::size_t per_line) {
    for (std::size_t i = 0; i < values.size(); i += per_line) {
      std::string row;
      for (std::size_t k = i; k < std::min(i + per_line, values.size()); ++k) {
        if (k > i) row.push_back(' ');
        fmt::vformat_to(std::back_inserter(row), format, fmt::make_format_args(values[k]));
        row.push_back(',');
      }
      line("{}", row);
    }
  }

  void scalars() {
    begin("scalars", "what is not a table: version, and the kind named Capability");
    line("constexpr std::uint8_t builtin_major_version = {};", grammar_.major_version);
    line("constexpr std::uint8_t builtin_minor_version = {};", grammar_.minor_version);
    line("constexpr std::uint16_t builtin_revision = {};", grammar_.revision);
    // The only index outside the rows: the kind of the enumerants in the capability pool.
    line("constexpr KindId builtin_capability_kind = K({});", grammar_.capability_kind.raw);
  }

  // Aggregates without member names: the order is that of the struct, and the banner lists it.
  void instructions() {
    begin("instructions",
          "name, opcode, flags, class, operands, capabilities, extensions, aliases, first and last version, leading "
          "ids");
    for (const InstructionRow& r : grammar_.instructions) {
      line("{{{}, Op{{{}}}, {}, {}, {}, {}, {}, {}, {}, {}, {}}},  // {}", ref(r.name), static_cast<unsigned>(r.opcode),
           r.flags, r.printing_class, slice(r.operands), slice(r.capabilities), slice(r.extensions), slice(r.aliases),
           version(r.since), version(r.last), r.leading_ids, text(r.name));
    }
    begin("opcode_index", "opcode -> row of the instruction + 1; 0: none");
    numbers(grammar_.opcode_index, "{}", 24);
  }

  void operands() {
    begin("operands", "lists of operands, parameters and bases, each list once: shape, quantifier, kind, name");
    for (std::size_t i = 0; i < grammar_.operand_pool.size(); ++i) {
      const OperandRow& r = grammar_.operand_pool[i];
      line("{{Shape::{}, Quantifier::{}, K({}), {}}},  // {}: {}{}{}", name_of(r.shape), name_of(r.quantifier),
           r.kind.raw, ref(r.name), i, text(grammar_.kind(r.kind).name), r.name.length == 0 ? "" : " ",
           one_line(text(r.name)));
    }
  }

  // Kinds of sets follow those of the core. Their comments contain the set's name, as two sets can use the same kind
  // name.
  void kinds() {
    begin("kinds", "name, doc, category, shape, set, enumerants, bases");
    for (const KindRow& r : grammar_.kinds) {
      line("{{{}, {}, Category::{}, Shape::{}, {}, {}, {}}},  // {}{}", ref(r.name), ref(r.doc), name_of(r.category),
           name_of(r.shape), set_id(r.set), slice(r.enumerants), slice(r.bases),
           r.set.is_none() ? "" : fmt::format("{} ", text(grammar_.sets[r.set.index()].name)), text(r.name));
    }
  }

  // Enumerants are grouped by kind, in the order of their rows, because a row does not contain its kind.
  void enumerants() {
    begin("enumerants", "name, value, parameters, capabilities, extensions, aliases, first and last version, flags");
    for (const KindRow& kind : grammar_.kinds) {
      for (const EnumerantRow& r : grammar_.enumerants_of(kind)) {
        // Masks are hexadecimal, so that readers see the bit.
        const std::string value =
            kind.category == Category::BitEnum ? fmt::format("{:#x}", r.value) : fmt::format("{}", r.value);
        line("{{{}, {}, {}, {}, {}, {}, {}, {}, {}}},  // {} {}", ref(r.name), value, slice(r.parameters),
             slice(r.capabilities), slice(r.extensions), slice(r.aliases), version(r.since), version(r.last), r.flags,
             text(kind.name), text(r.name));
      }
    }
  }

  void sets() {
    begin("sets", "extended sets: import name or its prefix, match, non-semantic, prints numbers, instructions");
    for (const ExtInstSetRow& r : grammar_.sets) {
      line("{{{}, SetMatch::{}, {}, {}, {}}},  // {}", ref(r.name), r.match == SetMatch::Exact ? "Exact" : "Prefix",
           r.is_non_semantic, r.prints_numbers, slice(r.instructions), text(r.name));
    }
    begin("ext_instructions", "name, number, operands, capabilities, extensions");
    for (const ExtInstSetRow& set : grammar_.sets) {
      for (const ExtInstRow& r : grammar_.instructions_of(set)) {
        line("{{{}, {}, {}, {}, {}}},  // {} {}", ref(r.name), r.number, slice(r.operands), slice(r.capabilities),
             slice(r.extensions), text(set.name), text(r.name));
      }
    }
  }

  // Lists have no markers; only slices define where a list begins and ends.
  void pools() {
    begin("capability_pool", "lists of capabilities, each list once: rows of enumerants");
    for (const std::uint16_t row : grammar_.capability_pool)
      line("{},  // {}", row, text(grammar_.enumerants[row].name));
    begin("string_pool", "lists of names, each list once");
    for (const StringRef s : grammar_.string_pool) line("{},  // {}", ref(s), text(s));
    begin("printing_classes", "classes of instructions");
    for (const StringRef s : grammar_.printing_classes) line("{},  // {}", ref(s), s.length == 0 ? "(none)" : text(s));
  }

  void names() {
    begin("name_entries", "every spelling: text, scope (0: opcodes, from 1: kinds, from 32768: sets), row");
    for (const NameEntry& e : grammar_.name_entries)
      line("{{{}, {}, {}}},  // {}", ref(e.text), e.scope, e.row, text(e.text));
    begin("name_slots", "hash table of the spellings: high half of the hash | entry + 1");
    numbers(grammar_.name_slots, "{:#x}", 10);
  }

  // The pool contains no NULs; references determine the bounds of strings.
  void chars() {
    begin("chars", "all strings, one behind the other, and the padding");
    // Each string is a separate literal; ascending references are in the order of the pool. In a single literal, one
    // changed name would change one very long line, and diffs would be unreadable.
    std::vector<StringRef> all = every_string();
    std::size_t done = 0;
    for (const StringRef s : all) {
      if (s.offset != done || s.length == 0) continue;
      line("{}", quoted(text(s)));
      done += s.length;
    }
    line("{}", quoted(grammar_.chars.substr(done)));
  }

  // All references to strings, ascending and without duplicates, so in the order of the pool.
  [[nodiscard]] std::vector<StringRef> every_string() const {
    std::vector<StringRef> all(grammar_.string_pool.begin(), grammar_.string_pool.end());
    const auto add = [&](StringRef s) { all.push_back(s); };
    for (const auto& r : grammar_.instructions) add(r.name);
    for (const auto& r : grammar_.operand_pool) add(r.name);
    for (const auto& r : grammar_.kinds) add(r.name), add(r.doc);
    for (const auto& r : grammar_.enumerants) add(r.name);
    for (const auto& r : grammar_.sets) add(r.name);
    for (const auto& r : grammar_.ext_instructions) add(r.name);
    for (const auto& r : grammar_.printing_classes) add(r);
    std::sort(all.begin(), all.end(), [](StringRef a, StringRef b) { return a.offset < b.offset; });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  // For comments after rows: a line feed would end a comment, and a backslash at the end would continue it.
  static std::string one_line(std::string_view text) {
    std::string out(text);
    std::replace_if(
        out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\\'; }, ' ');
    return out;
  }

  const Grammar& grammar_;
  const GeneratedBanner& banner_;
  std::vector<GeneratedFile> files_;
};

}  // namespace

std::string banner_lines(const GeneratedBanner& banner, std::string_view what) {
  return fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "//\n"
      "// Generated by tools/gen_tables.cpp (`gen_tables --headers DIR --out REPO`); do not edit. docs/tables.md "
      "explains.\n"
      "// From {}.\n"
      "// {}.\n",
      banner.source, what);
}

std::vector<GeneratedFile> emit_tables(const Grammar& grammar, const GeneratedBanner& banner) {
  return TableWriter(grammar, banner).run();
}

}  // namespace vireo::spirv
