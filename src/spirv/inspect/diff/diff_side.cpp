// SPDX-License-Identifier: Apache-2.0
//
// Reads one side of a comparison (diff_side.h).
#include "spirv/inspect/diff/diff_side.h"

#include <algorithm>
#include <optional>

#include "spirv/build/id_words.h"
#include "spirv/module/opcode_traits.h"
#include "support/key_hash.h"
#include "vireo/spirv/binary/views/annotation.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Outside functions.
bool continues_another(Op opcode) { return opcode == OpSourceContinued || is_continuation(opcode); }

// Decorations that connect a variable or a constant with the outside of the module.
constexpr Decoration interface_decorations[] = {Decoration::Location,      Decoration::Component, Decoration::Binding,
                                                Decoration::DescriptorSet, Decoration::BuiltIn,   Decoration::SpecId};

// Attributes that name their owner, the most significant first.
enum class NameRank : std::uint8_t { None, Name, Linkage, EntryPoint };

std::optional<Decoration> decoration_of(const InstructionView& view) {
  if (is_object_decoration(view.opcode)) return View<OpDecorate>(view).decoration().value();
  if (is_member_decoration(view.opcode)) return View<OpMemberDecorate>(view).decoration().value();
  return std::nullopt;
}

NameRank name_rank_of(const InstructionView& view) {
  if (view.opcode == OpName) return NameRank::Name;
  if (view.opcode == OpEntryPoint) return NameRank::EntryPoint;
  if (view.opcode == OpDecorate && decoration_of(view) == Decoration::LinkageAttributes) return NameRank::Linkage;
  return NameRank::None;
}

bool is_ignored(const InstructionView& view, const DiffOptions& options) {
  const std::optional<Decoration> decoration = decoration_of(view);
  if (!decoration) return false;
  if (*decoration == Decoration::Location) return options.ignore_location;
  if (*decoration == Decoration::Binding || *decoration == Decoration::DescriptorSet) return options.ignore_set_binding;
  return false;
}

}  // namespace

Result<DiffSide> DiffSide::read(Words words, const DiffOptions& options, Diagnostics& diagnostics) {
  const Grammar& grammar = options.grammar != nullptr ? *options.grammar : builtin_grammar();
  WordBuffer copy(words.begin(), words.end());
  std::vector<bool> is_id(words.size());
  std::vector<Word> original_ids(1);
  DenseIds numbers(words);
  const std::optional<Reported> reported = for_each_id(words, diagnostics, grammar, [&](std::size_t offset, Word id) {
    copy[offset] = numbers.of(id);
    is_id[offset] = true;
    if (copy[offset] == original_ids.size()) original_ids.push_back(id);
  });
  if (reported) return *reported;
  copy[3] = numbers.count() + 1;
  DiffSide side(std::move(copy), grammar);
  side.is_id_ = std::move(is_id);
  side.original_ids_ = std::move(original_ids);
  side.read_places();
  side.read_attributes(options);
  return side;
}

void DiffSide::read_places() {
  const std::uint32_t count = module_.instruction_count();
  functions_.resize(count);
  for (const FunctionRow& function : module_.functions()) {
    std::fill(functions_.begin() + function.all.first, functions_.begin() + function.all.end,
              module_.index_of(function));
  }
  results_.resize(count);
  places_.resize(original_ids_.size());
  for (const auto [index, view] : module_.instructions()) {
    const Word id = module_.result_of(view);
    if (id == 0 || module_.definition(id) != index) continue;
    results_[index.raw] = id;
    const FunctionIndex function = functions_[index.raw];
    if (function.is_none()) places_[id] = IdPlace::Global;
    else
      places_[id] = module_.functions()[function.index()].all.first == index.raw ? IdPlace::Function : IdPlace::Local;
    if (places_[id] != IdPlace::Local) globals_.push_back(id);
  }
}

Word DiffSide::first_id(const InstructionView& view) const {
  for (std::size_t w = 1; w < view.word_count; ++w) {
    if (is_id(view, w)) return view.first[w];
  }
  return 0;
}

void DiffSide::read_attributes(const DiffOptions& options) {
  attribute_keys_.resize(original_ids_.size());
  name_keys_.resize(original_ids_.size());
  interface_keys_.resize(original_ids_.size());
  InstructionIndex line;      // in effect
  InstructionIndex last;      // the last instruction that is not a continuation
  std::uint32_t ordinal = 0;  // of the current continuation
  for (const auto [index, view] : module_.instructions()) {
    const FunctionIndex function = functions_[index.raw];
    if (!function.is_none() && module_.functions()[function.index()].all.first != index.raw) {
      // A line ends with the block, and each function with a block has one.
      line = InstructionIndex::none();
      continue;
    }
    const Word id = results_[index.raw];
    if (view.opcode == OpLine) line = index;
    else if (view.opcode == OpNoLine) line = InstructionIndex::none();
    else if (continues_another(view.opcode)) {
      add_attribute({index, last.is_none() ? 0 : results_[last.raw], last, ++ordinal});
      continue;
    } else if (id != 0) {
      if (!line.is_none()) add_attribute({line, id});
    } else if (function.is_none() && !is_ignored(view, options)) {
      add_attribute({index, first_id(view)});
    }
    last = index;
    ordinal = 0;
  }
}

void DiffSide::add_attribute(Attribute attribute) {
  attributes_.push_back(attribute);
  if (attribute.owner == 0) return;
  const InstructionView view = module_.instruction(attribute.instruction);
  KeyHash hash, literals;
  hash.add(attribute.ordinal);
  for (std::size_t w = 0; w < view.word_count; ++w) {
    hash.add(is_id(view, w) ? ~std::uint64_t{0} : view.first[w]);
    if (w > 0 && !is_id(view, w)) literals.add(view.first[w]);  // without the number of interface variables
  }
  // An id has any number of attributes in any order, so their hashes are added up.
  attribute_keys_[attribute.owner] += hash.value();
  if (const NameRank rank = name_rank_of(view); rank != NameRank::None) {
    const std::uint64_t bits = std::uint64_t{3} << 62;
    std::uint64_t& key = name_keys_[attribute.owner];
    const auto rank_bits = static_cast<std::uint64_t>(rank) << 62;
    // One function may be several entry points; the last one counts.
    if ((key & bits) <= rank_bits) key = (literals.value() & ~bits) | rank_bits;
  }
  const std::optional<Decoration> decoration = decoration_of(view);
  if (decoration && std::ranges::count(interface_decorations, *decoration) != 0) {
    interface_keys_[attribute.owner] += hash.value();
  }
}

}  // namespace vireo::spirv
