// SPDX-License-Identifier: Apache-2.0
//
// Generates completion scripts for bash, zsh and fish from the descriptors of options.
//
// Each script has a small fixed frame and a generated part: the options of each command, and the choices
// of each option that has some. Commands of two words complete word by word. Long lists are not in the scripts: they
// call `vireo completion --words=KIND`, so they are those of the installed version.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/shared_options.h"
#include "cli/program/help.h"
#include "isa/model/rules.h"
#include "spirv/grammar/grammar_rules.h"
#include "spirv/rules.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/inspect/info_fields.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::cli {
namespace {

std::string joined(std::string_view choices) {
  std::string words(choices);
  std::replace(words.begin(), words.end(), '|', ' ');
  return words;
}

// Quotes a text in single quotes for a shell. Inside them only the quote is special in bash, zsh and fish. fish also
// interprets `\\`, which no summary contains.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\''";
    else out += c;
  }
  return out + '\'';
}

template <typename Action>
void for_each_command(Action action) {
  for (const Command* command : all_commands) {
    if (!command->is_imitation()) action(*command);
  }
}

// The first words of commands, without duplicates. The rows of a family are adjacent, so only the previous word is
// compared.
std::string first_words() {
  std::string words;
  std::string_view last;
  for_each_command([&](const Command& command) {
    if (command.family() != last) words.append(words.empty() ? "" : " ").append(command.family());
    last = command.family();
  });
  return words;
}

std::string second_words(std::string_view family) {
  std::string words;
  for_each_command([&](const Command& command) {
    if (command.verb().empty() || command.family() != family) return;
    words.append(words.empty() ? "" : " ").append(command.verb());
  });
  return words;
}

// Calls action("grammar", "check diff") for each family.
template <typename Action>
void for_each_family(Action action) {
  std::string_view last;
  for_each_command([&](const Command& command) {
    if (command.verb().empty() || command.family() == last) return;
    last = command.family();
    action(last, second_words(last));
  });
}

// Whether the operands are words, not files: "bash|zsh|fish". Brackets mark an optional file.
bool operands_are_choices(const Command& command) {
  return command.operands.find('|') != std::string_view::npos && command.operands.find('[') == std::string_view::npos;
}

// The page names for `vireo man`: "as dis … grammar-check … spirv-as". Each is one word, because shells complete word
// by word.
std::string pages() {
  std::string words;
  for (const Command* command : all_commands) {
    std::string page(command->name);
    std::replace(page.begin(), page.end(), ' ', '-');
    words.append(words.empty() ? "" : " ").append(page);
  }
  return words;
}

// The possible words of an operand; empty for files.
std::string operand_words(const Command& command) {
  if (&command == &man_command) return pages();
  return operands_are_choices(command) ? joined(command.operands) : std::string();
}

// What completes the value of an option.
enum class ValueCompletion : std::uint8_t { NoValue, Words, MaybeWords, File, Folder, Nothing };

ValueCompletion completion_of(const Option& option) {
  if (option.kind == ValueKind::None) return ValueCompletion::NoValue;
  if (option.kind == ValueKind::OptionalChoice) return ValueCompletion::MaybeWords;
  if (!option.traits.words.empty() || !option.choices.empty()) return ValueCompletion::Words;
  if (option.value == "DIR") return ValueCompletion::Folder;
  return option.value == "FILE" ? ValueCompletion::File : ValueCompletion::Nothing;
}

// What may follow the first operand of a command with files: further files of the same kind, any file, or no file, as
// in "SPEC [FILE]" and "SPEC LEAF [FIELD=VALUE]...".
enum class LaterOperands : std::uint8_t { Same, AnyFile, NoFile };

LaterOperands later_operands(const Command& command) {
  const std::string_view all = command.operands;
  const std::string_view later = all.starts_with("SPEC ") ? all.substr(5) : std::string_view();
  if (later.empty() || later.find("SPEC") != std::string_view::npos) return LaterOperands::Same;
  return later.find("FILE") != std::string_view::npos ? LaterOperands::AnyFile : LaterOperands::NoFile;
}

// The description of a first word: the command's summary, or the verbs of the family.
std::string description_of(const Command& command) {
  return command.verb().empty() ? std::string(command.summary) : second_words(command.family());
}

// A call of a function in a script: "KIND VALUE…", the words to offer and what may follow each of them and a `=`.
std::string call_for_words(std::string_view function, std::string_view kind, std::string_view values = {}) {
  std::string call = std::string(function) + ' ' + std::string(kind);
  if (!values.empty()) call.append(" ").append(values);
  return call;
}

