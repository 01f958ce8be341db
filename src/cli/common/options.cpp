// SPDX-License-Identifier: Apache-2.0
//
// The tables of commands and options (options.h), and their queries. Help texts use the same order: first what is
// specific to a command, then what all commands share.
#include "cli/common/options.h"

#include <algorithm>
#include <charconv>

namespace vireo::cli {
namespace {

constexpr std::uint32_t bits(auto... ids) { return (static_cast<std::uint32_t>(ids) | ...); }

constexpr CommandRow command_rows[] = {
    {CommandId::As, "as", "[FILE|DIR|@LIST|-]...", "assemble SPIR-V text into a binary module",
     "Reads SPIR-V assembly and writes the module. Without an input, or with '-', it reads standard input; the module "
     "goes to standard output unless -o or --out-dir is given. All faults of a text are reported in one run, and a "
     "text "
     "with a fault leaves no output.\n\n"
     "A directory stands for every *.spvasm below it; @LIST names a file with one input a line.",
     "vireo as shader.spvasm -o shader.spv\n"
     "vireo dis --raw-id a.spv | vireo as --exact --preserve-numeric-ids -o same.spv\n"
     "vireo as shaders/ --out-dir build/ -j 8",
     "spvasm"},
    {CommandId::Dis, "dis", "[FILE|DIR|@LIST|-]...", "disassemble a SPIR-V binary module",
     "Reads modules in either byte order, or as hexadecimal text, and prints them as SPIR-V assembly. A broken module "
     "is "
     "printed as far as it goes, then the fault is reported; into a file it leaves no output.\n\n"
     "A directory stands for every *.spv below it; @LIST names a file with one input a line.",
     "vireo dis shader.spv\n"
     "vireo dis --annotate --show-ids shader.spv | less -R\n"
     "vireo dis modules/ --out-dir text/ -j 8",
     "spv"},
    {CommandId::Val, "val", "[FILE|DIR|@LIST|-]...", "find all that is wrong with SPIR-V modules",
     "Checks modules, binary or text, against the specification and the rules of a target environment. Every fault is "
     "reported, once; places are in the text, or in the disassembly of a binary. 'vireo explain RULE' says what a rule "
     "demands. Nothing is printed for a valid module.\n\n"
     "--profile describes a device: what modules may declare there, its limits, and what it lifts. --write-baseline "
     "records what is wrong today, so that --baseline tells what is new.\n\n"
     "A directory stands for every *.spv and *.spvasm below it; @LIST names a file with one input a line.",
     "vireo val shader.spv\n"
     "vireo val --target-env vulkan1.3 --format=json shaders/ -j 8\n"
     "vireo val --rule nesting-depth=warn --rule missing-extension=off shader.spv",
     "spv"},
    {CommandId::Explain, "explain", "NAME...", "say what an instruction, enumerant or diagnostic rule is",
     "Prints the operands, capabilities with all that they imply, versions, extensions and aliases of an instruction, "
     "an "
     "enumerant, a capability, an extension or an extended instruction; or what a diagnostic rule demands.",
     "vireo explain OpImageSampleImplicitLod\nvireo explain zero-word-count", ""},
    {CommandId::GrammarCheck, "grammar check", "[FILE|-]...", "find the faults of a grammar document",
     "Reads Khronos grammar JSON as --grammar would and reports every fault with its JSON path; '-' or nothing is "
     "standard input.",
     "vireo grammar check spirv.core.grammar.json", "json"},
    {CommandId::GrammarDiff, "grammar diff", "A [B]", "compare two grammar documents",
     "Lists what B adds to, removes from and changes in A. Without B, A is compared with the built-in grammar, which "
     "is "
     "called 'builtin' where it is to be A; '-' is standard input.\n\n"
     "A line a change: + added, - removed, ~ changed. Changes are no failure: the status is 0 with them and without.",
     "vireo grammar diff old.grammar.json new.grammar.json", "json"},
    {CommandId::IsaCheck, "isa check", "SPEC...", "find the faults of an XML description of an instruction set",
     "Reports all that is wrong with a description in the isaspec language, each with its place: what cannot be read, "
     "leaves that match one word, with that word, and leaves that are never chosen; names that mean nothing, overrides "
     "that never say anything, displays that cannot be told apart. 'vireo explain RULE' says what a rule demands. "
     "Warnings alone are no failure.",
     "vireo isa check ir3.xml\nvireo isa check --gen 600 --format=short ir3.xml\n"
     "vireo isa check --assembler ir3.xml",
     "xml"},
    {CommandId::IsaDis, "isa dis", "SPEC [FILE]", "disassemble words by an XML description of their instruction set",
     "SPEC describes an instruction set in the isaspec language; FILE holds instructions, as bytes or, with --hex, as "
     "text; "
     "'-' or nothing is standard input. What is odd about a word stands behind it as a comment. A word that nothing "
     "matches is "
     "printed as 'no match: HEX'.",
     "vireo isa dis ir3.xml --gen 600 --labels shader.bin\n"
     "echo 0080000000000004 | vireo isa dis ir3.xml --gen 600 --hex -",
     "xml"},
    {CommandId::IsaExplain, "isa explain", "SPEC WORD/TEXT...", "explain words of an instruction set bit by bit",
     "Draws the bits of each word, hexadecimal, with the fields that they belong to, and lists for each field its "
     "type, its value, what is shown for it, and the bitset and the case of the description that it comes from. What "
     "is not a number is an instruction as 'vireo isa dis' prints it, and is assembled first. Bits that are not as "
     "they should be are marked. For a word that nothing matches the nearest instruction is drawn, for one that "
     "several match each of them. Texts in parentheses are those of fields that the display does not show.",
     "vireo isa explain ir3.xml --gen 600 c0261000_02800001\n"
     "vireo isa explain ir3.xml --gen 600 'add.f r0.x, r0.y, r0.z'\n"
     "vireo isa explain ir3.xml --gen 600 c0261000_02800001 --svg -o word.svg",
     "xml"},
    {CommandId::IsaDoc, "isa doc", "SPEC", "make a reference page of an instruction set",
     "Writes one HTML document with an index, a section for each instruction with the picture of its bits, operands, "
     "what "
     "they share, and enums. It needs neither a server nor the network. --gen leaves out what does not exist in that "
     "generation.",
     "vireo isa doc ir3.xml -o ir3.html\nvireo isa doc afuc.xml --gen 7 -o a7xx.html", "xml"},
    {CommandId::IsaGenerate, "isa generate", "SPEC", "make source code in C++ or C from an XML description",
     "Writes one header that needs nothing but the standard library: a disassembler, which prints the same text as "
     "'isa "
     "dis', or what --what names. One source file of the program defines NAME_IMPLEMENTATION before it includes the "
     "header. With --gen only the generations named are covered, else all.",
     "vireo isa generate ir3.xml --lang c++ -o ir3.h\n"
     "vireo isa generate afuc.xml --lang c --gen 6 --gen 7 -o afuc.h\n"
     "vireo isa generate afuc.xml --what encoder -o afuc_encoder.h",
     "xml"},
    {CommandId::IsaDiff, "isa diff", "SPEC [SPEC]", "compare two generations, or two descriptions",
     "Lists the instructions, operands and enum values that were added, removed and changed: patterns, the bits, types "
     "and "
     "texts of fields, displays, asserts. One description is compared in two generations, --gen A --gen B; two "
     "descriptions as they are, or in the generation that --gen says (or one each). What conditions on the generation "
     "decide is decided first. Nothing is printed when nothing changed.",
     "vireo isa diff ir3.xml --gen 600 --gen 700\nvireo isa diff old.xml new.xml", "xml"},
    {CommandId::IsaVectors, "isa vectors", "SPEC", "make words with their texts, for tests, from an XML description",
     "Writes JSON Lines: for every leaf of the generation the words in which each field stands at its corners and each "
     "override holds or not, with their texts. 'asm' says what assembling the text gives: same_bits, same_text or "
     "nothing. The same description gives the same lines, and --check replays them, decoding and assembling, so that "
     "a file of them is a suite of regressions. Custom fields are numbers.",
     "vireo isa vectors ir3.xml --gen 600 -o ir3-600.jsonl\nvireo isa vectors ir3.xml --check ir3-600.jsonl", "xml"},
    {CommandId::IsaAs, "isa as", "SPEC [FILE]", "assemble text by an XML description of its instruction set",
     "SPEC describes an instruction set in the isaspec language; FILE holds instructions as 'vireo isa dis' prints "
     "them, "
     "labels, comments and directives; '-' or nothing is standard input. Each word is proved by decoding it to the "
     "same text. All "
     "faults are reported in one run, and a text with a fault leaves no output.",
     "vireo isa as ir3.xml --gen 600 shader.asm -o shader.bin\n"
     "echo 'nop' | vireo isa as ir3.xml --gen 600 --each --hex -",
     "xml"},
    {CommandId::IsaEncode, "isa encode", "SPEC LEAF [FIELD=VALUE]...", "make a word from the values of its fields",
     "LEAF is the name of an instruction; FIELD is the name of one of its fields, or of one within a nested bitset: "
     "SRC.VALUE. VALUE is a number, the name or the display of an enum's row, the display of a flag, or the leaf of a "
     "nested bitset. The fields decide which override is meant, derived fields are solved for, and what is not given "
     "has its default. The word is decoded before it is printed, with its text behind it.",
     "vireo isa encode tiny16.xml add DST=#register DST.NUMBER=3 SRC.VALUE=-8\n"
     "vireo isa encode ir3.xml --gen 600 add.f DST.GPR=1 SRC1=#multisrc-gpr",
     "xml"},
    {CommandId::Completion, "completion", "bash|zsh|fish", "print a completion script for a shell", "",
     "vireo completion bash > /usr/share/bash-completion/completions/vireo\n"
     "vireo completion fish > ~/.config/fish/completions/vireo.fish",
     ""},
    {CommandId::Man, "man", "[COMMAND]", "print a man page",
     "Prints the page of a command, or of the whole program, in the roff language of man(1).",
     "vireo man as > vireo-as.1\nvireo man dis | man -l -\nvireo man --list", ""},
    {CommandId::SpirvAs, "spirv-as", "[FILE]", "create a SPIR-V binary module from SPIR-V assembly text",
     "Reads FILE, or standard input without one or with '-'. The module is written to out.spv unless -o says "
     "otherwise.",
     "", "spvasm"},
    {CommandId::SpirvDis, "spirv-dis", "[FILE]", "disassemble a SPIR-V binary module",
     "Reads FILE, or standard input without one or with '-': a module in either byte order, or hexadecimal text.", "",
     "spv"},
    {CommandId::SpirvVal, "spirv-val", "[FILE|DIR]", "validate a SPIR-V binary module",
     "Reads FILE, or standard input without one or with '-'; of a directory every *.spv below it. The first fault of "
     "each module is printed; 'vireo val' tells all of them.",
     "", "spv"},
};

constexpr std::string_view environment_names =
    "vulkan1.0|vulkan1.1spv1.4|vulkan1.1|vulkan1.2|vulkan1.3|vulkan1.4|spv1.0|spv1.1|spv1.2|spv1.3|spv1.4|spv1.5|spv1."
    "6|"
    "opencl1.2embedded|opencl1.2|opencl2.0embedded|opencl2.0|opencl2.1embedded|opencl2.1|opencl2.2embedded|opencl2.2|"
    "opengl4.0|opengl4.1|opengl4.2|opengl4.3|opengl4.5";

using enum CommandId;
constexpr std::uint32_t converters = bits(As, Dis);
constexpr std::uint32_t assemblers = bits(As, SpirvAs);
constexpr std::uint32_t disassemblers = bits(Dis, SpirvDis);
constexpr std::uint32_t validators = bits(Val, SpirvVal);
constexpr std::uint32_t isa_readers =
    bits(IsaDis, IsaExplain, IsaCheck, IsaDoc, IsaGenerate, IsaDiff, IsaAs, IsaEncode, IsaVectors);
constexpr std::uint32_t reporting = bits(As, Dis, Val, Explain, GrammarCheck, GrammarDiff) | isa_readers;
constexpr std::uint32_t ours = reporting | bits(Completion, Man);
constexpr std::uint32_t everyone = ours | bits(SpirvAs, SpirvDis, SpirvVal);

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
     "Universal environments (spv1.N) have the rules of the specification alone; the others add those of Vulkan, "
     "OpenCL "
     "or OpenGL.",
     validators},
    {PreserveNumericIds, 0, "preserve-numeric-ids", none, "", "", "%42 becomes id 42",
     "Names that are no numbers take the lowest free ids.", assemblers},
    {Exact, 0, "exact", none, "", "", "take the header from the text's comments",
     "Version, generator, bound and schema as 'vireo dis' writes them, so that the text of 'vireo dis --raw-id' gives "
     "the identical words (together with --preserve-numeric-ids).",
     bits(As)},
    {ByteOrder, 0, "byte-order", ValueKind::Choice, "ORDER", "little|big", "byte order of the module (little)", "",
     bits(As)},

