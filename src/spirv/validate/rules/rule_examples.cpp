// SPDX-License-Identifier: Apache-2.0
//
// Completes the examples of rules (rule_examples.h).
//
// Source: specification 2.4 (logical layout): the order of the lines that precede declarations.
#include "spirv/validate/rules/rule_examples.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {
namespace {

struct Prelude {
  std::string_view name, text;
};
constexpr Prelude preludes[] = {
#define PRELUDE(name, text) {#name, text},
#define DECLARATION(text)
#include "spirv/validate/rules/preludes.def"
#undef PRELUDE
#undef DECLARATION
};
constexpr std::string_view declarations[] = {
#define PRELUDE(name, text)
#define DECLARATION(text) text,
#include "spirv/validate/rules/preludes.def"
#undef PRELUDE
#undef DECLARATION
};

// The lines before debug information and declarations, in their order.
constexpr std::string_view header_order[] = {"OpCapability",  "OpExtension",  "OpExtInstImport",
                                             "OpMemoryModel", "OpEntryPoint", "OpExecutionMode"};
constexpr std::size_t first_replaceable = 3;  // in header_order

struct Line {
  char mark;
  std::string text;
};

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

// The id that a line defines; empty if it defines none.
std::string_view result_of(std::string_view text) {
  const std::string_view word = first_word(text);
  return word.starts_with('%') && text.substr(word.size()).starts_with(" = ") ? word : std::string_view();
}

std::string_view opcode_of(std::string_view text) {
  const std::string_view result = result_of(text);
  return first_word(result.empty() ? text : text.substr(result.size() + 3));
}

std::size_t header_rank(std::string_view text) {
  const std::string_view opcode = opcode_of(text);
  const auto found = std::ranges::find(header_order, opcode == "OpExecutionModeId" ? "OpExecutionMode" : opcode);
  return static_cast<std::size_t>(found - std::begin(header_order));
}

// Whether a line belongs to the sections between the header and the declarations: debug information and annotations.
bool precedes_declarations(std::string_view text) {
  constexpr std::string_view beginnings[] = {";",
                                             "OpString",
                                             "OpSource",
                                             "OpName",
                                             "OpMember",
                                             "OpLine",
                                             "OpDecorate",
                                             "OpModuleProcessed",
                                             "OpGroupDecorate",
                                             "OpDecorationGroup",
                                             "OpGroupMemberDecorate"};
  return header_rank(text) < std::size(header_order) || std::ranges::any_of(beginnings, [&](std::string_view begin) {
           return (begin == ";" ? text : opcode_of(text)).starts_with(begin);
         });
}

// Calls `use` for each id outside of strings.
template <typename Use>
void for_each_id(std::string_view text, Use use) {
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_in_string = !is_in_string;
    if (text[i] != '%' || is_in_string) continue;
    const std::size_t end = std::min(text.find_first_of(" |", i), text.size());
    use(text.substr(i, end - i));
  }
}

template <typename Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end != 0) use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

class ExampleWriter {
 public:
  explicit ExampleWriter(std::string_view example) {
    for_each_line(example, [&](std::string_view line) {
      if (!line.starts_with('@')) own_headers_[header_rank(line.substr(1))] = true;
    });
    for_each_line(example, [&](std::string_view line) {
      if (line.starts_with('@')) add_prelude(line.substr(1));
      else lines_.push_back({line.front(), std::string(line.substr(1))});
    });
  }

  std::string run() {
    if (!has("OpFunction") && has("OpEntryPoint")) add_prelude("main");
    if (has_open_function()) add_prelude("end");
    add_extensions();
    list_variables();
    std::ranges::stable_sort(lines_, {}, [](const Line& line) { return header_rank(line.text); });
    declare_names();
    std::string text;
    for (const Line& line : lines_) text.append(1, line.mark).append(line.text).push_back('\n');
    return text;
  }

 private:
  void add_prelude(std::string_view name) {
    const std::string_view prelude = find_prelude(name);
    if (prelude.empty()) return lines_.push_back({' ', '@' + std::string(name)});
    for_each_line(prelude, [&](std::string_view text) {
      const std::size_t rank = header_rank(text);
      const bool is_replaced = rank >= first_replaceable && rank < std::size(header_order) && own_headers_[rank];
      if (!is_replaced) lines_.push_back({' ', std::string(text)});
    });
  }

