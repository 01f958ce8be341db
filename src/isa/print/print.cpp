// SPDX-License-Identifier: Apache-2.0
//
// The printer: a visitor of Walk that writes text, and the loop over a program.
//
// Order for each instruction: an empty line before a function or an entry point; the names of entry points; `fxnN:`;
// `lN:`; the instruction; its faults; the end of the line. docs/isaspec.md, "Labels".
//
// The walk appends text to one buffer as it visits the segments, without an intermediate form. The
// section "Ours and Mesa's" of docs/isaspec.md lists the differences from Mesa, which mesa_compat removes.
#include "vireo/isa/print.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/decode/walk.h"
#include "isa/print/values.h"

namespace vireo::isa {
namespace {

// The same limit as in Mesa. `vireo isa explain` shows all faults.
constexpr std::uint32_t max_faults = 4;  // per line
// Large enough to make writes cheap, small enough to stay in the cache.
constexpr std::size_t flush_at = std::size_t{1} << 16;
constexpr std::size_t number_capacity = 64;  // characters of the longest number

enum LabelBits : std::uint8_t { BranchTarget = 1, CallTarget = 2, WithinInstruction = 4 };

// Loads one word of little-endian bytes.
BitWord load_word(const char* bytes, std::size_t count) {
  BitWord word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, bytes, count);
  } else {
    for (std::size_t i = 0; i < count; ++i) word |= BitWord{static_cast<unsigned char>(bytes[i])} << 8 * i;
  }
  return word;
}

}  // namespace

class Printer::Implementation {
 public:
  Implementation(const Decoder& decoder, PrintOptions options)
      : decoder_(decoder),
        model_(decoder.model()),
        tables_(decoder.tables()),
        options_(std::move(options)),
        listener_(options_.listener),
        values_(places_of_memory(tables_)),
        states_(places_of_memory(tables_)),
        walk_(tables_, memory(), *this) {
    // Queried once, so that the answer cannot change between two fields.
    wants_fields_ = listener_ != nullptr && listener_->wants_fields();
    std::stable_sort(options_.entry_points.begin(), options_.entry_points.end(),
                     [](const EntryPoint& a, const EntryPoint& b) {
                       return a.offset != b.offset ? a.offset < b.offset : a.name < b.name;
                     });
  }

  bool print(std::string_view bytes, TextSink& sink) {
    // A decoder for a faulty description has no instruction set and prints nothing.
    if (tables_.unit_bits < 8) return true;  // no instruction set
    count_ = bytes.size() / (tables_.unit_bits / 8);
    if (options_.branch_labels) find_labels(bytes);
    const bool result = print_lines(bytes, sink);
    labels_.clear();
    return result;
  }

  bool print_word(std::span<const BitWord> words, std::uint32_t bits, std::string& text) {
    const std::size_t count = std::min(words.size(), words_for(std::min(bits, max_bitset_size)));
    std::copy_n(words.begin(), count, words_);
    // The word after the instruction always exists and is 0, so a slice across two words needs no check.
    std::fill(words_ + count, words_ + std::max(count, words_for(tables_.max_bits)) + 1, 0);
    out_.clear();
    line_start_ = 0;
    index_ = count_ = 0;
    const ChosenLeaf chosen = choose_leaf(tables_, words_, bits);
    bits_ = chosen.root != nullptr ? chosen.root->size : std::min(bits, tables_.unit_bits);
    const bool matched = chosen.root != nullptr && walk_.instruction(chosen, words_);
    if (matched) {
      flush_faults();
    } else {
      append_no_match();
      drop_faults();  // a `no match` line has no annotation
    }
    text.append(out_);
    out_.clear();
    return matched;
  }

  bool print_word(std::span<const BitWord> words, std::uint32_t bits, std::span<const WrittenAs> aliases,
                  std::string& text) {
    aliases_ = aliases;
    const bool matched = print_word(words, bits, text);
    aliases_ = {};
    return matched;
  }

  // --- called by the walk ------------------------------------------------------------------------------------------------

  void literal(const CompiledSegment& segment) { out_.append(segment.text); }