// --- bash --------------------------------------------------------------------------------------------------------------

// Asks the program that the user typed, which may be none of $PATH.
std::string bash_words(std::string_view kind) {
  return "$(\"${COMP_WORDS[0]}\" completion --words=" + std::string(kind) + " 2>/dev/null)";
}

constexpr std::string_view bash_takes(ValueCompletion completion) {
  switch (completion) {
    case ValueCompletion::Words: return "words";
    case ValueCompletion::MaybeWords: return "maybe";
    case ValueCompletion::File: return "file";
    case ValueCompletion::Folder: return "folder";
    default: return "nothing";
  }
}

// One case of the script: the options of a command, and what completes their values.
std::string bash_command(const Command& command) {
  std::string words, values, assigned;
  std::string plain[3];  // the options whose values are files, folders, or other texts
  for (const Option* option : command.options) {
    const std::string letter = option->letter != 0 ? std::string{'-', option->letter} : "";
    const std::string name = option->name.empty() ? "" : "--" + std::string(option->name);
    for (const std::string& spelling : {letter, name}) {
      if (!spelling.empty()) words.append(words.empty() ? "" : " ").append(spelling);
    }
    const std::string pattern = letter + (letter.empty() || name.empty() ? "" : "|") + name;
    const ValueCompletion completion = completion_of(*option);
    if (completion == ValueCompletion::NoValue) continue;
    if (completion >= ValueCompletion::File) {
      std::string& patterns = plain[static_cast<int>(completion) - static_cast<int>(ValueCompletion::File)];
      patterns.append(patterns.empty() ? "" : "|").append(pattern);
      continue;
    }
    values.append("        ").append(pattern).append(") takes=").append(bash_takes(completion)).append(" values=");
    values +=
        (option->traits.words.empty() ? '\'' + joined(option->choices) + '\'' : bash_words(option->traits.words)) +
        " ;;\n";
    if (option->traits.word_values.empty()) continue;
    assigned +=
        "      if [[ $option == " + name + " ]]; then values='" + std::string(option->traits.word_values) + "'; fi\n";
  }
  for (const auto completion : {ValueCompletion::File, ValueCompletion::Folder, ValueCompletion::Nothing}) {
    const std::string& patterns = plain[static_cast<int>(completion) - static_cast<int>(ValueCompletion::File)];
    if (!patterns.empty())
      values.append("        ").append(patterns).append(") takes=").append(bash_takes(completion)) += " ;;\n";
  }
  // Without an extension the last part of the script offers these words, and no files.
  if (const std::string operands = operand_words(command); !operands.empty()) words += ' ' + operands;
  std::string out = "    '" + std::string(command.name) + "')\n      words='" + words + "'";
  if (!command.files.empty()) out += " extensions='" + joined(command.files) + '\'';
  if (later_operands(command) == LaterOperands::AnyFile) out += " later=any";
  if (later_operands(command) == LaterOperands::NoFile) out += " later=none";
  out += '\n';
  if (!command.traits.words.empty()) {
    out += "      if [[ $current != -* ]]; then words=" + bash_words(command.traits.words) + "; fi\n";
  }
  if (!values.empty()) out += "      case $previous in\n" + values + "      esac\n";
  return out + assigned + "      ;;\n";
}

