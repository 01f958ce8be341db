// SPDX-License-Identifier: Apache-2.0
//
// Freshness: every available grammar document, compared with the built-in rows.
//
// A document of our version and revision must equal our rows. An older document must be contained in
// them: each of its names has the same number, and its operands are a prefix of ours. The few rows that Khronos changed
// incompatibly are listed with the reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "spirv/grammar/documents.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv {
namespace {

struct Exception {
  std::string_view name;
  std::string_view reason;
};

constexpr Exception other_operands[] = {
    {"OpAsmTargetINTEL", "lost its result type"},
    {"OpArbitraryFloatSinCosPiINTEL", "lost a literal"},
    {"OpArbitraryFloatCastToIntINTEL", "gained a literal"},
    {"OpArbitraryFloatPowNINTEL", "gained a literal"},
    {"OpFixedSqrtINTEL", "lost its input type"},
    {"OpFixedRecipINTEL", "lost its input type"},
    {"OpFixedRsqrtINTEL", "lost its input type"},
    {"OpFixedSinINTEL", "lost its input type"},
    {"OpFixedCosINTEL", "lost its input type"},
    {"OpFixedSinCosINTEL", "lost its input type"},
    {"OpFixedSinPiINTEL", "lost its input type"},
    {"OpFixedCosPiINTEL", "lost its input type"},
    {"OpFixedSinCosPiINTEL", "lost its input type"},
    {"OpFixedLogINTEL", "lost its input type"},
    {"OpFixedExpINTEL", "lost its input type"},
    {"OpReadPipeBlockingINTEL", "lost its result"},
    {"OpWritePipeBlockingINTEL", "lost its result"},
    {"OpFPGARegINTEL", "lost an operand"},
    {"LocalSizeHintId", "took one id before it took three"},
};

constexpr Exception other_names[] = {
    {"LongConstantCompositeINTEL", "renamed to LongCompositesINTEL, with no alias"},
};

template <std::size_t count>
bool is_in(const Exception (&list)[count], std::string_view name) {
  return std::any_of(std::begin(list), std::end(list), [&](const Exception& e) { return e.name == name; });
}

const Grammar& ours = builtin_grammar();

/// Whether the old operands are a prefix of the new ones, followed only by optional operands.
bool begins(const Grammar& old, Slice before, Slice after) {
  const auto a = old.operands(before);
  const auto b = ours.operands(after);
  if (a.size() > b.size()) return false;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (i >= a.size()) {
      if (b[i].quantifier == Quantifier::One) return false;
    } else if (a[i].quantifier != b[i].quantifier ||
               old.text(old.kind(a[i].kind).name) != ours.text(ours.kind(b[i].kind).name)) {
      return false;
    }
  }
  return true;
}

void expect_contained(const Grammar& old) {
  for (const NameEntry& entry : old.name_entries) {
    const std::string_view name = old.text(entry.text);
    if (is_in(other_names, name)) continue;
    if (entry.scope == name_scope::opcodes) {
      const InstructionRow* row = ours.find_instruction(name);
      ASSERT_NE(row, nullptr) << name;
      EXPECT_EQ(row->opcode, old.instructions[entry.row].opcode) << name;
      EXPECT_TRUE(begins(old, old.instructions[entry.row].operands, row->operands) || is_in(other_operands, name))
          << name;
    } else if (entry.scope < 0x8000) {
      const KindRow& kind = old.kinds[entry.scope - 1u];
      const ExtInstSetId set = kind.set.is_none() ? kind.set : ours.find_set(old.text(old.sets[kind.set.index()].name));
      const EnumerantRow* row = ours.find_enumerant(ours.find_kind(old.text(kind.name), set), name);
      ASSERT_NE(row, nullptr) << old.text(kind.name) << ' ' << name;
      EXPECT_EQ(row->value, old.enumerants[entry.row].value) << name;
      EXPECT_TRUE(begins(old, old.enumerants[entry.row].parameters, row->parameters) || is_in(other_operands, name))
          << name;
    } else {
      const ExtInstSetId set = ours.find_set(old.text(old.sets[entry.scope - 0x8000u].name));
      const ExtInstRow* row = ours.find_ext_inst(set, name);
      ASSERT_NE(row, nullptr) << name;
      EXPECT_EQ(row->number, old.ext_instructions[entry.row].number) << name;
      EXPECT_TRUE(begins(old, old.ext_instructions[entry.row].operands, row->operands)) << name;
    }
  }
  for (const KindRow& kind : old.kinds) {
    if (!kind.set.is_none()) continue;
    const KindId id = ours.find_kind(old.text(kind.name));
    ASSERT_FALSE(id.is_none()) << old.text(kind.name);
    EXPECT_EQ(ours.kind(id).category, kind.category) << old.text(kind.name);
  }
}

std::vector<std::filesystem::path> documents_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> sets;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("extinst.") && name.ends_with(".grammar.json")) sets.push_back(entry.path());
  }
  std::sort(sets.begin(), sets.end());
  if (std::filesystem::exists(folder / "spirv.core.grammar.json", error)) {
    sets.insert(sets.begin(), folder / "spirv.core.grammar.json");
  }
  return sets;
}

TEST(Freshness, built_in_rows_contain_every_available_document) {
  std::vector<std::filesystem::path> folders = {"/usr/include/spirv/unified1", "/usr/include/spirv/1.2",
                                                "/usr/include/spirv/1.1", "/usr/include/spirv/1.0"};
  if (const auto peers = outside::peers_folder()) folders.push_back(*peers / "headers/unified1");
  std::size_t compared = 0;
  for (const std::filesystem::path& folder : folders) {
    const std::vector<std::filesystem::path> documents = documents_in(folder);
    if (documents.empty()) continue;
    SCOPED_TRACE(folder.string());
    const auto data = load_files(documents, nullptr);
    ASSERT_TRUE(data.has_value());
    const Grammar& theirs = data->grammar();
    const auto age = [](const Grammar& g) { return std::tuple{g.major_version, g.minor_version, g.revision}; };
    if (age(theirs) > age(ours)) {
      GTEST_LOG_(WARNING) << folder << " is newer than the built-in tables; docs/tables.md explains how to update them";
      continue;
    }
    ++compared;
    expect_contained(theirs);
    if (age(theirs) == age(ours)) {
      for (const GrammarChange& change : diff_grammars(theirs, ours)) ADD_FAILURE() << to_line(change);
    }
  }
  if (compared == 0) GTEST_SKIP() << "no grammar documents found: install spirv-headers, or set VIREO_PEERS";
}

}  // namespace
}  // namespace vireo::spirv
