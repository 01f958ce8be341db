// SPDX-License-Identifier: Apache-2.0
//
// Reads the properties of a module (vireo/spirv/inspect/module_info.h).
//
// One pass decodes all instructions, counts them by opcode, and collects the names of enumerants. Most
// numbers are sums over the rows of opcodes. The module's index, the call graph and the constructs of functions give
// the others.
//
// Source: specification 2.4 (logical layout), 2.17 (nesting depth), 3.6 (execution modes).
#include "vireo/spirv/inspect/module_info.h"
#include "spirv/grammar/opcode_families.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "spirv/binary/decode_report.h"
#include "spirv/generators.h"
#include "spirv/grammar/special_sets.h"
#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"

namespace vireo::spirv {
namespace {

// Names without duplicates, in the order of their first occurrences.
class NameList {
 public:
  explicit NameList(std::vector<std::string>& names) : names_(names) {}
  void add(std::string name) {
    if (seen_.insert(name).second) names_.push_back(std::move(name));
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_set<std::string> seen_;
};

// The names of the values of one enumeration.
class EnumerantNames {
 public:
  EnumerantNames(const Grammar& grammar, std::string_view kind) : grammar_(grammar), kind_(grammar.find_kind(kind)) {}

  // The number, if the grammar does not have the value.
  [[nodiscard]] std::string name_of(Word value) const {
    const EnumerantRow* row = kind_.is_none() ? nullptr : grammar_.find_value(kind_, value);
    return row == nullptr ? std::to_string(value) : std::string(grammar_.text(row->name));
  }
  template <typename Enum>
  [[nodiscard]] std::string name_of(Enum value) const {
    return name_of(static_cast<Word>(value));
  }
  // Adds the name of a value, unless it was added before.
  template <typename Enum>
  void add_to(std::vector<std::string>& names, Enum value) {
    if (seen_.insert(static_cast<Word>(value)).second) names.push_back(name_of(value));
  }

 private:
  const Grammar& grammar_;
  KindId kind_;
  std::unordered_set<Word> seen_;
};

// Modes of one entry point. Without a limit, many entry points of one function with many unknown modes would need
// memory that is quadratic in the words. (The grammar has about a hundred modes, most of which exclude each other.)
constexpr std::size_t most_modes = 64;

// Numbers that are sums over opcodes.
struct OpcodeSum {
  Op opcode;
  std::uint32_t ModuleInfo::*sum;
};
constexpr OpcodeSum opcode_sums[] = {
    {Op::OpName, &ModuleInfo::name_instructions}, {Op::OpMemberName, &ModuleInfo::name_instructions},
    {Op::OpLoopMerge, &ModuleInfo::loops},        {Op::OpSelectionMerge, &ModuleInfo::selections},
    {Op::OpSwitch, &ModuleInfo::switches},
};

// Reads one module; read() is called once.
class InfoReader {
 public:
  InfoReader(const Module& module, Diagnostics& diagnostics)
      : module_(module),
        grammar_(module.grammar()),
        diagnostics_(diagnostics),
        facts_(module),
        decoration_names_(grammar_, "Decoration"),
        storage_class_names_(grammar_, "StorageClass"),
        exports_(info_.exports),
        imports_(info_.imports) {}

  ModuleInfo read() {
    info_.header = module_.header();
    info_.generator = generator_text(info_.header.generator);
    info_.words = module_.words().size();
    info_.instructions = module_.instruction_count();
    read_sections();
    read_declarations();
    read_instructions();
    sum_opcodes();
    read_entry_points();
    read_functions();
    return std::move(info_);
  }

 private:
  // The instructions of a section are contiguous, so its size is the distance between its ends.
  void read_sections() {
    for (std::size_t s = 0; s < section_count; ++s) {
      const InstructionRange range = module_.section(static_cast<Section>(s));
      info_.sections[s] = {range.size(), 0};
      if (range.is_empty()) continue;
      const InstructionView last = module_.instruction(InstructionIndex(range.end - 1));
      info_.sections[s].words =
          std::uint64_t{last.offset} + last.word_count - module_.instruction(InstructionIndex(range.first)).offset;
    }
  }

