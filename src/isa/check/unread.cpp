// SPDX-License-Identifier: Apache-2.0
//
// Parts of a description without an effect on texts, or with values that are out of reach: fields and params that
// nothing reads, fields narrower than their enum, maps that read unknown names.
//
// Names are compared without regard to conditions: a name that some case of some leaf reads counts as read.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "isa/check/subject.h"
#include "support/ascii.h"
#include "support/nearest.h"

namespace vireo::isa {
namespace {

class UnreadNames {
 public:
  explicit UnreadNames(Subject& subject)
      : subject_(subject), model_(subject.model), fields_(model_.rows().fields.size()) {}

  void run() {
    for (const Bitset& leaf : model_.bitsets()) {
      if (subject_.is_trusted(leaf)) read(leaf);
      if (read_rows_ > max_read_rows) return;  // no hand-written description has so many
    }
    for (const Field& field : model_.rows().fields) {
      // The check for assemblers names words whose texts do not show the bits.
      if (field.is_derived() || !subject_.options.checks_round_trips) report(field);
      for (const Param& param : model_.params(field)) report(field, param);
    }
  }

 private:
  enum class State : std::uint8_t { Unseen, Unread, Read };

  // Collects the names that the leaf reads, and marks the fields that it has.
  void read(const Bitset& leaf) {
    names_.clear();
    bool has_display = false;
    for (const BitsetId id : model_.chain(leaf)) {
      for (const Case& row : model_.cases(model_[id])) {
        read_rows_ += 1 + row.segments.count + row.fields.count;
        has_display |= row.has_display;
        for (const Segment& segment : model_.segments(row)) {
          if (segment.kind == Segment::Kind::Field) names_.insert(segment.name.raw);
        }
        if (!row.is_default()) read(row.condition);
        for (const Field& field : model_.fields(row)) {
          if (field.is_derived()) read(field.expression);
          for (const Param& param : model_.params(field)) names_.insert(param.outer.raw);
        }
      }
      // An encoder sets such a field, whatever the text says.
      for (const EncodeMap& map : model_.maps(model_[id])) {
        if (map.is_forced) names_.insert(map.field.raw);
      }
    }
    for (const std::uint32_t name : names_) read_in_root_.insert(key_of(leaf.root, NameId(name)));
    if (!has_display) return;
    for (const BitsetId id : model_.chain(leaf)) {
      for (const Case& row : model_.cases(model_[id])) {
        for (const Field& field : model_.fields(row)) {
          State& state = fields_[model_.id_of(field).index()];
          if (names_.contains(field.name.raw)) state = State::Read;
          else if (state == State::Unseen) state = State::Unread;
        }
      }
    }
  }

  void read(ExpressionId expression) {
    for (const NameId name : model_.slots(model_[expression])) names_.insert(name.raw);
  }

  // A default says which bits an unread field has, so it is intended.
  void report(const Field& field) {
    if (fields_[model_.id_of(field).index()] != State::Unread || field.default_value) return;
    subject_.emit(rule::unread_name, field.where,
                  "no display or expression reads field " + quoted_name(model_.text(field.name)) + ", so the text " +
                      (field.is_derived() ? "does not depend on it" : "does not show its bits"));
  }

  void report(const Field& field, const Param& param) {
    if (field.bitset.is_none() || read_in_root_.contains(key_of(field.bitset, param.inner))) return;
    subject_.emit(rule::unread_name, param.where,
                  "no leaf of " + subject_.name_of(model_[field.bitset]) + " reads param " +
                      quoted_name(model_.text(param.inner)));
  }

  static std::uint64_t key_of(BitsetId root, NameId name) { return std::uint64_t{root.raw} << 32 | name.raw; }

  static constexpr std::size_t max_read_rows = std::size_t{1} << 24;

  Subject& subject_;
  const Model& model_;
  std::vector<State> fields_;                       // by field
  std::unordered_set<std::uint32_t> names_;         // that the current leaf reads
  std::unordered_set<std::uint64_t> read_in_root_;  // pairs of a root and a name that one of its leaves reads
  std::size_t read_rows_ = 0;
};

// The loader reports values that are too large for every field.
void check_widths(Subject& subject) {
  const Model& model = subject.model;
  std::vector<const Field*> widest(model.enums().size());
  std::vector<std::uint64_t> largest(model.enums().size());
  for (std::size_t e = 0; e < largest.size(); ++e) {
    for (const EnumValue& value : model.values(model.enums()[e])) largest[e] = std::max(largest[e], value.number);
  }
  const auto fits = [&](const Field& field) {
    return field.width >= bits_per_word || largest[field.enumeration.index()] >> field.width == 0;
  };
  for (const Field& field : model.rows().fields) {
    if (field.type != FieldType::Enum || field.is_derived()) continue;
    const Field*& found = widest[field.enumeration.index()];
    if (fits(field) && found == nullptr) found = &field;
  }
  // Narrow fields may use a part of the enum on purpose, so fields of one width are reported once.
  std::unordered_set<std::uint64_t> reported;
  for (const Field& field : model.rows().fields) {
    if (field.type != FieldType::Enum || field.is_derived() || fits(field)) continue;
    const Field* const wide = widest[field.enumeration.index()];
    if (wide == nullptr || !reported.insert(std::uint64_t{field.width} << 32 | field.enumeration.raw).second) continue;
    const Enum& e = model.enums()[field.enumeration.index()];
    subject.emit(rule::narrow_field, field.where,
                 "field " + quoted_name(model.text(field.name)) + " has " + std::to_string(field.width) +
                     (field.width == 1 ? " bit" : " bits") + ", too few for value " +
                     std::to_string(largest[field.enumeration.index()]) + " of enum " +
                     quoted_name(model.text(e.name)));
    subject.note(wide->where, "this field is wide enough");
  }
}

// A map is C code in a function with the parameters src, s and p. A pointer with another name is hardly defined there.
void check_maps(Subject& subject) {
  constexpr std::array<std::string_view, 3> known = {"src", "s", "p"};
  const auto is_name = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  for (const Bitset& b : subject.model.bitsets()) {
    for (const EncodeMap& map : subject.model.maps(b)) {
      const std::string_view text = map.text;
      for (std::size_t at = text.find("->"); at != std::string_view::npos; at = text.find("->", at + 2)) {
        std::size_t begin = at;
        while (begin > 0 && is_name(text[begin - 1])) --begin;
        const std::string_view name = text.substr(begin, at - begin);
        const bool is_member = begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == '>');
        if (name.empty() || is_digit(name[0]) || is_member || std::ranges::find(known, name) != known.end()) continue;
        const std::string field = quoted_name(subject.model.text(map.field));
        const bool is_typo = edit_distance(name, "src", 1) <= 1;
        subject.emit(rule::unknown_map_name, map.where,
                     "the map of " + field + " reads " + quoted_name(std::string(name) + "->") +
                         ", but a map has only src, s and p" + (is_typo ? suggestion("src") : ""));
        break;
      }
    }
  }
}

}  // namespace

void check_unread(Subject& subject) {
  if (!subject.model.is_sound()) return;
  UnreadNames(subject).run();
  check_widths(subject);
  check_maps(subject);
}

}  // namespace vireo::isa
