// SPDX-License-Identifier: Apache-2.0
//
// The header, and the logical layout of a module.
//
// The one idea: Module has already found what does not fit; here it becomes findings. An instruction in a wrong section
// is told once for each pair of sections: who puts all types behind the functions has made one mistake, not a hundred.
//
// Source: specification 2.3 (header), 2.4 (logical layout), 2.17 (bound).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "spirv/module/broken_off.h"
#include "spirv/module/section_walk.h"
#include "spirv/validate/checks/extended_sets/extended_sets.h"
#include "spirv/validate/engine/checks.h"
#include "vireo/spirv/views/reserved.h"

namespace vireo::spirv {
namespace {

using Kind = Misfit::Kind;

struct MisfitRule {
  Kind kind;
  Rule rule;
};

// Misfits that are findings as they are, by the rules of 2.4; the others are reported by the decoder (ids), or
// elsewhere here. Module finds them while it reads, since it could not sort instructions into functions otherwise.
constexpr MisfitRule misfit_rules[] = {
    {Kind::NestedFunction, Rule::NestedFunction},   {Kind::EndOutside, Rule::FunctionEndPlace},
    {Kind::ParameterOutside, Rule::ParameterPlace}, {Kind::LabelOutside, Rule::LabelPlace},
    {Kind::OutsideOfBlocks, Rule::OutsideOfBlock},
};

// Reports instructions in a wrong section. A misfit does not say which section would be right, so the message names the
// opcode.
class SectionOrder {
 public:
  SectionOrder(const Context& context, Report& report) : context_(context), report_(report) {}

  void add(const Misfit& misfit) {
    const InstructionView view = context_.module.instruction(misfit.instruction);
    const Section found = section_at(context_.module, misfit.instruction);
    // Once for each opcode and section: all others were misplaced by the same mistake.
    const std::pair key(view.opcode, found);
    if (std::find(told_.begin(), told_.end(), key) != told_.end()) return;
    told_.push_back(key);
    report_.add(Rule::SectionOrder, {misfit.instruction, 0}, {op_text(context_, view.opcode), name_of(found)});
  }