  // Also remembers the debug information sets, for the pass over all instructions.
  void read_declarations() {
    const ModuleDeclarations& declared = facts_.module_declarations();
    EnumerantNames capabilities(grammar_, "Capability");
    for (const CapabilityRow& row : declared.capabilities()) {
      capabilities.add_to(info_.capabilities, row.capability);
    }
    NameList extensions(info_.extensions), sets(info_.sets);
    for (const ExtensionRow& row : declared.extensions()) extensions.add(std::string(row.name));
    for (const ImportRow& row : declared.imports()) {
      sets.add(std::string(row.name));
      if (is_debug_information(row.name)) debug_sets_.insert(row.id);
    }
    if (const auto model = declared.addressing_model()) {
      info_.addressing_model = EnumerantNames(grammar_, "AddressingModel").name_of(*model);
    }
    if (const auto model = declared.memory_model()) {
      info_.memory_model = EnumerantNames(grammar_, "MemoryModel").name_of(*model);
    }
  }

  // --- the pass over all instructions ---

  void read_instructions() {
    OperandDecoder decoder(grammar_, module_.header().bound, module_.words().size());
    rows_by_opcode_.resize(0x10000);
    const EnumerantNames languages(grammar_, "SourceLanguage");
    NameList sources(info_.sources);
    const InstructionRange globals = module_.section(Section::Globals);
    for (const auto [index, view] : module_.instructions()) {
      const DecodeFault fault = decoder.decode(view);
      if (fault != DecodeFault::None) {
        ++info_.faults;
        report_decode_fault(fault, decoder, grammar_, view, index.raw + std::uint64_t{1}, diagnostics_);
      }
      Counts& counts = counts_of(view.opcode);
      ++counts.instructions;
      counts.words += view.word_count;
      const Word result = module_.result_of(view);
      if (result != 0 && module_.definition(result) == index) ++info_.ids;
      if (const auto source = as<Op::OpSource>(view)) {
        sources.add(languages.name_of(source->source_language().value) + ' ' + std::to_string(source->version()));
      } else if (const auto variable = as<Op::OpVariable>(view)) {
        storage_class_names_.add_to(info_.storage_classes, variable->storage_class().value);
        info_.variables += globals.contains(index) ? 1 : 0;
      } else if (const auto untyped = as<Op::OpUntypedVariableKHR>(view)) {
        storage_class_names_.add_to(info_.storage_classes, untyped->storage_class().value);
        info_.variables += globals.contains(index) ? 1 : 0;
      } else {
        read_set_of(view);
        read_decoration(view);
      }
    }
  }

  // The words of debug information in extended instructions.
  void read_set_of(InstructionView view) {
    if (debug_sets_.empty() || !is_extended(view.opcode)) return;
    if (debug_sets_.contains(View<Op::OpExtInst>(view).set())) info_.debug_words += view.word_count;
  }

  // The five instructions with a decoration of their own; groups only repeat decorations.
  void read_decoration(InstructionView view) {
    if (const auto decorate = as<Op::OpDecorate>(view)) {
      const DecorationView decoration = decorate->decoration();
      decoration_names_.add_to(info_.decorations, decoration.value());
      if (const auto built_in = decoration.BuiltIn(); built_in && *built_in == BuiltIn::WorkgroupSize) {
        workgroup_size_ = decorate->target();
      }
      if (const auto linkage = decoration.LinkageAttributes()) {
        NameList& names = linkage->linkage_type() == LinkageType::Import ? imports_ : exports_;
        names.add(std::string(linkage->name()));
      }
    } else if (const auto with_id = as<Op::OpDecorateId>(view)) {
      decoration_names_.add_to(info_.decorations, with_id->decoration().value());
    } else if (const auto with_string = as<Op::OpDecorateString>(view)) {
      decoration_names_.add_to(info_.decorations, with_string->decoration().value());
    } else if (const auto member = as<Op::OpMemberDecorate>(view)) {
      decoration_names_.add_to(info_.decorations, member->decoration().value());
    } else if (const auto member_string = as<Op::OpMemberDecorateString>(view)) {
      decoration_names_.add_to(info_.decorations, member_string->decoration().value());
    }
  }

  // --- sums ---

