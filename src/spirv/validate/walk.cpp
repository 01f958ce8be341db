// SPDX-License-Identifier: Apache-2.0
//
// One instruction after the other, through all checks; many functions at once where that pays.
//
// The one idea: functions know nothing of each other but for what is told once in a module: the first use of an id that
// nothing defines, the first need of a capability. So functions are shared out among threads in the hope that nothing is
// wrong with them, which is the usual case; where anything is, the module is walked again, front to back, on one thread.
// Whatever the number of threads, the findings are the same.
#include "spirv/validate/walk.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "spirv/binary/decode_report.h"
#include "spirv/validate/checks.h"
#include "spirv/validate/dominance.h"
#include "spirv/validate/ext_inst_checks.h"
#include "spirv/validate/ids.h"
#include "spirv/validate/requirements_check.h"
#include "spirv/validate/small_types.h"
#include "spirv/validate/stages.h"
#include "spirv/validate/structure.h"
#include "support/parallel.h"

namespace vireo::spirv {
namespace {

// The chapters of specification 3.42 whose instructions have checks beside their typing rows.
constexpr std::span<const Check> (*chapter_tables[])() = {
    type_checks,
    constant_checks,
    composite_checks,
    arithmetic_checks,
    dot_product_checks,
    conversion_checks,
    function_checks,
    variable_checks,
    memory_checks,
    access_chain_checks,
    logical_pointer_checks,
    descriptor_heap_checks,
    cooperative_checks,
    cooperative_array_checks,
    cooperative_tensor_checks,
    float_format_checks,
    control_flow_checks,
    annotation_checks,
    mode_checks,
    group_checks,
    pipe_checks,
    shader_checks,
    image_type_checks,
    image_access_checks,
    image_query_checks,
    image_processing_checks,
    tensor_checks,
    graph_checks,
    import_checks,
    miscellaneous_checks,
};

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

// What all walks of a module share.
struct Tables {
  explicit Tables(const Context& context)
      : ext_typing(context),
        ext_insts(context),
        checks(context.grammar()),
        has_storage_only_types(spirv::has_storage_only_types(context)) {}

  const ExtTyping ext_typing;
  const ExtInstCheck ext_insts;
  const CheckTable checks;
  const bool has_storage_only_types;
};

// A run of functions, front to back, each instruction once; what is known of a function's control flow is read when it
// begins.
class Walk {
 public:
  Walk(const Context& context, const Tables& tables, Report& report)
      : context_(context),
        tables_(tables),
        report_(report),
        decoder_(context.grammar(), context.module.header().bound, context.module.words().size()),
        ids_(context),
        requirements_(context),
        dominance_(context),
        stages_(context),
        typing_(context) {}

  /// What stands in front of the first function.
  void visit_declarations() { walk({0, declarations_end()}, FunctionIndex::none()); }
  /// The same for somebody else's sake: what functions need to know of it to be decoded.
  void read_declarations() {
    for (const InstructionView view : context_.module.views({0, declarations_end()})) decoder_.decode(view);
  }

  /// The functions from `first` on, up to `end`, with what stands between them; behind the last one all that is left.
  void visit_functions(std::size_t first, std::size_t end) {
    const auto functions = context_.module.functions();
    for (std::size_t i = first; i < end; ++i) {
      const FunctionRow& function = functions[i];
      enter(function);
      walk(function.all, FunctionIndex(i));
      leave(function);
      const bool is_last = i + 1 == functions.size();
      const std::uint32_t next = is_last ? context_.module.instruction_count() : functions[i + 1].all.first;
      walk({function.all.end, next}, FunctionIndex::none());
    }
  }

  /// Reports what was gathered of missing capabilities and extensions.
  void finish_requirements() { requirements_.finish(report_); }
  /// Reports what entry points lead to.
  void finish_stages() { stages_.finish(report_); }
  /// Takes over what another walk gathered of later functions.
  void take(Walk&& other) { stages_.take(std::move(other.stages_)); }

 private:
  [[nodiscard]] std::uint32_t declarations_end() const {
    const auto functions = context_.module.functions();
    return functions.empty() ? context_.module.instruction_count() : functions.front().all.first;
  }

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

  static constexpr std::uint32_t bit_of(OperandShape shape) { return 1u << static_cast<unsigned>(shape); }