// Bash 3.2 of macOS lacks `compopt` and `mapfile`, so the script uses compgen and nothing newer.
std::string bash_script() {
  std::string out =
      "# bash completion for vireo\n"
      "_vireo() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command=${COMP_WORDS[1]} words= values= takes= extensions= later= at=$COMP_CWORD option= each\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '" +
      first_words() +
      " --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n";
  for_each_family([&](std::string_view family, const std::string& verbs) {
    out.append("  if [[ $command == ").append(family).append(" ]]; then\n    if ((COMP_CWORD == 2)); then\n");
    out += "      COMPREPLY=($(compgen -W '" + verbs +
           "' -- \"$current\"))\n      return\n    fi\n"
           "    command=\"$command ${COMP_WORDS[2]}\"\n  fi\n";
  });
  out +=
      "  # Bash passes a = as a separate word: --option = value, --option name = value.\n"
      "  if [[ $current == = ]]; then current=; ((at++)); fi\n"
      "  if [[ ${COMP_WORDS[at-1]} == = ]]; then\n"
      "    previous=${COMP_WORDS[at-2]} option=${COMP_WORDS[at-3]}\n"
      "    if [[ $option == = ]]; then option=${COMP_WORDS[at-4]}; fi\n"
      "  fi\n"
      "  case $command in\n";
  for_each_command([&](const Command& command) { out += bash_command(command); });
  out +=
      "  esac\n"
      "  COMPREPLY=()\n"
      "  if [[ -n $values ]]; then COMPREPLY=($(compgen -W \"$values\" -- \"$current\")); fi\n"
      "  case $takes in\n"
      "    words|nothing) return ;;\n"
      "    file) COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n"
      "    folder) COMPREPLY=($(compgen -d -- \"$current\")); return ;;\n"
      "  esac\n"
      "  if ((${#COMPREPLY[@]} != 0)); then return; fi\n"
      "  if [[ $current == -* || -z $extensions ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  # An earlier operand of the first kind, or the command of 'vireo shrink'.\n"
      "  for each in \"${COMP_WORDS[@]:2:at-2}\"; do\n"
      "    if [[ $each == -- ]]; then later=any; fi\n"
      "    if [[ -n $later && ( $each == *.$extensions || $each == -- ) ]]; then extensions=$later; break; fi\n"
      "  done\n"
      "  if [[ $extensions == none ]]; then return; fi\n"
      "  if [[ $extensions == any ]]; then COMPREPLY=($(compgen -f -- \"$current\")); return; fi\n"
      "  for each in $extensions; do COMPREPLY+=($(compgen -f -X \"!*.$each\" -- \"$current\")); done\n"
      "  COMPREPLY+=($(compgen -d -- \"$current\"))\n"
      "  if ((${#COMPREPLY[@]} == 0)); then COMPREPLY=($(compgen -f -- \"$current\")); fi\n"
      "}\n"
      "complete -o filenames -F _vireo vireo\n";
  return out;
}

// --- zsh ---------------------------------------------------------------------------------------------------------------

// The blank in front prevents _arguments from adding arguments of its own.
constexpr std::string_view zsh_words = " _vireo_words";

// One specification for _arguments: '--name=[summary]:FILE:(choices)'.
std::string zsh_option(const Option& option, std::string_view spelling) {
  std::string summary;
  // A bracket would end the summary, and a colon would begin the value's part.
  for (const char c : option.full_summary()) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') summary += '\\';
    summary += c;
  }
  std::string spec(spelling);
  // `=-`: the value must be attached. `=`: attached or the next word. `+`: the same for letters.
  if (option.kind == ValueKind::OptionalChoice) spec += "=-";
  else if (option.kind != ValueKind::None) spec += spelling.starts_with("--") ? "=" : "+";
  spec += '[' + summary + ']';
  if (option.kind == ValueKind::None) return shell_quoted(spec);
  spec.append(option.kind == ValueKind::OptionalChoice ? "::" : ":").append(option.value) += ':';
  if (!option.traits.words.empty()) spec += call_for_words(zsh_words, option.traits.words, option.traits.word_values);
  else if (!option.choices.empty()) spec += '(' + joined(option.choices) + ')';
  else if (completion_of(option) == ValueCompletion::Folder) spec += "_files -/";
  else if (completion_of(option) == ValueCompletion::File) spec += "_files";
  // zsh offers an option once, unless it is marked with a star.
  const bool may_be_repeated = option.summary.find("may be repeated") != std::string_view::npos;
  return shell_quoted(may_be_repeated ? '*' + spec : spec);
}

// The specifications of operands for _arguments.
std::vector<std::string> zsh_operands(const Command& command) {
  if (!command.traits.words.empty()) return {"*:name:" + call_for_words(zsh_words, command.traits.words)};
  if (const std::string operands = operand_words(command); !operands.empty()) return {":name:(" + operands + ')'};
  if (command.files.empty()) return {"*:input:_files"};
  const std::string files = ":input:_files -g \"*.(" + std::string(command.files) + ")\"";
  switch (later_operands(command)) {
    case LaterOperands::AnyFile: return {files, "*:input:_files"};
    case LaterOperands::NoFile: return {files, "*:text: "};
    default: return {'*' + files};
  }
}