    // Disassembling.
    {RawId, 0, "raw-id", none, "", "", "show ids as numbers, not as friendly names", "", disassemblers},
    {ShowIds, 0, "show-ids", none, "", "", "show the number beside a friendly name", "", bits(Dis)},
    {NoIndent, 0, "no-indent", none, "", "", "do not indent instructions", "", disassemblers},
    {NoHeader, 0, "no-header", none, "", "", "leave out the header comments",
     "The text then no longer says its version.", disassemblers},
    {NestedIndent, 0, "nested-indent", none, "", "", "indent by the nesting of structured control flow", "",
     disassemblers},
    {ReorderBlocks, 0, "reorder-blocks", none, "", "", "print blocks in structured order",
     "The order of instructions is then no longer that of the module.", disassemblers},
    {Offsets, 0, "offsets", none, "", "", "comment each instruction with its byte offset", "", disassemblers},
    {Comment, 0, "comment", none, "", "", "add section headings and comments", "", disassemblers},
    {Annotate, 0, "annotate", none, "", "", "explain types, constants and control flow in comments", "", bits(Dis)},
    {HandleUnknownOpcodes, 0, "handle-unknown-opcodes", none, "", "", "print unknown opcodes as OpUnknown",
     "Otherwise they are faults. The text reassembles; the bound may be wrong if an unknown instruction has a result.",
     disassemblers},
    {SafeStrings, 0, "safe-strings", none, "", "", "escape control bytes in strings",
     "For terminals: a string cannot then send escape sequences. Such a string does not reassemble.", bits(Dis)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "text|json|human|short|sarif|github", "form of the output (text)",
     "json prints the module as JSON, one document an input, and its diagnostics as JSON, too. human, short, sarif and "
     "github choose the form of the diagnostics, as everywhere; --diagnostics-format goes before.",
     bits(Dis)},

