// SPDX-License-Identifier: Apache-2.0
//
// The Decoder, and the visitor that fills a Decoded. isaspec 2.3 to 2.5.
//
// The walk is the same as for printing, so the decoded fields are the printed fields. When a scope ends, the visitor
// adds the fields that the display did not show, so that the Decoded covers all bits. A Decoded is reused: its rows
// keep their memory, so decoding further words allocates nothing.
#include "vireo/isa/decode.h"

#include <algorithm>

#include "isa/decode/walk.h"

namespace vireo::isa {

class DecodedBuilder {
 public:
  DecodedBuilder(const Model& model, const DecodeTables& tables, Decoded& decoded)
      : model_(model),
        tables_(tables),
        decoded_(decoded),
        work_(decoded.workspace_),
        walk_(tables, memory_for(tables, decoded.workspace_), *this) {
    decoded.model_ = &model;
    decoded.scopes_.clear();
    decoded.fields_.clear();
    decoded.fault_count_ = 0;
    work_.owners.clear();
    work_.previous.clear();
    work_.newest.clear();
    work_.unsorted.clear();
  }

  bool run(const ChosenLeaf& chosen, const BitWord* words) {
    words_ = words;
    if (!walk_.instruction(chosen, words)) return false;
    sort_fields();
    return true;
  }

  // --- calls from the walk -------------------------------------------------------------------------------------------

  // This visitor records fields and faults, and ignores text.
  void literal(const CompiledSegment&) {}
  void align(std::uint32_t) {}
  void leaf_name(const Scope&, const CompiledSegment&) {}
  [[nodiscard]] std::string_view name_of(NameId name) const { return model_.text(name); }

  void enter(const Scope& scope, CaseId display) {
    const auto index = static_cast<std::uint32_t>(decoded_.scopes_.size());
    DecodedScope row;
    row.leaf = scope.plan->leaf;
    row.display = display;
    row.low = scope.low;
    row.width = scope.plan->size;
    // The field shown last opens this scope: the walk calls its field() before enter().
    if (last_shown_ != nowhere && scope.opened_by != nullptr) {
      row.parent = scope.parent->number;
      work_.unsorted[last_shown_].nested = index;
      last_shown_ = nowhere;
    }
    // Scopes are listed before their nested scopes, in the order of the text.
    decoded_.scopes_.push_back(row);
    work_.newest.push_back(nowhere);
    // The walk passes its scopes as const, but reserves this member for its visitor.
    const_cast<Scope&>(scope).number = index;
  }

  void leave(const Scope& scope) {
    // Add the names that no display showed, while the scope's memory is valid.
    const Run names = scope.plan->fields;
    for (std::uint32_t i = names.first; i < names.first + names.count; ++i) {
      const auto found = walk_.resolve(scope, tables_.plan_fields[i]);
      // A param's field is listed in the scope that passes it.
      if (found.definition == nullptr || found.owner != &scope) continue;
      add(*found.definition, scope, walk_.value_of(*found.definition, scope), false);
    }
    last_shown_ = nowhere;
  }

  void field(const CompiledSegment&, const Definition& definition, const Scope& owner, std::int64_t value) {
    last_shown_ = add(definition, owner, value, true);
  }

  void fault(const WalkFault& fault) {
    // Rows are reused to keep the memory of their messages.
    if (decoded_.fault_count_ == decoded_.faults_.size()) decoded_.faults_.emplace_back();
    DecodeFault& row = decoded_.faults_[decoded_.fault_count_++];
    row.kind = fault.kind;
    row.low = fault.low;
    row.width = fault.width;
    row.message.clear();
    append_message(row.message, fault, words_, decoded_.size_);
  }

 private:
  // Returns the scope whose leaf declares the field: a param may show a field of an outer scope.
  [[nodiscard]] const Scope& declaring_scope(const Definition& definition, const Scope& scope) const {
    // In compiled plans, a passed field looks like the plan's own. A Decoded lists it where the description declares
    // it.
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
    // A display may show a field twice, and params may show it again in nested scopes. List it once.
    std::uint32_t& newest = work_.newest[owner.number];
    for (std::uint32_t i = newest; i != nowhere; i = work_.previous[i]) {
      if (work_.unsorted[i].field != definition.field) continue;
      work_.unsorted[i].is_shown |= is_shown;
      return i;
    }
    DecodedField row;
    row.field = definition.field;
    row.name = model_[definition.field].name;
    row.low = definition.expression == nowhere ? found_in.low + definition.low : 0;
    row.width = definition.width;
    row.value = static_cast<std::uint64_t>(value);
    row.is_shown = is_shown;
    const auto index = static_cast<std::uint32_t>(work_.unsorted.size());
    work_.unsorted.push_back(row);
    work_.owners.push_back(owner.number);
    work_.previous.push_back(newest);
    newest = index;
    return index;
  }

  // Groups the fields by scope, in walk order, with a counting sort.
  void sort_fields() {
    for (const std::uint32_t owner : work_.owners) ++decoded_.scopes_[owner].fields.count;
    std::uint32_t next = 0;
    for (DecodedScope& scope : decoded_.scopes_) {
      scope.fields.first = next;
      next += scope.fields.count;
      scope.fields.count = 0;
    }
    decoded_.fields_.resize(work_.unsorted.size());
    for (std::size_t i = 0; i < work_.unsorted.size(); ++i) {
      Run& run = decoded_.scopes_[work_.owners[i]].fields;
      decoded_.fields_[run.first + run.count++] = work_.unsorted[i];
    }
  }

  static WalkMemory memory_for(const DecodeTables& tables, Decoded::Workspace& work) {
    const std::size_t places = places_of_memory(tables);
    if (work.values.size() < places) {
      work.values.resize(places);
      work.states.resize(places);
    }
    return {work.values.data(), work.states.data()};
  }

  const Model& model_;
  const DecodeTables& tables_;
  Decoded& decoded_;
  Decoded::Workspace& work_;
  const BitWord* words_ = nullptr;
  std::uint32_t last_shown_ = nowhere;  // the field that may open the next scope
  Walk<DecodedBuilder> walk_;
};

Decoder::Decoder(const Model& model, DecodeOptions options)
    : model_(&model), options_(options), tables_(std::make_unique<const DecodeTables>(compile(model, options))) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

bool Decoder::is_usable() const { return !tables_->is_unusable; }

bool Decoder::decode(std::span<const BitWord> words, std::uint32_t bits, Decoded& decoded) const {
  // Pad with zeros, because slices may read one word past the end and the input may be shorter than an instruction. The
  // array is on the stack: 4096 bits and one word.
  BitWord padded[words_for(max_bitset_size) + 1] = {};
  std::copy_n(words.begin(), std::min(words.size(), words_for(tables_->max_bits)), padded);
  DecodedBuilder builder(*model_, *tables_, decoded);
  const ChosenLeaf chosen = choose_leaf(*tables_, padded, bits);
  decoded.size_ = chosen.root != nullptr ? chosen.root->size : std::min(bits, tables_->unit_bits);
  return chosen.root != nullptr && builder.run(chosen, padded);
}

BitsetId Decoder::match(BitsetId root, std::span<const BitWord> value) const {
  // A linear search: there are a few dozen roots, and this is not time-critical.
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
    // A name may contain dots, so try the longest prefix of the path first.
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
