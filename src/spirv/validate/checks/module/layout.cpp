// SPDX-License-Identifier: Apache-2.0
//
// The header and the logical layout of a module.
//
// Module records layout violations while it reads the words, and this file reports them as findings.
// Instructions with the same opcode in the same wrong section are one finding, because they have one cause.
//
// Source: specification 2.3 (header), 2.4 (logical layout), 2.17 (bound).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "spirv/module/declaration_order.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/module/section_walk.h"
#include "spirv/module/truncated_module.h"
#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

using Kind = LayoutViolation::Kind;

struct LayoutViolationRule {
  Kind kind;
  Rule rule;
};

// Layout violations that correspond to one rule of 2.4. The decoder (for ids) or the functions below report the others.
constexpr LayoutViolationRule violation_rules[] = {
    {Kind::NestedFunction, Rule::NestedFunction},   {Kind::EndOutside, Rule::FunctionEndPlace},
    {Kind::ParameterOutside, Rule::ParameterPlace}, {Kind::LabelOutside, Rule::LabelPlace},
    {Kind::OutsideOfBlocks, Rule::OutsideOfBlock},
};

// Reports instructions that follow an instruction of a later section. The message names the first such instruction.
class SectionOrder {
 public:
  explicit SectionOrder(const ModuleCheck& c) : c_(c) {}

  void add(const LayoutViolation& violation) {
    const InstructionView view = c_.module.instruction(violation.instruction);
    const Section found = section_at(c_.module, violation.instruction);
    // One finding for each opcode and section: further instructions have the same cause. Alias declarations refer to each
    // other, so they move together.
    const std::pair key(is_alias_declaration(view.opcode) ? Op::OpAliasDomainDeclINTEL : view.opcode, found);
    if (std::find(reported_.begin(), reported_.end(), key) != reported_.end()) return;
    reported_.push_back(key);
    const InstructionIndex later = first_of_later_section(view.opcode, violation.instruction);
    const std::string later_op = op_text(c_, c_.module.instruction(later).opcode);
    c_.report(Rule::SectionOrder, {violation.instruction, 0},
              {view.opcode, later == violation.instruction ? fmt::format("before the {}", name_of(found))
                                                           : fmt::format("before {}", later_op)});
    if (later != violation.instruction) c_.note({later, 0}, "first {text} is here", {later_op});
  }

 private:
  // The first instruction after the section that an opcode belongs to. `index` if there is none before `index`.
  [[nodiscard]] InstructionIndex first_of_later_section(Op op, InstructionIndex index) const {
    const Module& module = c_.module;
    const Section home = traits_of(module.grammar(), module.grammar().find_opcode(op)).home;
    return std::min(InstructionIndex(module.section(home).end), index);
  }

  const ModuleCheck& c_;
  std::vector<std::pair<Op, Section>> reported_;
};

// Whether the next instruction repeats this label. If so, only the repetition is reported, not the empty first block.
bool is_repeated_label(const Module& module, InstructionIndex label) {
  const InstructionIndex next(label.index() + 1);
  return next.raw < module.instruction_count() && is_repeated(module, next);
}

void check_layout_violations(const ModuleCheck& c) {
  SectionOrder order(c);
  for (const LayoutViolation& violation : c.module.layout_violations()) {
    const Place place{violation.instruction, 0};
    // The bodies of graphs are not functions (SPV_ARM_graph).
    if (!violation.instruction.is_none() && c.module.section(Section::Graphs).contains(violation.instruction)) continue;
    if (violation.kind == Kind::OutOfSection) {
      // An orphaned function variable would be in the right section if its OpFunction were not missing.
      if (!c.fragments.contains(violation.instruction)) order.add(violation);
      continue;
    }
    if (violation.kind == Kind::NoTerminator && is_repeated_label(c.module, violation.instruction)) continue;
    if (violation.kind == Kind::NoFunctionEnd || violation.kind == Kind::NoTerminator) {
      const Word id = c.module.result_of(c.module.instruction(violation.instruction));
      c.report(violation.kind == Kind::NoTerminator ? Rule::BlockEnd : Rule::FunctionEnd, place, {id_text(c, id)});
      continue;
    }
    // Other checks report the kinds without a row.
    const auto row = std::find_if(std::begin(violation_rules), std::end(violation_rules),
                                  [&](const LayoutViolationRule& r) { return r.kind == violation.kind; });
    if (row == std::end(violation_rules)) continue;
    if (violation.kind == Kind::NestedFunction) {
      if (is_repeated(c.module, violation.instruction)) continue;
    } else if (c.fragments.contains(violation.instruction) && !c.fragments.is_reported_at(violation.instruction)) {
      continue;  // a missing OpLabel or OpFunction is one finding; the instructions after it have none
    }
    const InstructionView view = c.module.instruction(violation.instruction);
    c.report(row->rule, place, {op_text(c, view.opcode)});
  }
}