    // Validating.
    {RelaxLogicalPointer, 0, "relax-logical-pointer", none, "", "",
     "let pointers be allocated, returned and passed in logical addressing", "", validators},
    {BeforeHlslLegalization, 0, "before-hlsl-legalization", none, "", "",
     "take what HLSL front ends write before legalization", "", validators},
    {RelaxStructStore, 0, "relax-struct-store", none, "", "",
     "let a structure be stored as another one of the same layout", "", validators},
    {RelaxBlockLayout, 0, "relax-block-layout", none, "", "", "align vectors in blocks like their components", "",
     validators},
    {UniformBufferStandardLayout, 0, "uniform-buffer-standard-layout", none, "", "",
     "lay out uniform blocks like storage blocks", "", validators},
    {ScalarBlockLayout, 0, "scalar-block-layout", none, "", "", "lay out blocks with scalar alignment", "", validators},
    {WorkgroupScalarBlockLayout, 0, "workgroup-scalar-block-layout", none, "", "",
     "lay out workgroup blocks with scalar alignment", "", validators},
    {SkipBlockLayout, 0, "skip-block-layout", none, "", "", "do not check explicit layout", "", validators},
    {AllowLocalSizeId, 0, "allow-localsizeid", none, "", "", "allow the execution mode LocalSizeId", "", validators},
    {AllowOffsetTextureOperand, 0, "allow-offset-texture-operand", none, "", "",
     "allow the image operand Offset without gathering", "", validators},
    {AllowVulkan32BitBitwise, 0, "allow-vulkan-32-bit-bitwise", none, "", "",
     "allow bit instructions on other widths than 32", "", validators},
    {MaxStructMembers, 0, "max-struct-members", ValueKind::Count, "N", "", "most members of a structure (16383)", "",
     validators},
    {MaxStructDepth, 0, "max-struct-depth", ValueKind::Count, "N", "", "most structures within structures (255)", "",
     validators},
    {MaxLocalVariables, 0, "max-local-variables", ValueKind::Count, "N", "", "most variables of functions (524287)", "",
     validators},
    {MaxGlobalVariables, 0, "max-global-variables", ValueKind::Count, "N", "",
     "most variables outside of functions (65535)", "", validators},
    {MaxSwitchBranches, 0, "max-switch-branches", ValueKind::Count, "N", "", "most targets of OpSwitch (16383)", "",
     validators},
    {MaxFunctionArgs, 0, "max-function-args", ValueKind::Count, "N", "", "most parameters of a function (255)", "",
     validators},
    {MaxNestingDepth, 0, "max-control-flow-nesting-depth", ValueKind::Count, "N", "",
     "most structured constructs within each other (1023)", "", validators},
    {MaxAccessChainIndexes, 0, "max-access-chain-indexes", ValueKind::Count, "N", "",
     "most indexes of an access chain (255)", "", validators},
    {MaxIdBound, 0, "max-id-bound", ValueKind::Count, "N", "", "largest bound in the header (4194303)", "", validators},
    {MaxLiteralString, 0, "max-literal-string", ValueKind::Count, "N", "", "most characters of a text (65535)", "",
     bits(Val)},
    {MaxExecutionModes, 0, "max-execution-modes", ValueKind::Count, "N", "",
     "most execution modes of an entry point (255)", "", bits(Val)},
    {MaxExtInstArgs, 0, "max-ext-inst-args", ValueKind::Count, "N", "",
     "most arguments of an extended instruction (255)", "", bits(Val)},
    {BufferDescriptorLayout, 0, "buffer-descriptor-layout", text, "SIZE:ALIGN", "",
     "bytes of a buffer descriptor in a heap (0:1)", "", validators},
    {ImageDescriptorLayout, 0, "image-descriptor-layout", text, "SIZE:ALIGN", "",
     "bytes of an image descriptor in a heap (0:1)", "", validators},
    {SamplerDescriptorLayout, 0, "sampler-descriptor-layout", text, "SIZE:ALIGN", "",
     "bytes of a sampler descriptor in a heap (0:1)", "", validators},
    {TensorDescriptorLayout, 0, "tensor-descriptor-layout", text, "SIZE:ALIGN", "",
     "bytes of a tensor descriptor in a heap (0:1)", "", validators},
    {MaxStructDepth, 0, "max-struct_depth", ValueKind::Count, "N", "",
     "--max-struct-depth, as one release of the reference spelt it", "", bits(SpirvVal)},
    {OptionId::Rule, 0, "rule", text, "RULE=off|warn|error", "", "severity of a rule's findings; may be repeated",
     "Off drops them. Of two for one rule the later counts. A header that cannot be read stays an error.", bits(Val)},
    {OptionId::Profile, 0, "profile", text, "FILE", "", "validate for the device that FILE describes",
     "A JSON document with environment, capabilities, extensions, features, limits and rules. Other options go before "
     "what it says. '-' is standard input.",
     bits(Val)},
    {OptionId::Baseline, 0, "baseline", text, "FILE", "", "do not report what FILE records",
     "A finding is recognised by its input, rule, function and sentence, without the numbers of ids and places. '-' is "
     "standard input.",
     bits(Val)},
    {WriteBaseline, 0, "write-baseline", text, "FILE", "", "record all findings in FILE instead of reporting them",
     "'-' is standard output. The status is then 0, unless an input cannot be read.", bits(Val)},