std::string zsh_script() {
  std::string out =
      "#compdef vireo\n"
      "# _vireo_words KIND [VALUE...]: words of the program; a = and a value may follow.\n"
      "_vireo_words() {\n"
      "  local kind=$1; shift\n"
      "  if (($#)) && compset -P '*='; then compadd -- $@; return; fi\n"
      "  local -a found=(${(f)\"$(${~vireo} completion --words=$kind 2>/dev/null)\"})\n"
      "  if (($#)); then compadd -S = -- $found; else compadd -- $found; fi\n"
      "}\n"
      "_vireo() {\n  local command=${words[2]} vireo=${words[1]}\n  if ((CURRENT == 2)); then\n    local -a names=(\n";
  std::string_view last;
  for_each_command([&](const Command& command) {
    if (command.family() == last) return;
    last = command.family();
    out += "      " + shell_quoted(std::string(last) + ':' + description_of(command)) + '\n';
  });
  out += "    )\n    _describe command names\n    return\n  fi\n";
  for_each_family([&](std::string_view family, const std::string& verbs) {
    out.append("  if [[ $command == ").append(family).append(" ]]; then\n");
    out += "    if ((CURRENT == 3)); then compadd " + verbs +
           "; return; fi\n"
           "    command=\"$command ${words[3]}\"\n    shift words; ((CURRENT--))\n  fi\n";
  });
  out += "  shift words; ((CURRENT--))\n  case $command in\n";
  for_each_command([&](const Command& command) {
    out.append("    '").append(command.name).append("') _arguments");
    for (const Option* option : command.options) {
      if (option->letter != 0) out += " \\\n      " + zsh_option(*option, std::string{'-', option->letter});
      if (!option->name.empty()) out += " \\\n      " + zsh_option(*option, "--" + std::string(option->name));
    }
    for (const std::string& operand : zsh_operands(command)) out += " \\\n      " + shell_quoted(operand);
    out += " ;;\n";
  });
  // Autoloaded from $fpath, the script is itself the first call; when sourced, it registers the function.
  out += "  esac\n}\nif [[ $funcstack[1] == _vireo ]]; then _vireo \"$@\"; else compdef _vireo vireo; fi\n";
  return out;
}

// --- fish --------------------------------------------------------------------------------------------------------------

// A command substitution: a call of the function at the top of the script.
std::string fish_words(std::string_view kind, std::string_view values = {}) {
  return '(' + call_for_words("__vireo_words", kind, values) + ')';
}

std::string fish_script() {
  std::string out =
      "# fish completion for vireo\n"
      "# __vireo_words KIND [VALUE...]: words of the program, each with = and every value if there are some.\n"
      "function __vireo_words\n"
      "  set -l tokens (commandline -opc)\n"
      "  for word in (eval $tokens[1] completion --words=$argv[1] 2>/dev/null)\n"
      "    if set -q argv[2]\n"
      "      printf \"$word=%s\\n\" $argv[2..-1]\n"
      "    else\n"
      "      echo $word\n"
      "    end\n"
      "  end\n"
      "end\n"
      "complete -c vireo -f -n __fish_use_subcommand -l help -d 'list the commands'\n"
      "complete -c vireo -f -n __fish_use_subcommand -l version -d 'print versions'\n";
  std::string_view last;
  for_each_command([&](const Command& command) {
    const std::string first(command.family());
    if (first != last) {
      out += "complete -c vireo -f -n __fish_use_subcommand -a " + first + " -d " +
             shell_quoted(description_of(command)) + '\n';
    }
    last = command.family();
    // fish has no state: each line contains the condition under which it applies.
    std::string condition = "__fish_seen_subcommand_from " + first;
    if (const std::string verb(command.verb()); !verb.empty()) {
      out += "complete -c vireo -f -n '" + condition + "; and not __fish_seen_subcommand_from " + second_words(first) +
             "' -a " + verb + " -d " + shell_quoted(command.summary) + '\n';
      condition += "; and __fish_seen_subcommand_from " + verb;
    }
    if (const std::string operands = operand_words(command); !operands.empty()) {
      out += "complete -c vireo -f -n '" + condition + "' -a '" + operands + "'\n";
    }
    if (!command.traits.words.empty()) {
      out += "complete -c vireo -f -n '" + condition + "' -a '" + fish_words(command.traits.words) + "'\n";
    }
    for (const Option* option : command.options) {
      out += "complete -c vireo -n '" + condition + '\'';
      if (option->letter != 0) out += std::string(" -s ") + option->letter;
      if (!option->name.empty()) out.append(" -l ").append(option->name);
      // -x: a value that is not a file; -r: a value that may be a file.
      if (!option->traits.words.empty())
        out += " -x -a '" + fish_words(option->traits.words, option->traits.word_values) + '\'';
      else if (!option->choices.empty()) out += " -x -a '" + joined(option->choices) + '\'';
      else if (completion_of(*option) == ValueCompletion::Folder) out += " -x -a '(__fish_complete_directories)'";
      else if (completion_of(*option) == ValueCompletion::File) out += " -r";
      else if (option->kind != ValueKind::None) out += " -x";
      out += " -d " + shell_quoted(option->full_summary()) + '\n';
    }
  });
  return out;
}

}  // namespace

