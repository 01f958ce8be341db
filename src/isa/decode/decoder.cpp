// SPDX-License-Identifier: Apache-2.0
//
// Decoder, and the visitor that makes a Decoded.
//
// The visitor hears which fields the display shows. What the display does not show is added when a scope is left: every
// name that the leaf's cases define for this word, so that a picture of the bits has them all.
#include "vireo/isa/decode.h"

#include <algorithm>

#include "isa/decode/walk.h"

namespace vireo::isa {

class DecodedBuilder {
 public:
  DecodedBuilder(const Model& model, const DecodeTables& tables, Decoded& decoded)
      : model_(model), tables_(tables), memory_(tables), decoded_(decoded), walk_(tables, memory_, *this) {
    decoded.model_ = &model;
    decoded.scopes_.clear();
    decoded.fields_.clear();
    decoded.faults_.clear();
  }

  bool run(const ChosenLeaf& chosen, const BitWord* words) {
    words_ = words;
    if (!walk_.instruction(chosen, words)) return false;
    sort_fields();
    return true;
  }

  // --- what the walk tells -----------------------------------------------------------------------------------------------

  void literal(const CompiledSegment&) {}
  [[nodiscard]] bool skips_empty() const { return false; }
  void align(std::uint32_t) {}
  void leaf_name(const Scope&, const CompiledSegment&) {}
  bool flag(std::uint32_t, std::uint64_t) { return false; }
  bool replay(std::uint32_t, std::uint64_t) { return false; }
  void keep(std::uint32_t, std::uint64_t) {}
  [[nodiscard]] std::string_view name_of(NameId name) const { return model_.text(name); }

  void enter(const Scope& scope, CaseId display) {
    const auto index = static_cast<std::uint32_t>(decoded_.scopes_.size());
    DecodedScope row;
    row.leaf = scope.plan->leaf;
    row.display = display;
    row.low = scope.low;
    row.width = scope.plan->size;
    row.fields.first = static_cast<std::uint32_t>(decoded_.fields_.size());  // none of its fields stands before
    if (last_shown_ != nowhere && scope.opened_by != nullptr) {
      row.parent = owners_[last_shown_];
      decoded_.fields_[last_shown_].nested = index;
      last_shown_ = nowhere;
    }
    decoded_.scopes_.push_back(row);
    const_cast<Scope&>(scope).number = index;
  }

  void leave(const Scope& scope) {
    // The names that no display showed, resolved while the scope's memory lives.
    const Run names = scope.plan->fields;
    for (std::uint32_t i = names.first; i < names.first + names.count; ++i) {
      const auto found = walk_.resolve(scope, tables_.plan_fields[i]);
      if (found.definition == nullptr || found.owner != &scope) continue;
      add(*found.definition, scope, walk_.value_of(*found.definition, scope), false);
    }
    last_shown_ = nowhere;
  }

  void field(const CompiledSegment&, const Definition& definition, const Scope& owner, std::int64_t value) {
    last_shown_ = add(definition, owner, value, true);
  }

  void fault(const WalkFault& fault) {
    DecodeFault row;
    row.kind = fault.kind;
    row.low = fault.low;
    row.width = fault.width;
    append_message(row.message, fault, words_, decoded_.size_);
    decoded_.faults_.push_back(std::move(row));
  }

 private:
  // The scope whose leaf declares the field: params show fields of scopes further out.
  [[nodiscard]] const Scope& declaring_scope(const Definition& definition, const Scope& scope) const {
    if (!definition.is_passed) return scope;
    const BitsetId bitset = model_[model_[definition.field].owner].owner;
    const Scope* at = scope.parent;
    while (at->parent != nullptr) {
      const std::span<const BitsetId> chain = model_.chain(model_[at->plan->leaf]);
      if (std::find(chain.begin(), chain.end(), bitset) != chain.end()) break;
      at = at->parent;
    }
    return *at;
  }

