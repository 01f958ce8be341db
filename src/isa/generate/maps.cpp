// SPDX-License-Identifier: Apache-2.0
//
// Reads and checks maps, which are code in a description (docs/isa-tools.md). The generated code contains them in
// parentheses. Their meaning is not checked; the only check is that a text does not close the parentheses.
#include "isa/generate/maps.h"

#include <algorithm>

#include "isa/generate/header.h"
#include "isa/generate/writer.h"
#include "isa/model/rules.h"
#include "support/ascii.h"

namespace vireo::isa::generate {
namespace {

// Limits the nesting, because compilers have limits and the stack of open brackets should be small.
constexpr std::size_t max_nesting = 64;  // of brackets

bool is_name_letter(char c) { return is_letter(c) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Returns the end of a literal or comment that begins at `at`; `at` itself if none begins there; npos if it has no end.
std::size_t end_of_aside(std::string_view text, std::size_t at) {
  if (text[at] == '"' || text[at] == '\'') {
    for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
      if (text[i] == '\\') ++i;
      else if (text[i] == text[at]) return i + 1;
    }
    return std::string_view::npos;
  }
  if (text.substr(at, 2) == "/*") {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? end : end + 2;
  }
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  return at;
}

// Whether a `\` joins two lines. Compilers ignore whitespace between the `\` and the end of the line. The end of the
// text also ends a line. Each run of whitespace is scanned once.
bool joins_lines(std::string_view text) {
  for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\v\f\r", at + 1);
    if (next == std::string_view::npos || text[next] == '\n') return true;
  }
  return false;
}

// Some compilers end a line, and so a comment, at a lone carriage return; others do not.
bool has_lone_return(std::string_view text) {
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    if (text.substr(at + 1, 1) != "\n") return true;
  }
  return false;
}

// Other spellings of brackets and of `#`.
constexpr std::string_view digraphs[] = {"<%", "%>", "<:", ":>", "%:"};

bool is_quote(char c) { return c == '"' || c == '\''; }

// The reason why a text cannot be put in parentheses; empty if it can. Compilers process `\` at the end of a line and
// trigraphs before brackets, so both are rejected. A quote after a letter or digit may begin a raw literal or separate
// digits of a number, and this scanner would misread it. The scan makes one pass and rejects every doubtful text,
// because the author can rewrite the map.
std::string_view reason_to_reject(std::string_view text) {
  if (trimmed(text).empty()) return "is empty";
  if (joins_lines(text)) return "joins lines";
  if (has_lone_return(text)) return "has a control character";
  if (text.find("?\?") != std::string_view::npos) return "has a trigraph";
  std::string open;
  // True if only whitespace and comments precede the position in its line; a `#` there begins a directive.
  bool is_line_start = true;
  for (std::size_t at = 0; at < text.size();) {
    if (is_quote(text[at]) && at != 0 && (is_name_letter(text[at - 1]) || is_digit(text[at - 1]))) {
      return "has a quote directly after a letter or digit";
    }
    const std::string_view pair = text.substr(at, 2);
    if (std::find(std::begin(digraphs), std::end(digraphs), pair) != std::end(digraphs)) return "has a digraph";
    const std::size_t end = end_of_aside(text, at);
    if (end == std::string_view::npos) return "has an unterminated literal or comment";
    if (end != at) {
      at = end;
      continue;
    }
    const char c = text[at++];
    if (static_cast<unsigned char>(c) < ' ' && !is_blank(c)) return "has a control character";
    if (c == '#' && is_line_start) return "has a directive";
    is_line_start = c == '\n' || (is_line_start && is_blank(c));
    if (c == ';' || c == '{' || c == '}') return "is not a single expression";
    if (c == '(' || c == '[') open.push_back(c == '(' ? ')' : ']');
    if (open.size() > max_nesting) return "nests brackets too deeply";
    if (c != ')' && c != ']') continue;
    if (open.empty() || open.back() != c) return "has brackets that do not match";
    open.pop_back();
  }
  return open.empty() ? "" : "has brackets that do not match";
}

// Converts a map to code. A control character, which maps cannot contain, represents the map's own `@`. A line break
// ends a possible line comment before the code that follows.
std::string as_code(std::string_view text) {
  std::string result(trimmed(text));
  std::replace(result.begin(), result.end(), '@', users_at_sign);
  if (result.find("//") != std::string::npos) result.push_back('\n');
  return result;
}

// A type is declared as `TYPE name`, so only words, `*`, `:` and whitespace are allowed.
bool is_type(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || !is_name_letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_name_letter(c) || is_digit(c) || c == ' ' || c == '\t' || c == '*' || c == ':';
  });
}

}  // namespace