    // Instruction sets from XML.
    {Gen, 0, "gen", ValueKind::Count, "N", "", "generation of the instruction set (0)",
     "The number that the description's gen elements speak of: 600 for ir3, 7 for afuc.",
     isa_readers & ~bits(IsaCheck, IsaGenerate)},
    {Gen, 0, "gen", ValueKind::Count, "N", "", "check what exists in one generation (all of them)",
     "The number that the description's gen elements speak of: 600 for ir3, 7 for afuc.", bits(IsaCheck)},
    {Gen, 0, "gen", ValueKind::Count, "N", "", "make code for this generation; may be repeated (all of them)",
     "In another generation nothing matches then. All of them cost little more than one: what they share is written "
     "once.",
     bits(IsaGenerate)},
    {Hex, 0, "hex", none, "", "", "one instruction a line, as one hexadecimal number",
     "The most significant digit comes first. Without it words are little-endian bytes.", bits(IsaDis, IsaAs)},
    {Each, 0, "each", none, "", "", "take every line, or instruction, by itself",
     "Each yields exactly one line and counts as the first of its program; one that cannot be read yields 'error: …'.",
     bits(IsaDis, IsaAs)},
    {Labels, 0, "labels", none, "", "", "print branch targets as labels", "", bits(IsaDis)},
    {OptionId::EntryPoint, 0, "entrypoint", text, "NAME=OFFSET", "", "name the instruction at OFFSET; may be repeated",
     "Shown with --labels.", bits(IsaDis)},
    {NoErrors, 0, "no-errors", none, "", "", "do not say what is odd about a word", "", bits(IsaDis)},
    {MaxErrors, 0, "max-errors", ValueKind::Count, "N", "", "stop after more than N bad instructions in a row",
     "0 means never.", bits(IsaDis)},
    {MesaCompat, 0, "mesa-compat", none, "", "", "follow Mesa's tools in what they overlook and in their quirks", "",
     isa_readers},
    {Names, 0, "names", text, "FILE", "", "texts of custom fields: lines KIND<TAB>VALUE<TAB>NAME",
     "A field takes the rows whose kind its name begins with, whatever the case. Without a row it is printed as "
     "0x%03x. May be repeated: the first row for a value gives its text.",
     bits(IsaDis, IsaExplain, IsaAs, IsaEncode)},
    {Assembler, 0, "assembler", none, "", "", "also say what the assembler can do, leaf by leaf",
     "A table on standard output; with --format=json JSON Lines. Words of each leaf, with every field at its corners, "
     "are "
     "printed and assembled again: 'exact' all come back, 'text' others with the same text do, 'broken' some text has "
     "no "
     "word, 'never' the description wants none.",
     bits(IsaCheck)},
    {Check, 0, "check", text, "FILE", "", "compare FILE with what the description says now; may be repeated",
     "Nothing is written. Each difference is an error with its line.", bits(IsaVectors)},
    {Faults, 0, "with-remarks", none, "", "", "also words that the decoder remarks on", "", bits(IsaVectors)},
    {ReportAmbiguity, 0, "report-ambiguity", none, "", "", "say which other words have the same text",
     "They are warnings; with --each they follow on the line.", bits(IsaAs)},
    {Prefix, 0, "prefix", text, "HEX", "", "bytes to write before the program",
     "Two digits a byte. They count for nothing in the program.", bits(IsaAs)},
    {Floats, 0, "floats", ValueKind::Choice, "STYLE", "fixed|roundtrip", "how floats are written (fixed)",
     "fixed has six decimals; roundtrip has as many as it takes to read the value back.",
     bits(IsaDis, IsaExplain, IsaEncode)},
    {Svg, 0, "svg", none, "", "", "draw SVG instead of text", "", bits(IsaExplain)},

