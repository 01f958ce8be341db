// SPDX-License-Identifier: Apache-2.0
//
// Displays → segments, and which texts a printer may keep.
#include <algorithm>

#include "isa/decode/compiler.h"

namespace vireo::isa {
namespace {

constexpr std::uint32_t max_text_class_bits = 8;
constexpr std::size_t max_pieces = std::size_t{1} << 18;
constexpr std::uint32_t always_empty = ~std::uint32_t{0};

}  // namespace

// Fields of few bits whose text depends on nothing else.
std::uint32_t Compiler::text_class_of(const Definition& definition, const Field& field) {
  if (definition.expression != nowhere || definition.width > max_text_class_bits) return nowhere;
  switch (field.type) {
    case FieldType::Float:
    case FieldType::Branch:
    case FieldType::Absbranch:
    case FieldType::Custom:
    case FieldType::Bitset: return nowhere;
    default: break;
  }
  const std::string_view display = field.has_display ? field.display : std::string_view();
  const auto key = std::tuple(field.type, definition.width, field.enumeration.raw, field.has_display, display);
  if (const auto known = text_class_index_.find(key); known != text_class_index_.end()) return known->second;
  if (!takes_pieces(definition.width)) return nowhere;
  const auto [entry, is_new] = text_class_index_.try_emplace(key, size_of(tables_.text_classes));
  if (is_new) tables_.text_classes.push_back({size_of(tables_.definitions), {}});
  return entry->second;
}

const EnumTable* Compiler::enum_table(EnumId id) {
  EnumTable& table = tables_.enums[id.index()];
  if (!enum_is_made_[id.index()]) {
    enum_is_made_[id.index()] = true;
    for (const EnumValue& value : model_.values(model_[id])) {
      // An empty view is not "no row": it points at something.
      const std::string_view display = value.display.data() != nullptr ? value.display : std::string_view("");
      if (value.number >= EnumTable::dense_limit) {
        table.sparse.push_back({value.number, display});
        continue;
      }
      if (value.number >= table.dense.size()) table.dense.resize(value.number + 1);
      if (table.dense[value.number].data() == nullptr) table.dense[value.number] = display;
    }
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
    for (const char c : row.text) check.expected = check.expected << 1 | BitWord{c == '1'};
    tables_.asserts.push_back(check);
  }
  step.asserts.count = size_of(tables_.asserts) - step.asserts.first;
  step.segments.first = size_of(tables_.segments);
  for (const Segment& row : model_.segments(*seen.row)) {
    CompiledSegment segment;
    segment.has_align = row.has_align;
    segment.align = row.align;
    segment.text = row.text;
    segment.name = row.name;
    switch (row.kind) {
      case Segment::Kind::Literal: segment.text_class = text_class_of_literal(row.text); break;
      case Segment::Kind::Align: segment.kind = CompiledSegment::Kind::Align; break;
      case Segment::Kind::Name: segment.kind = CompiledSegment::Kind::Name; break;
      case Segment::Kind::Field: {
        const std::uint32_t resolver = resolver_of(row.name, nowhere);
        const std::uint32_t direct = direct_definition(resolver);
        segment.kind = direct != nowhere ? CompiledSegment::Kind::Direct : CompiledSegment::Kind::Resolved;
        segment.index = direct != nowhere ? direct : resolver;
        if (direct != nowhere && !row.has_align && tables_.definitions[direct].text_class != nowhere) {
          const Definition& definition = tables_.definitions[direct];
          segment.kind = CompiledSegment::Kind::Flag;
          segment.low = definition.low;
          segment.mask = static_cast<std::uint8_t>(low_mask(definition.width));
          segment.text_class = definition.text_class;
        }
        break;
      }
    }
    tables_.segments.push_back(segment);
  }
  add_skips(step.segments.first);
  step.segments.count = size_of(tables_.segments) - step.segments.first;
  rows_ += step.segments.count + step.asserts.count;
  if (step.condition == nowhere && step.asserts.count == 0 && !step.has_display) return;  // nothing happens here
  tables_.displays.push_back(step);
}

// Printers keep texts for all values of a few bits; this bounds how many.
bool Compiler::takes_pieces(std::uint32_t width) {
  const std::size_t count = std::size_t{1} << width;
  if (pieces_ + count > max_pieces) return false;
  pieces_ += count;
  return true;
}

std::uint32_t Compiler::text_class_of_literal(std::string_view text) {
  if (text.size() > TextClass::short_literal || !takes_pieces(0)) return nowhere;
  const auto [entry, is_new] = literal_index_.try_emplace(text, size_of(tables_.text_classes));
  if (is_new) tables_.text_classes.push_back({nowhere, text});
  return entry->second;
}

// Most flags of most words are off and print nothing. Runs of them get a guard that passes over them all at once.
void Compiler::add_skips(std::size_t first) {
  const std::vector<CompiledSegment> plain(tables_.segments.begin() + static_cast<std::ptrdiff_t>(first),
                                           tables_.segments.end());
  tables_.segments.resize(first);
  for (std::size_t i = 0; i < plain.size();) {
    std::size_t end = i;
    std::uint32_t low = ~std::uint32_t{0};
    std::uint32_t high = 0;
    for (; end < plain.size() && plain[end].kind == CompiledSegment::Kind::Flag && empty_value(plain[end]); ++end) {
      if (plain[end].low >= max_bitset_size) break;  // passed in from before the scope
      const std::uint32_t next_low = std::min(low, plain[end].low);
      const std::uint32_t next_high = std::max(high, plain[end].low + 7);
      if (next_high - next_low >= bits_per_word) break;
      low = next_low;
      high = next_high;
    }
    if (end - i >= 2) {
      CompiledSegment skip;
      skip.kind = CompiledSegment::Kind::SkipEmpty;
      skip.low = low;
      skip.index = static_cast<std::uint32_t>(end - i);
      bool is_consistent = true;
      for (std::size_t k = i; k < end; ++k) {
        const std::optional<std::uint32_t> value = empty_value(plain[k]);
        if (*value == always_empty) continue;
        const BitWord mask = BitWord{plain[k].mask} << (plain[k].low - low);
        const BitWord wanted = BitWord{*value} << (plain[k].low - low);
        is_consistent &= ((skip.value ^ wanted) & skip.bits & mask) == 0;
        skip.bits |= mask;
        skip.value |= wanted;
      }
      if (is_consistent) tables_.segments.push_back(skip);
    }
    end = std::max(end, i + 1);
    for (; i < end; ++i) tables_.segments.push_back(plain[i]);
  }
}

// The bits for which a flag prints nothing; none when it always prints something.
std::optional<std::uint32_t> Compiler::empty_value(const CompiledSegment& flag) const {
  const Definition& definition = tables_.definitions[flag.index];
  switch (definition.type) {
    case FieldType::Bool:
      if (!definition.has_display) return std::nullopt;
      return definition.display.empty() ? always_empty : 0;
    case FieldType::BoolInv:
      if (!definition.has_display) return std::nullopt;
      return definition.display.empty() ? always_empty
             : definition.width == 1    ? std::optional<std::uint32_t>(1)
                                        : std::nullopt;
    case FieldType::Offset:
    case FieldType::Uoffset: return 0;
    case FieldType::Enum:
      for (std::uint32_t raw = 0; raw <= flag.mask; ++raw) {
        const std::string_view display = definition.enumeration->find(raw);
        if (display.data() != nullptr && display.empty()) return raw;
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::string_view EnumTable::find(std::uint64_t number) const {
  if (number < dense.size()) return dense[number];
  const auto found = std::lower_bound(sparse.begin(), sparse.end(), number,
                                      [](const Entry& entry, std::uint64_t wanted) { return entry.number < wanted; });
  return found != sparse.end() && found->number == number ? found->display : std::string_view();
}

}  // namespace vireo::isa
