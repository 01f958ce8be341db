// SPDX-License-Identifier: Apache-2.0
//
// The table of commands and options, and the parser that uses it.
//
// The one idea: a command is a row, and an option is a row. The parser, `-h`, `--help`, the man pages, the completion
// scripts of three shells and the suggestions for misspellings all use these rows, so they cannot disagree. The rows
// are constants: nothing is registered at start-up, and the parser gets only the rows of the called command.
//
// To add a command, add a CommandId, a row in command_rows.cpp, its bit in the rows of the options it takes (options.cpp),
// its function in commands.h, and a line in run.cpp's dispatch table.
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

/// The values are bits, so an option's row can list the commands that take it.
enum class CommandId : std::uint64_t {
  As = 1ull << 0,
  Dis = 1ull << 1,
  Explain = 1ull << 2,
  GrammarCheck = 1ull << 3,
  GrammarDiff = 1ull << 4,
  Completion = 1ull << 5,
  Man = 1ull << 6,
  SpirvAs = 1ull << 7,   // called by the name spirv-as
  SpirvDis = 1ull << 8,  // called by the name spirv-dis
  IsaDis = 1ull << 9,
  IsaCheck = 1ull << 10,
  IsaExplain = 1ull << 11,
  IsaDoc = 1ull << 12,
  IsaDiff = 1ull << 13,
  IsaGenerate = 1ull << 14,
  IsaAs = 1ull << 15,
  IsaEncode = 1ull << 16,
  IsaVectors = 1ull << 17,
  Val = 1ull << 18,
  Rules = 1ull << 20,
  SpirvVal = 1ull << 19,  // called by the name spirv-val
  Strip = 1ull << 21,
  Trim = 1ull << 22,
  Clean = 1ull << 23,
  Opt = 1ull << 24,
  SpirvOpt = 1ull << 25,  // called by the name spirv-opt
  Specialize = 1ull << 26,
  Reflect = 1ull << 27,
  Info = 1ull << 28,
  Cfg = 1ull << 29,
  CallGraph = 1ull << 30,
  DiffModules = 1ull << 31,
  SpirvCfg = 1ull << 32,   // called by the name spirv-cfg
  SpirvDiff = 1ull << 33,  // called by the name spirv-diff
  Shrink = 1ull << 34,
  Link = 1ull << 35,
  SpirvLink = 1ull << 36,  // called by the name spirv-link
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
  KeepGoing,
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
  Words,
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
  Section,
  Vuid,
  ByVuid,
  Example,
  Locate,
  Profile,
  Baseline,
  WriteBaseline,
  Debug,
  NameInstructions,
  NonSemantic,
  Reflection,
  TrimCapabilities,
  TrimExtensions,
  TrimInterfaces,
  CleanFunctions,
  CleanBlocks,
  CleanCode,
  CleanVariables,
  CleanTypes,
  CleanConstants,
  CleanMembers,
  CompactIds,
  CanonicalIds,
  DropBindings,
  DropSpecs,
  Library,
  Partial,
  OnlyNeeded,
  UseHighestVersion,
  AllowPointerMismatch,
  VerifyIds,
  FunctionVariants,  // flags of spirv-link that are refused
  Entry,
  Pipeline,
  Set,
  SetName,
  Values,
  AllDefaults,
  Prune,
  AllowInvalid,
  NoUndef,
  Timeout,
  Function,
  Instructions,
  IgnoreDebug,
  IgnoreSetBinding,
  IgnoreLocation,
  Unified,
  Brief,
  IdMap,
  MaxDepth,
  MaxNodes,
  Pass,  // a flag of spirv-opt; its value is its name
  SpecDefaults,
  SkipValidation,
  Verbose,
  Where,
  Columns,
  Sort,
  Fields,
  Fix,
  Diff,
  Text,
  Assembler,
  Check,
  Faults,
  Format,
  DiagnosticsFormat,
  MaxErrors,
  Quiet,
  Werror,
  Color,
  NoColor,
};