  [[nodiscard]] bool has(std::string_view opcode) const {
    return std::ranges::any_of(lines_, [&](const Line& line) { return opcode_of(line.text) == opcode; });
  }

  [[nodiscard]] bool has_open_function() const {
    const auto last = std::find_if(lines_.rbegin(), lines_.rend(), [](const Line& line) {
      return opcode_of(line.text) == "OpFunction" || opcode_of(line.text) == "OpFunctionEnd";
    });
    return last != lines_.rend() && opcode_of(last->text) == "OpFunction";
  }

  // Adds the extension that provides a capability of both modules, unless the example has one that does.
  void add_extensions() {
    const Grammar& grammar = builtin_grammar();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line line = lines_[i];
      if (line.mark != ' ' || opcode_of(line.text) != "OpCapability") continue;
      const std::string_view name = std::string_view(line.text).substr(opcode_of(line.text).size() + 1);
      const EnumerantRow* row = grammar.find_enumerant(grammar.capability_kind, name);
      if (row == nullptr || !row->since.is_none() || row->extensions.count == 0) continue;
      const auto has_extension = [&](StringRef extension) {
        return std::ranges::any_of(lines_, [&](const Line& other) {
          return opcode_of(other.text) == "OpExtension" &&
                 other.text.find(quoted(grammar.text(extension))) != std::string::npos;
        });
      };
      const std::span<const StringRef> extensions = grammar.strings(row->extensions);
      if (std::ranges::any_of(extensions, has_extension)) continue;
      lines_.push_back({' ', "OpExtension " + quoted(grammar.text(extensions.front()))});
    }
  }

  // The interface of an entry point lists the global variables of both modules (SPIR-V 1.4).
  void list_variables() {
    std::string list;
    for (const Line& line : lines_) {
      const std::string_view opcode = opcode_of(line.text);
      const bool is_variable = opcode == "OpVariable" || opcode == "OpUntypedVariableKHR";
      if (!is_variable || line.mark != ' ' || line.text.find(" Function") != std::string::npos) continue;
      list.append(" ").append(result_of(line.text));
    }
    constexpr std::string_view place = " @variables";
    for (Line& line : lines_) {
      if (const std::size_t at = line.text.find(place); at != std::string::npos)
        line.text.replace(at, place.size(), list);
    }
  }

  // Adds the declarations that are missing. A declaration may use those above it, so the list is read backwards.
  void declare_names() {
    std::set<std::string, std::less<>> defined, used;
    for (const Line& line : lines_) {
      if (const std::string_view result = result_of(line.text); !result.empty()) defined.emplace(result);
      for_each_id(line.text, [&](std::string_view id) { used.emplace(id); });
    }
    std::vector<Line> missing;
    for (std::size_t i = std::size(declarations); i-- > 0;) {
      const std::string_view result = result_of(declarations[i]);
      if (!used.contains(result) || defined.contains(result)) continue;
      missing.push_back({' ', std::string(declarations[i])});
      for_each_id(declarations[i], [&](std::string_view id) { used.emplace(id); });
    }
    const auto place = std::ranges::find_if_not(lines_, precedes_declarations, &Line::text);
    lines_.insert(place, missing.rbegin(), missing.rend());
  }

  std::array<bool, std::size(header_order) + 1> own_headers_{};  // by rank: whether the example has such a line
  std::vector<Line> lines_;
};

}  // namespace

std::string_view find_prelude(std::string_view name) {
  const auto* const prelude = std::ranges::find(preludes, name, &Prelude::name);
  return prelude == std::end(preludes) ? std::string_view() : prelude->text.substr(1);  // after the opening line end
}

std::string expand_example(std::string_view example) {
  bool is_complete = true;
  for_each_line(example, [&](std::string_view line) { is_complete = is_complete && !line.starts_with('@'); });
  return is_complete ? std::string(example) : ExampleWriter(example).run();
}

}  // namespace vireo::spirv
