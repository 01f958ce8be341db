// SPDX-License-Identifier: Apache-2.0
//
// Generates functions for scopes and displays. docs/isaspec.md, "Which display".
#include <algorithm>

#include "isa/generate/instruction_writer.h"

namespace vireo::isa::generate {
namespace {

/// Statements and literals in output order; adjacent literals are merged.
class Body {
 public:
  // Buffers the text until other code follows, so that adjacent literals of a display become one copy.
  void literal(std::string_view text) { literal_.append(text); }
  void code(const Code& code) {
    flush();
    result_.text += code.text;
    result_.longest += code.longest;
  }
  Code finish() && {
    flush();
    return std::move(result_);
  }

 private:
  // The size is constant, so compilers replace the call of memcpy by move instructions.
  void flush() {
    if (literal_.empty()) return;
    result_.text += "o = @put(o, " + quoted_literal(literal_) + ", " + std::to_string(literal_.size()) + ");\n";
    result_.longest += literal_.size();
    literal_.clear();
  }

  Code result_;
  std::string literal_;
};

// Pads to a column, counted from the start of the line. Padding adds at most `column` bytes.
Code pad_code(std::uint32_t column) { return {"o = @pad(s, o, " + std::to_string(column) + ");\n", column}; }

}  // namespace

InstructionWriter::Shown InstructionWriter::show(const Bitset& leaf) {
  // Memo slots of conditions are numbered from 0 for each instruction, because only one instruction is printed at a
  // time.
  has_branch_ = false;
  memos_ = 0;
  // All nested scopes are opened from here on and live until clear(), because functions that are written last still
  // read scopes.
  const StaticScope& scope = scopes_.open(leaf, nullptr, nullptr, 0);
  ScopeCode body = scope_code(scope);
  if (!body.returns) body.code.text += "return o;\n";
  std::string text = "(@State* s, @Word w, char* o) {\n  (void)s;\n  (void)w;\n" + indented(body.code.text) + "}";
  Shown shown{writer_.define('d', "char*", text, leaf.display_name), body.code.longest, has_branch_, memos_ != 0};
  write_unclean_functions();
  scopes_.clear();
  facts_.is_too_large |= writer_.is_full();
  return shown;
}

// Instructions with equal displays share code, so an instruction's name is looked up at run time. Nested scopes contain
// their names as literals.
std::string InstructionWriter::name_text(const StaticScope& scope) const {
  return scope.parent == nullptr ? "s->leaf->name" : quoted_literal(scope.leaf->display_name);
}

// Generates code for each case, up to the first one that holds and has a display. Only the asserts of these cases are
// checked (docs/isaspec.md, "Which display"). Only one display is printed, so the longest text is the maximum over
// displays.
InstructionWriter::ScopeCode InstructionWriter::scope_code(const StaticScope& scope) {
  ScopeCode result;
  // Nested displays multiply, so a short description may require more code than fits into memory.
  if (scopes_.count() > max_scopes || writer_.is_full()) facts_.is_too_large = true;
  if (facts_.is_too_large) return result;
  const std::size_t outside = scopes_.assumptions();
  std::size_t longest = 0;
  for (const SeenCase& seen : scope.cases) {
    const bool has_display = seen.row->has_display;
    // A case without display and asserts is skipped, unless evaluating its condition may report a fault.
    const bool is_silent = !seen.condition || scopes_.is_clean(scope, seen.condition);
    if (!has_display && model_.asserts(*seen.row).empty() && is_silent) continue;
    const Condition condition = condition_of(scope, seen.condition);
    if (condition.is_never()) continue;
    const std::size_t known = scopes_.assumptions();
    if (seen.condition) scopes_.assume(scope, seen.condition, true);
    Code code = assert_code(scope, seen);
    if (has_display) {
      const Code display = display_code(scope, *seen.row);
      code.text += display.text;
      longest = std::max(longest, display.longest);
    }
    scopes_.drop_assumptions(known);
    if (condition.is_always()) {
      result.code.text += code.text;
      if (!has_display) continue;
      scopes_.drop_assumptions(outside);
      result.code.longest = longest;
      if (result.returns) result.code.text += "return o;\n";
      return result;
    }
    if (has_display) {
      code.text += "return o;\n";
      result.returns = true;
      // The code after the `if` runs only if the condition does not hold.
      scopes_.assume(scope, seen.condition, false);
    }
    result.code.text += "if " + in_parentheses(condition.text) + " {\n" + indented(code.text) + "}\n";
  }
  scopes_.drop_assumptions(outside);
  result.code.longest = longest;
  // Reached if no case that holds has a display.
  result.code.text += fault_call("@no_display", name_text(scope), scope.leaf->display_name.size());
  if (result.returns) result.code.text += "return o;\n";
  return result;
}

// Compares the bits of an assert in place. The table of expected bits is used only by the out-of-line code that writes
// the message.
Code InstructionWriter::assert_code(const StaticScope& scope, const SeenCase& seen) {
  Code result;
  for (const Assert& row : model_.asserts(*seen.row)) {
    // Wide asserts are compared in chunks of 64 bits; the message shows all bits.
    std::string differs;
    std::vector<std::uint64_t> words(words_for(row.width), 0);
    // The leftmost character of a pattern is the highest bit.
    for (std::uint32_t i = 0; i < row.width; ++i) {
      if (row.text[row.width - 1 - i] == '1') words[i / bits_per_word] |= std::uint64_t{1} << i % bits_per_word;
    }
    std::string table = "[] = {";
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto at = static_cast<std::uint32_t>(i) * bits_per_word;
      const std::uint32_t width = std::min(row.width - at, bits_per_word);
      if (i != 0) {
        differs += " || ";
        table += ", ";
      }
      differs += "(uint64_t)" + bits_text(scope.low + row.low + at, width) + " != " + hex_constant(words[i]);
      table += hex_constant(words[i]);
    }
    const std::string name = writer_.define('x', "const uint64_t", table + "};");
    const std::string arguments = "w, " + quoted_literal(seen.owner->display_name) + ", " + std::to_string(scope.low) +
                                  ", " + std::to_string(row.low) + ", " + std::to_string(row.width) + ", " + name;
    result.text += "if (" + differs + ") " + fault_call("@unexpected_bits", arguments, seen.owner->display_name.size());
  }
  return result;
}