// Reports OpNop outside blocks. Module::layout_violations() lists instructions in a function but outside its blocks,
// except OpNop. Graphs are skipped, because the specification does not list the instructions that they may contain.
void check_nops(const ModuleCheck& c) {
  const Module& module = c.module;
  if (!module.has(Op::OpNop)) return;
  const auto check = [&](InstructionRange range) {
    const auto views = module.views(range);
    for (auto it = views.begin(); it != views.end(); ++it) {
      const Op op = (*it).opcode;
      if (op != Op::OpNop || module.section(Section::Graphs).contains(it.index())) continue;
      if (c.fragments.contains(it.index())) continue;
      c.report(Rule::OutsideOfBlock, {it.index(), 0}, {op});
    }
  };
  std::uint32_t at = 0;
  for (const BlockRow& block : module.blocks()) {
    check({at, block.all.first});
    at = block.all.end;
  }
  check({at, module.instruction_count()});
}

// Function declarations precede all definitions (2.4). Reports the first violation only.
void check_declarations_come_first(const ModuleCheck& c) {
  const FunctionRow* definition = nullptr;
  for (const FunctionRow& function : c.module.functions()) {
    if (!function.is_declaration()) {
      if (definition == nullptr) definition = &function;
    } else if (definition != nullptr && !c.fragments.may_lack_body(c.module.index_of(function))) {
      c.report(Rule::DeclarationOrder, {InstructionIndex(function.all.first), 0}, {function.id});
      c.note({InstructionIndex(definition->all.first), 0}, "first function definition is here");
      return;
    }
  }
}

// A module has exactly one memory model. Memory models in a wrong section are also counted.
void check_memory_model(const ModuleCheck& c) {
  InstructionIndex first = InstructionIndex::none();
  const auto look = [&](InstructionIndex index, InstructionView view) {
    if (view.opcode != Op::OpMemoryModel) return;
    if (first.is_none()) {
      first = index;
    } else {
      c.report(Rule::OneMemoryModel, {index, 0});
      c.note({first, 0}, "first OpMemoryModel is here");
    }
  };
  const auto views = c.module.views(c.module.section(Section::MemoryModel));
  for (auto it = views.begin(); it != views.end(); ++it) look(it.index(), *it);
  for (const LayoutViolation& violation : c.module.layout_violations()) {
    if (violation.kind == Kind::OutOfSection) look(violation.instruction, c.module.instruction(violation.instruction));
  }
  // If there is no memory model, the finding points at the header.
  if (first.is_none()) c.report(Rule::MissingMemoryModel, Place::header(0));
}

// SPV_NV_bindless_texture: OpSamplerImageAddressingModeNV states the width of handles, 32 or 64 bits.
void check_handle_width(const ModuleCheck& c) {
  if (!c.has(Capability::BindlessTextureNV)) return;
  const auto model = c.module.views(c.module.section(Section::MemoryModel));
  bool has_mode = false;
  for (auto it = model.begin(); it != model.end(); ++it) {
    const auto mode = as<Op::OpSamplerImageAddressingModeNV>(*it);
    if (!mode) continue;
    has_mode = true;
    const auto width = mode->bit_width();
    if (width == 32 || width == 64) continue;
    c.report(Rule::AddressingModeWidth, {it.index(), width.word}, {width});
  }
  if (!has_mode) c.report(Rule::MissingAddressingMode, Place::header(0));
}

// OpLine and OpNoLine are valid from the first type, constant or variable on. Only the first violation is reported.
void check_asides(const ModuleCheck& c) {
  // Line information directly before the first global belongs to it.
  std::uint32_t globals = c.module.section(Section::Globals).first;
  while (globals > 0 && is_line(c.module.instruction(InstructionIndex(globals - 1)).opcode)) --globals;
  const auto views = c.module.views({0, globals});
  for (auto it = views.begin(); it != views.end(); ++it) {
    const Op op = (*it).opcode;
    if (!is_line(op)) continue;
    c.report(Rule::SectionOrder, {it.index(), 0}, {op, fmt::format("after the {}", name_of(Section::Annotations))});
    return;
  }
}