// Empty for an unknown shell; the command lists the known ones.
std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return {};
}

namespace {

// --- words ------------------------------------------------------------------------------------------------------------

using Words = std::set<std::string, std::less<>>;

void add_vuids(Words& words) {
  for (spirv::VuidRow& row : spirv::validation_vuids()) words.insert(std::move(row.vuid));
}

void add_sections(Words& words) {
  // "Vulkan" selects "Vulkan, Built-In Variables"; a shell would split the longer name.
  for (const spirv::ValidationRule& rule : spirv::validation_rules()) {
    words.emplace(rule.section.substr(0, rule.section.find(',')));
  }
}

void add_validation_rules(Words& words) {
  for (const spirv::ValidationRule& rule : spirv::validation_rules()) words.emplace(rule.name);
  for (const spirv::GroupedRule& rule : spirv::grouped_rules()) words.emplace(rule.group);
}

// --rule takes the rules of the validator and those of the binary reader.
void add_rules(Words& words) {
  add_validation_rules(words);
  for (const spirv::RuleRow& rule : spirv::rule_rows) {
    if (rule.subject == spirv::RuleSubject::BinaryModule) words.emplace(rule.name);
  }
}

void add_fields(Words& words) {
  for (const spirv::InfoField& field : spirv::info_fields()) words.emplace(field.name);
}

void add_names(Words& words) {
  const spirv::Grammar& grammar = spirv::builtin_grammar();
  for (const spirv::NameEntry& entry : grammar.name_entries) words.emplace(grammar.text(entry.text));
  for (const spirv::KindRow& kind : grammar.kinds) words.emplace(grammar.text(kind.name));
  for (const spirv::ExtInstSetRow& set : grammar.sets) words.emplace(grammar.text(set.name));
  for (const spirv::StringRef extension : grammar.string_pool) words.emplace(grammar.text(extension));
  add_validation_rules(words);
  for (const spirv::RuleRow& rule : spirv::rule_rows) words.emplace(rule.name);
  for (const spirv::RuleRow& rule : spirv::grammar_rule_rows) words.emplace(rule.name);
  for (const isa::RuleRow& rule : isa::rule_rows) words.emplace(rule.name);
  add_vuids(words);
}

struct KindOfWords {
  std::string_view name;
  void (*add)(Words&);
};
constexpr KindOfWords kinds_of_words[] = {{"fields", add_fields},
                                          {"names", add_names},
                                          {"rules", add_rules},
                                          {"sections", add_sections},
                                          {"vuids", add_vuids}};

// The words of a kind, sorted, one per line: "fields" (of `vireo info`), "names" (all that `vireo explain` explains),
// "rules" (for `val --rule`), "sections" and "vuids" (for `vireo rules`). Empty for another kind.
std::string completion_words(std::string_view kind) {
  Words words;
  for (const KindOfWords& row : kinds_of_words) {
    if (row.name == kind) row.add(words);
  }
  std::string text;
  for (const std::string& word : words) text.append(word) += '\n';
  return text;
}

// --- the command ------------------------------------------------------------------------------------------------------

constexpr ChoiceOption words_option("--words=KIND", "fields|names|rules|sections|vuids",
                                    "print the words that the scripts offer, one per line",
                                    "fields: for 'vireo info'; names: for 'vireo explain'; rules: for 'vireo val "
                                    "--rule'; sections and vuids: for 'vireo rules'.");

constexpr auto completion_options = option_list(words_option, help_options);

int run_completion(const Invocation& invocation) {
  if (invocation.options.has(words_option)) {
    return print(invocation.streams, completion_words(invocation.options.value(words_option)));
  }
  if (invocation.operands().size() != 1) return usage_error(invocation, "expected the name of one shell");
  const std::string script = completion_script(invocation.operands().front());
  if (script.empty()) return usage_error(invocation, "expected bash, zsh or fish");
  return print(invocation.streams, script);
}

}  // namespace

constinit const Command completion_command("completion", "bash|zsh|fish", "print a completion script for a shell",
                                           "The scripts complete commands, options, values and files. For names of "
                                           "instructions, enumerants and rules they call the program with --words.",
                                           "vireo completion bash > /usr/share/bash-completion/completions/vireo\n"
                                           "vireo completion fish > ~/.config/fish/completions/vireo.fish",
                                           "", completion_options, run_completion);

}  // namespace vireo::cli
