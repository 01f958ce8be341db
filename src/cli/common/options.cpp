// SPDX-License-Identifier: Apache-2.0
//
// The table of options (options.h), and its queries. Help texts use the same order: first what is specific to a command,
// then what all commands share.
#include "cli/common/options.h"

#include <algorithm>
#include <charconv>

namespace vireo::cli {
namespace {

constexpr std::string_view environment_names =
    "vulkan1.0|vulkan1.1spv1.4|vulkan1.1|vulkan1.2|vulkan1.3|vulkan1.4|spv1.0|spv1.1|spv1.2|spv1.3|spv1.4|spv1.5|spv1."
    "6|"
    "opencl1.2embedded|opencl1.2|opencl2.0embedded|opencl2.0|opencl2.1embedded|opencl2.1|opencl2.2embedded|opencl2.2|"
    "opengl4.0|opengl4.1|opengl4.2|opengl4.3|opengl4.5";

using enum CommandId;
constexpr std::uint64_t transforms = bits(Strip, Trim, Clean, Specialize, Opt);
constexpr std::uint64_t optimizers = bits(Opt, SpirvOpt);
constexpr std::uint64_t linkers = bits(Link, SpirvLink);
constexpr std::uint64_t pictures = bits(Cfg, CommandId::CallGraph);
constexpr std::uint64_t inspectors = bits(Reflect, Info, DiffModules) | pictures;
constexpr std::uint64_t converters = bits(As, Dis, Reflect) | transforms | pictures;
constexpr std::uint64_t comparing = bits(DiffModules, SpirvDiff);
constexpr std::uint64_t assemblers = bits(As, SpirvAs);
constexpr std::uint64_t disassemblers = bits(Dis, SpirvDis);
constexpr std::uint64_t validators = bits(Val, SpirvVal);
constexpr std::uint64_t isa_readers =
    bits(IsaDis, IsaExplain, IsaCheck, IsaDoc, IsaGenerate, IsaDiff, IsaAs, IsaEncode, IsaVectors);
constexpr std::uint64_t reporting = bits(As, Dis, Val, Link, Explain, GrammarCheck, GrammarDiff) | transforms |
                                    inspectors | isa_readers | bits(CommandId::Shrink);
constexpr std::uint64_t ours = reporting | bits(Rules, Completion, Man);
constexpr std::uint64_t everyone = ours | bits(SpirvAs, SpirvDis, SpirvVal, SpirvOpt, SpirvLink, SpirvCfg, SpirvDiff);

using enum OptionId;
constexpr auto none = ValueKind::None;
constexpr auto text = ValueKind::Text;

constexpr OptionRow option_rows[] = {
    // Assembling.
    {TargetEnv, 0, "target-env", text, "ENV", environment_names, "assemble for an environment",
     "The header states the newest version that the environment accepts. Default: the version in the text's header "
     "comment, else 1.6.",
     assemblers},
    {TargetEnv, 0, "target-env", text, "ENV", environment_names, "validate for an environment (spv1.6)",
     "Universal environments (spv1.N) use the rules of the specification only; the others add those of Vulkan, OpenCL "
     "or OpenGL.",
     validators},
    {TargetEnv, 0, "target-env", text, "ENV", environment_names, "refuse values that break its rules (spv1.6)",
     "A rule that the module breaks before it is specialized does not count.", bits(Specialize)},
    {TargetEnv, 0, "target-env", text, "ENV", environment_names, "keep the module valid in an environment (spv1.6)", "",
     bits(CommandId::Shrink)},
    {PreserveNumericIds, 0, "preserve-numeric-ids", none, "", "", "%42 becomes id 42",
     "All other names get the lowest free ids.", assemblers},
    {Exact, 0, "exact", none, "", "", "take the header from the text's comments",
     "Uses version, generator, bound and schema as 'vireo dis' writes them. With --preserve-numeric-ids the text of "
     "'vireo dis --raw-id' then gives the identical words.",
     bits(As)},
    {ByteOrder, 0, "byte-order", ValueKind::Choice, "ORDER", "little|big", "byte order of the module (little)", "",
     bits(As)},

    // Disassembling.
    {RawId, 0, "raw-id", none, "", "", "show ids as numbers, not as friendly names", "", disassemblers},
    {ShowIds, 0, "show-ids", none, "", "", "show the number beside a friendly name", "", bits(Dis)},
    {NoIndent, 0, "no-indent", none, "", "", "do not indent instructions", "", disassemblers | bits(SpirvDiff)},
    {NoHeader, 0, "no-header", none, "", "", "omit the header comments", "The text then does not state its version.",
     disassemblers | bits(SpirvDiff)},
    {NestedIndent, 0, "nested-indent", none, "", "", "indent by the nesting of structured control flow", "",
     disassemblers},
    {ReorderBlocks, 0, "reorder-blocks", none, "", "", "print blocks in structured order",
     "The order of instructions is then no longer that of the module.", disassemblers},
    {Offsets, 0, "offsets", none, "", "", "comment each instruction with its byte offset", "", disassemblers},
    {Comment, 0, "comment", none, "", "", "add section headings and comments", "", disassemblers},
    {Annotate, 0, "annotate", none, "", "", "explain types, constants and control flow in comments", "", bits(Dis)},
    {HandleUnknownOpcodes, 0, "handle-unknown-opcodes", none, "", "", "print unknown opcodes as OpUnknown",
     "Otherwise they are errors. The text can be assembled again; the bound may be wrong if an unknown instruction has "
     "a result.",
     disassemblers},
    {SafeStrings, 0, "safe-strings", none, "", "", "escape control bytes in strings",
     "For terminals: strings then cannot send escape sequences. Such a string does not assemble to the same bytes.",
     bits(Dis)},
    {KeepGoing, 0, "keep-going", none, "", "", "write the output of a broken module up to its faults",
     "With -o or --out-dir the file then has everything that can be printed. The faults are reported, and the status "
     "is "
     "1.",
     bits(Dis)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "text|json|human|short|sarif|github", "output format (text)",
     "json prints each module as one JSON document, and its diagnostics as JSON. human, short, sarif and github select "
     "the format of the diagnostics, as in other commands; --diagnostics-format takes precedence.",
     bits(Dis)},

    {Function, 0, "function", text, "NAME", "", "print only this function and what it reaches; may be repeated",
     "NAME is an OpName, the name of an entry point, or an id (%12). The text has the called functions and what they "
     "use, with the names, offsets and locations of the whole module. Entry points are left out.",
     bits(Dis)},
    {OptionId::Entry, 0, "entry", text, "NAME", "", "print only this entry point and what it reaches; may be repeated",
     "Like --function, with the entry point, its interface and its execution modes. The text is a valid module if the "
     "whole module is.",
     bits(Dis)},

    // Inspecting.
    {Where, 0, "where", text, "COND", "", "only modules that satisfy a condition",
     "Comparisons FIELD OPERATOR VALUE, joined by 'and', 'or', 'not' and parentheses. Operators are = != < <= > >= "
     "and, "
     "for texts and lists, ~ (contains). A list is equal to each of its elements.",
     bits(Info)},
    {Columns, 0, "columns", text, "FIELD,...", "", "fields to print, in this order",
     "For tables, csv and json. By default json prints all fields.", bits(Info)},
    {Sort, 0, "sort", text, "FIELD", "", "sort by a field; --sort=-FIELD: largest first", "", bits(Info)},
    {Fields, 0, "fields", none, "", "", "list the fields with their types and meanings", "", bits(Info)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "page|table|csv|json", "output format (page or table)",
     "By default one input gives a page, several give a table. json prints one object for each input on a line.",
     bits(Info)},
    {Output, 'o', "output", text, "FILE", "", "write to FILE; '-' is standard output",
     "FILE is written also if inputs have faults.", bits(Info)},

    // Validating.
    {RelaxLogicalPointer, 0, "relax-logical-pointer", none, "", "",
     "allow allocating, returning, passing pointers in logical addressing",
     "A permission for compilers, not a feature of Vulkan.", validators},
    {BeforeHlslLegalization, 0, "before-hlsl-legalization", none, "", "",
     "accept the output of HLSL front ends before legalization",
     "Implies --relax-logical-pointer. A permission for compilers, not a feature of Vulkan.", validators},
    {RelaxStructStore, 0, "relax-struct-store", none, "", "",
     "allow storing a structure as another one of the same layout",
     "A permission for compilers, not a feature of Vulkan.", validators},
    {RelaxBlockLayout, 0, "relax-block-layout", none, "", "", "align vectors in blocks like their components",
     "For VK_KHR_relaxed_block_layout. Implied by environments from vulkan1.1 on. --scalar-block-layout relaxes more.",
     validators},
    {UniformBufferStandardLayout, 0, "uniform-buffer-standard-layout", none, "", "",
     "lay out uniform blocks like storage blocks",
     "For the feature uniformBufferStandardLayout (Vulkan 1.2, VK_KHR_uniform_buffer_standard_layout). "
     "--scalar-block-layout relaxes more.",
     validators},
    {ScalarBlockLayout, 0, "scalar-block-layout", none, "", "", "lay out blocks with scalar alignment",
     "For the feature scalarBlockLayout (Vulkan 1.2, VK_EXT_scalar_block_layout). Overrides --relax-block-layout, "
     "--uniform-buffer-standard-layout and --workgroup-scalar-block-layout.",
     validators},
    {WorkgroupScalarBlockLayout, 0, "workgroup-scalar-block-layout", none, "", "",
     "lay out workgroup blocks with scalar alignment",
     "For the feature workgroupMemoryExplicitLayoutScalarBlockLayout (VK_KHR_workgroup_memory_explicit_layout). "
     "--scalar-block-layout includes it.",
     validators},
    {SkipBlockLayout, 0, "skip-block-layout", none, "", "", "do not check explicit layout",
     "Overrides the other options for layouts. Not a feature of Vulkan.", validators},
    {AllowLocalSizeId, 0, "allow-localsizeid", none, "", "", "allow the execution mode LocalSizeId",
     "For the feature maintenance4 (Vulkan 1.3, VK_KHR_maintenance4). Implied by environments from vulkan1.3 on and by "
     "those of other APIs.",
     validators},
    {AllowOffsetTextureOperand, 0, "allow-offset-texture-operand", none, "", "",
     "allow the image operand Offset without gathering", "For the feature maintenance8 (VK_KHR_maintenance8).",
     validators},
    {AllowVulkan32BitBitwise, 0, "allow-vulkan-32-bit-bitwise", none, "", "",
     "allow bit instructions on widths other than 32", "For the feature maintenance9 (VK_KHR_maintenance9).",
     validators},
    {MaxStructMembers, 0, "max-struct-members", ValueKind::Count, "N", "",
     "maximum number of members of a structure (16383)", "", validators},
    {MaxStructDepth, 0, "max-struct-depth", ValueKind::Count, "N", "", "maximum nesting depth of structures (255)", "",
     validators},
    {MaxLocalVariables, 0, "max-local-variables", ValueKind::Count, "N", "",
     "maximum number of local variables (524287)", "", validators},
    {MaxGlobalVariables, 0, "max-global-variables", ValueKind::Count, "N", "",
     "maximum number of global variables (65535)", "", validators},
    {MaxSwitchBranches, 0, "max-switch-branches", ValueKind::Count, "N", "",
     "maximum number of targets of OpSwitch (16383)", "", validators},
    {MaxFunctionArgs, 0, "max-function-args", ValueKind::Count, "N", "",
     "maximum number of parameters of a function (255)", "", validators},
    {MaxNestingDepth, 0, "max-control-flow-nesting-depth", ValueKind::Count, "N", "",
     "maximum nesting depth of structured control flow (1023)", "", validators},
    {MaxAccessChainIndexes, 0, "max-access-chain-indexes", ValueKind::Count, "N", "",
     "maximum number of indexes of an access chain (255)", "", validators},
    {MaxIdBound, 0, "max-id-bound", ValueKind::Count, "N", "", "maximum id bound in the header (4194303)", "",
     validators},
    {MaxLiteralString, 0, "max-literal-string", ValueKind::Count, "N", "",
     "maximum number of characters of a string (65535)", "", bits(Val)},
    {MaxExecutionModes, 0, "max-execution-modes", ValueKind::Count, "N", "",
     "maximum number of execution modes of an entry point (255)", "", bits(Val)},
    {MaxExtInstArgs, 0, "max-ext-inst-args", ValueKind::Count, "N", "",
     "maximum number of arguments of an extended instruction (255)", "", bits(Val)},
    {BufferDescriptorLayout, 0, "buffer-descriptor-layout", text, "SIZE:ALIGN", "",
     "bytes and alignment of a buffer descriptor (0:1)", "", validators},
    {ImageDescriptorLayout, 0, "image-descriptor-layout", text, "SIZE:ALIGN", "",
     "bytes and alignment of an image descriptor (0:1)", "", validators},
    {SamplerDescriptorLayout, 0, "sampler-descriptor-layout", text, "SIZE:ALIGN", "",
     "bytes and alignment of a sampler descriptor (0:1)", "", validators},
    {TensorDescriptorLayout, 0, "tensor-descriptor-layout", text, "SIZE:ALIGN", "",
     "bytes and alignment of a tensor descriptor (0:1)", "", validators},
    {MaxStructDepth, 0, "max-struct_depth", ValueKind::Count, "N", "",
     "alias of --max-struct-depth, as in one release of the reference", "", bits(SpirvVal)},
    {OptionId::Rule, 0, "rule", text, "RULE=off|warn|error", "", "severity of a rule's findings; may be repeated",
     "off drops the findings. In place of a rule, a VUID chooses the findings that violate it, and undefined-behavior "
     "the rules of this group ('vireo explain undefined-behavior'). If a rule is given twice, the last one counts. An "
     "unreadable header is always an error.",
     bits(Val)},
    {OptionId::Locate, 0, "locate", ValueKind::Choice, "PLACE", "source|words|text", "primary place of each finding",
     "source: the file and line that the shader was compiled from, from OpLine or DebugLine, with the text that the "
     "module contains; findings without a line keep the default place. words: the word offset and the instruction. "
     "text: the line of the assembly text or, for a binary, of its disassembly. Default: text; but github and json "
     "locate findings about a binary by words.",
     bits(Val)},
    {OptionId::Profile, 0, "profile", text, "FILE", "", "validate for the device that FILE describes",
     "A JSON document with environment, capabilities, extensions, features, limits and rules, or the output of "
     "'vulkaninfo --json'. Other options override it. '-' is standard input.",
     bits(Val)},
    {OptionId::Baseline, 0, "baseline", text, "FILE", "", "do not report the findings recorded in FILE",
     "A finding is identified by the name of its file without the folder, its rule, function and message, without the "
     "numbers of ids and locations. '-' is standard input.",
     bits(Val)},
    {WriteBaseline, 0, "write-baseline", text, "FILE", "", "record all findings in FILE instead of reporting them",
     "'-' is standard output. The status is then 0, unless an input cannot be read.", bits(Val)},

    {Fix, 0, "fix", none, "", "", "write each module with all certain fixes",
     "Adds missing capabilities, extensions, decorations, interface variables and the like, if that removes the "
     "finding "
     "and causes no other. A text keeps its comments and layout. The findings that remain refer to the output; without "
     "any the status is 0.",
     bits(Val)},
    {Diff, 0, "diff", none, "", "", "with --fix: print the changes; without -o, write no module",
     "In the format of diff -u; the changes of a binary are those of its disassembly.", bits(Val)},
    {OptionId::Text, 0, "text", none, "", "", "with --fix: write a binary as assembly text",
     "Also if the name of the output ends in .spvasm.", bits(Val)},
    {OptionId::Text, 0, "text", none, "", "", "write assembly text", "Also if the name of the output ends in .spvasm.",
     transforms | bits(Link, CommandId::Shrink)},

    // Modules change.
    {Debug, 0, "debug", none, "", "", "remove debug information: lines, sources, strings, debug sets", "", bits(Strip)},
    {NameInstructions, 0, "names", none, "", "", "remove OpName and OpMemberName", "", bits(Strip)},
    {NonSemantic, 0, "nonsemantic", none, "", "", "remove the instructions of NonSemantic sets", "", bits(Strip)},
    {Reflection, 0, "reflection", none, "", "", "remove decorations and instructions for reflection",
     "The decorations UserSemantic, UserTypeGOOGLE and HlslCounterBufferGOOGLE, and NonSemantic.ClspvReflection.",
     bits(Strip)},
    {TrimCapabilities, 0, "capabilities", none, "", "", "remove unneeded capabilities", "", bits(Trim)},
    {TrimExtensions, 0, "extensions", none, "", "", "remove unneeded extensions", "", bits(Trim)},
    {TrimInterfaces, 0, "interfaces", none, "", "", "remove unused variables from the interfaces of entry points",
     "This changes the interface between the stages of a pipeline.", bits(Trim)},
    {CleanFunctions, 0, "functions", none, "", "", "remove functions that no entry point and no export reaches", "",
     bits(Clean)},
    {CleanBlocks, 0, "blocks", none, "", "", "fold constant branches; remove unreachable blocks; join blocks", "",
     bits(Clean)},
    {CleanCode, 0, "code", none, "", "", "remove instructions, selections and loops without an effect", "",
     bits(Clean)},
    {CleanVariables, 0, "variables", none, "", "", "remove unused variables", "", bits(Clean)},
    {CleanTypes, 0, "types", none, "", "", "remove unused types, and duplicates", "", bits(Clean)},
    {CleanConstants, 0, "constants", none, "", "", "remove unused constants, and duplicates", "", bits(Clean)},
    {CleanMembers, 0, "members", none, "", "", "remove unused members of structures",
     "The offsets of the other members do not change.", bits(Clean)},
    {CompactIds, 0, "compact-ids", none, "", "", "renumber the ids", "", bits(Clean)},
    {CanonicalIds, 0, "canonical-ids", none, "", "", "order declarations and number ids by their contents",
     "Modules that differ only in ids and in the order of declarations and functions become equal.", bits(Clean)},
    {DropBindings, 0, "drop-bindings", none, "", "", "also remove unused variables that others can see",
     "Those with bindings, and those in the interfaces of entry points.", bits(Clean)},
    {DropSpecs, 0, "drop-specs", none, "", "", "also remove unused constants with a SpecId", "", bits(Clean)},
    {OptionId::Set, 0, "set", text, "ID=VALUE", "", "value of the constant with a SpecId; may be repeated",
     "ID is a SpecId (3=64, 7=true, 2=1.5, 4=0xff) or the id of the constant (%12=64).", bits(Specialize)},
    {SetName, 0, "set-name", text, "NAME=VALUE", "", "value of the constant with a name; may be repeated", "",
     bits(Specialize)},
    {OptionId::Values, 0, "values", text, "FILE", "", "values from a JSON object",
     "A key is an ID as of --set, or a name: {\"3\": 64, \"scale\": 1.5}. --set and --set-name take precedence. '-' is "
     "standard input.",
     bits(Specialize)},
    {AllDefaults, 0, "all-defaults", none, "", "", "give all other constants their default values", "",
     bits(Specialize)},
    {Prune, 0, "prune", none, "", "", "fold branches, and remove what is unused then",
     "Blocks, functions, code, variables, types, constants and interface entries. Variables of the storage class "
     "Output stay.",
     bits(Specialize)},
    {OptionId::Timeout, 0, "timeout", ValueKind::Count, "SECONDS", "", "longest time of one run of COMMAND (no limit)",
     "A run that takes longer is ended and does not succeed. The result then depends on the speed of the machine.",
     bits(CommandId::Shrink)},
    {AllowInvalid, 0, "allow-invalid", none, "", "", "also try invalid modules",
     "Without it, no invalid module is tried if IN is valid.", bits(CommandId::Shrink)},
    {NoUndef, 0, "no-undef", none, "", "", "never insert OpUndef",
     "Without it, OpUndef replaces operands whose type has no null constant.", bits(CommandId::Shrink)},
    {Library, 0, "library", none, "", "", "keep the exports: the result is a library", "", bits(Link)},
    {Library, 0, "create-library", none, "", "", "keep the exports: the result is a library", "", bits(SpirvLink)},
    {Partial, 0, "partial", none, "", "", "keep imports that no module exports",
     "Without it each of them is an error. --verbose lists them.", bits(Link)},
    {Partial, 0, "allow-partial-linkage", none, "", "", "keep imports that no module exports", "", bits(SpirvLink)},
    {OnlyNeeded, 0, "only-needed", none, "", "", "take from libraries only what is used",
     "A library is an input after the first one that has no entry point. Its exports do not stay exported, and of "
     "several definitions of a name the first one is taken.",
     bits(Link)},
    {UseHighestVersion, 0, "use-highest-version", none, "", "", "permit inputs with different versions of SPIR-V",
     "The result has the highest of them. Without it different versions are an error.", linkers},
    {AllowPointerMismatch, 0, "allow-pointer-mismatch", none, "", "",
     "permit pointer parameters with different pointees", "Calls then convert the pointers with OpBitcast.", linkers},
    {VerifyIds, 0, "verify-ids", none, "", "", "accepted; ids are always unique", "", bits(SpirvLink)},
    {TargetEnv, 0, "target-env", text, "ENV", environment_names, "accepted; linking does not depend on it", "",
     bits(SpirvLink)},
    {FunctionVariants, 0, "fnvar-targets", text, "FILE", "", "refused: function variants are not supported", "",
     bits(SpirvLink)},
    {FunctionVariants, 0, "fnvar-architectures", text, "FILE", "", "refused: function variants are not supported", "",
     bits(SpirvLink)},
    {FunctionVariants, 0, "fnvar-capabilities", none, "", "", "refused: function variants are not supported", "",
     bits(SpirvLink)},
    {OptionId::Pass, 0, "strip-debug", none, "", "", "remove debug information and names", "", optimizers},
    {OptionId::Pass, 0, "strip-nonsemantic", none, "", "", "remove the instructions of NonSemantic sets", "",
     optimizers},
    {OptionId::Pass, 0, "trim-capabilities", none, "", "", "remove unneeded capabilities and extensions", "",
     optimizers},
    {OptionId::Pass, 0, "eliminate-dead-functions", none, "", "",
     "remove functions that no entry point and no export reaches", "", optimizers},
    {OptionId::Pass, 0, "eliminate-dead-variables", none, "", "", "remove unused variables", "", optimizers},
    {OptionId::Pass, 0, "eliminate-dead-const", none, "", "", "remove unused constants", "", optimizers},
    {OptionId::Pass, 0, "eliminate-dead-members", none, "", "", "remove unused members of structures", "", optimizers},
    {OptionId::Pass, 0, "eliminate-dead-branches", none, "", "", "fold branches with a constant condition", "",
     optimizers},
    {OptionId::Pass, 0, "eliminate-dead-code-aggressive", none, "", "", "remove unused code, bindings and SpecIds", "",
     optimizers},
    {OptionId::Pass, 0, "remove-duplicates", none, "", "", "remove duplicates of types, decorations and declarations",
     "", optimizers},
    {OptionId::Pass, 0, "unify-const", none, "", "", "remove duplicates of constants", "", optimizers},
    {OptionId::Pass, 0, "cfg-cleanup", none, "", "", "remove unreachable blocks and join blocks", "", optimizers},
    {OptionId::Pass, 0, "merge-blocks", none, "", "", "the same as --cfg-cleanup", "", optimizers},
    {OptionId::Pass, 0, "remove-unused-interface-variables", none, "", "", "remove unused interface variables", "",
     optimizers},
    {OptionId::Pass, 0, "freeze-spec-const", none, "", "", "replace specialization constants by constants", "",
     optimizers},
    {OptionId::Pass, 0, "fold-spec-const-op-composite", none, "", "", "compute OpSpecConstantOp of constants", "",
     optimizers},
    {OptionId::Pass, 0, "compact-ids", none, "", "", "renumber the ids", "", optimizers},
    {OptionId::Pass, 0, "canonicalize-ids", none, "", "", "order declarations and number ids by their contents", "",
     optimizers},
    {SpecDefaults, 0, "set-spec-const-default-value", text, "ID:VALUE...", "",
     "set defaults of specialization constants", "Pairs of a SpecId and its value, separated by spaces.", optimizers},
    {SkipValidation, 0, "skip-validation", none, "", "", "accepted; modules are not validated", "", optimizers},
    {TargetEnv, 0, "target-env", text, "ENV", environment_names, "accepted; transforms do not depend on it", "",
     optimizers},
    {Verbose, 'v', "verbose", none, "", "", "print what was removed from each module", "", transforms},
    {Verbose, 'v', "verbose", none, "", "", "show the output of COMMAND, on standard error", "",
     bits(CommandId::Shrink)},
    {Verbose, 'v', "verbose", none, "", "", "print the imports that remain", "", bits(Link)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "human|short|json|sarif|github",
     "format of the diagnostics and of the report (human)",
     "json also prints a record for each module on standard output: its words before and after, and what was removed.",
     transforms},

    // Looking into modules.
    {OptionId::Entry, 0, "entry", text, "NAME", "", "only entry points with this name, and what they use", "",
     bits(Reflect)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "table|json|c|c++|human|short|sarif|github",
     "output format (table)",
     "json prints one document for each module; c and c++ a header with structures that have the layout of the blocks, "
     "and constants for bindings, locations and SpecIds. human, short, sarif and github select the format of the "
     "diagnostics, as in other commands; --diagnostics-format takes precedence.",
     bits(Reflect)},
    {OptionId::Pipeline, 0, "pipeline", none, "", "", "treat all modules as stages of one pipeline; report conflicts",
     "Prints the bindings, push constants and SpecIds of all stages together. Stages conflict if they differ in a "
     "binding "
     "or SpecId, or if an input has no output of its type in the previous stage.",
     bits(Reflect)},
    {Namespace, 0, "namespace", text, "NAME", "", "prefix of names in C, namespace in C++ (that of the file)", "",
     bits(Reflect)},
    {Function, 0, "function", text, "NAME", "", "only this function; may be repeated (all)",
     "NAME is the name of a function, its id (%12, or %main as in the disassembly) or the name of an entry point.",
     bits(Cfg)},
    {Function, 0, "function", text, "NAME", "", "only this function and those it calls; may be repeated",
     "NAME is the name of a function, its id (%12, or %main as in the disassembly) or the name of an entry point.",
     bits(CommandId::CallGraph)},
    {OptionId::Instructions, 0, "instructions", none, "", "", "show the instructions of each block", "", bits(Cfg)},
    {MaxDepth, 0, "max-depth", ValueKind::Count, "N", "", "fold constructs nested deeper (svg: 50)",
     "0 means no limit.", bits(Cfg)},
    {MaxNodes, 0, "max-nodes", ValueKind::Count, "N", "", "fold parts beyond N nodes (svg: 2000)",
     "Nodes are blocks or, in a call graph, functions. 0 means no limit.", pictures},
    {Format, 0, "format", ValueKind::Choice, "FORM", "dot|svg", "output format (dot)",
     "svg needs the program 'dot' of the package graphviz.", pictures},

    // Comparing modules.
    {IgnoreDebug, 0, "ignore-debug", none, "", "", "ignore names, debug information and the generator",
     "Both modules are compared without what 'vireo strip --debug --names' removes.", bits(DiffModules)},
    {IgnoreSetBinding, 0, "ignore-set-binding", none, "", "", "ignore the decorations DescriptorSet and Binding", "",
     comparing},
    {IdMap, 0, "with-id-map", none, "", "", "also print the ids that correspond to each other", "", bits(SpirvDiff)},
    {IgnoreLocation, 0, "ignore-location", none, "", "", "ignore the decoration Location", "", comparing},
    {Unified, 'U', "unified", ValueKind::Count, "N", "", "show N unchanged instructions around each change (3)", "",
     bits(DiffModules)},
    {Brief, 'q', "brief", none, "", "", "print only which modules differ", "", bits(DiffModules)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "text|json|human|short|sarif|github", "output format (text)",
     "json prints one document per line for each pair of modules. human, short, sarif and github select the format of "
     "the diagnostics, as in other commands; --diagnostics-format takes precedence.",
     bits(DiffModules)},

    // Instruction sets from XML.
    {Gen, 0, "gen", ValueKind::Count, "N", "", "generation of the instruction set (0)",
     "The number used by the gen elements of the description: 600 for ir3, 7 for afuc.",
     isa_readers & ~bits(IsaCheck, IsaGenerate)},
    {Gen, 0, "gen", ValueKind::Count, "N", "", "check only this generation (all)",
     "The number used by the gen elements of the description: 600 for ir3, 7 for afuc.", bits(IsaCheck)},
    {Gen, 0, "gen", ValueKind::Count, "N", "", "generate code for this generation; may be repeated (all)",
     "In other generations no instruction matches. Code for all generations is little larger than for one, as common "
     "parts are written once.",
     bits(IsaGenerate)},
    {Hex, 0, "hex", none, "", "", "one instruction per line, as one hexadecimal number",
     "The most significant digit comes first. Without --hex, words are little-endian bytes.", bits(IsaDis, IsaAs)},
    {Each, 0, "each", none, "", "", "process every line, or instruction, separately",
     "Each produces exactly one line and is treated as the first of its program; an invalid one produces 'error: …'.",
     bits(IsaDis, IsaAs)},
    {Labels, 0, "labels", none, "", "", "print branch targets as labels", "", bits(IsaDis)},
    {OptionId::EntryPoint, 0, "entrypoint", text, "NAME=OFFSET", "", "name the instruction at OFFSET; may be repeated",
     "Shown with --labels.", bits(IsaDis)},
    {NoErrors, 0, "no-errors", none, "", "", "do not print the faults of words", "", bits(IsaDis)},
    {MaxErrors, 0, "max-errors", ValueKind::Count, "N", "", "stop after more than N bad instructions in a row",
     "0 means never.", bits(IsaDis)},
    {MesaCompat, 0, "mesa-compat", none, "", "", "accept what Mesa's tools accept, and follow their quirks", "",
     isa_readers},
    {Names, 0, "names", text, "FILE", "", "texts of custom fields: lines KIND<TAB>VALUE<TAB>NAME",
     "A row applies to the fields whose names begin with its kind, ignoring case. A value without a row is printed as "
     "0x%03x. May be repeated: the first row for a value counts.",
     bits(IsaDis, IsaExplain, IsaAs, IsaEncode)},
    {Assembler, 0, "assembler", none, "", "", "also report how the texts of each leaf assemble",
     "A table on standard output, or JSON Lines with --format=json. Words of each leaf, with every field at its "
     "extreme values, are printed and assembled again. 'exact': every text gives its word; 'text': some give another "
     "word with the same text; 'broken': some text does not assemble; 'never': the description excludes the leaf from "
     "assembly.",
     bits(IsaCheck)},
    {Check, 0, "check", text, "FILE", "", "compare FILE with the current description; may be repeated",
     "Writes no vectors. Each difference is an error with its line.", bits(IsaVectors)},
    {Faults, 0, "with-remarks", none, "", "", "include words with faults", "", bits(IsaVectors)},
    {ReportAmbiguity, 0, "report-ambiguity", none, "", "", "report other words with the same text",
     "As warnings or, with --each, at the end of the line.", bits(IsaAs)},
    {Prefix, 0, "prefix", text, "HEX", "", "bytes to write before the program",
     "Two digits per byte. They do not change the addresses in the program.", bits(IsaAs)},
    {Floats, 0, "floats", ValueKind::Choice, "STYLE", "fixed|roundtrip", "format of floats (fixed)",
     "fixed prints six decimals; roundtrip prints as many as are needed to read the same value back.",
     bits(IsaDis, IsaExplain, IsaEncode)},
    {Svg, 0, "svg", none, "", "", "draw SVG instead of text", "", bits(IsaExplain)},

    {What, 0, "what", ValueKind::Choice, "WHAT", "disassembler|encoder|packer|unpacker",
     "what to generate (disassembler)",
     "An encoder has a struct with typed fields for each instruction. A packer encodes your own structures as words; "
     "an unpacker decodes words into them. Both use the <encode> maps of the description.",
     bits(IsaGenerate)},
    {Lang, 0, "lang", ValueKind::Choice, "LANG", "c++|c", "language of the code (c++)",
     "C++17 or C11, and later versions.", bits(IsaGenerate)},
    {Namespace, 0, "namespace", text, "NAME", "", "namespace or, in C, prefix of all names (from the file's name)",
     "For other products than a disassembler the default ends in _encoder, _packer or _unpacker.", bits(IsaGenerate)},

    // Inputs and outputs.
    {Output, 'o', "output", text, "FILE", "", "write to FILE; '-' is standard output",
     "FILE is written only when the output is complete; after an error it is left unchanged.",
     converters |
         bits(Link, DiffModules, IsaDis, IsaExplain, IsaDoc, IsaGenerate, IsaDiff, IsaAs, IsaEncode, IsaVectors)},
    {Output, 'o', "", text, "FILE", "", "write to FILE; '-' is standard output", "",
     bits(SpirvAs, SpirvDis, SpirvOpt, SpirvLink, SpirvCfg)},
    {Output, 'o', "output", text, "OUT", "", "write the result to OUT",
     "OUT is replaced while smaller modules are found, at most five times a second. It is always complete.",
     bits(CommandId::Shrink)},
    {Output, 'o', "output", text, "FILE", "", "with --fix: write to FILE; '-' is standard output",
     "A name that ends in .spvasm or .spv determines the form; otherwise it is that of the input.", bits(Val)},
    {OutDir, 0, "out-dir", text, "DIR", "", "with --fix: write DIR/<name> for each input",
     "DIR is created if it is missing. If files below one input directory share a name, the folders of that directory "
     "are recreated below DIR.",
     bits(Val)},
    {OutDir, 0, "out-dir", text, "DIR", "", "write DIR/<stem>.spv or DIR/<stem>.spvasm for each input",
     "DIR is created if it is missing. If files below one input directory share a stem, the folders of that directory "
     "are recreated below DIR. Any other two inputs with the same output are a usage error.",
     converters & ~pictures},
    {OutDir, 0, "out-dir", text, "DIR", "", "write DIR/<stem>.dot or DIR/<stem>.svg for each input",
     "DIR is created if it is missing. Inputs with equal stems are treated as by 'vireo dis'.", pictures},
    {Jobs, 'j', "jobs", ValueKind::Count, "N", "", "process N inputs in parallel (all processors)",
     "The output is in the order of the inputs. 0 means all processors.", converters | bits(Val, Info)},
    {Jobs, 'j', "jobs", ValueKind::Count, "N", "", "try up to N modules at the same time (1)",
     "The result is the same for every N, as long as equal modules give equal exit statuses. 0 means all processors.",
     bits(CommandId::Shrink)},
    {Force, 'f', "force", none, "", "", "write a binary even to a terminal", "",
     bits(As, Val, Link, IsaAs) | transforms},
    {Grammar, 0, "grammar", text, "FILE", "", "add or replace grammar from Khronos JSON; may be repeated",
     "A complete core grammar replaces the built-in one. Other documents are added to it: instructions, enumerants, "
     "extended instruction sets. '-' is standard input.",
     bits(As, Dis, Val, Link, Explain, Info, DiffModules, CommandId::Shrink) | transforms | pictures},

    // Diagnostics.
    {Section, 0, "section", text, "NUMBER", "", "only rules of a section of the specification, such as 3.42.8",
     "A number includes its subsections. 'Vulkan' and 'OpenCL' select the rules of an API; the name of an extension "
     "selects its rules.",
     bits(Rules)},
    {Vuid, 0, "vuid", text, "VUID", "", "only VUIDs that contain this text", "", bits(Rules)},
    {Example, 0, "example", ValueKind::Choice, "KIND", "failing|passing", "print only a module of a rule's example",
     "failing is the module that breaks the rule, passing the one that does not.", bits(Explain)},
    {ByVuid, 0, "by-vuid", none, "", "", "list the VUIDs of Vulkan and the rules that check them", "", bits(Rules)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "text|json", "format of the list (text)",
     "json prints one record per line.", bits(Rules)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "human|short|json|sarif|github", "format of the findings (human)",
     "human and short go to standard error, the others to standard output: json is one record per line, the last one "
     "of "
     "each input is its result; sarif is one SARIF 2.1.0 document; github is workflow commands.",
     bits(Val)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "human|short|json|sarif|github",
     "format of the diagnostics (human)",
     "json is one record per line, sarif is one SARIF 2.1.0 document, github is workflow commands. Diagnostics go to "
     "standard error; those for machines go to standard output if the command has no other output.",
     reporting & ~transforms & ~inspectors & ~bits(Dis, Val, GrammarDiff, IsaDiff)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "human|short|json|sarif|github",
     "format of the changes and of the diagnostics (human)",
     "json is one record per line; changes are written to standard output. The other formats apply to diagnostics, "
     "which go to standard error; changes are then lines of text.",
     bits(GrammarDiff, IsaDiff)},
    {DiagnosticsFormat, 0, "diagnostics-format", ValueKind::Choice, "FORM", "human|short|json|sarif|github",
     "format of the diagnostics; overrides --format", "", reporting},
    {MaxErrors, 0, "max-errors", ValueKind::Count, "N", "",
     "keep at most N errors per input, and as many warnings (1000)", "0 means no limit.", reporting & ~bits(IsaDis)},
    {Quiet, 'q', "quiet", none, "", "", "do not print the summary line", "", bits(Val)},
    {Quiet, 'q', "quiet", none, "", "", "print neither the progress nor the result", "", bits(CommandId::Shrink)},
    {Werror, 0, "werror", none, "", "", "report warnings as errors", "", bits(Val)},
    {Color, 0, "color", ValueKind::OptionalChoice, "WHEN", "always|auto|never", "colour: always, auto, never (auto)",
     "auto colours what goes to a terminal; NO_COLOR switches it off, CLICOLOR_FORCE on. --color alone means always.",
     reporting},
    {Color, 0, "color", none, "", "", "print in colour; the default on a terminal", "", bits(SpirvDis, SpirvDiff)},
    {NoColor, 0, "no-color", none, "", "", "the same as --color=never", "", reporting},
    {NoColor, 0, "no-color", none, "", "", "print without colour, even with --color", "", bits(SpirvDis, SpirvDiff)},

    // Help.
    {List, 0, "list", none, "", "", "print the names of all pages, one per line",
     "Packages store each page in a file: 'vireo man NAME' prints it.", bits(Man)},
    {OptionId::Words, 0, "words", ValueKind::Choice, "KIND", "names|rules|sections|vuids",
     "print the words that the scripts offer, one per line",
     "names: for 'vireo explain'; rules: for 'vireo val --rule'; sections and vuids: for 'vireo rules'.",
     bits(Completion)},
    {Help, 'h', "", none, "", "", "short help", "", ours},
    {LongHelp, 0, "help", none, "", "", "long help", "", ours},
    {LongHelp, 'h', "help", none, "", "", "print this help", "",
     bits(SpirvAs, SpirvDis, SpirvVal, SpirvOpt, SpirvLink, SpirvCfg, SpirvDiff)},
    {Version, 0, "version", none, "", "", "print the version of the program and of its grammar", "", everyone},
};

// A command must not have two rows with the same spelling.
constexpr bool spellings_are_unique() {
  for (const OptionRow& a : option_rows) {
    for (const OptionRow& b : option_rows) {
      if (&a == &b || (a.commands & b.commands) == 0) continue;
      if ((!a.name.empty() && a.name == b.name) || (a.letter != 0 && a.letter == b.letter)) return false;
    }
  }
  return true;
}
static_assert(spellings_are_unique());

}  // namespace

std::span<const OptionRow> options() { return option_rows; }

const OptionRow* find_option(CommandId command, std::string_view name) {
  const auto row = std::find_if(std::begin(option_rows), std::end(option_rows),
                                [&](const OptionRow& r) { return takes(r, command) && r.name == name; });
  return row == std::end(option_rows) ? nullptr : row;
}

std::vector<std::string_view> split_choices(std::string_view choices) {
  std::vector<std::string_view> items;
  while (!choices.empty()) {
    const std::size_t bar = std::min(choices.find('|'), choices.size());
    items.push_back(choices.substr(0, bar));
    choices.remove_prefix(std::min(bar + 1, choices.size()));
  }
  return items;
}

// --- ParsedOptions --------------------------------------------------------------------------------------------------

bool ParsedOptions::has(OptionId id) const {
  return std::any_of(given_.begin(), given_.end(), [&](const auto& given) { return given.first == id; });
}

std::string_view ParsedOptions::value(OptionId id, std::string_view otherwise) const {
  const auto found = std::find_if(given_.rbegin(), given_.rend(), [&](const auto& given) { return given.first == id; });
  return found == given_.rend() ? otherwise : found->second;
}

std::vector<std::string_view> ParsedOptions::values(OptionId id) const {
  std::vector<std::string_view> values;
  for (const auto& [given, value] : given_) {
    if (given == id) values.push_back(value);
  }
  return values;
}

std::size_t ParsedOptions::count(OptionId id, std::size_t otherwise) const {
  const std::string_view digits = value(id);
  std::from_chars(digits.data(), digits.data() + digits.size(), otherwise);
  return otherwise;
}

}  // namespace vireo::cli
