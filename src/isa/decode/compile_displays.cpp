// SPDX-License-Identifier: Apache-2.0
//
// Compiles displays into segments, and enums into tables. isaspec 2.5 and 2.6.
//
// Each segment contains everything that is needed to print it. A name with one definition refers to it directly, so the
// walk does not search for names.
#include <algorithm>

#include "isa/decode/compiler.h"

namespace vireo::isa {
// Stores small numbers in an array, because nearly all enums have only a few bits. If a number has several rows, the
// first one is used.
const EnumTable* Compiler::enum_table(EnumId id) {
  // Built when the first field of the type is compiled, so unused enums cost nothing.
  EnumTable& table = tables_.enums[id.index()];
  if (!enum_is_made_[id.index()]) {
    enum_is_made_[id.index()] = true;
    for (const EnumValue& value : model_.values(model_[id])) {
      // An empty display differs from a missing row: its data() is not null.
      const std::string_view display = value.display.data() != nullptr ? value.display : std::string_view("");
      if (value.number >= EnumTable::dense_limit) {
        table.sparse.push_back({value.number, display});
        continue;
      }
      if (value.number >= table.dense.size()) table.dense.resize(value.number + 1);
      if (table.dense[value.number].data() == nullptr) table.dense[value.number] = display;
    }
    // The sort is stable, so that the search finds the first row of equal numbers.
    std::stable_sort(table.sparse.begin(), table.sparse.end(),
                     [](const auto& a, const auto& b) { return a.number < b.number; });
  }
  return &table;
}

void Compiler::compile_display(const SeenCase& seen) {
  DisplayStep step;
  step.condition = seen.condition;
  step.has_display = seen.row->has_display;
  step.row = model_.id_of(*seen.row);
  step.asserts.first = size_of(tables_.asserts);
  for (const Assert& row : model_.asserts(*seen.row)) {
    AssertCheck check{row.low, row.width, 0, &row, seen.owner->display_name};
    // `expected` holds at most 64 bits; wider asserts are compared with their text. The text starts with the highest
    // bit.
    for (const char c : row.text) check.expected = check.expected << 1 | BitWord{c == '1'};
    tables_.asserts.push_back(check);
  }
  step.asserts.count = size_of(tables_.asserts) - step.asserts.first;
  step.segments = compile_segments(model_.segments(*seen.row));
  // Compile aliases under the same facts as the display, because they are printed for the same words.
  step.aliases = {size_of(tables_.alias_displays), seen.row->aliases.count};
  for (const Alias& alias : model_.aliases(*seen.row)) {
    tables_.alias_displays.push_back({compile_segments(model_.segments(alias)), &alias});
    rows_ += 1 + tables_.alias_displays.back().segments.count;
  }
  rows_ += step.segments.count + step.asserts.count;
  if (step.condition == nowhere && step.asserts.count == 0 && !step.has_display) return;  // nothing to do
  tables_.displays.push_back(step);
}

Run Compiler::compile_segments(std::span<const Segment> rows) {
  Run run{size_of(tables_.segments), 0};
  for (const Segment& row : rows) {
    CompiledSegment segment;
    segment.has_align = row.has_align;
    segment.align = row.align;
    segment.text = row.text;
    segment.name = row.name;
    switch (row.kind) {
      case Segment::Kind::Literal: break;
      case Segment::Kind::Align: segment.kind = CompiledSegment::Kind::Align; break;
      case Segment::Kind::Name: segment.kind = CompiledSegment::Kind::Name; break;
      case Segment::Kind::Field: {
        const std::uint32_t resolver = resolver_of(row.name, nowhere);
        const std::uint32_t direct = direct_definition(resolver);
        // The usual case: an index instead of a search.
        segment.kind = direct != nowhere ? CompiledSegment::Kind::Direct : CompiledSegment::Kind::Resolved;
        segment.index = direct != nowhere ? direct : resolver;
        break;
      }
    }
    // A segment that is always shown is always padded, so make the padding a segment of its own.
    if (segment.has_align && segment.kind != CompiledSegment::Kind::Resolved) {
      CompiledSegment padding;
      padding.kind = CompiledSegment::Kind::Align;
      padding.align = segment.align;
      tables_.segments.push_back(padding);
      segment.has_align = false;
    }
    tables_.segments.push_back(segment);
  }
  run.count = size_of(tables_.segments) - run.first;
  return run;
}

std::string_view EnumTable::find(std::uint64_t number) const {
  if (number < dense.size()) return dense[number];
  const auto found = std::lower_bound(sparse.begin(), sparse.end(), number,
                                      [](const Entry& entry, std::uint64_t wanted) { return entry.number < wanted; });
  // A null view means that there is no row; the printer then prints the number.
  return found != sparse.end() && found->number == number ? found->display : std::string_view();
}

}  // namespace vireo::isa
