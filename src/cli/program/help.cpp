// SPDX-License-Identifier: Apache-2.0
//
// Help texts and man pages: two layouts of the same descriptors.
//
// All texts come from the descriptors. An option of a command appears in every help text and page; the golden
// tests show the result.
#include "cli/program/help.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "cli/common/all_commands.h"
#include "cli/common/shared_options.h"
#include "cli/common/version.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

// Fixed, whatever the terminal: help is compared in tests and shown in web pages, and 80 columns fit everywhere.
constexpr std::size_t line_width = 80;
constexpr std::size_t summary_column = 30;
constexpr std::size_t detail_indent = 10;  // deeper than the name of an option without a letter

// The texts for users; the numbers are defined in command.h.
using StatusText = std::array<std::string_view, 2>;
constexpr StatusText exit_statuses[] = {
    {"0", "success"},
    {"1", "an input has errors, which were reported"},
    {"2", "the command line is wrong"},
    {"3", "a file cannot be read or written"},
};
constexpr StatusText comparison_statuses[] = {
    {"0", "the modules are equal"},
    {"1", "the modules differ"},
    {"2", "the command line is wrong, or the modules cannot be compared"},
};

std::span<const StatusText> statuses_of(const Command& command) {
  if (command.traits.compares) return comparison_statuses;
  return exit_statuses;
}

// A compatibility command is called by its own name, without `vireo`.
std::string usage_of(const Command& command) {
  std::string usage = command.is_imitation() ? "" : "vireo ";
  return usage.append(command.name).append(" [options] ").append(command.operands);
}

// At least two blanks: a long spelling pushes its summary to the right, not to the next line, so that each option is
// one line for grep.
void pad_to(std::string& out, std::size_t line_begin, std::size_t column) {
  const std::size_t width = out.size() - line_begin;
  out.append(width + 2 <= column ? column - width : 2, ' ');
}

// Appends paragraphs (separated by empty lines), wrapped at words, each line indented.
void append_wrapped(std::string& out, std::string_view text, std::size_t indent) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view paragraph = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (paragraph.empty()) {
      out += '\n';
      continue;
    }
    while (!paragraph.empty()) {
      const std::size_t room = line_width - indent;
      std::size_t cut = paragraph.size();
      if (cut > room) {
        cut = paragraph.rfind(' ', room);
        // A word longer than a line (a path, a URL) is not broken, so that it can be copied.
        if (cut == std::string_view::npos) cut = std::min(paragraph.find(' '), paragraph.size());
      }
      out.append(indent, ' ').append(paragraph.substr(0, cut)) += '\n';
      paragraph.remove_prefix(std::min(cut + 1, paragraph.size()));
    }
  }
}

// One line per option, so that `vireo as -h | grep indent` works.
void append_option_line(std::string& out, const Option& option, const Command& command) {
  const std::size_t begin = out.size();
  (out += "  ") += spelling_of(option, command);
  pad_to(out, begin, summary_column);
  out.append(option.full_summary()) += '\n';
}

// "One of vulkan1.0, vulkan1.1, …."
std::string choices_sentence(const Option& option) {
  if (option.choices.empty()) return {};
  std::string sentence = option.kind == ValueKind::Text ? "Known: " : "One of ";
  bool is_first = true;
  for (const std::string_view choice : split_choices(option.choices)) {
    if (!is_first) sentence += ", ";
    sentence += choice;
    is_first = false;
  }
  return sentence + '.';
}

// --- roff --------------------------------------------------------------------------------------------------------------

// Escapes text for man(7), where backslashes, dashes, and a leading dot or quote are special. A plain `-` would be set
// as a hyphen, which a search does not find and a shell does not accept.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
  }
  return out;
}

void append_roff_paragraphs(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    out += ".PP\n" + roff(text.substr(0, end)) + '\n';
    text.remove_prefix(std::min(end + 2, text.size()));
  }
}