  void align(std::uint32_t column) {
    // Columns count from the start of the instruction: text that a listener wrote before it does not move the operands.
    const std::size_t at = out_.size() - line_start_;
    if (at < column) out_.append(column - at, ' ');
  }

  void leaf_name(const Scope& scope, const CompiledSegment&) {
    if (wants_fields_) listener_->leaf_name(scope.plan->name);
    const WrittenAs* alias = alias_of(scope);
    out_.append(alias != nullptr ? alias->name : scope.plan->name);
  }

  // If the assembler matched an alias, its segments are printed. The decoder still chooses the leaf and the display.
  [[nodiscard]] Run segments_of(const Scope& scope, const DisplayStep& display) const {
    const WrittenAs* alias = alias_of(scope);
    return alias != nullptr && alias->display == &display ? alias->segments : display.segments;
  }
  [[nodiscard]] const WrittenAs* alias_of(const Scope& scope) const {
    for (const WrittenAs& alias : aliases_) {
      if (alias.low == scope.low && alias.plan == scope.plan) return &alias;
    }
    return nullptr;
  }

  void enter(const Scope&, CaseId) {}
  void leave(const Scope&) {}
  [[nodiscard]] std::string_view name_of(NameId name) const { return model_.text(name); }

  // Padding is written only if the field exists, and after the call of the listener.
  void field(const CompiledSegment& segment, const Definition& definition, const Scope& owner, std::int64_t value) {
    const auto raw = static_cast<std::uint64_t>(value);
    char buffer[number_capacity];
    if (wants_fields_) [[unlikely]]
      listener_->field(name_in(segment), raw);
    if (segment.has_align) align(segment.align);
    // A derived value always has 64 bits; only a field of the word can have more.
    if (definition.width > bits_per_word && definition.expression == nowhere) [[unlikely]] {
      if (write_wide(definition, owner)) return;
    }
    switch (definition.type) {
      case FieldType::Bitset: break;
      case FieldType::Enum: {
        const std::string_view display = definition.enumeration->find(raw);
        if (display.data() != nullptr) out_.append(display);
        // Mesa's enums are unsigned int, so a number without a row is truncated to 32 bits.
        else write_number(decoder_.options().mesa_compat ? static_cast<std::uint32_t>(raw) : raw);
        break;
      }
      case FieldType::Bool:
        if (!definition.has_display) write_number(raw);
        else if (raw != 0) out_.append(definition.display);
        break;
      case FieldType::BoolInv:
        if (!definition.has_display) out_ += raw == 0 ? '1' : '0';
        else if (raw == 0) out_.append(definition.display);
        break;
      case FieldType::Uint: write_number(raw); break;
      case FieldType::Int: write_signed_number(extended(definition, raw)); break;
      case FieldType::Hex: out_.append(buffer, write_hex(buffer, raw)); break;
      case FieldType::Offset:
        // All 64 bits of a derived value decide whether it is zero; its width gives the position of the sign.
        if (raw != 0) {
          const std::int64_t offset = extended(definition, raw);
          if (offset >= 0) out_ += '+';
          write_signed_number(offset);
        }
        break;
      case FieldType::Uoffset:
        if (raw != 0) {
          out_ += '+';
          write_number(raw);
        }
        break;
      case FieldType::Float:
        out_.append(buffer, write_float(buffer, raw, definition.width, options_.float_style));
        break;
      case FieldType::Branch:
      case FieldType::Absbranch: write_branch(definition, raw); break;
      case FieldType::Custom:
        if (listener_ != nullptr) {
          scratch_.clear();
          listener_->custom(name_in(segment), raw, scratch_);
          out_.append(scratch_);
        }
        break;
    }
  }

  void fault(const WalkFault& fault) {
    if (!options_.show_errors) return;
    // As in Mesa, further faults are dropped. `vireo isa explain` shows all.
    if (fault_count_ >= max_faults) return;
    if (fault_count_++ != 0) faults_.append(", ");
    append_message(faults_, fault, words_, bits_);
  }

 private:
  WalkMemory memory() { return {values_.data(), states_.data()}; }