    {What, 0, "what", ValueKind::Choice, "WHAT", "disassembler|encoder|packer|unpacker", "what to make (disassembler)",
     "An encoder has a struct with typed fields for each instruction. A packer makes words of your own structures, an "
     "unpacker fills them, both by the <encode> maps of the description.",
     bits(IsaGenerate)},
    {Lang, 0, "lang", ValueKind::Choice, "LANG", "c++|c", "language of the code (c++)",
     "C++17 or C11, and what came later.", bits(IsaGenerate)},
    {Namespace, 0, "namespace", text, "NAME", "", "namespace or, in C, prefix of all names (from the file's name)",
     "Where something else than a disassembler is made, the name ends in _encoder, _packer or _unpacker.",
     bits(IsaGenerate)},

    // Inputs and outputs.
    {Output, 'o', "output", text, "FILE", "", "write to FILE; '-' is standard output",
     "FILE appears when it is complete; after an error there is none.",
     converters | bits(IsaDis, IsaExplain, IsaDoc, IsaGenerate, IsaDiff, IsaAs, IsaEncode, IsaVectors)},
    {Output, 'o', "", text, "FILE", "", "write to FILE; '-' is standard output", "", bits(SpirvAs, SpirvDis)},
    {OutDir, 0, "out-dir", text, "DIR", "", "write DIR/<stem>.spv or DIR/<stem>.spvasm for each input",
     "The folder is made if it is missing. Where files below one input directory share a stem, that directory's "
     "folders "
     "are repeated below DIR; two other inputs with one output are a usage error.",
     converters},
    {Jobs, 'j', "jobs", ValueKind::Count, "N", "", "work on N inputs at once (all processors)",
     "Results come in the order of the inputs. 0 means all processors.", converters | bits(Val)},
    {Force, 'f', "force", none, "", "", "write a binary even to a terminal", "", bits(As, IsaAs)},
    {Grammar, 0, "grammar", text, "FILE", "", "add or replace grammar from Khronos JSON; may be repeated",
     "A whole core grammar replaces the built-in one; anything else is laid over it: instructions, enumerants, "
     "extended sets. '-' is standard input.",
     bits(As, Dis, Val, Explain)},

