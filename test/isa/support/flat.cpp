// SPDX-License-Identifier: Apache-2.0
//
// Decoded words as flat scopes and fields, and the bits that an encoder must reproduce (flat.h).
#include "isa/support/flat.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace vireo::isa {
namespace {

std::string_view type_name(const Model& model, const Field& field) {
  if (field.type == FieldType::Bitset) return model.text(model[field.bitset].name);
  if (field.type == FieldType::Enum) return model.text(model[field.enumeration].name);
  return field_type_names[static_cast<std::size_t>(field.type)];
}

std::size_t derived_count(const Model& model, const Bitset& leaf, NameId name) {
  std::size_t count = 0;
  for (const BitsetId id : model.chain(leaf)) {
    for (const Case& row : model.cases(model[id])) {
      for (const Field& field : model.fields(row)) count += field.is_derived() && field.name == name ? 1 : 0;
    }
  }
  return count;
}

// The map of a field, from the nearest bitset of the chain, on one line.
std::string map_text(const Model& model, const Bitset& leaf, NameId name) {
  for (const BitsetId id : model.chain(leaf)) {
    for (const EncodeMap& map : model.maps(model[id])) {
      if (map.field != name) continue;
      std::istringstream words{std::string(map.text)};
      std::string text;
      for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
      return text;
    }
  }
  return {};
}

void add_range(Bits& bits, std::uint32_t low, const Bits& range) {
  for (std::uint32_t i = 0; i < range.width(); ++i) {
    if (range.test(i)) bits.set(low + i);
  }
}

}  // namespace

FlatWord::FlatWord(const Decoder& decoder, const Bits& word, const Decoded& decoded) {
  const Model& model = decoder.model();
  for (const DecodedScope& scope : decoded.scopes()) add_scope(model, model[scope.leaf]);
  for (std::size_t i = 0; i < decoded.scopes().size(); ++i) {
    for (const DecodedField& found : decoded.fields(decoded.scopes()[i])) {
      const Field& field = model[found.field];
      if (field.is_derived()) {
        // If there are several definitions, the structs do not distinguish them.
        if (derived_count(model, model[decoded.scopes()[i].leaf], field.name) != 1) continue;
        // A signed type may have another width.
        const bool has_sign = is_signed(field.type);
        const std::int64_t number = sign_extended(found.value, field.width);
        add_field(model, i, field, {has_sign ? static_cast<std::uint64_t>(number) : found.value}, -1, found.is_shown);
        continue;
      }
      const Bits bits = word.extract(found.low, found.low + field.width - 1);
      const std::int32_t nested = found.has_nested()                ? static_cast<std::int32_t>(found.nested)
                                  : field.type == FieldType::Bitset ? add_hidden(decoder, field, bits)
                                                                    : -1;
      add_field(model, i, field, {bits.words().begin(), bits.words().end()}, nested, found.is_shown);
    }
  }
  put_in_order();
  values_.emplace_back(word.words().begin(), word.words().end());
  flat = {scopes_.data(), fields_.data(), values_.back().data(), word.width(), decoder.gen()};
}

std::size_t FlatWord::add_scope(const Model& model, const Bitset& leaf) {
  scopes_.push_back({names_.emplace_back(model.text(leaf.name)).c_str(), leaf.gens.min, leaf.gens.max, 0, 0});
  rows_.emplace_back();
  leaves_.push_back(&leaf);
  return scopes_.size() - 1;
}

void FlatWord::add_field(const Model& model, std::size_t scope, const Field& field, std::vector<std::uint64_t> value,
                         std::int32_t nested, bool is_shown) {
  flat_field row{};
  row.name = names_.emplace_back(model.text(field.name)).c_str();
  row.type = names_.emplace_back(type_name(model, field)).c_str();
  row.low = field.low;
  row.width = field.is_derived() ? 0 : field.width;
  row.words = values_.emplace_back(std::move(value)).data();
  row.nested = nested;
  row.map = names_.emplace_back(map_text(model, *leaves_[scope], field.name)).c_str();
  row.is_structure = field.type == FieldType::Bitset && model[field.bitset].encode_type.ends_with('*');
  row.is_shown = is_shown;
  rows_[scope].push_back(row);
}

std::int32_t FlatWord::add_hidden(const Decoder& decoder, const Field& field, const Bits& bits) {
  const Model& model = decoder.model();
  const BitsetId leaf = decoder.match(field.bitset, bits.words());
  if (!leaf) return -1;
  const std::size_t scope = add_scope(model, model[leaf]);
  for (const BitsetId id : model.chain(model[leaf])) {
    for (const Case& row : model.cases(model[id])) {
      for (const Field& inner : model.fields(row)) {
        if (!row.is_default() || inner.is_derived()) continue;
        const Bits value = bits.extract(inner.low, inner.high());
        const std::int32_t nested = inner.type == FieldType::Bitset ? add_hidden(decoder, inner, value) : -1;
        add_field(model, scope, inner, {value.words().begin(), value.words().end()}, nested, false);
      }
    }
  }
  return static_cast<std::int32_t>(scope);
}

// The fields of a scope are contiguous.
void FlatWord::put_in_order() {
  for (std::size_t i = 0; i < scopes_.size(); ++i) {
    scopes_[i].first = static_cast<std::uint32_t>(fields_.size());
    scopes_[i].count = static_cast<std::uint32_t>(rows_[i].size());
    fields_.insert(fields_.end(), rows_[i].begin(), rows_[i].end());
  }
}

