// SPDX-License-Identifier: Apache-2.0
//
// What runs when.
//
// The one idea: a stage runs when what it relies on holds. Facts are made of any words; ids and requirements are judged
// for every instruction that can be decoded; types and chapters for those whose ids are sound; the module as a whole and
// its functions come last. Nothing stops at a fault, and nothing says it twice.
#include "vireo/spirv/validate.h"

#include <vector>

#include "spirv/binary/decode_report.h"
#include "spirv/validate/checks.h"
#include "spirv/validate/dominance.h"
#include "spirv/validate/ids.h"
#include "spirv/validate/requirements_check.h"
#include "spirv/validate/small_types.h"
#include "spirv/validate/stages.h"
#include "spirv/validate/structure.h"
#include "vireo/spirv/reader.h"

namespace vireo::spirv {
namespace {

// The newest universal environment: what holds when nobody says where a module shall run.
const Environment& default_environment() { return *find_environment("spv1.6"); }

// What an environment permits without being asked.
FeatureSet features_of(const Environment& environment, FeatureSet chosen) {
  if (chosen.has(Feature::BeforeHlslLegalization)) chosen.add(Feature::RelaxLogicalPointer);
  if (environment.client == Client::Vulkan && environment.client_version >= Version{1, 1}) {
    chosen.add(Feature::RelaxBlockLayout);
  }
  if (environment.client != Client::Vulkan || environment.client_version >= Version{1, 3}) {
    chosen.add(Feature::AllowLocalSizeId);
  }
  return chosen;
}

// The chapters of specification 3.42 whose instructions have checks beside their typing rows.
constexpr std::span<const Check> (*chapter_tables[])() = {
    type_checks,         constant_checks,       composite_checks,  arithmetic_checks,   conversion_checks,
    function_checks,     variable_checks,       memory_checks,     access_chain_checks, cooperative_checks,
    float_format_checks, control_flow_checks,   annotation_checks, mode_checks,         group_checks,
    shader_checks,       descriptor_heap_checks};

// Checks by opcode: the chapters' tables, gathered by row of the grammar, each opcode's checks as neighbours.
class CheckTable {
 public:
  explicit CheckTable(const Grammar& grammar) : grammar_(grammar), first_(grammar.instructions.size() + 1) {
    std::vector<const Check*> all;
    for (const auto chapter : chapter_tables) {
      for (const Check& check : chapter()) {
        if (row_of(check) == none) continue;
        all.push_back(&check);
        ++first_[row_of(check) + 1];
      }
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    checks_.resize(all.size());
    std::vector<std::uint16_t> next = first_;
    for (const Check* check : all) checks_[next[row_of(*check)]++] = check;
  }

  void run(const Context& context, const Visit& visit, Report& report) const {
    run(*visit.decoded->row, context, visit, report);
    // What holds for an instruction holds for it within OpSpecConstantOp.
    if (const InstructionRow* row = visit.decoded->spec_row) run(*row, context, visit.operation_of(), report);
  }

 private:
  void run(const InstructionRow& instruction, const Context& context, const Visit& visit, Report& report) const {
    const std::size_t row = &instruction - grammar_.instructions.data();
    for (std::size_t i = first_[row]; i < first_[row + 1]; ++i) checks_[i]->run(context, visit, report);
  }

  static constexpr std::size_t none = ~std::size_t{0};
  [[nodiscard]] std::size_t row_of(const Check& check) const {
    const InstructionRow* row = grammar_.find_opcode(static_cast<std::uint32_t>(check.opcode));
    return row == nullptr ? none : static_cast<std::size_t>(row - grammar_.instructions.data());
  }

  const Grammar& grammar_;
  std::vector<std::uint16_t> first_;  // by row of the grammar
  std::vector<const Check*> checks_;
};

// Every instruction once, front to back; what is known of a function's control flow is read when it begins.
class Walk {
 public:
  Walk(const Context& context, Report& report, Diagnostics& diagnostics)
      : context_(context),
        report_(report),
        diagnostics_(diagnostics),
        decoder_(context.grammar(), context.module.header().bound, context.module.words().size()),
        ids_(context),
        requirements_(context),
        dominance_(context),
        stages_(context),
        ext_typing_(context),
        checks_(context.grammar()),
        has_storage_only_types_(has_storage_only_types(context)) {}

