// SPDX-License-Identifier: Apache-2.0
//
// Builds the explanation of a word.
//
// The decoder determines the meaning of the word. This file adds the values of the fields and the place where each part
// is declared. If no leaf matches, it adds the nearest leaf; if several match, it adds all of them.
//
// An explanation is data: rows of a table, cells of a picture, annotations with their bits. Other files
// draw it as text and SVG, and programs can read it. It contains only fields that the decoder found, so an explanation
// and a listing always agree. docs/isa-tools.md describes the marks.
#include "vireo/isa/explain.h"

#include <algorithm>
#include <unordered_map>

#include "isa/explain/layers.h"
#include "isa/explain/origin.h"
#include "isa/print/field_text.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

constexpr std::uint32_t no_scope = ~std::uint32_t{0};
// Without this limit a hostile display would make a table cell as long as a whole listing.
constexpr std::size_t longest_text = 1024;  // in bytes; nested displays multiply the length

using Kind = ExplainedRow::Kind;

std::string cut(std::string text) {
  if (text.size() > longest_text) text.resize(longest_text);
  return text;
}

// Builds the explanation of one word. Keeps no state between words, so explanations do not depend on their order.
class ExplanationBuilder {
 public:
  ExplanationBuilder(const Decoder& decoder, const ExplainOptions& options, const Bits& word)
      : model_(decoder.model()), decoder_(decoder), options_(options) {
    decoder.decode(word, decoded_);
    // If instructions have several sizes, the word may be longer than the instruction. Explain only the instruction.
    word_ = Bits(decoded_.size());
    const std::uint32_t available = std::min(word.width(), decoded_.size());
    if (available > 0) word_.insert(0, word.extract(0, available - 1));
    out_.gen = decoder.gen();
    out_.hex = to_hex(word_);
    // explain_other() may change this.
    out_.outcome = Explanation::Outcome::Match;
  }

  Explanation run(const Bits& word) {
    if (decoded_.matched()) {
      explain_match();
    } else {
      explain_other(word);
    }
    // The decoder's annotations come last, after those that give their context.
    for (const DecodeFault& fault : decoded_.faults())
      out_.annotations.push_back({fault.low, fault.width, cut(fault.message)});
    return std::move(out_);
  }

 private:
  // --- a leaf matches ----------------------------------------------------------------------------------------------------

  // The order matters. Texts need the index, and rows need texts. Marks of faults precede marks of unread bits, because
  // a bit keeps its first mark.
  void explain_match() {
    index_fields();
    write_texts();
    LayerStack stack(word_.width());
    marks_.assign(word_.width(), BitMark::None);
    add_scope(0, 0, 0, stack);
    out_.picture = stack.finish();
    mark_faults();
    finish_picture();
  }

  // Records the field that opens each scope, and indexes the fields of each scope by name. The index is necessary
  // because a leaf may have thousands of fields.
  void index_fields() {
    openers_.assign(decoded_.scopes().size(), nullptr);
    for (std::uint32_t s = 0; s < decoded_.scopes().size(); ++s) {
      for (const DecodedField& field : decoded_.fields(decoded_.scopes()[s])) {
        by_name_.emplace(std::uint64_t{s} << 32 | field.name.raw, &field);
        if (field.has_nested()) openers_[field.nested] = &field;
      }
    }
  }

  struct Found {
    const DecodedField* field = nullptr;
    std::uint32_t scope = no_scope;
  };