  std::uint32_t add(const Definition& definition, const Scope& found_in, std::int64_t value, bool is_shown) {
    const Scope& owner = declaring_scope(definition, found_in);
    for (std::uint32_t i = decoded_.scopes_[owner.number].fields.first; i < decoded_.fields_.size(); ++i) {
      if (owners_[i] != owner.number || decoded_.fields_[i].field != definition.field) continue;
      decoded_.fields_[i].is_shown |= is_shown;
      return i;
    }
    DecodedField row;
    row.field = definition.field;
    row.name = model_[definition.field].name;
    row.low = definition.expression == nowhere ? found_in.low + definition.low : 0;
    row.width = definition.width;
    row.value = static_cast<std::uint64_t>(value);
    row.is_shown = is_shown;
    decoded_.fields_.push_back(row);
    owners_.push_back(owner.number);
    return static_cast<std::uint32_t>(decoded_.fields_.size() - 1);
  }

  // Fields of one scope stand together, those without bits behind the others, each by place.
  void sort_fields() {
    std::vector<std::uint32_t> order(decoded_.fields_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return owners_[a] < owners_[b]; });
    std::vector<DecodedField> sorted;
    sorted.reserve(order.size());
    for (const std::uint32_t i : order) {
      Run& run = decoded_.scopes_[owners_[i]].fields;
      if (run.count == 0) run.first = static_cast<std::uint32_t>(sorted.size());
      ++run.count;
      sorted.push_back(decoded_.fields_[i]);
    }
    decoded_.fields_ = std::move(sorted);
  }

  const Model& model_;
  const DecodeTables& tables_;
  WalkMemory memory_;
  Decoded& decoded_;
  const BitWord* words_ = nullptr;
  std::vector<std::uint32_t> owners_;   // scope of each field
  std::uint32_t last_shown_ = nowhere;  // the field whose nested scope may open next
  Walk<DecodedBuilder> walk_;
};

Decoder::Decoder(const Model& model, DecodeOptions options)
    : model_(&model), options_(options), tables_(std::make_unique<const DecodeTables>(compile(model, options))) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

bool Decoder::is_usable() const { return !tables_->is_unusable; }

bool Decoder::decode(std::span<const BitWord> words, std::uint32_t bits, Decoded& decoded) const {
  BitWord padded[words_for(max_bitset_size) + 1] = {};
  std::copy_n(words.begin(), std::min(words.size(), words_for(tables_->max_bits)), padded);
  DecodedBuilder builder(*model_, *tables_, decoded);
  const ChosenLeaf chosen = choose_leaf(*tables_, padded, bits);
  decoded.size_ = chosen.root != nullptr ? chosen.root->size : std::min(bits, tables_->unit_bits);
  return chosen.root != nullptr && builder.run(chosen, padded);
}

BitsetId Decoder::match(BitsetId root, std::span<const BitWord> value) const {
  for (const MatchTree& tree : tables_->trees) {
    if (tree.root() != root) continue;
    const MatchTree::Match found = tree.find(value.data());
    return found.is_none() || found.is_conflict() ? BitsetId::none() : tree.leaves()[found.leaf];
  }
  return BitsetId::none();
}

const DecodedField* Decoded::find(std::string_view path) const {
  if (scopes_.empty()) return nullptr;
  const DecodedScope* scope = &scopes_.front();
  while (true) {
    // A name may contain dots itself: the whole rest goes before its first part.
    const DecodedField* found = nullptr;
    std::size_t length = path.size();
    while (found == nullptr && length != std::string_view::npos) {
      for (const DecodedField& field : fields(*scope)) {
        if (model_->text(field.name) == path.substr(0, length)) found = &field;
      }
      if (found == nullptr) length = length == 0 ? std::string_view::npos : path.rfind('.', length - 1);
    }
    if (found == nullptr || length == path.size()) return found;
    if (!found->has_nested()) return nullptr;
    scope = &scopes_[found->nested];
    path.remove_prefix(length + 1);
  }
}

}  // namespace vireo::isa