  void run() {
    const Module& module = context_.module;
    const auto functions = module.functions();
    std::uint32_t at = 0;
    for (const FunctionRow& function : functions) {
      walk({at, function.all.first}, FunctionIndex::none());
      enter(function);
      walk(function.all, module.index_of(function));
      leave(function);
      at = function.all.end;
    }
    walk({at, module.instruction_count()}, FunctionIndex::none());
    requirements_.finish(report_);
    stages_.finish(report_);
  }

 private:
  void enter(const FunctionRow& function) {
    flow_.read(context_.module, function);
    dominance_.begin(function, flow_);
    block_ = LocalBlock::none();
  }

  void leave(const FunctionRow& function) {
    dominance_.end(report_);
    if (function.is_declaration()) return;
    check_blocks(context_, flow_, report_);
    if (context_.is_shader() && flow_.bad_targets().empty()) check_structure(context_, flow_, report_);
  }

  void walk(InstructionRange range, FunctionIndex function) {
    const auto views = context_.module.views(range);
    for (auto it = views.begin(); it != views.end(); ++it) visit(it.index(), *it, function);
  }

  void visit(InstructionIndex index, InstructionView view, FunctionIndex function) {
    if (!function.is_none()) {
      // The next block begins here, or none does.
      const std::uint32_t next = block_.is_none() ? 0 : block_.raw + 1;
      if (next < flow_.block_count() && flow_.block(LocalBlock(next)).all.first == index.raw) block_ = LocalBlock(next);
    }
    const DecodeFault fault = decoder_.decode(view);
    if (fault != DecodeFault::None) {
      report_decode_fault(fault, decoder_, context_.grammar(), view, index.raw + std::uint64_t{1}, diagnostics_);
      if (!is_decodable(fault)) return;
    }
    const Module& module = context_.module;
    const Visit visit{view,
                      index,
                      decoder_.operands(),
                      &decoder_.context(),
                      function,
                      module.type_of(view),
                      module.result_of(view),
                      function.is_none() ? nullptr : &flow_,
                      function.is_none() ? LocalBlock::none() : block_};
    requirements_.run(visit, report_);
    const bool is_sound = ids_.run(visit, report_);
    if (!function.is_none()) dominance_.visit(visit, block_, report_);
    if (!is_sound) return;
    check_typing(context_, visit, report_);
    check_scopes(context_, visit, report_);
    if (visit.op() == Op::OpExtInst) ext_typing_.run(visit, report_);
    checks_.run(context_, visit, report_);
    stages_.visit(visit);
    if (has_storage_only_types_) check_storage_only_use(context_, visit, report_);
  }

  const Context& context_;
  Report& report_;
  Diagnostics& diagnostics_;
  OperandDecoder decoder_;
  IdCheck ids_;
  RequirementCheck requirements_;
  DominanceCheck dominance_;
  StageCheck stages_;
  const ExtTyping ext_typing_;
  const CheckTable checks_;
  const bool has_storage_only_types_;
  ControlFlow flow_;
  LocalBlock block_;  // of the instruction
};

}  // namespace

bool validate(Words words, const ValidateOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  if (!read_header(words, diagnostics)) return false;
  const Grammar& grammar = options.grammar == nullptr ? builtin_grammar() : *options.grammar;
  const Environment& environment = options.environment == nullptr ? default_environment() : *options.environment;

  const Module module = Module::read(words, grammar);
  const Facts facts(module);
  const Context context{
      module,
      facts,
      options,
      environment,
      facts.preamble(),
      facts.types(),
      facts.constants(),
      facts.decorations(),
      features_of(environment, options.features),
      facts.preamble().addressing_model().value_or(AddressingModel::Logical) == AddressingModel::Logical ||
          facts.preamble().addressing_model() == AddressingModel::PhysicalStorageBuffer64};
  Report report(module, context.features);
  check_header(context, report);
  check_layout(context, report);
  check_capabilities(context, report);
  check_adjacency(context, report);
  check_unique_types(context, report);
  check_type_nesting(context, report);
  check_variable_limits(context, report);
  Walk(context, report, diagnostics).run();
  check_module(context, report);
  report.deliver(diagnostics);
  diagnostics.sort_by_place();
  return diagnostics.error_count() == errors_before;
}

}  // namespace vireo::spirv
