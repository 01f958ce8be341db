// SPDX-License-Identifier: Apache-2.0
//
// The one table of commands and options, and the parser that walks it.
//
// The one idea: a command is a row and an option is a row. The parser, `-h`, `--help`, the man pages, the completions of
// three shells and the suggestions for typing errors are all read from these rows, so they cannot disagree. The rows are
// constants: at start-up nothing is registered, and the parser is given those of the one command that was called.
//
// To add a command: a CommandId, a row of command_rows, its bit in the rows of the options it takes (options.cpp), its
// function in commands.h, and a line in run.cpp's dispatch table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vireo::cli {

/// The values are bits, so that an option's row can say which commands take it.
enum class CommandId : std::uint32_t {
  As = 1u << 0,
  Dis = 1u << 1,
  Explain = 1u << 2,
  GrammarCheck = 1u << 3,
  GrammarDiff = 1u << 4,
  Completion = 1u << 5,
  Man = 1u << 6,
  SpirvAs = 1u << 7,   // called by the name spirv-as
  SpirvDis = 1u << 8,  // called by the name spirv-dis
  IsaDis = 1u << 9,
  IsaCheck = 1u << 10,
  IsaExplain = 1u << 11,
  IsaDoc = 1u << 12,
  IsaDiff = 1u << 13,
  IsaGenerate = 1u << 14,
  IsaAs = 1u << 15,
  IsaEncode = 1u << 16,
  IsaVectors = 1u << 17,
  Val = 1u << 18,
  SpirvVal = 1u << 19,  // called by the name spirv-val
};

enum class OptionId : std::uint8_t {
  Help,
  LongHelp,
  Version,
  Output,
  OutDir,
  Force,
  Jobs,
  Grammar,
  TargetEnv,
  PreserveNumericIds,
  Exact,
  ByteOrder,
  RawId,
  NoIndent,
  NoHeader,
  Offsets,
  Comment,
  NestedIndent,
  ReorderBlocks,
  HandleUnknownOpcodes,
  Annotate,
  ShowIds,
  SafeStrings,
  Gen,
  Hex,
  Each,
  Labels,
  EntryPoint,
  NoErrors,
  MesaCompat,
  Names,
  Floats,
  What,
  Lang,
  Namespace,
  Svg,
  List,
  ReportAmbiguity,
  Prefix,
  RelaxLogicalPointer,
  BeforeHlslLegalization,
  RelaxStructStore,
  RelaxBlockLayout,
  UniformBufferStandardLayout,
  ScalarBlockLayout,
  WorkgroupScalarBlockLayout,
  SkipBlockLayout,
  AllowLocalSizeId,
  AllowOffsetTextureOperand,
  AllowVulkan32BitBitwise,
  MaxStructMembers,
  MaxStructDepth,
  MaxLocalVariables,
  MaxGlobalVariables,
  MaxSwitchBranches,
  MaxFunctionArgs,
  MaxNestingDepth,
  MaxAccessChainIndexes,
  MaxIdBound,
  MaxLiteralString,
  MaxExecutionModes,
  MaxExtInstArgs,
  BufferDescriptorLayout,
  ImageDescriptorLayout,
  SamplerDescriptorLayout,
  TensorDescriptorLayout,
  Rule,
  Profile,
  Baseline,
  WriteBaseline,
  Assembler,
  Check,
  Faults,
  Format,
  DiagnosticsFormat,
  MaxErrors,
  Color,
  NoColor,
};

/// What an option wants behind its name.
enum class ValueKind : std::uint8_t {
  None,  // nothing; `=true` and `=false` are understood
  Text,
  Count,           // a decimal number
  Choice,          // one of the row's choices
  OptionalChoice,  // the same, and the first of them when it is left out
};

struct CommandRow {
  CommandId id;
  std::string_view name;      ///< one word or two: "as", "grammar check"
  std::string_view operands;  ///< for the usage line
  std::string_view summary;   ///< one line
  std::string_view details;   ///< paragraphs, for --help and the man page
  std::string_view examples;  ///< lines `command`; empty when there are none
  std::string_view files;     ///< extension of the files it reads, for completion; empty = any
};

struct OptionRow {
  OptionId id;
  char letter;            ///< 0 = none
  std::string_view name;  ///< without dashes; empty = the letter only
  ValueKind kind;
  std::string_view value;    ///< placeholder: "FILE"
  std::string_view choices;  ///< separated by '|'; also for Text, where they are suggestions
  std::string_view summary;  ///< one line
  std::string_view details;  ///< more, for --help; may be empty
  std::uint32_t commands;    ///< CommandId bits
};

std::span<const CommandRow> commands();
std::span<const OptionRow> options();

constexpr bool takes(const OptionRow& option, CommandId command) {
  return (option.commands & static_cast<std::uint32_t>(command)) != 0;
}
const CommandRow& command_row(CommandId id);
/// The option of a command with this name; nullptr when there is none.
const OptionRow* find_option(CommandId command, std::string_view name);

/// Whether a command is one of the reference's names, with the reference's habits.
constexpr bool is_personality(CommandId id) {
  return id == CommandId::SpirvAs || id == CommandId::SpirvDis || id == CommandId::SpirvVal;
}

/// The items of "a|b|c".
std::vector<std::string_view> split_choices(std::string_view choices);

/// What the user asked for: the values of each option in their order, and operands. Owns its texts: views of them live as
/// long as it does.
class ParsedOptions {
 public:
  [[nodiscard]] bool has(OptionId id) const;
  /// The value given last, or `otherwise`.
  [[nodiscard]] std::string_view value(OptionId id, std::string_view otherwise = {}) const;
  [[nodiscard]] std::vector<std::string_view> values(OptionId id) const;
  /// The value of a Count option; the parser has made sure that it fits.
  [[nodiscard]] std::size_t count(OptionId id, std::size_t otherwise) const;
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }

 private:
  friend struct OptionParser;
  friend struct PersonalityParser;
  friend struct ValidatorPersonalityParser;
  std::vector<std::pair<OptionId, std::string>> given_;
  std::vector<std::string> operands_;
};

/// Parses the arguments behind the command. `problem` is empty on success, else one sentence for the user.
/// `--flag value`, `--flag=value`, `-o FILE`, `-oFILE`; `--` ends options; `-` is an operand; the last value counts.
struct ParseOutcome {
  ParsedOptions options;
  std::string problem;
  bool wants_usage = false;  ///< of a personality: an unknown flag is answered with the help page, and fails
};
ParseOutcome parse_options(CommandId command, std::span<const std::string_view> arguments);

/// The same for the reference's names: its grammar of flags, and its messages.
ParseOutcome parse_personality(CommandId command, std::span<const std::string_view> arguments);

/// The command that arguments begin with, and how many of them name it. `command` is null when there is none; `problem`
/// then says why, with the nearest name.
struct FoundCommand {
  const CommandRow* command = nullptr;
  std::size_t words = 0;
  std::string problem;
  bool is_family = false;  ///< the first word begins commands of two: "grammar"
};
FoundCommand find_command(std::span<const std::string_view> arguments);

}  // namespace vireo::cli