 private:
  const Context& context_;
  Report& report_;
  std::vector<std::pair<Op, Section>> told_;
};

// Whether the next instruction repeats this label: that is reported, and not that this one's block is empty.
bool is_repeated_label(const Module& module, InstructionIndex label) {
  const InstructionIndex next(label.index() + 1);
  return next.raw < module.instruction_count() && is_repeated(module, next);
}

void check_misfits(const Context& context, Report& report) {
  SectionOrder order(context, report);
  for (const Misfit& misfit : context.module.misfits()) {
    const Place place{misfit.instruction, 0};
    // Graphs have bodies of their own (SPV_ARM_graph), which are no functions.
    if (!misfit.instruction.is_none() && context.module.section(Section::Graphs).contains(misfit.instruction)) continue;
    if (misfit.kind == Kind::OutOfSection) {
      // Variables of a function whose OpFunction is missing stand where they would stand with it.
      if (!context.fragments.contains(misfit.instruction)) order.add(misfit);
      continue;
    }
    if (misfit.kind == Kind::NoTerminator && is_repeated_label(context.module, misfit.instruction)) continue;
    if (misfit.kind == Kind::NoFunctionEnd || misfit.kind == Kind::NoTerminator) {
      const Word id = context.module.result_of(context.module.instruction(misfit.instruction));
      report.add(misfit.kind == Kind::NoTerminator ? Rule::BlockEnd : Rule::FunctionEnd, place, {id_text(context, id)});
      continue;
    }
    // Kinds without a row are told by other checks.
    const auto row = std::find_if(std::begin(misfit_rules), std::end(misfit_rules),
                                  [&](const MisfitRule& r) { return r.kind == misfit.kind; });
    if (row == std::end(misfit_rules)) continue;
    if (misfit.kind == Kind::NestedFunction) {
      if (is_repeated(context.module, misfit.instruction)) continue;
    } else if (context.fragments.contains(misfit.instruction) && !context.fragments.is_told_at(misfit.instruction)) {
      continue;  // where an OpLabel or OpFunction is missing, nothing of what it began stands in it: that is one fault
    }
    const InstructionView view = context.module.instruction(misfit.instruction);
    report.add(row->rule, place, {op_text(context, view.opcode)});
  }
}

// Module lists what stands in a function but in no block, except OpNop, which does no harm to those who only read. Here
// it is reported as well: an instruction that does nothing stands in blocks like any other. What graphs may hold
// besides their own instructions, nobody says.
void check_nops(const Context& context, Report& report) {
  const Module& module = context.module;
  if (!module.has(Op::OpNop)) return;
  const auto check = [&](InstructionRange range) {
    const auto views = module.views(range);
    for (auto it = views.begin(); it != views.end(); ++it) {
      const Op op = (*it).opcode;
      if (op != Op::OpNop || module.section(Section::Graphs).contains(it.index())) continue;
      if (context.fragments.contains(it.index())) continue;
      report.add(Rule::OutsideOfBlock, {it.index(), 0}, {op_text(context, op)});
    }
  };
  std::uint32_t at = 0;
  for (const BlockRow& block : module.blocks()) {
    check({at, block.all.first});
    at = block.all.end;
  }
  check({at, module.instruction_count()});
}

// Functions without a body, which are linked in, stand in front of all that have one (2.4); told once.
void check_declarations_come_first(const Context& context, Report& report) {
  bool saw_definition = false;
  for (const FunctionRow& function : context.module.functions()) {
    if (!function.is_declaration()) {
      saw_definition = true;
    } else if (saw_definition && !context.fragments.may_lack_body(context.module.index_of(function))) {
      report.add(Rule::DeclarationOrder, {InstructionIndex(function.all.first), 0}, {id_text(context, function.id)});
      return;
    }
  }
}

// A module has exactly one memory model, wherever it stands.
void check_memory_model(const Context& context, Report& report) {
  bool has_one = false;
  const auto look = [&](InstructionIndex index, InstructionView view) {
    if (view.opcode != Op::OpMemoryModel) return;
    if (has_one) report.add(Rule::OneMemoryModel, {index, 0});
    has_one = true;
  };
  const auto views = context.module.views(context.module.section(Section::MemoryModel));
  for (auto it = views.begin(); it != views.end(); ++it) look(it.index(), *it);
  for (const Misfit& misfit : context.module.misfits()) {
    if (misfit.kind == Kind::OutOfSection) look(misfit.instruction, context.module.instruction(misfit.instruction));
  }
  // There is no instruction to point at, so the header is.
  if (!has_one) report.add(Rule::MissingMemoryModel, Place::header(0));
}

// SPV_NV_bindless_texture: handles are 32 or 64 bits wide, which stands in the memory model's section.
void check_handle_width(const Context& context, Report& report) {
  if (!context.has(Capability::BindlessTextureNV)) return;
  const auto model = context.module.views(context.module.section(Section::MemoryModel));
  bool has_mode = false;
  for (auto it = model.begin(); it != model.end(); ++it) {
    const auto mode = as<Op::OpSamplerImageAddressingModeNV>(*it);
    if (!mode) continue;
    has_mode = true;
    const auto width = mode->bit_width();
    if (width == 32 || width == 64) continue;
    report.add(Rule::AddressingModeWidth, {it.index(), width.word}, {std::to_string(width)});
  }
  if (!has_mode) report.add(Rule::MissingAddressingMode, Place::header(0));
}

// Line information may stand from the first type on; OpNop stands in blocks.
void check_asides(const Context& context, Report& report) {
  const auto is_line = [&](std::uint32_t i) {
    const Op op = context.module.instruction(InstructionIndex(i)).opcode;
    return op == Op::OpLine || op == Op::OpNoLine;
  };
  // What stands right in front of the first type goes with it.
  std::uint32_t globals = context.module.section(Section::Globals).first;
  while (globals > 0 && is_line(globals - 1)) --globals;
  const auto views = context.module.views({0, globals});
  for (auto it = views.begin(); it != views.end(); ++it) {
    const Op op = (*it).opcode;
    if (op != Op::OpLine && op != Op::OpNoLine) continue;
    report.add(Rule::SectionOrder, {it.index(), 0},
               {op_text(context, op), name_of(section_at(context.module, it.index()))});
    return;
  }
}

// OpSourceContinued goes on with what stands directly in front of it.
void check_sources(const Context& context, Report& report) {
  // At the front of the section nothing stands before, and OpNop is the name of nothing.
  Op before = Op::OpNop;
  const auto views = context.module.views(context.module.section(Section::Sources));
  for (auto it = views.begin(); it != views.end(); ++it) {
    const Op op = (*it).opcode;
    if (op == Op::OpSourceContinued && before != Op::OpSource && before != Op::OpSourceContinued) {
      report.add(Rule::SourceContinued, {it.index(), 0}, {op_text(context, before)});
    }
    before = op;
  }
}

}  // namespace

void check_header(const Context& context, Report& report) {
  const Header& header = context.module.header();
  const Version most = context.environment.version;
  // A module of an older version is always welcome.
  if (header.version() > most) {
    report.add(Rule::TargetVersion, Place::header(1),
               {fmt::format("{}.{}", header.version().major, header.version().minor),
                fmt::format("{}.{}", most.major, most.minor), context.environment.name});
  }
  // The bound is what consumers make their tables by, so devices limit it, however few ids there are (2.17).
  if (header.bound > context.options.limits.id_bound) {
    report.add(Rule::IdBoundLimit, Place::header(3),
               {std::to_string(header.bound), std::to_string(context.options.limits.id_bound)});
  }
  for (const Misfit& misfit : context.module.misfits()) {
    if (misfit.kind != Kind::BeyondBound) continue;
    report.add(Rule::IdBound, {misfit.instruction, 0}, {std::to_string(misfit.id), std::to_string(header.bound)});
  }
}

// Where an instruction's length is broken, all behind it is unknown, and everything there would be reported as missing.
bool check_form(const Context& context, Report& report) {
  Diagnostics told;
  if (!report_break(context.module, told)) return true;
  for (const Diagnostic& diagnostic : told.all()) report.add(diagnostic);
  return false;
}

void check_layout(const Context& context, Report& report) {
  check_misfits(context, report);
  check_declarations_come_first(context, report);
  check_memory_model(context, report);
  check_handle_width(context, report);
  check_sources(context, report);
  check_asides(context, report);
  check_nops(context, report);
}

}  // namespace vireo::spirv
