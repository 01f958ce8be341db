// SPDX-License-Identifier: Apache-2.0
//
// Writes a module in its canonical order, with canonical ids (canonical_ids.h).
//
// Ids are numbered in the canonical order of their definitions. Names and decorations define nothing, so
// they are sorted by their words after the numbering.
//
// The order of functions and of numbers is chosen for compression, which was measured on real modules: types first among
// the globals, called functions before their callers, ids of functions before those of globals. So the ids in equal
// functions of different modules are often equal, whatever the modules declare.
//
// Source: specification 2.3 (physical layout), 2.4 (logical layout).
#include "vireo/spirv/transform/canonical_ids.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "spirv/module/declaration_order.h"
#include "spirv/transform/canonical_order.h"
#include "spirv/transform/rewrite.h"
#include "spirv/transform/unit_graph.h"
#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {
namespace {

using enum Op;

class CanonicalWriter {
 public:
  explicit CanonicalWriter(UnitGraph& graph) : graph_(graph), module_(graph.module()) {}

  WordBuffer run() {
    choose_order();
    number_ids();
    result_.reserve(graph_.words().size());
    result_.assign(graph_.words().begin(), graph_.words().begin() + header_word_count);
    write_sorted(Section::Capabilities);
    write_sorted(Section::Extensions);
    write_units(imports_);
    write(graph_.section(Section::MemoryModel));
    write(graph_.section(Section::EntryPoints));
    write_sorted(Section::ExecutionModes);
    write(graph_.section(Section::Sources));
    write_sorted(Section::Names);
    write(graph_.section(Section::ModuleProcessed));
    write_sorted(Section::Annotations);
    write_units(globals_);
    write_units(functions_);
    write(graph_.section(Section::Graphs));
    return std::move(result_);
  }

 private:
  void choose_order() {
    const std::vector<std::uint32_t> components = strong_components(graph_);
    ranks_ = canonical_ranks(graph_, components);
    const auto rank_of = [&](UnitIndex u) { return ranks_[u]; };
    const auto copy = [](std::span<const UnitIndex> units) {
      return std::vector<UnitIndex>(units.begin(), units.end());
    };

    imports_ = copy(graph_.imports());
    std::ranges::sort(imports_, [&](UnitIndex a, UnitIndex b) {
      const std::string_view left = import_name(a), right = import_name(b);
      return left != right ? left < right : ranks_[a] < ranks_[b];
    });
    globals_ = canonical_globals(graph_, components, ranks_);

    // Declarations of functions come before definitions (2.4, items 11 and 12).
    functions_ = copy(graph_.functions());
    std::ranges::sort(functions_, std::ranges::greater(), rank_of);
    std::stable_partition(functions_.begin(), functions_.end(), [&](UnitIndex u) {
      const FunctionIndex function = module_.function_at(InstructionIndex(first_of(u)));
      return !function.is_none() && module_.functions()[function.index()].is_declaration();
    });
    if (graph_.after_functions() != no_unit) functions_.push_back(graph_.after_functions());
  }

  [[nodiscard]] std::string_view import_name(UnitIndex u) const {
    const auto import = as<OpExtInstImport>(module_.instruction(InstructionIndex(first_of(u))));
    return import ? std::string_view(import->name()) : std::string_view();
  }
  [[nodiscard]] std::uint32_t first_of(UnitIndex u) const { return graph_.unit(u).instructions.first; }

  void number_ids() {
    const InstructionRange annotations = graph_.section(Section::Annotations);
    std::vector<UnitIndex> groups;  // alias declarations, and decorations, which have no result
    for (UnitIndex u = 0; u < graph_.size(); ++u) {
      if (annotations.contains(InstructionIndex(first_of(u)))) groups.push_back(u);
    }
    std::ranges::sort(groups, {}, [&](UnitIndex u) { return ranks_[u]; });
    numbers_.resize(graph_.id_count() + std::size_t{1});
    number_units(imports_);
    number(graph_.section(Section::Sources));
    number_units(groups);
    number_units(functions_);
    number(graph_.section(Section::Graphs));
    number_units(globals_);
    number_undefined();

    WordBuffer& words = graph_.words();
    for (std::size_t i = header_word_count; i < words.size(); ++i) {
      if (graph_.is_id(i)) words[i] = numbers_[words[i]];
    }
  }

  void number_undefined() {
    std::vector<std::pair<std::uint32_t, Word>> undefined;  // each is a unit of its own
    for (Word id = 1; id <= graph_.id_count(); ++id) {
      if (numbers_[id] == 0) undefined.emplace_back(ranks_[graph_.unit_of(id)], id);
    }
    std::ranges::sort(undefined);
    for (const auto& [rank, id] : undefined) numbers_[id] = ++last_number_;
  }

  void number_units(const std::vector<UnitIndex>& units) {
    for (const UnitIndex u : units) number(graph_.unit(u).instructions);
  }
  void number(InstructionRange range) {
    for (const InstructionView view : module_.views(range)) {
      const Word id = module_.result_of(view);
      if (id != 0 && numbers_[id] == 0) numbers_[id] = ++last_number_;
    }
  }

  void write(InstructionRange range) {
    if (range.is_empty()) return;
    const InstructionView first = module_.instruction(InstructionIndex(range.first));
    const InstructionView last = module_.instruction(InstructionIndex(range.end - std::uint32_t{1}));
    result_.insert(result_.end(), first.first, last.first + last.word_count);
  }

  void write_sorted(Section section) {
    std::vector<InstructionView> views;
    for (const InstructionView view : module_.views(graph_.section(section))) views.push_back(view);
    std::ranges::sort(views, [](const InstructionView& a, const InstructionView& b) {
      const auto place = [](const InstructionView& view) {
        return std::tuple(place_in_section(view.opcode), AnnotationOperands(view).target().id);
      };
      if (place(a) != place(b)) return place(a) < place(b);
      return std::ranges::lexicographical_compare(a.words(), b.words());
    });
    for (const InstructionView& view : views) {
      result_.insert(result_.end(), view.first, view.first + view.word_count);
    }
  }

  // Writes line information where it changes.
  void write_units(const std::vector<UnitIndex>& units) {
    for (const UnitIndex u : units) {
      const Unit& unit = graph_.unit(u);
      write_line(unit.line);
      write(unit.instructions);
      line_ = unit.line_after;
    }
  }

  void write_line(InstructionIndex line) {
    if (line.is_none() && line_.is_none()) return;
    if (line.is_none()) {
      result_.push_back(first_word(1, OpNoLine));
      return;
    }
    if (!line_.is_none() && std::ranges::equal(module_.instruction(line).words(), module_.instruction(line_).words()))
      return;
    write({line.raw, line.raw + 1});
  }

  UnitGraph& graph_;
  const Module& module_;
  std::vector<std::uint32_t> ranks_;                      // by unit
  std::vector<UnitIndex> imports_, globals_, functions_;  // in canonical order
  std::vector<Word> numbers_;                             // by id; 0: none yet
  Word last_number_ = 0;
  InstructionIndex line_;  // in effect after the last written unit
  WordBuffer result_;
};

}  // namespace

Result<WordBuffer> canonical_ids(Words words, Diagnostics& diagnostics, const Grammar& grammar) {
  Result<UnitGraph> graph = UnitGraph::read(words, diagnostics, grammar);
  if (!graph) return graph.failure();
  if (!graph->is_ordered()) return std::move(graph->words());
  return CanonicalWriter(*graph).run();
}

}  // namespace vireo::spirv