// The date, third argument of .TH, is empty: a page must not change from build to build.
std::string page_head(std::string_view name, std::string_view summary, std::string_view version) {
  std::string title(name);
  std::transform(title.begin(), title.end(), title.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; });
  return ".TH \"" + roff(title) + "\" 1 \"\" \"vireo " + roff(version) + "\" \"Vireo\"\n.SH NAME\n" + roff(name) +
         " \\- " + roff(summary) + '\n';
}

void append_exit_status(std::string& out, std::span<const StatusText> statuses) {
  out += ".SH \"EXIT STATUS\"\n";
  for (const auto& [status, meaning] : statuses) {
    out.append(".TP\n.B ").append(status).append("\n").append(meaning) += '\n';
  }
}

}  // namespace

std::string page_name(const Command& command) {
  std::string name = command.is_imitation() ? std::string(command.name) : "vireo-" + std::string(command.name);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string spelling_of(const Option& option, const Command& command) {
  // Aligns the names, with or without a letter.
  std::string text = option.letter != 0 ? std::string{'-', option.letter} : "  ";
  if (!option.name.empty()) text.append(option.letter != 0 ? ", --" : "  --").append(option.name);
  if (option.kind == ValueKind::None) return text;
  if (option.kind == ValueKind::OptionalChoice) return text.append("[=").append(option.value) + ']';
  // The reference programs take values as separate arguments; spirv-val accepts no other form.
  return text.append(option.name.empty() || command.is_imitation() ? " " : "=").append(option.value);
}

// Compatibility commands are omitted: they are called by their own names and have their own help.
namespace {

// A line for each command; of one family, if it is not empty.
void append_commands(std::string& out, std::string_view family) {
  for (const Command* command : all_commands) {
    if (command->is_imitation() || (!family.empty() && command->family() != family)) continue;
    const std::size_t begin = out.size();
    (out += "  ") += command->name;
    pad_to(out, begin, 18);
    out.append(command->summary) += '\n';
  }
}

}  // namespace

std::string program_help() {
  std::string out = "usage: vireo COMMAND [options] [inputs]\n\ncommands:\n";
  append_commands(out, {});
  out +=
      "\n'vireo COMMAND -h' lists a command's options, 'vireo COMMAND --help' explains them.\n"
      "'vireo --version' prints the versions of the program and of its grammar.\n";
  return out;
}

std::string family_help(std::string_view family) {
  std::string out = "usage: vireo " + std::string(family) + " COMMAND [options] [inputs]\n\ncommands:\n";
  append_commands(out, family);
  out.append("\n'vireo ").append(family).append(" COMMAND -h' lists a command's options, '--help' explains them.\n");
  return out;
}

// -h lists the options, for users who forgot a spelling; --help explains them.
std::string short_help(const Command& command) {
  std::string out = "usage: " + usage_of(command) + '\n' + std::string(command.summary) + "\n\n";
  for (const Option* option : command.options) append_option_line(out, *option, command);
  return out;
}

std::string long_help(const Command& command) {
  std::string out = "usage: " + usage_of(command) + "\n\n" + std::string(command.summary) + "\n";
  if (!command.details.empty()) {
    out += '\n';
    append_wrapped(out, command.details, 0);
  }
  out += "\noptions:\n";
  for (const Option* option : command.options) {
    append_option_line(out, *option, command);
    append_wrapped(out, option->details, detail_indent);
    // A choice's summary or details already list its few values.
    if (option->kind == ValueKind::Text) append_wrapped(out, choices_sentence(*option), detail_indent);
  }
  if (!command.examples.empty()) {
    out += "\nexamples:\n";
    for (std::string_view rest = command.examples; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      out.append("  ").append(rest.substr(0, end)) += '\n';
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  // A compatibility command has the reference's exit statuses: only two.
  if (!command.is_imitation()) {
    out += "\nexit status:\n";
    for (const auto& [status, meaning] : statuses_of(command))
      out.append("  ").append(status).append("  ").append(meaning) += '\n';
  }
  return out;
}

std::string man_page(const Command& command, std::string_view version) {
  std::string out = page_head(page_name(command), command.summary, version);
  out += ".SH SYNOPSIS\n.B " + roff(usage_of(command)) + "\n.SH DESCRIPTION\n";
  append_roff_paragraphs(out, command.details.empty() ? command.summary : command.details);
  out += ".SH OPTIONS\n";
  for (const Option* option : command.options) {
    std::string spelling = spelling_of(*option, command);
    // In a page the name begins the line: roff would keep the blanks for a missing letter.
    spelling.erase(0, spelling.find_first_not_of(' '));
    out += ".TP\n.B " + roff(spelling) + '\n' + roff(option->full_summary()) + ".\n";
    if (!option->details.empty()) out += roff(option->details) + '\n';
    if (!option->choices.empty()) out += roff(choices_sentence(*option)) + '\n';
  }
  if (!command.is_imitation()) append_exit_status(out, statuses_of(command));
  if (!command.examples.empty()) out += ".SH EXAMPLES\n.nf\n" + roff(command.examples) + "\n.fi\n";
  return out + ".SH \"SEE ALSO\"\n.BR vireo (1)\n";
}

// vireo(1), which refers to all other pages.
std::string program_man_page(std::string_view version) {
  std::string out = page_head("vireo", "a toolkit in which an instruction set is data", version);
  out += ".SH SYNOPSIS\n.B vireo\n.I command\n[options] [inputs]\n.SH COMMANDS\n";
  for (const Command* command : all_commands) {
    if (command->is_imitation()) continue;
    out += ".TP\n.B " + roff(command->name) + '\n' + roff(command->summary) + "; see\n.BR " +
           roff(page_name(*command)) + " (1).\n";
  }
  out += ".SH NAMES\n.PP\nCalled by the name\n";
  for (const Command* command : all_commands) {
    if (command->is_imitation()) out += ".BR " + roff(command->name) + " ,\n";
  }
  out += "the program has the flags, defaults and exit statuses of the tool of that name.\n";
  append_exit_status(out, exit_statuses);
  return out;
}

// --- the command man --------------------------------------------------------------------------------------------------

namespace {

constexpr Flag list_option("--list", "print the names of all pages, one per line",
                           "Packages store each page in a file: 'vireo man NAME' prints it.");

constexpr auto man_options = option_list(list_option, help_options);

// Prints a page. cmake/install.cmake writes one file for each name that --list prints.
int run_man(const Invocation& invocation) {
  if (invocation.options.has(list_option)) {
    std::string names;
    for (const Command* command : all_commands) {
      if (!command->is_imitation()) names.append(command->name).append("\n");
    }
    return print(invocation.streams, names);
  }
  if (invocation.operands().empty()) return print(invocation.streams, program_man_page(program_version));
  // Accepts both `man isa as` and `man 'isa as'`.
  std::string name;
  for (const std::string_view word : invocation.operands()) name.append(name.empty() ? "" : " ").append(word);
  if (name == "vireo") return print(invocation.streams, program_man_page(program_version));
  NearestNames nearest(name);
  for (const Command* command : all_commands) {
    // Pages refer to each other by their page names: vireo-grammar-check(1).
    const std::string page = page_name(*command);
    const bool applies = command->name == name || page == name || page == "vireo-" + name;
    if (applies) return print(invocation.streams, man_page(*command, program_version));
    nearest.offer(command->name);
  }
  return usage_error(invocation, "unknown command " + vireo::quoted(name) + suggestion(nearest.best()));
}

}  // namespace

constinit const Command man_command(
    "man", "[COMMAND]", "print a man page",
    "Prints the page of a command, or of the whole program, in the roff language of man(1).",
    "vireo man as > vireo-as.1\n"
    "vireo man dis | man -l -\n"
    "vireo man --list",
    "", man_options, run_man);

}  // namespace vireo::cli
