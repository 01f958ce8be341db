// SPDX-License-Identifier: Apache-2.0
//
// Descriptors of commands and options: how the two parsers read arguments, and whether texts printed from the
// descriptors are complete.
#include "cli/common/option.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/common/all_commands.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "cli/program/help.h"
#include "cli/program/parse.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::cli {
namespace {

using Arguments = std::vector<std::string_view>;
using Operands = std::vector<std::string>;

TEST(options, are_accepted_in_every_spelling) {
  struct Row {
    Arguments arguments;
    std::string_view output;
    std::size_t jobs;
    std::string_view color;
    Operands operands;
  };
  const Row rows[] = {
      {{}, "", 0, "", {}},
      {{"a", "-o", "x", "b"}, "x", 0, "", {"a", "b"}},
      {{"-ox", "a"}, "x", 0, "", {"a"}},
      {{"--output=x", "-j", "4"}, "x", 4, "", {}},
      {{"--output", "x", "-j4"}, "x", 4, "", {}},
      {{"--output", "-"}, "-", 0, "", {}},
      {{"--output="}, "", 0, "", {}},
      {{"-o", "first", "-o", "last"}, "last", 0, "", {}},
      {{"--", "-o", "x"}, "", 0, "", {"-o", "x"}},
      {{"-", "--jobs=12"}, "", 12, "", {"-"}},
      {{"--color", "a.spv"}, "", 0, "always", {"a.spv"}},  // as the flag of the reference
      {{"--color", "never", "a.spv"}, "", 0, "never", {"a.spv"}},
      {{"--color=auto"}, "", 0, "auto", {}},
      {{"--color", "--", "never"}, "", 0, "always", {"never"}},
      {{"a", "--color", "b", "never"}, "", 0, "always", {"a", "b", "never"}},
      {{"-o", "--color", "never"}, "--color", 0, "", {"never"}},  // a value may look like an option
      {{"-o", "--output="}, "--output=", 0, "", {}},
      {{"-fj4", "-fox"}, "x", 4, "", {}},
      {{"-o=x"}, "=x", 0, "", {}},
      {{"--output=a=b", ""}, "a=b", 0, "", {""}},
      {{"--output=[a,b]", "[c,d]"}, "[a,b]", 0, "", {"[c,d]"}},  // brackets do not make a list
      {{"--", "--", "-1", "--x="}, "", 0, "", {"--", "-1", "--x="}},
  };
  for (const Row& row : rows) {
    const ParseOutcome parsed = parse_options(as_command, row.arguments);
    EXPECT_EQ(parsed.problem, "");
    EXPECT_EQ(parsed.options.value(output_option), row.output);
    EXPECT_EQ(parsed.options.count(jobs_option, 0), row.jobs);
    EXPECT_EQ(parsed.options.value(color_option), row.color);
    EXPECT_EQ(parsed.options.operands(), row.operands);
  }
}

TEST(options, without_a_value_can_be_negated) {
  EXPECT_TRUE(parse_options(dis_command, Arguments{"--raw-id"}).options.has(raw_id_option));
  EXPECT_TRUE(parse_options(dis_command, Arguments{"--raw-id=true"}).options.has(raw_id_option));
  EXPECT_FALSE(parse_options(dis_command, Arguments{"--raw-id", "--raw-id=false"}).options.has(raw_id_option));
}

TEST(options, may_be_repeated) {
  const ParseOutcome parsed = parse_options(dis_command, Arguments{"--grammar", "a", "--grammar=b"});
  EXPECT_EQ(parsed.options.values(grammar_option), (Arguments{"a", "b"}));
}

TEST(options, invalid_ones_are_explained) {
  struct Row {
    const Command& command;
    Arguments arguments;
    std::string_view problem;
  };
  const Row rows[] = {
      {as_command, {"--taget-env", "spv1.0"}, "unknown option '--taget-env'; did you mean '--target-env'?"},
      {as_command, {"--raw-id"}, "unknown option '--raw-id'"},
      {as_command, {"-x"}, "unknown option '-x'"},
      {as_command, {"-1"}, "unknown option '-1'"},
      {as_command, {"--=x"}, "unknown option '--'"},
      {as_command, {"-fx"}, "unknown option '-x'"},
      {as_command, {"--no-such=x", "--", "y"}, "unknown option '--no-such'"},
      {as_command, {"-o"}, "option '-o' needs a value: FILE"},
      {as_command, {"-fo"}, "option '-o' needs a value: FILE"},
      {as_command, {"--jobs"}, "option '--jobs' needs a value: N"},
      {as_command, {"--target-env"}, "option '--target-env' needs a value: ENV"},
      {as_command, {"--exact=perhaps"}, "option '--exact' takes no value, found 'perhaps'"},
      {as_command, {"--exact="}, "option '--exact' takes no value, found ''"},
      {as_command, {"-j", "many"}, "option '-j' needs a number, found 'many'"},
      {as_command, {"-j-1"}, "option '-j' needs a number, found '-1'"},
      {as_command,
       {"--jobs=99999999999999999999999"},
       "option '--jobs' needs a number, found '99999999999999999999999'"},
      {as_command,
       {"--byte-order=litle"},
       "option '--byte-order' needs one of little, big; found 'litle'; did you mean 'little'?"},
      {as_command, {"--format=text"}, "option '--format' needs one of human, short, json, sarif, github; found 'text'"},
      {dis_command, {"--color=blue"}, "option '--color' needs one of always, auto, never; found 'blue'"},
      {man_command, {"--force"}, "unknown option '--force'"},
  };
  for (const Row& row : rows) EXPECT_EQ(parse_options(row.command, row.arguments).problem, row.problem);
}

TEST(options, of_the_reference_are_parsed_like_the_reference) {
  struct Row {
    Arguments arguments;
    std::string_view problem;
    std::string_view output;
    Operands operands;
  };
  const Row rows[] = {
      {{"a"}, "", "", {"a"}},
      {{"-o", "x", "a"}, "", "x", {"a"}},
      {{"a", "-o", "--version"}, "", "--version", {"a"}},
      {{"", "a", ""}, "", "", {"a"}},
      {{"--", "--foo"}, "", "", {"--foo"}},
      {{"-"}, "", "", {"-"}},
      {{"--preserve-numeric-ids=false", "a"}, "", "", {"a"}},
      {{"--foo", "a"}, "Unknown flag --foo", "", {}},
      {{"-x"}, "Unknown flag -x", "", {}},
      {{"-ofile"}, "Unknown flag -ofile", "", {}},
      {{"-o=x"}, "Unknown flag -o=x", "", {}},
      {{"--o", "x"}, "Unknown flag --o", "", {}},
      {{"--exact"}, "Unknown flag --exact", "", {}},
      {{"--=3"}, "Unknown flag --", "", {}},
      {{"-o"}, "Invalid usage for flag -o", "", {}},
      {{"--preserve-numeric-ids=TRUE"}, "Invalid usage for flag --preserve-numeric-ids", "", {}},
      {{"-o", "a", "-o", "b"}, "The flag -o was specified multiple times.", "a", {}},
  };
  for (const Row& row : rows) {
    const ParseOutcome parsed = parse_compatibility(spirv_as_command, row.arguments);
    EXPECT_EQ(parsed.problem, row.problem);
    EXPECT_EQ(parsed.options.value(output_option), row.output);
    EXPECT_EQ(parsed.options.operands(), row.operands);
  }
  EXPECT_FALSE(parse_compatibility(spirv_as_command, Arguments{"--preserve-numeric-ids=false"})
                   .options.has(preserve_numeric_ids_option));
}

TEST(commands, are_found_by_one_or_two_words) {
  struct Row {
    Arguments arguments;
    std::string_view name;
    std::size_t words;
    std::string_view problem;
  };
  const Row rows[] = {
      {{"as", "x"}, "as", 1, ""},
      {{"grammar", "check", "x"}, "grammar check", 2, ""},
      {{"grammar", "diff"}, "grammar diff", 2, ""},
      {{"grammar"}, "", 0, "'grammar' needs one of check, diff"},
      {{"grammar", "dif"},
       "",
       0,
       "unknown command 'grammar dif'; 'grammar' needs one of check, diff; did you mean 'grammar diff'?"},
      {{"grammar", "--chek"}, "", 0, "unknown option 'grammar --chek'"},
      {{"--versoin"}, "", 0, "unknown option '--versoin'; did you mean '--version'?"},
      {{"ass"}, "", 0, "unknown command 'ass'; did you mean 'as'?"},
      {{"explian"}, "", 0, "unknown command 'explian'; did you mean 'explain'?"},
      {{"disasm"}, "", 0, "unknown command 'disasm'; did you mean 'dis'?"},
      {{"validate"}, "", 0, "unknown command 'validate'; did you mean 'val'?"},
      {{"x.spv"}, "", 0, "unknown command 'x.spv'"},
      {{"disasm.spv"}, "", 0, "unknown command 'disasm.spv'"},
      {{"spirv-as"}, "", 0, "'spirv-as' is the name of a link to vireo, not a command"},
  };
  for (const Row& row : rows) {
    const FoundCommand found = find_command(row.arguments);
    EXPECT_EQ(found.command == nullptr ? "" : found.command->name, row.name);
    EXPECT_EQ(found.words, row.words);
    EXPECT_EQ(found.problem, row.problem);
  }
}

TEST(help, names_every_option_of_a_command_in_every_form) {
  for (const Command* each : all_commands) {
    const Command& command = *each;
    const std::string forms[] = {short_help(command), long_help(command), man_page(command, "1.2")};
    for (const Option* option : command.options) {
      if (option->name.empty()) continue;
      const std::string spelling = "--" + std::string(option->name);
      std::string roff;
      for (const char c : spelling) roff += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_NE(forms[0].find(spelling), std::string::npos) << command.name << spelling;
      EXPECT_NE(forms[1].find(spelling), std::string::npos) << command.name << spelling;
      EXPECT_NE(forms[2].find(roff), std::string::npos) << command.name << spelling;
    }
    EXPECT_NE(program_help().find(command.is_imitation() ? "commands:" : command.name), std::string::npos);
  }
}

// A user must find the feature that a program has to enable before it uses a module that the option permits.
TEST(help, names_the_vulkan_feature_of_an_option) {
  for (const spirv::FeatureRow& row : spirv::features()) {
    const auto option = std::ranges::find(val_command.options, row.name, &Option::name);
    ASSERT_NE(option, val_command.options.end()) << row.name;
    const std::string_view details = (*option)->details;
    EXPECT_NE(details.find(row.vulkan_feature), std::string_view::npos) << row.name;
    for (std::string_view rest = row.vulkan_sources; !rest.empty();) {
      const std::string_view source = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), source.size() + 1));
      if (source.starts_with("VK_VERSION_")) continue;
      EXPECT_NE(details.find(source), std::string_view::npos) << row.name << ": " << source;
    }
    if (!row.vulkan_sources.empty()) continue;
    EXPECT_NE(details.find("ot a feature of Vulkan"), std::string_view::npos) << row.name;
  }
}

