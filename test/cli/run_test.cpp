// SPDX-License-Identifier: Apache-2.0
//
// The program as scripts use it: exit statuses, outputs, and no leftover files.
#include "cli/program/run.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace vireo::cli {
namespace {

class program : public InFolder {
 protected:
  // "OpNop" as text, and as a module without its header.
  static constexpr std::string_view text = "OpNop\n";
  static constexpr std::string_view wrong_text = "OpNop\nOpFoo\nOpBar\n";
  static inline const std::string nop_word{"\x00\x00\x01\x00", 4};

  static std::string module() { return call({"vireo", "as"}, text).out; }
};

TEST_F(program, without_a_command_shows_the_commands) {
  const Ran ran = call({"vireo"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err.find("usage: vireo COMMAND"), 0u);
}

TEST_F(program, prints_help_and_version_on_standard_output) {
  struct Row {
    std::vector<std::string> arguments;
    std::string_view begin;
  };
  const Row rows[] = {
      {{"vireo", "--help"}, "usage: vireo COMMAND"},
      {{"vireo", "-h"}, "usage: vireo COMMAND"},
      {{"vireo", "help"}, "usage: vireo COMMAND"},
      {{"vireo", "help", "as"}, "usage: vireo as [options]"},
      {{"vireo", "as", "-h"}, "usage: vireo as [options]"},
      {{"vireo", "as", "--help"}, "usage: vireo as [options]"},
      {{"vireo", "grammar", "--help"}, "usage: vireo grammar COMMAND"},
      {{"vireo", "help", "isa"}, "usage: vireo isa COMMAND"},
      {{"vireo", "grammar", "check", "-h"}, "usage: vireo grammar check [options]"},
      {{"vireo", "--version"}, "vireo "},
      {{"vireo", "dis", "--version"}, "vireo "},
      {{"vireo", "man"}, ".TH \"VIREO\" 1"},
      {{"vireo", "man", "--list"}, "as\ndis\nval\n"},
      {{"vireo", "man", "as"}, ".TH \"VIREO\\-AS\" 1"},
      {{"vireo", "man", "grammar", "diff"}, ".TH \"VIREO\\-GRAMMAR\\-DIFF\" 1"},
      {{"vireo", "completion", "bash"}, "# bash completion"},
      {{"/usr/bin/spirv-as", "-h"}, "usage: spirv-as [options]"},
      {{"spirv-dis", "--version"}, "vireo "},
      {{"spirv-val", "--version"}, "vireo "},
      {{"spirv-val", "--help", "x"}, "usage: spirv-val [options]"},
  };
  for (const Row& row : rows) {
    const Ran ran = call(row.arguments);
    EXPECT_EQ(ran.status, 0) << row.arguments[1];
    EXPECT_EQ(ran.out.substr(0, row.begin.size()), row.begin);
    EXPECT_EQ(ran.err, "");
  }
  EXPECT_NE(call({"vireo", "--version"}).out.find("SPIR-V grammar 1.6 revision "), std::string::npos);
}

TEST_F(program, rejects_wrong_usage_with_status_2) {
  struct Row {
    std::vector<std::string> arguments;
    std::string_view line;
  };
  const Row rows[] = {
      {{"vireo", "asm"}, "vireo: unknown command 'asm'; did you mean 'as'?"},
      {{"vireo", "as", "--exat"}, "vireo: as: unknown option '--exat'; did you mean '--exact'?"},
      {{"vireo", "as", "--target-env", "vulkan9"}, "vireo: as: unknown target environment 'vulkan9'"},
      {{"vireo", "as", "a", "b"}, "vireo: as: several inputs need --out-dir"},
      {{"vireo", "dis", "a", "b", "-o", "c"}, "vireo: dis: several inputs need --out-dir"},
      {{"vireo", "as", "a", "-o", "c", "--out-dir", "d"}, "vireo: as: -o and --out-dir cannot be combined"},
      {{"vireo", "as", "x/a.spvasm", "y/a.spvasm", "--out-dir", "d"},
       "vireo: as: 'x/a.spvasm' and 'y/a.spvasm' would both be written to 'd/a.spv'"},
      {{"vireo", "completion", "tcsh"}, "vireo: completion: expected bash, zsh or fish"},
      {{"vireo", "man", "nothing"}, "vireo: man: unknown command 'nothing'"},
  };
  for (const Row& row : rows) {
    const Ran ran = call(row.arguments);
    EXPECT_EQ(ran.status, 2) << row.line;
    EXPECT_EQ(ran.err.substr(0, row.line.size()), row.line);
    EXPECT_EQ(ran.out, "");
  }
  EXPECT_FALSE(exists("d"));
}

TEST_F(program, converts_standard_input_to_standard_output) {
  const Ran assembled = call({"vireo", "as"}, text);
  EXPECT_EQ(assembled.status, 0);
  ASSERT_EQ(assembled.out.size(), 24u);
  EXPECT_EQ(assembled.out.substr(20), nop_word);
  EXPECT_EQ(assembled.err, "");
  const Ran printed = call({"vireo", "dis", "--no-header", "--no-indent", "-"}, assembled.out);
  EXPECT_EQ(printed.status, 0);
  EXPECT_EQ(printed.out, text);
}

TEST_F(program, writes_the_requested_byte_order) {
  const std::string little = module(), big = call({"vireo", "as", "--byte-order=big"}, text).out;
  ASSERT_EQ(big.size(), little.size());
  for (std::size_t i = 0; i < big.size(); ++i) EXPECT_EQ(big[i], little[i ^ 3]);
}

TEST_F(program, leaves_no_output_after_an_error_and_reports_all_errors) {
  put("a.spvasm", wrong_text);
  put("old.spv", "old");
  const Ran ran = call({"vireo", "as", "a.spvasm", "-o", "new.spv"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_FALSE(exists("new.spv"));
  EXPECT_EQ(ran.err.find("a.spvasm:2:1: error: "), 0u) << ran.err;
  EXPECT_NE(ran.err.find("a.spvasm:3:1: error: "), std::string::npos) << ran.err;
  EXPECT_EQ(call({"vireo", "as", "a.spvasm", "-o", "old.spv"}).status, 1);
  EXPECT_EQ(get("old.spv"), "old");
  EXPECT_EQ(call({"vireo", "as", "a.spvasm"}).out, "");
}

TEST_F(program, processes_other_inputs_if_one_is_invalid) {
  for (const char* jobs : {"1", "3"}) {
    put("in/a.spvasm", text);
    put("in/b.spvasm", wrong_text);
    put("in/c.spvasm", text);
    std::filesystem::remove_all("out");
    const Ran ran =
        call({"vireo", "as", "-j", jobs, "in", "in/missing.spvasm", "--out-dir", "out/deep", "--format=short"});
    EXPECT_EQ(ran.status, 3) << "the highest status of all inputs";
    EXPECT_EQ(get("out/deep/a.spv"), module());
    EXPECT_FALSE(exists("out/deep/b.spv"));
    EXPECT_EQ(get("out/deep/c.spv"), module());
    EXPECT_EQ(ran.err.find("in/b.spvasm:2:1: error: "), 0u) << ran.err;
    EXPECT_NE(ran.err.find("\nin/missing.spvasm: error: cannot open 'in/missing.spvasm': No such file or directory "
                           "[cannot-read]\n"),
              std::string::npos);
  }
}

TEST_F(program, prints_several_inputs_in_their_order) {
  put("list", "a.spv\nb.spv\nc.spv\n");
  for (const char* name : {"a.spv", "b.spv", "c.spv"}) {
    put(name, call({"vireo", "as"}, "OpModuleProcessed \"" + std::string(name) + "\"\n").out);
  }
  for (const char* jobs : {"1", "2"}) {
    const Ran ran = call({"vireo", "dis", "--no-header", "--no-indent", "-j", jobs, "@list"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, "OpModuleProcessed \"a.spv\"\nOpModuleProcessed \"b.spv\"\nOpModuleProcessed \"c.spv\"\n");
  }
}

TEST_F(program, reports_io_errors_with_status_3) {
  put("a.spvasm", text);
  EXPECT_EQ(call({"vireo", "as", "missing"}).status, 3);
  EXPECT_EQ(call({"vireo", "as", "@missing"}).status, 3);
  EXPECT_EQ(call({"vireo", "as", "a.spvasm", "-o", "no/such/folder.spv"}).status, 3);
  EXPECT_EQ(call({"vireo", "as", "a.spvasm", "--out-dir", "a.spvasm"}).status, 3);
  EXPECT_EQ(call({"vireo", "as", "a.spvasm", "--grammar", "missing.json"}).status, 3);
}

TEST_F(program, rejects_a_module_where_text_is_expected) {
  const Ran ran = call({"vireo", "as"}, module());
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("<stdin>: error: found a binary module; expected assembly text [binary-input]\n"),
            std::string::npos);
}

// Windows editors write a byte order mark in front. Columns are counted as these editors show them.
TEST_F(program, reads_text_with_a_byte_order_mark) {
  const std::string mark = "\uFEFF";
  const std::string assembly = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
  const Ran assembled = call({"vireo", "as"}, mark + assembly);
  EXPECT_EQ(assembled.status, 0) << assembled.err;
  EXPECT_EQ(assembled.out, call({"vireo", "as"}, assembly).out);
  EXPECT_EQ(call({"vireo", "as", "--exact"}, mark + "; Version: 1.3\nOpNop").out.substr(4, 4),
            std::string("\0\3\1\0", 4));
  EXPECT_EQ(call({"vireo", "as", "--format=short"}, mark + "OpNop OpNop").err,
            call({"vireo", "as", "--format=short"}, "OpNop OpNop").err);
  EXPECT_EQ(call({"vireo", "as"}, mark + "%x = OpFoo").err, call({"vireo", "as"}, "%x = OpFoo").err);

  EXPECT_EQ(call({"vireo", "val"}, mark + assembly).status, 0);
  for (const char* format : {"human", "json", "sarif"}) {
    const std::string form = std::string("--format=") + format;
    const Ran with = call({"vireo", "val", form}, mark + "OpCapability Linkage\n");
    const Ran without = call({"vireo", "val", form}, "OpCapability Linkage\n");
    EXPECT_EQ(with.status, 1);
    EXPECT_EQ(with.out, without.out);
    EXPECT_EQ(with.err, without.err);
  }
  EXPECT_NE(call({"vireo", "val"}, mark + "prose\n").err.find("<stdin>:1:1: error: "), std::string::npos);

  EXPECT_NE(call({"vireo", "dis"}, mark + assembly).err.find("[text-input]"), std::string::npos);
  EXPECT_EQ(call({"vireo", "dis", "--no-header"}, mark + "0x07230203 0x10000 0 1 0").err,
            call({"vireo", "dis", "--no-header"}, "0x07230203 0x10000 0 1 0").err);
}

TEST_F(program, reads_isa_text_with_a_byte_order_mark) {
  put("toy.xml", R"(<isa><bitset name="#instruction" size="8"><pattern low="4" high="7">0000</pattern></bitset>
    <bitset name="op" extends="#instruction"><display>{NAME} {A}</display>
      <field name="A" low="0" high="3" type="uint"/></bitset></isa>)");
  for (const std::string mark : {"", "\uFEFF"}) {
    EXPECT_EQ(call({"vireo", "isa", "as", "toy.xml", "--hex", "-"}, mark + "op 3\n").out, "03\n");
    EXPECT_EQ(call({"vireo", "isa", "as", "toy.xml", "--hex", "-", "--each"}, mark + "op 3\n").out, "03\n");
    EXPECT_EQ(call({"vireo", "isa", "as", "toy.xml", "-"}, mark + "up 3\n").err.find("<stdin>:1:1: error: "), 0u);
    EXPECT_EQ(call({"vireo", "isa", "dis", "toy.xml", "--hex", "-"}, mark + "03\n").out, "op 3\n");
    EXPECT_EQ(call({"vireo", "isa", "dis", "toy.xml", "--hex", "--each", "-"}, mark + "03\n").out, "op 3\n");
    EXPECT_EQ(call({"vireo", "isa", "dis", "toy.xml", "--hex", "-"}, mark + "03 zz\n").err.find("<stdin>:1:1: error: "),
              0u);
  }
}

TEST_F(program, writes_diagnostics_in_every_format) {
  const auto records = [](std::string_view lines) { return std::count(lines.begin(), lines.end(), '\n'); };
  const Ran json = call({"vireo", "as", "--format=json"}, wrong_text);
  EXPECT_EQ(records(json.err), 2);
  const auto record = nlohmann::json::parse(json.err.substr(0, json.err.find('\n')));
  EXPECT_EQ(record["file"], "<stdin>");
  EXPECT_EQ(record["severity"], "error");
  EXPECT_EQ(record["line"], 2);
  EXPECT_EQ(record["column"], 1);

  const auto sarif = nlohmann::json::parse(call({"vireo", "as", "--format", "sarif"}, wrong_text).err);
  EXPECT_EQ(sarif["runs"][0]["results"].size(), 2u);
  EXPECT_EQ(nlohmann::json::parse(call({"vireo", "as", "--format=sarif"}, text).err)["runs"][0]["results"].size(), 0u);

  EXPECT_EQ(call({"vireo", "as", "--format=github"}, wrong_text).err.find("::error file=<stdin>,line=2,col=1,"), 0u);
  EXPECT_EQ(records(call({"vireo", "as", "--format=short"}, wrong_text).err), 2);
  EXPECT_EQ(records(call({"vireo", "as", "--format=short", "--max-errors=1"}, wrong_text).err), 1);
}

// Like any other invalid module it is printed as far as possible; with an output file, no file is written.
TEST_F(program, dis_prints_the_whole_words_of_a_truncated_input) {
  const std::string whole = call({"vireo", "as"}, "OpNop\nOpNop\n").out;
  const std::string listing = call({"vireo", "dis"}, whole).out;
  std::string incomplete = call({"vireo", "dis", "--format=json"}, whole).out;
  incomplete.replace(incomplete.find("\"complete\":true"), 15, "\"complete\":false");
  for (const std::string_view rest : {"\x11", "\x11\x02", "\x11\x02\x03"}) {
    put("cut.spv", whole + std::string(rest));
    const Ran ran = call({"vireo", "dis", "cut.spv", "--diagnostics-format=short"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.out, listing);
    EXPECT_EQ(ran.err, "cut.spv: error: the input has " + std::to_string(28 + rest.size()) +
                           " bytes; expected a multiple of 4 [odd-size]\n");
    const Ran json = call({"vireo", "dis", "cut.spv", "--format=json"});
    EXPECT_EQ(json.status, 1);
    EXPECT_EQ(json.out, incomplete);
    EXPECT_EQ(nlohmann::json::parse(json.err)["rule"], "odd-size");
    EXPECT_EQ(call({"vireo", "dis", "cut.spv", "-o", "cut.spvasm"}).status, 1);
    EXPECT_FALSE(exists("cut.spvasm"));
    EXPECT_EQ(call({"vireo", "val", "--format=short", "cut.spv"}).err, ran.err);
    EXPECT_EQ(call({"spirv-dis", "cut.spv"}).out, "") << "like the reference";
  }
  // Truncated within an instruction: its words are not an instruction.
  const Ran within = call({"vireo", "dis", "--format=short"}, whole + std::string("\x11\0\2\0\1", 5));
  EXPECT_EQ(within.out, listing);
  EXPECT_NE(within.err.find("[odd-size]\n<stdin>: error: word 7 (instruction 3): "), std::string::npos) << within.err;
  // Without a header or magic number no text is printed.
  EXPECT_EQ(call({"vireo", "dis"}, whole.substr(0, 19)).out, "");
  EXPECT_EQ(call({"vireo", "dis", "--format=short"}, whole.substr(0, 19)).err,
            "<stdin>: error: the input has 19 bytes; expected a multiple of 4 [odd-size]\n");
}

TEST_F(program, info_counts_bytes_after_the_last_word_as_a_fault) {
  const Ran ran = call({"vireo", "info", "--format=json", "-"}, module() + "xy");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("\"faults\":1,"), std::string::npos) << ran.out;
}

TEST_F(program, dis_separates_output_format_and_diagnostics_format) {
  EXPECT_TRUE(nlohmann::json::accept(call({"vireo", "dis", "--format=json"}, module()).out));
  const std::string broken = module() + std::string(4, '\0');
  EXPECT_TRUE(nlohmann::json::accept(call({"vireo", "dis", "--format=json"}, broken).err));
  EXPECT_EQ(call({"vireo", "dis", "--format=github"}, broken).err.find("::error "), 0u);
  EXPECT_EQ(call({"vireo", "dis", "--format=json", "--diagnostics-format=short"}, broken).err.find("<stdin>: error: "),
            0u);
}

TEST_F(program, colours_output_as_requested) {
  const auto is_colored = [](const std::string& text_) { return text_.find('\x1b') != std::string::npos; };
  put("a.spv", call({"vireo", "as"}, "%1 = OpTypeVoid").out);
  EXPECT_FALSE(is_colored(call({"vireo", "dis", "a.spv"}).out));
  EXPECT_TRUE(is_colored(call({"vireo", "dis", "a.spv", "--color"}).out));
  EXPECT_TRUE(is_colored(call({"vireo", "dis", "--color", "a.spv"}).out));
  EXPECT_FALSE(is_colored(call({"vireo", "dis", "--no-color", "--color", "a.spv"}).out));
  EXPECT_FALSE(is_colored(call({"vireo", "dis", "--color=never", "a.spv"}).out));
  EXPECT_TRUE(is_colored(call({"vireo", "as", "--color=always"}, wrong_text).err));
  call({"vireo", "dis", "--color", "--out-dir", "out", "a.spv"});
  EXPECT_TRUE(is_colored(get("out/a.spvasm")));

  ::setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_TRUE(is_colored(call({"vireo", "dis", "a.spv"}).out));
  EXPECT_FALSE(is_colored(call({"vireo", "dis", "a.spv", "--color=never"}).out));
  call({"vireo", "dis", "-o", "a.spvasm", "a.spv"});
  EXPECT_FALSE(is_colored(get("a.spvasm"))) << "the environment speaks of terminals, not of files";
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(is_colored(call({"vireo", "dis", "a.spv"}).out));
  EXPECT_TRUE(is_colored(call({"vireo", "dis", "a.spv", "--color=always"}).out));
  ::unsetenv("CLICOLOR_FORCE");
  ::unsetenv("NO_COLOR");
}

TEST_F(program, writes_no_binary_to_a_terminal_unless_forced) {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) GTEST_SKIP() << "no pseudo terminals here";
  const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  const auto status = [&](std::vector<std::string_view> arguments) {
    const MemoryFile in(text), err;
    return run(arguments, {.in = in.descriptor(), .out = terminal, .err = err.descriptor()});
  };
  EXPECT_EQ(status({"vireo", "as"}), 2);
  EXPECT_EQ(status({"vireo", "as", "--force"}), 0);
  EXPECT_EQ(status({"vireo", "as", "-o", "a.spv"}), 0);
  ::close(terminal);
  ::close(master);
}

// On a terminal the command says that it waits.
TEST_F(program, says_that_it_reads_standard_input_from_a_terminal) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) GTEST_SKIP() << "no terminal";
  const int in = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  ASSERT_EQ(::write(terminal, "OpNop\n\x04", 7), 7);
  const MemoryFile out, err;
  const std::string_view words[] = {"vireo", "as", "-o", "x.spv"};
  EXPECT_EQ(run(words, {.in = in, .out = out.descriptor(), .err = err.descriptor()}), 0);
  EXPECT_EQ(err.bytes(), "vireo: reading standard input; Ctrl-D ends it, 'vireo --help' prints help\n");
  EXPECT_TRUE(exists("x.spv"));
  ::close(in);
  ::close(terminal);
}

// --- compatibility modes ---------------------------------------------------------------------------------------------

TEST_F(program, spirv_as_is_compatible_with_the_reference) {
  put("a.spvasm", text);
  Ran ran = call({"spirv-as", "a.spvasm"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out + ran.err, "");
  EXPECT_EQ(get("out.spv"), module());
  EXPECT_EQ(call({"spirv-as", "a.spvasm", "-o", "-"}).out, module());
  EXPECT_EQ(call({"spirv-as", "-o", "b.spv", "-"}, text).status, 0);
  EXPECT_EQ(get("b.spv"), module());

  struct Row {
    std::vector<std::string> arguments;
    int status;
    std::string_view err;
  };
  const Row rows[] = {
      {{"spirv-as", "a", "b"}, 1, "error: one input file at most must be specified.\n"},
      {{"spirv-as", "missing"}, 1, "error: file does not exist 'missing'\n"},
      {{"spirv-as", "--target-env", "foo", "a.spvasm"}, 1, "error: Unrecognized target env: foo\n"},
      {{"spirv-as", "-o", "no/x.spv", "a.spvasm"}, 1, "error: could not open file 'no/x.spv'\n"},
      {{"spirv-as", "--exact", "a.spvasm"}, 1, "Unknown flag --exact\n"},
  };
  for (const Row& row : rows) {
    ran = call(row.arguments);
    EXPECT_EQ(ran.status, row.status);
    EXPECT_EQ(ran.err, row.err);
  }
}

TEST_F(program, spirv_as_fails_with_the_codes_of_the_reference) {
  std::filesystem::create_directory("folder");
  EXPECT_EQ(call({"spirv-as"}, "").status, 251);
  EXPECT_EQ(call({"spirv-as", "folder"}).status, 251) << "a directory reads as empty";
  EXPECT_EQ(call({"spirv-as"}, "%1 OpNop").status, 251);
  EXPECT_EQ(call({"spirv-as"}, "%1 = OpTypeVoid\n%2 = OpLoad %1 %1 Volatil").status, 247);
  const Ran ran = call({"spirv-as"}, wrong_text);
  EXPECT_EQ(ran.status, 247);
  EXPECT_EQ(ran.err.find("error: 2: 1: "), 0u) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << "the first error only";
  EXPECT_FALSE(exists("out.spv"));
}

TEST_F(program, spirv_dis_is_compatible_with_the_reference) {
  const std::string bytes = module();
  put("a.spv", bytes);
  put("odd.spv", bytes.substr(0, 22));
  put("short.spv", bytes + std::string("\x11\x00\x02\x00", 4));  // OpCapability without its operand
  EXPECT_EQ(call({"spirv-dis", "--no-header", "--no-indent", "a.spv"}).out, text);
  EXPECT_EQ(call({"spirv-dis", "--color", "-o", "a.spvasm", "a.spv"}).status, 0);
  EXPECT_NE(get("a.spvasm").find("OpNop\n"), std::string::npos) << "no colour in files";

  struct Row {
    std::vector<std::string> arguments;
    int status;
    std::string_view err_begin;
  };
  const Row rows[] = {
      {{"spirv-dis", "a", "b"}, 1, "error: more than one input file specified.\n"},
      {{"spirv-dis", "missing"}, 1, "error: file does not exist 'missing'\n"},
      {{"spirv-dis", "odd.spv"}, 1, "error: "},
      {{"spirv-dis", "short.spv", "-o", "x"}, 252, "error: 2: "},
      {{"spirv-dis", "-"}, 252, "error: "},
      {{"spirv-dis", "--target-env", "spv1.0"}, 1, "Unknown flag --target-env\n"},
  };
  for (const Row& row : rows) {
    const Ran ran = call(row.arguments);
    EXPECT_EQ(ran.status, row.status) << row.err_begin;
    EXPECT_EQ(ran.err.substr(0, row.err_begin.size()), row.err_begin);
  }
  EXPECT_FALSE(exists("x"));
}

}  // namespace
}  // namespace vireo::cli