  // Sums over opcodes need no further pass.
  void sum_opcodes() {
    for (const Counts& counts : counts_) {
      const Op opcode = counts.opcode;
      const InstructionRow* row = grammar_.find_opcode(opcode);
      const std::string_view name = row == nullptr ? std::string_view() : grammar_.text(row->name);
      info_.opcodes.push_back({row == nullptr ? std::to_string(static_cast<Word>(opcode)) : std::string(name),
                               counts.instructions, counts.words});
      for (const OpcodeSum& sum : opcode_sums) {
        if (sum.opcode == opcode) info_.*sum.sum += counts.instructions;
      }
      if (gives_name(opcode)) info_.name_words += counts.words;
      if (is_one_of(source_information, opcode)) info_.debug_words += counts.words;
      if (row == nullptr) continue;
      // The name and the class decide, so opcodes of a newer grammar are counted too.
      if (grammar_.text(grammar_.printing_classes[row->printing_class]) == "Annotation") {
        info_.decoration_instructions += counts.instructions;
      }
      if ((row->flags & HasResult) == 0) continue;
      const bool is_spec = name.starts_with("OpSpecConstant");
      if (name.starts_with("OpType")) info_.types += counts.instructions;
      if (is_spec) info_.spec_constants += counts.instructions;
      if (is_spec || name.starts_with("OpConstant")) info_.constants += counts.instructions;
    }
    std::ranges::sort(info_.opcodes, [](const OpcodeInfo& a, const OpcodeInfo& b) {
      return a.count != b.count ? a.count > b.count : a.name < b.name;
    });
  }

  // --- entry points ---

  void read_entry_points() {
    const ModuleDeclarations& declared = facts_.module_declarations();
    const EnumerantNames models(grammar_, "ExecutionModel"), modes(grammar_, "ExecutionMode");
    // Entry points of one function have the same modes, which are read once.
    std::unordered_map<Word, std::vector<std::string>> modes_of;
    for (const EntryPointRow& row : declared.entry_points()) {
      EntryPointInfo entry;
      entry.name = row.name;
      entry.model = models.name_of(row.model);
      entry.function = row.function;
      entry.interface_variables = static_cast<std::uint32_t>(row.interface_.size());
      if (const ExecutionModeRow* size = size_mode(row.function)) set_local_size(entry, *size);
      if (workgroup_size_ != 0) set_local_size(entry, workgroup_size_);
      const auto [found, is_new] = modes_of.try_emplace(row.function);
      if (is_new) {
        NameList names(found->second);
        for (const ExecutionModeRow& mode : declared.modes_of(row.function)) {
          if (found->second.size() < most_modes) names.add(modes.name_of(mode.mode));
        }
      }
      entry.execution_modes = found->second;
      info_.entry_points.push_back(std::move(entry));
    }
  }

  // A valid entry point has at most one of the two modes.
  [[nodiscard]] const ExecutionModeRow* size_mode(Word function) const {
    const ModuleDeclarations& declared = facts_.module_declarations();
    const ExecutionModeRow* literal = declared.mode(function, ExecutionMode::LocalSize);
    return literal != nullptr ? literal : declared.mode(function, ExecutionMode::LocalSizeId);
  }

  void set_local_size(EntryPointInfo& entry, const ExecutionModeRow& mode) const {
    for (std::size_t i = 0; i < entry.local_size.size() && i < mode.operands.size(); ++i) {
      entry.local_size[i] = mode.has_ids ? default_of(mode.operands[i]) : mode.operands[i];
    }
  }
  // The constant that has the built-in WorkgroupSize takes precedence over execution modes.
  void set_local_size(EntryPointInfo& entry, Word constant) const {
    const Constants& constants = facts_.constants();
    const ConstantRow* row = constants.find(constant);
    if (row == nullptr || !row->has_parts()) return;
    const auto parts = constants.parts(*row);
    for (std::size_t i = 0; i < entry.local_size.size(); ++i) {
      // Parts of evaluated constants have no id, but scalars have their bits.
      const ConstantRow& part = constants.row(parts[std::min(i, parts.size() - 1)]);
      entry.local_size[i] = part.kind == ConstantKind::Int ? static_cast<std::uint32_t>(part.bits) : 0;
    }
  }
  [[nodiscard]] std::uint32_t default_of(Word id) const {
    return static_cast<std::uint32_t>(facts_.constants().as_u64(id, ValueUse::OrDefault).value_or(0));
  }

  // --- functions ---