TEST(help, fits_a_terminal) {
  for (const Command* command : all_commands) {
    for (const std::string& text : {short_help(*command), long_help(*command), program_help()}) {
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        ASSERT_NE(end, std::string::npos) << "the last line ends, too";
        EXPECT_LE(end - begin, 100u) << text.substr(begin, end - begin);
        begin = end + 1;
      }
    }
  }
}

TEST(help, descriptors_have_the_expected_format) {
  for (const Command* command : all_commands) {
    for (const Option* option : command->options) {
      EXPECT_FALSE(option->summary.empty() || option->summary.ends_with('.')) << option->name;
      EXPECT_TRUE(option->details.empty() || option->details.ends_with('.')) << option->name;
      EXPECT_EQ(option->value.empty(), option->kind == ValueKind::None) << option->name;
      EXPECT_TRUE(!option->name.empty() || option->letter != 0);
      if (option->kind == ValueKind::Choice) { EXPECT_GE(split_choices(option->choices).size(), 2u) << option->name; }
    }
  }
}

// The names are suggestions for completion; the library has the table.
TEST(help, names_every_environment) {
  std::set<std::string_view> names;
  for (const spirv::Environment& environment : spirv::environments()) names.insert(environment.name);
  const std::vector<std::string_view> suggested = split_choices(environment_names);
  EXPECT_EQ(std::set<std::string_view>(suggested.begin(), suggested.end()), names);
}

TEST(completion, lists_every_command_and_option_in_every_shell) {
  for (const std::string_view shell : {"bash", "zsh", "fish"}) {
    const std::string script = completion_script(shell);
    for (const Command* command : all_commands) {
      if (command->is_imitation()) continue;
      EXPECT_NE(script.find(command->name.substr(command->name.find(' ') + 1)), std::string::npos)
          << shell << command->name;
      for (const Option* option : command->options) {
        if (option->name.empty()) continue;
        const std::string spelling = (shell == "fish" ? "-l " : "--") + std::string(option->name);
        EXPECT_NE(script.find(spelling), std::string::npos) << shell << ' ' << spelling;
      }
    }
  }
  EXPECT_EQ(completion_script("tcsh"), "");
}

}  // namespace
}  // namespace vireo::cli