// Alias declarations precede all annotations (SPV_INTEL_memory_access_aliasing). Only the first violation is reported.
void check_alias_declarations(const ModuleCheck& c) {
  const Module& module = c.module;
  const InstructionIndex annotation = end_of_alias_declarations(module);
  for (const auto [index, view] : module.instructions({annotation.raw, module.section(Section::Annotations).end})) {
    if (!is_alias_declaration(view.opcode)) continue;
    const std::string first = op_text(c, module.instruction(annotation).opcode);
    c.report(Rule::SectionOrder, {index, 0}, {view.opcode, fmt::format("before {}", first)});
    c.note({annotation, 0}, "first {text} is here", {first});
    return;
  }
}

// OpSourceContinued directly follows OpSource or another OpSourceContinued.
void check_sources(const ModuleCheck& c) {
  // OpNop: there is no previous instruction.
  Op before = Op::OpNop;
  const auto views = c.module.views(c.module.section(Section::Sources));
  for (auto it = views.begin(); it != views.end(); ++it) {
    const Op op = (*it).opcode;
    if (op == Op::OpSourceContinued && before != Op::OpSource && before != Op::OpSourceContinued) {
      c.report(Rule::SourceContinued, {it.index(), 0},
               {before == Op::OpNop ? std::string() : fmt::format(", found {}", op_text(c, before))});
    }
    before = op;
  }
}

// A continuation directly follows the instruction that it continues, or a continuation of the same opcode
// (SPV_INTEL_long_composites). No instruction may separate them, not even line information. They are rare, so all
// instructions are visited only if the module has one.
void check_continued(const ModuleCheck& c) {
  const Module& module = c.module;
  if (std::ranges::none_of(continuations, [&](const Continuation& each) { return module.has(each.opcode); })) {
    return;
  }
  // OpNop: there is no previous instruction.
  Op before = Op::OpNop;
  const auto views = module.views({0, module.instruction_count()});
  for (auto it = views.begin(); it != views.end(); ++it) {
    const Op op = (*it).opcode;
    const auto rule = std::ranges::find(continuations, op, &Continuation::opcode);
    if (rule != std::end(continuations) && before != rule->continues && before != op) {
      c.report(Rule::ContinuedPlace, {it.index(), 0},
               {op, rule->continues, op,
                before == Op::OpNop ? std::string() : fmt::format(", found {}", op_text(c, before))});
    }
    before = op;
  }
}

}  // namespace

void check_header(const ModuleCheck& c) {
  const Header& header = c.module.header();
  const Version most = c.environment.version;
  // Older versions are always valid.
  if (header.version() > most) {
    c.report(Rule::TargetVersion, Place::header(1),
             {fmt::format("{}.{}", header.version().major, header.version().minor), c.environment.name,
              fmt::format("{}.{}", most.major, most.minor)});
  }
  // Consumers allocate tables by the bound, so it is limited regardless of the number of ids (2.17).
  if (header.bound > c.options.limits.id_bound) {
    c.report(Rule::IdBoundLimit, Place::header(3), {header.bound, c.options.limits.id_bound});
    hint_limit(c, &Limits::id_bound);
  }
  for (const LayoutViolation& violation : c.module.layout_violations()) {
    if (violation.kind != Kind::BeyondBound) continue;
    c.report(Rule::IdBound, {violation.instruction, 0}, {violation.id, header.bound});
    fix_word(c, Place::header(3), c.module.defined_bound());
  }
}

// If the word count of an instruction is wrong, the instructions after it are unknown, and other checks would report
// them as missing. So this function reports the word count and returns false.
bool check_form(const ModuleCheck& c) {
  Diagnostics found;
  if (!report_break(c.module, found)) return true;
  for (const Diagnostic& diagnostic : found.all()) c.findings.add(diagnostic);
  return false;
}

void check_layout(const ModuleCheck& c) {
  check_layout_violations(c);
  check_declarations_come_first(c);
  check_memory_model(c);
  check_handle_width(c);
  check_sources(c);
  check_alias_declarations(c);
  check_continued(c);
  check_asides(c);
  check_nops(c);
}

}  // namespace vireo::spirv
