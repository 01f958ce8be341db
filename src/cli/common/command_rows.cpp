// SPDX-License-Identifier: Apache-2.0
//
// The table of commands (options.h), and its queries.
#include <algorithm>

#include "cli/common/options.h"

namespace vireo::cli {
namespace {

constexpr CommandRow command_rows[] = {
    {CommandId::As, "as", "[FILE|DIR|@LIST|-]...", "assemble SPIR-V text into a binary module",
     "Reads SPIR-V assembly and writes the module. Without an input, or with '-', it reads standard input; the module "
     "goes to standard output unless -o or --out-dir is given. All errors of a text are reported in one run; a text "
     "with an error produces no output.\n\n"
     "A directory means every *.spvasm file below it; @LIST is a file with one input per line.",
     "vireo as shader.spvasm -o shader.spv\n"
     "vireo dis --raw-id a.spv | vireo as --exact --preserve-numeric-ids -o same.spv\n"
     "vireo as shaders/ --out-dir build/ -j 8",
     "spvasm"},
    {CommandId::Dis, "dis", "[FILE|DIR|@LIST|-]...", "disassemble a SPIR-V binary module",
     "Reads modules in either byte order, or as hexadecimal text, and prints them as SPIR-V assembly. A broken module "
     "is printed up to the fault, which is then reported; with -o or --out-dir it produces no file, unless "
     "--keep-going is "
     "given.\n\n"
     "A directory means every *.spv file below it; @LIST is a file with one input per line.",
     "vireo dis shader.spv\n"
     "vireo dis --annotate --show-ids shader.spv | less -R\n"
     "vireo dis --entry main shader.spv\n"
     "vireo dis modules/ --out-dir text/ -j 8",
     "spv"},
    {CommandId::Val, "val", "[FILE|DIR|@LIST|-]...", "validate SPIR-V modules and report every error",
     "Checks binary modules and assembly text against the specification and the rules of a target environment. Reports "
     "every error once, with its location in the text or, for a binary, in its disassembly. 'vireo explain RULE' "
     "describes a rule. Prints nothing for a valid module.\n\n"
     "--profile describes a device: the capabilities and extensions that modules may declare, its limits, and the "
     "rules that its features relax. --write-baseline records the current findings; --baseline then reports only new "
     "ones.\n\n"
     "In assembly text, the comment '; vireo: allow RULE, RULE' suppresses findings of the instruction before it on "
     "the "
     "line; alone on its line, of the next instruction. An unused comment gets the warning unused-allow.\n\n"
     "An option that permits something disables rules; --rule cannot enable them again. Options add to the features of "
     "a profile.\n\n"
     "A directory means every *.spv and *.spvasm file below it; @LIST is a file with one input per line.",
     "vireo val shader.spv\n"
     "vireo val --target-env vulkan1.3 --format=json shaders/ -j 8\n"
     "vireo val --rule nesting-depth=warn --rule missing-extension=off shader.spv\n"
     "vireo val --fix shader.spvasm -o fixed.spvasm\n"
     "vireo val --fix --diff shader.spvasm",
     "spv"},
    {CommandId::Strip, "strip", "[FILE|DIR|@LIST|-]...", "remove debug information from SPIR-V modules",
     "Removes what does not affect the semantics of a module: debug information, names, non-semantic instructions and "
     "reflection. Options select some of these parts; without them all are removed. The ids do not change.\n\n"
     "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
     "vireo strip shader.spv -o small.spv\n"
     "vireo strip --debug shaders/ --out-dir small/ --verbose",
     "spv"},
    {CommandId::Trim, "trim", "[FILE|DIR|@LIST|-]...", "remove unneeded capabilities and extensions",
     "Removes the capabilities and extensions that neither the grammar nor the validator requires. With --interfaces, "
     "removes the variables that an entry point lists but does not use. Options select some of these parts; without "
     "them capabilities and extensions are removed.\n\n"
     "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
     "vireo trim shader.spv -o small.spv\n"
     "vireo trim --capabilities --verbose shaders/ --out-dir small/",
     "spv"},
    {CommandId::Clean, "clean", "[FILE|DIR|@LIST|-]...", "remove unused functions, code and declarations",
     "Removes what a module does not need: unused functions, variables, types and constants; instructions without an "
     "effect; branches with a constant condition and the blocks that they never reach; duplicates. Options select some "
     "of these parts; without them all are removed except members, and the ids are renumbered. What the module "
     "computes does not change, nor what others see of it: entry points, exports, interfaces, bindings, SpecIds.\n\n"
     "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
     "vireo clean shader.spv -o small.spv\n"
     "vireo clean --functions --verbose shaders/ --out-dir small/",
     "spv"},
    {CommandId::Specialize, "specialize", "[FILE|DIR|@LIST|-]...", "give specialization constants values",
     "Replaces specialization constants by constants with the given values, and evaluates what depends on them. The "
     "other specialization constants stay. A value that does not fit, or that breaks a rule of the target environment, "
     "is an error, and no module is written.\n\n"
     "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
     "vireo specialize --set 3=64 --set 7=true shader.spv -o small.spv\n"
     "vireo specialize --values values.json --all-defaults --prune shader.spv -o small.spv",
     "spv"},
    {CommandId::Shrink, "shrink", "IN -o OUT -- COMMAND [ARGUMENT]...",
     "find a small module for which a command succeeds",
     "Removes functions, blocks, instructions, operands and declarations of the module IN as long as COMMAND exits "
     "with 0. In each ARGUMENT, '{}' becomes the name of a file with the module to try. COMMAND must succeed for IN "
     "itself: "
     "to shrink a module that makes a compiler crash, use a script that exits with 0 if the compiler crashes. No shell "
     "is involved; the output of COMMAND is discarded, unless --verbose shows it on standard error.\n\n"
     "If IN is valid, so is every module that is tried, unless --allow-invalid is given. OUT always holds a complete "
     "module. After an interruption, run the command with OUT in place of IN to continue.\n\n"
     "IN is a binary or assembly text. OUT and the files for COMMAND are text with --text, or if the name of OUT ends "
     "in .spvasm.",
     "vireo shrink crash.spv -o small.spv -- ./crashes.sh {}\n"
     "vireo shrink -j 4 --timeout 10 crash.spv -o small.spvasm -- ./crashes.sh {}",
     "spv"},
    {CommandId::Link, "link", "[FILE|DIR|@LIST|-]...", "link SPIR-V modules into one",
     "Joins modules: each import is replaced by the export with its name and type, and equal types, constants and "
     "interface variables become one. A conflict is an error that shows both places, and no module is written. "
     "Without --library the result exports nothing; without --partial each import needs an export.\n\n"
     "The inputs are binaries or assembly texts; the output is a binary unless its name ends in .spvasm.",
     "vireo link kernel.spv libclc.spv -o program.spv\n"
     "vireo link --only-needed kernel.spv libclc.spv -o program.spv\n"
     "vireo link --library --partial a.spv b.spv -o library.spv",
     "spv"},
    {CommandId::Opt, "opt", "[FILE|DIR|@LIST|-]...", "transform SPIR-V modules with the flags of spirv-opt",
     "Applies transforms in the order of their flags. The flags are those of spirv-opt that 'strip', 'trim' and "
     "'clean' cover; any other flag is an error. Modules are not validated first.\n\n"
     "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
     "vireo opt --eliminate-dead-functions --compact-ids shader.spv -o small.spv", "spv"},
    {CommandId::Reflect, "reflect", "[FILE|DIR|@LIST|-]...", "show resources, blocks and interfaces of shaders",
     "Prints for each module its entry points with the size of their workgroups; descriptors with sets and bindings, "
     "arrays and types; push constants; inputs and outputs with locations and formats; specialization constants with "
     "their defaults; and the layout of each structure: offsets, sizes, padding and strides. Each row names the entry "
     "points that use it.\n\n"
     "The input is a binary or assembly text.",
     "vireo reflect shader.spv\nvireo reflect --format=json --entry main shader.spv -o shader.json\n"
     "vireo reflect --format=c shader.spv -o shader.h\n"
     "vireo reflect --pipeline vertex.spv fragment.spv",
     "spv"},
    {CommandId::Info, "info", "[FILE|DIR|@LIST|-]...", "print the properties of SPIR-V modules",
     "Prints sizes, declarations, entry points, functions, and opcodes by frequency: a page for one module, a table "
     "with "
     "a row for each of several. --where selects modules by their properties; --fields lists these. Modules are not "
     "validated; of a broken module everything is counted that can be read, and the faults are reported.\n\n"
     "The input is a binary or assembly text. A directory means every *.spv and *.spvasm file below it; @LIST is a "
     "file "
     "with one input per line.",
     "vireo info shader.spv\n"
     "vireo info --where 'bytes > 10000 and capability = Kernel' --sort=-bytes modules/\n"
     "vireo info --columns file,version,local_size --format=csv modules/",
     "spv"},
    {CommandId::Cfg, "cfg", "[FILE|DIR|@LIST|-]...", "draw the control flow of functions",
     "Draws each function as a graph in the DOT language, or as SVG with the program 'dot' of the package graphviz. "
     "Blocks are nodes; the constructs of structured control flow are nested frames; edges have kinds: true, false, "
     "case, default, break, continue, back. Nodes show source lines if the module has them.\n\n"
     "By default SVG has at most 50 levels of frames, 2000 nodes and 100 instructions for each block. Beyond a limit "
     "inner constructs are folded into one node, and a note reports it.\n\n"
     "The input is a binary or assembly text. A branch to an id that is not a block is drawn and reported.",
     "vireo cfg --function main --format=svg shader.spv -o main.svg\n"
     "vireo cfg --function main --instructions shader.spv | dot -Tpng -o main.png",
     "spv"},
    {CommandId::CallGraph, "callgraph", "[FILE|DIR|@LIST|-]...", "draw the calls between functions",
     "Draws the static call graph in the DOT language, or as SVG with the program 'dot' of the package graphviz. "
     "Functions are nodes with their types and sizes; entry points, exports and imports are marked. Edges show the "
     "number of calls. Recursive calls are red, calls by other instructions than OpFunctionCall are dashed.\n\n"
     "By default SVG has at most 2000 nodes. The input is a binary or assembly text.",
     "vireo callgraph --format=svg shader.spv -o calls.svg\nvireo callgraph --function main shader.spv", "spv"},
    {CommandId::DiffModules, "diff", "BEFORE AFTER", "compare two SPIR-V modules by meaning",
     "Prints the differences in the unified format of diff; a line is an instruction. Ids are compared by their "
     "definitions, not by their numbers. The order of declarations, functions and blocks is ignored. So modules are "
     "equal if they differ only in ids and order.\n\n"
     "The inputs are binaries or assembly texts; '-' is standard input. For two directories, the *.spv and "
     "*.spvasm files with equal paths are compared. With the arguments of GIT_EXTERNAL_DIFF, the command compares two "
     "versions "
     "of a file for Git.\n\n"
     "The exit status is 0 if the modules are equal, 1 if they differ, 2 if they cannot be compared.",
     "vireo diff old.spv new.spv\nvireo diff --ignore-debug --format=json old.spv new.spv\n"
     "vireo diff -q shaders/ build/shaders/\nGIT_EXTERNAL_DIFF='vireo diff --color' git diff -- '*.spv'",
     "spv"},
    {CommandId::Explain, "explain", "NAME...", "explain an instruction, enumerant or diagnostic rule",
     "Prints the operands, capabilities with those they imply, versions, extensions and aliases of an instruction, an "
     "enumerant, a capability, an extension or an extended instruction; or a diagnostic rule. For a rule of the "
     "validator, it prints the requirement, the conditions that lift the rule, a fix, and an example.",
     "vireo explain OpImageSampleImplicitLod\nvireo explain component-count\n"
     "vireo explain --example=failing component-count | vireo val -",
     ""},
    {CommandId::Rules, "rules", "", "list the rules of the validator",
     "Prints the name and the requirement of each rule. --by-vuid lists the VUIDs of the Vulkan specification with the "
     "rules that check them. 'vireo explain RULE' and 'vireo explain VUID' describe one rule.",
     "vireo rules --section 3.42.8\nvireo rules --vuid 04916\nvireo rules --by-vuid --format=json", ""},
    {CommandId::GrammarCheck, "grammar check", "[FILE|-]...", "check a grammar document",
     "Reads Khronos grammar JSON like --grammar and reports every error with its JSON path. Without a file, or with "
     "'-', it reads standard input.",
     "vireo grammar check spirv.core.grammar.json", "json"},
    {CommandId::GrammarDiff, "grammar diff", "A [B]", "compare two grammar documents",
     "Lists the additions, removals and changes from A to B. Without B, A is compared with the built-in grammar. "
     "'builtin' names the built-in grammar, '-' is standard input.\n\n"
     "One line per change: + added, - removed, ~ changed. The exit status is 0 with or without changes.",
     "vireo grammar diff old.grammar.json new.grammar.json", "json"},
    {CommandId::IsaCheck, "isa check", "SPEC...", "check an XML description of an instruction set",
     "Reports the errors of a description in the isaspec language with their locations: syntax errors; leaves that "
     "match the same word, with such a word; leaves that are never chosen; unknown names; overrides that never apply; "
     "displays that cannot be distinguished. 'vireo explain RULE' describes a rule. Warnings alone do not fail the "
     "check.",
     "vireo isa check ir3.xml\nvireo isa check --gen 600 --format=short ir3.xml\n"
     "vireo isa check --assembler ir3.xml",
     "xml"},
    {CommandId::IsaDis, "isa dis", "SPEC [FILE]", "disassemble words with an XML description of the instruction set",
     "SPEC describes an instruction set in the isaspec language. FILE contains instructions as bytes or, with --hex, "
     "as text; without FILE, or with '-', they are read from standard input. Faults of a word are printed after it as "
     "a comment. A word that no instruction matches is printed as 'no match: HEX'.",
     "vireo isa dis ir3.xml --gen 600 --labels shader.bin\n"
     "echo 0080000000000004 | vireo isa dis ir3.xml --gen 600 --hex -",
     "xml"},
    {CommandId::IsaExplain, "isa explain", "SPEC WORD/TEXT...", "explain words of an instruction set bit by bit",
     "Draws the bits of each hexadecimal word with the fields that they belong to. For each field it lists the type, "
     "the value, the printed text, and the bitset and case of the description that define it. An operand that is not a "
     "number is an instruction as 'vireo isa dis' prints it, and is assembled first. Bits with an unexpected value are "
     "marked. If no instruction matches a word, the nearest one is drawn; if several match, each of them. Texts in "
     "parentheses belong to fields that the display does not show.",
     "vireo isa explain ir3.xml --gen 600 c0261000_02800001\n"
     "vireo isa explain ir3.xml --gen 600 'add.f r0.x, r0.y, r0.z'\n"
     "vireo isa explain ir3.xml --gen 600 c0261000_02800001 --svg -o word.svg",
     "xml"},
    {CommandId::IsaDoc, "isa doc", "SPEC", "write a reference page of an instruction set",
     "Writes one HTML document with an index, a section for each instruction with a picture of its bits, the operands, "
     "the common base bitsets, and the enums. It needs neither a server nor the network. --gen omits everything that "
     "does not exist in that generation.",
     "vireo isa doc ir3.xml -o ir3.html\nvireo isa doc afuc.xml --gen 7 -o a7xx.html", "xml"},
    {CommandId::IsaGenerate, "isa generate", "SPEC", "generate C++ or C source code from an XML description",
     "Writes one header that needs only the standard library: a disassembler, which prints the same text as 'isa dis', "
     "or the product that --what names. One source file of the program must define NAME_IMPLEMENTATION before it "
     "includes the header. The code covers the generations of --gen, or all of them.",
     "vireo isa generate ir3.xml --lang c++ -o ir3.h\n"
     "vireo isa generate afuc.xml --lang c --gen 6 --gen 7 -o afuc.h\n"
     "vireo isa generate afuc.xml --what encoder -o afuc_encoder.h",
     "xml"},
    {CommandId::IsaDiff, "isa diff", "SPEC [SPEC]", "compare two generations, or two descriptions",
     "Lists the instructions, operands and enum values that were added, removed or changed: patterns; the bits, types "
     "and texts of fields; displays; asserts. One description is compared in two generations, --gen A --gen B. Two "
     "descriptions are compared in all generations, or in that of --gen (or one each). Conditions on the generation "
     "are evaluated first. Prints nothing if nothing changed.",
     "vireo isa diff ir3.xml --gen 600 --gen 700\nvireo isa diff old.xml new.xml", "xml"},
    {CommandId::IsaVectors, "isa vectors", "SPEC", "write test vectors, words with their texts, for an XML description",
     "Writes JSON Lines: for every leaf of the generation, words that set each field to its extreme values and each "
     "override on and off, with their texts. 'asm' is the result of assembling the text: same_bits, same_text (another "
     "word with that text), or empty. The output depends only on the description. --check decodes and assembles "
     "recorded lines again, so that a file of them serves as a regression test. Custom fields are numbers.",
     "vireo isa vectors ir3.xml --gen 600 -o ir3-600.jsonl\nvireo isa vectors ir3.xml --check ir3-600.jsonl", "xml"},
    {CommandId::IsaAs, "isa as", "SPEC [FILE]", "assemble text with an XML description of the instruction set",
     "SPEC describes an instruction set in the isaspec language. FILE contains instructions as 'vireo isa dis' prints "
     "them, labels, comments and directives; without FILE, or with '-', they are read from standard input. Each word "
     "is verified by decoding it to the same text. All errors are reported in one run; a text with an error produces "
     "no output.",
     "vireo isa as ir3.xml --gen 600 shader.asm -o shader.bin\n"
     "echo 'nop' | vireo isa as ir3.xml --gen 600 --each --hex -",
     "xml"},
    {CommandId::IsaEncode, "isa encode", "SPEC LEAF [FIELD=VALUE]...", "encode a word from the values of its fields",
     "LEAF is the name of an instruction. FIELD is the name of one of its fields, or of a field in a nested bitset: "
     "SRC.VALUE. VALUE is a number, the name or display of an enum value, the display of a flag, or the leaf of a "
     "nested bitset. The fields select the override, derived fields are solved for, and all other fields have their "
     "defaults. The word is verified by decoding it and is printed with its text.",
     "vireo isa encode tiny16.xml add DST=#register DST.NUMBER=3 SRC.VALUE=-8\n"
     "vireo isa encode ir3.xml --gen 600 add.f DST.GPR=1 SRC1=#multisrc-gpr",
     "xml"},
    {CommandId::Completion, "completion", "bash|zsh|fish", "print a completion script for a shell",
     "The scripts complete commands, options, values and files. For names of instructions, enumerants and rules they "
     "call the program with --words.",
     "vireo completion bash > /usr/share/bash-completion/completions/vireo\n"
     "vireo completion fish > ~/.config/fish/completions/vireo.fish",
     ""},
    {CommandId::Man, "man", "[COMMAND]", "print a man page",
     "Prints the page of a command, or of the whole program, in the roff language of man(1).",
     "vireo man as > vireo-as.1\nvireo man dis | man -l -\nvireo man --list", ""},
    {CommandId::SpirvAs, "spirv-as", "[FILE]", "create a SPIR-V binary module from SPIR-V assembly text",
     "Reads FILE or, without FILE or with '-', standard input. The module is written to out.spv unless -o says "
     "otherwise.",
     "", "spvasm"},
    {CommandId::SpirvDis, "spirv-dis", "[FILE]", "disassemble a SPIR-V binary module",
     "Reads FILE or, without FILE or with '-', standard input: a module in either byte order, or hexadecimal text.", "",
     "spv"},
    {CommandId::SpirvVal, "spirv-val", "[FILE|DIR]", "validate a SPIR-V binary module",
     "Reads FILE or, without FILE or with '-', standard input; for a directory, every *.spv file below it. Prints the "
     "first error of each module; 'vireo val' prints all of them.",
     "", "spv"},
    {CommandId::SpirvDiff, "spirv-diff", "BEFORE AFTER", "compare two modules",
     "Prints the differences as 'vireo diff' does, with the whole of the first module around them. The inputs "
     "are binaries or assembly texts. The exit status is 0 with or without differences, and 1 after an error.",
     "", "spv"},
    {CommandId::SpirvCfg, "spirv-cfg", "[FILE]", "draw the control flow of functions",
     "Reads FILE or, without FILE or with '-', standard input. Writes a graph in the DOT language of Graphviz for each "
     "function, as 'vireo cfg' does.",
     "", "spv"},
    {CommandId::SpirvOpt, "spirv-opt", "[FILE]", "transform a SPIR-V module",
     "Applies transforms in the order of their flags. Any flag that is not listed is an error.", "", "spv"},
    {CommandId::SpirvLink, "spirv-link", "FILE...", "link SPIR-V binary modules",
     "Joins modules into one, which is written to out.spv unless -o is given. Any flag that is not listed is an error.",
     "", "spv"},
};

// Two commands with the same bit would share their options.
constexpr bool ids_are_unique() {
  std::uint64_t seen = 0;
  for (const CommandRow& row : command_rows) {
    const std::uint64_t bit = bits(row.id);
    if ((seen & bit) != 0) return false;
    seen |= bit;
  }
  return true;
}
static_assert(ids_are_unique());

}  // namespace

std::span<const CommandRow> commands() { return command_rows; }

const CommandRow& command_row(CommandId id) {
  return *std::find_if(std::begin(command_rows), std::end(command_rows),
                       [&](const CommandRow& r) { return r.id == id; });
}

}  // namespace vireo::cli