  // Resolves a name in a scope: a field of the scope itself, or a param passed from the parent scope.
  [[nodiscard]] Found find(std::uint32_t scope, NameId name) const {
    while (true) {
      // The decoder has resolved the cases, so each name occurs once in a scope. A param passes a field under another
      // name (docs/isaspec.md, "Params"). Each step moves to the parent scope, so the loop ends.
      const auto own = by_name_.find(std::uint64_t{scope} << 32 | name.raw);
      if (own != by_name_.end()) return {own->second, scope};
      const DecodedField* opener = openers_[scope];
      if (opener == nullptr) return {};
      const std::span<const Param> params = model_.params(model_[opener->field]);
      const auto param = std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.inner == name; });
      if (param == params.end()) return {};
      name = param->outer;
      scope = decoded_.scopes()[scope].parent;
    }
  }

  // Makes the texts of all scopes in reverse order, so that the texts of nested scopes exist before those of their
  // parents. A scope that a param shows is opened later too, so its number is larger.
  void write_texts() {
    texts_.assign(decoded_.scopes().size(), {});
    for (std::uint32_t s = static_cast<std::uint32_t>(texts_.size()); s-- > 0;) {
      const DecodedScope& scope = decoded_.scopes()[s];
      if (scope.display.is_none()) continue;
      std::string text;
      // This repeats the printer's work for one scope, because the row of each nested leaf needs its own text. The line
      // of the explanation comes from the printer (Explainer::explain()); tests compare both.
      for (const Segment& segment : model_.segments(model_[scope.display])) {
        if (text.size() > longest_text) break;
        // Skip alignment to a far column: it would only add blanks to the cell.
        if ((segment.kind == Segment::Kind::Align || segment.has_align) && text.size() < segment.align &&
            segment.align <= longest_text) {
          text.append(segment.align - text.size(), ' ');
        }
        if (segment.kind == Segment::Kind::Literal) text += segment.text;
        if (segment.kind == Segment::Kind::Name) text += model_[scope.leaf].display_name;
        if (segment.kind != Segment::Kind::Field) continue;
        if (const Found found = find(s, segment.name); found.field != nullptr) text += text_of(*found.field);
      }
      texts_[s] = cut(std::move(text));
    }
  }

  [[nodiscard]] Bits bits_of(const DecodedField& field) const {
    const Field& row = model_[field.field];
    // A derived value has no bits in the word; it has the 64 bits of the decoder's value.
    if (row.is_derived()) return Bits(bits_per_word, field.value);
    return word_.extract(field.low, field.low + field.width - 1);
  }

  [[nodiscard]] std::string text_of(const DecodedField& field) const {
    const Field& row = model_[field.field];
    std::string text;
    // If no leaf matched, the text is empty as in the listing, and an annotation states the reason.
    if (row.type == FieldType::Bitset) return field.has_nested() ? texts_[field.nested] : text;
    if (row.type != FieldType::Custom) append_field_text(text, model_, row, bits_of(field), options_.float_style);
    // The listener gets the declared name of the field, and not the name that a param gives it.
    else if (options_.listener != nullptr) options_.listener->custom(model_.text(row.name), field.value, text);
    return cut(std::move(text));
  }

  // Adds the rows and cells of a scope: parts with bits first, from the highest bit, then derived values. The decoder
  // limits the recursion to max_nesting_depth.
  void add_scope(std::uint32_t s, std::uint32_t depth, std::size_t lowest, LayerStack& stack) {
    const DecodedScope& scope = decoded_.scopes()[s];
    const Bitset& leaf = model_[scope.leaf];
    add_leaf_row(leaf, depth, scope.low, scope.display, texts_[s]);

    std::vector<Line> lines;
    for (const DecodedField& field : decoded_.fields(scope))
      lines.push_back(
          {model_[field.field].is_derived() ? Kind::Derived : Kind::Field, field.low, field.width, &field, {}, {}, {}});
    // Fields take their bits before patterns and asserts do; shown fields before hidden ones.
    std::vector<std::size_t> layers(lines.size(), max_layers);
    for (const bool is_shown : {true, false}) {
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].kind != Kind::Field || lines[i].field->is_shown != is_shown) continue;
        // In a faulty description, a field may extend beyond its root's size; it gets a row but no cell.
        const bool is_inside = lines[i].low + lines[i].width <= word_.width();
        if (is_inside) layers[i] = stack.add(lines[i].low, lines[i].width, model_.text(lines[i].field->name), lowest);
        lines[i].layer = layers[i];
      }
    }
    // Patterns and asserts of nested leaves would need cells inside their field's cell, so only the table has them.
    add_fixed(leaf, scope.low, s == 0 ? &stack : nullptr, lines);
    // Highest bit first, in the order of the picture. The sort is stable: parts with the same bits keep the order of
    // the description, and derived values keep the decoder's order.
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
      const bool a_has_bits = a.kind != Kind::Derived;
      const bool b_has_bits = b.kind != Kind::Derived;
      if (a_has_bits != b_has_bits) return a_has_bits;
      return a_has_bits && a.low + a.width > b.low + b.width;
    });
    for (const Line& line : lines) {
      if (line.field == nullptr) {
        add_fixed_row(line, depth + 1);
        continue;
      }
      add_field_row(*line.field, depth + 1);
      if (line.field->has_nested())
        // Nested parts are drawn below the field that contains them.
        add_scope(line.field->nested, depth + 2, std::min(line.layer, max_layers - 1) + 1, stack);
    }
    mark_dont_care(leaf, scope.low);
  }

  // The source of one row of the table; `field` is null for patterns and asserts.
  struct Line {
    Kind kind;
    std::uint32_t low;
    std::uint32_t width;
    const DecodedField* field;
    std::string_view written;
    BitsetId bitset;
    CaseId from;
    // Layer of the cell; max_layers if there is no cell.
    std::size_t layer = max_layers;
  };

  void add_fixed(const Bitset& leaf, std::uint32_t at, LayerStack* stack, std::vector<Line>& lines) {
    for (const BitsetId id : model_.chain(leaf)) {
      for (const Pattern& p : model_.patterns(model_[id])) {
        if (stack != nullptr) stack->fix(p, at);
        lines.push_back({Kind::Pattern, at + p.low, p.width, nullptr, p.text, id, {}});
      }
      // Use only the default case. The asserts of an override apply only if it holds, and then the decoder reports
      // violations.
      const Case& last = model_.cases(model_[id]).back();
      for (const Assert& a : model_.asserts(last)) {
        if (stack != nullptr) stack->fix(at + a.low, a.width, BitRole::Assert);
        lines.push_back({Kind::Assert, at + a.low, a.width, nullptr, a.text, id, model_.id_of(last)});
      }
    }
  }

  void add_leaf_row(const Bitset& leaf, std::uint32_t depth, std::uint32_t low, CaseId display, std::string text) {
    ExplainedRow row;
    row.kind = Kind::Scope;
    row.depth = depth;
    row.low = low;
    row.width = leaf.size;
    row.name = cut(std::string(model_.text(leaf.name)));
    row.text = std::move(text);
    row.bitset = model_.id_of(leaf);
    row.from = display;
    if (!display.is_none()) {
      // The row names the bitset that declares the display, often an ancestor, because authors change the display
      // there.
      row.bitset = model_[display].owner;
      row.details = cut(display_text(model_, model_[display]));
    }
    out_.rows.push_back(std::move(row));
  }

  void add_fixed_row(const Line& line, std::uint32_t depth) {
    ExplainedRow row;
    row.kind = line.kind;
    row.depth = depth;
    row.low = line.low;
    row.width = line.width;
    // The text of the pattern, which has `x` for don't-care bits.
    row.raw = cut(std::string(line.written));
    row.is_shown = false;
    row.bitset = line.bitset;
    row.from = line.from;
    out_.rows.push_back(std::move(row));
  }

  void add_field_row(const DecodedField& field, std::uint32_t depth) {
    const Field& declared = model_[field.field];
    ExplainedRow row = row_of(declared, depth);
    row.low = field.low;
    if (declared.is_derived()) {
      // Expressions compute in signed 64-bit numbers, so the raw value is signed, independent of the field's type.
      row.raw = std::to_string(static_cast<std::int64_t>(field.value));
      row.width = 0;
    } else {
      row.raw = cut(to_hex(bits_of(field)));
    }
    row.text = text_of(field);
    row.is_shown = field.is_shown;
    out_.rows.push_back(std::move(row));
  }

  [[nodiscard]] ExplainedRow row_of(const Field& field, std::uint32_t depth) const {
    ExplainedRow row;
    row.kind = field.is_derived() ? Kind::Derived : Kind::Field;
    row.depth = depth;
    row.low = field.low;
    row.width = field.width;
    row.name = cut(std::string(model_.text(field.name)));
    row.type = cut(std::string(type_name(model_, field)));
    row.bitset = model_[field.owner].owner;
    row.from = field.owner;
    if (field.is_derived()) row.details = "= " + cut(expression_text(model_, field.expression));
    const std::string params = params_text(model_, field);
    if (!params.empty()) row.details += "passes " + cut(params);
    if (field.default_value) row.details += (row.details.empty() ? "" : ", ") + default_text(field);
    return row;
  }

  // --- marks -------------------------------------------------------------------------------------------------------------

  // Only the first mark of a bit counts. In a faulty description `bit` may be beyond the word; it is ignored then.
  void mark(std::uint32_t bit, BitMark mark) {
    if (bit < marks_.size() && marks_[bit] == BitMark::None) marks_[bit] = mark;
  }

  void mark_dont_care(const Bitset& leaf, std::uint32_t at) {
    for (std::uint32_t i = 0; i < leaf.size && at + i < word_.width(); ++i) {
      // The mask is empty if the leaf's patterns could not be read.
      if (i < leaf.dont_care.width() && leaf.dont_care.test(i) && word_.test(at + i))
        mark(at + i, BitMark::DontCareSet);
    }
  }

  void mark_faults() {
    for (const DecodeFault& fault : decoded_.faults()) {
      // The other kinds of faults are not about bits, except for don't-care bits, which were marked with their scope.
      if (fault.kind != DecodeFault::Kind::UnexpectedBits && fault.kind != DecodeFault::Kind::NoMatch) continue;
      if (fault.kind == DecodeFault::Kind::NoMatch) annotate_nested(fault);
      for (std::uint32_t i = 0; i < fault.width; ++i) mark(fault.low + i, BitMark::Unexpected);
    }
  }

  // For a nested field without a matching leaf: adds the nearest leaf of its type, or all leaves that match.
  void annotate_nested(const DecodeFault& fault) {
    for (const DecodedField& field : decoded_.fields()) {
      const Field& row = model_[field.field];
      if (row.type != FieldType::Bitset || row.is_derived() || field.has_nested()) continue;
      // A fault has bits but no field. If an override's field overlaps a default one, the shown field is the right one.
      if (field.low != fault.low || field.width != fault.width || !field.is_shown) continue;
      annotate_leaves(row.bitset, bits_of(field), field.low);
      return;
    }
  }

  void finish_picture() {
    for (const BitCell& cell : out_.picture.layers.front().cells) {
      // LayerStack::finish() adds these cells. In a correct description, the default case covers all bits. But if an
      // override defines a name with other bits, the bits of the default field are unread.
      if (cell.role != BitRole::Uncovered) continue;
      for (std::uint32_t bit = cell.low; bit <= cell.high(); ++bit) mark(bit, BitMark::Unread);
      out_.annotations.push_back(
          {cell.low, cell.width,
           "no field of the selected case contains " + std::string(cell.width == 1 ? "this bit" : "these bits")});
    }
    for (std::uint32_t i = 0; i < word_.width(); ++i) out_.picture.bits[i] = word_.test(i) ? '1' : '0';
    if (std::any_of(marks_.begin(), marks_.end(), [](BitMark m) { return m != BitMark::None; }))
      out_.picture.marks = std::move(marks_);
  }

  // --- no match, or a conflict -------------------------------------------------------------------------------------------

  struct Nearest {
    std::vector<BitsetId> matching;
    BitsetId leaf;  // the nearest leaf that does not match
    std::uint32_t distance = ~std::uint32_t{0};
  };

  void compare(BitsetId root, const Bits& value, Nearest& nearest) const {
    for (const BitsetId id : model_.leaves(model_[root])) {
      const Bitset& leaf = model_[id];
      if (!leaf.gens.contains(decoder_.gen()) || leaf.care.width() != value.width()) continue;
      // The distance is the number of pattern bits that differ: a good guess if one field of an opcode is wrong. If two
      // leaves have the same distance, the first one counts.
      const std::uint32_t distance = ((value ^ leaf.match) & leaf.care).count();
      if (distance == 0) nearest.matching.push_back(id);
      else if (distance < nearest.distance) {
        nearest.leaf = id;
        nearest.distance = distance;
      }
    }
  }

  void annotate_leaves(BitsetId root, const Bits& value, std::uint32_t low) {
    Nearest nearest;
    compare(root, value, nearest);
    const std::string of = " of " + cut(std::string(model_.text(model_[root].name)));
    if (nearest.matching.size() > 1) {
      std::string message;
      for (const BitsetId id : nearest.matching) {
        if (message.size() > longest_text) break;
        (message += message.empty() ? "" : ", ") += model_.text(model_[id].name);
      }
      out_.annotations.push_back({low, value.width(), cut(std::move(message)) + of + " all match"});
    } else if (!nearest.leaf.is_none()) {
      annotate_nearest(nearest, value, low);
    } else {
      out_.annotations.push_back(
          {low, value.width(), "no leaf" + of + " exists in generation " + std::to_string(out_.gen)});
    }
  }

  void annotate_nearest(const Nearest& nearest, const Bits& value, std::uint32_t low) {
    const Bitset& leaf = model_[nearest.leaf];
    const Bits differing = (value ^ leaf.match) & leaf.care;
    std::string bits;
    for (std::uint32_t i = value.width(); i-- > 0 && bits.size() < longest_text;) {
      if (!differing.test(i)) continue;
      (bits += bits.empty() ? "" : ", ") += std::to_string(low + i);
      mark(low + i, BitMark::Differs);
    }
    out_.annotations.push_back({low, value.width(),
                                "nearest is " + cut(std::string(model_.text(leaf.name))) + ": " +
                                    (nearest.distance == 1 ? "bit " + bits + " differs" : "bits " + bits + " differ")});
  }

  void explain_other(const Bits& word) {
    // Candidate roots: the root whose row of <encoding> applies, or all roots that are not larger than the word.
    Nearest nearest;
    Bits value;
    for (const InstructionRoot& row : model_.instruction_roots()) {
      const std::uint32_t size = model_[row.root].size;
      if (size == 0 || size > std::max(word.width(), word_.width())) continue;
      Bits padded(std::max(size, word.width()));
      padded.insert(0, word);
      const Bits candidate = padded.extract(0, size - 1);
      // As in the decoder, if a row with a pattern applies, its root is the only candidate, whether or not a leaf
      // matches (docs/isaspec.md, "Instructions of several sizes").
      if (row.has_pattern && ((candidate ^ row.match) & row.care).any()) continue;
      const std::uint32_t before = nearest.distance;
      compare(row.root, candidate, nearest);
      if (nearest.distance != before || !nearest.matching.empty() || value.width() == 0) value = candidate;
      if (row.has_pattern || !nearest.matching.empty()) break;
    }
    marks_.assign(word_.width(), BitMark::None);
    const bool is_conflict = nearest.matching.size() > 1;
    out_.outcome = is_conflict ? Explanation::Outcome::Conflict : Explanation::Outcome::NoMatch;
    if (is_conflict) {
      explain_conflict(nearest.matching);
    } else if (!nearest.leaf.is_none()) {
      // The picture has the size of the leaf's root. The word is padded with zeros, or cut where the next instruction
      // begins.
      word_ = value;
      marks_.assign(word_.width(), BitMark::None);
      out_.hex = to_hex(word_);
      out_.picture = picture_of(model_, model_[nearest.leaf]);
      add_declared(model_[nearest.leaf]);
      annotate_nearest(nearest, value, 0);
    } else {
      LayerStack stack(word_.width());
      out_.picture = stack.finish();
      out_.annotations.push_back(
          {0, 0, "no instruction of this size exists in generation " + std::to_string(out_.gen)});
    }
    for (std::uint32_t i = 0; i < word_.width(); ++i) out_.picture.bits[i] = word_.test(i) ? '1' : '0';
    out_.picture.marks = std::move(marks_);
  }

  // Adds one layer and the rows of each leaf, as if it were the only match.
  void explain_conflict(const std::vector<BitsetId>& leaves) {
    for (const BitsetId id : leaves) {
      // Unfinished descriptions may have hundreds of overlapping leaves; the first ones are enough.
      if (out_.picture.layers.size() == max_layers) {
        ++out_.picture.left_out;
        continue;
      }
      BitPicture picture = picture_of(model_, model_[id]);
      if (out_.picture.layers.empty()) {
        out_.picture.size = picture.size;
        out_.picture.bits.assign(picture.size, ' ');
      }
      out_.picture.layers.push_back(std::move(picture.layers.front()));
      out_.picture.layers.back().caption = model_.text(model_[id].name);
      add_declared(model_[id]);
    }
  }

  // Adds the rows of a leaf that was not chosen: the declarations of its default cases, with the bits of the word.
  void add_declared(const Bitset& leaf) {
    add_leaf_row(leaf, 0, 0, {}, {});
    std::vector<Line> lines;
    add_fixed(leaf, 0, nullptr, lines);
    std::vector<std::pair<Line, const Field*>> all;
    all.reserve(lines.size());
    for (const Line& line : lines) all.push_back({line, nullptr});
    for (const BitsetId id : model_.chain(leaf)) {
      // Without a match, it is unknown which overrides apply.
      for (const Field& field : model_.fields(model_.cases(model_[id]).back())) {
        if (!field.is_derived()) all.push_back({{Kind::Field, field.low, field.width, nullptr, {}, id, {}}, &field});
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.first.low + a.first.width > b.first.low + b.first.width;
    });
    for (const auto& [line, field] : all) {
      if (field == nullptr) {
        add_fixed_row(line, 1);
        continue;
      }
      ExplainedRow row = row_of(*field, 1);
      row.raw = cut(to_hex(word_.extract(field->low, field->high())));
      row.is_shown = false;
      out_.rows.push_back(std::move(row));
    }
  }

  const Model& model_;
  const Decoder& decoder_;
  const ExplainOptions& options_;
  Bits word_;
  Decoded decoded_;
  Explanation out_;
  std::vector<BitMark> marks_;
  // For each scope: the field that opened it, or null for the instruction. Points into decoded_, which no longer
  // changes once index_fields() runs.
  std::vector<const DecodedField*> openers_;
  // Key: scope << 32 | name.
  std::unordered_map<std::uint64_t, const DecodedField*> by_name_;
  // For each scope: the text of its display.
  std::vector<std::string> texts_;
};

PrintOptions printing(const ExplainOptions& options) {
  PrintOptions print;
  // Annotations are listed below the table, with their bits.
  print.show_errors = false;
  print.float_style = options.float_style;
  print.listener = options.listener;
  return print;
}

}  // namespace

Explainer::Explainer(const Decoder& decoder, ExplainOptions options)
    : decoder_(decoder), options_(options), printer_(decoder, printing(options)) {}

Explanation Explainer::explain(const Bits& word) {
  // The loader has reported the errors. Callers that continue get a message instead of an empty picture.
  if (!decoder_.is_usable()) {
    Explanation unusable;
    unusable.annotations.push_back({0, 0, "the instruction set has errors or exceeds the decoder's limits"});
    return unusable;
  }
  Explanation explanation = ExplanationBuilder(decoder_, options_, word).run(word);
  printer_.print_word(word.words(), word.width(), explanation.line);
  return explanation;
}

}  // namespace vireo::isa