// Generates a display from the segments that the model has parsed. Names are looked up here, in this scope.
Code InstructionWriter::display_code(const StaticScope& scope, const Case& row) {
  Body body;
  for (const Segment& segment : model_.segments(row)) {
    switch (segment.kind) {
      case Segment::Kind::Literal: body.literal(segment.text); break;
      case Segment::Kind::Align: body.code(pad_code(segment.align)); break;
      case Segment::Kind::Name:
        if (segment.has_align) body.code(pad_code(segment.align));
        if (scope.parent == nullptr) body.code({"o = @name(s, o);\n", facts_.longest_instruction_name});
        else body.literal(scope.leaf->display_name);
        break;
      case Segment::Kind::Field: body.code(field_code(scope, segment)); break;
    }
  }
  return std::move(body).finish();
}

// If a field has several candidates, the first one whose condition holds is shown.
Code InstructionWriter::field_code(const StaticScope& scope, const Segment& segment) {
  const std::vector<Candidate> candidates = scopes_.resolve(scope, segment.name, ExpressionId::none());
  // The field's name in the description, without its column, for fault messages.
  const std::string_view name = segment.text.substr(0, segment.text.find(":align="));
  const auto missing = [&] { return fault_call("@no_field", quoted_literal(name), name.size()); };
  if (candidates.empty()) return {missing(), 0};
  if (candidates.size() == 1 && !candidates.front().condition) return shown_code(scope, segment, candidates.front());

  // Within a branch, its condition is assumed to hold; after the branch, it is assumed not to hold. So the generated
  // code evaluates fewer conditions. All assumptions are dropped at the end.
  const std::size_t outside = scopes_.assumptions();
  Code result;
  std::string steps;
  bool is_found = false;
  for (const Candidate& candidate : candidates) {
    const Condition condition = condition_of(*candidate.scope, candidate.condition);
    if (condition.is_never()) continue;
    // This condition is evaluated only for the faults that it may report, in Mesa's order.
    if (candidate.field == nullptr) {
      steps += "(void)" + condition.text + ";\n";
      continue;
    }
    const std::size_t known = scopes_.assumptions();
    scopes_.assume(*candidate.scope, candidate.condition, true);
    Code shown = shown_code(scope, segment, candidate);
    scopes_.drop_assumptions(known);
    scopes_.assume(*candidate.scope, candidate.condition, false);
    result.longest = std::max(result.longest, shown.longest);
    if (condition.is_always()) {
      // The only possible candidate needs no surrounding loop.
      if (steps.empty()) {
        scopes_.drop_assumptions(outside);
        return shown;
      }
      steps += shown.text;
      is_found = true;
      break;
    }
    steps += "if " + in_parentheses(condition.text) + " {\n" + indented(shown.text) + "  break;\n}\n";
  }
  scopes_.drop_assumptions(outside);
  if (!is_found) steps += missing();
  // The loop runs once; `break` skips the remaining candidates.
  result.text = "do { /* " + comment_text(name) + " */\n" + indented(steps) + "} while (0);\n";
  return result;
}

}  // namespace vireo::isa::generate