    // Diagnostics.
    {Format, 0, "format", ValueKind::Choice, "FORM", "human|short|json|sarif|github", "form of the findings (human)",
     "json is one record a line on standard output, and a last one for each input with the verdict; the others go to "
     "standard error: sarif is one SARIF 2.1.0 document; github is workflow commands.",
     bits(Val)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "human|short|json|sarif|github", "form of the diagnostics (human)",
     "json is one record a line; sarif is one SARIF 2.1.0 document; github is workflow commands. They go to standard "
     "error.",
     reporting & ~bits(Dis, Val, GrammarDiff, IsaDiff)},
    {Format, 0, "format", ValueKind::Choice, "FORM", "human|short|json|sarif|github",
     "form of the changes and of the diagnostics (human)",
     "json is one record a line, of changes on standard output. The other forms are those of diagnostics, which go to "
     "standard error; changes are then lines of text.",
     bits(GrammarDiff, IsaDiff)},
    {DiagnosticsFormat, 0, "diagnostics-format", ValueKind::Choice, "FORM", "human|short|json|sarif|github",
     "form of the diagnostics, whatever --format says", "", reporting},
    {MaxErrors, 0, "max-errors", ValueKind::Count, "N", "",
     "keep at most N errors an input, and as many warnings (1000)", "0 means all of them.", reporting & ~bits(IsaDis)},
    {Color, 0, "color", ValueKind::OptionalChoice, "WHEN", "always|auto|never", "colour: always, auto, never (auto)",
     "auto colours what goes to a terminal; NO_COLOR switches it off, CLICOLOR_FORCE on. --color alone means always.",
     reporting},
    {Color, 0, "color", none, "", "", "print in colour; the default on a terminal", "", bits(SpirvDis)},
    {NoColor, 0, "no-color", none, "", "", "the same as --color=never", "", reporting},
    {NoColor, 0, "no-color", none, "", "", "print without colour, also where --color is given", "", bits(SpirvDis)},