WordSource::WordSource(const Model& model, std::uint32_t gen)
    : model_(model), decoder_(model, {.gen = gen}), printer_(decoder_, {}) {}

bool WordSource::decode(const Bits& word) {
  if (!decoder_.decode(word, decoded_)) return false;
  return std::all_of(decoded_.faults().begin(), decoded_.faults().end(), [](const DecodeFault& fault) {
    return fault.kind == DecodeFault::Kind::NoField || fault.kind == DecodeFault::Kind::NoDisplay;
  });
}

std::optional<Bits> WordSource::random_word(const Bitset& leaf, std::mt19937_64& random) {
  Bits word(leaf.size);
  const bool is_sparse = random() % 3 == 0;
  for (std::size_t i = 0; i < word.words().size(); ++i) {
    BitWord noise = random();
    if (is_sparse) noise &= random() & random();
    word.data()[i] = (noise & ~leaf.care.data()[i] & ~leaf.dont_care.data()[i]) | leaf.match.data()[i];
  }
  if (word.width() % bits_per_word != 0) word.data()[word.words().size() - 1] &= low_mask(word.width() % bits_per_word);
  // Nested bitsets have their own don't-care bits: bits with an annotation are cleared.
  for (int tries = 0; tries < 4; ++tries) {
    if (decode(word)) return word;
    if (!decoded_.matched()) return std::nullopt;
    bool changed = false;
    for (const DecodedScope& scope : decoded_.scopes()) {
      for (std::uint32_t i = 0; i < scope.width; ++i) {
        if (!model_[scope.leaf].dont_care.test(i) || !word.test(scope.low + i)) continue;
        word.data()[(scope.low + i) / bits_per_word] &= ~(BitWord{1} << (scope.low + i) % bits_per_word);
        changed = true;
      }
    }
    if (!changed) return std::nullopt;
  }
  return std::nullopt;
}

Bits WordSource::known_bits(bool only_shown) const {
  Bits known(decoded_.size());
  for (const DecodedScope& scope : decoded_.scopes()) {
    const Bitset& leaf = model_[scope.leaf];
    add_range(known, scope.low, leaf.care);
    for (const DecodedField& found : decoded_.fields(scope)) {
      const Field& field = model_[found.field];
      if (only_shown && !found.is_shown) continue;
      if (field.is_derived() || field.type == FieldType::Bitset) continue;  // a nested bitset counts by its own fields
      known.set_range(found.low, found.low + field.width - 1);
    }
  }
  return known;
}

std::string WordSource::text(const Bits& word) {
  std::string text;
  printer_.print_word(word.words(), word.width(), text);
  return text;
}

Tally remake_random_words(const Model& model, encoding_function encode, Compared compared) {
  constexpr std::size_t default_words = 12;
  constexpr std::size_t shown_failures = 5;
  const char* wanted = std::getenv("VIREO_RANDOM_WORDS");
  const std::size_t count = wanted == nullptr ? default_words : std::stoul(wanted);
  std::mt19937_64 random(1);
  Tally tally;
  const auto remake = [&](WordSource& source, const Bits& word) {
    const Bits known = source.known_bits(compared == Compared::Shown);
    const FlatWord flat(source.decoder(), word, source.decoded());
    std::vector<std::uint64_t> words(words_for(std::max(model.unit_bits(), std::uint32_t{1024})));
    char why[400] = "";
    const std::uint32_t bits = encode(&flat.flat, words.data(), why, sizeof why);
    if (bits == encoding_unrepresentable) {
      ++tally.unrepresentable;
      return;
    }
    Bits made(word.width());
    std::copy_n(words.begin(), made.words().size(), made.data());
    const bool is_same =
        bits == word.width() && ((made ^ word) & known).is_zero() && source.text(made) == source.text(word);
    if (is_same || ++tally.failures > shown_failures) return;
    tally.shown += "\ngen " + std::to_string(source.decoder().gen()) + ", " + to_hex(word) + ": " + source.text(word) +
                   "\n  made " + to_hex(made) + " (" + std::to_string(bits) + " bits) " + why;
  };
  for (const std::uint32_t gen : generations_of(model)) {
    WordSource source(model, gen);
    for (const InstructionRoot& row : model.instruction_roots()) {
      for (const BitsetId id : model.leaves(model[row.root])) {
        const Bitset& leaf = model[id];
        if (!leaf.gens.contains(gen)) continue;
        std::size_t found = 0;
        for (std::size_t tries = 0; found < count && tries < 40 * count; ++tries) {
          const std::optional<Bits> word = source.random_word(leaf, random);
          if (!word) continue;
          ++found;
          remake(source, *word);
        }
        tally.words += found;
        if (found != 0) ++tally.leaves;
        else tally.missing.insert(std::string(model.text(leaf.name)) + "/" + std::to_string(gen));
      }
    }
  }
  return tally;
}

std::set<std::uint32_t> generations_of(const Model& model) {
  std::set<std::uint32_t> gens;
  for (const Bitset& bitset : model.bitsets()) {
    gens.insert(bitset.own_gens.min);
    if (bitset.own_gens.max != ~std::uint32_t{0}) gens.insert(bitset.own_gens.max);
  }
  return gens;
}

}  // namespace vireo::isa