  // The visitor of the first pass. Records the targets of the branches that displays show.
  struct LabelFinder {
    Implementation& printer;

    void literal(const CompiledSegment&) {}
    void align(std::uint32_t) {}
    void leaf_name(const Scope&, const CompiledSegment&) {}
    void enter(const Scope&, CaseId) {}
    void leave(const Scope&) {}
    void fault(const WalkFault&) {}
    [[nodiscard]] std::string_view name_of(NameId) const { return {}; }
    void field(const CompiledSegment&, const Definition& definition, const Scope&, std::int64_t value) {
      if (definition.type == FieldType::Branch || definition.type == FieldType::Absbranch)
        printer.mark_target(definition, value);
    }
  };

  static std::string_view name_in(const CompiledSegment& segment) {
    return segment.text.substr(0, segment.text.find(":align="));
  }
  static std::int64_t extended(const Definition& definition, std::uint64_t raw) {
    return sign_extended(raw, definition.width);
  }

  void write_number(std::uint64_t value) {
    char buffer[number_capacity];
    out_.append(buffer, write_unsigned(buffer, value));
  }
  void write_signed_number(std::int64_t value) {
    char buffer[number_capacity];
    out_.append(buffer, write_signed(buffer, value));
  }

  // Prints fields of more than 64 bits. False for types that never have more.
  bool write_wide(const Definition& definition, const Scope& owner) {
    const std::uint32_t width = definition.width;
    BitWord words[words_for(max_bitset_size)];
    for (std::uint32_t at = 0; at < width; at += bits_per_word) {
      words[at / bits_per_word] =
          slice_of(words_, owner.low + definition.low + at, std::min(width - at, bits_per_word));
    }
    const std::span<BitWord> value(words, words_for(width));
    const bool is_zero = std::all_of(value.begin(), value.end(), [](BitWord word) { return word == 0; });
    const bool is_negative = (value.back() >> (width - 1) % bits_per_word & 1) != 0;
    const auto write_decimal = [&](bool is_signed) { append_wide_decimal(out_, value, is_signed ? width : 0); };
    switch (definition.type) {
      case FieldType::Uint: write_decimal(false); return true;
      case FieldType::Int: write_decimal(true); return true;
      case FieldType::Hex: append_wide_hex(out_, value, width); return true;
      case FieldType::Offset:
      case FieldType::Uoffset:
        if (is_zero) return true;
        if (definition.type == FieldType::Uoffset || !is_negative) out_ += '+';
        write_decimal(definition.type == FieldType::Offset);
        return true;
      case FieldType::Bool:
        if (!definition.has_display) write_decimal(false);
        else if (!is_zero) out_.append(definition.display);
        return true;
      case FieldType::BoolInv:
        if (!definition.has_display) out_ += is_zero ? '1' : '0';
        else if (is_zero) out_.append(definition.display);
        return true;
      case FieldType::Enum:
        // Rows have 64-bit numbers, so a larger value has no row.
        if (std::all_of(value.begin() + 1, value.end(), [](BitWord word) { return word == 0; })) {
          if (definition.enumeration->find(value[0]).data() != nullptr) return false;
        }
        write_decimal(false);
        return true;
      default: return false;
    }
  }

  // --- labels ------------------------------------------------------------------------------------------------------------

  // Labels need a pass over the whole program before its first line is printed, because branches may go forwards.

  // Returns the unit that a branch targets; none outside of the program. Displacements wrap in 32-bit arithmetic.
  [[nodiscard]] std::optional<std::uint64_t> target_of(const Definition& definition, std::int64_t value) const {
    const bool is_relative = definition.type == FieldType::Branch;
    const std::int64_t distance = is_relative ? extended(definition, static_cast<std::uint64_t>(value)) : value;
    const auto target = static_cast<std::int32_t>(static_cast<std::uint32_t>(distance) +
                                                  (is_relative ? static_cast<std::uint32_t>(index_) : 0));
    // Targets outside of the program have no labels; they are printed as numbers.
    if (target < 0 || static_cast<std::uint64_t>(target) >= count_) return std::nullopt;
    return static_cast<std::uint64_t>(target);
  }