    // Help.
    {List, 0, "list", none, "", "", "print the names of all pages, one a line",
     "Packages make a file of each page: 'vireo man NAME' prints it.", bits(Man)},
    {Help, 'h', "", none, "", "", "short help", "", ours},
    {LongHelp, 0, "help", none, "", "", "long help", "", ours},
    {LongHelp, 'h', "help", none, "", "", "print this help", "", bits(SpirvAs, SpirvDis, SpirvVal)},
    {Version, 0, "version", none, "", "", "print the version of the program and of its grammar", "", everyone},
};

// Two commands with the same bit would share their options.
constexpr bool ids_are_unique() {
  std::uint32_t seen = 0;
  for (const CommandRow& row : command_rows) {
    const std::uint32_t bit = bits(row.id);
    if ((seen & bit) != 0) return false;
    seen |= bit;
  }
  return true;
}
static_assert(ids_are_unique());

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

std::span<const CommandRow> commands() { return command_rows; }
std::span<const OptionRow> options() { return option_rows; }

const CommandRow& command_row(CommandId id) {
  return *std::find_if(std::begin(command_rows), std::end(command_rows),
                       [&](const CommandRow& r) { return r.id == id; });
}

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

// --- ParsedOptions -----------------------------------------------------------------------------------------------------

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