  void visit(InstructionIndex index, InstructionView view, FunctionIndex function) {
    if (!function.is_none()) {
      // The next block begins here, or none does.
      const std::uint32_t next = block_.is_none() ? 0 : block_.raw + 1;
      if (next < flow_.block_count() && flow_.block(LocalBlock(next)).all.first == index.raw) block_ = LocalBlock(next);
    }
    const DecodeFault fault = decoder_.decode(view);
    if (fault != DecodeFault::None) {
      Diagnostics told;
      report_decode_fault(fault, decoder_, context_.grammar(), view, index.raw + std::uint64_t{1}, told);
      for (const Diagnostic& diagnostic : told.all()) report_.add(diagnostic);
      if (!is_decodable(fault)) return;
    }
    // Most instructions have no operands of some shapes; who looks for those alone is not asked.
    std::uint32_t shapes = 0;
    Word type = 0, result = 0;
    for (const Operand& operand : decoder_.operands()) {
      shapes |= bit_of(operand.shape);
      if (operand.shape == OperandShape::IdResultType) type = view.first[operand.word];
      if (operand.shape == OperandShape::IdResult) result = view.first[operand.word];
    }
    const Visit visit{view,
                      index,
                      decoder_.operands(),
                      &decoder_.context(),
                      function,
                      type,
                      result,
                      function.is_none() ? nullptr : &flow_,
                      function.is_none() ? LocalBlock::none() : block_};
    requirements_.run(visit, report_);
    if ((shapes & (bit_of(OperandShape::ValueEnum) | bit_of(OperandShape::BitEnum))) != 0) {
      requirements_.run_enumerants(visit, report_);
    }
    const bool is_sound = ids_.run(visit, report_);
    if (!function.is_none()) dominance_.visit(visit, block_, report_);
    if (!is_sound) return;
    typing_.run(visit, report_);
    if ((shapes & (bit_of(OperandShape::IdScope) | bit_of(OperandShape::IdMemorySemantics))) != 0) {
      check_scopes(context_, visit, report_);
    }
    if (visit.op() == Op::OpExtInst) tables_.ext_typing.run(visit, report_);
    tables_.ext_insts.run(visit, report_);
    tables_.checks.run(context_, visit, report_);
    stages_.visit(visit);
    if (tables_.has_storage_only_types) check_storage_only_use(context_, visit, report_);
  }

  const Context& context_;
  const Tables& tables_;
  Report& report_;
  OperandDecoder decoder_;
  IdCheck ids_;
  RequirementCheck requirements_;
  DominanceCheck dominance_;
  StageCheck stages_;
  Typing typing_;
  ControlFlow flow_;
  LocalBlock block_;  // of the instruction
};

// Neighbouring functions of some size, so that a thread has something to do; the last run has what is left.
std::vector<std::size_t> share_out(const Module& module, std::size_t instructions_each) {
  std::vector<std::size_t> begins{0};
  std::size_t count = 0;
  for (std::size_t i = 0; i < module.functions().size(); ++i) {
    if (count >= instructions_each) {
      begins.push_back(i);
      count = 0;
    }
    count += module.functions()[i].all.size();
  }
  begins.push_back(module.functions().size());
  return begins;
}

// A walk of its own for each thread: it goes from run to run, each further behind than the one before.
struct Worker {
  Worker(const Context& context, const Tables& tables, const Severities& severities)
      : report(context.module, severities), walk(context, tables, report) {}
  Report report;
  Walk walk;
};

// Fewer instructions than these are checked in the time that it takes to begin.
constexpr std::size_t instructions_that_pay = 20'000;

// Whether several threads found nothing: then `walk` has gathered all that is gathered. Otherwise nothing can be said.
bool check_many_functions(const Context& context, const Tables& tables, const Severities& severities, unsigned threads,
                          Walk& walk) {
  const std::vector<std::size_t> begins = share_out(context.module, instructions_that_pay);
  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> idle;
  bool is_clean = true;
  struct Nothing {};
  const auto work = [&](std::size_t i) {
    std::unique_lock lock(mutex);
    if (!is_clean) return Nothing{};
    std::unique_ptr<Worker> worker;
    if (!idle.empty()) {
      worker = std::move(idle.back());
      idle.pop_back();
    }
    lock.unlock();
    if (worker == nullptr) {
      worker = std::make_unique<Worker>(context, tables, severities);
      worker->walk.read_declarations();
    }
    worker->walk.visit_functions(begins[i], begins[i + 1]);
    worker->walk.finish_requirements();
    lock.lock();
    is_clean &= worker->report.is_empty();
    idle.push_back(std::move(worker));
    return Nothing{};
  };
  deliver_in_order<Nothing>(begins.size() - 1, threads, work, [](std::size_t, Nothing) {});
  for (const std::unique_ptr<Worker>& worker : idle) walk.take(std::move(worker->walk));
  return is_clean;
}

// What is defined twice, or stands where it should not, is judged by what stands in front of it.
bool pays_to_share(const Context& context) {
  const Module& module = context.module;
  return context.options.threads > 1 && module.functions().size() > 1 && module.misfits().empty() &&
         module.section(Section::Functions).size() >= 2 * instructions_that_pay;
}

}  // namespace

void check_instructions(const Context& context, const Severities& severities, Report& report) {
  const Tables tables(context);
  if (pays_to_share(context)) {
    Report hoped(context.module, severities);
    Walk walk(context, tables, hoped);
    walk.visit_declarations();
    walk.finish_requirements();
    if (hoped.is_empty() && check_many_functions(context, tables, severities, context.options.threads, walk)) {
      walk.finish_stages();
      report.take(std::move(hoped));
      return;
    }
  }
  Walk walk(context, tables, report);
  walk.visit_declarations();
  walk.visit_functions(0, context.module.functions().size());
  walk.finish_requirements();
  walk.finish_stages();
}

}  // namespace vireo::spirv
