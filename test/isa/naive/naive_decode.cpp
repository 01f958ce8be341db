// SPDX-License-Identifier: Apache-2.0
//
// Decodes a word, rule by rule; the sections are those of docs/isaspec.md, "How a word is decoded".
//
// A scope is (leaf, its bits, the scope around it, the field that opened it). Printing a scope means to
// find the display of its leaf and to look up every name in it. Looking up a name means to try every case of every
// bitset of the chain in order. Both evaluate conditions, and conditions look up names.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>

#include "isa/naive/naive_decoder.h"
#include "isa/naive/naive_expression.h"

namespace vireo::isa::naive {
namespace {

constexpr std::size_t messages_kept = 4;

// --- numbers as text ------------------------------------------------------------------------------------------

std::string decimal_of(Bits bits) {
  std::string digits;
  while (!bits.is_zero()) {
    std::uint64_t rest = 0;
    for (std::size_t i = bits.limbs.size(); i-- > 0;) {
      rest = (rest << 32) | bits.limbs[i];
      bits.limbs[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
    digits.insert(digits.begin(), static_cast<char>('0' + rest));
  }
  return digits.empty() ? "0" : digits;
}

/// Two's complement in the low `width` bits. Only a derived value has more bits, and they are ignored.
std::string signed_decimal_of(const Bits& bits, unsigned width) {
  if (width > bits.width) return signed_decimal_of(bits, bits.width);
  if (!bits.bit(width - 1)) return decimal_of(bits.slice(0, width - 1));
  Bits negated = bits_of(0, bits.width + 32);
  std::uint64_t carry = 1;
  for (unsigned at = 0; at < negated.width; ++at) {
    const bool bit = at < width ? bits.bit(at) : true;
    const std::uint64_t sum = (bit ? 0u : 1u) + carry;
    if ((sum & 1) != 0) negated.limbs[at / 32] |= std::uint32_t{1} << (at % 32);
    carry = sum >> 1;
  }
  return "-" + decimal_of(negated);
}

std::string hexadecimal_of(const Bits& bits, std::size_t digits) {
  std::string text;
  for (std::size_t i = bits.limbs.size(); i-- > 0;) {
    char limb[9];
    std::snprintf(limb, sizeof limb, "%08x", bits.limbs[i]);
    text += limb;
  }
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return text.substr(std::min(text.find_first_not_of('0'), text.size() - digits));
}

/// With as many digits as an instruction has; higher bits are always zero.
std::string full_hexadecimal_of(const Bits& bits, unsigned instruction_size) {
  return hexadecimal_of(bits, (instruction_size + 3) / 4);
}

double half_to_double(std::uint32_t half) {
  const int exponent = static_cast<int>((half >> 10) & 0x1F);
  const double mantissa = half & 0x3FF;
  double value = 0;
  if (exponent == 0) value = std::ldexp(mantissa, -24);
  else if (exponent == 31) value = mantissa == 0 ? HUGE_VAL : std::nan("");
  else value = std::ldexp(mantissa + 1024, exponent - 25);
  return std::copysign(value, (half & 0x8000) != 0 ? -1.0 : 1.0);
}

std::string float_text(std::uint64_t raw, unsigned width, bool roundtrip) {
  double value = 0;
  if (width == 16) {
    value = half_to_double(static_cast<std::uint32_t>(raw & 0xFFFF));
  } else if (width == 32) {
    const auto bits = static_cast<std::uint32_t>(raw);
    float single = 0;
    std::memcpy(&single, &bits, sizeof single);
    value = static_cast<double>(single);
  } else {
    std::memcpy(&value, &raw, sizeof value);
  }
  char text[400];
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  if (!roundtrip) std::snprintf(text, sizeof text, "%f", value);
  else if (std::isfinite(value) && value == std::trunc(value)) std::snprintf(text, sizeof text, "%.1f", value);
  else std::snprintf(text, sizeof text, "%.*g", width == 16 ? 5 : width == 32 ? 9 : 17, value);
  return text;
}

}  // namespace

// --- one run over a program ------------------------------------------------------------------------------------

class Decode {
 public:
  Decode(const Isa& isa, const Options& options) : isa_(isa), options_(options) {}

  std::string run(std::span<const std::uint8_t> bytes);
  void use_targets_of(const Decode& other) {
    calls_ = other.calls_;
    branches_ = other.branches_;
    starts_ = other.starts_;
  }

 private:
  struct Scope {
    const Bitset& leaf;
    Bits bits;
    Scope* parent;
    pugi::xml_node opened_by;                          // a field: its params give access to the parent
    std::map<std::string, std::uint64_t> values = {};  // of expressions
  };
  struct Found {
    pugi::xml_node node;  // field or derived
    Scope* scope;         // where it was found
    Bits value;
  };

  std::optional<Bits> ahead(std::span<const std::uint8_t> bytes, unsigned size) const;
  std::pair<const Bitset*, Bits> next_word(std::span<const std::uint8_t> bytes);
  const Bitset* choose_leaf(const Bitset& root, const Bits& bits);
  std::optional<Found> find(const std::string& name, Scope& scope);
  static bool defines(const Case& one_case, const std::string& name);
  std::optional<Found> find_in(const Case& one_case, const std::string& name, Scope& scope);
  std::uint64_t value_of(const std::string& expression, Scope& scope);
  std::optional<std::string> find_display(Scope& scope);
  std::optional<std::string> leave_case(const Case& one_case, const Bitset& bitset, const Scope& scope);
  void print_scope(Scope& scope);
  void print_spec(const std::string& spec, Scope& scope);
  void print_field(const Found& found, const std::string& shown_as, Scope& scope);
  void print_nested(const Found& found, const std::string& shown_as, const Bitset& root, Scope& scope);
  void print_target(const Found& found, bool is_absolute, unsigned width);
  void print_enum(const Found& found, pugi::xml_node rows);
  void print_labels(const Bits& word);

  void put(std::string_view text) {
    out_ += text;
    column_ += text.size();
  }
  void pad(std::size_t column) {
    while (column_ < column) put(" ");
  }
  void before_line(const Bits& word) {
    if (options_.before) out_ += options_.before(at_, word);
  }
  void add_message(const std::string& message) {
    if (options_.errors && messages_.size() < messages_kept) messages_.push_back(message);
  }
  std::string take_messages() {
    std::string text;
    for (const std::string& message : messages_) text += (text.empty() ? "\t; " : ", ") + message;
    messages_.clear();
    return text;
  }

  const Isa& isa_;
  const Options& options_;
  std::string out_;
  std::size_t column_ = 0;
  std::size_t at_ = 0;     // in units
  std::size_t count_ = 0;  // of units
  unsigned word_size_ = 0;
  std::vector<std::string> messages_;
  std::vector<std::pair<const Scope*, std::string>> under_evaluation_;  // keys of expressions, innermost last
  std::set<std::size_t> calls_, branches_, starts_;
};

// --- 1. choosing a leaf -----------------------------------------------------------------------------------------

const Bitset* Decode::choose_leaf(const Bitset& root, const Bits& bits) {
  const Bitset* chosen = nullptr;
  for (const Bitset* leaf : isa_.leaves_.at(&root)) {
    if (options_.gen < leaf->gen_min || options_.gen > leaf->gen_max) continue;
    bool matches = true;
    for (std::size_t i = 0; i < bits.limbs.size() && matches; ++i)
      matches = (bits.limbs[i] & leaf->mask.limbs[i] & ~leaf->dont_care.limbs[i]) == leaf->match.limbs[i];
    if (!matches) continue;
    if (chosen != nullptr) {
      add_message("bitset conflict: " + chosen->shown_name + " vs " + leaf->shown_name);
      return nullptr;
    }
    chosen = leaf;
  }
  if (chosen == nullptr) return nullptr;
  Bits unexpected = bits;
  for (std::size_t i = 0; i < bits.limbs.size(); ++i) unexpected.limbs[i] &= chosen->dont_care.limbs[i];
  if (!unexpected.is_zero()) {
    add_message("dontcare bits in " + chosen->shown_name + ": " + full_hexadecimal_of(unexpected, word_size_));
  }
  return chosen;
}

// --- 2. looking up a name in a scope ----------------------------------------------------------------------------

bool Decode::defines(const Case& one_case, const std::string& name) {
  return std::any_of(one_case.fields.begin(), one_case.fields.end(), [&](const auto& f) { return f.first == name; });
}

std::optional<Decode::Found> Decode::find_in(const Case& one_case, const std::string& name, Scope& scope) {
  for (const auto& [field_name, node] : one_case.fields) {
    if (field_name != name) continue;
    if (is_element(node, "derived")) {
      std::uint64_t value = value_of(expression_key(node), scope);
      if (options_.mesa && word_size_ <= 32) value &= 0xFFFFFFFF;  // its variables have the width of an instruction
      return Found{node, &scope, bits_of(value, 64)};
    }
    const auto [low, high] = range_of(node);
    return Found{node, &scope, scope.bits.slice(low, high)};
  }
  return std::nullopt;
}

std::optional<Decode::Found> Decode::find(const std::string& name, Scope& scope) {
  for (const Bitset* bitset = &scope.leaf; bitset != nullptr; bitset = bitset->parent) {
    for (const Case& one_case : bitset->cases) {
      const std::pair<const Scope*, std::string> asking(&scope, one_case.condition);
      const bool is_asking = !under_evaluation_.empty() && under_evaluation_.back() == asking;
      // Mesa evaluates every condition on the way. Ours are only those that matter: no expression depends on itself.
      if (!options_.mesa && !defines(one_case, name)) continue;
      if (!one_case.condition.empty() && !is_asking && value_of(one_case.condition, scope) == 0) continue;
      if (auto found = find_in(one_case, name, scope)) return found;
    }
  }
  if (scope.parent == nullptr) return std::nullopt;
  for (const pugi::xml_node param : scope.opened_by.children("param")) {
    const std::string outer = param.attribute("name").value();
    const std::string inner = param.attribute("as") ? param.attribute("as").value() : outer;
    if (inner == name) return find(outer, *scope.parent);
  }
  return std::nullopt;
}

// --- 3. expressions -----------------------------------------------------------------------------------------------

std::uint64_t Decode::value_of(const std::string& expression, Scope& scope) {
  if (const auto known = scope.values.find(expression); known != scope.values.end()) return known->second;
  const std::pair<const Scope*, std::string> asked(&scope, expression);
  if (std::find(under_evaluation_.begin(), under_evaluation_.end(), asked) != under_evaluation_.end()) return 0;

  const std::string& text = isa_.expressions_.at(expression);
  under_evaluation_.push_back(asked);
  std::map<std::string, std::int64_t> fields;  // all of them, whether or not the expression uses them
  for (const std::string& name : names_in_expression(text)) {
    const auto found = find(name, scope);
    if (!found) add_message("no field '" + name + "'");
    fields[name] = found ? static_cast<std::int64_t>(found->value.low64()) : 0;
  }
  under_evaluation_.pop_back();
  const auto value = static_cast<std::uint64_t>(
      evaluate_expression(text, options_.gen, [&](const std::string& name) { return fields.at(name); }));
  scope.values[expression] = value;
  return value;
}

// --- 4. the display of a scope ------------------------------------------------------------------------------------

std::optional<std::string> Decode::leave_case(const Case& one_case, const Bitset& bitset, const Scope& scope) {
  for (const pugi::xml_node node : one_case.asserts) {
    const auto [low, high] = range_of(node);
    const std::string wanted = trimmed(text_of(node));
    const Bits bits = scope.bits.slice(low, high);
    Bits expected = bits_of(0, bits.width);
    bool is_as_expected = true;
    for (unsigned at = 0; at < bits.width; ++at) {
      const bool bit = wanted[bits.width - 1 - at] == '1';
      if (bit) expected.limbs[at / 32] |= std::uint32_t{1} << (at % 32);
      if (bits.bit(at) != bit) is_as_expected = false;
    }
    if (is_as_expected) continue;
    add_message("WARNING: unexpected bits[" + std::to_string(low) + ":" + std::to_string(high) + "] in " +
                bitset.shown_name + ": " + full_hexadecimal_of(bits, word_size_) + " vs " +
                full_hexadecimal_of(expected, word_size_));
  }
  if (!one_case.has_display) return std::nullopt;
  return one_case.display;
}

std::optional<std::string> Decode::find_display(Scope& scope) {
  for (const Bitset* bitset = &scope.leaf; bitset != nullptr; bitset = bitset->parent) {
    for (const Case& one_case : bitset->cases) {
      if (!one_case.condition.empty() && value_of(one_case.condition, scope) == 0) continue;
      if (auto display = leave_case(one_case, *bitset, scope)) return display;
    }
  }
  return std::nullopt;
}

// --- 5. printing --------------------------------------------------------------------------------------------------

void Decode::print_scope(Scope& scope) {
  const auto display = find_display(scope);
  if (!display) return add_message(scope.leaf.shown_name + ": no display template");
  std::string_view rest = *display;
  while (!rest.empty()) {
    const std::size_t open = rest.find('{');
    const std::size_t close = rest.find('}', open == std::string_view::npos ? rest.size() : open);
    if (close == std::string_view::npos) return put(rest);
    put(rest.substr(0, open));
    print_spec(std::string(rest.substr(open + 1, close - open - 1)), scope);
    rest.remove_prefix(close + 1);
  }
}

void Decode::print_spec(const std::string& spec, Scope& scope) {
  const std::size_t align = spec.find(":align=");
  const std::string name = spec.substr(0, align);
  const std::size_t column = align == std::string::npos ? 0 : std::stoul(spec.substr(align + 7));
  if (name.empty() && align == 0) return pad(column);
  if (name == "NAME" || (options_.mesa && std::string_view("NAME").starts_with(name))) {
    pad(column);
    return put(scope.leaf.shown_name);
  }
  const auto found = find(name, scope);
  if (!found) return add_message("no field '" + name + "'");
  pad(column);
  print_field(*found, name, scope);
}

void Decode::print_field(const Found& found, const std::string& shown_as, Scope& scope) {
  const std::string type = found.node.attribute("type").value();
  if (const auto rows = isa_.enums_.find(type); rows != isa_.enums_.end()) return print_enum(found, rows->second);
  if (const auto nested = isa_.by_name_.find(type); nested != isa_.by_name_.end())
    return print_nested(found, shown_as, *nested->second, scope);

  // A derived value has 64 bits whatever its width, which only gives the position of the sign.
  const Bits& value = found.value;
  const unsigned width = is_element(found.node, "derived") ? found.node.attribute("width").as_uint(1) : value.width;
  const bool has_display = !found.node.attribute("display").empty();
  const std::string display = trimmed(found.node.attribute("display").value());
  if (type == "uint") return put(decimal_of(value));
  if (type == "int") return put(signed_decimal_of(value, width));
  if (type == "hex") return put(hexadecimal_of(value, 1));
  if (type == "uoffset") return put(value.is_zero() ? "" : "+" + decimal_of(value));
  if (type == "offset") {
    if (value.is_zero()) return;
    const std::string text = signed_decimal_of(value, width);
    return put(text.starts_with('-') ? text : "+" + text);
  }
  if (type == "float") return put(float_text(value.low64(), width, options_.roundtrip_floats));
  if (type == "bool" && has_display) return put(value.is_zero() ? "" : display);
  if (type == "bool") return put(decimal_of(value));
  if (type == "bool_inv" && has_display) return put(value.is_zero() ? display : "");
  if (type == "bool_inv") return put(value.is_zero() ? "1" : "0");
  if (type == "branch" || type == "absbranch") return print_target(found, type == "absbranch", width);
  if (type == "custom" && options_.custom) put(options_.custom(shown_as, value.low64()));
}

void Decode::print_enum(const Found& found, pugi::xml_node rows) {
  // Two rows with the same spelling of a number: the later text at the earlier position. With different spellings the
  // first row is used.
  std::string spelled;
  std::optional<std::string> display;
  const bool fits = found.value.width <= 64 || found.value.slice(64, found.value.width - 1).is_zero();
  for (const pugi::xml_node row : rows.children("value")) {
    const std::string number = row.attribute("val").value();
    if (fits && !display && std::strtoull(number.c_str(), nullptr, 0) == found.value.low64()) spelled = number;
    if (number == spelled && !spelled.empty()) display = row.attribute("display").value();
  }
  const bool is_cut = options_.mesa && found.value.width > 32 && found.value.width <= 64;  // Mesa prints 32 bits
  put(display ? *display : decimal_of(is_cut ? found.value.slice(0, 31) : found.value));
}

void Decode::print_nested(const Found& found, const std::string& shown_as, const Bitset& root, Scope& scope) {
  const Bitset* leaf = choose_leaf(root, found.value);
  if (leaf == nullptr) {
    return add_message("no match: FIELD: '" + scope.leaf.shown_name + "." + shown_as +
                       "': " + full_hexadecimal_of(found.value, word_size_));
  }
  // A bitset reached through a param belongs to the scope that owns the field. Mesa takes the innermost one.
  Scope nested{*leaf, found.value, options_.mesa ? &scope : found.scope, found.node};
  print_scope(nested);
}

void Decode::print_target(const Found& found, bool is_absolute, unsigned width) {
  const std::string number = signed_decimal_of(found.value, width);
  const auto offset = is_absolute ? static_cast<std::int64_t>(found.value.low64()) : std::stoll(number);
  const auto target = static_cast<std::int32_t>(
      static_cast<std::uint32_t>(offset + (is_absolute ? 0 : static_cast<std::int64_t>(at_))));
  const bool is_call = std::strcmp(found.node.attribute("call").value(), "true") == 0;
  if (target >= 0 && static_cast<std::size_t>(target) < count_) {
    (is_call ? calls_ : branches_).insert(static_cast<std::size_t>(target));
    if (options_.labels && starts_.contains(static_cast<std::size_t>(target)))
      return put((is_call ? "fxn" : "l") + std::to_string(target));
  }
  put(number);
}

// --- 6. programs ------------------------------------------------------------------------------------------------

void Decode::print_labels(const Bits& word) {
  std::vector<std::string> names;
  for (const auto& [name, instruction] : options_.entrypoints) {
    if (instruction == at_) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  std::vector<std::string> lines;
  if (at_ != 0 && (!names.empty() || calls_.count(at_) != 0)) lines.push_back("");
  for (const std::string& name : names) lines.push_back(name + ":");
  if (calls_.count(at_) != 0) lines.push_back("fxn" + std::to_string(at_) + ":");
  if (branches_.count(at_) != 0) lines.push_back("l" + std::to_string(at_) + ":");
  for (const std::string& line : lines) {
    before_line(word);
    out_ += line + "\n";
  }
}

/// The next `size` bits; empty if fewer are left.
std::optional<Bits> Decode::ahead(std::span<const std::uint8_t> bytes, unsigned size) const {
  const std::size_t first = at_ * (isa_.unit() / 8);
  if (first + (size + 7) / 8 > bytes.size()) return std::nullopt;
  Bits word = bits_of(0, size);
  for (std::size_t i = 0; i < (size + 7) / 8; ++i)
    word.limbs[i / 4] |= static_cast<std::uint32_t>(bytes[first + i]) << (8 * (i % 4));
  return word;
}

/// The root of the next instruction and its bits. Without a root: one unit that matches nothing.
std::pair<const Bitset*, Bits> Decode::next_word(std::span<const std::uint8_t> bytes) {
  for (const InstructionRoot& row : isa_.instruction_roots_) {
    const auto word = ahead(bytes, row.root->size);
    if (!word) continue;
    bool applies = true;
    for (std::size_t i = 0; i < row.pattern.size(); ++i) {
      const char wanted = row.pattern[row.pattern.size() - 1 - i];
      if (wanted != 'x' && word->bit(static_cast<unsigned>(i)) != (wanted == '1')) applies = false;
    }
    const bool is_only_one = isa_.instruction_roots_.size() == 1;
    if (row.pattern.empty() && !is_only_one) {
      const auto saved = messages_;
      applies = choose_leaf(*row.root, *word) != nullptr;
      messages_ = saved;
    }
    if (applies) return {row.root, *word};
  }
  return {nullptr, *ahead(bytes, isa_.unit())};
}

std::string Decode::run(std::span<const std::uint8_t> bytes) {
  count_ = bytes.size() / (isa_.unit() / 8);
  unsigned bad_in_a_row = 0;
  std::size_t units = 1;
  for (at_ = 0; at_ < count_; at_ += units) {
    column_ = 0;
    starts_.insert(at_);
    if (options_.max_errors != 0 && bad_in_a_row > options_.max_errors) break;
    const auto [root, word] = next_word(bytes);
    units = (word.width + isa_.unit() - 1) / isa_.unit();
    word_size_ = word.width;
    if (options_.labels) print_labels(word);
    before_line(word);
    const Bitset* leaf = root == nullptr ? nullptr : choose_leaf(*root, word);
    if (leaf == nullptr) {
      ++bad_in_a_row;
      // Mesa keeps the messages for the next instruction. Ours are printed here, unless the caller prints the line.
      const std::string messages = options_.mesa ? "" : take_messages();
      if (options_.no_match) out_ += options_.no_match(word);
      else out_ += "no match: " + full_hexadecimal_of(word, word_size_) + messages + "\n";
      continue;
    }
    Scope scope{*leaf, word, nullptr, {}};
    print_scope(scope);
    const std::string messages = take_messages();
    bad_in_a_row = messages.empty() ? 0 : bad_in_a_row + 1;
    out_ += messages;
    if (options_.after) out_ += options_.after(at_, word);
    out_ += "\n";
  }
  return std::move(out_);
}

std::string Isa::disassemble(std::span<const std::uint8_t> bytes, const Options& options) const {
  Decode decode(*this, options);
  const Options silent{.gen = options.gen, .errors = false, .mesa = options.mesa};
  Decode only_targets(*this, silent);
  if (options.labels) {
    static_cast<void>(only_targets.run(bytes));
    decode.use_targets_of(only_targets);
  }
  return decode.run(bytes);
}

}  // namespace vireo::isa::naive