  void mark_target(const Definition& definition, std::int64_t value) {
    const std::optional<std::uint64_t> target = target_of(definition, value);
    if (target) labels_[*target] |= definition.is_call ? CallTarget : BranchTarget;
  }

  // Prints the number if there are no labels, or if the target is outside the program or within an instruction. The
  // number is sign-extended, even for absolute targets.
  void write_branch(const Definition& definition, std::uint64_t raw) {
    if (!labels_.empty()) {
      const std::optional<std::uint64_t> target = target_of(definition, static_cast<std::int64_t>(raw));
      if (target && (labels_[*target] & WithinInstruction) == 0) {
        out_.append(definition.is_call ? "fxn" : "l");
        write_number(*target);
        return;
      }
    }
    write_signed_number(extended(definition, raw));
  }

  // The first pass. It walks the same displays as printing, since a branch that no display shows has no label.
  void find_labels(std::string_view bytes) {
    labels_.assign(count_, 0);
    LabelFinder finder{*this};
    Walk<LabelFinder> labels(tables_, memory(), finder);
    for (index_ = 0; index_ < count_;) {
      const ChosenLeaf chosen = load(bytes);
      if (chosen.root != nullptr) labels.instruction(chosen, words_);
      // The index counts units, so targets have the same meaning for instructions of all sizes.
      const std::uint64_t next = index_ + bits_ / tables_.unit_bits;
      while (++index_ < next) labels_[index_] |= WithinInstruction;
    }
  }

  // --- the program -------------------------------------------------------------------------------------------------------

  // Reads the instruction at index_ into words_ and bits_.
  ChosenLeaf load(std::string_view bytes) {
    const std::size_t unit = tables_.unit_bits / 8;
    const std::size_t at = index_ * unit;
    // If the program ends within an instruction, the missing bytes are 0, but no root is chosen that is longer than the
    // rest.
    const std::size_t left = (count_ - index_) * unit;
    const std::size_t wanted = std::max<std::size_t>(tables_.max_bits, tables_.unit_bits) / 8;
    const std::size_t size = std::min(left, wanted);
    for (std::size_t i = 0, word = 0; i < wanted; i += sizeof(BitWord), ++word) {
      words_[word] = i < size ? load_word(bytes.data() + at + i, std::min(sizeof(BitWord), size - i)) : 0;
    }
    const ChosenLeaf chosen = choose_leaf(tables_, words_, size * 8);
    bits_ = chosen.root != nullptr ? chosen.root->size : tables_.unit_bits;
    return chosen;
  }

  [[nodiscard]] PrintListener::Instruction instruction() const { return {index_, {words_, words_for(bits_)}, bits_}; }

  // Called before each line, including labels, as in Mesa, where a callback prints the prefix of each line.
  void begin_line() {
    if (listener_ != nullptr) {
      scratch_.clear();
      listener_->before_line(instruction(), scratch_);
      out_.append(scratch_);
    }
    line_start_ = out_.size();
  }

  // Lines are buffered and written to the sink in large chunks.
  bool print_lines(std::string_view bytes, TextSink& sink) {
    out_.clear();
    faults_.clear();
    fault_count_ = 0;
    std::uint32_t bad_in_a_row = 0;
    std::size_t next_entry = 0;
    for (index_ = 0; index_ < count_; index_ += bits_ / tables_.unit_bits) {
      // As in Mesa, one bad instruction more than the limit is printed. Scripts rely on this.
      if (options_.max_errors != 0 && bad_in_a_row > options_.max_errors) break;
      const ChosenLeaf chosen = load(bytes);
      if (options_.branch_labels) print_labels(next_entry);
      begin_line();
      const bool matched = chosen.root != nullptr && walk_.instruction(chosen, words_);
      if (!matched) {
        ++bad_in_a_row;
        print_no_match();
      } else {
        bad_in_a_row = flush_faults() ? bad_in_a_row + 1 : 0;
        if (listener_ != nullptr) {
          scratch_.clear();
          listener_->after_instruction(instruction(), scratch_);
          out_.append(scratch_);
        }
        out_ += '\n';
        // As in Mesa, called only after an instruction that matched, so data cannot stop the printer.
        if (listener_ != nullptr && listener_->stops()) break;
      }
      if (out_.size() >= flush_at) {
        if (!sink.write(out_)) return false;
        out_.clear();
      }
    }
    const bool written = out_.empty() || sink.write(out_);
    out_.clear();
    faults_.clear();
    fault_count_ = 0;
    return written;
  }