  // Sizes of functions, and the constructs of those with structured control flow.
  void read_functions() {
    info_.functions = static_cast<std::uint32_t>(module_.functions().size());
    info_.blocks = static_cast<std::uint32_t>(module_.blocks().size());
    const FunctionRow* largest = nullptr;
    ControlFlow flow;
    for (const FunctionRow& function : module_.functions()) {
      info_.function_declarations += function.is_declaration() ? 1 : 0;
      if (largest == nullptr || function.all.size() > largest->all.size()) largest = &function;
      // Only merge instructions create constructs.
      const auto blocks = module_.blocks(function);
      if (std::ranges::all_of(blocks, [](const BlockRow& block) { return block.merge.is_none(); })) continue;
      flow.read(module_, function, PostDominators::OfLoops);
      for (const Construct& construct : flow.constructs()) {
        info_.nesting_depth = std::max(info_.nesting_depth, construct.depth);
      }
    }
    if (largest != nullptr) {
      info_.largest_function = {largest->id, name_of(largest->id), largest->all.size(), largest->block_count};
    }
    read_calls();
  }

  // One name does not justify an index of all names.
  [[nodiscard]] std::string name_of(Word id) const {
    for (const InstructionView view : module_.views(module_.section(Section::Names))) {
      const auto name = as<Op::OpName>(view);
      if (name && name->target() == id) return std::string(name->name());
    }
    return {};
  }

  // Components are numbered from callees to callers, so the depth of each callee is known before that of its caller.
  void read_calls() {
    const CallGraph& graph = facts_.call_graph();
    std::vector<std::uint32_t> depths(graph.component_count());
    for (std::size_t c = 0; c < depths.size(); ++c) {
      for (const FunctionIndex function : graph.functions_of(ComponentIndex(c))) {
        info_.recursive_functions += graph.is_recursive(function) ? 1 : 0;
        for (const CallRow& call : graph.calls(function)) {
          const std::size_t callee = graph.component(call.callee).index();
          if (callee != c) depths[c] = std::max(depths[c], depths[callee]);
        }
      }
      ++depths[c];
      info_.call_depth = std::max(info_.call_depth, depths[c]);
    }
  }

  struct Counts {
    Op opcode;
    std::uint32_t instructions = 0;
    std::uint64_t words = 0;
  };

  Counts& counts_of(Op opcode) {
    std::uint32_t& row = rows_by_opcode_[static_cast<std::size_t>(opcode)];
    if (row == 0) {
      counts_.push_back({opcode});
      row = static_cast<std::uint32_t>(counts_.size());
    }
    return counts_[row - std::size_t{1}];
  }

  const Module& module_;
  const Grammar& grammar_;
  Diagnostics& diagnostics_;
  Facts facts_;
  ModuleInfo info_;
  std::vector<Counts> counts_;                 // of the opcodes in the module
  std::vector<std::uint32_t> rows_by_opcode_;  // in counts_, from 1; 0: none
  std::unordered_set<Word> debug_sets_;        // ids of imports
  Word workgroup_size_ = 0;                    // the constant with this built-in; 0: none
  EnumerantNames decoration_names_, storage_class_names_;
  NameList exports_, imports_;
};

}  // namespace

Result<ModuleInfo> read_module_info(Words words, Diagnostics& diagnostics, const Grammar& grammar) {
  const Result<Header> header = read_header(words, diagnostics);
  // Words with another magic number are no module. A wrong version does not change the meaning of the other words.
  if (!header && (words.size() < header_word_count || words[0] != magic_number)) return header.failure();
  if (header) warn_of_newer_version(*header, grammar, diagnostics);
  const Module module = Module::read(words, grammar);
  ModuleInfo info = InfoReader(module, diagnostics).read();
  info.faults += header ? 0 : 1;
  for (const LayoutViolation& violation : module.layout_violations()) {
    using Kind = LayoutViolation::Kind;
    if (violation.kind != Kind::ZeroWordCount && violation.kind != Kind::Truncated) continue;
    ++info.faults;
    report_walk_end(violation.kind == Kind::Truncated ? WalkEnd::Truncated : WalkEnd::ZeroWordCount, words,
                    violation.offset, module.instruction_count() + std::uint64_t{1}, diagnostics);
  }
  return info;
}

}  // namespace vireo::spirv