/// The value of an option.
enum class ValueKind : std::uint8_t {
  None,  // no value; `=true` and `=false` are accepted
  Text,
  Count,           // a decimal number
  Choice,          // one of the row's choices
  OptionalChoice,  // optional: one of the choices, by default the first
};

struct CommandRow {
  CommandId id;
  std::string_view name;      ///< one word or two: "as", "grammar check"
  std::string_view operands;  ///< operands in the usage line
  std::string_view summary;   ///< one line
  std::string_view details;   ///< paragraphs, for --help and the man page
  std::string_view examples;  ///< one command per line; may be empty
  std::string_view files;     ///< extension of its input files, for completion; empty = any
};

struct OptionRow {
  OptionId id;
  char letter;            ///< 0 = none
  std::string_view name;  ///< without dashes; empty = only a letter
  ValueKind kind;
  std::string_view value;    ///< placeholder: "FILE"
  std::string_view choices;  ///< separated by '|'; for Text they are suggestions only
  std::string_view summary;  ///< one line
  std::string_view details;  ///< further text for --help; may be empty
  std::uint64_t commands;    ///< CommandId bits
};

constexpr std::uint64_t bits(auto... ids) { return (static_cast<std::uint64_t>(ids) | ...); }

std::span<const CommandRow> commands();
std::span<const OptionRow> options();

constexpr bool takes(const OptionRow& option, CommandId command) {
  return (option.commands & static_cast<std::uint64_t>(command)) != 0;
}
const CommandRow& command_row(CommandId id);
/// Finds an option of a command by its name; nullptr if there is none.
const OptionRow* find_option(CommandId command, std::string_view name);

/// Whether a command is a compatibility command, with the name and behaviour of a reference program.
constexpr bool is_compatibility_command(CommandId id) {
  return id == CommandId::SpirvAs || id == CommandId::SpirvDis || id == CommandId::SpirvVal ||
         id == CommandId::SpirvOpt || id == CommandId::SpirvLink || id == CommandId::SpirvCfg ||
         id == CommandId::SpirvDiff;
}

/// The items of "a|b|c".
std::vector<std::string_view> split_choices(std::string_view choices);

/// The parsed command line: the values of each option in order, and the operands. Owns its texts: views of them are
/// valid as long as it exists.
class ParsedOptions {
 public:
  [[nodiscard]] bool has(OptionId id) const;
  /// The last value of the option, or `otherwise`.
  [[nodiscard]] std::string_view value(OptionId id, std::string_view otherwise = {}) const;
  [[nodiscard]] std::vector<std::string_view> values(OptionId id) const;
  /// The value of a Count option; the parser has checked its range.
  [[nodiscard]] std::size_t count(OptionId id, std::size_t otherwise) const;
  /// All options in the order of the command line. The value of an option without one is its name.
  [[nodiscard]] std::span<const std::pair<OptionId, std::string>> in_order() const { return given_; }
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }

 private:
  friend struct OptionParser;
  friend struct CompatibilityParser;
  friend struct ValidatorCompatibilityParser;
  std::vector<std::pair<OptionId, std::string>> given_;
  std::vector<std::string> operands_;
};

/// Parses the arguments after the command. `problem` is empty on success, else one sentence for the user. Accepts
/// `--flag value`, `--flag=value`, `-o FILE`, `-oFILE`; `--` ends options; `-` is an operand; the last value counts.
struct ParseOutcome {
  ParsedOptions options;
  std::string problem;
  bool wants_usage = false;  ///< compatibility commands only: an unknown flag prints the help page and fails
};
ParseOutcome parse_options(CommandId command, std::span<const std::string_view> arguments);

/// The same for compatibility commands, with the reference's flag syntax and messages.
ParseOutcome parse_compatibility(CommandId command, std::span<const std::string_view> arguments);

/// The command at the start of the arguments, and the number of words of its name. If there is none, `command` is null
/// and `problem` gives the reason and the nearest name.
struct FoundCommand {
  const CommandRow* command = nullptr;
  std::size_t words = 0;
  std::string problem;
  bool is_family = false;  ///< the first word begins two-word commands: "grammar"
};
FoundCommand find_command(std::span<const std::string_view> arguments);

}  // namespace vireo::cli