// Checks unused maps too, because a later change may use them.
std::optional<Reported> Maps::refusal(Diagnostics& diagnostics) const {
  std::optional<Reported> result;
  const auto refuse = [&](std::string message) {
    result = diagnostics.error(rule::bad_map, Location::none(), std::move(message));
  };
  for (const Bitset& bitset : model_.bitsets()) {
    const std::string name(model_.text(bitset.name));
    if (!bitset.encode_type.empty() && !is_type(bitset.encode_type)) {
      refuse("'" + std::string(bitset.encode_type) + "', the encode type of '" + name + "', is not a type");
    }
    const std::string prefix(bitset.encode_prefix);
    if (!std::all_of(prefix.begin(), prefix.end(), [](char c) { return is_name_letter(c) || is_digit(c); })) {
      refuse("'" + prefix + "', the case prefix of '" + name + "', cannot begin a name");
    }
    for (const EncodeMap& map : model_.maps(bitset)) {
      const std::string_view why = reason_to_reject(map.text);
      if (why.empty()) continue;
      refuse("the map of '" + std::string(model_.text(map.field)) + "' in '" + name + "' " + std::string(why));
    }
  }
  return result;
}

// The chain leads from the leaf to its root, so the nearest map is found first.
const EncodeMap* Maps::find(const Bitset& leaf, NameId field) const {
  for (const BitsetId id : model_.chain(leaf)) {
    for (const EncodeMap& map : model_.maps(model_[id])) {
      if (map.field == field) return &map;
    }
  }
  return nullptr;
}

std::string Maps::expression(const EncodeMap& map) { return "(" + as_code(map.text) + ")"; }

// Rejects calls, operators and casts. An assignment to their result would not compile, or would have no effect.
bool Maps::is_place(const EncodeMap& map) {
  // `src2->x` also begins with `src`, so the return statement checks the fourth character.
  const std::string_view text = trimmed(map.text);
  if (text.substr(0, 3) != "src") return false;
  int depth = 0;  // number of open `[`; an index may be any expression
  for (std::size_t at = 3; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[') ++depth;
    else if (c == ']') --depth;
    else if (depth != 0 || c == '.') continue;
    else if (c == '-' && text.substr(at, 2) == "->") ++at;
    else if (!is_name_letter(c) && !is_digit(c)) return false;
    if (depth < 0) return false;
  }
  return depth == 0 && (text.size() == 3 || !(is_name_letter(text[3]) || is_digit(text[3])));
}

std::string Maps::type(const Bitset& root) { return std::string(trimmed(root.encode_type)); }

// `struct op *src`, but `uint8_t src`.
std::string Maps::declaration(const Bitset& root) {
  const std::string text = type(root);
  return text + (text.back() == '*' ? "" : " ") + "src";
}

// Descriptions mark bitsets that are not instructions with a leading `#`; in a C name it would become a leading `_`.
std::string Maps::plain_name(const Bitset& bitset) const {
  std::string_view name = model_.text(bitset.name);
  while (name.starts_with('#')) name.remove_prefix(1);
  return identifier_from(name);
}

// Uses the spelling of Mesa's generator, so that code written for it can be reused.
std::string Maps::case_label(const Bitset& leaf) const {
  std::string label(model_[leaf.root].encode_prefix);
  for (const char c : model_.text(leaf.name)) {
    if (c == '#') continue;
    if (c >= 'a' && c <= 'z') label.push_back(static_cast<char>(c - 'a' + 'A'));
    else label.push_back(is_name_letter(c) || is_digit(c) ? c : '_');
  }
  if (is_digit(label.front())) label.insert(0, "_");
  return label;
}

// The function is outside of the namespace, because users declare it before they include the header.
std::string Maps::users_function(const Bitset& root, std::string_view what) const {
  return flat_name(options_) + "_" + plain_name(root) + "_" + std::string(what);
}

// Finds the params that maps mention; other params are not computed. The search is textual, so a comment may add an
// unused member.
void Maps::find_params() {
  for (const Bitset& bitset : model_.bitsets()) {
    for (const EncodeMap& map : model_.maps(bitset)) {
      for (std::size_t at = 0; (at = map.text.find("p->", at)) != std::string_view::npos; at += 3) {
        if (at != 0 && (is_name_letter(map.text[at - 1]) || is_digit(map.text[at - 1])))
          continue;  // part of another name
        std::size_t end = at + 3;
        while (end < map.text.size() && (is_name_letter(map.text[end]) || is_digit(map.text[end]))) ++end;
        params_.emplace(map.text.substr(at + 3, end - at - 3));
      }
    }
  }
}

// The members are sorted by name.
std::string Maps::params_type() const {
  std::string text = "/* The params that a field passes to its bitset, by their inner names. */\n";
  text += "typedef struct @Params {\n";
  for (const std::string& name : params_) text += "  int64_t " + name + ";\n";
  if (params_.empty()) text += "  char none; /* no map uses params */\n";
  return text + "} @Params;\n\n";
}

// Leaves of one name share a label, because the generation selects among them.
std::string Maps::labels_enum() const {
  std::string text;
  for (const Bitset& root : model_.bitsets()) {
    if (!root.is_root() || !has_type(root) || !has_choice(root)) continue;
    std::set<std::string> known;
    std::string rows;
    for (const BitsetId id : model_.leaves(root)) {
      std::string label = case_label(model_[id]);
      if (known.insert(label).second) rows += "  " + label + ",\n";
    }
    text += "enum " + flat_name(options_) + "_" + plain_name(root) + "_label {\n" + rows + "};\n";
  }
  return text;
}

}  // namespace vireo::isa::generate
