// SPDX-License-Identifier: Apache-2.0
//
// Random words: decode, take the values, encode, compare.
//
// A Decoded contains enough to encode the word again. With all fields, the result is the same word,
// except for bits that no pattern and no field of the word determines; these are zero, or as an assert or default
// requires. With only the fields that the text shows, the result is a word that shows the same values. In this case the
// encoder must solve for the inputs of derived fields.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "isa/support/random_words.h"
#include "outside.h"
#include "vireo/isa/encode.h"

namespace vireo::isa {
namespace {

namespace fs = std::filesystem;

enum class Given { All, Shown };

// The value of a field as a caller would pass it.
FieldValue value_of(const Model& model, const DecodedField& field, const Bits& word) {
  const Field& row = model[field.field];
  if (!row.is_derived() && field.width > bits_per_word) return word.extract(field.low, field.low + field.width - 1);
  if (is_signed(row.type)) return sign_extended(field.value, field.width);
  return field.value;
}

std::vector<FieldSetting> settings_of(const Model& model, const Decoded& decoded, const DecodedScope& scope,
                                      const Bits& word, Given given) {
  std::vector<FieldSetting> settings;
  for (const DecodedField& field : decoded.fields(scope)) {
    if (given == Given::Shown && !field.is_shown) continue;
    FieldSetting setting{std::string(model.text(field.name)), value_of(model, field, word), Location::none()};
    if (field.has_nested()) {
      const DecodedScope& nested = decoded.scopes()[field.nested];
      setting.value = NestedValue{std::string(model.text(model[nested.leaf].name)),
                                  settings_of(model, decoded, nested, word, given)};
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

// The bits that the patterns of all scopes and the fields of this word determine.
Bits determined_bits(const Model& model, const Decoded& decoded) {
  Bits mask(decoded.size());
  for (const DecodedScope& scope : decoded.scopes()) {
    const Bits& care = model[scope.leaf].care;
    for (std::uint32_t bit = 0; bit < care.width(); ++bit) {
      if (care.test(bit)) mask.set(scope.low + bit);
    }
  }
  for (const DecodedField& field : decoded.fields()) {
    if (!model[field.field].is_derived() && !field.has_nested()) mask.set_range(field.low, field.low + field.width - 1);
  }
  return mask;
}

// Whether a word has all given values. The override that defines a value may differ, and so may bits of a computed
// number above its width.
bool has_values(const Model& model, const Decoded& a, const DecodedScope& wanted, const Decoded& b,
                const DecodedScope& found, Given given) {
  if (wanted.leaf != found.leaf) return false;
  for (const DecodedField& field : a.fields(wanted)) {
    if (given == Given::Shown && !field.is_shown) continue;
    const auto others = b.fields(found);
    const auto same =
        std::find_if(others.begin(), others.end(), [&](const DecodedField& other) { return other.name == field.name; });
    if (same == others.end()) return false;
    const Field& row = model[field.field];
    const BitWord mask = row.is_derived() && is_signed(row.type) ? low_mask(row.width) : ~BitWord{0};
    // Bits of a nested bitset that are not shown may differ.
    if (!field.has_nested() && ((same->value ^ field.value) & mask) != 0) return false;
    if (!field.has_nested()) continue;
    if (!same->has_nested()) {
      // Another display was selected, because the one that shows the field was not required.
      if (given == Given::Shown && !same->is_shown) continue;
      return false;
    }
    if (!has_values(model, a, a.scopes()[field.nested], b, b.scopes()[same->nested], given)) return false;
  }
  return true;
}

/// `operators` shows only five results of arithmetic on 24 bits, which the solver does not search. `jump` of maps.xml
/// has a near and a far display of one field; the field alone does not determine the display.
bool is_beyond(const fs::path& description, std::string_view leaf, Given given) {
  return given == Given::Shown && (leaf == "operators" || (leaf == "jump" && description.stem() == "maps"));
}

struct EncodeTally {
  std::size_t clean = 0;
  std::size_t same = 0;
  std::size_t overlapping = 0;  // words that match two leaves, unless bits are set that were not given
};

EncodeTally check(const fs::path& description, std::uint32_t gen, bool mesa_compat, Given given) {
  const LoadedModel loaded = load_model(description.string(), {.mesa_compat = mesa_compat, .read = {}});
  const Model& model = loaded.model;
  const Decoder decoder(model, {.gen = gen, .mesa_compat = mesa_compat});
  const Encoder encoder(decoder);
  std::mt19937_64 random(number_from("VIREO_RANDOM_SEED", 1) + gen);
  EncodeTally tally;
  Decoded decoded;
  Decoded again;
  const std::size_t count = number_from("VIREO_RANDOM_WORDS", usual_words);
  for (std::size_t i = 0; i < count; ++i) {
    const Bits word = random_word(decoder, random);
    if (!decoder.decode(word, decoded) || decoded.size() != word.width() || !decoded.faults().empty()) continue;
    const std::string leaf(model.text(model[decoded.instruction().leaf].name));
    if (is_beyond(description, leaf, given)) continue;
    ++tally.clean;
    const std::vector<FieldSetting> settings = settings_of(model, decoded, decoded.instruction(), word, given);
    Diagnostics faults;
    const Result<Bits> encoded = encoder.encode(leaf, settings, faults);
    bool is_same = encoded.ok() && decoder.decode(*encoded, again) && again.faults().empty();
    if (is_same && given == Given::All) is_same = ((*encoded ^ word) & determined_bits(model, decoded)).is_zero();
    if (is_same) is_same = has_values(model, decoded, decoded.instruction(), again, again.instruction(), given);
    if (is_same) {
      ++tally.same;
    } else if (!encoded.ok() && faults.all().front().rule == "refused-word") {
      --tally.clean;
    } else if (!encoded.ok() && faults.all().front().message.find("match it") != std::string::npos) {
      --tally.clean;
      ++tally.overlapping;
    } else if (tally.clean - tally.same <= shown_failures) {
      ADD_FAILURE() << description.filename() << ", gen " << gen << ", " << leaf << ", " << to_hex(word) << ": "
                    << (encoded.ok() ? to_hex(*encoded) : faults.all().front().message);
    }
  }
  return tally;
}

void check_teaching_isas(Given given) {
  for (const Described& isa : teaching_isas()) {
    const EncodeTally tally = check(isa.path, isa.gen, isa.mesa_compat, given);
    EXPECT_EQ(tally.same, tally.clean) << isa.path.filename() << ", gen " << isa.gen;
    EXPECT_EQ(tally.overlapping, 0u) << isa.path.filename() << ", gen " << isa.gen;
  }
}

TEST(EncoderOnRandomWords, round_trips_words_of_teaching_isas_from_all_fields) { check_teaching_isas(Given::All); }
TEST(EncoderOnRandomWords, encodes_words_of_teaching_isas_from_shown_fields) { check_teaching_isas(Given::Shown); }

class EncoderOnRandomWordsOf : public testing::TestWithParam<Recorded> {};

EncodeTally check_recorded(const Recorded& row, Given given) {
  const fs::path description = *outside::shared_folder() / "isa/mesa" / (std::string(row.name) + ".xml");
  const EncodeTally tally = check(description, row.gen, true, given);
  EXPECT_EQ(tally.same, tally.clean);
  EXPECT_GT(tally.clean, number_from("VIREO_RANDOM_WORDS", usual_words) / 8);
  return tally;
}

TEST_P(EncoderOnRandomWordsOf, round_trips_words_from_all_fields) {
  if (!outside::shared_folder()) GTEST_SKIP() << outside::no_shared;
  EXPECT_EQ(check_recorded(GetParam(), Given::All).overlapping, 0u);
}

// Five pairs of leaves of ir3 overlap from generation 600 on; bits that no text shows select one of them.
TEST_P(EncoderOnRandomWordsOf, encodes_words_from_shown_fields) {
  if (!outside::shared_folder()) GTEST_SKIP() << outside::no_shared;
  const bool has_overlaps = GetParam().name == "ir3" && GetParam().gen >= 600;
  const EncodeTally tally = check_recorded(GetParam(), Given::Shown);
  EXPECT_LE(tally.overlapping, has_overlaps ? tally.clean / 50 : 0);
}

INSTANTIATE_TEST_SUITE_P(Recorded, EncoderOnRandomWordsOf, testing::ValuesIn(recorded),
                         [](const testing::TestParamInfo<Recorded>& row) {
                           return std::string(row.param.name) + std::to_string(row.param.gen);
                         });

}  // namespace
}  // namespace vireo::isa