  void print_labels(std::size_t& next_entry) {
    const std::vector<EntryPoint>& entries = options_.entry_points;
    while (next_entry < entries.size() && entries[next_entry].offset < index_) ++next_entry;  // within an instruction
    const bool has_entry = next_entry < entries.size() && entries[next_entry].offset == index_;
    const std::uint8_t label = labels_[index_];
    if (index_ != 0 && ((label & CallTarget) != 0 || has_entry)) {
      begin_line();
      out_ += '\n';
    }
    for (; next_entry < entries.size() && entries[next_entry].offset == index_; ++next_entry) {
      begin_line();
      out_.append(entries[next_entry].name);
      out_.append(":\n");
    }
    // A target of both calls and jumps has both labels.
    for (const auto& [bit, prefix] :
         {std::pair<std::uint8_t, std::string_view>{CallTarget, "fxn"}, {BranchTarget, "l"}}) {
      if ((label & bit) == 0) continue;
      begin_line();
      out_.append(prefix);
      write_number(index_);
      out_.append(":\n");
    }
  }

  void append_no_match() {
    out_.append("no match: ");
    append_hex(out_, {words_, words_for(bits_)}, bits_);
  }

  void print_no_match() {
    scratch_.clear();
    if (listener_ != nullptr && listener_->no_match(instruction(), scratch_)) {
      out_.append(scratch_);
    } else {
      append_no_match();
      if (!decoder_.options().mesa_compat) flush_faults();
      out_ += '\n';
    }
    // Mesa prints the faults of an unmatched word after the next instruction that matches.
    if (!decoder_.options().mesa_compat) drop_faults();
  }

  void drop_faults() {
    faults_.clear();
    fault_count_ = 0;
  }

  // Returns whether there were faults. Such an instruction counts as bad for max_errors.
  bool flush_faults() {
    if (fault_count_ == 0) return false;
    out_.append("\t; ");
    out_.append(faults_);
    drop_faults();
    return true;
  }

  const Decoder& decoder_;
  const Model& model_;
  const DecodeTables& tables_;
  PrintOptions options_;
  PrintListener* listener_;
  std::vector<std::int64_t> values_;  // memory of the walks
  std::vector<std::uint8_t> states_;
  Walk<Implementation> walk_;
  std::string out_;
  bool wants_fields_ = false;
  std::span<const WrittenAs> aliases_;  // of the current word
  std::size_t line_start_ = 0;
  std::string faults_;
  std::uint32_t fault_count_ = 0;
  std::string scratch_;
  std::vector<std::uint8_t> labels_;  // LabelBits of each unit; empty: no labels
  std::uint64_t index_ = 0;
  std::uint64_t count_ = 0;
  std::uint32_t bits_ = 0;
  BitWord words_[words_for(max_bitset_size) + 1] = {};
};

Printer::Printer(const Decoder& decoder, PrintOptions options)
    : implementation_(std::make_unique<Implementation>(decoder, std::move(options))) {}
Printer::~Printer() = default;
Printer::Printer(Printer&&) noexcept = default;

bool Printer::print(std::string_view bytes, TextSink& sink) { return implementation_->print(bytes, sink); }

bool Printer::print_word(std::span<const BitWord> words, std::uint32_t bits, std::string& text) {
  return implementation_->print_word(words, bits, text);
}

bool Printer::print_word(std::span<const BitWord> words, std::uint32_t bits, std::span<const WrittenAs> aliases,
                         std::string& text) {
  return implementation_->print_word(words, bits, aliases, text);
}

}  // namespace vireo::isa
